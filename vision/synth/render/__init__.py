"""From solids to pixels: a fast renderer that paints, a physical one that follows the light, and the sensor."""

"""Tables and scenes by chance, so that no two pictures are alike."""

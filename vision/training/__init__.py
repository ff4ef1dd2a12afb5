"""How the nets are trained: a room for each, and what all of them need. Not in the wheel; needs torch."""

"""How the nets are trained: pictures from the simulator, a model, a schedule. Not in the wheel; needs torch."""

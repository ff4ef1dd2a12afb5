"""The page: score for the room, console for the director."""

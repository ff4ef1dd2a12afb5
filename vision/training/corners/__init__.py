"""Of the net that finds the board in a picture: its pictures, how it learns, how it is exported, how well it finds."""

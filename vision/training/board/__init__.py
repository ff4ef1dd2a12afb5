"""Of the net that finds and counts what stands on a board: its pictures, how it learns, how it is exported."""

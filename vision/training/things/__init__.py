"""Of the net that finds dice and cube: its pictures, how it learns, how it is exported, how much its word counts."""

"""Practice: a backgammon engine as a process of its own, and what is learned from what it says."""

"""The table simulator: drawn pictures of a game with known truth."""

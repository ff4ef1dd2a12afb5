"""Where the board lies and what its checkers look like: numbers in, numbers out."""

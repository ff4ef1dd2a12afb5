"""Training of the net that looks at a straightened board: where its points' bases and tips are."""

"""Text formats and identifiers, text to values and back."""

"""A net that tells whether a die leans: examples, training, export. Not good enough yet for the eyes to ask it."""

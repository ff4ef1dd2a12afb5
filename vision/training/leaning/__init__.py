"""The net that tells whether a die leans: examples, training, export."""

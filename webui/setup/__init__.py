"""The set-up of a table: from the camera's picture to the first throw."""

"""What people's hands do at the table, as stretches of scenes."""

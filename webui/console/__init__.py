"""The director's console: what he sees, and what he may say to the table."""

"""The rules of backgammon and of the table: pure values and functions, standard library only."""

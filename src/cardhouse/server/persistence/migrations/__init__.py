"""How databases came to their present form, one step a file."""

"""A conflict: hands, Raises and Sees, and all that may go with them."""

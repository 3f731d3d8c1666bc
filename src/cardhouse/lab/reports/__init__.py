"""Results for people: text, HTML, notebooks, tables, and the Python interface."""

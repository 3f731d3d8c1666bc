"""Messages for authors: unsound declarations, invalid questions, errors in rules, and rules that never end."""

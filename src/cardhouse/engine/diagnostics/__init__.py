"""Messages for authors: invalid declarations and questions, errors in rules, and rules that never end."""

"""One open table: commands in, frames out, and all that happens to it."""

"""One open table: its commands, frames, devices, links and portraits."""

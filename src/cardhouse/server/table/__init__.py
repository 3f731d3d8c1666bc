"""One open table: its commands, frames, devices, links, recap and replay."""

"""The command line; `cardhouse --help` lists the commands."""

from cardhouse.cli.app import main

__all__ = ["main"]

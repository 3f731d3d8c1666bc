"""The command line; `cardhouse --help` tells what there is."""

from cardhouse.cli.app import main

__all__ = ["main"]

"""Loads all that a server loads, so that those that are forked off the process that did so need not."""

import gc

import alembic.command  # noqa: F401 (for a new database)
import anyio._backends._asyncio  # noqa: F401 (imported when it is first used)
from litestar import Litestar

import cardhouse.cli.serving
import cardhouse.server.__main__  # noqa: F401
from cardhouse.server.app.lifecycle import load_games, web_config

# Web servers load most of themselves only when they start.
web_config(Litestar(logging_config=None)).load()
load_games()

# No server need look for garbage among all this, which would also copy the pages that it shares with the others.
gc.collect()
gc.freeze()

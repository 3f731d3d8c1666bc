"""Loads all modules of a server, so that processes forked from this one don't have to."""

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

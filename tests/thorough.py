"""How much the slow oracles try: some of it in every run, all of it in `make soak`."""

import os

THOROUGH = "CARDHOUSE_THOROUGH"
"""The environment's word for all of it."""


def many(all_of_them: int, usually: int) -> int:
    """How many seeds, games or deals are tried."""
    return all_of_them if os.environ.get(THOROUGH) else usually

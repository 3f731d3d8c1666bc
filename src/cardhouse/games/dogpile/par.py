"""Par: the number of dogs that careful bots bring home on average, as data (`lab/par.py` computes it)."""

import tomllib
from functools import cache
from pathlib import Path

from cardhouse.games.dogpile.state import USUAL, DogpileOptions

DATA = Path(__file__).with_name("par.toml")
FREE = ("jokers", "minutes", "rounds", "gm_plays")
"""The options for which par is known whatever their value; all others must have their defaults."""


def par_of(options: DogpileOptions, players: int, rounds: int) -> int | None:
    """Return par for this number of players and rounds, in whole dogs; None for options or numbers without data."""
    fixed = (name for name in options.__struct_fields__ if name not in FREE)
    if any(getattr(options, name) != getattr(USUAL, name) for name in fixed):
        return None
    means = _means().get(f"jokers_{options.jokers}", {}).get(f"players_{players}", [])
    return round(means[rounds - 1]) if 0 < rounds <= len(means) else None


@cache
def _means() -> dict[str, dict[str, list[float]]]:
    return tomllib.loads(DATA.read_text("utf-8"))

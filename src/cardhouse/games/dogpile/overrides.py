"""The overrides of Dogpile, for public values only. Hands and face-down cards belong to their players."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from cardhouse.engine import Editable, OneOf, Whole, YesNo, editable_fields

if TYPE_CHECKING:
    from cardhouse.games.dogpile.rules import Dogpile

LONGEST = 600
"""The longest total duration of the timer, in minutes."""
MORE_ROUNDS = 98
"""How many rounds may follow the earliest possible last one once the timer is stopped."""


def editable(game: Dogpile) -> list[Editable]:
    """Return the editable values: the timer and, between rounds, Player One and the fate of the last pack."""
    found = []
    if game.ends_at is not None and not game.rung:
        found.append(Editable("minutes", minutes(game), Whole(1, LONGEST), lambda to: set_minutes(game, to)))
        # Never a round that is over: an edit, which can be undone, would end the game and show all hands (DG-6).
        first = max(game.round + (game.verdict is not None), 1)
        last = Whole(first, first + MORE_ROUNDS)
        found.append(Editable("untimed", game.untimed, last, lambda to: stop_timer(game, to)))
    if game.round and game.verdict is not None:
        if len(game.players) > 1:
            found += editable_fields(game, {"player_one": OneOf(game.players, "seat")})
        if is_pack_in_place(game):
            found.append(Editable("joined", game.rounds[-1].joined, YesNo(), lambda to: set_joined(game, joined=to)))
    return found


def stop_timer(game: Dogpile, last: int) -> None:
    """Stop the timer, for those whom it hurries: the game ends after this round instead, and its result says so."""
    game.ends_at, game.untimed = None, last


def minutes(game: Dogpile) -> int:
    """Return the timer's duration in minutes (DG-18)."""
    return game.options.minutes + game.more_minutes


def set_minutes(game: Dogpile, to: int) -> None:
    """Set the timer's duration in minutes, counted from when it was started."""
    assert game.ends_at is not None
    game.ends_at += 60 * (to - minutes(game))
    game.more_minutes = to - game.options.minutes


def is_pack_in_place(game: Dogpile) -> bool:
    """Return whether all cards of the last pack are still in the pile they went to (DG-9)."""
    pile = game.dogpile if game.rounds[-1].joined else game.strays
    return all(card in pile for card in game.layout().values())


def set_joined(game: Dogpile, *, joined: bool) -> None:
    """Let the last pack join, or let all of it stray (DG-9)."""
    pack = list(game.layout().values())
    leaves, comes = (game.strays, game.dogpile) if joined else (game.dogpile, game.strays)
    leaves[:] = [card for card in leaves if card not in pack]
    comes += pack
    game.rounds[-1] = msgspec.structs.replace(game.rounds[-1], joined=joined)

"""Bots: they answer for the characters of their own seat, from what that seat sees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec

from cardhouse.engine import Bot, Seen
from cardhouse.games.dogs.bots.best import best
from cardhouse.games.dogs.bots.bold import bold
from cardhouse.games.dogs.bots.choosing import choose
from cardhouse.games.dogs.bots.policies import Policy, Situation, Unused, Values, plain, typical, values_of
from cardhouse.games.dogs.bots.simulation import cards_by_arena, cards_coming, demonic_draws
from cardhouse.games.dogs.people.fast import Draws
from cardhouse.games.dogs.people.sheet import Stat, Stats
from cardhouse.games.dogs.state import ARENAS, DEMONIC, pile_of, stats_of, worth

POLICIES: dict[str, Policy] = {"plain": plain, "bold": bold, "best": best}


def playing(policy: Policy) -> Bot:
    """Return the bot that plays by a policy."""

    def bot(seen: Seen, rng: Random) -> dict[str, Any] | None:
        if seen.asks["key"] == "choices":
            return choose(seen)
        now = situation_seen(seen) if seen.asks["key"] in ("raise", "see") else None
        return None if now is None else msgspec.to_builtins(policy(now))

    return bot


BOTS: dict[str, Bot] = {name: playing(policy) for name, policy in POLICIES.items()}


def situation_seen(seen: Seen) -> Situation | None:
    """Return the situation of the participant asked; None if another seat plays it."""
    conflict, name = seen.view["conflict"], seen.asks["with"]["name"]
    participants = {one["name"]: one for one in conflict["participants"]}
    one = participants[name]
    if one["controller"] != seen.seat:
        return None
    raised = conflict["raise"] if seen.asks["key"] == "see" else None
    counts_fallout = one["nature"] == "character" and not one["spare"]
    opponents = [other for other in conflict["participants"] if other["still_in"] and other["side"] != one["side"]]
    return Situation(
        name=name,
        hand=conflict["hands"][name],
        owes=bool(one["owes"]),
        value=None if raised is None else raised["value"],
        help_given=sum(worth(helped["card"], sideways=True) for helped in conflict["helps"]),
        pile=None if raised is None or not counts_fallout else pile_of(raised["arena"]),
        others=lambda: [_hand(conflict["hands"][other["name"]]) for other in opponents],
        coming=lambda: sum(_coming(seen, other) for other in opponents),
        things=lambda: list(_things(seen)),
        arenas=lambda: _arenas(seen, name),
        improvises=any(offer["do"] == "improvise" for offer in seen.offers),
    )


def _hand(cards: list[str] | int) -> Values:
    return typical(cards) if isinstance(cards, int) else values_of(cards)


def _things(seen: Seen) -> Iterator[Unused]:
    """Yield the things offered to be brought, with their draws."""
    demonic = seen.view["conflict"]["demonic"]
    sheets = {who["name"]: who for who in seen.view["characters"]}
    for offer in seen.offers:
        if offer["do"] != "bring":
            continue
        owner = offer["fields"]["name"]["const"]
        draws = _draws_of(sheets[owner]) if owner in sheets else {}
        for name in _choices(offer["fields"]["thing"]):
            yield Unused(owner, name, demonic_draws(demonic["dice"]) if name == DEMONIC else draws[name])


def _draws_of(sheet: dict[str, Any]) -> dict[str, Draws]:
    """Return the draw for each of a character's things in this conflict (DV-32)."""
    later = {one["thing"] for one in sheet["later"]}
    draws = {thing["name"]: Draws(thing["kind"], thing["significant"]) for thing in sheet["things"]}
    return {**draws, **{name: Draws("-", name in draws and draws[name].significant) for name in later}}


def _arenas(seen: Seen, name: str) -> dict[str, int]:
    """Return the arenas offered for escalation, with the number of cards each draws."""
    offered = next((o for o in seen.offers if o["do"] == "escalate" and "arena" in o["fields"]), None)
    return {} if offered is None else _cards_by(seen, name, _choices(offered["fields"]["arena"]))


def _coming(seen: Seen, other: dict[str, Any]) -> int:
    """Return how many cards an opponent may get at its next turn."""
    conflict, name = seen.view["conflict"], other["name"]
    if conflict["kind"] != "conflict":
        return 0
    sheet = next(who for who in seen.view["characters"] if who["name"] == name)
    things = [draws for thing, draws in _draws_of(sheet).items() if thing in other["unused"]]
    entered = conflict["arenas"][name]
    drawn = _cards_by(seen, name, [arena for arena in ARENAS if arena not in entered])
    return cards_coming(things, drawn, improvises=other["improvised_left"] > 0)


def _cards_by(seen: Seen, name: str, arenas: Sequence[str]) -> dict[str, int]:
    """Return the number of cards that a participant would draw in each of these arenas."""
    sheet = next((who for who in seen.view["characters"] if who["name"] == name), None)
    if sheet is None:
        return {}
    conflict = seen.view["conflict"]
    first, *later = conflict["arenas"][name]
    opening_stats: tuple[Stat, ...] = ("acuity",) if conflict["kind"] == "healing" else stats_of(first)
    drawn = {*opening_stats, *(stat for arena in later for stat in stats_of(arena))}
    lines = next(one["lines"] for one in conflict["participants"] if one["name"] == name)
    stats = msgspec.convert(sheet["stats"], Stats)
    return cards_by_arena(arenas, stats, drawn, sheet["fast"], lines)


def _choices(field: dict[str, Any]) -> list[str]:
    return field["enum"] if "enum" in field else [field["const"]]

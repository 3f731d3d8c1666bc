"""A player for any seat of any game, with nothing written by its author (docs/bots.md).

It tries what it may answer in worlds that its seat could be in, each answer in the same ones, plays each on to see what
comes of it, and goes on with the better half, until one is left or the time is up. Where nothing is at stake, or nobody
can say what, it says what leaves no choice, and leaves the rest to people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import count, islice, product
from random import Random
from typing import Any

import msgspec

from cardhouse.engine import GM, STORY, Table
from cardhouse.engine.chance.sample_answers import Answer, some_answer
from cardhouse.player.determinization import Worlds
from cardhouse.player.rollouts import starts, value_of

MOST_ANSWERS = 32
"""So many answers are weighed at most."""
USUAL_PLAYOUTS = 400
ROUNDS = 4
"""In so many worlds each is tried before the worse half is given up."""
Enough = Callable[[int], bool]
"""Whether so many games have been played on enough."""


def usual(played: int) -> bool:
    """As many games as are usual where nobody counts the time."""
    return played >= USUAL_PLAYOUTS


def look_ahead(
    table: Table, seat: str, rng: Random, enough: Enough = lambda played: played >= USUAL_PLAYOUTS
) -> Answer | None:
    """What the house's player answers in a seat of a table with its whole log; None if it leaves that to others.

    It depends on nothing but what the seat may know, the generator, and how many games may be played on.
    """
    if seat == GM and table.kind.host is not None:
        return table.kind.host(table.seen(seat, STORY), rng)
    anybody = may_be_anybody(table, seat)
    if anybody and seat != GM and GM in table.seats:
        return None  # it is for the game master to say when
    offers = [one for one in msgspec.to_builtins(table.offers(seat)) if "do" in one and (anybody or "for" not in one)]
    if not offers:
        return None
    open_to = list(islice(all_answers(offers), MOST_ANSWERS + 1))
    if len(open_to) == 1 and (seat == GM or not table.kind.bots):
        return open_to[0]
    if len(open_to) == 1 or table.asks()["key"] in table.kind.looks_until or table.game.outlook(seat) is None:
        return without_looking(table, seat, offers, rng)
    if len(open_to) > MOST_ANSWERS or not open_to:
        open_to = [*bots_answers(table, seat, rng), *some_answers(offers, rng)]
    return Weighing(table, seat, open_to, rng).best(enough)


def may_be_anybody(table: Table, seat: str) -> bool:
    """Whether the question waits for nobody in particular, as to when to go on."""
    asks = table.asks()
    anybody = asks.get("together", False) and not asks.get("secret", False) and not asks.get("waits_for")
    return anybody and {seat, GM} <= {*asks["seats"]}


def without_looking(table: Table, seat: str, offers: list[dict[str, Any]], rng: Random) -> Answer | None:
    """What a bot of the game says; else, where nothing need be thought up, one of the answers."""
    if table.kind.bots and seat != GM:
        return next(bots_answers(table, seat, rng), None)
    plain = [offer for offer in offers if is_plain(offer)]
    return some_answer(plain[0] if seat == GM else rng.choice(plain), rng) if plain else None


def bots_answers(table: Table, seat: str, rng: Random) -> Iterator[Answer]:
    """What the bots of a game would say, which may be better than what comes by chance."""
    seen = table.seen(seat, STORY)
    for bot in table.kind.bots.values():
        if (answer := bot(seen, rng)) is not None:
            yield answer


def is_plain(offer: Mapping[str, Any]) -> bool:
    """Whether nothing is to be chosen in an offer."""
    optional = offer.get("optional", ())
    return all("const" in field for name, field in offer["fields"].items() if name not in optional)


def all_answers(offers: list[dict[str, Any]]) -> Iterator[Answer]:
    """The answers to some offers, one by one; of fields without end only what one would choose first."""
    for offer in offers:
        if "examples" in offer:
            yield from ({"do": offer["do"], **example} for example in offer["examples"])
            continue
        wanted = {name: schema for name, schema in offer["fields"].items() if name not in offer.get("optional", ())}
        for chosen in product(*map(_values, wanted.values())):
            yield {"do": offer["do"], **dict(zip(wanted, chosen, strict=True))}


def _values(schema: Mapping[str, Any]) -> list[Any]:
    """The values that a field may have; none if they can't be counted."""
    if "const" in schema:
        return [schema["const"]]
    if "enum" in schema:
        return list(schema["enum"])
    if schema.get("type") == "boolean":
        return [True, False]
    if schema.get("type") == "integer":
        low, high = schema["minimum"], schema["maximum"]
        return list(range(low, high + 1)) if high - low < MOST_ANSWERS else []
    return list(schema.get("examples", ()))


def some_answers(offers: list[dict[str, Any]], rng: Random) -> list[Answer]:
    """Different answers to some offers, by chance; each offer has its share of them."""
    found: dict[bytes, Answer] = {}
    for number in range(4 * MOST_ANSWERS):
        answer = some_answer(offers[number % len(offers)], rng)
        found.setdefault(msgspec.json.encode(answer, order="deterministic"), answer)
        if len(found) == MOST_ANSWERS:
            break
    return list(found.values())


class Weighing:
    """What each of some answers came to, in the worlds in which it was tried; there a bot plays on, `by` name."""

    def __init__(self, table: Table, seat: str, open_to: list[Answer], rng: Random, by: str = "") -> None:
        self.table, self.seat, self.rng, self.by = table, seat, rng, by
        self.left = list(open_to)
        self.values: list[list[float]] = [[] for _ in open_to]
        self.played = 0

    def best(self, enough: Enough) -> Answer:
        """The answer that comes to most; any of them if that can't be found out."""
        ranked = self.ranked(enough)
        return ranked[0] if any(self.values) else self.rng.choice(self.left)

    def ranked(self, enough: Enough) -> list[Answer]:
        """The answers that were not given up, the one that comes to most first."""
        worlds = Worlds(self.table, self.seat)
        for tried in count(1):
            world = worlds.another(self.rng)
            if world is None or not self._try(world, enough):
                break
            if tried % ROUNDS == 0 and len(self.left) > 2:
                self._give_up(len(self.left) // 2)
        return [self.left[n] for n in sorted(range(len(self.left)), key=self._mean, reverse=True)]

    def _try(self, world: Table, enough: Enough) -> bool:
        """Try all that are left in a world, with the same chance; whether there is time for another."""
        start, seed = starts(world), self.rng.getrandbits(64)
        for place, answer in enumerate(self.left):
            if enough(self.played):
                return False
            self.played += 1
            is_late = partial(enough, self.played - 1)
            value = value_of(start, world, self.seat, answer, Random(seed), is_late, self.by)
            if value is not None:
                self.values[place].append(value)
        return True

    def _give_up(self, keep: int) -> None:
        best = sorted(range(len(self.left)), key=self._mean, reverse=True)[: max(2, keep)]
        self.left, self.values = [self.left[n] for n in best], [self.values[n] for n in best]

    def _mean(self, place: int) -> float:
        values = self.values[place]
        return sum(values) / len(values) if values else float("-inf")

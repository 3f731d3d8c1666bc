"""A bot for any seat of any game, with no code by the game's author (docs/bots.md).

It tries the possible answers in worlds that its seat could be in, all of them in the same ones, plays each on to see
the result, and continues with the better half until one is left or the time is up. If nothing is at stake, or the value
is unknown, it gives forced answers, and leaves the rest to people.
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
from cardhouse.engine.values.documents import OfferDoc
from cardhouse.player.determinization import Worlds
from cardhouse.player.rollouts import starts, value_of

MOST_ANSWERS = 32
"""The most answers that are compared."""
USUAL_PLAYOUTS = 400
ROUNDS = 4
"""The worlds in which each answer is tried before the worse half is dropped."""
Enough = Callable[[int], bool]
"""Whether this many playouts are enough."""


def usual(played: int) -> bool:
    """Return whether the default number of playouts is reached, where no time limit applies."""
    return played >= USUAL_PLAYOUTS


def look_ahead(
    table: Table, seat: str, rng: Random, enough: Enough = lambda played: played >= USUAL_PLAYOUTS
) -> Answer | None:
    """Return the bot's answer for a seat of a table with its complete log; None if it leaves that to others.

    It depends only on what the seat may know, on the generator, and on how many playouts are allowed.
    """
    if seat == GM and table.kind.host is not None:
        return table.kind.host(table.seen(seat, STORY), rng)
    anybody = _asks_only_when(table, seat)
    if anybody and seat != GM and GM in table.seats:
        return None  # the game master decides when to continue
    offers = [one for one in msgspec.to_builtins(table.offers(seat)) if "do" in one and (anybody or "for" not in one)]
    if not offers:
        return None
    open_to = list(islice(all_answers(offers), MOST_ANSWERS + 1))
    if len(open_to) == 1 and (seat == GM or not table.kind.bots):
        return open_to[0]
    if len(open_to) == 1 or table.asks()["key"] in table.kind.looks_until or table.game.outlook(seat) is None:
        return _answer_without_rollouts(table, seat, offers, rng)
    if len(open_to) > MOST_ANSWERS or not open_to:
        open_to = [*bots_answers(table, seat, rng), *some_answers(offers, rng)]
    return Weighing(table, seat, open_to, rng).best(enough)


def _asks_only_when(table: Table, seat: str) -> bool:
    """Return whether the question waits for no seat in particular, and just asks when to continue."""
    asks = table.asks()
    anybody = asks.get("together", False) and not asks.get("secret", False) and not asks.get("waits_for")
    return anybody and {seat, GM} <= {*asks["seats"]}


def _answer_without_rollouts(table: Table, seat: str, offers: list[OfferDoc], rng: Random) -> Answer | None:
    """Return an answer of one of the game's bots, otherwise of an offer without free fields."""
    if table.kind.bots and seat != GM:
        return next(bots_answers(table, seat, rng), None)
    plain = [offer for offer in offers if is_plain(offer)]
    return some_answer(plain[0] if seat == GM else rng.choice(plain), rng) if plain else None


def bots_answers(table: Table, seat: str, rng: Random) -> Iterator[Answer]:
    """Yield the answers of the game's bots, which may be better than random ones."""
    seen = table.seen(seat, STORY)
    for bot in table.kind.bots.values():
        if (answer := bot(seen, rng)) is not None:
            yield answer


def is_plain(offer: Mapping[str, Any]) -> bool:
    """Return whether an offer leaves no choice."""
    optional = offer.get("optional", ())
    return all("const" in field for name, field in offer["fields"].items() if name not in optional)


def all_answers(offers: list[OfferDoc]) -> Iterator[Answer]:
    """Yield the answers to some offers; of an offer with unlimited values only its examples, or none."""
    for offer in offers:
        if "examples" in offer:
            yield from ({"do": offer["do"], **example} for example in offer["examples"])
            continue
        wanted = {name: schema for name, schema in offer["fields"].items() if name not in offer.get("optional", ())}
        for chosen in product(*map(_values, wanted.values())):
            yield {"do": offer["do"], **dict(zip(wanted, chosen, strict=True))}


def _values(schema: Mapping[str, Any]) -> list[Any]:
    """Return the values that a field may have; none if they can't be enumerated."""
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


def some_answers(offers: list[OfferDoc], rng: Random) -> list[Answer]:
    """Return different random answers to some offers, taken from each in turn."""
    found: dict[bytes, Answer] = {}
    for number in range(4 * MOST_ANSWERS):
        answer = some_answer(offers[number % len(offers)], rng)
        found.setdefault(msgspec.json.encode(answer, order="deterministic"), answer)
        if len(found) == MOST_ANSWERS:
            break
    return list(found.values())


class Weighing:
    """The results of some answers, in the worlds in which each was tried; the bot `by` plays on there."""

    def __init__(self, table: Table, seat: str, open_to: list[Answer], rng: Random, by: str = "") -> None:
        self.table, self.seat, self.rng, self.by = table, seat, rng, by
        self.left = list(open_to)
        self.values: list[list[float]] = [[] for _ in open_to]
        self.played = 0

    def best(self, enough: Enough) -> Answer:
        """Return the answer with the best mean result; a random one if there are no results."""
        ranked = self.ranked(enough)
        return ranked[0] if any(self.values) else self.rng.choice(self.left)

    def ranked(self, enough: Enough) -> list[Answer]:
        """Return the answers that weren't dropped, the best first."""
        worlds = Worlds(self.table, self.seat)
        for tried in count(1):
            world = worlds.sample(self.rng)
            if world is None or not self._try(world, enough):
                break
            if tried % ROUNDS == 0 and len(self.left) > 2:
                self._give_up(len(self.left) // 2)
        return [self.left[n] for n in sorted(range(len(self.left)), key=self._mean, reverse=True)]

    def _try(self, world: Table, enough: Enough) -> bool:
        """Try all remaining answers in a world, with the same chance; return whether there is time for another."""
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

"""Possible tables, given what one seat knows: everything else is drawn and chosen again, at random.

A table is its header and its log, so another table that this seat can't distinguish is another log. Cards that it
didn't see are drawn again wherever they were drawn; secret choices of the others are made again from their offers; so
are answers of which this seat saw nothing. The log is replayed this way, and accepted only if the seat sees and is
asked exactly the same. The result doesn't depend on anything hidden, so two tables that a seat can't distinguish lead,
with the same generator, to the same worlds.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from random import Random
from typing import Any

from cardhouse.engine import CardhouseError, Entry, Table
from cardhouse.engine.chance.sample_answers import Answer, some_answer
from cardhouse.engine.table.runner import Pick
from cardhouse.engine.values.documents import OfferDoc
from cardhouse.engine.values.transcript import Line, body_of
from cardhouse.player.information_set import Drawn, Known, shown_to, texts_in

_TRIES = 8
"""The worlds that are tried for one that the seat can't distinguish from the real one."""


class Worlds:
    """A sampler of the tables that a seat could be at."""

    def __init__(self, table: Table, seat: str) -> None:
        """Examine a table, whose log must be complete."""
        self.known = Known(table, seat)
        for one in sorted(self.known.doubtful):
            if not self._could_differ(one):
                self.known.hidden.discard(one)

    def _could_differ(self, one: Drawn) -> bool:
        """Return whether any other card is possible here, as far as the seat knows.

        All must be tried: the first one to fit would differ at another table that the seat can't distinguish.
        """
        untried: list[str] | None = None
        while untried is None or untried:
            resampled = _Resampled(self.known, Random(0), only=one, untried=untried)
            if resampled.table() is not None:
                return True
            untried = resampled.untried or []
        return False

    def sample(self, rng: Random) -> Table | None:
        """Return a random one; None if none was found."""
        # The length of a failed try must not affect later use of the generator, so tries have their own seed.
        seed = rng.getrandbits(64)
        for attempt in range(_TRIES):
            if (table := _Resampled(self.known, Random(f"{seed} {attempt}")).table()) is not None:
                return table
        return None


class _Refuted(Exception):
    """The seat would have noticed the difference."""


class _Resampled:
    """A log replayed with other cards and choices; with `only`, just that card is replaced.

    It is then replaced by the first of `untried`, by default all cards that could come there, and that one is removed
    from the list.
    """

    def __init__(
        self, known: Known, rng: Random, only: Drawn | None = None, untried: Sequence[str] | None = None
    ) -> None:
        self.known, self.rng, self.only = known, rng, only
        self.untried = None if untried is None else list(untried)
        self.names: dict[str, str] = {}
        """The names that hidden things have here; the rest keep theirs."""
        self._swapped: dict[str, str] = {}

    def table(self) -> Table | None:
        """Return the resulting table; None if the seat could distinguish it from the real one."""
        real, start = self.known.table, self.known.start
        first = real.number + 1 if start is None else start
        dealer = _ReplayDealer(self)
        self.world = Table(real.header, dealer, real.snapshot_before(first))
        self.world.watch_picks(dealer.watch)
        begun = self.world.number
        try:
            for entry in self.known.standing:
                if entry.number > begun:
                    dealer.begin(entry)
                    self._replay(entry, resampled=entry.number >= first)
        except (CardhouseError, _Refuted):
            return None
        if shown_to(self.world, self.known.seat) != self.known.shown:
            return None
        return self.world

    def _replay(self, entry: Entry, *, resampled: bool) -> None:
        """Give an entry's answer here, or one that could have been given."""
        times = [line["time"] for line in entry.lines if "time" in line]
        replayed = self.world.answer(entry.by, self._answer(entry), time=times[0] if times else None)
        if resampled and self.world.story(replayed, self.known.seat)["events"] != self.known.stories[entry.number]:
            raise _Refuted

    def _answer(self, entry: Entry) -> Answer:
        body = body_of(entry.lines[0])
        if self.only is None and entry.number in self.known.choices:
            return self._resample_choice(entry.by, body)
        if self.only is None and entry.number in self.known.unknown_answers:
            return self._resample_answer(entry.by, body)
        if entry.kind == "draw" and isinstance(body["card"], str):
            cards = getattr(self.world.question, "cards", ())
            return {**body, "card": self.card_for(Drawn(entry.number, 0, body["draw"], body["card"]), cards)}
        return dict(renamed(body, self._unknown_names(entry, body)))

    def _unknown_names(self, entry: Entry, body: Answer) -> dict[str, str]:
        """Return the names to change in an answer: those that the seat neither hears nor sees."""
        new = {was: now for was, now in self.names.items() if was != now}
        unknown = (new.keys() & texts_in(body)) - self.known.heard[entry.number]
        if unknown:
            unknown -= texts_in(self.world.view(self.known.seat))
        return {name: new[name] for name in unknown}

    def _resample_choice(self, seat: str, body: Answer) -> Answer:
        """Return another secret choice of the same action."""
        offers = [offer for offer in self.world.offers(seat) if offer.get("do") == body["do"]]
        if not offers:
            raise _Refuted
        return some_answer(self.rng.choice(offers), self.rng)

    def _resample_answer(self, seat: str, body: Answer) -> Answer:
        """Return a similar answer with other names and numbers; fields that were true stay true."""
        yes = {name: True for name, value in body.items() if value is True}
        offers = [one for one in self.world.offers(seat, anytime=True) if _could_match(one, body["do"], yes)]
        if not offers:
            raise _Refuted
        answer = {**some_answer(self.rng.choice(offers), self.rng), **yes}
        if (was := _name_in(body)) is not None and (now := _name_in(answer)) is not None:
            if was in self.names:  # a character invented before
                return {"do": body["do"], **renamed({key: body[key] for key in body if key != "do"}, self.names)}
            self.names[was] = now
        return answer

    def card_for(self, drawn: Drawn, cards: Sequence[str]) -> str:
        """Return which of these cards replaces one that was drawn."""
        if drawn not in self.known.hidden or (self.only is not None and drawn != self.only):
            card = self._swapped.get(drawn.card, drawn.card) if drawn in self.known.hidden else drawn.card
            self.names[drawn.card] = card
            return card
        number, line, deck, _ = drawn
        free = [card for card in cards if not self.known.next_is_known(deck, card, number, line)]
        if self.only is not None:
            if self.untried is None:
                self.untried = [card for card in free if card != drawn.card]
            free = [self.untried.pop(0)] if self.untried else []
        if not free:
            raise _Refuted
        self.names[drawn.card] = card = self.rng.choice(free)
        self._swapped[card] = drawn.card
        return card


class _ReplayDealer:
    """The dealer of a replayed log: it deals as logged, except for what is hidden."""

    def __init__(self, resampled: _Resampled) -> None:
        self._resampled = resampled
        self._entry: Entry | None = None
        self._remaining: deque[tuple[int, Line]] = deque()
        self._faces: deque[int] = deque()
        self._outcomes: Sequence[Any] = ()

    def begin(self, entry: Entry) -> None:
        """Continue with the chance of this entry."""
        self._entry, self._faces = entry, deque()
        self._remaining = deque((place, line) for place, line in enumerate(entry.lines) if place and _is_dealt(line))

    def watch(self, pick: Pick) -> None:
        """Note the possible outcomes of the next pick."""
        self._outcomes = pick.outcomes

    def pick(self, outcomes: int, number: int, id: str) -> int:
        """Return the index of the logged outcome, or of its replacement."""
        if isinstance(self._outcomes, range):
            if not self._faces:
                self._faces.extend(self._next("roll")[1]["dice"])
            return self._place(self._faces.popleft())
        place, line = self._next("draw")
        assert self._entry is not None
        drawn = Drawn(self._entry.number, place, line["draw"], line["card"])
        return self._place(self._resampled.card_for(drawn, self._outcomes))

    def _next(self, kind: str) -> tuple[int, Line]:
        if not self._remaining or kind not in self._remaining[0][1]:
            raise _Refuted
        return self._remaining.popleft()

    def _place(self, outcome: Any) -> int:
        if outcome not in self._outcomes:
            raise _Refuted
        return self._outcomes.index(outcome)


def _is_dealt(line: Line) -> bool:
    return "roll" in line or ("draw" in line and line.get("card") is not None)


def renamed(value: Any, names: dict[str, str]) -> Any:
    """Replace names in plain data."""
    if isinstance(value, dict):
        return {key: renamed(part, names) for key, part in value.items()}
    if isinstance(value, list):
        return [renamed(part, names) for part in value]
    return names.get(value, value) if isinstance(value, str) else value


def _could_match(offer: OfferDoc, word: str, yes: dict[str, bool]) -> bool:
    """Return whether an offer could be the one that was answered, as far as an uninformed seat knows."""
    return yes.keys() <= offer.get("fields", {}).keys() and "do" in offer if yes else offer.get("do") == word


def _name_in(line: Line) -> str | None:
    """Return the name given in an answer."""
    for key, value in line.items():
        if key == "name" and isinstance(value, str):
            return value
        if isinstance(value, dict) and (found := _name_in(value)) is not None:
            return found
    return None

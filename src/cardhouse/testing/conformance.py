"""The conformance suite: what holds for every game, tried in random play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Any, ClassVar, NamedTuple

import msgspec

from cardhouse.engine import (
    GM,
    PHYSICAL,
    SCREEN,
    Ask,
    Entry,
    Refused,
    Rest,
    SeededDealer,
    Table,
    catalogue_of,
    find_game,
)
from cardhouse.engine.catalogue import blanks
from cardhouse.testing.playing import Answer, ask_somebody, shown, shown_now, wrong_answer
from cardhouse.testing.trees import count_tree


class Pair(NamedTuple):
    """Two tables that differ only in what these seats may not know."""

    one: Table
    other: Table
    seats: list[str]


class Tree(NamedTuple):
    """A transcript that leads to a question, and what `count_tree` counted there."""

    transcript: str
    counts: Mapping[str, int]


class Conformance:
    """Tests that every game passes. Subclass it, name your `game`, and let pytest find the subclass.

    `games` random games of `answers` answers each are played in each test; so often, `anytime`, an answer is one of
    those that may be given at any time. Odds are asked for with `what_if`, such as fewer trials where they take long.
    An error is shown with the transcript that led to it.
    """

    game: ClassVar[str]
    seats: ClassVar[tuple[str, ...]] = (GM, "ada", "ben")
    games: ClassVar[int] = 20
    answers: ClassVar[int] = 60
    anytime: ClassVar[float] = 0.2
    what_if: ClassVar[Mapping[str, int]] = {}
    trees: ClassVar[Mapping[str, Tree]] = {}

    # What a game's author may say.

    def start(self, rng: Random) -> Table:
        """A new table; without more said, with any switches, paper decks and steps by hand that the game has."""
        kind = find_game(self.game)
        options = next(field.type for field in msgspec.structs.fields(kind) if field.name == "options")
        switches = {field.name: rng.random() < 0.5 for field in msgspec.structs.fields(options) if field.type is bool}
        return Table.new(
            self.game,
            self.seats,
            switches,
            SeededDealer(rng.getrandbits(32)),
            decks={deck: PHYSICAL for deck in (*kind.decks, "dice") if rng.random() < 0.25},
            by_hand=[step for step in kind.steps if rng.random() < 0.25],
        )

    def check(self, table: Table) -> None:
        """Raise AssertionError unless all holds that must hold at every question of this game."""

    def pairs(self, rng: Random) -> Iterable[Pair]:
        """Pairs of tables that differ only in what some seats may not know, at each question of some play."""
        return ()

    # The tests.

    def test_what_is_offered_is_accepted(self) -> None:
        """Random legal play never stumbles."""
        for seed in range(self.games):
            with self._game(seed) as (table, rng):
                for _ in self._play(table, rng):
                    self.check(table)

    def test_what_is_not_offered_is_refused_and_changes_nothing(self) -> None:
        """Whatever else is said, by whomever, is refused in plain words."""
        for seed in range(self.games):
            with self._game(seed) as (table, rng):
                for _ in self._play(table, rng):
                    wrong = [found for _ in range(5) if (found := wrong_answer(table, rng, table.seats)) is not None]
                    self._are_refused(table, wrong)

    def test_a_replayed_transcript_shows_everybody_the_same(self) -> None:
        """The log is the game: written down and read again, every seat is sent the same bytes."""
        for seed in range(self.games):
            with self._game(seed) as (table, rng):
                for _ in self._play(table, rng, undo=0.1):
                    pass
                again = Table.read(table.transcript().splitlines(), SeededDealer(rng.getrandbits(32)))
                self._same(table, again)
                assert again.transcript() == table.transcript()

    def test_undone_and_answered_again_is_as_before(self) -> None:
        """After an undo, the same answers with the same chance lead to the same place."""
        for seed in range(self.games):
            with self._game(seed) as (table, rng):
                for _ in self._play(table, rng):
                    standing = [entry for entry in table.entries if entry.counts]
                    if standing and rng.random() < 0.2:
                        before = self._now(table)
                        taken = standing[-rng.randint(1, min(6, len(standing))) :]
                        table.answer(GM, {"undo": len(taken)})
                        assert [entry.number for entry in taken] == table.entries[-1].undoes
                        for entry in taken:
                            again = _answer_like(table, entry)
                            assert (again.lines, again.events, again.meanwhile) == (
                                entry.lines,
                                entry.events,
                                entry.meanwhile,
                            )
                        assert self._now(table) == before

    def test_a_copy_at_rest_goes_on_like_the_game(self) -> None:
        """At rest the whole state is in the attributes, as plain data that JSON keeps."""
        for seed in range(self.games):
            with self._game(seed) as (table, rng):
                copy: Table | None = None
                for _ in self._play(table, rng):
                    if copy is not None:
                        _answer_like(copy, table.entries[-1])
                        assert self._now(copy) == self._now(table)
                    if isinstance(table.question, Ask) and table.question.rest:
                        text = msgspec.json.encode(table.game)
                        assert msgspec.json.encode(msgspec.json.decode(text, type=table.kind)) == text
                        copy = Table(table.header, table.dealer, Rest(table.number, 0, msgspec.Raw(text)))
                        assert self._now(copy) == self._now(table)

    def test_twins_from_one_seed_stay_the_same(self) -> None:
        """Nothing but the answers and the dealer decides."""
        for seed in range(self.games):
            with self._game(seed) as (one, rng):
                other = self.start(self._random(seed))
                for _ in self._play(one, rng):
                    entry = one.entries[-1]
                    assert other.answer(entry.by, _body(entry)).lines == entry.lines
                    assert self._now(one) == self._now(other)

    def test_nobody_knows_what_will_be_drawn(self) -> None:
        """Two tables with the same past and different dealers show everybody the same, the game master included."""
        for seed in range(self.games):
            with self._game(seed) as (one, rng):
                other = Table.read(one.transcript().splitlines(), SeededDealer(rng.getrandbits(32)))
                for _ in self._play(one, rng):
                    _answer_like(other, one.entries[-1])
                    assert self._now(one) == self._now(other)
                self._same(one, other)

    def test_nothing_leaks(self) -> None:
        """Two games that differ only in what a seat may not know send that seat the same bytes, refusals included."""
        for seed in range(self.games):
            rng = self._random(seed)
            for one, other, seats in self.pairs(rng):
                with _telling(one):
                    for seat in [*seats, SCREEN]:
                        assert self._shown(one, seat) == self._shown(other, seat), seat
                    for _ in range(3):
                        if (wrong := wrong_answer(one, rng, seats)) is not None:
                            assert _refusal(one, *wrong) == _refusal(other, *wrong)

    def test_everything_said_has_words(self) -> None:
        """Every event, question and offer has its words, every blank in them is filled, every rule cited has a text."""
        catalogue = catalogue_of(find_game(self.game))
        rules, words = catalogue.rules, catalogue.words
        for seed in range(self.games):
            with self._game(seed) as (table, rng):
                for _ in self._play(table, rng):
                    for event in table.entries[-1].events:
                        assert event.rule in (*rules, "table"), event
                        assert blanks(words.events[event.key]) <= set(event.about), event
                    asks = table.asks()
                    assert asks.get("rule") in (*rules, None), asks
                    for text in (words.asks[asks["key"]].you, words.asks[asks["key"]].others):
                        assert blanks(text) <= set(asks["with"]), asks
                    for seat in table.seats:
                        for offer in table.offers(seat, anytime=True):
                            word = offer.get("do", "draw" if "draw" in offer else "roll")
                            assert word in words.actions, word
                            assert set(offer["fields"]) <= set(words.fields), offer
                            assert blanks(words.actions.get(f"{word}.{asks['key']}", "")) <= set(asks["with"]), word

    def test_counted_trees(self) -> None:
        """Small games have as many ways as were counted."""
        for name, tree in self.trees.items():
            table = Table.read(tree.transcript.splitlines())
            assert count_tree(table) == dict(tree.counts), name

    # How they play.

    def _random(self, seed: int) -> Random:
        return Random(f"{self.game} {seed}")

    @contextmanager
    def _game(self, seed: int) -> Iterator[tuple[Table, Random]]:
        """A new table, and chance for what is done at it."""
        rng = self._random(seed)
        table = self.start(rng)
        with _telling(table):
            yield table, rng

    def _play(self, table: Table, rng: Random, undo: float = 0.0) -> Iterator[Entry]:
        """Answer at random, so many times, and stop after each answer; so often an undo comes instead."""
        for number in range(self.answers):
            if undo and rng.random() < undo and any(entry.counts for entry in table.entries):
                yield table.answer(GM, {"undo": rng.randint(1, sum(entry.counts for entry in table.entries))})
            elif undo and rng.random() < undo / 4:
                yield table.answer(GM, {"seat": f"seat {number}"})
            elif (answer := ask_somebody(table, rng, self.anytime)) is not None:
                yield table.answer(*answer)
            else:
                return

    # What they compare.

    def _now(self, table: Table) -> list[bytes]:
        """The game, and what every seat and the screen is sent of it now."""
        seats = [*table.seats, SCREEN]
        return [msgspec.json.encode(table.game), *(shown_now(table, seat, **self.what_if) for seat in seats)]

    def _shown(self, table: Table, seat: str) -> bytes:
        """What a seat has been sent of it up to now."""
        return shown(table, seat, **self.what_if)

    def _same(self, one: Table, other: Table) -> None:
        assert one.seats == other.seats
        for seat in [*one.seats, SCREEN]:
            assert self._shown(one, seat) == self._shown(other, seat), seat

    def _are_refused(self, table: Table, wrong: Iterable[tuple[str, Answer]]) -> None:
        """Wrong answers are refused, it is said why, and nothing has changed."""
        before = [table.number, table.asked_at, table.transcript(), self._now(table)]
        for seat, answer in wrong:
            code, message, _ = _refusal(table, seat, answer)
            assert code, answer
            assert message.strip(), answer
        assert [table.number, table.asked_at, table.transcript(), self._now(table)] == before, wrong


@contextmanager
def _telling(table: Table) -> Iterator[None]:
    """Adds the transcript to whatever goes wrong."""
    try:
        yield
    except Exception as error:
        error.add_note(f"after this transcript:\n{table.transcript()}")
        raise


def _body(entry: Entry) -> Answer:
    return {name: value for name, value in entry.lines[0].items() if name not in ("by", "id")}


def _answer_like(table: Table, entry: Entry) -> Entry:
    """Give the answer of an entry again, with the same chance."""
    return table.answer(entry.by, _body(entry), chance=entry.lines[1:])


def _refusal(table: Table, seat: str, answer: Answer) -> tuple[str, str, list[Any]]:
    """What a seat is told about a wrong answer."""
    try:
        table.answer(seat, answer)
    except Refused as error:
        return error.code, error.message, error.offers
    raise AssertionError(f"{seat} was not refused {answer}")

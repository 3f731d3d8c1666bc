"""The conformance suite: properties of every game, tested by random play."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Any, ClassVar, NamedTuple

import msgspec

from cardhouse.engine import GM, SCREEN, Ask, BadGame, CardhouseError, Entry, SeededDealer, Snapshot, Table, find_game
from cardhouse.engine.diagnostics.declarations import decode_state, encode_state
from cardhouse.engine.diagnostics.watchdog import watching
from cardhouse.engine.table.lessons import all_lessons, transcript_of_lesson
from cardhouse.engine.table.scenes import check_scenes, scenes_of
from cardhouse.engine.values.transcript import body_of
from cardhouse.player.openings import opening_of
from cardhouse.testing.choices import Otherwise, otherwise
from cardhouse.testing.coverage import Reached
from cardhouse.testing.differing import (
    audiences_apart,
    check_refused,
    compare,
    compare_refusals,
    find_difference,
    first_difference,
    seen,
)
from cardhouse.testing.effect_checks import Working
from cardhouse.testing.evenings import USUAL_SEATS, bots_answer, some_table
from cardhouse.testing.house import HousePlayer
from cardhouse.testing.override_checks import check_editable, compare_edits, invalid_edit, random_edit
from cardhouse.testing.playing import (
    accepted,
    answer_like,
    ask_somebody,
    check_goes_on,
    shown_now,
    wrong_answer,
)
from cardhouse.testing.second_process import second_process
from cardhouse.testing.state_checks import check_by, check_source, check_state
from cardhouse.testing.text_checks import check_examples, check_recap, check_texts, check_view
from cardhouse.testing.tracebacks import show_the_games_own
from cardhouse.testing.trees import count_tree


class Pair(NamedTuple):
    """Two tables that differ only in what these seats may not know."""

    one: Table
    other: Table
    seats: list[str]


class Tree(NamedTuple):
    """A transcript up to a question, and the counts of `count_tree` there."""

    transcript: str
    counts: Mapping[str, int]


class Conformance:
    """Tests that every game passes. Subclass it, set `game`, and let pytest find the subclass.

    Each test plays `games` random games of `answers` answers each; a share `anytime` of the answers are actions that
    are possible at any time. An answer that computes for more than `patience` seconds counts as endless, and the error
    names the place. Odds are requested with `what_if`, such as fewer trials where they are slow. Every error includes
    the transcript that led to it.

    With `everything`, the suite fails if random play never reaches an action, event, rule, question or offer of the
    game; those in `unreached` are excused, each named as in the report: `event wins`.
    """

    game: ClassVar[str]
    seats: ClassVar[tuple[str, ...]] = USUAL_SEATS
    games: ClassVar[int] = 20
    patience: ClassVar[float] = 20.0
    answers: ClassVar[int] = 60
    anytime: ClassVar[float] = 0.2
    what_if: ClassVar[Mapping[str, int]] = {}
    trees: ClassVar[Mapping[str, Tree]] = {}
    everything: ClassVar[bool] = False
    unreached: ClassVar[Collection[str]] = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        show_the_games_own()

    # Hooks for the game's author.

    def start(self, rng: Random) -> Table:
        """Return a new table; by default with random switches, physical decks and manual steps of the game."""
        return some_table(self.game, self.seats, rng)

    def check(self, table: Table) -> None:
        """Raise AssertionError unless the game's own conditions hold; called at every question."""

    def pairs(self, rng: Random) -> Iterable[Pair]:
        """Yield pairs of tables that differ only in what some seats may not know, at each question of a random game.

        A game whose seats are shown different things must yield some; returning () declares that these aren't secrets.
        """
        return ()

    def play(self, table: Table, rng: Random, undo: float = 0.0) -> Iterator[Entry]:
        """Answer at random up to `answers` times, yielding each entry; with the probability `undo`, undo instead."""
        for number in range(self.answers):
            if undo and rng.random() < undo and any(entry.counts for entry in table.entries):
                yield table.answer(GM, {"undo": rng.randint(1, sum(entry.counts for entry in table.entries))})
            elif undo and rng.random() < undo / 4:
                yield table.answer(GM, {"seat": f"seat {number}"})
            elif (answer := ask_somebody(table, rng, self.anytime)) is not None:
                yield accepted(table, *answer)
            else:
                check_goes_on(table)
                return

    # The tests.

    def test_what_is_offered_is_accepted(self) -> None:
        """Random legal play never fails, and actions that are possible at any time have an effect."""
        working = Working()
        for seed in range(self.games):
            with self._game(seed) as (table, rng):
                check_examples(table)
                for _ in working.watch(table, self.play(table, rng)):
                    check_state(table.game)
                    check_examples(table)
                    self.check(table)
        working.check(find_game(self.game))

    def test_what_is_not_offered_is_refused_and_changes_nothing(self) -> None:
        """Any other answer, from any seat, is refused with a message."""
        for seed in range(self.games):
            with self._game(seed) as (table, rng):
                for _ in self.play(table, rng):
                    wrong = [found for _ in range(5) if (found := wrong_answer(table, rng, table.seats)) is not None]
                    check_refused(table, wrong, **self.what_if)

    def test_its_lessons_can_be_played_and_played_on_from(self) -> None:
        """All lessons in the folder `lessons` can be replayed, with exactly their offers and deals."""
        for lesson in all_lessons(find_game(self.game)):
            Table.read(transcript_of_lesson(lesson).splitlines(), SeededDealer())

    def test_its_scenes_come_to_a_decision(self) -> None:
        """All scenes in `scenes.toml` can be set up, with exactly their offers, and ask their player something."""
        kind = find_game(self.game)
        scenes = scenes_of(kind)
        check_scenes(kind, scenes)
        with watching(self.patience):
            for scene in scenes:
                for seed in range(_OPENINGS):
                    opening_of(kind, scene, self._random(seed))

    def test_a_replayed_transcript_shows_everybody_the_same(self) -> None:
        """The log is the game: after writing and reading it again, every seat is sent the same bytes."""
        for seed in range(self.games):
            with self._game(seed) as (table, rng):
                for _ in self.play(table, rng, undo=0.1):
                    pass
                again = Table.read(table.transcript().splitlines(), SeededDealer(rng.getrandbits(32)))
                for seat in (*table.seats, SCREEN):
                    self._same(seen(table, seat, **self.what_if), seen(again, seat, **self.what_if), _REPLAYED)
                assert again.transcript() == table.transcript()

    def test_a_transcript_read_in_another_process_shows_everybody_the_same(self) -> None:
        """The order of sets changes when a server restarts, and no rule may depend on it."""
        with second_process(self.seats, self.patience) as other:
            for seed in range(self.games):
                with self._game(seed) as (table, rng):
                    for _ in self.play(table, rng, undo=0.1):
                        pass
                    other.check(table, **self.what_if)

    def test_every_character_comes_to_the_next_session(self) -> None:
        """The answers of `come_again` are offered at an empty table, and add every character as it was."""
        for seed in range(self.games):
            with self._game(seed) as (table, rng):
                for _ in self.play(table, rng):
                    pass
                self._come_again(table)

    def test_undone_and_answered_again_is_as_before(self) -> None:
        """After an undo, the same answers with the same draws lead to the same state."""
        for seed in range(self.games):
            with self._game(seed) as (table, rng):
                for _ in self.play(table, rng):
                    standing = [entry for entry in table.entries if entry.counts]
                    if standing and rng.random() < 0.2:
                        self._undo_and_redo(table, standing[-rng.randint(1, min(6, len(standing))) :])

    def test_a_copy_at_rest_goes_on_like_the_game(self) -> None:
        """At rest, the whole state is in the attributes, as plain data that survives JSON."""
        for seed in range(self.games):
            with self._game(seed) as (table, rng):
                copy: Table | None = None
                rested = ""
                for _ in self.play(table, rng):
                    if copy is not None:
                        with _at_rest(rested):
                            answer_like(copy, table.entries[-1])
                            self._are_same(table, copy, _NOT_AT_REST.format(rested))
                    if table.is_at_rest:
                        rested = table.asks()["key"]
                        with _at_rest(rested):
                            copy = self._copy(table)
                            self._are_same(table, copy, _NOT_AT_REST.format(rested))

    def test_twins_from_one_seed_stay_the_same(self) -> None:
        """Only the answers and the dealer determine the game."""
        check_source(find_game(self.game))
        check_by(find_game(self.game))
        for seed in range(self.games):
            with self._game(seed) as (one, rng):
                other = self.start(self._random(seed))
                for _ in self.play(one, rng):
                    entry = one.entries[-1]
                    with _saying(_NOT_STEADY):
                        again = other.answer(entry.by, body_of(entry.lines[0]))
                    self._same(entry.lines, again.lines, _NOT_STEADY)
                    self._are_same(one, other, _NOT_STEADY)

    def test_nobody_knows_what_will_be_drawn(self) -> None:
        """Two tables with the same past and different dealers show everyone the same, including the game master."""
        for seed in range(self.games):
            with self._game(seed) as (one, rng):
                other = Table.read(one.transcript().splitlines(), SeededDealer(rng.getrandbits(32)))
                for _ in self.play(one, rng):
                    with _saying(_NOT_STEADY):
                        answer_like(other, one.entries[-1])
                    self._are_same(one, other, _NOT_STEADY)
                compare(one, other, [*one.seats, SCREEN], **self.what_if)

    def test_what_is_put_right_holds_and_is_undone(self) -> None:
        """Every value that the game master can edit by hand has its words, breaks nothing, and can be undone.

        Sometimes the edit stays, and the game goes on from there.
        """
        for seed in range(math.ceil(self.games / 4)):
            with self._game(seed) as (table, rng):
                for _ in self.play(table, rng):
                    check_editable(table)
                    if rng.random() < _TRIED:
                        check_refused(table, [invalid_edit(table, rng)], **self.what_if)
                    if rng.random() > _PUT_RIGHT or (edit := random_edit(table, rng)) is None:
                        continue
                    before = self._seen(table)
                    entry = accepted(table, GM, edit)
                    check_state(table.game)
                    check_texts(table, entry)
                    check_view(table)
                    self.check(table)
                    if rng.random() < _STAYS and table.asks()["kind"] != "over":
                        check_goes_on(table)
                    else:
                        table.answer(GM, {"undo": 1})
                        self._same(before, self._seen(table), _NOT_UNDONE)
                again = Table.read(table.transcript().splitlines(), SeededDealer(rng.getrandbits(32)))
                self._are_same(table, again, _REPLAYED)
                self._come_again(table)

    def test_nothing_leaks(self) -> None:
        """Two games that differ only in what a seat may not know send it the same bytes, including refusals."""
        if type(self).pairs is Conformance.pairs:
            self._has_no_secrets()
        house = HousePlayer()
        with watching(self.patience):
            for seed in range(self.games):
                rng, trying = self._random(seed), self._random(-1 - seed)
                for pair in self.pairs(rng):
                    self._compare(pair, rng)
                    if trying.random() < _TRIED:
                        compare_edits(*pair, trying)
                    house.compare(*pair)

    def test_nobody_can_tell_what_was_chosen_in_secret(self) -> None:
        """After a secret choice, all other seats are sent the same bytes until it is revealed."""
        for seed in range(self.games):
            with self._game(seed) as (table, rng):
                other: Otherwise | None = None
                for entry in self.play(table, rng, undo=0.1):
                    if other is not None and not other.follow(entry):
                        other = None
                    if other is None and entry.is_hidden:
                        other = otherwise(table, entry, rng)
                    if other is not None:
                        other.compare(table)
                        other.compare_refusals(table, rng)

    def test_everything_said_has_words(self) -> None:
        """Everything shown has its words, with every blank filled, and every cited rule has a text.

        This includes events, questions and offers, and the recap at the end.
        """
        for seed in range(self.games):
            with self._game(seed) as (table, rng):
                check_texts(table)
                for entry in self.play(table, rng):
                    check_texts(table, entry)
                    check_view(table)
                check_recap(table)

    def test_bots_answer_what_is_offered(self) -> None:
        """Every bot only gives offered answers, and does answer sometimes."""
        answered: Counter[str] = Counter()
        asked: Counter[str] = Counter()
        for seed in range(math.ceil(self.games / 4)):
            with self._game(seed) as (table, rng):
                for _ in self.play(table, rng):
                    for name, seat in _bots_asked(table):
                        asked[name] += 1
                        answered[name] += bots_answer(table, name, seat, rng) is not None
        for name, times in asked.items():
            if not answered[name]:
                raise BadGame(
                    f"The bot {name} was asked {times} times and never answered: have it return one of seen.offers as "
                    f"a line, or None only if another seat can answer."
                )

    def test_counted_trees(self) -> None:
        """Small games have exactly as many ways as were counted."""
        for name, tree in self.trees.items():
            table = Table.read(tree.transcript.splitlines())
            assert count_tree(table) == dict(tree.counts), name

    def test_what_is_reached(self) -> None:
        """Print what random play never reached; with `everything`, only excused items may be missing."""
        reached = self.reached()
        print(f"\n{reached.report()}")  # noqa: T201 (pytest shows it with -s, and where this fails)
        missing = [one for one in reached.missing() if one not in self.unreached]
        if self.everything and missing:
            raise BadGame(
                f"Random play of {self.game} never reached {', '.join(missing)}: begin closer to it in start, play "
                f"more games, or excuse it in {type(self).__name__}.unreached."
            )

    def reached(self) -> Reached:
        """Return what `games` random games reached, and how many pairs of tables there were."""
        reached = Reached(find_game(self.game))
        for seed in range(self.games):
            with self._game(seed) as (table, rng):
                reached.look(table)
                for entry in self.play(table, rng):
                    reached.answered(entry)
                    reached.look(table)
            reached.pairs += sum(1 for _ in self.pairs(self._random(seed)))
        return reached

    # Random play.

    def _random(self, seed: int) -> Random:
        return Random(f"{self.game} {seed}")

    @contextmanager
    def _game(self, seed: int) -> Iterator[tuple[Table, Random]]:
        """Yield a new table and a random generator, adding the transcript to any error."""
        rng = self._random(seed)
        with watching(self.patience):
            table = self.start(rng)
            with _telling(table):
                check_goes_on(table)
                yield table, rng

    def _copy(self, table: Table) -> Table:
        """Return a table that goes on from the game written down at rest."""
        text = encode_state(table.game)
        again = encode_state(decode_state(text, table.kind))
        self._same(msgspec.json.decode(text), msgspec.json.decode(again), _NOT_KEPT)
        return Table(table.header, table.dealer, Snapshot(table.number, 0, text))

    def _undo_and_redo(self, table: Table, taken: list[Entry]) -> None:
        before = self._seen(table)
        undone = table.answer(GM, {"undo": len(taken)}).undoes
        assert [entry.number for entry in taken] == undone[-len(taken) :]  # secret choices are revealed together
        assert table.answer(GM, {"redo": len(undone)}).redoes == undone
        self._same(before, self._seen(table), _NOT_UNDONE)
        table.answer(GM, {"undo": len(taken)})
        for entry in (table.entries[number - 1] for number in undone):
            with _saying(_NOT_UNDONE):
                again = answer_like(table, entry)
            self._same(
                [entry.lines, entry.events, entry.meanwhile], [again.lines, again.events, again.meanwhile], _NOT_UNDONE
            )
        self._same(before, self._seen(table), _NOT_UNDONE)

    # Comparisons.

    def _come_again(self, table: Table) -> None:
        """Raises BadGame unless every character comes to the next session as it is."""
        answers = table.game.come_again()
        after = Table.new(self.game, table.seats, table.header.options, SeededDealer())
        for answer in answers:
            with _saying(_NOT_CARRIED):
                after.answer(GM, answer)
        if answers:
            self._same(table.game.roster(), after.game.roster(), _NOT_CARRIED)

    def _compare(self, pair: Pair, rng: Random) -> None:
        one, other, seats = pair
        with _telling(one):
            compare(one, other, [*seats, SCREEN], **self.what_if)
            for _ in range(3):
                if (wrong := wrong_answer(one, rng, seats)) is not None:
                    compare_refusals(one, other, *wrong)

    def _has_no_secrets(self) -> None:
        for seed in range(self.games):
            with self._game(seed) as (table, rng):
                for _ in self.play(table, rng):
                    if not table.game.in_secret and (apart := audiences_apart(table)):
                        raise BadGame(
                            f"Not all seats of {self.game} are shown the same ({apart}), but {type(self).__name__} has "
                            f"no pairs: write def pairs(self, rng), which yields tables that differ only in what some "
                            f"seats may not know. If nothing is secret, return () there."
                        )

    def _seen(self, table: Table) -> dict[str, Any]:
        """Return the game's state, and everything each seat and the table screen is sent now."""
        seats = {seat: shown_now(table, seat, **self.what_if) for seat in (*table.seats, SCREEN)}
        return {
            "state": msgspec.Raw(msgspec.json.encode(table.game)),
            **{seat: msgspec.Raw(text) for seat, text in seats.items()},
        }

    def _are_same(self, one: Table, other: Table, sentence: str) -> None:
        if apart := find_difference(one, other, **self.what_if):
            raise BadGame(f"{sentence} {apart[:1].upper()}{apart[1:]}.")

    def _same(self, one: Any, other: Any, sentence: str) -> None:
        if apart := first_difference(one, other):
            raise BadGame(f"{sentence} {apart[:1].upper()}{apart[1:]}.")


_OPENINGS = 3
"""How often each scene is set up."""
_TRIED = 0.05
"""Share of pairs at which a value is edited by hand, and of questions at which an invalid edit is tried."""
_PUT_RIGHT = 0.5
"""Share of questions at which a value is edited by hand."""
_STAYS = 0.3
"""Share of edits that aren't undone."""
_REPLAYED = "A table replayed from its transcript differs: rules may depend only on moves and draws."
_NOT_CARRIED = "come_again must bring every character, as it is, to an empty table with the same options."
_NOT_UNDONE = (
    "After an undo and the same move with the same chance, the game differs: rules may depend only on declared "
    "attributes, moves and draws."
)
_NOT_AT_REST = (
    "The question {} has rest=True, but a game that was saved there goes on differently: leave rest out if the rules "
    "are in the middle of something, or keep everything they need in declared attributes."
)
_NOT_KEPT = (
    "The state differs after being written to JSON and read back: declare each attribute with the type of its values."
)
_NOT_STEADY = (
    "The same moves and the same chance give another game the second time: rules may depend only on moves, draws, "
    "rolls and self.now(), not on random numbers, the time of day or the order of a set."
)


def _bots_asked(table: Table) -> Iterator[tuple[str, str]]:
    """Yield each bot of the game with one of the seats that are asked and have offers."""
    if isinstance(table.question, Ask):
        seats = [seat for seat in table.asks()["seats"] if seat in table.seats and table.offers(seat)]
        yield from ((name, seat) for seat in seats[:1] for name in table.kind.bots)


@contextmanager
def _saying(sentence: str) -> Iterator[None]:
    """Prefix the refusal of an answer that should have been accepted with a sentence."""
    try:
        yield
    except CardhouseError as error:
        raise BadGame(f"{sentence} {error.message}") from error


@contextmanager
def _at_rest(key: str) -> Iterator[None]:
    with _saying(_NOT_AT_REST.format(key)):
        yield


@contextmanager
def _telling(table: Table) -> Iterator[None]:
    """Add the transcript to any error."""
    try:
        yield
    except Exception as error:
        error.add_note(f"after this transcript:\n{table.transcript()}")
        raise

"""Undo: how much is replayed, that it leads to the right place, and what the snapshots hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardhouse.engine import GM, Ask, CardhouseError, Entry, NeedsHistory, SeededDealer, Table
from cardhouse.engine.table.snapshots import SNAPSHOT_SPACINGS
from cardhouse.testing import ask_somebody, shown_now
from tests.thorough import many

OPTIONS = {"initiative": {}, "toy": {"rounds": 1_000_000}}


class Script:
    """A table at which somebody answers and undoes, with what it may cost.

    `busy` is the longest the game was without rest, `seats` how many were added, `rests` whether each of the answers
    that stand brought the game to rest, `taken` the same of those that can be redone, the next one last.
    """

    def __init__(self, game: str, seed: int = 0) -> None:
        self.rng = Random(seed)
        self.table = Table.new(game, options=OPTIONS[game], dealer=SeededDealer(seed))
        self.rests: list[bool] = []
        self.taken: list[bool] = []
        self.answers = self.rebuilds = self.busy = self.seats = 0

    def answer(self, times: int = 1) -> None:
        for _ in range(times):
            answer = ask_somebody(self.table, self.rng)
            assert answer is not None
            self.table.answer(*answer)
            self.taken = []
            self.answers += 1
            question = self.table.question
            self.rests.append(isinstance(question, Ask) and question.rest)
            since = next((number for number, rest in enumerate(reversed(self.rests)) if rest), len(self.rests))
            self.busy = max(self.busy, since)

    def undo(self, count: int = 1) -> None:
        """Take back so many answers, or all there are."""
        if count := min(count, len(self.rests)):
            self.rebuild(lambda: self.table.answer(GM, {"undo": count}))
            self.taken += reversed(self.rests[-count:])
            del self.rests[-count:]

    def redo_undone(self, count: int = 1) -> None:
        """Apply again so many of the moves that were undone, or all there are."""
        again = self.taken[-count:]
        if again:
            self.rebuild(lambda: self.table.answer(GM, {"redo": len(again)}))
            del self.taken[-count:]
            self.rests += reversed(again)
            self.answers += len(again)

    def undo_singly(self, times: int) -> None:
        for _ in range(times):
            self.undo()

    def redo(self, times: int) -> None:
        """Answer and think better of it, at the same place."""
        for _ in range(times):
            self.answer()
            self.undo()

    def refuse(self, times: int) -> None:
        """Give a card that nothing asks for."""
        for _ in range(times):
            with pytest.raises(CardhouseError, match="Nothing asks for"):
                self.rebuild(self.give_a_card)

    def give_a_card(self) -> Entry:
        answer = ask_somebody(self.table, self.rng)
        assert answer is not None
        return self.table.answer(*answer, chance=[{"draw": "none", "card": "none"}])

    def seat(self, times: int) -> None:
        for _ in range(min(times, 3)):
            self.seats += 1
            self.taken = []
            self.table.answer(GM, {"seat": f"seat {self.seats}"})

    def rebuild(self, change: Callable[[], Entry]) -> None:
        """Do what makes the table play entries again: there are only so many."""
        before = self.table._standing.replayed
        self.rebuilds += 1
        try:
            change()
        finally:
            assert self.table._standing.replayed - before <= SNAPSHOT_SPACINGS[-1] + self.busy + self.seats

    def check_cost(self) -> None:
        """What engine/table/snapshots.py promises."""
        standing = self.table._standing
        for_each = SNAPSHOT_SPACINGS[0] + self.busy + self.seats
        assert standing.replayed <= for_each * self.rebuilds + (len(SNAPSHOT_SPACINGS) - 1) * self.answers
        assert len(standing.snapshots.kept) <= 20 + self.answers / SNAPSHOT_SPACINGS[-1]


def state(table: Table) -> list[bytes]:
    """All there is to know of a table as it stands."""
    seen = [shown_now(table, seat) for seat in table.seats]
    return [msgspec.json.encode(table.game), *seen, str(table.who_may_take_back()).encode()]


def told_again(table: Table, entries: list[Entry]) -> Iterator[Entry]:
    """Give a table the entries of another, one after the other."""
    for entry in entries:
        table.replay([(0, line) for line in entry.lines])
        yield entry


def begun_like(table: Table) -> Table:
    return Table(table.header, SeededDealer(1))


def check_state(table: Table) -> None:
    """It is as if what was taken back had never been said, and as the log tells."""
    never_said = begun_like(table)
    list(told_again(never_said, [entry for entry in table.entries if entry.stands]))
    assert state(never_said) == state(table)
    again = Table.read(table.transcript().splitlines(), SeededDealer(1))
    assert state(again) == state(table)
    assert again._runner.draws == table._runner.draws


def check_snapshots(table: Table) -> None:
    """Each is the game as it was after the entry of its number, and the table can be opened from it.

    Where an undo took back what came before it, and a redo applied it again, that takes the whole log.
    """
    kept = {placed.snapshot.number: placed.snapshot for placed in table._standing.snapshots.kept}
    again = begun_like(table)
    for entry in told_again(again, table.entries):
        if snapshot := kept.get(entry.number):
            assert (msgspec.json.encode(again.game), again._runner.draws) == (bytes(snapshot.game), snapshot.draws)
    for snapshot in [*kept.values()][-3:]:
        opened = Table(table.header, SeededDealer(1), snapshot)
        since = table.entries[snapshot.number :]
        if any(number <= snapshot.number for entry in since for number in entry.undoes):
            with pytest.raises(NeedsHistory):
                list(told_again(opened, since))
            continue
        list(told_again(opened, since))
        assert (opened.number, opened._runner.draws) == (table.number, table._runner.draws)
        assert opened.game == table.game
        assert opened.asks() == table.asks()


STEPS = {
    Script.answer: 150,
    Script.undo: 200,
    Script.undo_singly: 40,
    Script.redo: 20,
    Script.redo_undone: 200,
    Script.refuse: 3,
    Script.seat: 3,
}
"""What a script is made of, each at most so many times (or answers)."""
SCRIPTS = st.lists(
    st.sampled_from([*STEPS]).flatmap(lambda step: st.tuples(st.just(step), st.integers(1, STEPS[step]))), max_size=12
)


@pytest.mark.parametrize("game", OPTIONS)
@pytest.mark.usefixtures("toy")  # installed for all examples
@settings(max_examples=many(20, 6), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(script=SCRIPTS, seed=st.integers(0, 9))
def test_any_series_of_undos_is_cheap_and_correct(game, script, seed):
    playing = Script(game, seed)
    playing.answer(100)
    for step, times in script:
        step(playing, times)
    playing.check_cost()
    check_state(playing.table)
    check_snapshots(playing.table)


def back_to_the_beginning(playing: Script) -> None:
    playing.undo_singly(2_000)


def the_same_place_again_and_again(playing: Script) -> None:
    playing.redo(1_000)


def over_an_edge_again_and_again(playing: Script) -> None:
    """The edges of all blocks are a multiple of the widest apart."""
    playing.undo(len(playing.rests) % SNAPSHOT_SPACINGS[-1])
    for _ in range(300):
        playing.undo(3)
        playing.answer(3)


def far_back_and_on_a_little(playing: Script) -> None:
    for _ in range(20):
        playing.undo(200)
        playing.answer(100)
        playing.undo(1)


def further_back_each_time(playing: Script) -> None:
    for width in (63, 64, 65, 255, 256, 257, 300):
        playing.undo(width)
        playing.undo(1)


def far_back_at_once(playing: Script) -> None:
    """So far that only the widest spacing is left there."""
    playing.answer(1_000)
    playing.undo(2_500)


@pytest.mark.soak
@pytest.mark.parametrize(
    "go_on",
    [
        back_to_the_beginning,
        the_same_place_again_and_again,
        over_an_edge_again_and_again,
        far_back_and_on_a_little,
        further_back_each_time,
        far_back_at_once,
    ],
)
def test_what_would_cost_most(go_on):
    playing = Script("initiative")
    playing.answer(2_000)
    playing.check_cost()
    assert playing.table._standing.replayed == 0
    go_on(playing)
    playing.check_cost()


def test_a_refused_answer_and_a_copy_are_short_replays_wherever_an_undo_led():
    playing = Script("initiative")
    playing.answer(1_000)
    for count in (1, 10, 100, 400):
        playing.undo(count)
        before = playing.table._standing.replayed
        playing.refuse(1)
        playing.table.running_copy(SeededDealer(0))
        assert playing.table._standing.replayed - before <= 2 * (SNAPSHOT_SPACINGS[0] + playing.busy)


@pytest.mark.parametrize("game", OPTIONS)
@pytest.mark.usefixtures("toy")
def test_a_table_that_may_not_replay_much_is_stale_until_it_has_caught_up(game):
    """What it shows meanwhile is what was before, and then what an undo in one go leads to."""
    playing, at_once = Script(game), Script(game)
    for one in (playing, at_once):
        one.answer(150)
    playing.table.replay_at_most = 0
    for count in (3, 40, 1):
        before = msgspec.json.encode(playing.table.game)
        at_once.undo(count)
        playing.table.answer("gm", {"undo": count}, id=playing.table.entries[-1].lines[0].get("id", ""))
        steps = playing.table.catch_up()
        seen = [msgspec.json.encode(playing.table.game) for _ in steps]
        assert set(seen) <= {before}
        assert not playing.table.stale
        assert state(playing.table) == state(at_once.table)
        assert list(playing.table.catch_up()) == []


class Unwalked(list[Entry]):
    """A log that nobody goes through from its beginning."""

    def __iter__(self) -> Iterator[Entry]:
        raise AssertionError("the whole log is walked through")

    __reversed__ = __iter__


def test_answers_taken_back_long_ago_cost_nothing():
    playing = Script("initiative")
    playing.answer(50)
    playing.redo(50)
    playing.table._log.entries = Unwalked(playing.table.entries)
    playing.undo(5)
    playing.refuse(1)
    playing.answer(5)
    playing.table.who_may_take_back()
    playing.table.running_copy(SeededDealer(0))
    assert playing.table.number == 156


def test_seats_added_since_stay_in_their_order(toy):
    """What is taken back may be before, between and behind seats that stay."""
    playing = Script(toy)
    for times in (40, 3, 20):
        playing.answer(times)
        playing.seat(1)
    playing.undo(10)
    playing.undo(20)
    assert playing.table.seats == ["gm", "seat 1", "seat 2", "seat 3"]
    playing.answer(30)
    playing.undo(31)
    playing.check_cost()
    check_state(playing.table)
    check_snapshots(playing.table)


def test_the_longer_ago_the_fewer_snapshots_are_kept(toy):
    playing = Script(toy)
    playing.answer(2_000)
    assert playing.busy < SNAPSHOT_SPACINGS[0]
    playing.check_cost()


def test_snapshots_taken_on_the_way_are_as_they_would_have_been_then(toy):
    playing = Script(toy)
    playing.answer(900)
    playing.undo(200)
    places = [snapshot.place for snapshot in playing.table._standing.snapshots.kept]
    assert len([place for place in places if place > 700 - 4 * SNAPSHOT_SPACINGS[0]]) >= 3
    check_snapshots(playing.table)


def test_no_snapshot_is_taken_where_a_seat_outlived_what_was_before_it(toy):
    playing = Script(toy)
    for _ in range(12):
        playing.answer(SNAPSHOT_SPACINGS[0] - (len(playing.rests) + playing.seats) % SNAPSHOT_SPACINGS[0])
        playing.seat(1)
        playing.undo(1)
        check_snapshots(playing.table)

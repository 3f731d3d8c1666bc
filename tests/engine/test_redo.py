"""Redo: what was undone is applied again with its recorded chance, as long as nothing else has followed."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardhouse.engine import GM, BadTranscript, CardhouseError, FairDealer, SeededDealer, Table
from cardhouse.engine.table.runner import Pick
from cardhouse.testing import shown_now
from cardhouse.testing.evenings import USUAL_SEATS, RandomSession
from tests.engine.test_undo import Script, check_snapshots, check_state

ADD = [{"do": "add_character", "name": name, "card": card} for name, card in (("Nan", "HA"), ("Doc", "S10"))]


def shoot_out(rounds: int = 1) -> Table:
    """Two fight; a round was begun, which draws."""
    table = Table.new("initiative", ["gm", "ada"], dealer=FairDealer(bytes(32)))
    for number, answer in enumerate(ADD):
        table.answer(GM, answer, id=f"add{number}")
    for number in range(rounds):
        table.answer(GM, {"do": "start_round"}, id=f"start{number}")
    return table


def seen(table: Table) -> list[bytes]:
    return [msgspec.json.encode(table.game), *(shown_now(table, seat) for seat in (*table.seats, "screen"))]


def refused(table: Table, by: str, answer: dict[str, Any], **more: Any) -> str:
    """The refusal's code; nothing has changed by it."""
    before, number = seen(table), table.number
    with pytest.raises(CardhouseError) as error:
        table.answer(by, answer, **more)
    assert (seen(table), table.number) == (before, number)
    return error.value.code


def test_a_redo_applies_what_was_undone_with_its_recorded_chance():
    table = shoot_out()
    before, lines = seen(table), table.entries[-1].lines
    assert any("card" in line for line in lines[1:])
    table.answer(GM, {"undo": 2}, id="undo")
    assert seen(table) != before
    redo = table.answer(GM, {"redo": 2}, id="redo")
    assert seen(table) == before
    assert (redo.lines, redo.redoes) == ([{"by": "gm", "redo": 2, "id": "redo"}], [2, 3])
    assert table.story(redo, "ada")["redo"] == [2, 3]
    assert [entry.number for entry in table.entries if entry.stands] == [1, 2, 3]
    assert table.entries[2].lines == lines
    again = Table.read(table.transcript().splitlines(), SeededDealer(1))
    assert seen(again) == before
    assert again.transcript() == table.transcript()


def test_undos_are_redone_the_latest_first():
    table = shoot_out()
    states = []
    for count in (1, 2):
        states.append(seen(table))
        table.answer(GM, {"undo": count})
    assert table.moves_to_redo(GM) == 2
    table.answer(GM, {"redo": 2})
    assert seen(table) == states[1]
    assert table.moves_to_redo(GM) == 1
    table.answer(GM, {"redo": 1})
    assert seen(table) == states[0]
    assert table.moves_to_redo(GM) == 0


def test_one_redo_may_reach_over_several_undos_or_take_a_part_of_one():
    table = shoot_out()
    before = seen(table)
    for count in (1, 2):
        table.answer(GM, {"undo": count})
    assert table.answer(GM, {"redo": 1}).redoes == [1]
    assert table.moves_to_redo(GM) == 1
    assert table.answer(GM, {"redo": 2}).redoes == [2, 3]
    assert seen(table) == before


@pytest.mark.parametrize("after", [{"do": "start_round"}, {"seat": "p9"}])
def test_nothing_is_redone_once_something_else_has_followed(after):
    table = shoot_out()
    table.answer(GM, {"undo": 1})
    table.answer(GM, after, id="after")
    assert table.moves_to_redo(GM) == 0
    assert refused(table, GM, {"redo": 1}) == "nothing_to_redo"


def test_a_move_that_is_refused_leaves_the_redo():
    table = shoot_out()
    before = seen(table)
    table.answer(GM, {"undo": 1})
    assert refused(table, GM, {"do": "act", "name": "Nobody"}) == "not_offered"
    assert refused(table, "ada", {"do": "start_round"}, chance=[{"draw": "initiative", "card": "C2"}]) == "not_offered"
    table.answer(GM, {"redo": 1})
    assert seen(table) == before


@pytest.mark.parametrize("count", [3, 4, 10**30])
def test_no_more_is_redone_than_was_undone(count):
    table = shoot_out()
    table.answer(GM, {"undo": 2})
    assert refused(table, GM, {"redo": count}) == "nothing_to_redo"


@pytest.mark.parametrize("line", [{"redo": 0}, {"redo": True}, {"redo": "1"}, {"redo": 1, "undo": 1}, {"redo": None}])
def test_an_invalid_redo_is_refused(line):
    table = shoot_out()
    table.answer(GM, {"undo": 1})
    assert refused(table, GM, line) == "malformed"


def test_a_redo_deals_the_same_cards():
    """Chance that somebody gives along is refused, and nothing is drawn: the numbering of draws stays as it was."""
    table = shoot_out()
    table.answer(GM, {"undo": 1})
    draws = table._runner.draws
    assert refused(table, GM, {"redo": 1}, chance=[{"draw": "initiative", "card": "C2"}]) == "malformed"
    picks: list[Pick] = []
    table.watch_picks(picks.append)
    table.answer(GM, {"redo": 1})
    assert (picks, table._runner.draws) == ([], draws)
    table.answer(GM, {"undo": 1})
    table.answer(GM, {"do": "start_round"}, id="anew")
    assert picks[0].number == draws + 1


def test_a_redo_in_a_transcript_after_something_else_is_refused_with_its_line():
    lines = shoot_out().transcript().splitlines()
    lines = [*lines, '{"by":"gm","undo":1}', '{"by":"gm","do":"start_round"}', '{"by":"gm","redo":1}']
    with pytest.raises(BadTranscript, match="There is nothing to redo") as error:
        Table.read(lines)
    assert error.value.line == len(lines)


def test_a_player_redoes_their_own_last_move_and_nothing_else(toy):
    table = Table.new(toy, ["gm", "ada"], dealer=SeededDealer(0))
    assert refused(table, "ada", {"redo": 1}) == "nothing_to_redo"
    playing = Script(toy)
    table = playing.table
    table.answer(GM, {"seat": "ada"})
    for _ in range(40):
        mine = table.who_may_take_back()
        last = next((entry for entry in reversed(table.entries) if entry.counts), None)
        if last is not None:
            table.answer(GM, {"undo": 1})
            for seat in table.seats:
                may = seat in (GM, mine)
                assert table.moves_to_redo(seat) == int(may), (seat, last)
                if not may:
                    assert refused(table, seat, {"redo": 1}) == "nothing_to_redo"
                if seat != GM:
                    assert refused(table, seat, {"redo": 2}) == "nothing_to_redo"
            table.answer(mine or GM, {"redo": 1})
            assert table.who_may_take_back() == mine
        playing.answer()


def test_a_redo_that_has_not_seen_what_happened_is_refused():
    table = shoot_out()
    table.answer(GM, {"undo": 1})
    table.answer(GM, {"undo": 1})
    assert refused(table, GM, {"redo": 1}, at=table.number - 1) == "stale"
    assert table.answer(GM, {"redo": 1}, at=table.number).redoes == [2]


def test_nothing_is_redone_when_the_table_has_ended():
    table = shoot_out()
    table.answer(GM, {"undo": 1})
    table.answer(GM, {"end": True})
    assert table.moves_to_redo(GM) == 0
    assert refused(table, GM, {"redo": 1}) == "ended"


def test_a_seat_that_outlived_an_undo_stands_where_it_was_added(toy):
    playing = Script(toy)
    for times in (40, 3, 20):
        playing.answer(times)
        playing.seat(1)
    before = seen(playing.table)
    playing.undo(30)
    playing.redo_undone(10)
    check_state(playing.table)
    playing.redo_undone(20)
    assert seen(playing.table) == before
    check_state(playing.table)
    check_snapshots(playing.table)


@pytest.mark.soak
def test_a_far_undo_and_redo_cost_as_little_as_one_undo():
    """The snapshots that an undo dropped are there again."""
    playing = Script("initiative")
    playing.answer(800)
    before = seen(playing.table)
    for _ in range(3):
        for count in (800, 300, 100, 20, 1):
            playing.undo(count)
            playing.redo_undone(count)
    assert seen(playing.table) == before
    playing.undo(500)
    for _ in range(50):
        playing.redo_undone(10)
    assert seen(playing.table) == before
    playing.check_cost()
    check_state(playing.table)
    check_snapshots(playing.table)


def test_a_table_that_may_not_replay_much_is_stale_after_a_redo_until_it_has_caught_up():
    playing = Script("initiative")
    playing.answer(150)
    table, before = playing.table, seen(playing.table)
    table.answer(GM, {"undo": 40})
    table.replay_at_most = 0
    table.answer(GM, {"redo": 40})
    assert table.stale
    for _ in table.catch_up():
        pass
    assert seen(table) == before


@pytest.mark.soak
@pytest.mark.parametrize("game", ["initiative", "hackjack", "gunfight", "dogs", "dogpile"])
@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_random_play_is_the_same_after_an_undo_and_a_redo_and_when_it_is_replayed(game, seed):
    rng = Random(seed)
    table = Table.new(game, USUAL_SEATS, dealer=SeededDealer(seed))
    evening = RandomSession(table, rng, undo=0.1)
    for _ in range(40):
        said = evening.next()
        if said is None:
            break
        before = seen(table) if "undo" in said.answer else []
        entry = table.answer(said.by, said.answer, chance=said.chance, time=said.time)
        if entry.undoes:
            draws = table._runner.draws
            assert table.answer(GM, {"redo": 1 + rng.randrange(len(entry.undoes))}).redoes
            while table.moves_to_redo(GM) and any(table.entries[number - 1].undone for number in entry.undoes):
                table.answer(GM, {"redo": 1})
            assert (seen(table), table._runner.draws) == (before, draws)
            table.answer(GM, {"undo": len(entry.undoes)})
    again = Table.read(table.transcript().splitlines(), SeededDealer(1))
    assert seen(again) == seen(table)
    assert again.transcript() == table.transcript()

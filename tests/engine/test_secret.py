"""Secret choices in the engine: who sees what meanwhile, changes of mind, undo, and what is saved."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from cardhouse.engine import GM, SCREEN, Ask, BadGame, NeedsHistory, Over, Refused, SeededDealer, Table, find_game
from cardhouse.testing import Conformance, compare
from cardhouse.testing.choices import leak_of_choices
from cardhouse.testing.fuzzing import fuzz

SEATS = [GM, "ada", "ben"]
TESTS = [name for name in dir(Conformance) if name.startswith("test_")]


class SealedSuite(Conformance):
    game = "sealed"
    games = 8
    everything = True


@pytest.fixture(autouse=True)
def _sealed(toy: str) -> None:
    """The toys are installed."""


def a_table(rounds: int = 3) -> Table:
    return Table.new("sealed", SEATS, {"rounds": rounds}, dealer=SeededDealer(0))


def bid(table: Table, seat: str, number: int, whose: str = "", at: int | None = None) -> Any:
    return table.answer(seat, {"do": "bid", "whose": whose or seat, "number": number}, at=at)


def revealed(table: Table) -> dict[str, int]:
    return dict(table.view(SCREEN)["revealed"])


def twins(*says: tuple[str, int, int]) -> tuple[Table, Table]:
    """Two tables at which seats bid these numbers, one at the one and one at the other."""
    tables = a_table(), a_table()
    for seat, *numbers in says:
        for table, number in zip(tables, numbers, strict=True):
            bid(table, seat, number)
    return tables


@pytest.mark.parametrize("test", TESTS)
def test_a_game_with_secret_choices_passes_without_a_word_of_its_author(test: str) -> None:
    getattr(SealedSuite(), test)()


# Meanwhile.


def test_everyone_learns_who_has_chosen_but_not_what() -> None:
    one, other = twins(("ada", 1, 3))
    compare(one, other, [GM, "ben", SCREEN])
    assert one.asks() == {
        "key": "bid",
        "kind": "ask",
        "rule": "S-1",
        "with": {"round": 1},
        "secret": True,
        "together": True,
        "seats": [GM, "ben", "ada"],
        "waits_for": [GM, "ben"],
    }
    assert one.story(one.entries[-1], "ben")["events"] == [{"rule": "S-1", "key": "has_chosen", "seat": "ada"}]
    assert (one.view("ada")["own"], other.view("ada")["own"]) == (1, 3)


def test_all_is_revealed_when_the_last_has_chosen() -> None:
    table = a_table()
    for seat, number in (("ben", 2), (GM, 1), ("ada", 3)):
        assert not revealed(table)
        bid(table, seat, number)
    assert revealed(table) == {GM: 1, "ada": 3, "ben": 2}
    assert [entry.secret for entry in table.entries] == [True, True, True]
    assert [entry.revealed for entry in table.entries] == [False, False, True]
    assert table.who_may_take_back() is None


def test_the_game_master_chooses_in_anothers_stead() -> None:
    table = a_table()
    bid(table, GM, 2, whose="ben")
    assert table.asks()["waits_for"] == [GM, "ada"]
    assert (table.view("ben")["own"], table.view(GM)["own"]) == (2, None)
    bid(table, "ben", 3)
    bid(table, GM, 1)
    bid(table, "ada", 1)
    assert revealed(table) == {GM: 1, "ada": 1, "ben": 3}


# Thinking again.


def test_a_changed_choice_leaves_no_trace() -> None:
    one, other = twins(("ada", 1, 3), ("ada", 2, 2), ("ben", 1, 1))
    compare(one, other, [GM, "ben", SCREEN])
    assert one.story(one.entries[1], "ben")["events"][0]["key"] == "chose_anew"
    for table in (one, other):
        bid(table, GM, 1)
    compare(one, other, [GM, "ada", "ben", SCREEN])
    assert revealed(one)["ada"] == 2


def test_the_same_again_looks_like_another() -> None:
    one, other = twins(("ada", 1, 1), ("ada", 1, 2))
    compare(one, other, [GM, "ben", SCREEN])


def test_an_undone_choice_leaves_no_trace() -> None:
    one, other = twins(("ben", 2, 2), ("ada", 1, 3))
    for table in (one, other):
        assert table.may_take_back("ada")
        table.answer("ada", {"undo": 1})
        assert table.asks()["waits_for"] == [GM, "ada"]
    compare(one, other, [GM, "ada", "ben", SCREEN])


def test_an_undo_makes_no_other_answer_stale() -> None:
    table = a_table()
    seen = table.number
    bid(table, "ada", 1)
    table.answer("ada", {"undo": 1})
    bid(table, "ben", 2, at=seen)
    assert table.asks()["waits_for"] == [GM, "ada"]


def test_a_thought_that_comes_after_the_reveal_is_too_late() -> None:
    table = a_table()
    bid(table, "ada", 1)
    seen = table.number
    bid(table, "ben", 1)
    bid(table, GM, 1)
    table.answer(GM, {"do": "go"})
    with pytest.raises(Refused, match="Another player was quicker"):
        bid(table, "ada", 3, at=seen)


# Undo.


def test_choices_revealed_together_are_undone_together() -> None:
    """Else the game master would choose once more, and know what the others chose (undo never peeks)."""
    table = a_table()
    for seat in ("ada", "ben", GM):
        bid(table, seat, 1)
    assert table.answer(GM, {"undo": 1}).lines == [{"by": GM, "undo": 3}]
    assert table.asks()["waits_for"] == SEATS
    assert Table.read(table.transcript().splitlines()).transcript() == table.transcript()


def test_so_it_is_however_far_back_the_undo_reaches() -> None:
    table = a_table()
    for _ in range(2):
        bid(table, "ada", 1)
        table.answer(GM, {"do": "raise"})
        for seat in ("ben", "ada", GM):  # who may bid more than before, bids anew
            bid(table, seat, 2)
        table.answer(GM, {"do": "go"})
    for asked, taken in ((1, 1), (1, 5), (2, 6)):
        assert table.answer(GM, {"undo": asked}).lines[0]["undo"] == taken
    assert table.number == 15


def test_an_undo_in_the_middle_takes_back_no_more_than_it_says() -> None:
    table = a_table()
    bid(table, "ada", 1)
    bid(table, "ben", 1)
    assert table.answer(GM, {"undo": 1}).undoes == [2]
    assert table.asks()["waits_for"] == [GM, "ben"]


def test_undoing_a_call_undoes_its_reveal() -> None:
    table = a_table()
    bid(table, "ada", 2)
    table.answer(GM, {"do": "call"})
    assert revealed(table) == {"ada": 2}
    assert table.answer(GM, {"undo": 1}).undoes == [1, 2]


def test_choices_revealed_together_are_redone_together() -> None:
    """Otherwise somebody would choose again who knows what the others chose."""
    table = a_table()
    for seat in ("ada", "ben", GM):
        bid(table, seat, 2)
    table.answer(GM, {"undo": 1})
    assert [table.moves_to_redo(seat) for seat in SEATS] == [3, 0, 0]
    for seat in ("ada", "ben"):
        with pytest.raises(Refused, match="The game master can redo more"):
            table.answer(seat, {"redo": 1})
    assert table.answer(GM, {"redo": 1}).lines == [{"by": GM, "redo": 3}]
    assert revealed(table) == dict.fromkeys(("ada", "ben", GM), 2)
    assert Table.read(table.transcript().splitlines()).transcript() == table.transcript()


def test_a_redo_that_reaches_into_choices_applies_them_all_and_no_more() -> None:
    table = a_table()
    for _ in range(2):
        bid(table, "ada", 1)
        table.answer(GM, {"do": "raise"})
        for seat in ("ben", "ada", GM):
            bid(table, seat, 2)
        table.answer(GM, {"do": "go"})
    table.answer(GM, {"undo": 12})
    for asked, applied in ((2, 5), (1, 1), (5, 5), (1, 1)):
        assert table.answer(GM, {"redo": asked}).lines[0]["redo"] == applied


def test_a_player_undoes_and_redoes_a_secret_choice_while_others_choose() -> None:
    one, other = twins(("ada", 1, 3), ("ben", 1, 1))
    for table in (one, other):
        table.answer("ben", {"undo": 1})
        table.answer("ben", {"redo": 1})
        at = table.number
        table.answer(GM, {"undo": 2})
        table.answer("ada", {"redo": 1})
        bid(table, GM, 1, at=at)
        assert table.moves_to_redo(GM) == 0
        assert table.asks()["waits_for"] == ["ben"]
    compare(one, other, ["ben", SCREEN])


def test_a_table_opened_in_the_middle_asks_for_its_history() -> None:
    table = a_table()
    bid(table, "ada", 1)
    while table.last_snapshot.number < table.number:
        bid(table, "ben", 1)
    opened = Table(table.header, SeededDealer(0), table.with_log(table.last_snapshot))
    for seat in (*SEATS, SCREEN):
        assert (opened.view(seat), opened.asks()) == (table.view(seat), table.asks())
    for seat in opened.asks()["waits_for"]:
        bid(opened, seat, 1)
    with pytest.raises(NeedsHistory):
        opened.answer(GM, {"undo": 1})


# What comes in between.


def test_a_seat_with_new_options_chooses_again() -> None:
    one, other = twins(("ada", 1, 3))
    for table in (one, other):
        table.answer(GM, {"do": "raise"})
        assert table.asks()["waits_for"] == SEATS
    compare(one, other, [*SEATS, SCREEN])


def test_a_new_seat_is_waited_for_and_the_others_have_chosen() -> None:
    table = a_table()
    bid(table, "ada", 1)
    table.answer(GM, {"seat": "cleo"})
    assert table.asks()["waits_for"] == [GM, "ben", "cleo"]
    for seat in (GM, "ben", "cleo"):
        bid(table, seat, 2)
    assert revealed(table) == {GM: 2, "ada": 1, "ben": 2, "cleo": 2}


def test_the_end_of_the_table_reveals_nothing() -> None:
    one, other = twins(("ada", 1, 3))
    for table in (one, other):
        table.answer(GM, {"end": True})
        assert isinstance(table.question, Over)
    compare(one, other, [GM, "ben", SCREEN])


# What is caught.


def leaky(monkeypatch: pytest.MonkeyPatch, name: str, value: Any) -> None:
    monkeypatch.setattr(find_game("sealed"), name, value)


def in_the_view(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen: Any = find_game("sealed").choice_of
    bids = lambda self, seat: next((b for s in self.seats if (b := chosen(self, s))), None)  # noqa: E731
    leaky(monkeypatch, "choice_of", bids)


def in_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    kind: Any = find_game("sealed")
    asked = kind.who_bids

    def who_bids(self: Any) -> Ask | None:
        question = asked(self)
        high = any(self.choice_of(seat).number == 3 for seat in self.in_secret)
        return None if question is None else Ask("bid", "S-1", question.offers, {"round": self.round + high}, rest=True)

    leaky(monkeypatch, "who_bids", who_bids)


def in_the_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    leaky(monkeypatch, "odds", lambda self, audience: {"sum": sum(bid["number"] for bid in self.in_secret.values())})


def in_the_words_of_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    leaky(
        monkeypatch,
        "why_not",
        lambda self, by, action: f"what lies there is {sorted(map(str, self.in_secret.values()))}",
    )


LEAKS = (in_the_view, in_the_question, in_the_odds, in_the_words_of_a_refusal)


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_is_caught_by_the_suite(leak: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    leak(monkeypatch)
    with pytest.raises(BadGame, match="can tell"):
        SealedSuite().test_nobody_can_tell_what_was_chosen_in_secret()


@pytest.mark.parametrize("leak", LEAKS[:-1])
def test_a_leak_is_caught_by_the_fuzz_and_made_short(leak: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    leak(monkeypatch)
    finding = fuzz("sealed", seed=3, evenings=40).finding
    assert finding is not None
    assert "can tell what" in finding.trouble.message
    assert len(finding.transcript.splitlines()) <= 4


def test_a_sound_table_has_no_leak() -> None:
    table = a_table()
    bid(table, "ada", 1)
    bid(table, "ada", 2)
    leak_of_choices(table)
    assert fuzz("sealed", seed=1, evenings=20).finding is None


def test_a_secret_question_is_asked_in_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    leaky(monkeypatch, "ask_simultaneously", find_game("sealed").ask)
    kind: Any = find_game("sealed")
    asked = kind.who_bids
    leaky(monkeypatch, "who_bids", lambda self: Ask("bid", "S-1", asked(self).offers, secret=True))
    with pytest.raises(BadGame, match=r"The question bid says secret=True: .* self.ask_simultaneously"):
        a_table()


def test_a_choice_is_kept_like_a_hidden_card() -> None:
    table = a_table()
    bid(table, "ada", 3)
    kept = json.loads(bytes(table.running_copy(SeededDealer(0)).snapshot(1).game))
    assert kept["in_secret"] == {"ada": {"do": "bid", "whose": "ada", "number": 3}}


def a_random_evening(seed: int) -> Iterator[Table]:
    rng = Random(seed)
    table = a_table()
    while not isinstance(table.question, Over):
        seat = rng.choice(table.asks()["seats"])
        if table.asks()["key"] == "bid":
            bid(table, seat, rng.randint(1, 3))
        else:
            table.answer(seat, {"do": "go"})
        yield table


def test_the_last_choice_counts() -> None:
    for table in a_random_evening(5):
        said = [entry for entry in table.entries if entry.secret]
        if table.entries[-1].revealed:
            latest = {entry.by: entry.lines[0]["number"] for entry in said}
            assert revealed(table) == latest

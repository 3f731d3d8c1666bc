"""The conformance suite passes a sound game and catches a faulty one."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from cardhouse.engine import GM, Offer, SeededDealer, Table
from cardhouse.games.initiative.rules import Initiative
from cardhouse.testing import Conformance, Pair, ask_somebody
from tests.games.initiative.test_conformance import TestInitiative as Suite

CARDS = ("CA", "C2", "C3", "C4", "C5")
TESTS = [name for name in dir(Conformance) if name.startswith("test_")]


class ToySuite(Conformance):
    game = "toy"
    games = 12

    def pairs(self, rng: Random) -> Iterator[Pair]:
        """The player has drawn other cards, which nobody else may know."""
        cards = rng.sample(CARDS, 4)
        one, other = (Table.new(self.game, self.seats, dealer=SeededDealer(0)) for _ in range(2))
        for table, drawn in ((one, cards[:2]), (other, cards[2:])):
            self.dress(table)
            dealt = [{"draw": "pile", "card": card} for card in drawn]
            table.answer(GM, {"do": "guess", "number": 4}, chance=[{"roll": "2d3", "dice": [1, 2]}, *dealt])
        yield Pair(one, other, [GM, "ada"])

    def dress(self, table: Table) -> None:
        """Come to where the toy begins."""


class DuoSuite(ToySuite):
    game = "duo"

    def dress(self, table: Table) -> None:
        while table.asks()["key"] != "guess":
            asked = ask_somebody(table, Random(0), 0)
            assert asked is not None
            table.answer(*asked)


class InitiativeSuite(Suite):
    __test__ = False
    games = 8


@pytest.mark.parametrize("test", TESTS)
def test_a_game_that_uses_everything_passes(toy, test):
    getattr(ToySuite(), test)()


@pytest.mark.parametrize("test", TESTS)
def test_a_game_of_several_games_passes(duo, test):
    getattr(DuoSuite(), test)()


def catches(test: str, error: type[Exception] = AssertionError) -> None:
    with pytest.raises(error):
        getattr(InitiativeSuite(), test)()


def test_a_leak_is_caught(monkeypatch):
    monkeypatch.setattr(Initiative, "audience", lambda self, seat: GM)
    catches("test_nothing_leaks")


def test_a_leak_in_a_refusal_is_caught(monkeypatch):
    monkeypatch.setattr(Initiative, "who_draws", lambda self, deck: tuple(self.seats))
    catches("test_nothing_leaks")


def test_accepting_what_is_not_offered_is_caught(monkeypatch):
    monkeypatch.setattr(Offer, "faults", lambda self, action: [])
    catches("test_what_is_not_offered_is_refused_and_changes_nothing", Exception)


def test_refusing_what_is_offered_is_caught(monkeypatch):
    monkeypatch.setattr(Offer, "faults", lambda self, action: [("", "no")])
    with pytest.raises(Exception, match="refused"):
        InitiativeSuite().test_what_is_offered_is_accepted()


def test_a_lost_card_is_caught(monkeypatch):
    monkeypatch.setattr(Initiative, "red_joker", lambda self: None)
    catches("test_what_is_offered_is_accepted")


def test_undeclared_state_is_caught(monkeypatch):
    begin = Initiative.gather

    def gather(self):
        self.rounds_seen = getattr(self, "rounds_seen", 0) + 1
        begin(self)
        self.tell("IN-6", "round_begins", round=self.rounds_seen, cards=0)
        self.round += self.rounds_seen

    monkeypatch.setattr(Initiative, "gather", gather)
    catches("test_a_copy_at_rest_goes_on_like_the_game")


def test_a_random_generator_in_the_rules_is_caught(monkeypatch):
    generator, asked = Random(0), Initiative.act_or_wait
    monkeypatch.setattr(Initiative, "act_or_wait", lambda self: asked(self) if generator.random() < 0.5 else None)
    catches("test_twins_from_one_seed_stay_the_same")


def test_missing_words_are_caught(monkeypatch):
    def gather(self):
        begin(self)
        self.tell("IN-6", "unheard of")

    begin = Initiative.gather
    monkeypatch.setattr(Initiative, "gather", gather)
    catches("test_everything_said_has_words")


def test_a_changed_tree_is_caught(monkeypatch):
    monkeypatch.setattr(Initiative, "act_or_wait", lambda self: None)
    catches("test_counted_trees")


def test_a_failure_comes_with_its_transcript(monkeypatch):
    monkeypatch.setattr(Initiative, "red_joker", lambda self: None)
    with pytest.raises(AssertionError) as caught:
        InitiativeSuite().test_what_is_offered_is_accepted()
    (note,) = caught.value.__notes__
    transcript = note.partition("\n")[2]
    assert '"card":"RJ"' in transcript
    Table.read(transcript.splitlines())

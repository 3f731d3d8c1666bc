"""The exact odds of fallout equal those of the rules, counted in any way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb

import msgspec
import pytest

from cardhouse.cards import STANDARD, Card, Deck
from cardhouse.engine import GM, Action, Ask, Game, Header, SeededDealer, Snapshot, Table
from cardhouse.engine.table.enumerate import walk
from cardhouse.games.dogs.actions import Give
from cardhouse.games.dogs.fallout.aftermath import gains_experience, is_experience, severity_of
from cardhouse.games.dogs.fallout.odds import DECKS, SEVERITIES, chances, needs_healing
from cardhouse.games.dogs.people.sheet import Character, Stats
from cardhouse.games.dogs.rules import Dogs
from cardhouse.games.dogs.state import PILES, Conflict, DogsOptions, FaceDown, Participant, Pile, Severity
from cardhouse.games.dogs.table import highest

FEW = ("CA", "D2", "H4", "S6", "C8", "HJ", "SJ", "DQ", "HK")
"""A little deck with something of everything."""


def befalls(cards: Sequence[Card], pile: Pile) -> tuple[Severity, bool]:
    """What the rules make of cards that are turned over."""
    top = highest([card for card in cards if not is_experience(card, pile)])
    severity = "short_term" if top is None else severity_of(top)
    return severity, severity != "dying" and gains_experience([card for card in cards if is_experience(card, pile)])


@pytest.mark.parametrize("pile", PILES)
@pytest.mark.parametrize(("cards", "decks"), [(1, 1), (2, 1), (3, 1), (2, 2)])
def test_they_are_those_of_all_sets_of_cards(pile, cards, decks):
    deck = DECKS[decks]
    counted: Counter[Severity] = Counter()
    gained = 0
    for some in combinations(deck, cards):
        severity, gains = befalls(some, pile)
        counted[severity] += 1
        gained += gains
    every = comb(len(deck), cards)
    found = chances(pile, cards, deck)
    assert found.severity == {severity: Fraction(counted[severity], every) for severity in SEVERITIES}
    assert found.experience == Fraction(gained, every)


@pytest.mark.parametrize(
    ("pile", "cards", "body", "deck"),
    [
        *((pile, 1, 0, STANDARD) for pile in PILES),
        ("guns", 2, 1, FEW),
        ("fighting", 3, 0, FEW),
        ("physical", 1, 2, FEW),
    ],
)
def test_they_are_those_of_a_conflict_dealt_in_every_way(pile, cards, body, deck):
    """The rules are played, with each order of the cards; healing and the draw for Body are theirs, too."""
    severity: Counter[Severity] = Counter()
    gains = wounded = Fraction(0)
    for way in walk(hurt(pile, cards, body, deck), somebody_gives):
        assert isinstance(way.game, Dogs)
        outcome, ada = way.game.outcomes["Ada"], way.game.named("Ada")
        severity[outcome.severity] += way.chance  # type: ignore[assignment]
        gains += way.chance * outcome.gains_experience
        wounded += way.chance * ada.can_be_healed
    found = chances(pile, cards, deck)
    assert {name: severity[name] for name in SEVERITIES} == found.severity
    assert gains == found.experience
    assert wounded == needs_healing(pile, cards, body, deck)


def hurt(pile: Pile, cards: int, body: int, deck: Sequence[Card]) -> Table:
    """A table where Ada has taken a blow of so many cards, and Ben, who is to raise, will give."""
    ada = Participant("Ada", 0, hand=["C3b"], arenas=[pile], blows={pile: [FaceDown(0)] * cards})
    game = Dogs(
        seats=[GM, "ada"],
        options=DogsOptions(decks=1),
        deck=Deck(loose=list(deck), face_down=cards),
        decks_in=1,
        characters=[
            Character(name="Ada", stats=Stats(1, body, 1, 1), controller="ada"),
            Character(name="Ben", stats=Stats(1, 1, 1, 1), controller=GM),
        ],
        conflict=Conflict(
            stakes="Who leaves?",
            sides=[["Ada"], ["Ben"]],
            participants=[ada, Participant("Ben", 1, hand=["D3b"], arenas=[pile])],
            starter="Ben",
        ),
    )
    header = Header(cardhouse=1, game="dogs", seats=[GM, "ada"], options={"decks": 1})
    return Table(header, SeededDealer(1), Snapshot(0, 0, msgspec.Raw(msgspec.json.encode(game))))


def somebody_gives(game: Game, question: Ask) -> Action | None:
    """Ben gives, and that is all."""
    return Give("Ben") if question.key == "raise" else None


def test_only_guns_make_somebody_dying():
    for pile in PILES:
        dying = {chances(pile, cards).severity["dying"] for cards in range(1, 21)}
        assert (dying == {0}) == (pile != "guns")
    assert chances("guns", 3).severity["dying"] == Fraction(3, 52)


def test_no_card_for_body_helps_nobody_and_many_help_most():
    """With all other cards for Body, injury is coped with, if there is a card left that is high enough."""
    for pile in PILES:
        found = chances(pile, 4)
        assert sum(found.severity.values()) == 1
        worse = found.severity["mortally_wounded"]
        assert needs_healing(pile, 4, 0) == worse + found.severity["injured"]
        assert needs_healing(pile, 4, 48) == worse

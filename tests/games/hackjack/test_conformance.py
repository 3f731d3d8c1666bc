"""Hackjack passes the conformance suite."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from random import Random
from typing import Any

import pytest

from cardhouse.cards import Card
from cardhouse.engine import GM, PHYSICAL, SCREEN, Ask, Entry, SeededDealer, Table
from cardhouse.games.hackjack.odds import odds_of
from cardhouse.games.hackjack.rules import Hackjack
from cardhouse.games.hackjack.state import ROUGHEST
from cardhouse.games.hackjack.view import view_of
from cardhouse.testing import Conformance, Pair, Tree, answer_like, ask_somebody, excused
from cardhouse.testing.twins import undo_both
from tests.games.hackjack.ledger import worth
from tests.games.hackjack.playing import (
    READINGS,
    SEATS,
    SWITCHES,
    another,
    blow,
    game_of,
    hit_with,
    left_with,
    someone,
    veteran,
)
from tests.thorough import FewerGames


def about_to_draw(*keep: Card) -> str:
    """A transcript that has left but these cards, of a paper deck, and asks which of them Ada draws, her first."""
    tables = (left_with(keep, Random(seed)) for seed in count())
    table = next(table for table in tables if (game_of(table).deck.loose, game_of(table).discard) == ([*keep], []))
    table.answer(GM, {"do": "begin_round"})
    while table.asks()["key"] == "declare":
        table.answer(GM, {"do": "prevent", "name": table.asks()["with"]["names"][0], "yes": False})
    table.answer(GM, {"do": "add_character", "name": "Ada", "hp": 1, "max_hp": 1})
    table.answer(GM, {"do": "damage", "target": "Ada", "amount": 2})
    return table.transcript()


class TestHackjack(FewerGames, Conformance):
    game = "hackjack"
    everything = True
    unreached = excused(
        action="exert face",
        event="bears_pain check_passed mark_gone no_card nothing_to_see old_wound_opens pain_too_much "
        "red_card shuffled worn",
        rule="HJ-2 HJ-13 HJ-21 HJ-30",
        question="draw_peek draw_wound_of",
    )
    seats = SEATS
    games = 24
    trees = {
        # The ace first: it shows the queen. Or the queen first: the ace comes at once, and there is nothing to see.
        # Where nobody had to choose, the count goes on to the next round, in which the ace's wound is over.
        "a glimpse": Tree(
            about_to_draw("HA", "SQ"),
            {
                "HJ-10 new_round": 2,
                "HJ-14 trauma": 1,
                "HJ-18 ends": 2,
                "HJ-24 draws_another": 1,
                "HJ-24 wounded": 1,
                "HJ-25 nothing_to_see": 1,
                "HJ-25 peeked": 1,
                "HJ-25 peeks": 1,
                "HJ-25 wounded": 2,
                "HJ-5 draws": 2,
                "ways": 2,
            },
        ),
        # The same ways and wounds were counted by a program of its own, made from the rulebook alone.
        "the cards that bend the flow": Tree(
            about_to_draw("C7", "CJ", "HA", "H6", "SQ"),
            {
                "HJ-10 new_round": 46,
                "HJ-14 trauma": 64,
                "HJ-18 ends": 79,
                "HJ-22 chooses": 96,
                "HJ-22 draws_two_to_choose": 123,
                "HJ-23 draws_two_to_suffer": 88,
                "HJ-24 draws_another": 71,
                "HJ-24 wounded": 135,
                "HJ-25 nothing_to_see": 97,
                "HJ-25 peeked": 80,
                "HJ-25 peeks": 80,
                "HJ-25 wounded": 177,
                "HJ-26 again": 20,
                "HJ-26 twice": 67,
                "HJ-5 draws": 142,
                "ways": 142,
            },
        ),
    }

    def start(self, rng: Random) -> Table:
        """Up to eight characters of all kinds, some already hit; any options, at times a paper deck or real dice."""
        options: dict[str, Any] = {switch: rng.random() < 0.4 for switch in SWITCHES}
        options |= {name: rng.choice(values) for name, values in READINGS.items() if rng.random() < 0.5}
        if rng.random() < 0.4:
            options |= {"limit": rng.choice([11, 30]), "massive_damage": rng.choice([10, 20])}
        if rng.random() < 0.3:
            options["strikes"] = "d6"
        if rng.random() < 0.2:
            options["wounds"] = another("C2", "DK", "H10")
        decks = {deck: PHYSICAL for deck in ("wounds", "dice") if rng.random() < 0.25}
        table = Table.new("hackjack", SEATS, options, SeededDealer(rng.getrandbits(32)), decks=decks)
        for number in range(rng.choice([1, 2, 3, 5, 8])):
            limit = game_of(table).options.limit
            table.answer(GM, someone(rng, f"{number}") if rng.random() < 0.7 else veteran(rng, f"{number}", limit))
        return table

    def check(self, table: Table) -> None:
        game = game_of(table)
        all_is_sound(game)
        if isinstance(table.question, Ask) and table.question.rest:
            assert game.hitting is game.peeking is None

    def pairs(self, rng: Random) -> Iterator[Pair]:
        """Two tables in lockstep at which Ada has seen another card on top (HJ-25), until it is drawn."""
        one = self.start(rng)
        other = Table(one.header, one.dealer)
        for entry in one.entries:
            answer_like(other, entry)
        for _ in range(rng.choice([0, 3, 12])):
            lockstep(one, other, rng)
        if "HA" not in game_of(one).deck.loose or game_of(one).busy:
            return
        cards = glimpse(one, other, rng)
        for _ in range(30):
            yield Pair(one, other, ["ben"])
            if not game_of(one).deck.top:
                return
            for table, card in zip((one, other), cards, strict=True):
                seen = [table.view(seat)["next_card"] for seat in (GM, "ada", "ben", SCREEN)]
                assert seen == [card, card, None, None]
            for seat in ("ben", SCREEN):
                assert one.odds(seat, damage=15) == other.odds(seat, damage=15)
            if rng.random() < 0.05:
                undo_both(one, other, GM, 1)
                continue
            lockstep(one, other, rng, cards)
            if not game_of(one).deck.top:
                return

    # How they play.

    def play(self, table: Table, rng: Random, undo: float = 0.0) -> Iterator[Entry]:
        """As any game, and somebody is hit besides, and again."""
        for entry in super().play(table, rng, undo):
            yield entry
            if rng.random() < 0.3 and (answer := blow(rng, table)) is not None:
                yield table.answer(GM, answer)


def all_is_sound(game: Hackjack) -> None:
    """No card is lost, none is there twice; nobody has what nobody can have."""
    held = [card for who in game.characters for card in who.cards]
    there = [*game.deck.cards(), *game.discard, *held]
    assert len(there) == len(set(there)) == 52 + 2 * game.options.jokers
    assert len({who.name for who in game.characters}) == len(game.characters)
    for who in game.characters:
        assert sum(map(worth, who.pile)) + who.tokens == who.death_score >= 0, who
        assert who.tokens >= 0, who
        assert who.blood >= 0, who
        assert 0 <= who.trauma <= 6, who
        assert 0 <= who.hp <= ROUGHEST, who
        assert 1 <= who.max_hp <= ROUGHEST, who
        assert not who.down or who.hp == 0, who
        if game.busy is False:
            assert not who.alive or who.death_score < game.options.limit, who
            assert not game.options.return_cards or not who.cards, who


def lockstep(one: Table, other: Table, rng: Random, on_top: Sequence[Card] = ()) -> None:
    """The same answer with the same chance at both tables; once the card on top is drawn, only at the one."""
    asked = ask_somebody(one, rng, 0.5)
    assert asked is not None
    by, answer = asked
    if answer.get("do") == "damage" and (hit := blow(rng, one)) is not None:
        answer = hit
    entry = one.answer(by, answer)
    if not on_top or game_of(one).deck.top:
        answer_like(other, entry)


def glimpse(one: Table, other: Table, rng: Random) -> list[Card]:
    """Nan, whom Ada plays, draws the ace of hearts at both, and sees another card at each; these two cards."""
    loose = game_of(one).deck.loose
    first = ["SQ"] if "SQ" in loose and rng.random() < 0.3 else []
    cards = rng.sample([card for card in loose if card not in ("HA", "SQ")], 2)
    names = rng.random()  # who names the cards of a paper deck: at both tables the same
    for table, card in zip((one, other), cards, strict=True):
        table.answer(GM, {"do": "add_character", "name": "Nan", "hp": 0, "max_hp": 9, "controller": "ada"})
        hit_with(table, "Nan", [*first, "HA", card], Random(names))
    return cards


LEAKS = {
    "the view": ("view", lambda game, audience: view_of(game, sees_next=bool(game.deck.top))),
    "the odds": ("odds", lambda game, audience, damage=1: odds_of(game, damage, sees_next=True)),
}


@pytest.mark.parametrize("where", LEAKS)
def test_a_leak_is_found(where, monkeypatch):
    monkeypatch.setattr(Hackjack, *LEAKS[where])
    with pytest.raises(AssertionError, match=r"^ben"):
        TestHackjack().test_nothing_leaks()

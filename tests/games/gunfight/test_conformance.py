"""The gunfight passes the conformance suite."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from cardhouse.cards import STANDARD
from cardhouse.engine import GM, Entry, Refused, Table
from cardhouse.games.gunfight.rules import Fight, Gunfight
from cardhouse.games.hackjack.rules import Hackjack
from cardhouse.testing import Conformance, Pair, excused
from tests.games.gunfight.playing import blow, game_of, someone
from tests.games.hackjack.test_conformance import all_is_sound
from tests.games.initiative.test_conformance import Lines, lockstep, no_card_is_lost, rolling, turns_up
from tests.thorough import FewerGames

Character = dict[str, Any]


class TestGunfight(FewerGames, Conformance):
    game = "gunfight"
    everything = True
    unreached = excused(
        action="exert face recover wake",
        event="again bears_pain comes_back draws_another drops hidden_leaves joins_table lies_dead mark_gone "
        "must_act_under no_card nothing_to_see pain_too_much recovered recovery shuffled trauma_left up wakes worn",
        rule="GF-1 GF-2 HJ-2 HJ-17 HJ-21 HJ-30 IN-3 IN-4 IN-5 IN-20",
        question="fight",
    )
    games = 12

    def start(self, rng: Random) -> Table:
        """Up to 6 characters, some of whom have been through a fight before, and some in hiding."""
        table = rolling(super().start(rng), rng, strikes="d6", hit_from=3)
        for number, card in enumerate(rng.sample(STANDARD, rng.randint(1, 6))):
            table.answer(GM, {**someone(rng, f"{number}", card), "hidden": rng.random() < 0.2})
        return table

    def check(self, table: Table) -> None:
        """Both games are sound; the living, and only they, are in the order; whose each is both games say alike."""
        game = game_of(table)
        no_card_is_lost(game.order)
        all_is_sound(game.fight)
        in_order = {character.name: character.controller for character in game.order.characters}
        assert in_order == {fighter.name: fighter.controller for fighter in game.fight.characters if fighter.alive}
        assert game.order.seats is game.fight.seats is game.seats

    def pairs(self, rng: Random) -> Iterator[Pair]:
        """Fights in lockstep in which others lie in wait (IN-21), and another card is glimpsed (HJ-25)."""
        for _ in range(8):
            one = super().start(rng)
            yield from self.pairs_of(Twins(one, Table(one.header, one.dealer), rng), rng)

    def pairs_of(self, twins: Twins, rng: Random) -> Iterator[Pair]:
        """Two fights, until what is different between them comes out."""
        twins.begin()
        for number in range(self.answers):
            if number == 0 or (len(twins.hidden) < 3 and rng.random() < 0.1):
                twins.hide()
            elif rng.random() < 0.1:
                twins.take_back()
            elif not (twins.hit() if rng.random() < 0.2 else twins.go_on()):
                return
            if not twins.curious():
                return
            yield Pair(twins.one, twins.other, twins.curious())

    # How they play.

    def play(self, table: Table, rng: Random, undo: float = 0.0) -> Iterator[Entry]:
        """As any game, and somebody is hit besides."""
        for entry in super().play(table, rng, undo):
            yield entry
            if rng.random() < 0.2 and (answer := blow(rng, table)) is not None:
                yield table.answer(GM, answer)


class Twins:
    """Two tables in lockstep that differ in who hides there, and in which card has been glimpsed."""

    def __init__(self, one: Table, other: Table, rng: Random) -> None:
        self.one, self.other, self.rng = one, other, rng
        self.hidden: list[tuple[Character, Character]] = []
        self.glimpsed: set[str] = set()
        """The seats that have seen a card which was another at the other table."""
        self.on_top: list[str] = []
        """The card that is known on top at the one table, if one is."""

    def begin(self) -> None:
        """Some whom all can see, the same at both."""
        cards = self.rng.sample([card for card in STANDARD if card[0] in "CD"], self.rng.randint(1, 5))
        for number, card in enumerate(cards):
            answer = someone(self.rng, f"{number}", card)
            for table in (self.one, self.other):
                table.answer(GM, answer)

    def hide(self) -> None:
        """At each table somebody else comes into hiding, with another card and in another state."""
        self.hidden.append((hides(self.one, self.rng), hides(self.other, self.rng)))

    def take_back(self) -> None:
        """The game master takes back a few answers, if there are any."""
        back = self.rng.randint(1, 3)
        standing = sum(entry.counts for entry in self.one.entries)
        for table in (self.one, self.other) if standing else ():
            table.answer(GM, {"undo": min(back, standing)})

    def go_on(self) -> bool:
        """Anybody's answer; False once the tables can be told apart."""
        self.on_top = list(game_of(self.one).fight.deck.top)
        return lockstep(self.one, self.other, self.hidden, self.rng, self.differ)

    def hit(self) -> bool:
        """One of those whom all can see is hit, and draws the ace of hearts if it can be; as `go_on`."""
        answer, deck = blow(self.rng, self.one, at_hidden=False), game_of(self.one).fight.deck
        if answer is None:
            return True
        self.on_top = list(deck.top)
        target = game_of(self.one).fight.named(answer["target"])
        draws = target.down or -21 <= target.hp - answer["amount"] < 0
        dealt = "wounds" not in self.one.header.decks and "HA" in deck.loose and not deck.top
        ace = [{"draw": "wounds", "card": "HA"}] if draws and dealt else []
        lines = [answer, *self.one.answer(GM, answer, chance=ace).lines[1:]]
        hidden = [mine["card"] for mine, _ in self.hidden]
        theirs = None if any(turns_up(line, hidden) for line in lines) else self.differ(lines)
        if theirs is not None:
            self.other.answer(GM, answer, chance=theirs[1:])
        return theirs is not None

    def differ(self, lines: Lines) -> Lines | None:
        """The lines, but with another card where one is glimpsed; None once it is drawn."""
        fight = game_of(self.one).fight
        top, drawn = fight.deck.top, [line["card"] for line in lines if line.get("draw") == "wounds"]
        others = [card for card in fight.deck.loose if card not in drawn]
        if self.on_top or not top or not others:
            return lines if top == self.on_top else None
        self.glimpsed |= set(fight.seers)
        seen = max(place for place, line in enumerate(lines) if line.get("draw") == "wounds" and line["card"] in top)
        return [*lines[:seen], {**lines[seen], "card": self.rng.choice(others)}, *lines[seen + 1 :]]

    def curious(self) -> list[str]:
        """The players who must not be able to tell the tables apart."""
        return [seat for seat in self.one.seats if seat not in (GM, *self.glimpsed)]


def hides(table: Table, rng: Random) -> Character:
    """Somebody comes into hiding: its name and card."""
    while True:
        character = {"name": "".join(rng.choices("xyz", k=rng.randint(9, 12))), "card": rng.choice(STANDARD)}
        answer = {**someone(rng, **character), **rng.choice([{}, {"side": "Gang"}, {"side": "Posse"}]), "hidden": True}
        if "sheet" in answer:
            answer["sheet"]["alive"] = True  # the dead hide from nobody
        try:
            table.answer(GM, answer)
        except Refused:  # the card is not free
            continue
        return character


LEAKS = {
    "those in hiding": (Gunfight, "unseen", lambda game, audience: []),
    "what happens to them": (Fight, "tell", Hackjack.tell),
    "the card on top": (Hackjack, "knows_next", lambda game, audience: bool(game.deck.top)),
}


@pytest.mark.parametrize("where", LEAKS)
def test_a_leak_is_found(where, monkeypatch):
    monkeypatch.setattr(*LEAKS[where])
    with pytest.raises(AssertionError):
        TestGunfight().test_nothing_leaks()

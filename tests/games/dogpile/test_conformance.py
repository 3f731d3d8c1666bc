"""Dogpile passes the conformance suite."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from cardhouse.engine import GM, SCREEN, Ask, Game, Table
from cardhouse.games.dogpile.rules import Dogpile
from cardhouse.games.dogpile.view import OPEN_HANDED, view_of
from cardhouse.testing import Conformance, Pair, Tree, ask_somebody, excused
from cardhouse.testing.twins import Names, like_the_one, twin_of, undo_both
from tests.games.dogpile.playing import cards_there, deck_file, game_of, some_table
from tests.thorough import FewerGames


def tiny(cards: dict[str, dict[str, Any]], *people: str, **options: Any) -> str:
    """A transcript of nothing but its first line: hands of one card."""
    options = {"hand_size": 1, "deck": deck_file(cards), **options}
    return json.dumps({"cardhouse": 1, "game": "dogpile", "seats": [GM, *people], "options": options})


class TestDogpile(FewerGames, Conformance):
    game = "dogpile"
    everything = True
    unreached = excused(
        action="deal_in",
        event="has_none dealt_in no_leader untimed",
        rule="DG-1 DG-6 DG-13 DG-14 DG-20 DG-21",
        question="draw_hand draw_leader",
    )
    games = 16
    answers = 30
    anytime = 0.02  # once the timer has rung, there is little left to play
    trees = {
        # Two cards that may touch wherever they do; either is in the hand, the other leads: 2. She lays it on one of
        # 24 cells: 4 beside the Pack Leader, both cards join, and none is left; 20 elsewhere, both stray and she draws
        # one of the two. Or she lays nothing, which can be said in two ways.
        # 2 * (4 + 20 * 2 + 2) = 92.
        "one player": Tree(
            tiny({"one": {"number": 1, "suit": "s"}, "two": {"number": 2, "suit": "s"}}, "ada"),
            {
                "DG-10 pieces": 2 * 20 * 2,
                "DG-15 alone": 2 * 2,
                "DG-16 draws": 2 * 20 * 2,
                "DG-16 you_draw": 2 * 20 * 2,
                "DG-17 no_leader": 2 * 4,
                "DG-17 shuffled": 2 * 20 * 2,
                "DG-19 final": 2 * 4,
                "DG-2 draws": 92,
                "DG-2 you_draw": 92,
                "DG-3 begins": 92,
                "DG-4 leader": 92,
                "DG-5 lays": 2 * (4 + 20 * 2),
                "DG-7 passes": 2 * 2,
                "DG-8 revealed": 2 * (4 + 20 * 2),
                "DG-9 joins": 2 * 4,
                "ways": 92,
            },
        ),
        # Numbers 1, 2 and 4 of one suit, so that only 1 and 2 may lie side by side, and all one above the other. Six
        # ways to deal them. The first lays nothing (two ways to say it), or on one of the 4 cells that touch; then the
        # second lays nothing (2) or on one of 6.
        # Of the 6 * 4 layouts of two, 2 * (4 + 2 + 2) = 16 are legal, by which pair it is, and 8 are not; those stray,
        # and the first draws one of two.
        # A third card touches just one of two, so that of the 6 * 24 layouts of three 56 are legal. With 1 and 2 laid
        # first, the 4 has, where they lie side by side (2 cells), the 4 cells above and below them; where one lies
        # above the other (2), the 2 at top and bottom: 2 * (2 * 4 + 2 * 2) = 24. With 4 and another laid first, legal
        # only one above the other (2), the third has top and bottom, and both sides of its match: 4 * 2 * 4 = 32.
        # The other 88 stray; the first draws one of three, the second one of two.
        "two players": Tree(
            tiny({f"n{number}": {"number": number, "suit": "s"} for number in (1, 2, 4)}, "ada", "ben", touching=True),
            {
                "DG-11 contacts": 8 * 2 * 2 + 88 * 6,
                "DG-15 alone": 6 * 2,
                "DG-16 draws": 8 * 2 * 2 + 88 * 6 * 2,
                "DG-16 you_draw": 8 * 2 * 2 + 88 * 6 * 2,
                "DG-17 no_leader": 16 * 2 + 56,
                "DG-17 shuffled": 8 * 2 * 2 + 88 * 6,
                "DG-19 final": 16 * 2 + 56,
                "DG-2 draws": 660 * 2,
                "DG-2 you_draw": 660 * 2,
                "DG-3 begins": 660,
                "DG-4 leader": 660,
                "DG-5 lays": 16 * 2 + 8 * 2 * 2 + (56 + 88 * 6) * 2,
                "DG-7 forfeit": 6 * 2,
                "DG-7 passes": 16 * 2 + 8 * 2 * 2,
                "DG-8 revealed": 16 * 2 + 8 * 2 * 2 + 56 + 88 * 6,
                "DG-9 joins": 16 * 2 + 56,
                "ways": 6 * 2 + 16 * 2 + 8 * 2 * 2 + 56 + 88 * 6,
            },
        ),
    }

    def start(self, rng: Random) -> Table:
        """One to eight players, all options, decks of one's own."""
        return some_table(rng)

    def check(self, table: Table) -> None:
        nothing_is_lost(table)

    def pairs(self, rng: Random) -> Iterator[Pair]:
        """Tables in lockstep that differ in all cards that a seat can't know; for all seats that can't, until one can.

        What somebody has seen is kept here, from where the cards are and not from what a seat is sent.
        """
        one = next(table for table in iter(lambda: self.start(rng), None) if len(game_of(table).players) > 1)
        seen: dict[str, set[str]] = {}
        one.answer(GM, {"do": "begin"}, time=1000)
        look(one, seen)
        for _ in range(4):
            viewer = rng.choice([GM, *one.seats])
            other, names = twin(one, seen.setdefault(viewer, set()), rng)
            for _ in range(self.answers // 3):
                unaware = [seat for seat in one.seats if not seen.get(seat, set()) & set(names)]
                if viewer not in unaware:
                    break
                yield Pair(one, other, unaware)
                if not lockstep(one, other, names, rng):
                    return
                look(one, seen)


def look(table: Table, seen: dict[str, set[str]]) -> None:
    """What each has seen by now: the cards that lie open or did, and its own hand."""
    game = game_of(table)
    there = {*game.dogpile, *game.strays, *([game.leader] if game.leader else [])}
    for seat in table.seats:
        mine = {laid.card for laid in game.laid if game.verdict or laid.seat == seat}
        hands = [hand for whose, hand in game.hands.items() if game.over or whose == seat]
        seen.setdefault(seat, set()).update(there, mine, *hands)


def twin(table: Table, seen: set[str], rng: Random) -> tuple[Table, Names]:
    """The same table but for a few cards that somebody hasn't seen, most of them in hands or face down.

    Each is called by the name of the next.
    """
    game = game_of(table)
    hidden = [card for card in game.cards_played() if card not in seen]
    drafted = [card for card in hidden if card in game.draft]
    held = [card for card in hidden if card not in game.draft]
    moved = [card for cards in (held, drafted) for card in rng.sample(cards, min(len(cards), rng.randint(1, 3)))]
    names = {card: other for card, other in zip(moved, [*moved[1:], *moved[:1]], strict=True) if card != other}
    return twin_of(table, names), names


def lockstep(one: Table, other: Table, names: Names, rng: Random) -> bool:
    """The same answer at both tables, on the same cells; False if there is nothing to answer."""
    if rng.random() < 0.1 and (counting := sum(entry.counts for entry in one.entries)) > 1:
        undo_both(one, other, GM, rng.randint(1, min(2, counting - 1)))
        return True
    asked = ask_somebody(one, rng, 0.02)
    while asked is not None and asked[1]["do"] == "pass" and rng.random() < 0.95:
        asked = ask_somebody(one, rng, 0.02)
    if asked is None:
        return False
    seat, answer = asked
    entry = one.answer(seat, answer)
    game = game_of(one)
    if game.verdict and any(laid.card in names for laid in game.laid):
        return True  # all see them now; at the other table the pack may do otherwise, and other cards be there to draw
    like_the_one(other, entry, names)
    return True


def nothing_is_lost(table: Table) -> None:
    """No card is lost, none is there twice, no hand has too many; the view counts what there is."""
    game = game_of(table)
    assert sorted(cards_there(game)) == sorted(game.cards_played())
    assert all(len(hand) <= game.options.hand_size for hand in game.hands.values())
    assert len({laid.cell for laid in game.laid} | {(0, 0)}) == len(game.laid) + 1
    for seat in (*table.seats, SCREEN):
        view = table.view(seat)
        piles = {"draft": len(game.draft), "dogpile": len(game.dogpile), "strays": len(game.strays)}
        assert {name: view[name] for name in piles} == piles
        assert (view["dogpile_cards"], view["stray_cards"]) == (game.dogpile, game.strays)
        for player, hand in view["hands"].items():
            cards = set(game.hands.get(player, []))
            assert hand == len(cards) or (set(hand) == cards and (game.over or player == seat))
        assert view["packs_made"] + view["packs_lost"] == len(view["rounds"])


def tell_all(self: Game, rule: str, key: str, *, to: str | None = None, but: str | None = None, **about: Any) -> None:
    """Tells everybody what only some should be told."""
    told(self, rule, key, **about)


def leaking(asked: Ask) -> Ask:
    """The question with the cards that could be laid, for all to see."""
    (cards,) = asked.offers[0].fields.values()
    return msgspec.structs.replace(asked, about={**asked.about, "cards": cards.schema()})


told, whose_turn = Game.tell, Dogpile.whose_turn
LEAKS = {
    "hands, and what lies face down": ("view", lambda game, audience: view_of(game, OPEN_HANDED)),
    "somebody else's view": ("audience", lambda game, seat: game.players[0]),
    "the story": ("tell", tell_all),
    "what is asked": ("whose_turn", lambda game: leaking(whose_turn(game))),
}


@pytest.mark.parametrize("where", LEAKS)
def test_a_leak_is_found(where, monkeypatch):
    monkeypatch.setattr(Dogpile, *LEAKS[where])
    with pytest.raises(AssertionError):
        TestDogpile().test_nothing_leaks()


def test_the_twins_differ():
    """What is compared are tables at which other cards are in hands and face down, and others may not know it."""
    hands = face_down = 0
    suite = TestDogpile()
    for seed in range(suite.games):
        for one, other, seats in suite.pairs(Random(seed)):
            hands += game_of(one).hands != game_of(other).hands and len(seats) > 1
            face_down += game_of(one).laid != game_of(other).laid
    assert hands > 60
    assert face_down > 20

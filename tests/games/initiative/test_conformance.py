"""Card initiative passes the conformance suite."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from cardhouse.cards import JOKERS, STANDARD
from cardhouse.engine import GM, SeededDealer, Table
from cardhouse.games.initiative.rules import Initiative
from cardhouse.testing import Conformance, Pair, Tree, ask_somebody, excused, is_offered
from cardhouse.testing.twins import undo_both
from tests.games.initiative.playing import game_of
from tests.thorough import FewerGames

HEADER = '{"cardhouse": 1, "game": "initiative", "seats": ["gm"]}\n'


def characters(*cards: str) -> str:
    """A transcript that puts these cards into the fight."""
    lines = [f'{{"by": "gm", "do": "add_character", "name": "{card}", "card": "{card}"}}\n' for card in cards]
    return HEADER + "".join(lines)


class TestInitiative(FewerGames, Conformance):
    game = "initiative"
    everything = True
    unreached = excused(
        event="hidden_leaves",
        rule="IN-3 IN-4 IN-5 IN-20",
    )
    games = 32
    trees = {
        # With one character, by hand: it is drawn first and acts (2 ways: the orders of the jokers), or it waits (4:
        # the red joker puts it back, and then there are 3; or the black one burns the red one); the red joker comes
        # first (3: it acts, it waits, the black one burns it); or the black one does, burning one of the others (2).
        "a single character": Tree(
            characters("C7"),
            {
                "IN-12 must_act_last": 1,
                "IN-12 waits": 6,
                "IN-13 acts": 8,
                "IN-15 waiting_acts": 3,
                "IN-16 round_over": 11,
                "IN-6 round_begins": 11,
                "IN-7 drawn": 11,
                "IN-8 red_joker": 5,
                "IN-8 red_joker_takes": 3,
                "IN-9 black_joker": 11,
                "IN-9 burns": 3,
                "IN-9 burns_joker": 3,
                "IN-9 burns_nothing": 5,
                "ways": 11,
            },
        ),
    }

    def start(self, rng: Random) -> Table:
        """Up to 20 characters, on sides or not, at times in a skirmish."""
        table = rolling(super().start(rng), rng, hit_from=4)
        for number, card in enumerate(rng.sample(STANDARD, rng.choice([1, 2, 3, 4, 6, 20]))):
            someone = {"name": f"{number}", "card": card, "controller": rng.choice(table.seats)}
            side = {"side": f"side {card[0]}"} if card[0] in "CD" else {}
            table.answer(GM, {"do": "add_character", **someone, **side, "hidden": rng.random() < 0.1})
        return table

    def check(self, table: Table) -> None:
        no_card_is_lost(game_of(table))

    def pairs(self, rng: Random) -> Iterator[Pair]:
        """Two fights in lockstep in which others lie in wait, with other cards, for other sides (IN-21)."""
        one = super().start(rng)
        other = Table(one.header, one.dealer)
        cards = rng.sample([card for card in STANDARD if card[0] in "CD"], rng.randint(1, 6))
        for number, card in enumerate(cards):
            someone = {"name": f"{number}", "card": card, "controller": rng.choice(one.seats)}
            for table in (one, other):
                table.answer(GM, {"do": "add_character", **someone})
        hidden: list[tuple[dict[str, str], dict[str, str]]] = []
        for number in range(self.answers):
            if number == 0 or (len(hidden) < 3 and rng.random() < 0.1):
                hiding = hides(one, rng), hides(other, rng)
                for table, character in zip((one, other), hiding, strict=True):
                    table.answer(GM, {"do": "add_character", **character, "hidden": True})
                hidden.append(hiding)
            elif rng.random() < 0.1:
                undo_both(one, other, GM, rng.randint(1, min(3, sum(entry.counts for entry in one.entries))))
            elif not lockstep(one, other, hidden, rng):
                return
            yield Pair(one, other, ["ada", "ben"])


def rolling(table: Table, rng: Random, **options: Any) -> Table:
    """Another new table like this one, at times with these options, by which strikes are rolled."""
    header = table.header
    more = options if rng.random() < 0.3 else {}
    dealer = SeededDealer(rng.getrandbits(32))
    new: dict[str, Any] = {"options": {**header.options, **more}, "decks": header.decks, "by_hand": header.by_hand}
    return Table.new(header.game, table.seats, dealer=dealer, **new)


def no_card_is_lost(game: Initiative) -> None:
    """No card is lost, none is there twice."""
    up = [card for card in (game.drawn, game.waiting, game.acting) if card is not None]
    there = sorted([*game.deck.cards(), *game.discard, *up])
    if game.under_way:
        assert there == sorted([*(c.card for c in game.characters if c.joined), *JOKERS])
    else:
        assert not up
        assert not game.deck
    assert len({c.card for c in game.characters}) == len({c.name for c in game.characters}) == len(game.characters)


def hides(table: Table, rng: Random) -> dict[str, str]:
    """Somebody who may come into hiding: a name, a card, perhaps a side, and somebody to play it."""
    while True:
        card, side = rng.choice(STANDARD), rng.choice([{}, {"side": rng.choice(["Gang", "Posse"])}])
        name = "".join(rng.choices("xyz", k=rng.randint(9, 12)))
        character = {"name": name, "card": card, "controller": rng.choice(table.seats), **side}
        if is_offered(table, GM, {"do": "add_character", **character, "hidden": True}):
            return character


Lines = list[dict[str, Any]]


def lockstep(
    one: Table,
    other: Table,
    hidden: list[tuple[dict[str, Any], dict[str, Any]]],
    rng: Random,
    differ: Callable[[Lines], Lines | None] = lambda lines: lines,
) -> bool:
    """The same answer with the same chance at both tables; False once somebody comes out of hiding.

    `differ` says what the lines of an answer are at the other table, None if all could tell the tables apart by them.
    """
    names = {mine["name"]: theirs["name"] for mine, theirs in hidden}
    cards = [mine["card"] for mine, _ in hidden]
    while True:
        asked = ask_somebody(one, rng, 0.15)
        assert asked is not None
        seat, answer = asked
        if answer.get("do") == "show" or answer.get("target") in names or turns_up(answer, cards):
            continue
        if "tier" in answer:  # what is the best card still free is told by the card that is given
            continue
        theirs = {
            field: names[value] if isinstance(value, str) and value in names else value
            for field, value in answer.items()
        }
        if "roll" in answer or is_offered(other, seat, theirs):
            break
    chance = one.answer(seat, answer).lines[1:]
    lines = None if any(turns_up(line, cards) for line in chance) else differ([theirs, *chance])
    if lines is not None:
        other.answer(seat, lines[0], chance=lines[1:])
    return lines is not None


def turns_up(line: dict[str, Any], cards: list[str]) -> bool:
    """Whether one of these cards is drawn from the initiative deck."""
    return line.get("draw") == "initiative" and line["card"] in cards


def test_no_move_to_a_side_shows_who_is_hidden_there():
    """A visible character can't be moved where a hidden one decides which card it gets (IN-21)."""
    table = Table.new("initiative")

    def add(name: str, card: str, **more: Any) -> None:
        table.answer(GM, {"do": "add_character", "name": name, "card": card, **more})

    def sides_of(name: str) -> Any:
        edits = {(one.get("of"), one["what"]): one["schema"] for one in table.editable(GM)}
        return edits[name, "side"]["enum"] if (name, "side") in edits else []

    add("Doc", "CQ")
    add("Nan", "DQ", side="Law")
    add("Zed", "H9", side="Gang", hidden=True)
    assert sides_of("Doc") == [None, "Law"]
    assert sides_of("Zed") == [None, "Law", "Gang"]
    add("Yan", "DA", side="Law", hidden=True)
    assert sides_of("Doc") == []
    table.answer(GM, {"do": "show", "name": "Yan"})
    table.answer(GM, {"do": "show", "name": "Zed"})
    assert sides_of("Doc") == [None, "Law", "Gang"]

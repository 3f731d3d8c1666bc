"""Tables in the middle of play, with any number of characters, as lines of a transcript."""

import json
from itertools import cycle

from cardhouse import Table
from cardhouse.engine import SeededDealer

Line = dict[str, object]

SEED = 7
LAW = ("Kit", "Doc Hollis", "Moll", "Rosa", "Hattie", "Zeke", "Bartholomew", "Nan Harlan", "Amos", "Silas")
GANG = ("Snake", "Boone", "Ike", "Mule", "Red Mara", "Fitch", "Gull", "Lucien Moreau", "Cousin Jeb", "Old Tom Reddy")
RANKS = ("K", "9", "8", "7", "Q", "J", "10", "6", "5", "4")


def seated(game: str, people: int, *, full: bool, **more: object) -> Line:
    """The first line of a table for this many characters, with all its seats taken, or all open."""
    seats = [f"p{place + 1}" for place in range(min(people, 7))]
    names = dict(zip(seats, ("Ann", "Ben", "Cat", "Dan", "Eva", "Flo", "Gus"), strict=False))
    return {
        "cardhouse": 1,
        "game": game,
        "seats": ["gm", *seats],
        "names": {"gm": "Maud", **names} if full else {},
        "name": "Noon in Red Gulch",
        **more,
    }


def sides(people: int) -> list[tuple[str, str, str]]:
    """Name, card and side of this many characters, on two sides by turns."""
    law = [(name, f"C{rank}", "Marshals") for name, rank in zip(LAW, RANKS, strict=True)]
    gang = [(name, f"D{rank}", "Gang") for name, rank in zip(GANG, RANKS, strict=True)]
    return [one for pair in zip(law, gang, strict=True) for one in pair][:people]


def order_of(game: str, people: int, *, full: bool = True, **more: object) -> list[Line]:
    """A round of card initiative or gunfight: the second character waits, the first is drawn and chooses."""
    hp = {"hp": 6, "max_hp": 6} if game == "gunfight" else {}
    lines = [seated(game, people, full=full, **more)]
    for (name, card, side), seat in zip(sides(people), cycle(("gm", "p1", "p2")), strict=False):
        lines.append(
            {"by": "gm", "do": "add_character", "name": name, "card": card, "side": side, "controller": seat, **hp}
        )
    return [*lines, {"by": "gm", "do": "start_round"}]


def gunfight(people: int, *, full: bool = True) -> list[Line]:
    """Round 1: the last character has been hit twice, and the first chooses a target."""
    lines = order_of("gunfight", people, full=full, options={"strikes": "d8"})
    (first, card, _), *_, (last, _, _) = sides(people)
    lines += [
        {"draw": "initiative", "card": card},
        {"by": "gm", "do": "damage", "target": last, "amount": 8},
        {"draw": "wounds", "card": "D3"},
        {"by": "gm", "do": "damage", "target": last, "amount": 1},
        {"draw": "wounds", "card": "H8"},
        {"by": "gm", "do": "act", "name": first},
    ]
    return lines


def initiative(people: int, *, full: bool = True) -> list[Line]:
    """Round 1: the second character waits, and the first is drawn and chooses."""
    (_, first, _), (other, second, _), *_ = sides(people)
    return [
        *order_of("initiative", people, full=full),
        {"draw": "initiative", "card": second},
        {"by": "gm", "do": "wait", "name": other},
        {"draw": "initiative", "card": first},
    ]


def hackjack(people: int, *, full: bool = True) -> list[Line]:
    """A fight in which the last character is down with two wounds."""
    lines = [seated("hackjack", people, full=full)]
    names = [name for name, _, _ in sides(people)]
    for place, name in enumerate(names):
        seat = "gm" if place % 2 else f"p{place // 2 + 1}" if place < 14 else "p1"
        lines.append({"by": "gm", "do": "add_character", "name": name, "hp": 6, "max_hp": 9, "controller": seat})
    for amount, card in ((9, "D3"), (2, "CQ")):
        lines += [{"by": "gm", "do": "damage", "target": names[-1], "amount": amount}, {"draw": "wounds", "card": card}]
    return lines


def dogs(people: int, *, full: bool = True) -> list[Line]:
    """A conflict with half the characters on each side; the first has Raised."""
    header = seated("dogs", people, full=full)
    names = [name for name, _, _ in sides(people)]
    table = _begun(header)
    for place, name in enumerate(names):
        create = {"do": "create", "name": name, "stats": {"acuity": 2, "body": 1, "heart": 2, "will": 1}}
        if place % 2:
            table.answer("gm", {**create, "npc": True})
        else:
            table.answer(f"p{place // 2 + 1}", create)
    stakes = "Does Silas open the cellar?"
    table.answer(
        "gm", {"do": "open_conflict", "stakes": stakes, "arena": "talking", "sides": [names[::2], names[1::2]]}
    )
    asks = table.asks()
    name = asks["with"]["name"]
    best = table.view("gm")["conflict"]["hands"][name][0]
    table.answer(asks["seats"][0], {"do": "raise", "name": name, "card": best})
    return _lines(table)


def dogpile(people: int, *, full: bool = True) -> list[Line]:
    """Round 1: about 20 cards lie around the Pack Leader, and their pack has been judged."""
    header = seated("dogpile", people, full=full, options={"hand_size": -(-20 // people)})
    seats = [f"p{place + 1}" for place in range(people)]
    names = dict(zip(seats, ("Ann", "Bea", "Cal", "Dot", "Eva", "Flo", "Gus", "Hal"), strict=False))
    header |= {"seats": ["gm", *seats], "names": names if full else {}}
    table = _begun(header)
    table.answer("gm", {"do": "begin", "first": "p1"})
    around = [(x, y) for x in (1, -1, 2, -2, 3, -3) for y in (0, 1, -1)]
    places = iter([(0, 1), (0, -1), *around])
    for seat in seats:
        hand = table.view(seat)["hands"][seat]
        cards = [{"card": card, "x": x, "y": y} for card, (x, y) in zip(hand, places, strict=False)]
        table.answer(seat, {"do": "lay", "cards": cards} if cards else {"do": "pass"})
    return _lines(table)


def _begun(header: Line) -> Table:
    """A table with random cards, as nothing here depends on them."""
    return Table.read([json.dumps(header)], SeededDealer(SEED))


def _lines(table: Table) -> list[Line]:
    return [json.loads(line) for line in table.transcript().splitlines()]

"""A program that plays a table of card initiative from Python, by what the table offers: `mypy --strict client.py`.

It needs Cardhouse alone. Questions, offers and views have types, so a checker finds a misspelled key or attribute.
"""

from typing import Any

from cardhouse import Table
from cardhouse.engine import OfferDoc, QuestionDoc, Refused
from cardhouse.games.initiative.view import InitiativeView

SEATS = ["gm", "ada", "ben"]
CARDS = {"Ada": "HK", "Ben": "H9", "Cy": "S2"}


def answer_to(offer: OfferDoc) -> dict[str, Any]:
    """Return an answer to an offer that picks the first value of each required field."""
    fields = {name: schema for name, schema in offer["fields"].items() if name not in offer.get("optional", [])}
    return {"do": offer["do"], **{name: first_of(schema) for name, schema in fields.items()}}


def first_of(schema: dict[str, Any]) -> Any:
    """Return the first value that a field's JSON Schema allows."""
    return schema["const"] if "const" in schema else schema["enum"][0]


def next_move(table: Table) -> tuple[str, OfferDoc] | None:
    """Return the first seat that may answer the open question for itself, with its first offer."""
    asks: QuestionDoc = table.asks()
    found = ((seat, offer) for seat in asks["seats"] for offer in table.offers(seat) if "for" not in offer)
    return next(found, None)


def play(table: Table, rounds: int) -> list[str]:
    """Play until this many rounds are over; return the moves, each with its seat."""
    moves: list[str] = []
    while (move := next_move(table)) is not None:
        seat, offer = move
        view = table.view(seat, InitiativeView)
        if view.round == rounds and not view.under_way:
            break
        answer = answer_to(offer)
        table.answer(seat, answer)
        moves.append(f"{seat} {answer['do']}")
    return moves


def main() -> None:
    """Add three characters, play two rounds, and print the moves and the order of the last round."""
    table = Table.new("initiative", seats=SEATS)
    for (name, card), seat in zip(CARDS.items(), ("ada", "ben", "gm"), strict=True):
        table.answer("gm", {"do": "add_character", "name": name, "card": card, "controller": seat})
    try:
        print(", ".join(play(table, 2)))
    except Refused as refused:
        print(refused.message, [offer.get("do") for offer in refused.offers])
    print(" ".join(table.view("screen", InitiativeView).order))


if __name__ == "__main__":
    main()

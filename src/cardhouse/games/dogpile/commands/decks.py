"""Deck files on the terminal: print a bundled one, or check any (DG-20)."""

from collections.abc import Iterator
from typing import Any

import typer
from rich.text import Text

from cardhouse.cli import words
from cardhouse.cli.transcripts import print_json, read_whole, source_of
from cardhouse.engine import CardhouseError
from cardhouse.games.dogpile.deck import Contact, DeckCard, Direction, DogDeck, Value
from cardhouse.games.dogpile.deck_file import DeckFileError, bundled_decks, deck_of, read_deck

LONELIEST = 10
"""The number of cards shown among those that can touch the fewest others."""


def chosen_deck(deck: str) -> DogDeck:
    """Return the bundled deck of this name, or else the deck of a file; `-` reads standard input.

    Raises DeckFileError listing every mistake, CardhouseError if the file can't be read.
    """
    return deck_of(data_of(deck))


def data_of(deck: str) -> dict[str, Any]:
    """Return the same deck as the data of its file, in the form of a table's option."""
    text = bundled_decks().get(deck)
    source = source_of(deck)
    return read_deck(read_whole(deck) if text is None else text, source)


def show(name: str) -> None:
    """Print a bundled deck file.

    Raises CardhouseError if there is none of this name.
    """
    if name not in bundled_decks():
        raise CardhouseError(f"No deck {name} comes with Cardhouse; there are {', '.join(bundled_decks())}.")
    typer.echo(bundled_decks()[name], nl=False)


def check(file: str, json: bool) -> None:
    """Print a deck's facts and how well it connects; with `json`, print mistakes as JSON, too.

    Raises DeckFileError listing every mistake, CardhouseError if the file can't be read.
    """
    try:
        deck = chosen_deck(file)
    except DeckFileError as error:
        if json:
            print_json({"ok": False, "mistakes": error.mistakes})
        raise
    if json:
        print_json(_as_json(deck))
    else:
        _describe(deck)


def _as_json(deck: DogDeck) -> dict[str, Any]:
    return {
        "ok": True,
        "mistakes": [],
        "name": deck.name,
        "cards": len(deck.cards),
        "attributes": deck.values,
        "wild": [{"card": card.id, "free": _free(card, deck)} for card in _wild(deck)],
        "touch": _loneliest(deck),
    }


def _describe(deck: DogDeck) -> None:
    out = words.console()
    out.print(Text(f"{deck.name}, {words.count(len(deck.cards), 'card')}", "bold"))
    if deck.text:
        out.print(deck.text)
    rows = words.grid(18, None)
    for heading, text in _facts(deck):
        rows.add_row(Text(heading, "bold"), text)
    out.print()
    out.print(rows)
    lonely = _loneliest(deck)
    beside, above = (sum(row[name] for row in lonely) / len(lonely) for name in ("beside", "above"))
    out.print(f"\nA card can touch {beside:.1f} others side by side and {above:.1f} above or below, on average.")
    out.print("Fewest of all:" if len(lonely) > LONELIEST else "Fewest first:")
    out.print(words.table_of(lonely[:LONELIEST], {"above": "Above or below", "beside": "Side by side"}))


def _facts(deck: DogDeck) -> Iterator[tuple[str, str]]:
    """Yield the facts of a deck, except those of single cards."""
    yield "Side by side", _rules_in_words(deck.beside)
    yield "Above or below", _rules_in_words(deck.above)
    for attribute, values in deck.values.items():
        unused = "" if attribute in deck.matters else "; no rule looks at it"
        yield attribute, f"{_values_in_words(values)}{unused}"
    for card in _wild(deck):
        yield "Wild", f"{card.id}, {card.name}: free in {', '.join(_free(card, deck))}"


def _rules_in_words(direction: Direction) -> str:
    """Return the rules of a direction in words."""
    return (" and " if direction.all else " or ").join(_rule(rule) for rule in direction.rules)


def _rule(rule: Contact) -> str:
    if rule.equal:
        return f"the same {rule.attribute}"
    if rule.different:
        return f"not the same {rule.attribute}"
    how = f"exactly {rule.differs_by}" if rule.at_most is None else f"{rule.at_most} at most"
    return f"{rule.attribute} {how} apart"


def _values_in_words(values: tuple[Value, ...]) -> str:
    """Return the values of an attribute, or their range."""
    numbers = [value for value in values if isinstance(value, int)]
    if numbers:
        return f"{min(numbers)} to {max(numbers)}, {words.count(len(numbers), 'value')}"
    more = f" and {len(values) - words.LISTED} more" if len(values) > words.LISTED else ""
    return ", ".join(map(str, values[: words.LISTED])) + more


def _wild(deck: DogDeck) -> list[DeckCard]:
    return [card for card in deck.cards.values() if card.wild]


def _free(card: DeckCard, deck: DogDeck) -> list[str]:
    """Return the attributes in which a wild card is free."""
    return [attribute for attribute in deck.values if attribute not in card.values]


def _loneliest(deck: DogDeck) -> list[dict[str, Any]]:
    """Return the number of other cards each card can touch in each direction, fewest first."""
    beside, above = deck.partners(beside=True), deck.partners(beside=False)
    found = [
        {"card": card.id, "name": card.name, "beside": beside[card.id], "above": above[card.id]}
        for card in deck.cards.values()
    ]
    return sorted(found, key=lambda row: row["beside"] + row["above"])

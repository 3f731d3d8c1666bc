"""Validation of the data of a deck file: every mistake, with its place (DG-20)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from math import prod
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, inspect

from cardhouse.engine.values.schema_errors import Wrong, did_you_mean, nearest, shown, unfit
from cardhouse.engine.values.toml_lines import Place
from cardhouse.games.dogpile.deck import NOT_ATTRIBUTES, Direction, Word, deck_from

FEWEST_CARDS: Final = 2
MOST_CARDS: Final = 300
MOST_ATTRIBUTES: Final = 12
MOST_AT_ONCE: Final = 6
"""The most values a card may have of one attribute."""
MOST_WILD: Final = 8
"""The most wild cards in a deck."""
MOST_JOKERS: Final = 2
"""DG-1: the most cards that are wild in everything that contacts depend on."""
MOST_KINDS: Final = 5_000
"""The most kinds of card in a deck, including those of its wild cards: the judge enumerates them."""

COMPARISONS: Final = ("differs_by", "at_most", "equal", "different")
FOR_NUMBERS: Final = ("differs_by", "at_most")


class DeckFile(msgspec.Struct, frozen=True):
    """A deck file. Its cards are checked separately."""

    name: Annotated[str, Meta(min_length=1, max_length=80)]
    beside: Direction
    above: Direction
    cards: Any
    text: Annotated[str, Meta(max_length=300)] = ""


class CardLine(msgspec.Struct, frozen=True):
    """The fields that any card may have. All others are attributes."""

    name: Annotated[str, Meta(min_length=1, max_length=60)] = ""
    text: Annotated[str, Meta(max_length=300)] = ""
    wild: bool = False


Number = Annotated[int, Meta(ge=-1000, le=1000)]

DECK_FILE = inspect.type_info(DeckFile)
CARD_LINE = inspect.type_info(CardLine)
KINDS: Final = {int: inspect.type_info(Number), str: inspect.type_info(Word)}
EXPECTED: Final[dict[type | None, str]] = {
    int: "a number, as on the other cards",
    str: "a text, as on the other cards",
    None: "a whole number or a text",
}

Attributes = dict[str, type | None]
"""The attributes of a deck, each with the type of its values: int, str, or None if neither."""


def find_mistakes(data: Mapping[str, Any]) -> Iterator[Wrong]:
    """Yield every mistake in the data of a deck file."""
    found = list(unfit(data, DECK_FILE, ()))
    for name in ("beside", "above"):
        found += _wrong_direction(data.get(name), (name,))
    for rule, place in _rules(data):
        found += _wrong_comparison(rule, place)
    cards = data.get("cards", {})
    if isinstance(cards, Mapping):
        found += _wrong_table(cards, data) if "cards" in data else ()
    else:
        found.append(Wrong(("cards",), f"must be a table that begins with [cards], not {shown(cards)}"))
    yield from found or _too_many_kinds(data)


def _wrong_table(cards: Mapping[str, Any], data: Mapping[str, Any]) -> Iterator[Wrong]:
    """Yield every mistake in the cards, and in the rules that refer to their attributes."""
    attributes = _attributes(cards)
    yield from _wrong_cards(cards, attributes)
    matters = set()
    for rule, place in _rules(data):
        if isinstance(attribute := rule.get("attribute"), str) and attribute:
            matters.add(attribute)
            yield from _wrong_attribute(attribute, rule, attributes, place)
    yield from _too_wild(cards, matters)


# Cards.


def _attributes(cards: Mapping[str, Any]) -> Attributes:
    """Return the attributes that at least half of the plain cards have, with the type of most of their values."""
    plain = [card for card in cards.values() if isinstance(card, Mapping) and card.get("wild") is not True]
    names = Counter(name for card in plain for name in card if name not in NOT_ATTRIBUTES)
    return {
        name: Counter(_type_of(card[name]) for card in plain if name in card).most_common(1)[0][0]
        for name, count in names.items()
        if 2 * count >= len(plain)
    }


def _type_of(value: Any) -> type | None:
    one = value[0] if isinstance(value, list) and value else value
    return type(one) if type(one) in KINDS else None


def _wrong_cards(cards: Mapping[str, Any], attributes: Attributes) -> Iterator[Wrong]:
    if not FEWEST_CARDS <= len(cards) <= MOST_CARDS:
        yield Wrong(("cards",), f"must be {FEWEST_CARDS} to {MOST_CARDS}, not {len(cards)}")
    if len(attributes) > MOST_ATTRIBUTES:
        yield Wrong(("cards",), f"have {len(attributes)} attributes; there may be {MOST_ATTRIBUTES} at most")
    if cards and all(isinstance(card, Mapping) and card.get("wild") is True for card in cards.values()):
        yield Wrong(("cards",), "are all wild; there must be some that say what a wild card can be")
    for card_id, card in cards.items():
        place = ("cards", card_id)
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,12}", card_id):
            yield Wrong(place, "can't be a card's id: an id has 1 to 12 letters, digits, - and _, such as C7")
        if not isinstance(card, Mapping):
            yield Wrong(place, f'must be a table, such as {{ name = "Rex", size = 3 }}, not {shown(card)}')
        else:
            yield from _wrong_card(card, attributes, place)


def _wrong_card(card: Mapping[str, Any], attributes: Attributes, place: Place) -> Iterator[Wrong]:
    yield from unfit({name: card[name] for name in NOT_ATTRIBUTES if name in card}, CARD_LINE, place)
    for name, value in card.items():
        if name not in NOT_ATTRIBUTES:
            yield from _wrong_value(name, value, attributes, (*place, name))
    missing = [name for name in attributes if name not in card]
    if card.get("wild") is not True:
        for name in missing:
            yield Wrong((*place, name), "is missing; every card that is not wild has it")
    elif not missing:
        yield Wrong((*place, "wild"), "is true, but the card leaves no attribute out for which it could be free")


def _wrong_value(name: str, value: Any, attributes: Attributes, place: Place) -> Iterator[Wrong]:
    if name not in attributes:
        near = nearest(name, attributes)
        hint = f"did you mean {near}?" if near else "all cards that are not wild have the same attributes"
        yield Wrong(place, f"is an attribute that most cards don't have; {hint}")
        return
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,29}", name):
        yield Wrong(place, "can't be an attribute's name: use one word of up to 30 small letters, such as size")
    if not isinstance(value, list):
        yield from _wrong_single(value, attributes[name], place)
        return
    if not 1 <= len(value) <= MOST_AT_ONCE:
        yield Wrong(place, f"has {len(value)} values; a card has 1 to {MOST_AT_ONCE} of an attribute")
    for number, one in enumerate(value):
        if one in value[:number]:
            yield Wrong(place, f"has {shown(one)} twice; once is enough")
        yield from _wrong_single(one, attributes[name], place)


def _wrong_single(value: Any, kind: type | None, place: Place) -> Iterator[Wrong]:
    """Yield the mistakes in one value."""
    if type(value) in KINDS and kind in (type(value), None):
        yield from unfit(value, KINDS[type(value)], place)
    else:
        yield Wrong(place, f"must be {EXPECTED[kind]}, not {shown(value)}")


# Contact rules.


def _wrong_direction(direction: Any, place: Place) -> Iterator[Wrong]:
    """Yield mistakes in the lists of a direction that its type doesn't cover."""
    if not isinstance(direction, Mapping):
        return
    given = [name for name in ("all", "any") if name in direction]
    if len(given) != 1:
        yield Wrong(place, f"must have one list of rules, all or any{', not both' if given else ''}")
    for name in given:
        if direction[name] == []:
            yield Wrong((*place, name), "must have a rule at least")


def _rules(data: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], Place]]:
    """Yield all readable contact rules with their places."""
    for name, how in product(("beside", "above"), ("all", "any")):
        direction = data.get(name)
        rules = direction.get(how) if isinstance(direction, Mapping) else None
        for number, rule in enumerate(rules if isinstance(rules, list) else ()):
            if isinstance(rule, Mapping):
                yield rule, (name, how, number)


def _wrong_comparison(rule: Mapping[str, Any], place: Place) -> Iterator[Wrong]:
    """Yield a mistake unless a rule compares in exactly one way."""
    compared = [name for name in COMPARISONS if name in rule]
    if len(compared) != 1:
        found = f", not {' and '.join(compared)} together" if compared else ""
        yield Wrong(place, f"must have one of {', '.join(COMPARISONS)}{found}")
    for name in compared:
        if rule[name] is False:
            yield Wrong((*place, name), "can only be true; a rule says it by one of equal = true and different = true")


def _wrong_attribute(attribute: str, rule: Mapping[str, Any], attributes: Attributes, place: Place) -> Iterator[Wrong]:
    """Yield a mistake unless the cards have a rule's attribute and it can be compared this way."""
    if attribute not in attributes:
        hint = did_you_mean(attribute, attributes) if attributes else "there are none"
        yield Wrong((*place, "attribute"), f"can't be {shown(attribute)}, which is no attribute of the cards; {hint}")
    elif attributes[attribute] is str:
        for name in FOR_NUMBERS:
            if name in rule:
                yield Wrong((*place, name), f"is for numbers, and {attribute} is a text")


# Wild cards.


def _too_wild(cards: Mapping[str, Any], matters: set[str]) -> Iterator[Wrong]:
    """Yield the wild cards beyond the limits of the game and the judge (DG-1)."""
    wild = [card_id for card_id, card in cards.items() if isinstance(card, Mapping) and card.get("wild") is True]
    jokers = [card_id for card_id in wild if matters.isdisjoint(cards[card_id])]
    for card_id in wild[MOST_WILD:]:
        yield Wrong(("cards", card_id, "wild"), f"is one too many: {len(wild)} cards are wild, and {MOST_WILD} may be")
    for card_id in jokers[MOST_JOKERS:] if matters else ():
        problem = f"is one too many: {len(jokers)} cards are wild in all that the rules of contact name"
        yield Wrong(("cards", card_id, "wild"), f"{problem}, and {MOST_JOKERS} may be")


def _too_many_kinds(data: Mapping[str, Any]) -> Iterator[Wrong]:
    """Yield a mistake if an otherwise valid deck has more kinds of card than the judge can enumerate."""
    deck = deck_from(data)
    most = f"a deck may have {MOST_KINDS:,} at most, so leave out fewer attributes"
    wide = {card.id: prod(map(len, deck.choices(card))) for card in deck.cards.values() if card.wild}
    for card_id, kinds in wide.items():
        if kinds > MOST_KINDS:
            yield Wrong(("cards", card_id, "wild"), f"leaves {kinds:,} kinds of card that it could be; {most}")
    # Checked first, because otherwise there may be too many to list.
    if max(wide.values(), default=0) <= MOST_KINDS < len(deck.kinds):
        yield Wrong(("cards",), f"are of {len(deck.kinds):,} kinds, those that wild cards could be included; {most}")

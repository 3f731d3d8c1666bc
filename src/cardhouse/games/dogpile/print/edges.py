"""Contact rules in words: the text at a card's edges, and the rules as a whole."""

from __future__ import annotations

from collections.abc import Iterable

from cardhouse.games.dogpile.deck import Contact, DeckCard, Direction, DogDeck, Held, Value, all_of


def requirements(deck: DogDeck, card: DeckCard, direction: Direction) -> list[str] | None:
    """Return what a card needs to touch this one, a phrase for each rule: `size 2 to 4`, `not terrier`.

    None if any card may. All of them must hold, or any one, depending on the direction. Attributes in which this card
    is wild ask for nothing: it takes the value that is needed.
    """
    bound = [rule for rule in direction.rules if rule.attribute in card.values]
    if not bound or (direction.any and len(bound) < len(direction.rules)):
        return None
    return [_requirement(rule, card.values[rule.attribute], deck.values[rule.attribute]) for rule in bound]


def _requirement(rule: Contact, own: Held, values: Iterable[Value]) -> str:
    """Return what a rule requires of the other card's value."""
    mine = [value_in_words(rule.attribute, value) for value in all_of(own)]
    if rule.equal:
        return " or ".join(mine)
    if rule.different:
        return f"not {' nor '.join(mine)}"
    fitting = sorted(int(value) for value in values if rule.holds(own, value))
    return f"{spaced(rule.attribute)} {_numbers_in_words(fitting)}"


def _numbers_in_words(numbers: list[int]) -> str:
    """Return numbers in words, a run of more than two by its ends: `6 or 8`, `2 to 4`."""
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]} to {numbers[-1]}"
    *others, last = [str(number) for number in numbers] or ["of no card"]
    return f"{', '.join(others)} or {last}" if others else last


def rules_in_words(direction: Direction) -> str:
    """Return the rules of a direction: `the size differs by 1 at most, and the breed is not the same`."""
    joined = ", and " if direction.all else ", or "
    return joined.join(_rule_in_words(rule) for rule in direction.rules)


def _rule_in_words(rule: Contact) -> str:
    attribute = f"the {spaced(rule.attribute)}"
    if rule.equal or rule.different:
        return f"{attribute} is {'' if rule.equal else 'not '}the same"
    how = f"{rule.at_most} at most" if rule.at_most is not None else f"exactly {rule.differs_by}"
    return f"{attribute} differs by {how}"


def value_in_words(attribute: str, value: Value) -> str:
    """Return a value on its own: a word as it is, a number with its attribute."""
    return value if isinstance(value, str) else f"{spaced(attribute)} {value}"


def spaced(attribute: str) -> str:
    """Return an attribute's name for display."""
    return attribute.replace("_", " ")

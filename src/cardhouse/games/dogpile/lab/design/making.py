"""A designed deck as a deck file: names for its cards, and the data and text of the file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from cardhouse.cards import Card
from cardhouse.games.dogpile.deck import bits_of
from cardhouse.games.dogpile.lab.design.wanted import MOST_VALUES
from cardhouse.games.dogpile.lab.kernels.arranging import Masks

SUITS: Final = ("bones", "balls", "paws", "sticks", "leads", "moons", "whistles", "kennels", "puddles", "tails")
"""The names of suits. Further suits are named by number."""
RULES: Final[Mapping[str, Any]] = {
    "beside": {"all": [{"attribute": "number", "differs_by": 1}]},
    "above": {"all": [{"attribute": "suit", "equal": True}]},
}
"""The contact rules, the same as with ordinary cards (DG-11, DG-12)."""
FIRST_LETTERS: Final = 2
"""The number of letters of a suit in the ids of its cards."""


def deck_data(numbers: Masks, suits: Masks, plain: int, name: str, text: str) -> dict[str, Any]:
    """Return the data of a deck file. `numbers` and `suits` are bit sets for the `plain` cards, then the wild ones."""
    rows = sorted((_values(numbers[card]), _values(suits[card])) for card in range(plain))
    cards = dict(_plain_cards(rows))
    every = [max(numbers.tolist(), default=0), max(suits.tolist(), default=0)]
    for place, card in enumerate(range(plain, len(numbers)), start=1):
        free = [mask[card] == whole for mask, whole in zip((numbers, suits), every, strict=True)]
        cards[f"wild-{place}"] = _wild_card(_values(numbers[card]), _values(suits[card]), *free)
    return {"name": name, "text": text, **RULES, "cards": cards}


def _values(mask: Any) -> tuple[int, ...]:
    return tuple(bits_of(int(mask)))


def _plain_cards(rows: Sequence[tuple[tuple[int, ...], tuple[int, ...]]]) -> Iterable[tuple[Card, dict[str, Any]]]:
    """Yield each card with its id and line. The second of identical cards ends in b, the third in c."""
    copies: Counter[str] = Counter()
    for its_numbers, its_suits in rows:
        numbers, suits = [number + 1 for number in its_numbers], [suit_name(suit) for suit in its_suits]
        short = "-".join([*map(str, numbers), *(_initials(suit) for suit in its_suits)])
        copies[short] += 1
        copy = copies[short]
        name = f"{' and '.join(map(str, numbers))} of {' and '.join(suits)}"
        yield f"{short}{_letter(copy)}", {"name": name, "number": _one_or_all(numbers), "suit": _one_or_all(suits)}


def suit_name(suit: int) -> str:
    """Return the name of a suit, by its number."""
    return SUITS[suit] if suit < len(SUITS) else f"s{suit + 1}"


def _initials(suit: int) -> str:
    return suit_name(suit)[:FIRST_LETTERS] if suit < len(SUITS) else suit_name(suit)


def _letter(copy: int) -> str:
    return "" if copy == 1 else chr(ord("a") + copy - 1) if copy <= 26 else f"_{copy}"


def _one_or_all(values: Sequence[Any]) -> Any:
    return values[0] if len(values) == 1 else list(values)


def _wild_card(numbers: Sequence[int], suits: Sequence[int], any_number: bool, any_suit: bool) -> dict[str, Any]:
    if any_number and any_suit:
        return {"name": "Joker", "wild": True}
    if any_number:
        suit = suit_name(suits[0])
        return {"name": f"Any of {suit}", "suit": suit, "wild": True}
    return {"name": f"Any {numbers[0] + 1}", "number": numbers[0] + 1, "wild": True}


def deck_text(data: Mapping[str, Any], remarks: Iterable[str]) -> str:
    """Return the deck file of these data, with remarks as its header."""
    lines = [f"# {remark}".rstrip() for remark in remarks]
    lines += ["", f"name = {_toml(data['name'])}", f"text = {_toml(data['text'])}"]
    for direction in ("beside", "above"):
        lines += ["", f"[{direction}]", *(f"{how} = {_toml(rules)}" for how, rules in data[direction].items())]
    lines += ["", "[cards]", *(f"{card} = {_toml(line)}" for card, line in data["cards"].items())]
    return "\n".join([*lines, ""])


def _toml(value: Any) -> str:
    """Return a value as inline TOML."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key} = {_toml(one)}' for key, one in value.items())} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return msgspec.json.encode(value).decode()


assert MOST_VALUES < 100, "ids have room for two digits"

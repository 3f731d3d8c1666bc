"""Deck files: the built-in ones, and the errors of invalid ones (DG-20)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from itertools import product
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardhouse.cards import JOKERS, STANDARD
from cardhouse.engine import BadFile, CardhouseError, Mistake
from cardhouse.games.dogpile.deck import NOT_ATTRIBUTES, Contact, Direction
from cardhouse.games.dogpile.deck_check import MOST_CARDS, MOST_KINDS, MOST_WILD, find_mistakes
from cardhouse.games.dogpile.deck_file import (
    STANDARD_FILE,
    DeckFileError,
    bundled_decks,
    deck_of,
    read_deck,
    standard_deck,
)
from cardhouse.games.dogpile.judge import judge
from cardhouse.games.dogpile.print.edges import requirements
from tests.thorough import many

# The decks that come along.


def test_the_standard_deck():
    deck = standard_deck()
    assert list(deck.cards) == [*STANDARD, *JOKERS]
    assert deck.jokers == JOKERS
    numbers = ["A", *map(str, range(2, 11)), "J", "Q", "K"]
    for suit, number in product(("clubs", "diamonds", "hearts", "spades"), range(1, 14)):
        card = deck.cards[suit[0].upper() + numbers[number - 1]]
        assert (card.values, card.wild) == ({"number": number, "suit": suit}, False)
        assert card.name.endswith(f" of {suit}")
    assert len(deck.kinds) == 52
    assert standard_deck() is deck


def test_what_may_touch_in_the_standard_deck():
    deck = standard_deck()
    for (one, bits), (other, others) in product(deck.may_be.items(), repeat=2):
        if one in STANDARD and other in STANDARD:
            apart = abs(STANDARD.index(one) % 13 - STANDARD.index(other) % 13)
            kind = bits.bit_length() - 1
            assert bool(deck.fits_beside[kind] & others) == (apart == 1)
            assert bool(deck.fits_above[kind] & others) == (one[0] == other[0])
    assert deck.partners(beside=True) == {
        card: 54 - 1 if card in JOKERS else (4 if card[1:] in ("A", "K") else 8) + 2 for card in deck.cards
    }
    assert deck.partners(beside=False) == {card: 53 if card in JOKERS else 12 + 2 for card in deck.cards}


@pytest.mark.parametrize("name", bundled_decks())
def test_each_deck_that_comes_along_can_be_played(name: str):
    text = bundled_decks()[name]
    data = read_deck(text, name)
    assert data == read_deck(text.encode()) == tomllib.loads(text)
    deck = deck_of(data)
    assert list(deck.cards) == list(data["cards"])
    partners = [deck.partners(beside=beside) for beside in (True, False)]
    assert all(min(found.values()) > 0 for found in partners)


def test_the_standard_deck_comes_first():
    assert next(iter(bundled_decks().items())) == ("standard", STANDARD_FILE)


def test_the_first_lines_of_the_standard_file_explain_every_word():
    explained = set(re.findall(r"\w+", "".join(re.findall(r"^#.*\n", STANDARD_FILE, re.MULTILINE))))
    fields = {
        *Contact.__struct_fields__,
        *Direction.__struct_fields__,
        *NOT_ATTRIBUTES,
        "name",
        "beside",
        "above",
        "cards",
    }
    assert fields <= explained


def test_the_same_data_give_the_same_deck():
    assert deck_of({}) is standard_deck()
    data = read_deck(RIGHT)
    assert deck_of(data) is deck_of(read_deck(RIGHT))
    assert deck_of(data) is not deck_of({**data, "name": "Others"})
    cards = dict(reversed(data["cards"].items()))
    assert list(deck_of({**data, "cards": cards}).cards) == ["d2", "d1"]


# Reading.

HEAD = """\
name = "Dogs"
beside.all = [{ attribute = "size", at_most = 1 }]
above.any = [{ attribute = "mood", equal = true }, { attribute = "size", different = true }]
[cards]
"""
RIGHT = HEAD + 'd1 = { size = 1, mood = "calm" }\nd2 = { name = "Max", text = "", size = -2, mood = "merry" }\n'


def test_a_small_deck():
    deck = deck_of(read_deck(RIGHT + 'w = { wild = true, size = 1 }\nj = { wild = true, text = "Any dog." }\n'))
    assert (deck.name, deck.text, deck.matters) == ("Dogs", "", ("size", "mood"))
    assert [(card.id, card.name, card.text, card.wild) for card in deck.cards.values()] == [
        ("d1", "d1", "", False),
        ("d2", "Max", "", False),
        ("w", "w", "", True),
        ("j", "j", "Any dog.", True),
    ]
    assert deck.values == {"size": (1, -2), "mood": ("calm", "merry")}
    assert deck.jokers == ("j",)
    assert deck.kinds == ((1, "calm"), (-2, "merry"), (1, "merry"), (-2, "calm"))
    assert deck.may_be == {"d1": 0b1, "d2": 0b10, "w": 0b101, "j": 0b1111}
    assert [deck.card_of(kind) for kind in range(3)] == ["d1", "d2", {"size": 1, "mood": "merry"}]


def test_a_card_that_is_free_only_in_what_no_rule_names_is_a_plain_one():
    coats = RIGHT.replace('m" }', 'm", coat = 1 }').replace('y" }', 'y", coat = 2 }')
    deck = deck_of(read_deck(coats + 'w = { wild = true, size = 1, mood = "calm" }\n'))
    assert deck.may_be["w"] == deck.may_be["d1"]
    assert deck.jokers == ()


# Mistakes.


def mistakes(text: str | bytes, where: str = "mine.toml") -> list[Mistake]:
    with pytest.raises(DeckFileError) as caught:
        read_deck(text, where)
    error = caught.value
    assert isinstance(error, BadFile)
    assert error.message.startswith(f"The deck in {where} can't be used because of ")
    assert [mistake.line for mistake in error.mistakes] == sorted(mistake.line for mistake in error.mistakes)
    for mistake in error.mistakes:
        assert mistake.message.startswith(mistake.field)
        assert mistake.message.endswith((".", "?"))
    return error.mistakes


def head(line: int, text: str) -> str:
    """The right deck with another line among the first three."""
    lines = RIGHT.splitlines()
    lines[line - 1] = text
    return "\n".join(lines)


def card(said: str, key: str = "d3") -> str:
    """The right deck with a card more, in line 7."""
    return f"{RIGHT}{key} = {said}\n"


def beside(rule: str) -> str:
    """The right deck with another rule beside, in line 2."""
    return head(2, f"beside.all = [{{ {rule} }}]")


PLAIN = 'size = 1, mood = "calm"'
ONE_MISTAKE = [
    # text, line, field, what is said
    (head(1, ""), 1, "name", "is missing."),
    (head(1, 'name = ""'), 1, "name", "is empty"),
    (head(1, "name = 5"), 1, "name", "must be a text, in quotation marks, not 5."),
    (head(1, f'name = "{"x" * 81}"'), 1, "name", "80 characters at most; this has 81"),
    (head(1, 'name = "Dogs"\ntext = "a\\nb"'), 2, "text", "single line"),
    (head(1, 'name = "Dogs"\ncard = 1'), 2, "card", "is an unknown field; did you mean cards?"),
    (head(1, 'name = "Dogs"\nzzz = 1'), 2, "zzz", "there are name, beside, above, cards, text."),
    (RIGHT.partition("[cards]")[0], 1, "cards", "is missing."),
    (RIGHT.partition("[cards]")[0] + "cards = []", 4, "cards", "must be a table that begins with [cards], not a list."),
    # Cards.
    ("\n".join(RIGHT.splitlines()[:5]), 4, "cards", "must be 2 to 300, not 1."),
    (card(f"{{ {PLAIN} }}", '"d 3"'), 7, 'cards."d 3"', "1 to 12 letters, digits, - and _"),
    (card(f"{{ {PLAIN} }}", '"dé"'), 7, 'cards."dé"', "can't be a card's id"),
    (card(f"{{ {PLAIN} }}", "a234567890123"), 7, "cards.a234567890123", "1 to 12 letters"),
    (card(f"{{ {PLAIN} }}", '""'), 7, 'cards.""', "can't be a card's id"),
    (card("5"), 7, "cards.d3", "must be a table, such as"),
    (card(f"{{ {PLAIN} }}", "d1"), 7, "cards.d1", "is here twice; the first is in line 5."),
    (RIGHT + f"[cards.d2]\n{PLAIN.replace(', ', chr(10))}", 7, "cards.d2", "the first is in line 6."),
    (card(f'{{ {PLAIN}, name = "" }}'), 7, "cards.d3.name", "is empty"),
    (card(f'{{ {PLAIN}, name = "{"x" * 61}" }}'), 7, "cards.d3.name", "60 characters at most"),
    (card(f'{{ {PLAIN}, text = "{"x" * 301}" }}'), 7, "cards.d3.text", "300 characters at most"),
    (card(f'{{ {PLAIN}, text = "a\\tb" }}'), 7, "cards.d3.text", "without control characters"),
    (card(f"{{ {PLAIN}, wild = 1 }}"), 7, "cards.d3.wild", "must be true or false, not 1."),
    (card('{ size = 1001, mood = "calm" }'), 7, "cards.d3.size", "from -1000 to 1000, not 1001."),
    (card('{ size = "big", mood = "calm" }'), 7, "cards.d3.size", 'a number, as on the other cards, not "big".'),
    (card('{ size = true, mood = "calm" }'), 7, "cards.d3.size", "not true."),
    (card('{ size = 1.5, mood = "calm" }'), 7, "cards.d3.size", "not 1.5."),
    (card("{ size = 1, mood = 5 }"), 7, "cards.d3.mood", "must be a text, as on the other cards, not 5."),
    (card('{ size = 1, mood = "" }'), 7, "cards.d3.mood", "is empty"),
    (card(f'{{ size = 1, mood = "{"x" * 41}" }}'), 7, "cards.d3.mood", "40 characters at most"),
    (card('{ mood = "calm" }'), 7, "cards.d3.size", "is missing; every card that is not wild has it."),
    (card(f"{{ {PLAIN}, siz = 3 }}"), 7, "cards.d3.siz", "most cards don't have; did you mean size?"),
    (card(f"{{ {PLAIN}, Size = 3 }}"), 7, "cards.d3.Size", "did you mean size?"),
    (card(f"{{ {PLAIN}, coat = 3 }}"), 7, "cards.d3.coat", "all cards that are not wild have the same attributes."),
    # Wild cards.
    (card(f"{{ {PLAIN}, wild = true }}"), 7, "cards.d3.wild", "leaves no attribute out for which it could be free."),
    (card("{ wild = true, coat = 3 }"), 7, "cards.d3.coat", "most cards don't have"),
    # Rules.
    (head(2, ""), 1, "beside", "is missing."),
    (head(2, "beside = 1"), 2, "beside", "must be a table, in braces, not 1."),
    (head(2, "beside = {}"), 2, "beside", "must have one list of rules, all or any."),
    (head(2, "beside.all = []"), 2, "beside.all", "must have a rule at least."),
    (head(2, "beside.all = 1"), 2, "beside.all", "must be a list, in brackets, not 1."),
    (head(2, "beside.all = [1]"), 2, "beside.all[1]", "must be a table"),
    (head(2, "beside.al = []\n" + RIGHT.splitlines()[1]), 2, "beside.al", "did you mean all?"),
    (
        RIGHT.replace("above.any", 'above.all = [{ attribute = "size", equal = true }]\nabove.any'),
        3,
        "above",
        "must have one list of rules, all or any, not both.",
    ),
    (
        head(2, "beside.all = [" + '{ attribute = "size", equal = true },' * 9 + "]"),
        2,
        "beside.all",
        "8 entries at most; this has 9.",
    ),
    (beside("at_most = 1"), 2, "beside.all[1].attribute", "is missing."),
    (beside('attribute = "Size", at_most = 1'), 2, "beside.all[1].attribute", 'can\'t be "Size"'),
    (beside('attribute = "Size", at_most = 1'), 2, "beside.all[1].attribute", "did you mean size?"),
    (beside('attribute = "coat", equal = true'), 2, "beside.all[1].attribute", "there are size, mood."),
    (beside('attribute = "size"'), 2, "beside.all[1]", "must have one of differs_by, at_most, equal, different."),
    (beside('attribute = "size", at_most = 1, equal = true'), 2, "beside.all[1]", "not at_most and equal together."),
    (beside('attribute = "size", equal = false'), 2, "beside.all[1].equal", "can only be true"),
    (beside('attribute = "size", equal = 1'), 2, "beside.all[1].equal", "must be true or false, not 1."),
    (beside('attribute = "size", differs_by = -1'), 2, "beside.all[1].differs_by", "from 0 to 1000, not -1."),
    (beside('attribute = "size", at_most = 1001'), 2, "beside.all[1].at_most", "from 0 to 1000, not 1001."),
    (beside('attribute = "size", differs = 1, equal = true'), 2, "beside.all[1].differs", "did you mean differs_by?"),
    (beside('attribute = "mood", differs_by = 1'), 2, "beside.all[1].differs_by", "for numbers, and mood is a text."),
    (
        head(3, 'above.any = [{ attribute = "mood", equal = true },\n{ attribute = "mood", at_most = 1 }]'),
        4,
        "above.any[2].at_most",
        "is for numbers",
    ),
    # No TOML.
    (card("{ size = }"), 7, "", "This is not TOML: "),
    ("#" + "é" * 100_000, 1, "", "a deck file may have 200000 at most."),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "field", "said"), ONE_MISTAKE)
def test_a_mistake_names_its_line_and_field(text: str, line: int, field: str, said: str):
    found = mistakes(text)
    assert [(mistake.line, mistake.field) for mistake in found] == [(line, field)]
    assert said in found[0].message


def test_the_right_deck_is_right():
    assert len(read_deck(RIGHT)["cards"]) == 2


def test_all_mistakes_are_listed_at_once():
    text = (
        'name = ""\n'
        "[beside]\n"
        'all = [{ attribute = "sise", equal = true }]\n'
        "[above]\n"
        "any = [\n"
        '  { attribute = "mood", at_most = 1 },\n'
        '  { attribute = "mood", equal = true, different = true },\n'
        "]\n"
        "[cards]\n"
        'a = { size = 1, mood = "calm" }\n'
        'b = { size = "1", mood = "calm", name = 3 }\n'
        'a = { size = 2, mood = "calm" }\n'
        "c = { size = 1, wild = false }\n"
        "[dogs]\n"
    )
    assert [(mistake.line, mistake.field) for mistake in mistakes(text)] == [
        (1, "name"),
        (3, "beside.all[1].attribute"),
        (6, "above.any[1].at_most"),
        (7, "above.any[2]"),
        (11, "cards.b.name"),
        (11, "cards.b.size"),
        (12, "cards.a"),
        (13, "cards.c.mood"),
        (14, "dogs"),
    ]


def test_an_invalid_attribute_name_is_reported_for_every_card():
    text = RIGHT.replace("mood", "Mood")
    assert [(mistake.line, mistake.field) for mistake in mistakes(text)] == [(5, "cards.d1.Mood"), (6, "cards.d2.Mood")]
    assert "one word of up to 30 small letters" in mistakes(text)[0].message


def plain_deck(number: int) -> str:
    """A deck of so many plain cards, each of its own size."""
    return HEAD + "".join(f'd{size} = {{ size = {size}, mood = "calm" }}\n' for size in range(number))


def test_how_many_cards():
    assert len(deck_of(read_deck(plain_deck(MOST_CARDS))).cards) == MOST_CARDS
    assert [(one.line, one.field) for one in mistakes(plain_deck(MOST_CARDS + 1))] == [(4, "cards")]


def test_no_more_than_two_cards_are_wild_in_everything_dg1():
    jokers = "".join(f"j{number} = {{ wild = true, text = 'x' }}\n" for number in range(4))
    assert [(one.line, one.field) for one in mistakes(plain_deck(5) + jokers)] == [
        (12, "cards.j2.wild"),
        (13, "cards.j3.wild"),
    ]


def test_no_more_than_eight_cards_are_wild():
    wild = [f"w{number} = {{ wild = true, size = {number} }}\n" for number in range(MOST_WILD + 1)]
    assert len(deck_of(read_deck(plain_deck(9) + "".join(wild[:-1]))).cards) == 9 + MOST_WILD
    assert [(one.line, one.field) for one in mistakes(plain_deck(9) + "".join(wild))] == [(22, "cards.w8.wild")]


def test_no_deck_of_wild_cards_only():
    found = mistakes(HEAD + "w1 = { wild = true, size = 1 }\nw2 = { wild = true, size = 1 }\n")
    assert "are all wild" in {mistake.message: mistake for mistake in found if mistake.field == "cards"}.popitem()[0]


def wide(values: int, wild: str) -> str:
    """A deck with so many values of each of two attributes."""
    rules = 'beside.all = [{ attribute = "a", equal = true }, { attribute = "b", equal = true }]\n'
    cards = "".join(f"d{number} = {{ a = {number}, b = {number}, c = {number % 2} }}\n" for number in range(values))
    return f'name = "Wide"\n{rules}above.all = [{{ attribute = "c", equal = true }}]\n[cards]\n{cards}{wild}'


def test_no_more_kinds_than_the_judge_can_go_through():
    one = "j = { wild = true, c = 0 }\n"
    assert len(deck_of(read_deck(wide(70, one))).kinds) == 70 * 70 + 35 <= MOST_KINDS
    assert [(found.line, found.field, found.message) for found in mistakes(wide(71, one))] == [
        (
            76,
            "cards.j.wild",
            (
                "cards.j.wild leaves 5,041 kinds of card that it could be; a deck may have 5,000 at most, so leave out "
                "fewer attributes."
            ),
        )
    ]
    found = mistakes(wide(60, one + "k = { wild = true, c = 1 }\n"))
    assert [(mistake.line, mistake.field) for mistake in found] == [(4, "cards")]
    assert "are of 7,200 kinds" in found[0].message
    everything = mistakes(wide(300 - 1, "j = { wild = true }\n"))
    assert "leaves 178,802 kinds" in everything[0].message


def test_plain_data_that_do_not_fit():
    data = {**read_deck(card(f"{{ {PLAIN} }}")), "name": None}
    data["cards"]["d1"] = {"mood": "calm"}
    with pytest.raises(CardhouseError, match=r"^deck: name must be .*, not null\. cards\.d1\.size is missing; .*\.$"):
        deck_of(data)
    with pytest.raises(CardhouseError, match=r"^deck must be a table"):
        deck_of(["C4"])  # type: ignore[arg-type]
    with pytest.raises(CardhouseError, match=r"^deck must be plain data"):
        deck_of({"cards": object()})


# Anything at all.

WORDS = st.sampled_from(["name", "text", "wild", "all", "any", "attribute", "equal", "at_most", "size", "mood", "d1"])
PLAIN_DATA: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS | st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


def planted(data: Any, path: list[int], value: Any) -> Any:
    """The data with another value somewhere, where the path leads."""
    inner = list(data.items()) if isinstance(data, Mapping) else list(enumerate(data)) if isinstance(data, list) else []
    if not inner or not path:
        return value
    key, old = inner[path[0] % len(inner)]
    new = [(name, planted(old, path[1:], value) if name == key else item) for name, item in inner]
    return dict(new) if isinstance(data, Mapping) else [item for _, item in new]


@settings(max_examples=many(150, 100), deadline=None)
@given(st.lists(st.integers(0, 9), min_size=1, max_size=5), PLAIN_DATA)
def test_any_data_is_accepted_or_its_mistakes_are_listed(path: list[int], value: Any):
    data = planted(read_deck(RIGHT), path, value)
    wrong = list(find_mistakes(msgspec.json.decode(msgspec.json.encode(data))))
    if wrong:
        with pytest.raises(CardhouseError, match=r"^deck: "):
            deck_of(data)
    else:
        deck = deck_of(data)
        assert all(deck.may_be.values())
        assert set(deck.partners(beside=True)) == set(deck.partners(beside=False)) == set(data["cards"])


DOG_LINES = STANDARD_FILE.splitlines()


@settings(max_examples=many(60, 60), deadline=None)
@given(st.data())
def test_a_mistake_planted_anywhere_in_the_standard_file_is_found_there(data: st.DataObject):
    places = [number for number, line in enumerate(DOG_LINES) if re.match(r"[CDHS][0-9AJQK]+ = ", line)]
    lines = list(DOG_LINES)
    expected = []
    for number in sorted(data.draw(st.sets(st.sampled_from(places), min_size=1, max_size=5))):
        name, old, new = data.draw(
            st.sampled_from(
                [("number", r"number = \d+", "number = 07:32:00"), ("suit", r'suit = "\w+"', "suit = 1979-05-27")]
            )
        )
        lines[number] = re.sub(old, new, lines[number])
        expected.append((number + 1, f"cards.{lines[number].partition(' ')[0]}.{name}"))
    assert [(mistake.line, mistake.field) for mistake in mistakes("\n".join(lines))] == expected


# Cards that are several things at once.

SEVERAL = {
    "name": "Several",
    "beside": {"all": [{"attribute": "number", "differs_by": 1}]},
    "above": {"all": [{"attribute": "suit", "different": True}]},
    "cards": {
        "a": {"number": [3, 8], "suit": ["x", "y"]},
        "b": {"number": 7, "suit": "z"},
        "c": {"number": [2, 5], "suit": "x"},
        "d": {"number": 5, "suit": ["z"]},
        "w": {"wild": True, "suit": ["x", "z"]},
    },
}


def test_of_several_values_any_will_do_at_each_contact():
    deck = deck_of(SEVERAL)
    assert deck.values == {"number": (3, 8, 7, 2, 5), "suit": ("x", "y", "z")}
    touching = {
        way: {one + other for one in "abcd" for other in "abcd" if fits[_kind(deck, one)] & deck.may_be[other]}
        for way, fits in (("beside", deck.fits_beside), ("above", deck.fits_above))
    }
    assert touching["beside"] == {"ab", "ba", "ac", "ca"}
    # Those have no suit in common.
    assert touching["above"] == {"ab", "ba", "ad", "da", "bc", "cb", "cd", "dc"}
    assert deck.cards["d"].values["suit"] == "z"


def _kind(deck: Any, card: str) -> int:
    return int(deck.may_be[card].bit_length()) - 1


def test_a_wild_card_keeps_all_of_what_it_has_and_takes_one_value_of_the_rest():
    deck = deck_of(SEVERAL)
    kinds = [deck.kinds[number] for number in range(len(deck.kinds)) if deck.may_be["w"] >> number & 1]
    assert kinds == [(number, ("x", "z")) for number in (3, 8, 7, 2, 5)]
    verdict = judge({(0, 0): "a", (1, 0): "w", (2, 0): "b"}, deck)
    assert not verdict.legal
    verdict = judge({(0, 0): "a", (1, 0): "b", (1, 1): "c", (0, 1): "d"}, deck)
    assert [(one.a, one.b, one.reason) for one in verdict.illegal] == [
        ((0, 1), (1, 1), "Side by side, the number must differ by exactly 1 (5 and 2/5 don't).")
    ]
    assert requirements(deck, deck.cards["a"], deck.beside) == ["number 2 or 7"]
    assert requirements(deck, deck.cards["a"], deck.above) == ["not x nor y"]


@pytest.mark.parametrize(
    ("held", "wrong"),
    [
        ([], "has 0 values; a card has 1 to 6 of an attribute"),
        ([1, 2, 3, 4, 5, 6, 7], "has 7 values"),
        ([3, 3], "has 3 twice; once is enough"),
        ([3, "x"], "must be a number, as on the other cards, not"),
        ([[3]], "must be a number, as on the other cards, not a list"),
    ],
)
def test_what_several_values_can_not_be(held, wrong):
    cards = {**SEVERAL["cards"], "c": {"number": held, "suit": "x"}}  # type: ignore[dict-item]
    (found,) = [one.sentence for one in find_mistakes({**SEVERAL, "cards": cards})]
    assert wrong in found

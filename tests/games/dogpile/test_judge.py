"""The judge, compared with one that tries everything (DG-10 to DG-14, DG-21)."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from cardhouse.cards import Placed
from cardhouse.engine import CardhouseError
from cardhouse.games.dogpile.deck import DogDeck, deck_from
from cardhouse.games.dogpile.deck_file import STANDARD_FILE, bundled_decks, deck_of, read_deck, standard_deck
from cardhouse.games.dogpile.judge import Verdict, elimination_order, judge, layout_from, layout_of
from tests.games.dogpile.plain_judge import Cell, Kind, Layout, PlainJudge, count_pieces
from tests.thorough import in_soak

STANDARD = read_deck(STANDARD_FILE)


def check(layout: Layout, deck: DogDeck, plain: PlainJudge) -> Verdict:
    """The verdict, which is the plain judge's too; what it shows is so."""
    verdict = judge(layout, deck)
    assert verdict.pieces == count_pieces(layout)
    assert len(verdict.illegal) == plain.fewest_illegal(layout), layout
    assert verdict.legal == (verdict.pieces == 1 and not verdict.illegal)
    stands = {(one.x, one.y): one.as_ for one in verdict.jokers}
    assert list(stands) == sorted(cell for cell, card in layout.items() if len(plain.kinds[card]) > 1)
    kinds: dict[Cell, Kind] = {}
    for cell, card in layout.items():
        shown = stands.get(cell, card)
        said = plain.cards[shown] if isinstance(shown, str) else shown
        kinds[cell] = tuple(said[name] for name in plain.matters)
        assert kinds[cell] in plain.kinds[card]
    assert [(one.a, one.b) for one in verdict.illegal] == plain.illegal(kinds)
    for one in verdict.illegal:
        assert one.rule == ("DG-11" if one.a[1] == one.b[1] else "DG-12")
    return verdict


@pytest.mark.soak
@pytest.mark.parametrize("jokers", [0, 1, *in_soak(2)])
def test_it_agrees_with_one_that_tries_every_value(jokers: int):
    plain, deck, rng = PlainJudge(STANDARD), standard_deck(), Random(jokers)
    verdicts = [check(plain.grow(rng, rng.randint(2, 8), ["RJ", "BJ"][:jokers]), deck, plain) for _ in range(7_000)]
    legal = sum(verdict.legal for verdict in verdicts)
    broken = sum(verdict.pieces == 1 and not verdict.legal for verdict in verdicts)
    assert min(legal, broken, len(verdicts) - legal - broken) > 250


SMALL: dict[str, dict[str, Any]] = {
    "wild in a part": {
        "beside": {"all": [{"attribute": "size", "differs_by": 1}, {"attribute": "mood", "different": True}]},
        "above": {"all": [{"attribute": "mood", "equal": True}]},
    },
    "any of them": {
        "beside": {"any": [{"attribute": "size", "differs_by": 2}, {"attribute": "mood", "equal": True}]},
        "above": {"any": [{"attribute": "size", "at_most": 0}, {"attribute": "mood", "different": True}]},
    },
    "hard to fit": {
        "beside": {"all": [{"attribute": "size", "differs_by": 5}]},
        "above": {"all": [{"attribute": "size", "at_most": 1}, {"attribute": "mood", "different": True}]},
    },
}


def small_deck(contact: dict[str, Any], wild: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """A dozen dogs of sizes that leave gaps, and wild ones."""
    sizes, moods = (1, 2, 4, 7, 8), ("calm", "merry", "stern")
    dogs = {
        f"{mood}-{size}": {"size": size, "mood": mood}
        for size in sizes
        for mood in moods
        if (size, mood) != (4, "stern")
    }
    return {"name": "Dogs", **contact, "cards": {**dogs, **{card: {"wild": True, **has} for card, has in wild.items()}}}


WILD: dict[str, dict[str, Any]] = {"w1": {"size": 4}, "w2": {"mood": "stern"}, "w3": {"size": 4}, "j1": {}, "j2": {}}


@pytest.mark.parametrize("contact", SMALL.values(), ids=SMALL)
def test_it_agrees_on_other_decks(contact: dict[str, Any]):
    data = small_deck(contact, WILD)
    plain, deck, rng = PlainJudge(data), deck_of(data), Random(5)
    for _ in range(600):
        wild = rng.sample(plain.wild, rng.randint(0, 4))
        check(plain.grow(rng, rng.randint(max(2, len(wild)), 8), wild), deck, plain)


def test_it_agrees_on_the_dogs():
    """Two jokers among them may be any of 864 kinds, too many to try two at once."""
    data = read_deck(bundled_decks()["dogs"])
    plain, deck, rng = PlainJudge(data), deck_of(data), Random(6)
    partly = [card for card in plain.wild if len(plain.kinds[card]) < 100]
    for _ in range(90):
        wild = rng.sample(partly, rng.randint(0, 2)) + rng.sample(plain.wild, 1)
        check(plain.grow(rng, rng.randint(3, 9), list(dict.fromkeys(wild))), deck, plain)


def test_it_agrees_where_all_wild_cards_lie_together():
    wild = {f"w{number}": {"mood": "calm"} for number in range(4)} | {f"m{number}": {"size": 4} for number in range(4)}
    for contact in SMALL.values():
        data = small_deck(contact, wild)
        plain, deck, rng = PlainJudge(data), deck_of(data), Random(7)
        for _ in range(6):
            check(plain.grow(rng, rng.randint(8, 12), rng.sample(plain.wild, 7)), deck, plain)


def test_it_agrees_where_more_wild_cards_lie_together_than_a_deck_file_may_have():
    moods = ("calm", "merry", "stern")
    for contact in SMALL.values():
        dogs = {f"{mood}-{size}": {"size": size, "mood": mood} for size in (1, 2, 7) for mood in moods}
        wild = {f"w{number}": {"mood": moods[number % 3], "wild": True} for number in range(9)}
        data = {"name": "Dogs", **contact, "cards": {**dogs, **wild}}
        plain, deck, rng = PlainJudge(data), deck_from(data), Random(8)
        for _ in range(2):
            square = [(x, y) for x in range(3) for y in range(3)]
            around = rng.sample([(x, y) for x in (-1, 3) for y in range(3)], 3)
            layout = dict(zip(square, rng.sample(plain.wild, 9), strict=True))
            check(layout | dict(zip(around, rng.sample(plain.plain, 3), strict=True)), deck, plain)


def grown(cells: frozenset[Cell]) -> set[frozenset[Cell]]:
    """Each shape with one cell more, its least cell at (0, 0)."""
    found = set()
    for x, y in cells:
        for new in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if new not in cells:
                shape = cells | {new}
                left, low = min(shape)
                found.add(frozenset((x - left, y - low) for x, y in shape))
    return found


def test_of_eight_wild_cards_none_depends_on_more_than_two_others():
    shapes = {frozenset({(0, 0)})}
    for _ in range(7):
        shapes = {more for shape in shapes for more in grown(shape)}
    assert len(shapes) == 2725
    for shape in shapes:
        order = elimination_order(dict.fromkeys(shape, 1))
        assert set(order) == shape
        touching = {(x, y): {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & shape for x, y in shape}
        for cell in order:
            those = touching.pop(cell)
            assert len(those) <= 2
            for other in those:
                touching[other] = (touching[other] | those) - {cell, other}


# The rules one by one.


def laid(rows: str) -> Layout:
    """A layout as it looks, the uppermost row at y = 0; `.` is an empty cell."""
    lines = [line.split() for line in rows.strip().splitlines()]
    return {(x, -y): card for y, line in enumerate(lines) for x, card in enumerate(line) if card != "."}


LEFT, LOWER, UPPER, RIGHT = ((0, -1), (0, 0)), ((0, -1), (1, -1)), ((0, 0), (1, 0)), ((1, -1), (1, 0))
"""The contacts of a square."""

RULES = [
    # layout, pieces, illegal contacts
    ("C5 D6 H5 S4", 1, []),
    ("C5", 1, []),
    ("CA C2", 1, []),
    ("CQ CK", 1, []),
    ("C10 CJ", 1, []),
    ("CK CA", 1, [((0, 0), (1, 0), "DG-11")]),
    ("C5 C7", 1, [((0, 0), (1, 0), "DG-11")]),
    ("C5 D5", 1, [((0, 0), (1, 0), "DG-11")]),
    ("C5 \n C9", 1, []),
    ("C5 \n D6", 1, [((0, -1), (0, 0), "DG-12")]),
    ("C5 . \n . C6", 2, []),
    ("C5 . D6", 2, []),
    ("C5 D6 \n C6 D7", 1, []),
    # nobody meant D7 to touch H6: every contact counts (DG-13)
    ("C5 H6 \n C8 D7", 1, [((1, -1), (1, 0), "DG-12")]),
    ("H3 C9 \n D7 S2", 1, [(*LEFT, "DG-12"), (*LOWER, "DG-11"), (*UPPER, "DG-11"), (*RIGHT, "DG-12")]),
    ("C5 . . C9 \n H5 . . D9", 2, [((0, -1), (0, 0), "DG-12"), ((3, -1), (3, 0), "DG-12")]),
]  # fmt: skip


@pytest.mark.parametrize(("rows", "pieces", "illegal"), RULES)
def test_the_rules_of_contact(rows: str, pieces: int, illegal: list[tuple[Cell, Cell, str]]):
    verdict = judge(laid(rows), standard_deck())
    assert (verdict.pieces, [(one.a, one.b, one.rule) for one in verdict.illegal]) == (pieces, illegal)
    assert verdict.legal == (pieces == 1 and not illegal)


JOKERS = [
    # layout, jokers' values or numbers, illegal contacts
    ("C5 RJ D7", {(1, 0): 6}, 0),
    (". H9 . \n C5 RJ D7 \n . HA .", {(1, -1): "H6"}, 0),
    (". H9 . \n C5 RJ D7 \n . S2 .", {(1, -1): 6}, 1),  # one value for all contacts
    ("D5 RJ D7 \n . C2 . \n . C6 .", {(1, 0): "C6"}, 0),  # another card may be just so
    ("CK RJ DK", {(1, 0): 12}, 0),  # there is no 14
    ("CA RJ DA", {(1, 0): 2}, 0),
    ("C5 RJ C8", {}, 1),
    ("C5 RJ BJ C8", {(1, 0): 6, (2, 0): 7}, 0),
    ("C5 RJ BJ C9", {}, 1),
    ("C6 RJ \n C5 BJ", {}, 0),
    ("H3 . \n RJ C5 \n BJ C9", {(0, -1): "H4", (0, -2): "H8"}, 0),
    ("H3 . S4 \n RJ C5 BJ", {(0, -1): "H4", (2, -1): "S4"}, 0),
    ("H3 . H4 \n RJ BJ H9", {}, 0),
    ("H3 S4 \n RJ BJ \n . D9", {}, 1),
    ("RJ", {}, 0),
]


@pytest.mark.parametrize(("rows", "stands", "illegal"), JOKERS)
def test_jokers_dg14(rows: str, stands: dict[Cell, int | str], illegal: int):
    deck = standard_deck()
    verdict = check(laid(rows), deck, PlainJudge(STANDARD))
    assert len(verdict.illegal) == illegal
    shown = {(one.x, one.y): str(one.as_) for one in verdict.jokers}
    for cell, value in stands.items():
        assert value in (shown[cell], deck.cards[shown[cell]].values["number"])


REASONS = [
    ("standard", "C5 D9", "Side by side, the number must differ by exactly 1 (5 and 9 don't)."),
    ("standard", "C5 \n D9", "One above the other, the suit must be the same (diamonds and clubs are not)."),
    (
        "wild in a part",
        "calm-1 calm-8",
        (
            "Side by side, the size must differ by exactly 1 (1 and 8 don't), and the mood must not be the same "
            "(both are calm)."
        ),
    ),
    (
        "any of them",
        "calm-1 merry-8",
        (
            "Side by side, one of these must hold: the size must differ by exactly 2 (1 and 8 don't); "
            "the mood must be the same (calm and merry are not)."
        ),
    ),
    (
        "hard to fit",
        "calm-1 \n calm-8",
        (
            "One above the other, the size must differ by 1 at most (8 and 1 don't), and the mood must not be the same "
            "(both are calm)."
        ),
    ),
]


@pytest.mark.parametrize(("deck", "rows", "reason"), REASONS)
def test_each_illegal_contact_has_its_reason(deck: str, rows: str, reason: str):
    dogs = standard_deck() if deck == "standard" else deck_of(small_deck(SMALL[deck], WILD))
    assert [one.reason for one in judge(laid(rows), dogs).illegal] == [reason]


def test_a_wild_card_may_stand_for_what_no_card_is():
    deck = deck_of(small_deck(SMALL["wild in a part"], WILD))
    verdict = judge(laid("merry-8 \n w1"), deck)
    assert [one.as_ for one in verdict.jokers] == ["merry-4"]
    assert [one.as_ for one in judge(laid("w2 \n stern-8"), deck).jokers] == ["stern-1"]
    verdict = judge(laid("stern-8 \n w1"), deck)
    assert (verdict.legal, [one.as_ for one in verdict.jokers]) == (True, [{"size": 4, "mood": "stern"}])


def test_the_verdict_as_json():
    verdict = judge(laid("C5 RJ C8"), standard_deck())
    assert msgspec.to_builtins(verdict) == {
        "legal": False,
        "pieces": 1,
        "illegal": [
            {
                "a": (1, 0),
                "b": (2, 0),
                "rule": "DG-11",
                "reason": "Side by side, the number must differ by exactly 1 (4 and 8 don't).",
            }
        ],
        "jokers": [{"x": 1, "y": 0, "as": "C4"}],
    }


# What is no layout.


def test_what_can_not_be_judged():
    with pytest.raises(CardhouseError, match=r"^There are no cards to check\.$"):
        judge({}, standard_deck())
    with pytest.raises(CardhouseError, match=r"^The deck Standard deck has no card C1\.$"):
        judge({(0, 0): "C1"}, standard_deck())
    with pytest.raises(CardhouseError, match=r"^Two cards lie on the cell \(2, -3\): C5 and C6\.$"):
        layout_of([Placed("C5", 2, -3), Placed("C6", 2, -3)])
    with pytest.raises(CardhouseError, match=r"^C5 is there twice, at \(0, 0\) and \(1, 0\)\.$"):
        layout_of([Placed("C5", 0, 0), Placed("C5", 1, 0)])
    with pytest.raises(CardhouseError, match=r"^C5 lies too far out; a cell's x and y are from -1000 to 1000\.$"):
        layout_of([Placed("C5", 0, -1001)])


NO_LAYOUTS: list[tuple[Any, str]] = [
    (None, "A layout is a list of cards, such as "),
    ({"card": "C5", "x": 0, "y": 0}, "A layout is a list of cards, such as "),
    ([], "There are no cards to check"),
    (["C5"], "Its entry 1 is none."),
    ([{"card": "C5", "x": 0, "y": 0}, {"x": 0, "y": 1}], "Card 2 of the layout: card is missing."),
    ([{"card": 5, "x": 0, "y": 0}], "Card 1 of the layout: card must be a text, not 5."),
    ([{"card": "C5", "x": 0}], "y must be a whole number from -1000 to 1000, not null."),
    ([{"card": "C5", "x": 0.5, "y": 0}], "x must be a whole number from -1000 to 1000, not 0.5."),
    ([{"card": "C5", "x": 1001, "y": 0}], "not 1001."),
    ([{"card": "C5", "x": 0, "y": -1001}], "not -1001."),
    ([{"card": "C5", "x": "0", "y": 0}], "x must be a whole number"),
    ([{"card": "C5", "x": True, "y": 0}], "x must be a whole number"),
    ([{"card": "C5", "x": 0, "y": 0}, {"card": "C6", "x": 0, "y": 0}], "Two cards lie on the cell (0, 0)"),
    ([{"card": "C5", "x": 0, "y": 0}, {"card": "C5", "x": 1, "y": 0}], "C5 is there twice"),
]


@pytest.mark.parametrize(("data", "said"), NO_LAYOUTS)
def test_data_that_are_no_layout(data: Any, said: str):
    with pytest.raises(CardhouseError) as caught:
        layout_from(data)
    assert said in caught.value.message


def test_a_layout_may_reach_far_and_say_more():
    data = [{"card": "C5", "x": -1000, "y": 1000, "seat": "ada"}, {"card": "RJ", "x": 1000, "y": 0}]
    assert layout_from(data) == {(-1000, 1000): "C5", (1000, 0): "RJ"}

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from cardhouse.cards import JOKERS, rank_of, suit_of
from cardhouse.engine import CardhouseError
from cardhouse.engine.values.missing import missing_letters
from cardhouse.games.dogpile.deck import DeckCard, DogDeck, bits_of
from cardhouse.games.dogpile.deck_file import bundled_decks, deck_of, read_deck
from cardhouse.games.dogpile.print import deck_pdf
from cardhouse.games.dogpile.print.cards import COLOURS
from cardhouse.games.dogpile.print.edges import requirements, rules_in_words
from cardhouse.print.pen import PAPERS
from cardhouse.print.text import SMALLEST
from tests.print.reading import Box, Line, Page, Path, cells, read
from tests.thorough import in_soak

RED, BLACK = (179, 37, 29), (0, 0, 0)
PILLS = {tuple(round(part * 255) for part in colour.colors) for colour in COLOURS}

LONG = """
name = "A deck whose name is so long that hardly anybody would ever read it to the end"
beside = { all = [
    { attribute = "withers_height", at_most = 2 },
    { attribute = "breed", different = true },
    { attribute = "age", at_most = 30 },
] }
above = { any = [{ attribute = "breed", equal = true }, { attribute = "favourite_pastime", equal = true }] }
[cards.A1]
name = "Donaudampfschifffahrtskapitän"
withers_height = 1000
breed = "Nova Scotia duck tolling retriever"
age = 12
favourite_pastime = "watching the trains go by"
[cards.A2]
name = "Sir Archibald Montgomery Featherstonehaugh the Third of Wag"
withers_height = -998
breed = "Xoloitzcuintle"
age = 3
favourite_pastime = "sleep"
text = "It has been to many places, among them the garden, the wood, the lake and once the kitchen, and was fed there."
[cards.WWWWWWWWWWWW]
name = "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW"
withers_height = 997
breed = "WWWWWWWWWWWWWWWWWW"
age = 33
favourite_pastime = "sleep"
[cards.W1]
name = "Somebody wild"
wild = true
[cards.W2]
wild = true
age = 3
favourite_pastime = "sleep"
"""

SMALL = """
name = "Four dogs"
beside = {{ all = [{{ attribute = "size", differs_by = 2 }}] }}
above = {{ any = [{{ attribute = "mood", equal = true }}, {{ attribute = "size", different = true }}] }}
[cards]
rex = {{ name = "Rex", size = 1, mood = "sleepy"{rex} }}
max = {{ name = "Max", size = 3, mood = "brave" }}
ada = {{ name = "Ada", size = 5, mood = "brave" }}
C7 = {{ name = "Seven", size = 6, mood = "clubs" }}
"""


def deck_from(text: str) -> DogDeck:
    return deck_of(read_deck(text))


@cache
def deck_called(name: str) -> DogDeck:
    """A deck that comes along, or the one of long words."""
    return deck_from(LONG if name == "long" else bundled_decks()[name])


@cache
def printed(name: str) -> list[Page]:
    """Its pages, with backs."""
    return read(deck_pdf(deck_called(name), PAPERS["letter" if name == "standard" else "a4"]))


def fronts(pages: list[Page]) -> Iterator[tuple[Page, Box]]:
    """Where each front is, in order."""
    return ((page, cell) for page in pages for cell in cells(page))


def cards(name: str) -> Iterator[tuple[DeckCard, Page, Box]]:
    """The cards of a deck, and where their fronts are."""
    places = fronts(printed(name)[::2])
    return ((card, *place) for card, place in zip(deck_called(name).cards.values(), places, strict=False))


def lines_in(page: Page, cell: Box) -> list[Line]:
    return [line for line in page.lines if cell.holds(line.box)]


def paths_in(page: Page, cell: Box) -> list[Path]:
    return [path for path in page.paths if cell.holds(path.box)]


def at(cell: Box, left: float, top: float, right: float, bottom: float) -> Box:
    """A part of a card, in millimetres from its upper left corner."""
    return Box(cell.left + left, cell.top + top, cell.left + right, cell.top + bottom)


DECKS = ("standard", "dogs", "long")


# The pages.


@pytest.mark.parametrize(("name", "count"), [("standard", 7), ("dogs", 14), ("long", 1)])
def test_fronts_are_followed_by_their_backs(name: str, count: int):
    pages = printed(name)
    assert len(pages) == 2 * count
    assert all(page.text() for page in pages[::2])
    assert not any(page.text() for page in pages[1::2])


def test_fronts_alone():
    deck = deck_called("long")
    (page,) = read(deck_pdf(deck, PAPERS["a4"], backs=False))
    assert page.size == pytest.approx((210, 297), abs=0.01)
    assert "Print at 100%. 50 mm" in page.text()


def test_the_foot_names_the_deck_and_counts_its_cards():
    assert "120 dogs, cards 118 to 126 of 126 Print at 100%, two-sided" in printed("dogs")[26].text()
    (title,) = [line for line in printed("long")[0].lines if line.text.endswith("of 9")]
    assert title.text == "A deck whose name is so…, cards 1 to 9 of 9"
    (how,) = [line for line in printed("long")[0].lines if line.text.startswith("Print at")]
    assert title.box.right < how.box.left - 2


@pytest.mark.parametrize(("name", "count"), [("standard", 9), ("dogs", 6), ("long", 4)])
def test_what_is_left_of_the_last_page_tells_the_rules(name: str, count: int):
    deck = deck_called(name)
    places = list(fronts(printed(name)[::2]))
    assert len(places) == len(deck.cards) + count
    for page, cell in places[-count:]:
        said = page.text(cell)
        assert said.startswith(deck.name)
        assert "Each edge of a card says what may lie there." in said
        for direction in (deck.beside, deck.above):
            assert rules_in_words(direction)[1:] in said


def test_the_rules_in_words():
    dogs, standard = deck_called("dogs"), deck_called("standard")
    assert rules_in_words(dogs.beside) == (
        "the size differs by 1 at most, and the breed is not the same, and the mood is not the same"
    )
    assert rules_in_words(dogs.above) == "the breed is the same, or the mood is the same"
    assert rules_in_words(standard.beside) == "the number differs by exactly 1"


@pytest.mark.parametrize(
    ("several", "said"),
    [
        ({}, None),
        ({'mood = "sleepy"': 'mood = ["sleepy", "brave"]'}, "more than one mood, each edge may use a different one."),
        (
            {"size = 1": "size = [1, 2]", 'mood = "sleepy"': 'mood = ["sleepy", "brave"]'},
            "If a card has more than one size or mood, each edge may use a different one.",
        ),
    ],
)
def test_the_rules_say_what_several_values_are_for(several: dict[str, str], said: str | None):
    text = SMALL.format(rex="")
    for one, more in several.items():
        text = text.replace(one, more)
    (page,) = read(deck_pdf(deck_from(text), PAPERS["a4"], backs=False))
    told = page.text(list(cells(page))[-1])
    assert "more than one" not in told if said is None else said in told


# The fronts.


@pytest.mark.parametrize("name", DECKS)
def test_nothing_overlaps_and_nothing_is_near_the_cut(name: str):
    for page, cell in fronts(printed(name)[::2]):
        words = [line.box for line in page.lines if cell.meets(line.box)]
        # A coloured ground lies below its word.
        drawn = [path.box for path in page.paths if cell.meets(path.box) and path.fill not in PILLS]
        safe = at(cell, 3, 3, 60, 85)
        assert all(safe.holds(ink) for ink in (*words, *drawn))
        for number, word in enumerate(words):
            assert not [ink for ink in (*words[number + 1 :], *drawn) if shrunk(word).meets(shrunk(ink))]


def test_a_dog_looks_out_of_its_card():
    looking = 0
    for page, cell in fronts(printed("dogs")[::2]):
        above = at(cell, 14, 8, 50, 36)
        looking += any(path.fill == (43, 33, 27) and above.holds(path.box) for path in page.paths)
    assert 110 < looking <= 120, "but for the wild ones, and a few that say too much"


@pytest.mark.parametrize("name", DECKS)
def test_a_coloured_ground_holds_its_word_and_meets_no_other(name: str):
    for page, cell in fronts(printed(name)[::2]):
        for pill in (path.box for path in paths_in(page, cell) if path.fill in PILLS):
            (word,) = [line.box for line in lines_in(page, cell) if line.box.meets(shrunk(pill))]
            assert pill.holds(word)


def shrunk(box: Box) -> Box:
    return Box(box.left + 0.15, box.top + 0.15, box.right - 0.15, box.bottom - 0.15)


@pytest.mark.parametrize("name", DECKS)
def test_no_type_is_smaller_than_can_be_read(name: str):
    assert min(line.size for page in printed(name) for line in page.lines) >= SMALLEST


@pytest.mark.parametrize("name", ["standard", "dogs"])
def test_every_card_says_what_it_is(name: str):
    for card, page, cell in cards(name):
        middle = page.text(at(cell, 10, 21, 53, 67))
        assert card.name in middle
        assert card.text in middle
        assert all(f"{attribute} {value}" in middle for attribute, value in card.values.items())
        assert page.text(at(cell, 4, 78, 17, 85)) == card.id


def test_names_are_the_largest_words():
    for card, page, cell in cards("dogs"):
        name = [line for line in lines_in(page, at(cell, 10, 21, 53, 67)) if line.size > 12]
        assert " ".join(line.text for line in name) == card.name


def test_the_corners_say_what_contacts_depend_on():
    for card, page, cell in cards("dogs"):
        if card.wild:
            continue
        index = [line for line in lines_in(page, cell) if line.size == 27]
        assert [line.text for line in index] == [str(card.values["size"])] * 2
        assert index[0].box.right < cell.left + 17
        said = page.text(at(cell, 4, 4, 27, 26)).split()
        assert {str(card.values[name]) for name in ("size", "breed", "mood")} <= set(said)
        # The same from the other side of the table.
        assert index[0].box.top - cell.top == pytest.approx(cell.bottom - index[1].box.bottom, abs=0.02)
        assert index[0].box.left - cell.left == pytest.approx(cell.right - index[1].box.right, abs=0.02)


def test_every_mood_has_its_colour():
    colours: dict[object, set[object]] = {}
    for card, page, cell in cards("dogs"):
        pills = [path.fill for path in paths_in(page, cell) if path.fill in PILLS]
        assert len(pills) == (2 if "mood" in card.values else 0)
        colours.setdefault(card.values.get("mood"), set()).update(pills)
    assert len(colours.pop("sleepy")) == 1
    assert len(set().union(*colours.values())) == 5


@pytest.mark.parametrize(
    ("card", "corner", "middle", "edges"),
    [
        ("maybe", "any size mutt sleepy", "Wild: any size", ("mutt or sleepy", "not mutt, not sleepy")),
        *in_soak(
            ("riddle", "6 any breed gentle", "Wild: any breed", ("anything", "size 5 to 7, not gentle")),
            ("april", "7 spaniel any mood", "Wild: any mood", ("anything", "size 6 to 8, not spaniel")),
            ("tabitha", "wild", "Wild: any size, breed and mood", ("anything", "anything")),
        ),
    ],
)
def test_wild_cards_have_a_star_and_say_in_what(card: str, corner: str, middle: str, edges: tuple[str, str]):
    ((page, cell),) = [(page, cell) for found, page, cell in cards("dogs") if found.id == card]
    words = [line.text for line in lines_in(page, at(cell, 4, 4, 27, 28)) if line.text != edges[0]]
    assert " ".join(words) == corner
    assert middle in page.text(at(cell, 9, 21, 54, 67))
    texts = [line.text.replace("\u00a0", " ") for line in lines_in(page, cell)]
    for text in set(edges):
        assert texts.count(text) == (4 if edges == (text, text) else 2)
    stars = [path for path in paths_in(page, at(cell, 3, 3, 15, 28)) if path.fill == BLACK]
    assert [path for path in stars if path.box.right - path.box.left > 3]


def test_ordinary_cards_have_their_rank_and_suit():
    for card, page, cell in cards("standard"):
        if card.id in JOKERS:
            continue
        ranks = [line.text for line in lines_in(page, cell) if line.size == 27]
        assert ranks == [rank_of(card.id)] * 2
        for corner in (at(cell, 3, 3, 15, 22), at(cell, 48, 66, 60, 85)):
            (sign,) = [path for path in paths_in(page, corner) if path.box.bottom - path.box.top > 4]
            assert sign.fill == (RED if suit_of(card.id) in "DH" else BLACK)


def test_courts_and_jokers_have_their_figures():
    seen = {}
    for card, page, cell in cards("standard"):
        figure = paths_in(page, at(cell, 10, 15, 53, 75))
        if card.id in JOKERS or rank_of(card.id) in "JQK":
            seen[card.id] = tuple(path.fill for path in figure)
            assert len(figure) > 10
        else:
            assert len(figure) < 5
    assert len(seen) == 14
    assert len(set(seen.values())) > 10, "not the same man in four colours"


def test_a_card_that_is_only_called_like_an_ordinary_one_says_all_it_has():
    deck = deck_from(small())
    (page,) = read(deck_pdf(deck, PAPERS["a4"], backs=False))
    cell = list(cells(page))[3]
    assert [line.text for line in lines_in(page, at(cell, 4, 4, 27, 30)) if "or" not in line.text] == ["7", "size 6"]


# What may lie at a card.


def asks(phrase: str) -> Callable[[DeckCard], bool]:
    """What an edge says, as a stranger reads it."""
    if found := re.fullmatch(r"([a-z ]+) (-?\d+)(?: (or|to) (-?\d+))?", phrase):
        attribute, first, between, last = found.groups()
        numbers = {int(first), int(last or first)}
        if between == "to":
            numbers = set(range(int(first), int(last) + 1))
        return lambda card: card.values[attribute] in numbers
    if phrase.startswith("not "):
        unwanted = asks(phrase.removeprefix("not "))
        return lambda card: not unwanted(card)
    return lambda card: phrase in card.values.values()


@pytest.mark.parametrize("name", ["standard", "dogs"])
def test_the_edges_ask_for_what_the_rules_allow(name: str):
    deck = deck_called(name)
    for beside, direction in ((True, deck.beside), (False, deck.above)):
        fits = deck.fits(beside=beside)
        plain = [card for card in deck.cards.values() if not card.wild]
        for card in deck.cards.values():
            phrases = requirements(deck, card, direction)
            held = [asks(phrase) for phrase in phrases or ()]
            reach = 0
            for kind in bits_of(deck.may_be[card.id]):
                reach |= fits[kind]
            for other in plain:
                said = (all if direction.all else any)(hold(other) for hold in held) if held else True
                assert said is bool(reach & deck.may_be[other.id]), (card.id, other.id)


@pytest.mark.parametrize("name", ["standard", "dogs"])
def test_the_edges_are_printed_at_all_four_sides(name: str):
    deck = deck_called(name)
    for card, page, cell in cards(name):
        sides = (
            (deck.above, at(cell, 16, 3, 47, 13)),
            (deck.above, at(cell, 16, 75, 47, 85)),
            (deck.beside, at(cell, 3, 18, 12.8, 70)),
            (deck.beside, at(cell, 50.2, 18, 60, 70)),
        )
        for direction, box in sides:
            phrases = requirements(deck, card, direction)
            joined = (", " if direction.all else " or ").join(phrases) if phrases else "anything"
            said = [line.text for line in lines_in(page, box)]
            assert joined in " ".join(said).replace("\u00a0", " "), card.id


def test_numbers_that_fit_no_card_and_what_is_too_long_for_an_edge():
    deck = deck_from(small())
    asked = {
        card.id: (requirements(deck, card, deck.beside), requirements(deck, card, deck.above))
        for card in deck.cards.values()
    }
    assert asked == {
        "rex": (["size 3"], ["sleepy", "not size 1"]),
        "max": (["size 1 or 5"], ["brave", "not size 3"]),
        "ada": (["size 3"], ["brave", "not size 5"]),
        "C7": (["size of no card"], ["clubs", "not size 6"]),
    }
    page = printed("long")[0]
    assert page.text(next(cells(page))).count("see the rules") == 4


# What can't be printed.


def small(**changes: Any) -> str:
    """The small deck, with other words in it."""
    text = SMALL.format(rex=changes.pop("rex", ""))
    for old, new in changes.items():
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize(
    ("text", "where"),
    [
        (small(Rex="漢"), "The name of rex has "),
        (small(rex=', text = "漢"'), "The text of rex has "),
        (small(sleepy="漢"), "The mood of rex has "),
        (small(Four="漢"), "The name of the deck has "),
        (small().replace("[cards]", 'text = "漢"\n[cards]'), "The text of the deck has "),
    ],
)
def test_letters_that_cannot_be_printed_are_named(text: str, where: str):
    with missing_letters() as missing:
        deck_pdf(deck_from(text), PAPERS["a4"])
    assert missing[0].startswith(f'{where}"漢" (U+6F22 CJK UNIFIED IDEOGRAPH-6F22)')


def test_a_text_in_an_attribute_that_no_rule_looks_at_is_checked_too():
    text = re.sub(r'(mood = "\w+")', r'\1, coat = "😀"', small())
    with missing_letters() as missing:
        deck_pdf(deck_from(text), PAPERS["a4"])
    assert re.match(r"What stands on rex has .* emoji and other pictures can't be printed", missing[0])


def test_more_text_than_there_is_room_for_names_its_card():
    text = re.sub("It has been.*", f'{"WIDE " * 59}WIDE"', LONG)
    with pytest.raises(CardhouseError) as refused:
        deck_pdf(deck_from(text), PAPERS["a4"])
    assert refused.value.message == (
        "A2, Sir Archibald Montgomery Featherstonehaugh the Third of Wag, has more text than there is room for, even "
        "in the smallest type that can be read (6.5 pt). Make it shorter, or its attributes."
    )


def test_more_in_the_corners_than_there_is_room_for_names_its_card():
    text = LONG.replace(f'"{"W" * 18}"', f'"{"W" * 40}"')
    with pytest.raises(CardhouseError, match=r"^W{12} has more than there is room for in its corners: W{40}, age 33"):
        deck_pdf(deck_from(text), PAPERS["a4"])


def test_the_longest_text_has_room_on_an_ordinary_card():
    text = "It has been to many places, among them the garden, the wood behind the garden, and the lake. " * 4
    data = read_deck(bundled_decks()["dogs"])
    shown = {**data["cards"]["goldie-plum"], "text": text[:298]}
    deck = deck_of({**data, "cards": {"goldie-plum": shown, "tabitha": data["cards"]["tabitha"]}})
    (page,) = read(deck_pdf(deck, PAPERS["a4"], backs=False))
    assert text[:298] in page.text(next(cells(page)))

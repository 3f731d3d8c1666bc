import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PIL import ImageChops

from cardhouse.cards import JOKERS, STANDARD, rank_of, suit_of
from cardhouse.engine import CardhouseError
from cardhouse.engine.values.missing import MARK, MOST, missing_letters
from cardhouse.games.hackjack.print import hackjack_pdf
from cardhouse.games.hackjack.print.cards import ends_in_words
from cardhouse.games.hackjack.print.sheets import draw_sheet
from cardhouse.games.hackjack.sheets import read_roster
from cardhouse.games.hackjack.state import RECOVERY, Sheet, card_value
from cardhouse.games.hackjack.wounds.data import read_wounds, standard_wounds
from cardhouse.print.back import back_of
from cardhouse.print.pages import Sides, lay_out
from cardhouse.print.pen import PAPERS, Face, Pen
from cardhouse.print.text import SMALLEST
from tests.print.reading import Box, Page, cells, read
from tests.thorough import in_soak

# ruff: noqa: RUF001 (other tongues have letters that look alike)

ROOT = Path(__file__).resolve().parent.parent.parent
SIZES = {"a4": (210, 297), "letter": (215.9, 279.4)}
RED, BLACK, BLOOD = (179, 37, 29), (0, 0, 0), (197, 52, 42)

LONGEST = """
[S3]
name = "Forty characters, and not one more, x x."
text = "{text}"
ends = "recovery"
blood = "2d6"
trauma = 6
details = [{{ what = "arm", dice = "1d2", means = ["left", "right"] }}]
"""


@pytest.fixture(scope="module", params=["a4", *in_soak("letter")])
def deck(request: pytest.FixtureRequest) -> list[Page]:
    """The standard deck with its backs, on each paper."""
    return read(hackjack_pdf(standard_wounds(), PAPERS[request.param]))


def fronts_of(pages: list[Page]) -> list[tuple[Page, Box]]:
    """Where the front of each card is, in the order of the deck."""
    return [(page, cell) for page in pages[0:12:2] for cell in cells(page)]


def printed(text: str, **options: Any) -> list[Page]:
    """The fronts of a deck with wounds of one's own."""
    return read(hackjack_pdf(read_wounds(text), PAPERS["a4"], backs=False, **options))


def roster(**fields: Any) -> Sheet:
    """Somebody from a roster."""
    return Sheet(**{"name": "Ada", "hp": 5, "max_hp": 7, **fields})


# The pages.


@pytest.mark.parametrize("paper", ["a4", *in_soak("letter")])
@pytest.mark.parametrize(
    ("options", "count"),
    [
        ({}, 12),
        *in_soak(({"backs": False}, 6), ({"sheets": [None, None, None]}, 15)),
        ({"cards": False, "sheets": [None]}, 1),
    ],
)
def test_pages_and_their_size(paper: str, options: dict[str, Any], count: int):
    pages = read(hackjack_pdf(standard_wounds(), PAPERS[paper], **options))
    assert len(pages) == count
    for page in pages:
        assert page.size == pytest.approx(SIZES[paper], abs=0.01)


def test_every_front_is_followed_by_its_backs(deck: list[Page]):
    for front, back in zip(deck[::2], deck[1::2], strict=True):
        assert "death-score" in front.text()
        assert back.text() == ""


def test_crop_marks_stand_in_the_margins_at_the_edges_of_the_cards(deck: list[Page]):
    for page in deck[::2]:
        *_, last = cells(page)
        first = next(cells(page))
        xs, ys = [first.left + 63 * n for n in range(4)], [first.top + 88 * n for n in range(4)]
        grid = Box(first.left, first.top, last.right, last.bottom)
        marks = [path.box for path in page.paths if not grid.meets(path.box) and long_side(path.box) < 10]
        upright, lying = [box for box in marks if height(box) > 3], [box for box in marks if width(box) > 3]
        for side in (
            [middle(box) for box in upright if box.bottom < grid.top],
            [middle(box) for box in upright if box.top > grid.bottom],
        ):
            assert sorted(side) == pytest.approx(xs, abs=0.02)
        for side in (
            [level(box) for box in lying if box.right < grid.left],
            [level(box) for box in lying if box.left > grid.right],
        ):
            assert sorted(side) == pytest.approx(ys, abs=0.02)


def test_crop_marks_keep_off_the_cards(deck: list[Page]):
    for page in deck[::2]:
        first, *_, last = cells(page)
        near = Box(first.left - 1.2, first.top - 1.2, last.right + 1.2, last.bottom + 1.2)
        paper = Box(0, 0, *page.size)
        for path in page.paths:
            inside_a_card = any(cell.holds(path.box) for cell in cells(page))
            assert inside_a_card or not near.meets(path.box)
            assert paper.holds(path.box)


def test_the_line_to_measure_by_is_50_mm(deck: list[Page]):
    for page in deck[::2]:
        below = [path.box for path in page.paths if not any(cell.meets(path.box) for cell in cells(page))]
        assert [width(box) for box in below if width(box) > 45] == [pytest.approx(50, abs=0.4)]
        assert "50 mm" in page.text()


def test_the_foot_says_how_to_print(deck: list[Page]):
    assert "Hackjack, cards 1 to 9 of 54 Print at 100%, two-sided, flipped on the long edge." in deck[0].text()
    single = read(hackjack_pdf(standard_wounds(), PAPERS["a4"], backs=False))
    assert "Print at 100%. 50 mm" in single[-1].text()


def width(box: Box) -> float:
    return box.right - box.left


def height(box: Box) -> float:
    return box.bottom - box.top


def long_side(box: Box) -> float:
    return max(width(box), height(box))


def middle(box: Box) -> float:
    return (box.left + box.right) / 2


def level(box: Box) -> float:
    return (box.top + box.bottom) / 2


# The backs.


def test_backs_lie_behind_their_fronts():
    """Ten cards: the last is alone on its page at the left, so its back is alone at the right."""

    def front(pen: Pen, number: int) -> None:
        pen.text(10, 10, f"front {number}", Face.SANS, 9)

    def back(pen: Pen, over: Sides) -> None:
        pen.text(10, 10, f"over {over.left:g} {over.right:g}", Face.SANS, 9)

    with Pen(PAPERS["letter"], "Ten") as pen:
        lay_out(pen, "Ten", [partial(front, number=number) for number in range(10)], back)
        first, behind, last, behind_last = read(pen.finish())
    assert [first.text(cell) for cell in cells(first)] == [f"front {number}" for number in range(9)]
    # Only where no other lies beside them do they run over.
    assert [behind.text(cell) for cell in cells(behind)] == ["over 3 0", "over 0 0", "over 0 3"] * 3
    assert [last.text(cell) for cell in cells(last)] == ["front 9", *[""] * 8]
    assert [behind_last.text(cell) for cell in cells(behind_last)] == ["", "", "over 3 3", *[""] * 6]
    assert mirrored(next(cells(last)), last) == pytest.approx(list(cells(behind_last))[2], abs=0.01)
    # Marks at the edges of one card: eight, not sixteen, and the ruler with its ticks.
    assert len(last.paths) == 8 + 3


def mirrored(box: Box, page: Page) -> Box:
    """Where a box lies, seen through the page from behind."""
    return Box(page.size[0] - box.right, box.top, page.size[0] - box.left, box.bottom)


def test_the_backs_cover_the_cards_and_three_millimetres_more(deck: list[Page]):
    for page in deck[1::2]:
        picture = page.picture(10)
        first, *_, last = cells(page)
        for outside, colour in ((2.5, True), (3.5, False)):
            edge = Box(first.left - outside, first.top - outside, last.right + outside, last.bottom + outside)
            around = [(x, y) for x in (edge.left, edge.right) for y in (60.0, 140.0, 220.0)]
            around += [(x, y) for x in (50.0, 110.0, 170.0) for y in (edge.top, edge.bottom)]
            for x, y in around:
                assert (picture.getpixel((round(x * 10), round(y * 10))) != (255, 255, 255)) is colour


@pytest.mark.soak
def test_a_cut_that_misses_by_two_millimetres_shows_the_same_edge():
    """The lattice runs on over the cut: what lies around a card's edge is what lies around its neighbour's."""
    page = read(hackjack_pdf(standard_wounds(), PAPERS["a4"]))[1]
    picture = page.picture(20)
    first = next(cells(page))

    def strip(column: int) -> Any:
        left = round((first.left + 63 * column - 2) * 20)
        return picture.crop((left, round((first.top + 88 - 10) * 20), left + 80, round((first.top + 88 + 10) * 20)))

    for column in (1, 2, 3):
        difference = ImageChops.difference(strip(0), strip(column)).convert("L")
        assert sum(difference.histogram()[64:]) < 80 * 400 * 0.01


@pytest.mark.parametrize("game", ["hackjack", "dogpile"])
def test_a_back_is_the_same_either_way_up(game: str):
    with Pen(PAPERS["a4"], "Backs") as pen:
        lay_out(pen, "Backs", [lambda pen: None] * 9, back_of(f"cardhouse.games.{game}"))
        picture = read(pen.finish())[1].picture(10)
    difference = ImageChops.difference(picture, picture.rotate(180)).convert("L")
    assert sum(difference.histogram()[96:]) < picture.width * picture.height * 0.001


# The cards.


def test_every_card_says_what_it_does(deck: list[Page]):
    places = fronts_of(deck)
    assert len(places) == 54
    for card, wound, (page, cell) in zip(STANDARD, standard_wounds().values(), places, strict=False):
        said = page.text(cell)
        rank = rank_of(card)
        assert said.startswith(f"{rank} {rank} +{card_value(card)} death-score {wound.name} {wound.text}"), card
        assert f"Lasts {ends_in_words(wound.ends)}" in said
        assert ("Blood " + str(wound.blood) in said) is bool(wound.blood)
        assert ("Trauma " + str(wound.trauma) in said) is bool(wound.trauma)
        for detail in wound.details:
            assert all(f"{face} {means}" in said for face, means in enumerate(detail.means, start=1))


def test_the_jokers_say_that_they_are_left_out(deck: list[Page]):
    for _, (page, cell) in zip(JOKERS, fronts_of(deck)[52:], strict=True):
        said = page.text(cell)
        assert said.startswith("Lucky break Nothing happens to you: no wound")
        assert "Leave the jokers out of the deck, unless your table plays with the option jokers (HJ-29)." in said


def test_indices_are_big_and_in_both_corners(deck: list[Page]):
    for card, (page, cell) in zip(STANDARD, fronts_of(deck), strict=False):
        ranks = [line for line in page.lines if cell.holds(line.box) and line.size == 27]
        assert [line.text for line in ranks] == [rank_of(card)] * 2
        assert ranks[0].box.top - cell.top == pytest.approx(cell.bottom - ranks[1].box.bottom, abs=0.02)
        assert ranks[0].box.left - cell.left == pytest.approx(cell.right - ranks[1].box.right, abs=0.02)
        assert ranks[0].box.right < cell.left + 15
        assert ranks[0].box.bottom < cell.top + 13.4


def test_suits_are_drawn_in_their_colours(deck: list[Page]):
    for card, (page, cell) in zip(STANDARD, fronts_of(deck), strict=False):
        assert not set("♣♦♥♠♧♢♡♤") & set(page.text(cell))
        for corner in (
            Box(cell.left, cell.top, cell.left + 16, cell.top + 22),
            Box(cell.right - 16, cell.bottom - 22, cell.right, cell.bottom),
        ):
            (suit,) = [path for path in page.paths if corner.holds(path.box) and path.fill is not None]
            assert suit.fill == (RED if suit_of(card) in "DH" else BLACK)
            assert 4 < width(suit.box) < 6.3


def test_blood_and_trauma_have_their_marks(deck: list[Page]):
    for card, (page, cell) in zip(STANDARD, fronts_of(deck), strict=False):
        wound = standard_wounds()[card]
        # Below the picture of the wound, and within the frame.
        below = Box(cell.left + 4.5, cell.top + 67, cell.left + 45, cell.bottom - 4.5)
        marks = [path for path in page.paths if below.holds(path.box)]
        drops = [path for path in marks if path.fill == RED]
        assert len(drops) == (1 if isinstance(wound.blood, str) else wound.blood)
        # A seam is a line and a stitch for each point.
        assert len(marks) - len(drops) == (wound.trauma + 1 if wound.trauma else 0)


def test_nothing_overlaps_and_nothing_is_near_the_cut(deck: list[Page]):
    longest = LONGEST.format(text=" ".join(["All that befalls you is told here."] * 11))
    own = printed(longest)[4]
    for page, cell in (*fronts_of(deck), (own, list(cells(own))[5])):
        safe = Box(cell.left + 3, cell.top + 3, cell.right - 3, cell.bottom - 3)
        said = [line.box for line in page.lines if cell.meets(line.box)]
        drawn = [path.box for path in page.paths if cell.meets(path.box)]
        assert all(safe.holds(ink) for ink in (*said, *drawn))
        for number, ink in enumerate(said):
            assert not [other for other in (*said[number + 1 :], *drawn) if shrunk(ink).meets(shrunk(other))]


def shrunk(box: Box) -> Box:
    return Box(box.left + 0.15, box.top + 0.15, box.right - 0.15, box.bottom - 0.15)


def test_all_fonts_are_embedded():
    pages = read(hackjack_pdf(standard_wounds(), PAPERS["a4"], sheets=[None]))
    fonts = {(line.font.partition("+")[2], line.embedded) for page in pages for line in page.lines}
    names = ("SourceSansPro", "SourceSansProBold", "SourceSerifPro", "SourceSerifProBold")
    assert fonts == {(name, True) for name in names}


def test_no_type_is_smaller_than_can_be_read(deck: list[Page]):
    longest = printed(LONGEST.format(text=" ".join(["All that befalls you is told here."] * 11)))
    sizes = {line.size for page in (*deck, *longest) for line in page.lines}
    assert min(sizes) >= SMALLEST


def test_every_wound_has_its_picture_and_one_of_ones_own_has_none(deck: list[Page]):
    for card, (page, cell) in zip(STANDARD, fronts_of(deck), strict=False):
        beside = Box(cell.left + 19, cell.top + 8, cell.left + 32, cell.top + 19)
        fills = {path.fill for path in page.paths if beside.meets(path.box)}
        assert {BLACK, BLOOD} <= fills, card
    own = printed('[C2]\nname = "Own"\ntext = "Own."\nends = "week"')[0]
    cell = list(cells(own))[1]
    beside = Box(cell.left + 19, cell.top + 8, cell.left + 32, cell.top + 19)
    assert not [path for path in own.paths if beside.meets(path.box)]


# Wounds of one's own.

TONGUES = {
    "Przykład": "Zażółć gęślą jaźń. Příliš žluťoučký kůň. Árvíztűrő tükörfúrógép.",
    "Đau đớn": "Tiếng Việt rất đẹp. Çağrı, İstanbul, ığdır. Ångström, æsir, þorn, groß.",
    "Σπασμένο χέρι": "Ό,τι κρατούσε πέφτει. Τὸ ὀστοῦν ἔσπασεν.",
    "Сломанная рука": "Съешь же ещё этих мягких французских булок.",
    "Зламана рука": "Ґанок, їжак, єнот. Ђурђевдан, њушка, џеп. Щърк, жълта дюля.",
    "„Quoted“": "«Guillemets» … 1½ × 2 ≥ 3 → 4 €: it’s — well – fine.",
}


@pytest.mark.parametrize("name", ["Đau đớn", *in_soak(*(name for name in TONGUES if name != "Đau đớn"))])
def test_other_tongues(name: str):
    text = TONGUES[name]
    page = printed(f'[C2]\nname = "{name}"\ntext = "{text}"\nends = "week"\nblood = 12')[0]
    said = page.text(list(cells(page))[1])
    assert said == f"2 2 +2 death-score {name} {text} Blood 12 Lasts for a week"


def test_letters_and_accents_are_put_together():
    page = printed('[C2]\nname = "Cafe\u0301"\ntext = "soft\u00adly, non\u2011stop\u2009here"\nends = "week"')[0]
    assert "Café softly, non-stop here" in page.text(list(cells(page))[1])


@pytest.mark.parametrize(
    ("letter", "problem"),
    [
        ("漢", '"漢" (U+6F22 CJK UNIFIED IDEOGRAPH-6F22): the typefaces have Latin, Greek and Cyrillic letters'),
        (
            "а\u0301",
            "U+0301 COMBINING ACUTE ACCENT: an accent can be printed only on a letter that is known to bear it",
        ),
        *in_soak(
            ("ש", '"ש" (U+05E9 HEBREW LETTER SHIN): writing that runs from right to left can\'t be printed.'),
            ("م", '"م" (U+0645 ARABIC LETTER MEEM): writing that runs from right to left can\'t be printed.'),
            ("😀", '"😀" (U+1F600 GRINNING FACE): emoji and other pictures can\'t be printed.'),
            ("🇫🇷", "(U+1F1EB REGIONAL INDICATOR SYMBOL LETTER F): emoji and other pictures can't be printed."),
            ("☠\ufe0f", '"☠" (U+2620 SKULL AND CROSSBONES): emoji and other pictures can\'t be printed.'),
            ("ก", '"ก" (U+0E01 THAI CHARACTER KO KAI): the typefaces have Latin, Greek and Cyrillic letters'),
            ("\ue000", "U+E000: the typefaces have Latin, Greek and Cyrillic letters, and not this."),
        ),
    ],
)
def test_what_cannot_be_printed_is_named(letter: str, problem: str):
    for field, where in (("name", "The name of D7 has "), ("text", "The text of D7 has ")):
        fields = {"name": "A name", "text": "A text", field: f"A {letter} in it"}
        text = "[D7]\n" + "".join(f'{key} = "{value}"\n' for key, value in fields.items()) + 'ends = "week"'
        with missing_letters() as missing:
            pages = printed(text)
        assert all(sentence.startswith(where) for sentence in missing)
        assert problem in missing[0]
        words = "".join(line.text for page in pages for line in page.lines)
        assert "in it" in words
        assert (MARK in words) == (letter != "\u0430\u0301")
    means = f'details = [{{ what = "x", dice = "1d2", means = ["{letter}", "b"] }}]'
    with missing_letters() as missing:
        printed(f'[D7]\nname = "A"\ntext = "B"\nends = "week"\n{means}')
    assert missing[0].startswith("The roll text of D7 has ")


def test_marks_of_direction_and_of_variants_are_left_out_and_not_missed():
    with missing_letters() as missing:
        page = printed('[C2]\nname = "A\u202e\ufe0f\u200d name"\ntext = "B"\nends = "week"')[0]
    assert "A name" in page.text(list(cells(page))[1])
    assert missing == []


def test_so_many_missing_letters_are_listed():
    texts = "".join(chr(0x4E00 + number) for number in range(MOST + 5))
    with missing_letters() as missing:
        printed(f'[C2]\nname = "A"\ntext = "{texts}"\nends = "week"')
    assert (len(missing), missing[-1]) == (MOST + 1, "5 more letters are missing from the font.")


def test_a_long_text_is_set_smaller():
    sizes = []
    bare = LONGEST.replace('blood = "2d6"', "").replace("trauma = 6", "")
    for sentences in (1, 8, 11):
        page = printed(bare.format(text=" ".join(["All that befalls you is told here."] * sentences)))[4]
        cell = list(cells(page))[5]
        (first,) = [line for line in page.lines if cell.holds(line.box) and line.text.startswith("All that")][:1]
        sizes.append(first.size)
        (details,) = [line for line in page.lines if line.text.startswith("d2 arm")]
        assert details.box.bottom < cell.bottom - 21, "it ends above the lower index"
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[1] > sizes[2] >= SMALLEST


def test_a_text_too_long_for_the_smallest_type_names_its_card():
    with pytest.raises(CardhouseError) as refused:
        printed(LONGEST.format(text=" ".join(["WIDE WORDS"] * 36)))
    assert refused.value.message == (
        "The wound of S3, Forty characters, and not one more, x x., is too long for a card, even in the smallest type "
        "that can be read (6.5 pt). Make its text shorter, or what is rolled for it."
    )


def test_too_much_to_roll_for_names_its_card():
    means = ", ".join(f'"a meaning of many words, number {face:3}"' for face in range(20))
    details = ", ".join(f'{{ what = "thing {n}", dice = "1d20", means = [{means}] }}' for n in range(2))
    with pytest.raises(CardhouseError, match="The wound of HA, Much, is too long for a card"):
        printed(f'[HA]\nname = "Much"\ntext = "Roll."\nends = "week"\ndetails = [{details}]')


# The same bytes.


@pytest.mark.soak
def test_the_same_cards_are_the_same_bytes():
    script = (
        "import sys; from cardhouse.games.hackjack.print import hackjack_pdf; from cardhouse.print.pen import PAPERS;"
        "from cardhouse.games.hackjack.wounds.data import standard_wounds;"
        "sys.stdout.buffer.write(hackjack_pdf(standard_wounds(), PAPERS['a4'], sheets=[None]))"
    )
    here = hackjack_pdf(standard_wounds(), PAPERS["a4"], sheets=[None])
    for seed in ("1", "2"):
        there = subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "TZ": "Asia/Tokyo"},
        )
        assert there.stdout == here
    assert b"D:20000101000000" in here


# The sheets.


def test_an_empty_sheet_has_a_place_for_all():
    (page,) = read(hackjack_pdf(standard_wounds(), PAPERS["a4"], cards=False, sheets=[None]))
    said = page.text()
    for label in ("Name", "HP", "Max HP", "STR DEX CON INT WIS CHA", "Hit die", "To hit", "Death-score"):
        assert label in said
    for label in ("Draw pile", "Blood pool", "Trauma", "Wounds and how each ends", "Permanent marks"):
        assert label in said
    assert " ".join(map(str, range(1, 22))) in said
    assert "Recovery time rolled" in said


@pytest.mark.parametrize("paper", SIZES)
def test_the_recovery_table(paper: str):
    (page,) = read(hackjack_pdf(standard_wounds(), PAPERS[paper], cards=False, sheets=[None]))
    said = page.text()
    assert "0 none" in said
    for trauma, (dice, unit) in RECOVERY.items():
        assert f"{trauma} {dice} {unit}" in said
    assert "3 2d6 weeks" in said
    assert "Row 3 is from the original; the others are ours (HJ-17)." in said


@pytest.mark.parametrize("paper", SIZES)
def test_a_card_fits_on_the_draw_piles_place(paper: str):
    (page,) = read(hackjack_pdf(standard_wounds(), PAPERS[paper], cards=False, sheets=[None]))
    assert [path for path in page.paths if width(path.box) >= 100 and 89 < height(path.box) < 95]
    (heading,) = [line for line in page.lines if line.text == "Wounds"]
    (place,) = [path.box for path in page.paths if 62.9 < width(path.box) < 63.5 and 87.9 < height(path.box) < 88.5]
    assert place.bottom < heading.box.top


@pytest.mark.parametrize("paper", SIZES)
def test_nothing_on_a_sheet_overlaps(paper: str):
    for page in read(hackjack_pdf(standard_wounds(), PAPERS[paper], cards=False, sheets=[None, HURT])):
        inside = Box(10, 10, page.size[0] - 10, page.size[1] - 10)
        inks = [line.box for line in page.lines]
        assert all(inside.holds(ink) for ink in (*inks, *(path.box for path in page.paths)))
        for number, ink in enumerate(inks):
            assert not [other for other in inks[number + 1 :] if shrunk(ink).meets(shrunk(other))]


ROSTER = """
{"cardhouse_roster": 1, "characters": [
  {"name": "Ada Ångström", "hp": 0, "max_hp": 12, "hit_die": "d8", "to_hit": "+4 with the long rifle",
   "scores": {"STR": 9, "DEX": 14, "CON": 11, "INT": 17, "WIS": 12, "CHA": 13},
   "death_score": 13, "blood": 5, "trauma": 4, "down": true,
   "wounds": [{"card": "S3", "found": [2]}, {"card": "S4", "drops": {"INT": 3, "WIS": 1}}, {"card": "HQ"}],
   "marks": [{"card": "D10", "lasting": {"text": "An impressive scar."}}],
   "recovery": {"trauma": 4, "amount": 5, "unit": "months"}}]}
"""
(HURT,) = read_roster(ROSTER.encode())


def test_a_sheet_filled_in():
    (page,) = read(hackjack_pdf(standard_wounds(), PAPERS["letter"], cards=False, sheets=[HURT]))
    said = page.text()
    assert said.startswith("Name Ada Ångström down HP 0 Max HP 12")
    for number, ability in zip((9, 14, 11, 17, 12, 13), ("STR", "DEX", "CON", "INT", "WIS", "CHA"), strict=True):
        assert f"{ability} {number}" in said
    assert "Hit die To hit d8 +4 with the long rifle" in said
    assert "Blood pool 5" in said
    assert "5 months" in said
    wounds = standard_wounds()
    assert f"3 Broken arm, until recovered {wounds['S3'].text} arm: right" in said
    assert f"4 Cracked skull, until recovered {wounds['S4'].text} INT -3; WIS -1" in said
    assert f"Q Faltering heart, until recovered {wounds['HQ'].text}" in said
    assert "10 An impressive scar." in said


def test_the_tracks_of_a_sheet_filled_in():
    (page,) = read(hackjack_pdf(standard_wounds(), PAPERS["a4"], cards=False, sheets=[HURT]))
    black = [path.box for path in page.paths if path.fill == BLACK and height(path.box) > 4]
    (score,) = [box for box in black if height(box) > 9]
    assert page.text(score) == "13"
    (trauma,) = [box for box in black if height(box) < 5 and width(box) > 4]
    assert page.text(Box(trauma.right, trauma.top - 1, trauma.right + 8, trauma.bottom + 1)) == "4"
    assert len([path for path in page.paths if path.fill == RED and 3 < width(path.box) < 3.5]) == 5


def test_wounds_on_a_sheet_are_the_tables_own():
    wounds = read_wounds('[HQ]\nname = "Cold heart"\ntext = "It hardly beats."\nends = "comfort"')
    (page,) = read(hackjack_pdf(wounds, PAPERS["a4"], cards=False, sheets=[HURT]))
    assert "Q Cold heart, until comfortably rested It hardly beats." in page.text()


def test_the_dead_and_those_far_beyond():
    dead = roster(hp=0, alive=False, down=True, death_score=47, blood=33)
    (page,) = read(hackjack_pdf(standard_wounds(), PAPERS["a4"], cards=False, sheets=[dead]))
    assert "Ada dead" in page.text()
    assert "Death-score 47" in page.text()
    assert "Blood pool 33" in page.text()


def test_many_wounds_go_on_overleaf():
    text = '{"cardhouse_roster": 1, "characters": [{"name": "Ben", "hp": 1, "max_hp": 7, "wounds": [%s]}]}'
    (ben,) = read_roster((text % ",".join(f'{{"card": "{card}"}}' for card in STANDARD)).encode())
    pages = read(hackjack_pdf(standard_wounds(), PAPERS["letter"], cards=False, sheets=[ben, None]))
    assert len(pages) == 5
    assert all("Ben, continued" in page.text() for page in pages[1:-1])
    listed = " ".join(page.text() for page in pages[:-1])
    for wound in standard_wounds().values():
        assert listed.count(f"{wound.name}, {ends_in_words(wound.ends)}") == 1
    for page in pages:
        assert all(line.box.bottom < page.size[1] - 10 for line in page.lines)


def test_the_longest_name_and_note_have_room():
    wide = roster(name="W" * 40, to_hit="M" * 40, alive=False, hp=0)
    (page,) = read(hackjack_pdf(standard_wounds(), PAPERS["a4"], cards=False, sheets=[wide]))
    (name,) = [line for line in page.lines if line.text == "W" * 40]
    (dead,) = [line for line in page.lines if line.text == "dead"]
    assert name.box.right < dead.box.left
    note = [line for line in page.lines if set(line.text.strip()) == {"M"}]
    assert sum(len(line.text.strip()) for line in note) == 40
    assert all(line.box.right < page.size[0] - 13.5 for line in note)


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"name": "漢字"}, "The name 漢字 has "),
        ({"to_hit": "+4 😀"}, "The to-hit note of Ada has "),
    ],
)
def test_letters_missing_on_a_sheet_are_listed(fields: dict[str, Any], where: str):
    with missing_letters() as missing:
        (page,) = read(hackjack_pdf(standard_wounds(), PAPERS["a4"], cards=False, sheets=[roster(**fields)]))
    assert missing
    assert all(sentence.startswith(where) for sentence in missing)
    assert any(MARK in line.text for line in page.lines)


def test_a_letter_missing_in_a_mark_is_listed():
    (sheet,) = read_roster(ROSTER.replace("An impressive scar.", "☠").encode())
    with missing_letters() as missing, Pen(PAPERS["a4"], "A sheet") as pen:
        draw_sheet(pen, sheet, standard_wounds())
    assert [sentence.partition(" has ")[0] for sentence in missing] == ["Ada Ångström's mark D10"]

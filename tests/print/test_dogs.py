"""Dogs Play Cards, Too on paper: the content of its sheets, and that all of it fits."""

from __future__ import annotations

import re
from typing import Any

import pytest

from cardhouse.cards import STANDARD, number_of, rank_of
from cardhouse.engine import fill
from cardhouse.engine.values.missing import missing_letters
from cardhouse.games.dogs.fallout.aftermath import severity_of
from cardhouse.games.dogs.people.fast import FAST
from cardhouse.games.dogs.people.sheet import GROUPS, Later, Noted, Sheet, Stats, Thing
from cardhouse.games.dogs.people.templates import TEMPLATES
from cardhouse.games.dogs.print import dogs_pdf
from cardhouse.games.dogs.print.reference import SEVERITY, WORTH, threshold, words
from cardhouse.games.dogs.state import EXPERIENCE_FROM, PILES, worth
from cardhouse.print.pen import PAPERS
from cardhouse.print.text import SMALLEST
from tests.print.reading import Box, Page, read
from tests.thorough import in_soak

EVENTS, VALUES = words().events, words().values
WELL = Stats(3, 2, 1, 3)
THINGS = [
    Thing("I can't hold my tongue", kind="-"),
    Thing("I know the scripture", kind="+", significant=True),
    Thing("Sister Ruth", "relationship"),
    Thing("A big old Colt", "belonging", significant=True, gun=True),
]
HISTORY = [
    Noted("Who gets the deed?", "DV-32", "stat_lowered", {"stat": "heart", "points": 1}),
    Noted("Who gets the deed?", "DV-27", "learns", {"cards": ["H7", "D9b"]}),
    Noted("The mine 💀", "DV-29", "mortally_wounded"),
]
AMOS = Sheet(
    name="Brother Ámos",
    stats=WELL,
    things=THINGS,
    kept=["S9", "H10b"],
    condition="mortally_wounded",
    wounds=["S9b", "CJ"],
    owed=["long_term", "long_term"],
    later=[Later("counts_troublesome", "Sister Ruth"), Later("fewer_cards")],
    history=HISTORY,
)
MANY = Sheet(
    name="W" * 40,
    stats=WELL,
    things=[Thing(f"Something of the usual length, {n}", GROUPS[n % 3], "+") for n in range(40)],
    kept=[f"C{rank}" for rank in range(2, 11)],
    history=HISTORY * 20,
)
WIDE = Sheet(name="Wide", stats=WELL, things=[Thing(f"{n:02}{'W' * 78}", kind="-") for n in range(20)])
SILAS = Sheet(name="Silas", stats=Stats(2, 2, 2, 2), npc=True, fast="C", members=2)


@pytest.fixture(scope="module", params=["a4", *in_soak("letter")])
def pages(request: pytest.FixtureRequest) -> list[Page]:
    """All that is printed, on each paper: the game master's page, three characters, the empty sheets."""
    return read(dogs_pdf(PAPERS[request.param], sheets=[AMOS, SILAS, MANY, WIDE], blank=True))


def inside(box: Box, page: Page, margin: float) -> bool:
    return Box(margin, margin, page.size[0] - margin, page.size[1] - margin).holds(box)


def shrunk(box: Box) -> Box:
    return Box(box.left + 0.15, box.top + 0.15, box.right - 0.15, box.bottom - 0.15)


def test_a_page_each_and_nothing_overlaps(pages: list[Page]):
    # Twenty of the longest names need a second page; nothing else does.
    assert [page.text().count(", continued") for page in pages] == [0, 0, 0, 0, 1] + [0] * (len(TEMPLATES) + 1)
    for page in pages:
        assert page.size[0] > page.size[1]
        inks = [line.box for line in page.lines]
        assert all(inside(ink, page, 8) for ink in inks)
        assert all(inside(path.box, page, 7.5) for path in page.paths)
        assert all(line.embedded and line.size >= SMALLEST for line in page.lines)
        for number, ink in enumerate(inks):
            assert not [other for other in inks[number + 1 :] if shrunk(ink).meets(shrunk(other))], page.text(ink)


def test_a_sheet_filled_in(pages: list[Page]):
    said = pages[1].text()
    lowered = {"name": AMOS.name, **HISTORY[0].about}
    for text in (
        "Brother Ámos",
        "mortally wounded",
        "I can't hold my tongue",
        "A big old Colt (gun)",
        "to choose: long-term, 2 times; Sister Ruth counts as \u2212; one card fewer",
        "Fallout to be healed",
        "\u201cThe mine \u25a0\u201d Brother Ámos",
        "\u201cWho gets the deed?\u201d " + fill(EVENTS["stat_lowered"], lowered, None, VALUES),
    ):
        assert text in said
    marks = [line.text for line in pages[1].lines if line.size == 11 and "Bold" in line.font]
    assert marks[:3] == ["\u2212", "+*", "*"]
    assert [mark for mark in marks if mark in ("9", "10", "J")] == ["9", "10", "9", "J"]
    stats = [line.text for line in pages[1].lines if line.size == 22]
    assert stats == ["3", "2", "1", "3"]


def test_four_piles_as_wide_as_a_card(pages: list[Page]):
    for page in (*pages[1:4], *pages[5:]):
        piles = [path.box for path in page.paths if 62.9 < path.box.right - path.box.left < 63.6]
        assert len(piles) == 4
        for pile, box in zip(PILES, piles, strict=True):
            assert page.text(box).startswith(threshold(pile))


def test_thresholds_severity_and_worth_are_those_of_the_rules():
    for pile in PILES:
        ranks = [rank_of(card) for card in STANDARD[:13] if number_of(card) >= EXPERIENCE_FROM[pile]]
        assert threshold(pile) in (f"{ranks[0]} and up", " or ".join(ranks))
    for card in STANDARD:
        told = [severity for cards, severity, _ in SEVERITY if rank_of(card) in cards.split() and cards[-1] != "s"]
        if number_of(card) < 12 and card != "SJ":
            assert told == [severity_of(card)]
    assert (SEVERITY[0][:2], severity_of("SJ")) == (("J of spades", "dying"), "dying")
    said = {rank: is_ for ranks, is_ in WORTH for rank in ranks.split()}
    assert {rank: str(worth(f"C{rank}")) for rank in "AJQK"} == {rank: said[rank] for rank in "AJQK"}


def test_a_template_has_its_slots(pages: list[Page]):
    for (name, template), page in zip(TEMPLATES.items(), pages[5:], strict=False):
        said = page.text()
        assert f"{name.replace('_', ' ').capitalize().replace('Well ', 'Well-')}: {template.points} points" in said
        slots = [
            line.text for line in page.lines if re.match(r"(troublesome|regular|strong)(, significant)?$", line.text)
        ]
        # Two of the three belongings; the third is either of two.
        assert len(slots) == len(template.trait) + len(template.relationship) + 2
        assert "regular, significant, or strong" in said


def test_the_game_masters_page(pages: list[Page]):
    said = pages[0].text()
    assert "Silas, and 2 more" in said
    for kind in FAST:
        assert f"Type {kind}" in said
    for line in (
        "3 cards, \u2212*",
        "4 cards, + and regular",
        "regular and +*",
        "+*, and 1 card",
        "10 and up",
        "Q or K",
    ):
        assert line in said
    squares = [p.box for p in pages[0].paths if 3 < p.box.right - p.box.left < 4 and 3 < p.box.bottom - p.box.top < 4]
    assert len(squares) == 4 * 4 * 5 + 4 * 8


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"name": "بن"}, "The name بن has "),
        ({"name": "Ada 😀"}, "The name Ada 😀 has "),
        ({"things": [Thing("漢字", "belonging")]}, "Ada's belonging 漢字 has "),
        ({"later": [Later("troublesome_trait", "☠")]}, "What Ada chose has "),
    ],
)
def test_what_cannot_be_printed_is_named(fields: dict[str, Any], where: str):
    sheet = Sheet(**{"name": "Ada", "stats": WELL, **fields})
    with missing_letters() as missing:
        dogs_pdf(PAPERS["a4"], sheets=[sheet], aid=False)
    assert missing[0].startswith(where)

"""A television at the end of a game with many at the table: nothing of the recap is cut off."""

import itertools
import json
from collections.abc import Iterable

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Come
from tests.browser.people import TELEVISION, House, Person, Resumed
from tests.browser.test_told import END, hit

pytestmark = pytest.mark.browser

NAMES = ("Doc", "Nan", "Wilhelmina Montgomery", "Kit", "Boone", "Ike", "Moll", "Snake", "Bo", "Cy", "Dot", "Abe")
STATS = {"acuity": 1, "body": 1, "heart": 1, "will": 1}
HEAD = {"cardhouse": 1, "name": "Noon in Red Gulch", "seats": ["gm", "p1"], "names": {"p1": "Ada"}}


def armed(name: str, place: int) -> str:
    card = f"{'HS'[place % 2]}{('A', 'K', 'Q', 'J', '10', '9', '8', '7', '6', '5', '4')[place]}"
    side = "The law" if place % 2 else "The Harlan gang"
    about = {"name": name, "hp": 6, "max_hp": 6, "card": card, "side": side, "controller": "gm"}
    return json.dumps({"by": "gm", "do": "add_character", **about})


FULL_GUNFIGHT = [
    json.dumps({**HEAD, "game": "gunfight"}),
    *(armed(name, place) for place, name in enumerate(NAMES[:11])),
    *(*hit("Boone", 7, "S10"), *hit("Boone", 1, "H9"), *hit("Boone", 1, "DK")),
    *(*hit("Ike", 7, "C8"), *hit("Ike", 1, "SK"), *hit("Ike", 1, "DQ"), *hit("Kit", 7, "S7"), END),
]
TOWN = [
    json.dumps({**HEAD, "game": "dogs"}),
    *(json.dumps({"by": "gm", "do": "create", "name": name, "stats": STATS}) for name in NAMES),
    '{"by":"gm","do":"open_conflict","stakes":"Who is right?","arena":"talking","sides":[["Doc"],["Nan"]]}',
    *(json.dumps({"draw": "dogs", "card": card}) for card in ("C9", "D6", "S10", "S5")),
    '{"by":"gm","do":"raise","name":"Doc","card":"C9"}',
    '{"by":"gm","do":"see","name":"Nan","cards":["S10"]}',
    END,
]
SEATS = ["gm", *(f"p{number}" for number in range(1, 8))]


def played() -> Iterable[str]:
    """A game of eight players that is over after one round."""
    names = dict(zip(SEATS, ("Mo", "Ada", "Ben", "Cy", "Dot", "Eve", "Fay", "Gus"), strict=True))
    options = {"hand_size": 1, "rounds": 1, "gm_plays": True}
    cards = ["S5", "S6", "H7", "D8", "C9", "C2", "C3", "C4"]
    lines = [
        {"cardhouse": 1, "game": "dogpile", "name": "Friday dogs", "seats": SEATS, "names": names, "options": options},
        {"by": "gm", "do": "begin", "first": "p1"},
        *({"draw": "draft", "card": card} for card in [*cards, "S7"]),
        {"by": "p1", "do": "lay", "cards": [{"card": "S5", "x": 0, "y": 1}]},
        {"by": "p2", "do": "pass"},
    ]
    return map(json.dumps, lines)


def bottom(of: Locator) -> float:
    box = of.bounding_box()
    assert box
    return box["y"] + box["height"]


def is_whole(screen: Person, people: int) -> None:
    """All of the recap is to be seen, nothing covered by anything else."""
    screen.page.evaluate("document.fonts.ready")
    parts = [screen.page.get_by_role("list", name=name) for name in ("Totals", "Highlights", "At the table")]
    expect(parts[-1].get_by_role("listitem")).to_have_count(people)
    for part in parts:
        for item in part.get_by_role("listitem").all():
            expect(item).to_be_in_viewport(ratio=1)
    for above, below in itertools.pairwise(parts[1:]):
        box = below.bounding_box()
        assert box
        assert bottom(above) <= box["y"] + 1
    assert bottom(parts[-1]) < screen.page.viewport_size["height"] - 10  # type: ignore[index]


@pytest.mark.parametrize("end", ["dogpile", "gunfight", "dogs"])
def test_a_recap_is_wholly_to_be_seen(come: Come, house: House, end: str) -> None:
    screen = come("the television", TELEVISION)
    lines, people = {"dogpile": (played(), 8), "gunfight": (FULL_GUNFIGHT, 11), "dogs": (TOWN, 12)}[end]
    screen.opens_link(Resumed(house, lines).link("screen"))
    for width, height in ((1920, 1080), (1280, 720)):
        screen.page.set_viewport_size({"width": width, "height": height})
        is_whole(screen, people)
        screen.screenshot(f"{end}-end-television-{height}")

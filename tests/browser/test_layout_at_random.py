"""In random states of play, nothing is cut off or covered on any screen."""

import json
from collections.abc import Iterator
from random import Random

import pytest

from cardhouse.engine import Refused, SeededDealer, Table
from cardhouse.testing.evenings import RandomSession
from tests.browser.conftest import Come
from tests.browser.lying import lies_wrong
from tests.browser.people import Device, House, Resumed
from tests.browser.test_layout import lines_of
from tests.browser.test_weights import TILL_SAVED

pytestmark = [pytest.mark.browser, pytest.mark.soak, pytest.mark.slow, pytest.mark.timeout(900)]

SIZES = {"small": (320, 568), "phone": (390, 844), "tablet": (768, 1024), "desk": (1440, 900), "large": (1920, 1080)}
STATES = 12


def played(game: str, seed: int) -> Iterator[Table]:
    """A table in the middle of a good moment, and after each answer that bots and chance give it."""
    table = Table.read(map(json.dumps, lines_of(game)), SeededDealer(seed))
    evening = RandomSession(table, Random(f"{game} {seed}"), bots=0.7, undo=0.02, anytime=0.15)
    yield table
    for _ in range(STATES - 1):
        if (said := evening.next()) is None:
            return
        try:
            table.answer(said.by, said.answer, chance=said.chance, time=said.time)
        except Refused:  # an undo of what can't be undone
            continue
        yield table


@pytest.mark.parametrize("seed", [1])
@pytest.mark.parametrize("game", ["initiative", "hackjack", "gunfight", "dogs", "dogpile"])
def test_nothing_is_cut_off_or_covered(come: Come, house: House, game: str, seed: int):
    phone: Device = {"viewport": {"width": 320, "height": 568}}
    ada = come("Ada", phone)
    # The typefaces come after the first view, and have other widths than those that stand in for them.
    ada.page.goto(house.address)
    ada.page.evaluate(TILL_SAVED)
    wrong: list[str] = []
    for place, table in enumerate(played(game, seed)):
        seat = next((seat for seat in table.asks().get("seats", []) if seat in table.seats), "p1")
        Resumed(house, table.transcript().splitlines()).sits(ada, seat)
        for size, (width, height) in SIZES.items():
            ada.page.set_viewport_size({"width": width, "height": height})
            if found := lies_wrong(ada.page):
                name = f"at-random-{game}-{seed}-{place}-{size}"
                wrong += [f"{name}: {one}" for one in found]
                ada.screenshot(name)
    assert wrong == []

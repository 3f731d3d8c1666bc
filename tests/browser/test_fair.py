"""Every phone checks the deal: with its witness alone, and with a shared deal."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import WebSocketRoute, expect

from cardhouse.engine.integrity.client_audit import read_witness
from cardhouse.engine.integrity.verify import Verified, verify
from cardhouse.engine.values.transcript import read_transcript
from tests.browser.conftest import Come
from tests.browser.links import link_of
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, Person, Table

pytestmark = pytest.mark.browser

NAMES = ("Ada", "Ben", "Cy", "Di")
FAIR = re.compile(r"^Verified: .+ match(es)? the seed\.( Devices of Di left once\.)?$")
FAIR_IN_PART = re.compile(r"^Verified in part: this device took part in [0-9]+ of [0-9]+ draws\.")
UNFAIR = "Not verified."


def sets_table(come: Come, sit_down: Callable[..., Table], *ticks: str, names: tuple[str, ...] = NAMES) -> Table:
    """Of card initiative, with a fighter for each of the players."""
    gm = come("Mo", DESK)
    gm.makes_table_with(*ticks)
    table = sit_down(*names, gm=gm)
    for name in names:
        gm.adds(name, played_by=name, more=name != names[-1])
    return table


ENDS = """([table, token]) => new Promise((done, failed) => {
    const socket = new WebSocket(`ws://${location.host}/ws`)
    const say = (frame) => socket.send(JSON.stringify(frame))
    socket.onopen = () => say({ t: 'sit', table, token })
    socket.onmessage = ({ data }) => {
        const told = JSON.parse(data)
        if (told.t === 'table') say({ t: 'answer', id: 'the-end-of-this-table-', at: told.n, answer: { end: true } })
        if (told.ack) done(socket.close())
        if (told.t === 'error') failed(new Error(data))
    }
    socket.onclose = () => failed(new Error('The server hung up.'))
})"""
"""The end without the ten seconds in which it may be taken back."""


def ends(table: Table) -> None:
    """The game master ends the table; everybody sees what came of the check."""
    here = urlsplit(link_of(table.gm))
    table.gm.page.evaluate(ENDS, [here.path.split("/")[-1], here.fragment])


def fair_deal(person: Person) -> Any:
    """What the menu says of it."""
    menu = person.opens_menu()
    person.hand.press(menu.get_by_text("Verified deal"))
    return menu


def saved(person: Person, control: str, folder: Path) -> Path:
    """The file that a button of the menu saves."""
    with person.page.expect_download() as download:
        person.hand.press(person.button(control, person.page.get_by_role("dialog")))
    path = folder / f"{person.name}-{download.value.suggested_filename}"
    download.value.save_as(path)
    return path


def verified(transcript: Path, witness: Path) -> Verified:
    return verify(transcript.read_text("utf-8").splitlines(), witness=read_witness(witness.read_bytes()))


@pytest.mark.slow
@pytest.mark.soak
def test_an_evening_dealt_together_on_four_phones_one_of_which_loses_its_connection(
    tmp_path: Path, come: Come, sit_down: Callable[..., Table]
):
    table = sets_table(come, sit_down, "Shared deal")
    ada, ben, cy, di = table.players
    table.plays_round()
    menu = fair_deal(ada)
    expect(menu.get_by_text(re.compile(r"^This device takes part in every draw, as device [2-5]\."))).to_be_visible()
    ada.screenshot("fair-deal-together-phone")
    assert_accessible(ada.page, "the fair deal")
    assert_fits(ada.page, "the fair deal")
    ada.closes(re.compile("."))

    di.loses_connection()
    table.everybody.remove(di)
    table.chooses(table.gm, "start")
    while (word := table.now()) != "start":
        table.chooses(table.gm, word)  # for Di, too
    table.everybody.append(di)
    di.finds_connection()
    di.catches_up(table.gm.number)
    di.page.reload()
    expect(di.question).to_be_visible()
    table.plays_round()

    table.gm.hand.press(table.gm.button("End table", table.gm.opens_menu()))
    for person in table.everybody:  # one of whom can't vouch for what was drawn while she was away
        expect(person.page.get_by_text(FAIR_IN_PART if person is di else FAIR)).to_be_visible()
    ben.screenshot("fair-verdict-phone")
    table.gm.screenshot("fair-verdict-desk")
    fair_deal(di)
    expect(di.page.get_by_text("Devices took part in")).to_be_visible()
    expect(di.page.get_by_text("No device took part in")).to_have_count(0)
    expect(
        di.page.get_by_text(re.compile(r"^Device \d, of Di, .*took part in \d+ of \d+ draws\. It missed \d"))
    ).to_be_visible()
    di.screenshot("fair-menu-over-phone")
    transcript = saved(di, "Save transcript", tmp_path)
    header, below = read_transcript(transcript.read_text("utf-8").splitlines())
    lines = [line for _, line in below]
    assert header.deal == "together"
    assert sum("device" in line for line in lines) == 5  # a reload is the same device
    took_part = [frozenset(line["links"]) for line in lines if "links" in line]
    assert {len(devices) for devices in took_part} == {4, 5}  # without the one that was away, and with it
    found = verified(transcript, saved(di, "Save witness file", tmp_path))
    assert (found.notes, found.alone, found.withheld) == ([], 0, {})
    fair_deal(cy)
    assert verified(transcript, saved(cy, "Save witness file", tmp_path)).rounds == len(took_part)


@pytest.mark.soak
def test_every_table_is_checked_when_it_ends_and_what_was_taken_back_is_listed(
    come: Come, sit_down: Callable[..., Table]
):
    table = sets_table(come, sit_down, names=("Ada",))
    [ada] = table.players
    table.chooses(table.gm, "start")
    table.gm.undoes()
    table.plays_round()
    head = fair_deal(ada).get_by_text(re.compile("^Log up to entry"))
    told = head.text_content()
    expect(fair_deal(table.gm).get_by_text(re.compile("^Log up to entry"))).to_have_text(told or "")
    for person in table.everybody:
        person.closes(re.compile("."))
    ends(table)
    expect(ada.page.get_by_text(FAIR)).to_be_visible()
    fair_deal(ada)
    expect(ada.page.get_by_text("Dealt and undone (")).to_be_visible()
    ada.screenshot("fair-taken-back-phone")


# A host who cheats: everything the page is told comes through their hands.

Frame = dict[str, Any]
Bend = Callable[[Frame], list[Frame]]


def bends(person: Person, bend: Bend) -> None:
    """What the server says to this person is changed on the way."""

    def through(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def tell(text: str | bytes) -> None:
            for frame in bend(json.loads(text)):
                socket.send(json.dumps(frame))

        server.on_message(tell)

    person.page.route_web_socket(re.compile("/ws$"), through)


@pytest.fixture
def cheated(come: Come, sit_down: Callable[..., Table]) -> Callable[..., tuple[Person, Person]]:
    """A game master, and a player who is told what `bend` makes of it, at a table where two fight."""

    def cheated(bend: Bend, *ticks: str) -> tuple[Person, Person]:
        gm = come("Mo", DESK)
        gm.makes_table_with(*ticks)
        ada = come("Ada")
        bends(ada, bend)
        ada.opens_link(gm.link_for("Player 1"))
        ada.sits_down()
        gm.goes_to_table()
        gm.adds("Nan", more=True)
        gm.adds("Doc")
        return gm, ada

    return cheated


@pytest.mark.soak
def test_the_page_finds_a_log_that_differs_from_what_it_received(cheated: Callable[..., tuple[Person, Person]]):
    """The page finds out at the end, by itself."""
    gm, ada = cheated(lambda frame: [{**frame, "head": "5e" * 32} if frame["t"] == "change" else frame])
    gm.chooses("start")
    ends(Table(gm, [ada]))
    expect(ada.page.get_by_text(UNFAIR)).to_be_visible()
    expect(ada.page.get_by_text("differ from this device")).to_be_visible()
    expect(gm.page.get_by_text(FAIR)).to_be_visible()
    ada.screenshot("fair-not-phone")


@pytest.mark.soak
def test_the_page_reports_an_unpromised_seed_at_once(cheated: Callable[..., tuple[Person, Person]]):
    promises = iter(["5e" * 32])

    def bend(frame: Frame) -> list[Frame]:
        if frame["t"] != "table":
            return [frame]
        table = frame["table"]
        return [{**frame, "table": {**table, "commitment": next(promises, table["commitment"])}}]

    gm, ada = cheated(bend)
    ada.page.reload()
    expect(ada.page.get_by_text(re.compile("seed fingerprint has changed")).first).to_be_visible()
    ada.screenshot("fair-other-seed-phone")
    assert gm.complaints == []


def test_a_device_asked_twice_gives_one_link_and_reports_it(cheated: Callable[..., tuple[Person, Person]]):
    """A host who tries out ids for an answer until the card is right."""

    def bend(frame: Frame) -> list[Frame]:
        return [frame, {**frame, "id": "another"}] if frame["t"] == "round" else [frame]

    gm, ada = cheated(bend, "Shared deal")
    gm.chooses("start")
    expect(
        ada.page.get_by_text(re.compile(r"asked this device twice in round [0-9]+ of the deal")).first
    ).to_be_visible()
    ada.screenshot("fair-asked-twice-phone")


@pytest.mark.soak
def test_the_page_misses_its_link_in_the_log(cheated: Callable[..., tuple[Person, Person]]):
    def bend(frame: Frame) -> list[Frame]:
        rounds = [{**drawn, "links": {"1": drawn["links"]["1"]}} for drawn in frame.get("rounds", ())]
        return [{**frame, "rounds": rounds} if rounds else frame]

    gm, ada = cheated(bend, "Shared deal")
    gm.chooses("start")
    expect(
        ada.page.get_by_text(re.compile("This device contributed to round .*, but the log doesn.t say so")).first
    ).to_be_visible()


def test_the_page_finds_a_card_that_the_seed_does_not_give(cheated: Callable[..., tuple[Person, Person]]):
    gm, ada = cheated(lambda frame: [frame])
    gm.chooses("start")

    def bend(route: Any) -> None:
        deal = route.fetch().json()
        first = deal["dealt"][0]
        drawn = json.loads(deal["transcript"].splitlines()[first["line"] - 1])["card"]
        first["outcomes"].remove(drawn)
        route.fulfill(json=deal)

    ada.page.route(re.compile("/deal$"), bend)
    ends(Table(gm, [ada]))
    expect(ada.page.get_by_text(re.compile(r"Line [0-9]+ of the transcript doesn.t match the seed"))).to_be_visible()
    expect(gm.page.get_by_text(FAIR)).to_be_visible()

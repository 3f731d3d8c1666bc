"""Two honest phones at the table of a host who cheats at the shared deal, with eight devices in two seats."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.people import House
from tests.server.cheating import Plan, anchor_of, bend_the_deal
from tests.server.talking import Person, Server, running

pytestmark = pytest.mark.browser

DRAWS = 12
"""At one of five cards, the wished one comes 2.4 times by chance, and in 1 of 18,000 evenings 9 times."""
BY_CHANCE = 8
FIGHTERS = {"Nan": "HA", "Doc": "S10", "Kid": "C4"}
HONEST = ("p1", "p2")
HOSTS = ("gm", "gm", "gm", "gm", "p3", "p3", "p3", "p3")

OTHER_DRAW = "the log has another move or other devices than this device was shown"
UNFAIR = "Not verified."
LEFT_OUT = "was dealt without this device, although it was here"


class Evening:
    """A table of card initiative, whose game master answers for everybody and wishes for cards."""

    def __init__(self, server: Server, plan: Plan, come: Come) -> None:
        self.table = server.make_table(seats=["p1", "p2", "p3"], deal="together", odds="off")
        self.plan = plan
        self.phones = [come(name, house=House.at(server.address)) for name in ("Ada", "Ben")]
        for seat, phone in zip(HONEST, self.phones, strict=True):
            phone.opens_link(f"{server.address}/t/{self.table.id}#{self.table.links[seat]}")
            phone.sits_down()
        self.gm = self.table.sit("gm")
        for name, card in FIGHTERS.items():
            self.gm.do("add_character", name=name, card=card)
        self.secrets = dict(self._hosts_devices())

    def _hosts_devices(self) -> Iterator[tuple[int, str]]:
        for place, seat in enumerate(HOSTS):
            device: Person = self.table.sit(seat)
            secret = f"{place:02x}" * 32
            device.say(t="device", anchor=anchor_of(secret))
            yield device.hear("device")["number"], secret
            device.close()

    def draws(self, how: str, wish: str = "HA") -> int:
        """Have rounds started and undone; how often the first card was the one that is wished for."""
        self.plan.write(how, wish, self.secrets)
        for _ in range(DRAWS):
            self.gm.do("start_round")
            while (undone := self.gm.ask({"undo": 1})).get("code") == "stale":
                continue  # a device's silence was still to be told
            assert undone["t"] == "change", undone
        self.plan.write("honest")
        lines = self.table.transcript()
        began = [place for place, line in enumerate(lines) if line.get("do") == "start_round"]
        first = [next(line["card"] for line in lines[place:] if "draw" in line) for place in began[-DRAWS:]]
        return first.count(wish)

    def ends(self) -> None:
        self.gm.ask({"end": True})


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    return Plan(tmp_path / "plan.json")


@pytest.fixture
def cheater(tmp_path: Path, plan: Plan) -> Iterator[Server]:
    log = tmp_path / "log"
    with running(f"sqlite:///{tmp_path}/cards.db", log=log, prepare=partial(bend_the_deal, plan)) as server:
        yield server


@pytest.fixture
def evening(cheater: Server, plan: Plan, come: Come) -> Evening:
    return Evening(cheater, plan, come)


def verdicts(evening: Evening) -> list[str]:
    """What each phone says of the deal after the end, in its headline."""
    evening.ends()
    for phone in evening.phones:
        expect(phone.page.get_by_text("Checking every card")).to_have_count(0)
        expect(phone.page.locator(".problem, .verdict").first).to_be_visible()
    return [" ".join(phone.page.locator(".problem, .verdict").all_inner_texts()) for phone in evening.phones]


FIRST = {"choose_afterwards": OTHER_DRAW}
"""The cheat that runs in the first tier, with the headline on every honest phone."""
LATER = {
    "choose_and_commit_again": OTHER_DRAW,
    "give_a_later_link": UNFAIR,
    "withhold_again": UNFAIR,
    "withhold_by_seats": "broke off",
    "leave_out": LEFT_OUT,
    "as_an_older_server": LEFT_OUT,
    "replace_the_honest": "This device no longer takes part in the deals",
    "stop_and_ask_again": "The server may have drawn a card and thrown it away",
    "blame_the_honest": "The log says that this device contributed nothing",
}


@pytest.mark.parametrize(
    ("how", "headline"), [*FIRST.items(), *(pytest.param(*way, marks=pytest.mark.soak) for way in LATER.items())]
)
def test_a_host_with_eight_devices_gets_no_card_without_every_honest_phone_saying_so(
    evening: Evening, how: str, headline: str
):
    came = evening.draws(how)
    said = verdicts(evening)
    assert came > BY_CHANCE or how == "withhold_by_seats"  # no protocol prevents that one, but it brings little
    assert [headline in text for text in said] == [True, True]
    evening.phones[0].screenshot(f"cheat-{how}-phone")


@pytest.mark.soak
def test_a_hosts_devices_that_come_and_go_bring_no_card(evening: Evening):
    assert evening.draws("come_and_go") <= BY_CHANCE
    assert all(text.startswith("Verified: ") for text in verdicts(evening))

"""Cardhouse as an app: installed, opened while the server is away, and left open during an update."""

import json
import os
import re
import shutil
import struct
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.sync_api import Browser, Error, expect

import cardhouse
from scripts.services import free_port
from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, SECONDS, House, Person
from tests.browser.test_dogpile import HANDS, Kennel, begins, chooses, puts, tried

pytestmark = pytest.mark.browser

AWAY = "Can\N{RIGHT SINGLE QUOTATION MARK}t reach the server."
CONTROLLED = "() => navigator.serviceWorker.controller !== null"
LOOK_MS = 50
"""So often is looked whether something has come about; to look all the time would keep it from doing so."""
KEPT = """async () => {
  const kept = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
  return kept.flat().map(({ url }) => url)
}"""


def size_of(png: bytes) -> str:
    """What the picture itself says, in its head."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    return "{}x{}".format(*struct.unpack(">II", png[16:24]))


def look_at_icons(person: Person, manifest_url: str) -> None:
    manifest = person.page.request.get(manifest_url)
    assert manifest.headers["content-type"].startswith("application/manifest+json")
    for icon in manifest.json()["icons"]:
        drawn = person.page.request.get(urljoin(manifest_url, icon["src"]))
        assert drawn.headers["content-type"].startswith(icon["type"])
        assert icon["sizes"] == ("any" if "svg" in icon["type"] else size_of(drawn.body()))


def is_kept(person: Person) -> None:
    """Wait until the service worker keeps the shell, and this page goes by it."""
    person.page.wait_for_function(CONTROLLED, polling=LOOK_MS)


@pytest.mark.soak
def test_it_is_installed_and_opens_while_the_house_is_away(tmp_path: Path, come: Come):
    with House(tmp_path) as house:
        gm, ada = come("Mo", DESK, house=house), come("Ada", house=house)
        gm.makes_table()
        link = gm.link_for("Player 1")
        ada.opens_link(link)
        ada.sits_down()
        devtools = ada.context.new_cdp_session(ada.page)
        found = devtools.send("Page.getAppManifest")
        assert (found["errors"], json.loads(found["data"])["display"]) == ([], "standalone")
        look_at_icons(ada, found["url"])
        is_kept(ada)
        # The real browser's own word for it; one in a window that leaves no traces installs nothing.
        errors = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
        assert {error["errorId"] for error in errors} <= {"in-incognito"}, errors
        kept = ada.page.evaluate(KEPT)
        assert f"{house.address}" in kept
        assert any("/assets/index-" in url for url in kept)
        assert not [url for url in kept if re.search("/api|/ws|#|/t/|view", url)], kept

        house.kill()
        ada.page.goto(house.address)
        expect(ada.page.get_by_text(AWAY)).to_be_visible()
        ada.screenshot("away-home")
        ada.opens_link(link)
        expect(ada.page.get_by_role("heading", name=AWAY)).to_be_visible()
        assert_accessible(ada.page, "the house is away")
        assert_fits(ada.page, "the house is away")
        ada.screenshot("away-table")
        house.open()
        expect(ada.question).to_be_visible()


OVERWRITES = """async () => {
  for (const name of await caches.keys()) {
    const cache = await caches.open(name)
    for (const request of await cache.keys()) {
      const type = (await cache.match(request)).headers.get('Content-Type')
      const evil = type.includes('script') ? 'document.documentElement.dataset.evil = 1' : '<h1>Evil</h1>'
      await cache.put(request, new Response(evil, { headers: { 'Content-Type': type } }))
    }
  }
}"""
"""As a package's view can: it is a script of this site."""
HAS_EVIL = """async () => {
  const all = await Promise.all((await caches.keys()).map(async (name) => {
    const cache = await caches.open(name)
    return Promise.all((await cache.keys()).map(async (request) => (await cache.match(request)).text()))
  }))
  return all.flat().some((text) => /evil/i.test(text.slice(0, 60)))
}"""
FILLED = f"async (most) => (await ({KEPT})()).length === most"


@pytest.mark.parametrize("prefix", ["", pytest.param("cards/", marks=pytest.mark.soak)])
def test_a_script_that_writes_to_the_cache_is_not_run_from_it(tmp_path: Path, come: Come, prefix: str):
    """The worker knows each file's hash; a package's view would otherwise stay when the package is removed."""
    house = House(tmp_path)
    if prefix:
        address = f"http://127.0.0.1:{free_port()}/{prefix}"
        house = House(tmp_path, None, "--address", address)
        house.address = address
    with house:
        ada = come("Ada", house=house)
        ada.page.goto(house.address)
        is_kept(ada)
        kept = len(ada.page.evaluate(KEPT))
        assert kept > 5
        ada.page.evaluate(OVERWRITES)
        assert ada.page.evaluate(HAS_EVIL)
        ada.page.reload()
        expect(ada.page.get_by_role("heading", name="Hackjack")).to_be_visible()
        assert not ada.page.evaluate("document.documentElement.dataset.evil")
        assert not ada.page.evaluate(HAS_EVIL), "the cache started anew"
        ada.page.evaluate(f"async (most) => {{ while (!(await ({FILLED})(most))); }}", kept)
        ada.page.evaluate(OVERWRITES)
        house.kill()
        with pytest.raises(Error):
            ada.page.goto(house.address)
        assert not ada.page.get_by_text("Evil").count()


class Renewed(House):
    """A house of a copy of Cardhouse, whose page can be made another one, as by an upgrade."""

    def __init__(self, folder: Path) -> None:
        self.package = folder / "lib" / "cardhouse"
        shutil.copytree(Path(cardhouse.__file__).parent, self.package, ignore=shutil.ignore_patterns("__pycache__"))
        super().__init__(folder, env=dict(os.environ) | {"PYTHONPATH": str(self.package.parent)})

    def renew(self) -> str:
        """Its page is made of other files, each under another name, as after any build; the path of its script."""
        page = self.package / "server" / "page"
        for packed in [*page.rglob("*.gz"), *page.rglob("*.br")]:
            packed.unlink()
        names = {
            file.name: f"{file.stem[:-1]}{'-' if file.stem.endswith('_') else '_'}{file.suffix}"
            for file in (page / "assets").iterdir()
        }
        for file in [file for file in page.rglob("*") if file.suffix in (".html", ".js", ".css", ".json")]:
            text = file.read_text("utf-8")
            for was, now in names.items():
                text = text.replace(was, now)
            file.write_text(text, "utf-8")
        for was, now in names.items():
            (page / "assets" / was).rename(page / "assets" / now)
        script = re.search(r' src="([^"]*/assets/[^"]+)"', (page / "index.html").read_text("utf-8"))
        assert script
        return script[1]


FACES_CAME = """async () => {
  while (!('cardhouse.faces' in localStorage)) await new Promise(requestAnimationFrame)
}"""
NAMES = "all => all.map(one => one.ariaLabel ?? one.textContent)"


@pytest.mark.soak
def test_a_page_left_open_over_an_upgrade_says_so_and_loses_nothing(tmp_path: Path, come: Come):
    with Renewed(tmp_path) as house:
        kennel = Kennel(house, ("Ada", "Ben"), [*begins("p1", "S7", HANDS)], rounds=3)
        ada = kennel.sits(come("Ada", house=house), "p1")
        chooses(ada, "8 of spades")
        puts(ada, "8 of spades", "1 to the right")
        laid = tried(ada).evaluate_all(NAMES)
        assert laid
        menu = ada.opens_menu()
        # They come after a while of rest, and from a house renewed by then they would come by a name it doesn't know.
        ada.page.evaluate(FACES_CAME)
        house.stop()
        expect(ada.page.get_by_text("The server is updating")).to_be_attached()
        script = house.renew()
        house.open()
        said = ada.page.get_by_text("The server was updated")
        expect(said).to_be_attached()
        assert script not in ada.loads, "as long as a sheet is open, the page stays"
        ada.page.keyboard.press("Escape")
        expect(menu).to_have_count(0)
        ada.screenshot("renewed")
        expect(said).to_have_count(0)
        assert script in ada.loads, "it came by itself"
        expect(tried(ada).first).to_be_visible()
        assert tried(ada).evaluate_all(NAMES) == laid
        ada.does(ada.button("Lay one card"))


@pytest.mark.soak
def test_a_half_filled_form_survives_an_upgrade(tmp_path: Path, come: Come):
    with Renewed(tmp_path) as house:
        gm = come("Mo", DESK, house=house)
        gm.page.clock.install()
        gm.makes_table()
        gm.goes_to_table()
        menu = gm.opens_menu()
        gm.hand.tick(menu.get_by_role("checkbox", name="Basic view"))
        gm.closes(re.compile("."))
        adding = gm.region("At any time").get_by_role("group").filter(has=gm.page.get_by_text("Card", exact=True)).first
        gm.hand.press(adding.locator("summary"))
        card = gm.button("ace of spades", adding)
        gm.hand.press(card)
        gm.page.evaluate(FACES_CAME)
        house.stop()
        said = gm.page.get_by_text(
            "The server is updating. You\N{RIGHT SINGLE QUOTATION MARK}ll reconnect automatically."
        )
        expect(said).to_be_visible()
        gm.screenshot("renewing-desk")
        assert_fits(gm.page, "the house is being renewed")
        script = house.renew()
        house.open()
        expect(gm.page.get_by_text("The server was updated")).to_be_visible()
        gm.page.clock.fast_forward("00:20")
        assert script not in gm.loads, "a card is chosen, so the page stays"
        expect(card).to_have_attribute("aria-pressed", "true")
        with gm.page.expect_request(lambda asked: urlsplit(asked.url).path == script):
            gm.hand.press(gm.button("Reload now"))
        expect(gm.table).to_be_visible()
        expect(gm.page.get_by_text("The server was updated")).to_have_count(0)


SENSES = """() => {
  window.senses = []
  const [start, shake] = [OscillatorNode.prototype.start, navigator.vibrate.bind(navigator)]
  const resume = AudioContext.prototype.resume
  AudioContext.prototype.resume = function () { window.sounds = this; return resume.apply(this) }
  OscillatorNode.prototype.start = function (...at) { senses.push('note'); return start.apply(this, at) }
  navigator.vibrate = (how) => { senses.push('shake'); return shake(how) }
}"""
"""What really sounds and shakes is written down besides, and what it sounds by."""
SOUND_RESTS = "() => window.sounds?.state === 'suspended'"
"""What goes on would compute silence, and take a phone's battery."""
LOOKS_AWAY = """(state) => {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
  document.dispatchEvent(new Event('visibilitychange'))
}"""
"""A browser without a window never hides a page, whatever is before it."""
NOTICES = """async ([some, lookMs, tillMs]) => {
  const worker = await navigator.serviceWorker.ready
  const end = performance.now() + tillMs
  let there = await worker.getNotifications()
  while (there.length > 0 !== some && performance.now() < end) {
    await new Promise((done) => setTimeout(done, lookMs))
    there = await worker.getNotifications()
  }
  return there.map(({ title, body, data }) => [title, body, data])
}"""
"""It waits by itself: `wait_for_function` takes the promise of an async function for its word."""


def notices(person: Person, *, some: bool) -> list[list[str]]:
    """The title, text and address of each notice there is, once there are some, or none any more."""
    found: list[list[str]] = person.page.evaluate(NOTICES, [some, LOOK_MS, SECONDS * 1000])
    return found


def senses(person: Person) -> set[str]:
    """What was heard and felt since it was asked last."""
    return set(person.page.evaluate("() => senses.splice(0)"))


def passes(person: Person) -> None:
    person.does(person.button(re.compile("^Lay nothing")))


def undoes_from(gm: Person, move: str) -> None:
    gm.hand.press(gm.button(re.compile(f"^Undo from here: {move}"), gm.region("Log")))
    gm.does(gm.button("Undo", gm.undo_question))


@pytest.mark.soak
def test_my_turn_is_heard_felt_and_seen_from_another_tab(whole_browser: Browser, come: Come, house: House):
    kennel = Kennel(house, ("Ada", "Ben"), [*begins("p2", "S7", HANDS)], rounds=3, passing="skips")
    ada, ben, gm = (
        come("Ada", browser=whole_browser),
        kennel.sits(come("Ben"), "p2"),
        kennel.sits(come("Mo", DESK), "gm"),
    )
    ada.context.grant_permissions(["notifications"], origin=house.address.rstrip("/"))
    ada.page.add_init_script(f"({SENSES})()")
    kennel.sits(ada, "p1")
    menu = ada.opens_menu()
    for switch in ("Sound", "Vibration"):
        expect(menu.get_by_role("checkbox", name=switch)).to_be_checked()
    ada.hand.tick(menu.get_by_role("checkbox", name="Notifications"))
    assert_accessible(ada.page, "switches")
    ada.screenshot("turn-switches")
    ada.page.keyboard.press("Escape")
    assert senses(ada) == set()
    ada.page.wait_for_function(SOUND_RESTS, polling=LOOK_MS)
    passes(ben)
    ada.catches_up(ben.number)
    expect(ada.page).to_have_title(re.compile("^●"))
    ada.page.wait_for_function("() => senses.includes('note')", polling=LOOK_MS)
    assert senses(ada) == {"note", "shake"}
    ada.page.wait_for_function(SOUND_RESTS, polling=LOOK_MS)
    undoes_from(gm, "Ben lays nothing")
    expect(ada.page).not_to_have_title(re.compile("^●"))
    is_kept(ada)
    ada.page.evaluate(LOOKS_AWAY, "hidden")
    passes(ben)
    ada.catches_up(ben.number)
    [(title, body, path)] = notices(ada, some=True)
    assert (title, path) == ("The kennel", f"/t/{kennel.id}")
    assert body.startswith("Lay cards around the Pack Leader")
    ada.page.evaluate(LOOKS_AWAY, "visible")
    assert notices(ada, some=False) == []

    menu = ada.opens_menu()
    for switch in ("Sound", "Vibration"):
        ada.hand.press(menu.get_by_role("checkbox", name=switch))
    ada.page.keyboard.press("Escape")
    ada.page.reload()
    expect(ada.question).to_be_visible()
    undoes_from(gm, "Ben lays nothing")
    passes(ben)
    ada.catches_up(ben.number)
    expect(ada.page).to_have_title(re.compile("^●"))
    assert senses(ada) == set(), "both are switched off, and the device remembers"

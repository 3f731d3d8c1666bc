"""Cards and sheets are printed from the page."""

import re

import pytest
from playwright.sync_api import expect

from cardhouse.server.files import print_jobs
from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, PHONE, SECONDS, Device
from tests.print.reading import read
from tests.thorough import in_soak

pytestmark = pytest.mark.browser

PRINTED = "Hackjack\N{RIGHT SINGLE QUOTATION MARK}s deck and character sheets"
WOUNDS = '[C2]\nname = "Black eye"\ntext = "It is swollen."\nends = "%s"\n'


@pytest.mark.parametrize("device", [*in_soak(DESK), PHONE], ids=["desk", "phone"])
def test_a_deck_with_wounds_of_ones_own(come: Come, device: Device) -> None:
    mo = come("Mo", device)
    mo.forgiven.append("400")
    mo.comes()
    mo.hand.press(mo.page.get_by_role("link", name="Print", exact=True))
    expect(mo.page.get_by_role("heading", name="Print", exact=True)).to_be_visible()
    mo.hand.press(mo.button(re.compile(f"^{PRINTED}")))
    form = mo.page.get_by_role("form", name=PRINTED)
    choose = form.get_by_label("Wounds: Choose a file")
    choose.set_input_files({"name": "mine.toml", "mimeType": "text/plain", "buffer": (WOUNDS % "never").encode()})
    mo.hand.press(mo.button("Create PDF", form))
    expect(form.get_by_role("alert")).to_contain_text("Line 4")
    assert_accessible(mo.page, "print")
    assert_fits(mo.page, "print")
    mo.screenshot(f"print-{'phone' if device is PHONE else 'desk'}")

    choose.set_input_files({"name": "mine.toml", "mimeType": "text/plain", "buffer": (WOUNDS % "week").encode()})
    mo.hand.press(form.get_by_label(re.compile("print backs")))
    with mo.page.expect_download(timeout=(print_jobs.SECONDS + SECONDS) * 1000) as saved:
        mo.hand.press(mo.button("Create PDF", form))
    assert saved.value.suggested_filename == "mine.pdf"
    pages = read(saved.value.path().read_bytes())
    assert len(pages) == 6 + 4
    assert "Black eye" in pages[0].text()
    expect(form.get_by_role("status")).to_contain_text("Print the cards single-sided.")
    expect(form.get_by_role("alert")).to_have_count(0)

"""The lab's report, opened as a file by its recipient."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from cardhouse.lab.questions.settings import cells
from cardhouse.lab.reports.report import write
from cardhouse.lab.running.study import Study, ask
from tests.browser.looking import assert_accessible
from tests.lab.dice import Dice

pytestmark = pytest.mark.browser

GROUNDS = {"light": "rgb(240, 232, 216)", "dark": "rgb(12, 23, 19)"}
GROUND = "getComputedStyle(document.documentElement).backgroundColor"


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """A sweep, compared with another variant: everything that a report can hold."""
    file = tmp_path / "dice.html"
    study = Study(cells=cells(Dice, {"dice": "1-3"}, {"luck": "better"}), trials=300)
    write(ask(study, workers=1), file)
    return file


def test_a_report_can_be_read_by_everybody_day_and_night(browser: Browser, report: Path):
    context = browser.new_context(viewport={"width": 390, "height": 800}, offline=True)
    page = context.new_page()
    fetched: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(report.as_uri())
    assert page.get_by_role("heading", level=1).inner_text() == "What do dice come to?"
    assert page.get_by_role("img").count() == 6
    assert page.evaluate("document.fonts.ready.then(() => [...document.fonts].every((f) => f.status === 'loaded'))")
    for scheme, ground in GROUNDS.items():
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert page.evaluate(GROUND) == ground
        assert_accessible(page, f"the report, {scheme}")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate(GROUND) == GROUNDS["light"]
    page.emulate_media(media="screen")
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") == width, "only tables scroll sideways"
    assert [url for url in fetched if not url.startswith(("file:", "data:"))] == []
    assert complaints == []
    context.close()

"""The documentation site: complete, with offline search, and loading nothing from elsewhere."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from scripts import site

pytestmark = pytest.mark.soak

ELSEWHERE = re.compile(r"""(?:<script[^>]*\bsrc|<img[^>]*\bsrc|<link[^>]*\bhref)="?https?://[^">\s]+""")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "made"
    site.build(folder)
    return folder


@pytest.fixture
def page(chromium: str) -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser.new_page()
        browser.close()


def test_the_parts_of_the_page_are_installed_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """As in a second checkout, whose page came from the cache."""

    class Installed(Exception):
        pass

    def install() -> None:
        raise Installed

    monkeypatch.setattr(site, "npm", install)
    with pytest.raises(Installed):
        site.build(tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_every_document_has_its_place():
    placed = [name for names in site.NAV.values() for name in names]
    assert len(placed) == len(set(placed))
    assert {document.stem for document in site.DOCS.glob("*.md")} <= set(placed)


def test_its_pages_load_nothing_from_elsewhere(made: Path):
    pages = list(made.rglob("*.html"))
    assert len(pages) > 20
    assert {page.name: found for page in pages if (found := ELSEWHERE.findall(page.read_text("utf-8")))} == {}


@pytest.mark.browser
def test_it_is_searched_from_a_folder(made: Path, page: Page):
    asked: list[str] = []
    page.on("requestfailed", lambda request: asked.append(request.url))
    page.on("request", lambda request: None if request.url.startswith("file:") else asked.append(request.url))
    with page.expect_request("**/workers/search*"):
        page.goto((made / "index.html").as_uri())
    page.get_by_role("button", name="Search").first.click()
    page.get_by_role("combobox").or_(page.get_by_role("textbox")).first.fill("settled_at")
    page.get_by_role("option", name=re.compile("Table")).first.click()
    expect(page).to_have_url(re.compile(r"cardhouse\.engine\.html"))
    assert asked == []

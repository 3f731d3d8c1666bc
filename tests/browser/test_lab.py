"""The lab in the browser: a question is asked, compared, stopped and reported, on a phone and on a desk."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, Person

pytestmark = pytest.mark.browser

NUMBERS, KNOWN = re.compile(r"^All \d+ numbers$"), "How we know"
"""The folds of an answer."""
COMPILED_MILLISECONDS = 300_000
"""The first time a question is asked on a machine, its machine code is made."""


def looks(person: Person, moment: str) -> None:
    assert_accessible(person.page, moment)
    assert_fits(person.page, moment)
    person.screenshot(f"lab-{moment}")


def answer(person: Person) -> Locator:
    return person.region("Result")


def numbers_stand_in_line(person: Person) -> None:
    """On a phone all numbers end at one edge, and no plot begins where another ends."""
    table = answer(person).get_by_role("table", name="Findings")
    cells = table.get_by_role("row").filter(has_text="Goes down").get_by_role("cell").all()
    ends = {
        round(edge["x"] + edge["width"]) for cell in cells if (edge := cell.locator("> :last-child").bounding_box())
    }
    assert len(cells) == 4, "exact, here, there, and the difference"
    assert len(ends) == 1, ends
    edges = plots(person).evaluate_all("plots => plots.map(plot => plot.getBoundingClientRect().toJSON())")
    gaps = [after["top"] - before["bottom"] for before, after in pairwise(edges)]
    assert gaps
    assert min(gaps) >= 16, gaps


def asks(person: Person) -> None:
    person.hand.press(person.button(re.compile("^(Run|Ask again)$")))


def plots(person: Person) -> Locator:
    """The plots; the picture beside the sentence is none."""
    return answer(person).get_by_role("figure").filter(has=person.page.locator("svg.marks"))


@pytest.mark.soak
def test_a_question_is_asked_on_a_phone_and_sent_to_a_desk(come: Come) -> None:
    ada = come("Ada")
    ada.comes()
    ada.hand.press(ada.page.get_by_role("link", name="The lab"))
    expect(ada.page.get_by_role("heading", name="The lab")).to_be_visible()
    looks(ada, "list-phone")
    ada.hand.press(ada.page.get_by_role("link", name="How deadly is it?"))
    expect(ada.page.get_by_role("heading", name="How deadly is it?")).to_be_visible()
    looks(ada, "form-phone")

    ada.hand.press(ada.button("HP: 8"))
    ada.hand.write(ada.page.get_by_role("textbox", name="HP", exact=True), "-4")
    ada.forgiven.append("status of 400")
    ada.hand.press(ada.button("Run"))
    expect(ada.page.get_by_role("alert")).to_contain_text("hp takes a whole number from 1 to")
    ada.hand.write(ada.page.get_by_role("textbox", name="HP", exact=True), "4")
    ada.hand.press(ada.page.get_by_text("Compare with another rule"))
    ada.hand.select(ada.page.get_by_role("combobox", name="Change a setting"), "Limit")
    ada.hand.write(ada.page.get_by_role("textbox", name="Limit", exact=True), "25")
    ada.hand.press(ada.page.get_by_text("More settings"))
    ada.hand.write(ada.page.get_by_role("spinbutton", name="Trials"), "30000")
    asks(ada)
    told = answer(ada).get_by_role("heading", name=re.compile("^With limit 25, “"))
    expect(told).to_be_in_viewport(timeout=COMPILED_MILLISECONDS)
    looks(ada, "told-phone")
    ada.hand.press(answer(ada).get_by_text(NUMBERS))
    ada.hand.press(answer(ada).get_by_text(KNOWN))
    expect(answer(ada)).to_contain_text("30,000 fights, played in")
    expect(plots(ada).first.locator("svg")).to_be_visible()
    looks(ada, "answer-phone")
    numbers_stand_in_line(ada)

    mo = come("Mo", DESK)
    mo.page.goto(ada.page.url)
    expect(mo.page.get_by_role("textbox", name="Limit", exact=True)).to_have_value("25")
    mo.hand.press(mo.button("HP: 4"))
    mo.hand.write(mo.page.get_by_role("textbox", name="HP", exact=True), "4,8")
    asks(mo)
    expect(
        answer(mo).get_by_role("heading", name=re.compile("^With limit 25, .+ falls in 2 of 2 combinations"))
    ).to_be_visible()
    mo.hand.press(answer(mo).get_by_text(NUMBERS))
    which = answer(mo).get_by_role("combobox", name="Which finding")
    mo.hand.select(which, which.get_by_role("option").filter(has_text="Dead within").first.inner_text())
    table = answer(mo).get_by_role("table", name="Dead within")
    expect(table.get_by_role("rowheader")).to_have_text(["hp 4", "hp 8"])
    row = answer(ada).get_by_role("row").filter(has_text="Dead within").text_content() or ""
    expect(table.get_by_role("row").nth(1)).to_contain_text(re.findall(r"\d+\.\d+%", row)[0])
    expect(table.get_by_role("columnheader")).to_contain_text(["Settings", "limit 21", "limit 25", "Difference"])
    mo.hand.press(answer(mo).get_by_text(KNOWN))
    expect(plots(mo).first.locator("svg")).to_be_visible()
    looks(mo, "sweep-desk")
    mo.page.emulate_media(color_scheme="light")
    expect(plots(mo).first.locator("svg")).to_be_visible()
    looks(mo, "sweep-desk-daylight")

    # One question by itself is answered in a sentence, with a picture to count.
    mo.page.goto(f"{mo.house.address}lab/hackjack/deadly?trials=30000")
    asks(mo)
    expect(answer(mo).get_by_role("heading", name="Most are dead by the fifth hit.")).to_be_visible()
    expect(answer(mo).get_by_role("img")).to_have_accessible_name(re.compile(r"^1: 0, 2: 0, 3: \d+.*alive: \d+$"))
    expect(answer(mo).get_by_role("list", name="Also found").get_by_role("listitem")).to_have_count(3)
    mo.hand.press(mo.button("HP: 8"))
    expect(mo.page.get_by_role("textbox", name="HP", exact=True)).to_be_focused()
    looks(mo, "told-desk")
    mo.hand.press(answer(mo).get_by_text(NUMBERS))
    expect(answer(mo).get_by_role("table", name="Findings")).to_be_visible()

    # More than can be played meanwhile.
    mo.page.goto(ada.page.url)
    mo.hand.press(mo.button("HP: 4"))
    mo.hand.write(mo.page.get_by_role("textbox", name="HP", exact=True), "1-50")
    mo.hand.press(mo.page.get_by_text("More settings"))
    mo.hand.write(mo.page.get_by_role("spinbutton", name="Trials"), "10000000")
    asks(mo)
    expect(answer(mo)).to_contain_text("so far")
    expect(answer(mo).get_by_role("progressbar")).to_be_visible()
    looks(mo, "under-way-desk")
    mo.page.reload()
    asks(mo)
    expect(answer(mo)).to_contain_text("so far")
    mo.hand.press(mo.button("Stop"))
    expect(answer(mo)).to_contain_text("It was stopped. These are the trials so far.")
    mo.hand.press(answer(mo).get_by_text(KNOWN))
    with mo.context.expect_page() as opened:
        mo.hand.press(answer(mo).get_by_role("link", name="Open the report"))
    report = opened.value
    expect(report.get_by_role("heading", name="How deadly is it?")).to_be_visible()
    complaints: list[str] = []
    report.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    report.reload()
    expect(report.get_by_role("heading", name="How deadly is it?")).to_be_visible()
    expect(report.locator("svg").first).to_be_visible()
    assert complaints == []
    with mo.page.expect_download() as saved:
        mo.hand.press(answer(mo).get_by_role("link", name="Save numbers"))
    assert saved.value.suggested_filename == "deadly.csv"


def test_a_study_in_another_tab_is_stopped_for_a_new_one(come: Come) -> None:
    ada = come("Ada")
    ada.page.goto(f"{ada.house.address}lab/hackjack/deadly?hp=1-50&trials=10000000")
    asks(ada)
    expect(ada.button("Stop")).to_be_visible()

    other = ada.context.new_page()
    other.goto(f"{ada.house.address}lab/hackjack/deadly?hp=2&trials=50")
    other.get_by_role("button", name="Run", exact=True).click()
    expect(other.get_by_role("alert")).to_contain_text("One of your studies is still running.")
    other.get_by_role("button", name="Stop it, and run this").click()
    found = other.get_by_role("region", name="Result")
    expect(found.get_by_text(KNOWN)).to_be_visible(timeout=COMPILED_MILLISECONDS)
    expect(found).to_contain_text("50 fights, played in")
    expect(other.get_by_role("alert")).to_have_count(0)
    expect(answer(ada)).to_contain_text(re.compile("It was stopped|Stopped before"))


def test_a_game_s_first_page_says_what_can_be_asked_of_it(come: Come) -> None:
    ada = come("Ada")
    ada.page.goto(f"{ada.house.address}lab")
    games = ada.page.get_by_role("heading", level=2).get_by_role("link")
    expect(games).not_to_have_count(0)
    for title in games.all_inner_texts():
        ada.page.goto(f"{ada.house.address}lab")
        ada.hand.press(games.filter(has_text=title))
        game = ada.region(title)
        expect(game.get_by_role("group", name=f"{title}: How it plays").get_by_role("link")).not_to_have_count(0)
        changing = game.get_by_role("group", name=f"{title}: Balance")
        expect(changing.get_by_role("link", name="Find settings")).to_be_visible()
        expect(changing).to_contain_text("replays the same deals, and ranks the effects")
    looks(ada, "game-phone")
    advice = {"Card initiative": "Act or wait?", "Hackjack": "When should you prevent blood loss?"}
    for title, question in advice.items():
        ada.page.goto(f"{ada.house.address}lab")
        group = ada.page.get_by_role("group", name=f"{title}: Best play")
        ada.hand.press(group.get_by_role("link", name=question))
        expect(ada.page.get_by_role("heading", name=question)).to_be_visible()

    # A question about a variant compares with it at once, unless the link compares something else.
    for query, compared in {"": "By", "?vs.stats=2,2,2,2": "Stats"}.items():
        ada.page.goto(f"{ada.house.address}lab/dogs/dice{query}")
        fold = ada.page.get_by_role("group").filter(has_text="Compare with another rule")
        if not query:
            ada.hand.press(fold.locator("summary"))
        expect(fold.get_by_role("button", name=re.compile("^Leave .* as it is$"))).to_have_text(
            f"Leave {compared} as it is"
        )

    # The first question is asked at once.
    ada.page.goto(f"{ada.house.address}lab")
    ada.hand.select(ada.page.get_by_role("combobox", name="Game"), "Hackjack")
    ada.hand.press(ada.button("HP: 8"))
    ada.hand.write(ada.page.get_by_role("textbox", name="HP", exact=True), "7")
    ada.hand.press(ada.button("Ask"))
    expect(ada.page).to_have_url(re.compile("/lab/hackjack/deadly[?]hp=7$"))
    told = answer(ada).get_by_role("heading", name=re.compile("^Most are dead by the "))
    expect(told).to_be_visible(timeout=COMPILED_MILLISECONDS)

    # Which of a game's questions it is about can be chosen there.
    ada.page.goto(f"{ada.house.address}lab/hackjack")
    ada.hand.press(ada.page.get_by_role("link", name="What matters most?"))
    expect(ada.page.get_by_role("radio", name="What matters most?")).to_be_checked()
    ada.hand.select(ada.page.get_by_role("combobox", name="Question"), "How does a career go?")
    expect(ada.page).to_have_url(re.compile("/lab/hackjack/career/sensitivity$"))
    expect(ada.page.get_by_role("heading", name="How does a career go?")).to_be_visible()
    looks(ada, "matters-form-phone")

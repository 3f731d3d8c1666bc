"""The lab in a line of Python: the question, its display, and the same question elsewhere."""

from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from cardhouse import lab
from cardhouse.engine import CardhouseError
from cardhouse.lab.questions.settings import settings_of
from cardhouse.lab.reports.summary import headline, python_of
from cardhouse.lab.running.leaders import lead_of
from cardhouse.lab.running.study import Result


@pytest.fixture(scope="module")
def swept() -> Result:
    return lab.ask("hackjack", "deadly", hp=[4, 8], vs={"limit": 25}, return_cards=True, trials=2_000, seed=7, cores=1)


@pytest.mark.soak
def test_settings_are_python_s_or_as_they_are_typed(swept: Result) -> None:
    typed = lab.ask(
        "hackjack", "deadly", hp="4,8", vs={"limit": "25"}, return_cards="yes", trials=2_000, seed=7, cores=1
    )
    assert typed.study == swept.study
    assert [answer.found for answer in typed.answers] == [answer.found for answer in swept.answers]


def test_command_link_and_line_of_python_ask_the_same(swept: Result) -> None:
    asked = "--hp 4,8 --return-cards yes --vs limit=25 --trials 2000 --confidence 95 --seed 7"
    assert swept.command == f"cardhouse lab hackjack deadly {asked}"
    link = urlsplit(swept.link)
    assert link.path == "/lab/hackjack/deadly"
    said = dict(parse_qsl(link.query))
    assert {name: said[name] for name in said if name in settings_of(type(swept.study.cells[0].question))} == {
        "hp": "4,8",
        "return_cards": "yes",
    }
    assert (said["vs.limit"], said["trials"], said["seed"]) == ("25", "2000", "7")
    assert eval(python_of(swept.study), {"lab": lab}).study == swept.study


@pytest.mark.soak
def test_a_report_names_all_three(swept: Result) -> None:
    from cardhouse.lab.reports.report import render

    page = render(swept, ".html").decode()
    for text in (swept.command, "/lab/hackjack/deadly?hp=4%2C8&amp;", "lab.ask("):
        assert text in page


def test_a_notebook_shows_the_answer_and_what_asks_the_same(swept: Result) -> None:
    shown = swept._repr_html_()
    assert shown.startswith("<svg")
    assert "<details><summary>All in all" in shown
    assert "cardhouse lab hackjack deadly --hp 4,8" in shown
    assert swept.to_polars()["hp"].unique().sort().to_list() == [4, 8]
    assert len(swept.to_altair()) > 1


def test_a_file_is_a_path_and_an_unreadable_one_is_reported(tmp_path: Path) -> None:
    wounds = tmp_path / "mine.toml"
    wounds.write_text('[C2]\nname = "Scratch"\ntext = "It is nothing."\nends = "week"\n')
    asked = lab.ask("hackjack", "deadly", wounds=wounds, return_cards=True, trials=10, cores=1)
    assert asked.study.cells[0].question != type(asked.study.cells[0].question)()
    with pytest.raises(CardhouseError, match=r"none\.toml can't be read: No such file"):
        lab.ask("hackjack", "deadly", wounds=tmp_path / "none.toml", trials=10)


def test_a_nearly_certain_finding_is_no_headline() -> None:
    always = lab.ask("hackjack", "deadly", hp=1, damage="2", hits=40, return_cards=True, trials=2_000, cores=1)
    assert always.answers[0].found[0].estimate.value == 1.0
    assert lead_of(always.answers, 0.95).finding.key == "killing_hit"
    told = headline(always)
    assert told is not None
    assert told.text == "the hit that kills those who die"
    at_times = lab.ask("hackjack", "deadly", hits=4, return_cards=True, trials=2_000, cores=1)
    assert lead_of(at_times.answers, 0.95).finding.key == "dead"


@pytest.mark.soak
def test_changes_and_settings_that_meet_targets_are_asked_for_and_shown() -> None:
    how = {"mine": 2, "theirs": 2, "trials": 1_000, "cores": 1}
    changes = lab.what_matters("initiative", "order", of="hero acts first", vary=["mine", "wait"], **how)
    assert set(changes.to_polars()["setting"]) == {"mine", "wait"}
    found = lab.find_settings("initiative", "order", "acts first = 25%", vary=["mine=1..3"], **how)
    assert found.best
    for shown in (changes, found):
        assert shown._repr_html_().startswith("<svg")
        assert "cardhouse lab initiative" in shown._repr_html_()
    with pytest.raises(CardhouseError, match=r"^Each setting takes one value here"):
        lab.what_matters("initiative", "order", mine="1,2")

"""The note on few differing trials is next to the wide interval in every output."""

import json

import numpy as np
import pytest

from cardhouse.cli.lab import _or_nothing
from cardhouse.lab.plots.plots import plots
from cardhouse.lab.questions.question import Finding, mean, share
from cardhouse.lab.questions.settings import cells
from cardhouse.lab.reports.html import tables
from cardhouse.lab.reports.notebook import html
from cardhouse.lab.reports.report import render
from cardhouse.lab.reports.summary import headline
from cardhouse.lab.running.study import Result, Study, ask
from cardhouse.lab.statistics.estimate import difference, estimate
from cardhouse.lab.words.numbers import FEW_DIFFERED, MORE_TELL, hardly
from cardhouse.server.lab.formatting import format_number
from tests.lab.dice import Dice

FINDINGS = [
    share("high", "high", "m", 3),
    share("of some", "of some", "m", 3, given_least=2),
    mean("mean", "mean", "m"),
    mean("mean of some", "mean of some", "m", given_least=1, given_most=4),
]
HIGH, OF_SOME, *_ = FINDINGS


@pytest.fixture(scope="module")
def alike() -> Result:
    """A bonus that nobody gets: no roll is another for it."""
    return ask(Study(cells=cells(Dice, {}, {"bonus": "1"}), trials=100), workers=1)


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda finding: f"{finding.kind} {finding.key}")
@pytest.mark.parametrize("seed", range(4))
def test_pairs_that_differ_are_those_of_which_a_finding_tells_two_things(finding: Finding, seed: int):
    pairs = np.random.default_rng(seed).integers(0, 6, (40, 2))
    joint = np.zeros((6, 6), np.int64)
    np.add.at(joint, tuple(pairs.T), 1)

    def said(value: int) -> object:
        most = 5 if finding.given_most is None else finding.given_most
        if not finding.given_least <= value <= most:
            return None
        return value if finding.kind == "mean" else value >= finding.least

    assert difference(finding, joint, 0.95).differed == sum(said(here) != said(there) for here, there in pairs)


@pytest.mark.parametrize(
    ("differ", "said"),
    [(0, "none of 100 differed"), (2, "only 2 of 100 differed"), (FEW_DIFFERED, ""), (40, "")],
)
def test_few_differing_pairs_are_noted_with_their_number(differ: int, said: str):
    joint = np.zeros((6, 6), np.int64)
    joint[0, 0], joint[0, 3] = 100 - differ, differ
    assert hardly(difference(HIGH, joint, 0.95)) == said


def test_single_numbers_and_no_difference_have_no_note():
    assert hardly(estimate(HIGH, np.array([100, 0, 0, 0]), 0.95)) == ""
    assert hardly(difference(OF_SOME, np.diag([9, 0, 0, 0]), 0.95)) == ""
    assert hardly(None) == ""


def test_its_dot_is_hollow_and_the_caption_says_what_that_means(alike: Result):
    said = f"A hollow dot means that hardly any trials differed: {MORE_TELL}."
    drawn = [plot for plot in plots(alike) if "few" in json.dumps(plot.vega_lite_spec)]
    assert drawn
    for plot in drawn:
        assert said in plot.caption
        layers = [layer["mark"] for layer in plot.vega_lite_spec["layer"]]
        assert [mark["filled"] for mark in layers if mark["type"] == "point" and "filled" in mark] == [False]
    apart = ask(Study(cells=cells(Dice, {}, {"dice": "3"}), trials=100), workers=1)
    assert not any(said in plot.caption for plot in plots(apart))
    swept = plots(ask(Study(cells=cells(Dice, {"dice": "2,3"}, {"bonus": "1"}), trials=100), workers=1))
    assert any(said in plot.caption for plot in swept if plot.beside)


def test_the_answer_says_so_and_that_more_trials_tell_more(alike: Result):
    said = headline(alike)
    assert said is not None
    assert said.sure.endswith(f". None of 100 differed: {MORE_TELL}.")
    apart = headline(ask(Study(cells=cells(Dice, {}, {"dice": "3"}), trials=100), workers=1))
    assert apart is not None
    assert MORE_TELL not in apart.sure


@pytest.mark.soak
def test_the_note_is_in_the_report_and_the_notebook(alike: Result):
    (row, *_), *_ = [grid.rows for grid in tables(alike)]
    assert row[-1][-1] == "none of 100 differed"
    for shown in (html(alike), render(alike, ".html").decode()):
        assert "none of 100 differed" in shown
    swept = ask(Study(cells=cells(Dice, {"dice": "1,2"}, {"bonus": "1"}), trials=50), workers=1)
    assert "none of 50 differed" in html(swept)


def test_the_note_is_on_the_page_and_the_command_line(alike: Result):
    one = alike.answers[0].found[0]
    assert one.more is not None
    told = format_number(one.finding, one.more, signed=True)
    assert told.shown == "+0.0%"
    assert told.error.startswith("±")
    assert told.error.endswith(" (none of 100 differed)")
    assert _or_nothing(one.finding, one.more, signed=True).endswith("% (none of 100 differed)")

"""Properties of every lab question with its default settings."""

import json
import re
from itertools import pairwise
from math import hypot
from pathlib import Path

import numpy as np
import pytest

from cardhouse.cli import main
from cardhouse.engine import Table
from cardhouse.lab.questions.drama import feel_of
from cardhouse.lab.questions.proof import check_trial
from cardhouse.lab.questions.question import MOST_MEASURED, Question, games_with_questions, questions_of
from cardhouse.lab.questions.settings import cells, settings_of
from cardhouse.lab.running.study import Study, ask
from cardhouse.lab.statistics.estimate import estimate
from cardhouse.lab.statistics.histogram import played
from cardhouse.lab.statistics.quantiles import z_quantile
from tests.thorough import many

COMPILED = ("dogpile silence", "dogpile game", "dogs several", "hackjack deadly", "initiative order", "initiative idle")
"""The first tier's: one kernel of each game that is quickly made, and questions without."""
QUESTIONS = [
    pytest.param(question, id=f"{game} {name}", marks=() if f"{game} {name}" in COMPILED else pytest.mark.soak)
    for game in games_with_questions()
    for name, question in questions_of(game).items()
]
every = pytest.mark.parametrize("question", QUESTIONS)
OWN = [one for one in QUESTIONS if not str(one.id).endswith(" feel")]
played_through = pytest.mark.parametrize(
    "question", [*OWN, pytest.param(feel_of("hackjack"), id="hackjack feel", marks=pytest.mark.soak)]
)
"""Every game's own, and that of every game as one of them has it (tests/lab/test_feel.py)."""


def few(question: Question) -> int:
    """So many trials as take no time."""
    return many(2_000, 500) if question.compiled else min(12, question.at_once + 1)


def test_every_game_has_one():
    assert games_with_questions() == ["dogpile", "dogs", "gunfight", "hackjack", "initiative"]
    assert all(map(questions_of, games_with_questions()))


@every
def test_it_can_be_asked_in_words(question: type[Question]):
    assert question.title.endswith("?")
    assert question.about
    for setting in settings_of(question).values():
        assert setting.text, f"{setting.name} says nothing about itself"
        if setting.kind not in ("file", "text"):
            assert setting.read(setting.shown(setting.default)) == setting.default
        assert "," not in setting.shown(setting.default)


@every
def test_its_findings_are_about_its_measures(question: type[Question]):
    asked = question()
    asked.check_settings()
    measures = {measure.key: measure for measure in asked.measures()}
    assert len(measures) == len(asked.measures())
    assert all(2 <= measure.size <= MOST_MEASURED for measure in measures.values())
    findings = asked.findings()
    assert len({finding.key for finding in findings}) == len(findings)
    assert {finding.measure for finding in findings} <= set(measures)
    assert set(asked.exact()) <= {finding.key for finding in findings}


@played_through
def test_a_row_depends_on_seed_and_trial_only(question: type[Question]):
    asked = question()
    count = few(asked)
    rows = asked.rows(7, 100, count)
    assert rows.shape == (count, len(asked.measures()))
    assert rows.dtype == np.int16
    assert rows.min() >= 0
    cuts = [0, 1, count // 3, count]
    for start, end in pairwise(cuts):
        assert np.array_equal(asked.rows(7, 100 + start, end - start), rows[start:end])
    assert not np.array_equal(asked.rows(8, 100, count), rows)


@played_through
@pytest.mark.soak
def test_every_exact_number_is_in_its_played_interval(question: type[Question]):
    """Within five standard errors; the trials are always the same."""
    asked = question()
    exact = asked.exact()
    tally = played(asked, None, 3, 0, 20_000 if exact and asked.compiled else few(asked))
    columns = [measure.key for measure in asked.measures()]
    sure = 0.9999994  # five standard errors
    assert z_quantile(sure) == pytest.approx(5, abs=0.01)
    for finding in asked.findings():
        if finding.key in exact:
            found = estimate(finding, tally.counts[columns.index(finding.measure)], sure)
            assert found.low is not None
            assert found.high is not None
            assert found.low - 1e-9 <= exact[finding.key] <= found.high + 1e-9, finding.key


@played_through
def test_its_trials_are_those_of_the_rules(question: type[Question]):
    """More of them, with other settings, stand beside each game's kernel."""
    for trial in range(12 if question().compiled else 2):
        written = check_trial(question(), 11, trial)
        assert all(map(json.loads, written.splitlines()))
        of_a_table = isinstance(question().played(11, trial), Table)
        assert written.startswith('{"cardhouse":1') == of_a_table


@played_through
def test_it_is_asked_on_the_command_line(question: type[Question], capsys: pytest.CaptureFixture[str]):
    trials = few(question())
    assert main(["lab", question.game, question.name, "--trials", str(trials), "--json", "--afresh"]) == 0
    (answer,) = json.loads(capsys.readouterr().out)["answers"]
    assert answer["trials"] == trials
    assert len(answer["findings"]) == len(question().findings())
    assert main(["lab", question.game, question.name, "--trials", str(trials)]) == 0
    assert f"\n{question.title} (" in capsys.readouterr().out


PAIRED = re.compile(r"\| `(\w+) (\w+)` \| `(\w+)=([\w-]+)` \| ([^|]+) \| (\d+)% \|")
KEYS = {"hits survived": "survived", "the hero's place": "place", "won": "won", "dogs": "dogs", "wins": "wins"}


@pytest.mark.soak
def test_lab_md_tells_how_much_shorter_the_interval_of_a_pair_is():
    """The shares that docs/lab.md has, to 8 points with fewer trials; the order in which they stand."""
    rows = PAIRED.findall((Path(__file__).parents[2] / "docs" / "lab.md").read_text())
    assert len(rows) == 13
    assert [int(row[-1]) for row in rows] == sorted(int(row[-1]) for row in rows)
    for game, name, setting, value, what, share in rows:
        asked = cells(questions_of(game)[name], {}, {setting: value})
        (answer,) = ask(Study(cells=asked, trials=4_000), workers=1).answers
        (one,) = (one for one in answer.found if one.finding.key == KEYS[what])
        assert one.more is not None
        assert one.versus is not None
        errors = [number.error or 0.0 for number in (one.more, one.estimate, one.versus)]
        assert 100 * errors[0] / hypot(*errors[1:]) == pytest.approx(int(share), abs=8)

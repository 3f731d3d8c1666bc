"""Rules of your own: questions are played by a subclass of the game."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from cardhouse.cards import Card
from cardhouse.cli import main
from cardhouse.engine import CardhouseError, Game, find_game, played_by
from cardhouse.games.dogpile.lab.questions import Silence
from cardhouse.games.dogpile.rules import Dogpile
from cardhouse.games.gunfight.lab.questions import Last
from cardhouse.games.gunfight.rules import Gunfight
from cardhouse.games.hackjack.lab.questions import Deadly
from cardhouse.games.hackjack.rules import Hackjack
from cardhouse.games.hackjack.state import Character
from cardhouse.lab.questions.cell import Cell
from cardhouse.lab.questions.variants import rules_of, with_rules
from cardhouse.lab.running.study import Study, ask
from cardhouse.lab.statistics.estimate import estimate
from cardhouse.lab.statistics.histogram import played
from tests.thorough import many

MINE = """\
from cardhouse.games.hackjack.rules import Hackjack


class Softer(Hackjack):
    def worth(self, who, card, instead):
        return min(6, super().worth(who, card, instead))
"""


class Same(Hackjack):
    """Nothing is another."""


class Softer(Hackjack):
    """No card, and no massive damage, counts more than 6."""

    def worth(self, who: Character, card: Card, instead: int | None) -> int:
        return min(6, super().worth(who, card, instead))


class Fight(Gunfight):
    """Nothing is another."""


class Dogs(Dogpile):
    """Nothing is another."""


def test_a_variant_in_which_nothing_is_another_comes_to_what_the_kernel_says():
    by_kernel, by_rules = Deadly(), with_rules(Deadly(), Same)
    assert (by_kernel.compiled, by_rules.compiled, by_rules.exact()) == (True, False, {})
    here, there = played(by_rules, None, 1, 0, many(2_000, 150)), played(by_kernel, None, 1, 0, 20_000)
    for place, measure in enumerate(by_kernel.measures()):
        for finding in by_kernel.findings():
            if finding.measure == measure.key:
                one = estimate(finding, here.counts[place], 0.9999)
                other = estimate(finding, there.counts[place], 0.9999)
                assert None not in (one.low, one.high, other.low, other.high)
                assert (one.low or 0) <= (other.high or 0), finding.key
                assert (other.low or 0) <= (one.high or 0), finding.key


def test_a_rule_that_is_another_is_seen_in_pairs():
    cell = Cell(with_rules(Deadly(), Hackjack), with_rules(Deadly(), Softer))
    (answer,) = ask(Study(cells=(cell,), trials=80), workers=1).answers
    more = {one.finding.key: one.more for one in answer.found}["survived"]
    assert more is not None
    assert more.low is not None
    assert more.low > 0


@pytest.mark.parametrize(("question", "kind"), [(Last(mine=2, theirs=2), Fight), (Silence(players=2), Dogs)])
def test_questions_of_every_kind_are_played(question: Any, kind: type[Game]):
    asked = with_rules(question, kind)
    assert asked.rows(3, 0, 3).shape == (3, len(question.measures()))
    assert pickle.loads(pickle.dumps(asked)) == asked
    assert (asked.rows(3, 1, 2) == asked.rows(3, 0, 3)[1:]).all()


def test_a_variant_stands_in_for_its_game_only_while_it_is_played():
    with played_by(Softer):
        assert find_game("hackjack") is Softer
        with played_by(Same):
            assert find_game("hackjack") is Same
        assert find_game("hackjack") is Softer
    assert find_game("hackjack") is Hackjack


def test_rules_come_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "mine.py"
    file.write_text(MINE)
    asked = ["lab", "hackjack", "deadly", "--rules", str(file), "--trials", "40", "--cores", "1", "--afresh"]
    assert main([*asked, "--vs", "rules=own", "--json"]) == 0
    (answer,) = json.loads(capsys.readouterr().out)["answers"]
    assert next(one for one in answer["findings"] if one["key"] == "survived")["difference"]["value"] < 0
    assert main(asked) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "How deadly is it? By the rules of Softer (played by the rules; 40 fights;" in out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1", "must have one class Mine(Hackjack); it has none"),
        (MINE + MINE.replace("Softer", "Harder").split("\n\n\n")[1], "it has Softer, Harder"),
        ("import nothing_of_the_kind", "can't be read as rules"),
    ],
)
def test_a_file_without_rules_says_so(tmp_path: Path, text: str, said: str):
    file = tmp_path / "mine.py"
    file.write_text(text)
    with pytest.raises(CardhouseError) as told:
        rules_of(file, "hackjack")
    assert said in str(told.value)


def test_an_invalid_variant_is_refused():
    with pytest.raises(CardhouseError, match="Dogs isn't a variant of hackjack: write class Mine"):
        with_rules(Deadly(), Dogs)
    assert main(["lab", "hackjack", "deadly", "--vs", "rules=own", "--trials", "10"]) != 0

"""Results of older code are made again, for other packages as for ours."""

from pathlib import Path

import pytest

from cardhouse.games.hackjack.lab.questions import Deadly
from cardhouse.games.initiative.lab.questions import Order
from cardhouse.lab.questions import fingerprint
from cardhouse.lab.running import checkpoint

COIN = """\
from typing import ClassVar
from cardhouse.lab.questions.question import Question
from .rules import CHANCE

class Coin(Question, frozen=True, kw_only=True):
    game: ClassVar[str] = "initiative"
    name: ClassVar[str] = "heads"
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stranger's package, which can be imported."""
    package = tmp_path / "coins_of_a_stranger"
    (package / "kernels").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "questions.py").write_text(COIN)
    (package / "rules.py").write_text("CHANCE = 0.75\n")
    (package / "kernels" / "__init__.py").write_text("")
    (package / "kernels" / "toss.py").write_text(
        "import numpy as np\nfrom coins_of_a_stranger import rules\nfrom .. import questions, unknown\n"
        "from cardhouse.lab.kernels import (\n    chance,\n)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    return package


def name_of_coin() -> str:
    from coins_of_a_stranger.questions import Coin  # type: ignore[import-not-found]

    fingerprint.digest_of.cache_clear()
    return checkpoint._name(Coin())


def test_a_changed_rule_of_another_package_is_asked_again(package: Path) -> None:
    before = name_of_coin()
    assert name_of_coin() == before
    (package / "rules.py").write_text("CHANCE = 0.5\n")
    changed = name_of_coin()
    assert changed != before
    (package / "coins.toml").write_text("sides = 2\n")
    assert name_of_coin() not in (before, changed)


def test_a_strangers_package_is_nothing_to_our_questions(package: Path) -> None:
    before = checkpoint._name(Order())
    (package / "rules.py").write_text("CHANCE = 0.5\n")
    fingerprint.digest_of.cache_clear()
    assert checkpoint._name(Order()) == before != checkpoint._name(Deadly())


def test_a_kernel_follows_its_own_package_and_cardhouse(package: Path) -> None:
    followed = fingerprint.imported(package / "kernels" / "toss.py")
    own = {file.relative_to(package).as_posix() for file in followed if file.is_relative_to(package)}
    assert own == {"kernels/toss.py", "__init__.py", "questions.py", "rules.py"}
    assert {"chance.py", "question.py"} <= {file.name for file in followed - set(package.rglob("*"))}
    assert not any("numpy" in file.parts for file in followed)


def test_a_module_of_its_own_follows_those_beside_it(tmp_path: Path) -> None:
    (tmp_path / "duel.py").write_text("import duel_rules, os\n")
    (tmp_path / "duel_rules.py").write_text("WINS = 2\n")
    assert {file.name for file in fingerprint.imported(tmp_path / "duel.py")} == {"duel.py", "duel_rules.py"}
    before = fingerprint.digest_of(tmp_path / "duel.py")
    (tmp_path / "duel_rules.py").write_text("WINS = 3\n")
    fingerprint.digest_of.cache_clear()
    assert fingerprint.digest_of(tmp_path / "duel.py") != before

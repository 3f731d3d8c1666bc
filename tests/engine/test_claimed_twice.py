"""Packages that are refused: two that claim one name, and one that needs another Cardhouse."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cardhouse import __version__
from cardhouse.agents.registry import scenes
from cardhouse.cli import main
from cardhouse.engine import CardhouseError, Table, find_game, game_names
from cardhouse.engine.authoring.forms import forms_of
from cardhouse.engine.diagnostics.registry import made_by
from cardhouse.lab.questions.question import questions_of
from cardhouse.server.files.print_jobs import printed, prints
from tests.installed import look_anew

Brings = Callable[..., None]
MODULE = '''\
from cardhouse.games.initiative.rules import Initiative
from cardhouse.lab.questions.question import Question


class Theirs(Initiative):
    name = "{name}"


class FirstTurn(Question, frozen=True, kw_only=True):
    game = "initiative"
    name = "mine"
    title = "Mine"


class Order(FirstTurn, frozen=True, kw_only=True):
    name = "order"


QUESTIONS = (FirstTurn,)
OTHERS = (Order,)


def say() -> None:
    """Say who speaks."""
    print("{package}")
'''


@pytest.fixture
def brings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Brings]:
    """Installs a package, found before Cardhouse, that brings something by these lines of its entry points."""

    def brings(package: str, *lines: str, name: str = "theirs", needs: str = "cardhouse") -> None:
        (tmp_path / f"{package}.py").write_text(MODULE.format(name=name, package=package))
        info = tmp_path / f"{package}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\nRequires-Dist: {needs}\n"
        )
        (info / "entry_points.txt").write_text("\n".join(line.replace("MODULE", package) for line in lines) + "\n")
        look_anew()

    monkeypatch.syspath_prepend(str(tmp_path))
    yield brings
    monkeypatch.undo()
    look_anew()


def test_a_package_does_not_replace_one_of_our_games(brings: Brings) -> None:
    brings("first", "[cardhouse.games]", "initiative = MODULE:Theirs", name="initiative")
    assert find_game("initiative").__module__ == "cardhouse.games.initiative.rules"
    assert game_names().count("initiative") == 1


def test_a_game_that_two_packages_claim_is_refused_by_name(brings: Brings) -> None:
    for package in ("second", "third"):
        brings(package, "[cardhouse.games]", "theirs = MODULE:Theirs")
    assert "theirs" not in game_names()
    with pytest.raises(CardhouseError, match=r" both claim the game theirs\. .*uninstall") as told:
        find_game("theirs")
    assert "second 1.0 (second:Theirs)" in told.value.message
    assert "third 1.0 (third:Theirs)" in told.value.message
    assert find_game("initiative")


def test_a_print_is_ours_or_refused(brings: Brings) -> None:
    ours = [one.name for one in prints()]
    lines = "[cardhouse.print]", "hackjack = MODULE:say", "theirs = MODULE:say"
    brings("fourth", *lines)
    brings("fifth", *lines)
    assert [one.name for one in prints()] == ours
    with pytest.raises(CardhouseError, match="both claim the print theirs"):
        printed("theirs", b"{}")


def test_a_command_is_ours_or_refused(brings: Brings, capsys: pytest.CaptureFixture[str]) -> None:
    lines = "[cardhouse.commands]", "wounds = MODULE:say", "theirs = MODULE:say", "serve = MODULE:say"
    brings("sixth", *lines)
    assert main(["theirs"]) == 0
    assert capsys.readouterr().out == "sixth\n"
    brings("seventh", *lines)
    assert main(["theirs"]) == 2
    said = capsys.readouterr().err
    assert "sixth 1.0" in said
    assert "seventh 1.0" in said
    assert "both claim the command theirs" in said
    for word in ("wounds", "serve"):
        assert main([word, "--help"]) == 0
        assert "Say who speaks." not in capsys.readouterr().out


def test_agents_keep_our_scenes_and_are_warned(brings: Brings) -> None:
    ours = scenes()["initiative"]
    brings("eighth", "[cardhouse.agents]", "initiative = MODULE:Theirs")
    with pytest.warns(UserWarning, match="both claim the scene for agents of initiative"):
        assert scenes()["initiative"] is ours


def test_questions_of_the_lab_are_added_and_none_replaced(brings: Brings, caplog: pytest.LogCaptureFixture) -> None:
    ours = questions_of("initiative")
    brings("ninth", "[cardhouse.lab]", "initiative = MODULE:QUESTIONS")
    assert set(questions_of("initiative")) == {*ours, "mine"}
    brings("tenth", "[cardhouse.lab]", "initiative = MODULE:OTHERS")
    assert questions_of("initiative")["order"] is ours["order"]
    assert 'tenth 1.0 both claim "order" of initiative' in caplog.text
    brings("eleventh", "[cardhouse.lab]", "initiative = MODULE:QUESTIONS")
    with pytest.raises(CardhouseError, match=r"(ninth|eleventh) 1.0 both claim \"mine\" of initiative"):
        questions_of("initiative")


def test_forms_are_ours(brings: Brings) -> None:
    ours = forms_of("hackjack")
    brings("twelfth", "[cardhouse.forms]", "hackjack = cardhouse.games.hackjack.commands.forms:FORMS")
    assert forms_of("hackjack") == ours


def test_a_table_says_which_package_it_was_made_with(brings: Brings) -> None:
    assert (made_by("initiative"), Table.new("initiative").header.package) == ("", "")
    brings("elsewhere", "[cardhouse.games]", "theirs = MODULE:Theirs")
    table = Table.new("theirs")
    assert table.header.package == "elsewhere 1.0"
    later = table.transcript().replace("elsewhere 1.0", "elsewhere 0.9")
    assert Table.read(later.splitlines()).header.package == "elsewhere 0.9", "it stays what it was made with"
    older = later.replace(',"package":"elsewhere 0.9"', "")
    assert Table.read(older.splitlines()).header.package == ""
    with pytest.raises(CardhouseError, match="characters at most"):
        Table.read(later.replace("0.9", "9" * 90).splitlines())


ALL = (
    *("[cardhouse.games]", "theirs = MODULE:Theirs", "[cardhouse.lab]", "initiative = MODULE:QUESTIONS"),
    *("[cardhouse.commands]", "theirs = MODULE:say", "[cardhouse.print]", "theirs = MODULE:say"),
)


@pytest.mark.parametrize("needs", ["cardhouse>=99", "cardhouse[lab]<0.1", 'Cardhouse!=0.1.0; python_version > "3"'])
def test_a_package_for_another_cardhouse_is_refused_whole(
    brings: Brings, needs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = set(questions_of("initiative"))
    brings("later", *ALL, needs=needs)
    said = rf"later 1\.0 needs cardhouse\S+, and this is cardhouse {re.escape(__version__)}\. Install a"
    with pytest.raises(CardhouseError, match=said):
        find_game("theirs")
    with pytest.raises(CardhouseError, match=said):
        printed("theirs", b"{}")
    assert main(["theirs"]) == 2
    assert re.search(said, capsys.readouterr().err)
    assert set(questions_of("initiative")) == ours
    assert find_game("hackjack")


@pytest.mark.parametrize(
    "needs", ["cardhouse>=0.1,<1", 'cardhouse>=99; extra == "lab"', "other>=99", "not a name at all"]
)
def test_a_package_that_fits_is_loaded(brings: Brings, needs: str) -> None:
    brings("fitting", *ALL, needs=needs)
    assert find_game("theirs").name == "theirs"
    assert main(["theirs"]) == 0

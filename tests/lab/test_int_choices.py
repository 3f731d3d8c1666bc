"""Numeric choices, `Literal[1, 11]`, are settings like any other; a study shows its progress."""

import io
from typing import Annotated, Literal

import msgspec
import pytest
from rich.console import Console

from cardhouse.engine import CardhouseError
from cardhouse.lab.questions.game_settings import _is_plain
from cardhouse.lab.questions.settings import cells, changes, settings_of
from cardhouse.lab.reports import api
from cardhouse.lab.running.study import Study, ask
from cardhouse.lab.search.variations import values_near
from cardhouse.lab.words.progress import moving
from cardhouse.server.lab.responses import _settings
from tests.lab.dice import Dice


class Aces(Dice, frozen=True, kw_only=True):
    """Dice, and what an ace is worth."""

    ace: Annotated[Literal[1, 11], msgspec.Meta(description="what an ace is worth")] = 1


def test_a_number_is_chosen_as_one_writes_it():
    asked = cells(Aces, {"ace": "1,11"})
    assert [cell.question.ace for cell in asked] == [1, 11]  # type: ignore[attr-defined]
    assert [cell.label for cell in asked] == [{"ace": "1"}, {"ace": "11"}]
    assert changes(Aces(), asked[1].question) == {"ace": "11"}
    assert ask(Study(cells=asked, trials=20)).answers[1].trials == 20


def test_what_it_cannot_be_is_refused_in_words():
    with pytest.raises(CardhouseError, match="ace takes one of 1, 11, not 5"):
        cells(Aces, {"ace": "5"})


def test_the_page_and_what_matters_know_its_choices():
    told = next(one for one in _settings(Aces) if one.name == "ace")
    assert (told.kind, told.choices, told.usual) == ("choice", ("1", "11"), "1")
    assert values_near(Aces(), settings_of(Aces)["ace"]) == [11]


def test_an_option_of_a_game_may_be_such_a_choice():
    assert _is_plain(Literal[1, 11])
    assert _is_plain(Annotated[Literal["a", 2], msgspec.Meta(description="x")])


def test_a_bar_shows_how_far_a_study_is():
    watched = Console(file=io.StringIO(), force_terminal=True, width=100)
    with moving("rolls", quiet=False, console=watched) as tell:
        ask(Study(cells=cells(Aces, {}), trials=2_000), tell=tell)
    assert "rolls" in watched.file.getvalue()  # type: ignore[attr-defined]


def test_a_line_of_python_shows_it_too(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setenv("FORCE_COLOR", "1")
    api.ask("initiative", "order", trials=100)
    assert "rounds" in capsys.readouterr().err
    api.ask("initiative", "order", trials=100, progress=False)
    assert capsys.readouterr().err == ""

"""The line-up doesn't depend on the hero, and an answer names it."""

import json

import pytest

from cardhouse.cli.app import main
from cardhouse.engine import CardhouseError
from cardhouse.games.initiative.lab.sides import RANKS_DOWN, two_sides
from cardhouse.lab.questions.question import questions_of
from cardhouse.lab.questions.settings import cells


@pytest.mark.parametrize("mine", [1, 2, 3, 4, 6, 13])
def test_the_others_are_the_same_for_every_hero(mine: int):
    usual = {who.card for who in two_sides(mine, 4)}
    for hero in RANKS_DOWN:
        there = {who.card for who in two_sides(mine, 4, hero)}
        assert f"C{hero}" in there
        assert len(there) == len(usual)
        left = usual - there
        assert left == (set() if f"C{hero}" in usual else {"C9" if mine > 1 else "CK"})


def test_an_answer_names_the_line_up(capsys: pytest.CaptureFixture[str]):
    assert main(["lab", "initiative", "order", "--hero", "2,5,J,A", "--trials", "100", "--json"]) == 0
    answers = json.loads(capsys.readouterr().out)["answers"]
    assert [one["line_up"] for one in answers] == [f"{ours} / A K 9 5" for ours in ("A K 5 2", *LINE_UPS)]
    assert main(["lab", "initiative", "order", "--hero", "2,5,J,A", "--trials", "100"]) == 0
    told = capsys.readouterr().out
    assert "Line-up, your side first: A K J 5 / A K 9 5 (hero J)" in told
    assert "Line-up, your side first: A K 9 5 / A K 9 5 (hero 5; hero A)" in told
    assert main(["lab", "gunfight", "last", "--mine", "2", "--trials", "20"]) == 0
    assert "Line-up, your side first: K 9 / A K Q 9 5" in capsys.readouterr().out


def test_the_hero_of_a_line_up_is_its_first_rank_unless_named():
    order = questions_of("initiative")["order"]

    def heroes(**texts: str) -> list[str]:
        return [cell.question.hero for cell in cells(order, texts)]  # type: ignore[attr-defined]

    assert heroes(cards="A / 6 5 4 3 2") == ["A"]
    assert heroes(cards="k 9 / Q,5 9") == ["K", "5"]
    assert heroes(cards="K 9 / Q", hero="9") == ["9"]
    assert heroes(mine="2") == ["9"]
    (beside,) = cells(order, {"cards": "A K"}, {"cards": "5 4"})
    assert beside.versus is not None
    assert beside.versus.hero == "5"  # type: ignore[attr-defined]
    with pytest.raises(CardhouseError, match='no rank "X"'):
        cells(order, {"cards": "X"})[0].question.check_settings()


LINE_UPS = ("A K 9 5", "A K J 5", "A K 9 5")


def test_the_jack_goes_first_as_often_as_its_rank_says():
    """With hero J the ace once dropped out of its side, and the jack was first in 10.7% of the rounds."""
    found = {hero: exact_first(hero) for hero in ("2", "5", "9", "J", "K", "A")}
    assert found == {hero: pytest.approx(share, abs=1e-9) for hero, share in RATE_LIMITS.items()}
    assert list(found.values()) == sorted(found.values(), reverse=True)


RATE_LIMITS = {"2": 14 / 56, "5": 13 / 56, "9": 9 / 56, "J": 8 / 56, "K": 5 / 56, "A": 1 / 56}


def exact_first(hero: str) -> float:
    asked = questions_of("initiative")["order"](hero=hero)
    return asked.exact()["first"]

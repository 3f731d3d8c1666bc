"""The answer for players: a sentence, and a hundred trials as a picture, or numbers to compare."""

import re

import msgspec
import pytest

from cardhouse.games.hackjack.lab.deadly import Deadly
from cardhouse.lab.questions.answer import (
    Tale,
    Values,
    counted,
    hundred,
    in_a_row,
    listed,
    ordinal,
    percent,
    two_digits,
)
from cardhouse.lab.questions.question import Question, games_with_questions, questions_of
from cardhouse.lab.questions.settings import cells, settings_of
from cardhouse.lab.reports.answers import tale_of
from cardhouse.lab.running.study import Study, ask
from tests.lab.dice import Dice

QUESTIONS = {f"{game} {name}": one for game in games_with_questions() for name, one in questions_of(game).items()}

HARD = {"laid_HA": 0.43, "laid_SA": 0.45, "laid_HK": 0.44, "laid_C9": 0.5, "laid_H2": 0.51, "laid_RJ": 0.83}
LEADS = {f"leads_{tenth}0": tenth / 10 for tenth in range(1, 11)}
HARMS = {"suffers_none": 0.2, "suffers_short_term": 0.5, "suffers_long_term": 0.3, "suffers_dying": 0.0}
TOLD: dict[str, tuple[dict[str, float], str]] = {
    "dogpile silence": ({"dogs": 8.683, "laid_1": 3.6, "laid_4": 0.2}, "In silence, 8.7 of 21 dogs join."),
    "dogpile hard": (HARD, "Aces and the king are the hardest to place (44%)."),
    "dogpile ceiling": ({"could": 20.9999, "dogs": 8.683}, "With open hands 21 dogs could join; in silence 8.7 do."),
    "dogpile thumbs": (
        {"left_best": 0.1, "left_suits": 0.2, "could": 21},
        "Agree: every column belongs to a suit.",
    ),
    "dogpile game": ({"dogs": 8.7, "lost": 0.086}, "The bots place 8.7 dogs a round and lose 9% of packs."),
    "dogs price": (
        {"wins": 0.506, "unhurt": 0.2, **HARMS},
        "The hero wins 51% of conflicts, and has no fallout in 20%.",
    ),
    "dogs templates": ({"wins": 0.98, **HARMS}, "Yes: it wins 98% against a Fast NPC of type A."),
    "dogs best": ({"given_away": 0.021}, "The bold policy gives away 2.1 of 100 conflicts."),
    "dogs several": ({"wins": 0.84}, "Two heroes beat one opponent in 84% of conflicts."),
    "dogs followup": ({"turns": 0.53}, "The loser of the first conflict wins the second in 53%."),
    "dogs dice": ({"wins": 0.5, "raises": 8.12, **HARMS}, "With dice, the hero wins 50% of conflicts."),
    "gunfight last": ({"won": 0.72, "lost": 0.28, "undecided": 0.0}, "Your side wins most fights (72%)."),
    "hackjack deadly": (
        {
            f"dead_by_{hit}": share
            for hit, share in enumerate((0, 0, 0.05, 0.29, 0.58, 0.77, 0.88, 0.93, 0.96, 0.98), 1)
        },
        "Most are dead by the fifth hit.",
    ),
    "hackjack career": (
        {f"{how}_by_{fight}": fight / 20 for how in ("dead", "retired") for fight in range(1, 11)},
        "About half of all careers end by the fifth fight.",
    ),
    "hackjack best": (
        {"best": 3.2, "unless": 3.1, "less_unless": 0.1},
        "Prevent blood loss unless score and pool make exactly 11.",
    ),
    "initiative order": ({"place_3": 0.7, "place": 3.4, "never_acts": 0.02}, "The 9 most often acts third (70%)."),
    "initiative idle": ({f"wait_{n}": 1 - n / 16 for n in range(1, 17)}, "The 9 waits through 0.25 turns of others."),
    "initiative best": ({"best": 0.88, "always": 0.88, "never": 0.02}, "Always wait."),
    **{
        f"{game} feel": (
            {"decided": 82, "changes": 3.2, "comeback": 0.4, "better": 0.9, **LEADS},
            "A session is decided after 82% of its moves.",
        )
        for game in ("dogpile", "dogs", "gunfight", "initiative")
    },
    "hackjack feel": ({"answers": 57, "decisions": 21}, "A session takes 57 moves, 21 of them a choice."),
}


def test_a_hundred_are_a_hundred():
    assert hundred([1 / 3, 1 / 3, 1 / 3]) == [34, 33, 33]
    assert hundred([0.0, 0.996, 0.004]) == [0, 100, 0]
    assert [ordinal(number) for number in (1, 10, 11, 21, 32)] == ["first", "tenth", "11th", "21st", "32nd"]
    row = in_a_row([0.05] * 19, 0, 4, ("never", 0.05, "card"), and_more=True)
    assert [(one.label, one.count) for one in row if one.bright] == [("4\N{EN DASH}5", 10)]
    assert [(one.label, one.count) for one in row[-2:]] == [("18+", 5), ("never", 5)]


def test_numbers_have_two_digits():
    assert [two_digits(number) for number in (0, 0.0344, 4.98, 8.683, 12.317)] == ["0", "0.034", "5", "8.7", "12"]
    assert [percent(share) for share in (0, 0.001, 0.576, 0.999, 1)] == ["0%", "under 1%", "58%", "over 99%", "100%"]
    assert [counted(1, "hero", "heroes"), counted(2, "hero", "heroes"), counted(12, "dog")] == [
        "one hero", "two heroes", "12 dogs",
    ]  # fmt: skip
    assert [listed(["a"]), listed(["a", "b", "c"])] == ["a", "a, b and c"]


def test_all_questions_are_told():
    assert TOLD.keys() == QUESTIONS.keys()


def tale_from(question: Question, values: dict[str, float]) -> Tale:
    """What is told of these values, all others being a quarter."""
    quarter = dict.fromkeys((one.key for one in question.findings()), 0.25)
    places = dict.fromkeys((key for key in quarter if re.match(r"place_\d", key)), 0.0)
    known = {**quarter, **places, **values}
    if question.name == "hard":
        known = values
    told = question.tale(Values(known))
    assert told is not None
    return told


@pytest.mark.parametrize("name", TOLD)
def test_a_question_is_answered_in_a_sentence_and_a_picture(name: str):
    question = QUESTIONS[name]()
    values, sentence = TOLD[name]
    tale = tale_from(question, values)
    assert tale.sentence == sentence
    assert tale.line.endswith(".")
    assert tale.picture is not None
    shown = tale.picture.columns or tale.picture.bars
    assert len({one.label for one in shown}) == len(shown) > 1
    assert any(one.bright for one in shown)
    assert {one.key for one in tale.picture.bars} <= {"", *(one.key for one in question.findings())}
    if tale.picture.columns and name != "dogs price":
        assert sum(one.count for one in tale.picture.columns) >= 100
    if name != "hackjack feel":
        assert question.tale(Values({})) is None, "nothing is known"


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_is_asked_in_a_sentence(name: str):
    question = QUESTIONS[name]
    parts = re.findall(r"{(\w+)}", question.asked)
    assert 1 <= len(parts) <= 8
    assert set(parts) <= settings_of(question).keys()
    assert question.asked.endswith(".")


@pytest.mark.parametrize(
    ("shares", "sentence", "alive"),
    [
        ([0.0, 0.05, 0.6], "Most are dead by the third hit.", 40),
        ([0.7, 0.8, 0.9], "Most are dead by the first hit.", 10),
        ([0.0, 0.05, 0.1], "Most outlive 3 hits.", 90),
    ],
)
def test_deaths_are_told_hit_by_hit(shares: list[float], sentence: str, alive: int):
    values = {f"dead_by_{hit}": share for hit, share in enumerate(shares, 1)}
    tale = Deadly(hits=3).tale(Values(values))
    assert tale is not None
    assert tale.sentence == sentence
    assert tale.picture is not None
    *died, lives = tale.picture.columns
    assert lives.count == alive
    assert sum(column.count for column in died) == 100 - alive
    assert Deadly(hits=4).tale(Values(values)) is None, "one hit is not known"


@pytest.mark.parametrize(
    ("texts", "versus", "sentence", "bars"),
    [
        ({}, {}, r"More than 6: 58%\.", []),
        ({}, {"sides": "8"}, r"With sides 8, “the mean” rises from 7\.\d to 9\.\d\.", ["sides 6", "sides 8"]),
        ({}, {"bonus": "1"}, r"No clear difference between bonus 0 and bonus 1\.", ["bonus 0", "bonus 1"]),
        ({"dice": "1,2"}, {}, r"“More than 6” rises from 0% with dice 1 to 58% with dice 2\.", ["dice 1", "dice 2"]),
        ({"bonus": "1,2"}, {}, r"No clear difference between bonus 1 and bonus 2\.", ["bonus 1", "bonus 2"]),
        (
            {"dice": "1,2"},
            {"sides": "8"},
            r"With sides 8, “more than 6” rises in 2 of 2 combinations, most clearly from 0% to 27% with dice 1\.",
            [],
        ),
        (
            {"dice": "1,2"},
            {"bonus": "1"},
            r"Bonus 1 makes no clear difference in 2 combinations\.",
            [],
        ),
    ],
)
def test_a_question_without_a_tale_still_has_a_sentence(
    texts: dict[str, str], versus: dict[str, str], sentence: str, bars: list[str]
):
    result = ask(Study(cells=cells(Dice, texts, versus), trials=500), workers=1)
    tale = tale_of(result)
    assert tale is not None
    assert re.fullmatch(sentence, tale.sentence)
    assert [bar.label for bar in (tale.picture.bars if tale.picture else ())] == bars
    assert tale_of(msgspec.structs.replace(result, answers=())) is None

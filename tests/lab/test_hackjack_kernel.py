"""Hackjack's kernel plays by the rules, agrees with exact numbers, and refuses impossible settings."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import sqrt
from random import Random
from typing import Any

import pytest

from cardhouse.cards import STANDARD
from cardhouse.engine import GM, CardhouseError, Roll, SeededDealer, Table
from cardhouse.games.hackjack.lab.damage import WEEK, Damage, nearest_weeks, read_damage
from cardhouse.games.hackjack.lab.policies import AT, UNLESS, Policy, read_prevent
from cardhouse.games.hackjack.lab.questions import Deadly
from cardhouse.games.hackjack.state import DAYS, RECOVERY, AddCharacter
from cardhouse.games.hackjack.state import Damage as Hit
from cardhouse.lab.questions.cell import Cell
from cardhouse.lab.questions.proof import check_trial
from cardhouse.lab.questions.settings import cells
from cardhouse.lab.reports.report import render
from cardhouse.lab.running.study import Study, ask
from cardhouse.lab.words.labels import findings_of
from cardhouse.lab.words.numbers import as_json
from tests.thorough import in_soak

np = pytest.importorskip("numpy")


def days_of(trauma: int) -> list[int]:
    """Every way its dice can fall, as days; Trauma 0 needs none."""
    if not trauma:
        return [0]
    dice, unit = RECOVERY[trauma]
    count, sides = Roll(dice).count_and_sides()
    return [sum(faces) * DAYS[unit] for faces in product(range(1, sides + 1), repeat=count)]


@pytest.mark.parametrize("trauma", RECOVERY)
def test_recovery_in_whole_weeks_has_the_mean_of_its_days(trauma):
    """No rounding moves a mean: of one recovery time, or of two in a career (HJ-17)."""
    for other in (0, *RECOVERY):
        both = [one + more for one in days_of(trauma) for more in days_of(other)]
        assert sum(map(nearest_weeks, both)) == Fraction(sum(both), WEEK)
    assert all((nearest_weeks(days) > 26) == (days > 26 * WEEK) for days in days_of(trauma))


SPECIALS = ("choose", "both", "another", "peek", "again", "first_card", "red_cards", "chronic")


def some_wounds(random: Random) -> dict[str, Any]:
    """A table's own wounds, many of them bending the flow."""
    found: dict[str, Any] = {}
    for number, card in enumerate(random.sample(STANDARD, 14)):
        special = SPECIALS[number] if number < len(SPECIALS) else None
        wound: dict[str, Any] = {"name": "x", "text": "x", "ends": random.choice(["round", "recovery", "check"])}
        if special in ("choose", "both", "again"):
            wound |= {"ends": "permanent", "special": special}
        else:
            wound |= {"special": special} if special else {}
            wound |= {"blood": random.choice([0, 3, "1d4", "3d2"]), "trauma": random.randint(0, 6)}
            wound |= {"check": {"failed": "dazed"}, "drops": {"STR": "2d4"}, "max_hp": "1d2"}
        found[card] = wound
    return found


def any_question(random: Random) -> Deadly:
    """A question with settings of all kinds."""
    return Deadly(
        hp=random.choice([1, 4, 12]),
        damage=random.choice(["1d8", "3", "1d20+5", "20", "3d6-2"]),
        hits=random.choice([4, 10, 30]),
        prevent=random.choice(["never", "always", "at 10", "unless 11", "by heart", "best", "best"]),
        c7=random.choice(["first", "lower_blood", "lower_trauma", "best"]),
        others=random.choice([0, 0, 1, 4]),
        limit=random.choice([21, 21, 11, 90]),
        massive=random.choice([13, 10, 20]),
        wounds=some_wounds(random) if random.random() < 0.6 else {},
        draw_at_zero=random.random() < 0.3,
        return_cards=random.random() < 0.3,
        jokers=random.random() < 0.3,
        critical=random.choice([0, 0, 2, 20]),
        judged=random.choice(["at_end", "each_step"]),
        standing_blood=random.random() < 0.3,
        jack_of_clubs=random.choice(["lower", "lower_given"]),
    )


@pytest.mark.parametrize("seed", range(4))
def test_plays_by_the_rules(seed: int) -> None:
    """Sampled trials, given to the game, end in the same row, whatever the settings."""
    random = Random(seed)
    for _ in range(25):
        question = any_question(random)
        question.check_settings()
        for _ in range(3):
            check_trial(question, random.randrange(1 << 40), random.randrange(1 << 40))


def test_rows_depend_on_nothing_but_seed_and_trial() -> None:
    """A row is the same in any chunk, and others draw from the same deck."""
    question = Deadly(others=2, hits=20)
    whole = question.rows(5, 0, 300)
    assert (question.rows(5, 100, 50) == whole[100:150]).all()
    assert (question.rows(6, 0, 300) != whole).any()
    for measure, column in zip(question.measures(), whole.T, strict=True):
        assert column.min() >= 0, measure.key
        assert column.max() < measure.size, measure.key


@pytest.mark.parametrize(
    "question",
    [
        Deadly(),
        *in_soak(
            Deadly(hp=5, damage="3d8", prevent="at 15", hits=2),
            Deadly(hp=4, damage="2d12+3", draw_at_zero=True, limit=25, massive=10, prevent="at 10", hits=3),
            Deadly(hp=3, damage="1d6", others=3, critical=5, hits=4),
        ),
        Deadly(hp=3, damage="1d6", jack_of_clubs="lower_given", standing_blood=True, hits=2),
    ],
)
def test_agrees_with_what_is_known_exactly(question: Deadly) -> None:
    """What is known exactly lies within 5 standard errors of what was played."""
    trials, exact = 100_000, question.exact()
    rows = question.rows(1, 0, trials)
    columns = {measure.key: rows[:, place] for place, measure in enumerate(question.measures())}
    found = {finding.key: finding for finding in question.findings()}
    assert {"fell", "outright"} <= set(exact)
    if not question.others:
        assert sum(key.startswith("dead_by_") for key in exact) >= 2
    for key, chance in exact.items():
        finding = found[key]
        most = 1000 if finding.most is None else finding.most
        column = columns[finding.measure]
        share = ((column >= finding.least) & (column <= most)).mean()
        assert abs(share - chance) <= 5 * sqrt(chance * (1 - chance) / trials) + 1e-9, (key, share, chance)


def test_the_first_card_is_as_the_odds_of_the_table_have_it() -> None:
    """For somebody just down with nothing drawn, the first card's exact odds are those a table shows."""
    table = Table.new("hackjack", (GM,), {"limit": 11}, dealer=SeededDealer(1))
    table.answer(GM, AddCharacter("it", 1, 1))
    table.game.characters[0].down = True  # type: ignore[attr-defined]
    (odds,) = table.game.odds(GM).values()
    exact = Deadly(hp=1, damage="2", hits=1, limit=11).exact()
    assert exact["dead"] == pytest.approx(odds["preventing"]["dies"])
    assert exact["saved"] == pytest.approx(odds["preventing"]["exactly_21"])
    # A queen, by hand: SQ is one of 52 first cards, and 21 needs one of 16 cards of 10 with it, less itself.
    exactly_20 = Deadly(hp=1, damage="2", hits=1, limit=20).exact()
    assert exactly_20["saved"] == pytest.approx(float(Fraction(1, 52) * Fraction(15, 51)))


def test_the_second_hit_by_hand() -> None:
    """With 1 HP and 30 damage it is over at once; with a limit too high for two cards nobody dies of two."""
    assert Deadly(hp=1, damage="30", hits=2).exact()["dead"] == 1
    harmless = {card: {"name": "x", "text": "x", "ends": "round"} for card in STANDARD}
    exact = Deadly(hp=1, damage="2", hits=2, limit=20, wounds=harmless).exact()
    tens = Fraction(16, 52) * Fraction(15, 51)
    assert exact["dead"] == pytest.approx(0)
    assert exact["saved"] == pytest.approx(float(tens))
    rows = Deadly(hp=1, damage="2", hits=2, limit=20, wounds=harmless).rows(1, 0, 2000)
    assert not rows[:, 0].any()


def test_chains_without_end_are_refused() -> None:
    """Wounds that would suffer each other again and again are refused in words, and nothing breaks."""
    again = {card: {"name": "x", "text": "x", "ends": "round", "special": "again"} for card in STANDARD}
    with pytest.raises(CardhouseError, match="chain of cards"):
        Deadly(hp=1, damage="2", wounds=again).rows(1, 0, 50)


def test_settings_that_cannot_be() -> None:
    """Wrong settings are refused in words."""
    for wrong, word in (
        (Deadly(damage="many"), "Damage is"),
        (Deadly(damage="9d999"), "1000 at most"),
        (Deadly(prevent="sometimes"), "prevent is never"),
        (Deadly(hp=-1), "hp"),
        (Deadly(hits=41), "hits"),
        (Deadly(wounds={"C99": {}}), "C99"),
    ):
        with pytest.raises(CardhouseError, match=word):
            wrong.check_settings()
    assert read_damage("2d6-1") == Damage(2, 6, -1)
    assert read_damage("7").of(()) == 7
    assert read_prevent("at 15") == Policy(AT, 15)
    assert read_prevent("unless 11") == Policy(UNLESS, 11)


def test_a_hit_of_a_weapon_is_told_to_the_table() -> None:
    """The transcript of a trial is a game that anybody can replay."""
    text = check_trial(Deadly(hits=3), 3, 4)
    assert sum('"do":"damage"' in line for line in text.splitlines()) in range(1, 4)
    assert Hit.word() in text


CUT_OFF = ", cut off by the setting hits"


@pytest.mark.parametrize(("hits", "is_cut_off"), [(3, True), (10, True), (40, False)])
def test_hits_survived_are_marked_where_there_were_too_few_hits_to_die_of(hits: int, is_cut_off: bool) -> None:
    """With 3 hits nearly all live on, with 40 so few that the mean is none the lower for it."""
    result = ask(Study(cells=(Cell(Deadly(hits=hits)),), trials=20_000), workers=1)
    (survived,) = (one for one in result.answers[0].found if one.finding.key == "survived")
    assert survived.finding.text.endswith(CUT_OFF) == is_cut_off
    (told,) = (one for one in as_json(result)["answers"][0]["findings"] if one["key"] == "survived")
    assert (told.get("cut_off") == "hits") == is_cut_off
    assert (CUT_OFF in render(result, ".html").decode()) == (CUT_OFF in render(result, ".csv").decode()) == is_cut_off


@pytest.mark.parametrize("versus", [None, {"hits": "40"}])
def test_hits_survived_are_marked_in_sweeps_and_comparisons(versus: dict[str, str] | None) -> None:
    """Where only some combinations are cut off, or only one of the two variants, too."""
    hits = "40,3" if versus is None else "3"
    result = ask(Study(cells=cells(Deadly, {"hits": hits}, versus or {}), trials=5_000), workers=1)
    (survived,) = (one for one in findings_of(result.answers) if one.key == "survived")
    assert survived.text.endswith(CUT_OFF)
    assert f"Hits survived, counted from the one that takes it down{CUT_OFF}" in render(result, ".html").decode()

"""*Find settings*: planted settings are found, the numbers are from new trials, stopped runs continue."""

from pathlib import Path
from typing import Any

import pytest

from cardhouse.engine import CardhouseError
from cardhouse.lab.plots.charts import Plot
from cardhouse.lab.reports.change_report import sheet_of
from cardhouse.lab.reports.text_commands import command_of
from cardhouse.lab.reports.text_tuning import as_json, describe_changes, sentences
from cardhouse.lab.running.checkpoint import CheckpointStore
from cardhouse.lab.running.study import Progress
from cardhouse.lab.search.elimination import ROUNDS, front
from cardhouse.lab.search.requests import asked_of
from cardhouse.lab.search.space import space_of
from cardhouse.lab.search.targets import read_target
from cardhouse.lab.search.tuning import tune
from cardhouse.lab.statistics.estimate import Estimate
from tests.lab.dice import Dice
from tests.lab.test_sensitivity import Faces


def test_a_planted_target_is_found_among_all():
    """Three dice of eight sides come to 13.5; nothing else that may be chosen does, but in other ways."""
    found = tune(Dice(), ["mean = 13.5 ±0.4"], vary=["dice=1..4", "sides=4..9"], trials=2_000, workers=1)
    assert found.is_whole
    assert found.size == 24
    assert found.met
    for one in found.best:
        assert isinstance(one.question, Dice)
        assert abs(one.question.dice * (one.question.sides + 1) / 2 - 13.5) < 0.5
        assert one.confirmed
    assert {"dice": "3", "sides": "8"} in [one.differs for one in found.best]
    assert found.played < 24 * 2_000 / 4 + (len(found.best) + len(found.rest) + 1) * 2_000


@pytest.mark.soak
def test_a_planted_target_is_found_in_a_space_too_large_to_try():
    """Blank 2 and 5 and what is high at 9: searched for among 1,152 choices with 120 tries."""
    planted = Faces(faces={"2": 0, "5": 0}, least=9).exact()
    wanted = [f"high = {100 * planted['high']:.2f}% ±4%", f"mean = {planted['mean']:.2f} ±0.3"]
    found = tune(Faces(), wanted, vary=["faces", "least=1..18"], tries=60, starts=2, trials=20_000, workers=1)
    assert not found.is_whole
    assert found.size == 2**6 * 18
    assert found.met
    assert min(one.best for one in found.starts) == 0
    best = found.best[0]
    for key, give in (("high", 0.04), ("mean", 0.3)):
        assert abs(best.question.exact()[key] - planted[key]) < 1.5 * give
    assert len(best.differs) <= 4


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ("high = 50% ±2%", (0.48, 0.52)),
        ("high = 100% ±1%", (0.99, 1)),
        ("mean = 8 ±0.5", (7.5, 8.5)),
        ("mean = 8 ±0", (8,)),
        ("mean < 8", (8,)),
        ("high > 90%", (0.9,)),
    ],
)
def test_a_plot_shows_where_what_is_wanted_begins_and_ends(text: str, edges: tuple[float, ...]):
    assert read_target(Dice().findings(), text).edges == pytest.approx(edges)


def test_an_upright_stroke_stands_at_each_end_of_what_is_wanted():
    found = tune(Dice(), ["mean = 13.5 ±0.4", "high > 60%"], vary=["dice=1..3"], trials=512, workers=1)
    within, above = sheet_of(found).plots
    assert [upright(plot) for plot in (within, above)] == [[13.1, 13.9], [0.6]]
    assert "between the upright strokes: 13.5 ±0.4." in within.caption
    assert above.caption.endswith("from the upright stroke on: > 60%.")


def upright(plot: Plot) -> list[Any]:
    """Where each row of a plot has its upright strokes."""
    layers = [one for one in plot.vega_lite_spec["layer"] if one["mark"].get("style") == "zero"]
    return [pytest.approx(one["encoding"]["x"]["datum"]) for one in layers]


def test_conflicting_targets_give_a_front():
    found = tune(Dice(), ["high > 90%", "mean < 6"], vary=["dice=1..3", "sides=4..8"], trials=2_000, workers=1)
    assert not found.met
    assert len(found.best) > 1
    misses = [one.misses for one in found.best]
    assert front(misses) == list(range(len(misses)))
    assert "trade-off" in next(sentences(found))
    assert {one["meets"] for one in as_json(found)["best"]} == {False}


def test_numbers_are_not_those_they_were_chosen_by():
    """Settings that differ in nothing: the luckiest of them looks lucky only to whoever chose it."""
    vary = ["bonus=0..5"]
    found = tune(Dice(), ["high > 60%"], vary=vary, trials=512, workers=1)
    lucky = [one.estimates[0].value for one in (*found.best, *found.rest)]
    fresh = [sum(row[0] > 6 for row in Dice().rows(1, 0, 512)) / 512]
    assert set(lucky) == set(fresh)


@pytest.mark.parametrize("early", [True, False], ids=["early", "later"])
@pytest.mark.soak
def test_what_was_stopped_goes_on_and_comes_to_the_same(tmp_path: Path, early: bool):
    """It stops early in the second round of the first choice: only rounds that are over are kept."""
    kept, asked = CheckpointStore(tmp_path), (Faces(), ["mean = 7 ±0.2"])
    more: dict[str, Any] = {"vary": ["faces", "least=1..18"], "tries": 12, "starts": 2, "trials": 640, "workers": 1}
    whole = tune(*asked, **more)
    heard = 0

    def stop(progress: Progress) -> None:
        nonlocal heard
        heard += 1
        if progress.estimate.trials > more["trials"] // ROUNDS[0] if early else heard == 40:
            raise KeyboardInterrupt

    stopped = tune(*asked, **more, kept=kept, tell=stop)
    if early:
        assert stopped.stopped
        assert not any(one.confirmed for one in stopped.best)
        assert "continues from there" in list(sentences(stopped))[-1]
    gone_on = tune(*asked, **more, kept=kept)
    assert gone_on.best == whole.best
    assert gone_on.starts == whole.starts
    assert gone_on.played < whole.played or not early
    assert list(tmp_path.glob("*.msgpack")) == []


@pytest.mark.parametrize(
    ("text", "value", "low", "high", "grade"),
    [
        ("high = 50%", 0.505, 0.502, 0.508, "met"),
        ("high = 50%", 0.505, 0.495, 0.515, "perhaps"),
        ("high = 50% ±2%", 0.505, 0.495, 0.515, "met"),
        ("high < 50%", 0.505, 0.502, 0.508, "missed"),
        ("high > 50%", 0.505, 0.502, 0.508, "met"),
        ("mean <= 7", 6.5, 6.4, 6.6, "met"),
        ("the mean of those up to 6 = 5 +- 1", 6.5, 6.4, 6.6, "missed"),
    ],
)
def test_targets(text: str, value: float, low: float, high: float, grade: str):
    target = read_target(Dice().findings(), text)
    assert target.grade(Estimate(value, low, high, 100)) == grade
    least, most = target.misses(Estimate(value, low, high, 100))
    assert least <= target.miss(value) <= most


@pytest.mark.parametrize(
    ("targets", "vary", "why"),
    [
        (["high = 0.5"], ["dice"], '"more than 6" is a chance: write 50%, not 0.5.'),
        (["mean = 50%"], ["dice"], '"the mean" is a mean: write 8, not 50%.'),
        (["high = 150%"], ["dice"], "a chance, at most 100%"),
        (["high"], ["dice"], 'A target is written like "won = 50%"'),
        ([], ["dice"], "Name a target"),
        (["high = 50%"], [], "Name at least one setting that may change"),
        (["high = 50%"], ["dice=0..4"], "dice takes a whole number from 1 to 10, not 0."),
        (["high = 50%"], ["marks"], "doesn't know which other values marks can have"),
    ],
)
def test_nonsense_is_refused_with_a_reason(targets: list[str], vary: list[str], why: str):
    with pytest.raises(CardhouseError) as error:
        tune(Dice(), targets, vary=vary, trials=10)
    assert why in error.value.message


def test_contradictory_settings_are_no_choice():
    found = tune(Dice(), ["high = 50%"], vary=["loaded", "sides=2..3"], trials=64, workers=1)
    assert (found.size, found.tried) == (4, 3)


def test_a_space_is_spanned_by_what_may_be_varied():
    space = space_of(Dice(), ["dice", "luck", "bonus=0..1", "sides=4..5"])
    assert [len(one.values) for one in space.dimensions] == [10, 2, 21, 2]
    assert space.differs(space.start) == {"sides": "5"}
    assert space.cost(space.start) == 0.5
    assert space.chosen(space.start) == Dice(sides=5)
    assert len(set(space.single())) == len(list(space.single()))
    pieces = space_of(Faces(), ["faces"])
    chosen = pieces.chosen((0, 1, 0, 0, 1, 0))
    assert isinstance(chosen, Faces)
    assert chosen.faces == {"2": 0, "5": 0}


@pytest.mark.soak
def test_a_choice_is_said_in_brief():
    found = tune(Faces(), ["mean < 9"], vary=["faces", "least=11..12"], trials=640, workers=1)
    assert describe_changes(found.best[0]).startswith("blank: ")
    assert command_of(asked_of(found)) == (
        "cardhouse lab initiative tune faces 'mean < 9' --vary faces --vary least=11..12 "
        "--tries 200 --starts 3 --trials 640 --confidence 95 --seed 0"
    )

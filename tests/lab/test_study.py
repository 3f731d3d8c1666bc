"""Studies: the same result on any number of workers, valid intervals, enough trials, and continuing."""

import os
import signal
from collections import Counter
from collections.abc import Iterator
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from cardhouse.engine import CardhouseError
from cardhouse.games.initiative.lab.questions import Order
from cardhouse.lab.questions.cell import Cell
from cardhouse.lab.questions.question import mean, share
from cardhouse.lab.running.checkpoint import CheckpointStore
from cardhouse.lab.running.study import MOST_TRIALS, Answer, Progress, Result, Study, ask
from cardhouse.lab.statistics.estimate import COUNTED, difference, estimate
from cardhouse.lab.statistics.histogram import played
from cardhouse.lab.statistics.quantiles import t_quantile, z_quantile
from tests.lab.dice import Dice


def study_of(*questions: Dice, trials: int = 2_000, **more) -> Study:
    return Study(cells=tuple(Cell(question) for question in questions), trials=trials, **more)


def only(result: Result) -> Answer:
    (answer,) = result.answers
    return answer


# The same whoever works on it.


def test_the_same_seed_is_the_same_result_on_one_and_two_threads_and_in_any_pieces(monkeypatch: pytest.MonkeyPatch):
    study = Study(cells=(Cell(Order(), Order(wait="lower")),), trials=30_000, seed=5)
    results = [ask(study, workers=workers) for workers in (1, 2)]
    monkeypatch.setattr(Order, "at_once", 777)
    results.append(ask(study, workers=2))
    assert results[0].answers == results[1].answers == results[2].answers
    assert ask(Study(cells=study.cells, trials=30_000, seed=6), workers=1).answers != results[0].answers


@pytest.mark.soak
def test_processes_give_the_same_as_threads(monkeypatch: pytest.MonkeyPatch):
    study = study_of(Dice(), Dice(dice=3))
    by_threads = ask(study, workers=2)
    monkeypatch.setattr(Dice, "compiled", False)
    assert ask(study, workers=2).answers == by_threads.answers


# Numbers and intervals.


def test_counts_are_those_of_the_rows():
    rows = Dice().rows(3, 0, 400)
    tally = played(Dice(), None, 3, 0, 400)
    assert tally.counts[0].tolist() == np.bincount(rows[:, 0], minlength=13).tolist()
    both = played(Dice(), Dice(dice=1), 3, 0, 400)
    assert [counts.tolist() for counts in both.here()] == [counts.tolist() for counts in tally.counts]
    assert [counts.tolist() for counts in both.there()] == [
        counts.tolist() for counts in played(Dice(dice=1), None, 3, 0, 400).counts
    ]
    pairs = zip(rows[:, 0].tolist(), Dice(dice=1).rows(3, 0, 400)[:, 0].tolist(), strict=True)
    found = Counter(pairs)
    assert {pair: int(both.counts[0][pair]) for pair in found} == found


def test_batches_are_as_large_as_there_is_room_and_change_nothing(monkeypatch: pytest.MonkeyPatch):
    whole = played(Dice(), Dice(dice=1), 3, 5, 400)
    for room in (1, 28, 1_000):
        monkeypatch.setattr("cardhouse.lab.statistics.histogram.AT_HAND", room)
        in_parts = played(Dice(), Dice(dice=1), 3, 5, 400)
        assert all(np.array_equal(*both) for both in zip(whole.counts, in_parts.counts, strict=True))


def test_what_is_more_than_a_measure_tells_apart_counts_as_its_last_value():
    tally = played(Dice(dice=10), None, 0, 0, 300)
    sixes = np.minimum([row[1] for row in Dice(dice=10).rows(0, 0, 300)], 2)
    assert tally.counts[1].tolist() == np.bincount(sixes, minlength=3).tolist()


@pytest.mark.parametrize("confidence", [0.8, 0.95])
@pytest.mark.soak
def test_intervals_cover_the_true_number_as_stated(confidence: float):
    """400 small studies, of which so many miss the exact number as chance would have it (5 standard errors)."""
    missed = {"high": 0, "mean": 0}
    exact = Dice().exact()
    for seed in range(400):
        found = only(ask(study_of(Dice(), trials=60, seed=seed, confidence=confidence), workers=1)).found
        for one in found:
            if one.finding.key in missed:
                assert one.estimate.low is not None
                assert one.estimate.high is not None
                missed[one.finding.key] += not one.estimate.low <= exact[one.finding.key] <= one.estimate.high
    for count in missed.values():
        assert abs(count - 400 * (1 - confidence)) < 5 * sqrt(400 * confidence * (1 - confidence))


def skewed(rng: np.random.Generator, many: int) -> np.ndarray:
    """Values as weeks of recovery fall: 12 in the mean, every sixth above 24."""
    return np.minimum(rng.geometric(1 / 13, many) - 1, 79)


@pytest.mark.parametrize("few", [2, 4, 8, 24, 100])
@pytest.mark.soak
def test_intervals_of_few_cover_the_mean_nearly_as_stated(few: int):
    """At least 0.88 of 1,000 times for 0.95, of values that trail off far to one side."""
    rng = np.random.default_rng(few)
    true = skewed(np.random.default_rng(0), 4_000_000).mean()
    finding, held = mean("x", "x", "total"), 0
    for _ in range(1_000):
        found = estimate(finding, np.bincount(skewed(rng, few), minlength=80), 0.95)
        assert found.low is not None
        assert found.high is not None
        assert found.low >= 0
        held += found.low <= true <= found.high
    assert held >= 880 if few < 24 else held >= 930


@pytest.mark.parametrize("few", [2, 4, 8, 24])
@pytest.mark.soak
def test_intervals_of_few_cover_the_difference_of_means(few: int):
    rng, finding, held = np.random.default_rng(few), mean("x", "x", "total"), 0
    for _ in range(500):
        here = skewed(rng, few)
        there = np.minimum(here + rng.integers(0, 4, few), 79)
        joint = np.zeros((80, 80), np.int64)
        np.add.at(joint, (here, there), 1)
        found = difference(finding, joint, 0.95)
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 1.5 <= found.high
    assert held >= 460


@pytest.mark.parametrize("many", [2, 1_000])
def test_means_of_values_that_are_all_the_same_are_not_taken_for_certainty(many: int):
    found = estimate(mean("x", "x", "total"), np.array([0, 0, 0, many, 0]), 0.95)
    assert found.low is not None
    assert found.high is not None
    assert found.low < 3 < found.high
    assert (found.error or 0) < 40 / many
    same = difference(mean("x", "x", "total"), np.diag([0, 0, 0, many, 0]), 0.95)
    assert same.value == 0
    assert 0 < (same.error or 0) < 40 / many


def test_students_quantiles_are_those_of_the_tables():
    known = {1: 12.706, 2: 4.303, 3: 3.182, 10: 2.228, 23: 2.069, 99: 1.984, 100: 1.984, 1_000: 1.962}
    assert {freedom: round(t_quantile(0.95, freedom), 3) for freedom in known} == known
    assert t_quantile(0.99, 10**9) == pytest.approx(z_quantile(0.99))


def test_an_event_that_never_happened_has_an_interval():
    found = estimate(share("x", "x", "total", 5), np.array([1000, 0, 0, 0, 0, 0]), 0.95)
    assert (found.value, found.low) == (0, 0)
    assert found.high is not None
    assert COUNTED * (1 - found.high) ** 1000 == pytest.approx(0.025)  # a larger one would be seen so often


def test_no_trials_give_no_number_and_one_gives_no_interval():
    assert estimate(mean("x", "x", "total", given_least=3), np.array([5, 5]), 0.95).value is None
    one = estimate(mean("x", "x", "total"), np.array([0, 1]), 0.95)
    assert (one.value, one.low, one.error) == (1, None, None)


def test_a_difference_on_the_same_cards_is_that_of_the_pairs():
    rng = np.random.default_rng(1)
    here = rng.integers(0, 6, 5_000)
    there = np.clip(here + rng.integers(-1, 2, 5_000), 0, 7)
    joint = np.zeros((6, 8), np.int64)
    np.add.at(joint, (here, there), 1)
    found = difference(mean("x", "x", "total"), joint, 0.95)
    pairs = there - here
    assert found.value == pytest.approx(pairs.mean())
    assert found.error == pytest.approx(1.959964 * pairs.std() / sqrt(5_000), rel=0.01)
    shares = difference(share("x", "x", "total", 3), joint, 0.95)
    pairs = (there >= 3).astype(int) - (here >= 3)
    assert shares.value == pytest.approx(pairs.mean())
    assert shares.error == pytest.approx(1.959964 * pairs.std() / sqrt(5_000), rel=0.01)


def test_no_difference_seen_is_not_taken_for_certainty():
    found = difference(share("x", "x", "total", 1), np.array([[50, 0], [0, 50]]), 0.95)
    assert found.value == 0
    assert found.error is not None
    assert 0.5 * (1 - found.error) ** 100 == pytest.approx(0.025)  # the mid-p end of what none of 100 pairs did


def test_a_difference_of_conditional_means_is_that_of_both_means():
    joint = np.array([[0, 4, 2], [3, 0, 1], [5, 1, 4]])
    finding = mean("x", "x", "total", given_least=1)
    here, there = joint.sum(axis=1), joint.sum(axis=0)
    one, other = (here[1] + 2 * here[2]) / here[1:].sum(), (there[1] + 2 * there[2]) / there[1:].sum()
    found = difference(finding, joint, 0.95)
    assert found.value == pytest.approx(other - one)
    assert found.trials == 4 + 2 + 3 + 0 + 1 + 5 + 1 + 4, "a trial that is about neither doesn't count"


def test_a_difference_of_conditional_shares_counts_only_the_trials_it_is_about():
    """A million trials of which it is not say nothing about it."""
    finding = share("x", "x", "total", 2, given_least=1)
    about = np.array([[0, 2, 0], [1, 20, 3], [0, 1, 5]])
    alone, among = difference(finding, about, 0.95), about.copy()
    among[0, 0] = 1_000_000
    assert difference(finding, among, 0.95) == alone
    assert alone.trials == 32


@pytest.mark.parametrize("least", [0, 1])
def test_no_difference_seen_of_few_is_not_taken_for_certainty(least: int):
    """Of ten trials that it is about, as of ten trials, however many more there are."""
    joint = np.diag([990 * least, 5, 5])
    found = difference(share("x", "x", "total", 2, given_least=least), joint, 0.95)
    assert (found.value, found.trials) == (0, 10)
    assert found.error is not None
    assert 0.5 * (1 - found.error) ** 10 == pytest.approx(0.025)


def test_where_it_is_about_other_trials_here_and_there_each_counts_for_itself():
    joint = np.array([[970, 0, 20], [10, 0, 0], [0, 0, 0]])
    found = difference(share("x", "x", "total", 2, given_least=1), joint, 0.95)
    assert (found.value, found.trials) == (1, 30)
    # None of 10 here, all of 20 there: one of 12, and 21 of 22, with two added to each (Agresti and Caffo).
    assert found.low == pytest.approx(21 / 22 - 1 / 12 - 1.96 * sqrt(11 / 12**3 + 21 / 22**3), rel=1e-3)
    assert found.high == 1


def test_both_variants_are_played_on_the_same_cards():
    answer = only(ask(Study(cells=(Cell(Dice(), Dice(luck="better")),), trials=2_000), workers=1))
    high = next(one for one in answer.found if one.finding.key == "high")
    assert high.versus is not None
    assert high.more is not None
    assert high.more.error is not None
    assert high.versus.error is not None
    assert high.more.error < 0.8 * (high.estimate.error or 0) + 0.8 * high.versus.error
    apart = only(ask(study_of(Dice(luck="better")), workers=1))
    assert apart.found[0].estimate == high.versus


# As many as it takes.


def test_until_it_is_known_well_enough():
    answer = only(ask(study_of(Dice(), trials=200_000, until=0.005, confidence=0.9), workers=2))
    errors = [one.estimate.error for one in answer.found if one.finding.kind == "share"]
    assert max(error for error in errors if error is not None) <= 0.005
    assert 20_000 < answer.trials < 40_000  # a share of a half takes 27,000
    again = only(ask(study_of(Dice(), trials=200_000, until=0.005, confidence=0.9), workers=1))
    assert again == answer


def test_a_share_without_trials_does_not_end_the_run():
    """Here no roll before the 25,000th is one that the finding is about."""

    class Sure(Dice, frozen=True, kw_only=True):
        def findings(self):
            return [share("all", "all of them, of the best", "total", 42, given_least=42)]

        def run(self, seed, first, out, log):
            out[:, 0] = 7
            out[max(0, 25_000 - first) :, 0] = 42

        def exact(self):
            return {}

    study = study_of(Sure(dice=7), trials=100_000, until=0.1)
    answer = only(ask(study, workers=1))
    assert answer.trials > 25_000
    assert answer.found[0].estimate.error is not None
    never = study_of(Sure(dice=7), trials=20_000, until=0.1)
    assert only(ask(never, workers=1)).trials == 20_000


def test_until_it_has_gone_on_long_enough():
    assert only(ask(study_of(Dice(), trials=12_345, until=0.0001), workers=1)).trials == 12_345


# Stopped, and going on.


@pytest.fixture(autouse=True)
def _may_be_interrupted() -> Iterator[None]:
    """Ctrl-C is heard, which a shell has its programs in the background ignore."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def stop_after(trials: int):
    return lambda progress: signal.raise_signal(signal.SIGINT) if progress.done >= trials else None


def test_stopped_it_has_what_was_played_and_goes_on_from_there(tmp_path: Path):
    study, kept = study_of(Dice(), Dice(dice=3), trials=5_000), CheckpointStore(tmp_path / "kept")
    whole = ask(study, workers=1)
    stopped = ask(study, workers=1, kept=kept, tell=stop_after(6_500))
    assert stopped.stopped
    assert [answer.trials for answer in stopped.answers] == [5_000, 1_500]
    assert len(list((tmp_path / "kept").iterdir())) == 2
    heard: list[Progress] = []
    gone_on = ask(study, workers=2, kept=kept, tell=heard.append)
    assert heard[0].done == 5_000  # the first was whole
    assert heard[1].done == 5_000 + 1_500 + 500
    assert gone_on.answers == whole.answers
    assert not list((tmp_path / "kept").iterdir())


@pytest.mark.soak
def test_with_a_stop_rule_stopped_and_gone_on_with_is_the_same_to_the_bit(tmp_path: Path):
    """Wherever it is stopped: it looks again where it would have looked, not where it happened to be stopped."""
    study = study_of(Dice(), Dice(dice=3), trials=200_000, until=0.008)
    whole = ask(study, workers=1)
    assert whole.answers[0].trials > 10_000
    for trials in (500, 9_000, 10_500, 11_500):
        kept = CheckpointStore(tmp_path / str(trials))
        assert ask(study, workers=1, kept=kept, tell=stop_after(trials)).stopped
        assert ask(study, workers=1, kept=kept).answers == whole.answers


def test_another_stop_rule_goes_on_from_nothing(tmp_path: Path):
    """Where it would have looked is another place."""
    kept = CheckpointStore(tmp_path)
    ask(study_of(Dice(), trials=50_000, until=0.005), workers=1, kept=kept, tell=stop_after(11_000))
    for other in (study_of(Dice(), trials=50_000, until=0.02), study_of(Dice(), trials=11_200, until=0.005)):
        assert ask(other, workers=1, kept=kept).answers == ask(other, workers=1).answers


@pytest.mark.parametrize("trials", [2_200, 4_000])
def test_another_number_of_trials_goes_on_from_those_there_are(tmp_path: Path, trials: int):
    kept, heard = CheckpointStore(tmp_path), list[Progress]()
    ask(study_of(Dice(), trials=3_000), workers=1, kept=kept, tell=stop_after(2_000))
    result = ask(study_of(Dice(), trials=trials), workers=1, kept=kept, tell=heard.append)
    assert heard[0].done == min(trials, 2_500)
    assert result.answers == ask(study_of(Dice(), trials=trials), workers=1).answers


def test_halting_is_stopping(tmp_path: Path):
    result = ask(study_of(Dice()), workers=1, halt=lambda: True)
    assert (result.stopped, only(result).trials) == (True, 500)


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 no archive", b"\x93NUMPY"])
def test_unreadable_checkpoints_are_played_again(tmp_path: Path, damage: bytes):
    study, kept = study_of(Dice()), CheckpointStore(tmp_path)
    ask(study, workers=1, kept=kept, tell=stop_after(1_000))
    (file,) = tmp_path.iterdir()
    file.write_bytes(damage)
    assert ask(study, workers=1, kept=kept).answers == ask(study, workers=1).answers


def test_kept_counts_are_those_of_the_same_question_only(tmp_path: Path):
    kept = CheckpointStore(tmp_path)
    ask(study_of(Dice()), workers=1, kept=kept, tell=stop_after(1_000))
    heard: list[Progress] = []
    for other in (study_of(Dice(sides=8)), study_of(Dice(), seed=1)):
        ask(other, workers=1, kept=kept, tell=heard.append)
        assert heard.pop(0).done == 500
        heard.clear()


def test_without_a_cache_a_run_starts_over(tmp_path: Path):
    (tmp_path / "kept").write_text("a file, not a folder")
    result = ask(study_of(Dice()), workers=1, kept=CheckpointStore(tmp_path / "kept"), tell=stop_after(1_000))
    assert only(result).trials == 1_000


def test_slow_exact_results_are_cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    kept = CheckpointStore(tmp_path)
    assert kept.exact(Dice()) == Dice().exact()
    assert not list(tmp_path.iterdir())  # which took no time
    monkeypatch.setattr("cardhouse.lab.running.checkpoint.WORTH_KEEPING", 0.0)
    found = kept.exact(Dice())
    (file,) = tmp_path.iterdir()
    monkeypatch.setattr(Dice, "exact", lambda self: {"high": 2.0})
    assert kept.exact(Dice()) == found
    assert kept.exact(Dice(dice=1)) == {"high": 2.0}
    file.write_bytes(b"{")
    assert kept.exact(Dice()) == {"high": 2.0}


def test_unused_cache_entries_are_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("cardhouse.lab.running.checkpoint.WORTH_KEEPING", 0.0)
    kept = CheckpointStore(tmp_path)
    for dice in (1, 2):
        kept.exact(Dice(dice=dice))
    (tmp_path / "of-an-older-version").mkdir()
    (tmp_path / "of-an-older-version" / "code").write_text("...")
    for file in tmp_path.iterdir():
        os.utime(file, (0, 0))
    kept.exact(Dice(dice=2))  # from before: so this one is of use
    (used,) = (file for file in tmp_path.iterdir() if file.stat().st_mtime > 0)
    kept.exact(Dice(dice=3))
    left = set(tmp_path.iterdir())
    assert used in left
    assert len(left) == 2


# What can't be asked.


@pytest.mark.parametrize(
    ("study", "said"),
    [
        (study_of(Dice(dice=-1)), "dice: dice must be a whole number from 1."),
        (study_of(Dice(sides=2, loaded=True)), "A loaded coin has one side only."),
        (study_of(trials=5), "These are 0 combinations of settings; at most 1,000 are allowed."),
        (study_of(*[Dice()] * 1_001), "These are 1,001 combinations of settings; at most 1,000 are allowed."),
        (study_of(Dice(), trials=0), f"trials takes 1 to {MOST_TRIALS:,}, not 0."),
        (study_of(Dice(), seed=-1), f"seed takes a whole number from 0 to {(1 << 63) - 1}, not -1."),
        (study_of(Dice(), confidence=1), "confidence takes 50 to 99.99 percent, not 100."),
        (study_of(Dice(), until=0), "until takes 0.001% to 50%, not 0%."),
    ],
)
def test_a_study_that_makes_no_sense_is_refused_before_anything_is_played(study: Study, said: str):
    with pytest.raises(CardhouseError) as error:
        ask(study, workers=1)
    assert error.value.message == said

"""The intervals themselves: coverage calculated for every possible small count, and general properties."""

from itertools import combinations, pairwise
from math import comb, factorial, inf, prod, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardhouse.lab.questions.question import Finding, mean, share
from cardhouse.lab.statistics.estimate import COUNTED, Estimate, difference, estimate
from cardhouse.lab.statistics.quantiles import (
    EXPANDED_FROM,
    binomial_upper_limit,
    proportion_interval,
    t_quantile,
    z_quantile,
)

HIGH = share("high", "high", "m", 3)
ANY, MEAN = share("any", "any", "m", 1), mean("mean", "mean", "m")
FINDINGS = [
    HIGH,
    share("of some", "of some", "m", 3, given_least=2),
    mean("mean", "mean", "m", scale=0.5, zero=2),
    mean("of some", "of some", "m", given_least=1, given_most=4),
]
CONFIDENCES = (0.5, 0.8, 0.95, 0.999, 0.9999)


def pairs(seed: int, trials: int, alike: float = 0.5) -> np.ndarray:
    """So many pairs of values from 0 to 5, lopsided, a part of them the same here and there."""
    rng = np.random.default_rng(seed)
    here = np.minimum(rng.geometric(0.4, trials) - 1, 5)
    there = np.where(rng.random(trials) < alike, here, np.minimum(rng.geometric(0.3, trials) - 1, 5))
    joint = np.zeros((6, 6), np.int64)
    np.add.at(joint, (here, there), 1)
    return joint


def differing(fewer: int, more: int, trials: int) -> np.ndarray:
    """So many pairs: one here and none there, none here and one there, the others the same."""
    joint = np.zeros((2, 2), np.int64)
    joint[1, 0], joint[0, 1], joint[0, 0] = fewer, more, trials - fewer - more
    return joint


def ends(one: Estimate) -> tuple[float, float]:
    assert one.low is not None
    assert one.high is not None
    return one.low, one.high


def error(one: Estimate) -> float:
    assert one.error is not None
    return one.error


def spans(finding: Finding) -> list[tuple[float, float]]:
    """What the number and the difference can be."""
    if finding.kind == "share":
        return [(0, 1), (-1, 1)]
    if finding.given_most is None:
        return [((finding.given_least - finding.zero) * finding.scale, inf), (-inf, inf)]
    return [(finding.given_least, finding.given_most), (finding.given_least - finding.given_most, 3)]


def all_intervals(finding: Finding, joint: np.ndarray, confidence: float) -> list[Estimate]:
    return [estimate(finding, joint.sum(axis=1), confidence), difference(finding, joint, confidence)]


# Counted out


@pytest.mark.parametrize("trials", [1, 2, 5, 10, 24, 50, 130])
@pytest.mark.parametrize("confidence", [0.95, 0.99, 0.999])
def test_intervals_of_every_share_cover_as_stated(trials: int, confidence: float):
    """The binomial law added up: of any share nearly as many hold, and 1.4 times as many miss at worst."""
    found = [ends(estimate(HIGH, np.array([trials - seen, 0, 0, seen]), confidence)) for seen in range(trials + 1)]
    shares = np.linspace(0.001, 0.999, 999)
    held = np.zeros(len(shares))
    for seen, (low, high) in enumerate(found):
        often = comb(trials, seen) * shares**seen * (1 - shares) ** (trials - seen)
        held += often * ((low <= shares) & (shares <= high))
    assert held.min() >= 1 - 1.4 * (1 - confidence)


@pytest.mark.parametrize("trials", [3, 10, 24])
@pytest.mark.parametrize(
    ("finding", "confidence", "worst"),
    [(ANY, 0.95, 1.3), (ANY, 0.99, 2.0), (ANY, 0.999, 5.0), (MEAN, 0.95, 1.0), (MEAN, 0.99, 1.0)],
    ids=lambda of: getattr(of, "kind", None),
)
def test_intervals_of_pairs_cover_for_every_two_chances_to_differ(
    finding: Finding, trials: int, confidence: float, worst: float
):
    """The trinomial law added up: of pairs that came up here only, and there only, with any two chances."""
    seen = [(fewer, more) for fewer in range(trials + 1) for more in range(trials + 1 - fewer)]
    low, high = np.array([ends(difference(finding, differing(*two, trials), confidence)) for two in seen]).T
    ways = np.array([comb(trials, fewer) * comb(trials - fewer, more) for fewer, more in seen], float)
    fewer, more = np.array(seen).T
    chances = (0.0005, 0.005, 0.02, 0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8)
    for one in chances:
        for other in chances:
            if one + other < 1:
                often = ways * one**fewer * other**more * (1 - one - other) ** (trials - fewer - more)
                held = often[(low <= other - one + 1e-12) & (other - one <= high + 1e-12)].sum()
                assert held >= 1 - worst * (1 - confidence), (one, other)


@pytest.mark.parametrize(("confidence", "worst"), [(0.95, 2.0), (0.99, 2.5), (0.999, 5.0)])
def test_of_shares_of_some_intervals_of_differences_hold_nearly_as_often(confidence: float, worst: float):
    """All that can come of six pairs, each of which may be about here or there only: the fewest that is asked of."""
    trials, finding = 6, share("of some", "of some", "m", 2, given_least=1)
    cuts = [(-1, *places, trials + 8) for places in combinations(range(trials + 8), 8)]
    seen = np.diff(np.array(cuts)) - 1
    found = [difference(finding, many.reshape(3, 3), confidence) for many in seen]
    told = np.array([one.value is not None for one in found])
    low, high = np.array([ends(one) for one in found if one.value is not None]).T
    often = np.array([factorial(trials) / prod(map(factorial, many)) for many in seen[told].tolist()])
    rng = np.random.default_rng(0)
    for spread in np.repeat((0.2, 0.5, 1.0, 3.0), 40):
        chances = rng.dirichlet(np.full(9, spread)) + 1e-9
        here, there = chances.reshape(3, 3).sum(axis=1), chances.reshape(3, 3).sum(axis=0)
        true = there[2] / there[1:].sum() - here[2] / here[1:].sum()
        weighed = often * np.prod(chances ** seen[told], axis=1)
        held = weighed[(low <= true + 1e-12) & (true <= high + 1e-12)].sum() / weighed.sum()
        assert weighed.sum() < 0.6 or held >= 1 - worst * (1 - confidence), chances


@pytest.mark.parametrize("confidence", CONFIDENCES)
def test_ends_of_intervals_are_as_rare_as_stated(confidence: float):
    for seen, trials in ((0, 1), (0, 1_000_000), (1, 24), (7, 7), (30, 31), (50, 1_000), (980, 1_000)):
        end = binomial_upper_limit(confidence, seen, trials, COUNTED)
        if seen < trials and trials <= 1_000:
            ways = [comb(trials, number) * end**number * (1 - end) ** (trials - number) for number in range(seen + 1)]
            assert sum(ways[:-1]) + COUNTED * ways[-1] == pytest.approx((1 - confidence) / 2, rel=1e-3)
        assert seen / trials < end <= 1 or seen == trials


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize("trials", [120, 10_000, 10_000_000])
def test_ends_of_shares_go_on_smoothly_where_they_are_expanded(confidence: float, trials: int):
    ends = [
        binomial_upper_limit(confidence, seen, trials, COUNTED) for seen in range(EXPANDED_FROM - 2, EXPANDED_FROM + 4)
    ]
    steps = [trials * (after - before) for before, after in pairwise(ends)]
    arm = trials * ends[0] - EXPANDED_FROM + 2
    assert all(abs(step - steps[0]) < 0.01 * arm for step in steps)
    low, high = proportion_interval(confidence, trials // 2, trials, COUNTED)
    assert high - low == pytest.approx(z_quantile(confidence) / sqrt(trials), rel=0.06)


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize("trials", [24, 40.5, 1_000, 1_000_000])
def test_ends_of_counts_that_are_not_whole_lie_between_those_that_are(confidence: float, trials: float):
    """Of four counts from a whole one to the next each end is further out than the one before, by about as much."""
    for whole in range(8):
        ends = [binomial_upper_limit(confidence, whole + part / 4, trials, 0.5) for part in range(5)]
        steps = [after - before for before, after in pairwise(ends)]
        assert min(steps) > 0
        assert max(steps) < 2 * min(steps)


# What holds of all


@given(
    st.sampled_from(FINDINGS),
    st.lists(st.sampled_from([0, 0, 0, 1, 2, 7, 90, 10_000, 10**9]), min_size=36, max_size=36),
)
def test_whatever_was_counted_intervals_hold_the_estimate_and_grow_with_confidence(finding: Finding, counts: list[int]):
    """None, all the same, hardly any or very many: no end is missing where the other is, and none is no number."""
    joint = np.array(counts).reshape(6, 6)
    found = [all_intervals(finding, joint, confidence) for confidence in (0.5, 0.95, 0.9999)]
    for narrow, middle, wide in zip(*found, strict=True):
        if middle.value is not None and middle.low is not None:
            (low, high), (lower, higher) = ends(middle), ends(wide)
            assert lower <= low <= ends(narrow)[0] <= middle.value <= ends(narrow)[1] <= high <= higher


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda finding: f"{finding.kind} {finding.key}")
@pytest.mark.parametrize("trials", [2, 3, 7, 24, 100, 2_000])
def test_intervals_hold_the_estimate_lie_within_bounds_and_grow_with_confidence(finding: Finding, trials: int):
    for seed in range(12):
        joint = pairs(seed, trials, alike=(0.0, 0.5, 0.95)[seed % 3])
        before: list[Estimate] = []
        for confidence in CONFIDENCES:
            found = all_intervals(finding, joint, confidence)
            for one, span in zip(found, spans(finding), strict=True):
                if one.value is not None and one.low is not None:
                    low, high = ends(one)
                    assert low <= one.value <= high
                    assert low < high
                    assert span[0] <= low
                    assert high <= span[1]
            for narrow, wide in zip(before, found, strict=False):
                if narrow.low is not None:
                    (low, high), (lower, higher) = ends(narrow), ends(wide)
                    assert lower <= low
                    assert high <= higher
            before = found


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda finding: f"{finding.kind} {finding.key}")
def test_seen_from_the_other_side_a_difference_is_the_same_the_other_way_round(finding: Finding):
    for seed in range(12):
        joint = pairs(seed, 5 + 10 * seed)
        one, other = difference(finding, joint, 0.95), difference(finding, joint.T, 0.95)
        assert one.trials == other.trials
        if one.value is not None and other.value is not None:
            assert one.value == pytest.approx(-other.value)
        if one.low is not None:
            low, high = ends(other)
            assert ends(one) == pytest.approx((-high, -low))


def test_a_share_and_that_of_the_others_have_intervals_that_are_each_others_mirror():
    low = share("low", "low", "m", 0, 2)
    for seed in range(10):
        counts = pairs(seed, 10 + 40 * seed).sum(axis=1)
        one, other = estimate(HIGH, counts, 0.95), estimate(low, counts, 0.95)
        low_end, high_end = ends(other)
        assert ends(one) == pytest.approx((1 - high_end, 1 - low_end))


def test_pairs_that_differed_in_nothing_may_differ_by_as_much_as_values_do():
    """Of 100 pairs none differed: 3 of 100 may, by two standard deviations; and by less where values are more alike."""
    finding = mean("mean", "mean", "m")
    wide, narrow = (difference(finding, np.diag([50, *[0] * between, 50]), 0.95) for between in (9, 1))
    assert error(wide) == pytest.approx(0.03 * 2 * 5, rel=0.1)
    assert error(narrow) == pytest.approx(error(wide) / 5, rel=0.01)


def test_what_was_not_seen_is_reckoned_with_on_the_side_to_which_values_trail_off():
    """Values that trail off to neither side have Student's interval; others a longer arm to their side."""
    finding = mean("mean", "mean", "m")
    even = estimate(finding, np.array([0, 0, 10, 40, 60, 40, 10]), 0.95)
    deviation = sqrt((2 * 10 * 4 + 2 * 40) / 159)
    assert error(even) == pytest.approx(t_quantile(0.95, 158) * deviation / sqrt(160), rel=0.03)
    low, high = ends(trailing := estimate(finding, np.array([80, 40, 20, 10, 6, 3, 1]), 0.95))
    assert trailing.value is not None
    assert high - trailing.value > 1.1 * (trailing.value - low)


def test_means_of_some_differ_no_more_surely_than_those_of_strangers():
    """Few trials are about one side only: they say little, but no less than two studies of the same size would."""
    finding = mean("mean", "mean", "m", given_least=1)
    joint = pairs(3, 40)
    numbers = [estimate(finding, joint.sum(axis=axis), 0.95) for axis in (1, 0)]
    found = difference(finding, joint, 0.95)
    assert error(found) < sqrt(sum(error(one) ** 2 for one in numbers)) + 1e-9


def test_where_all_of_one_side_were_the_same_a_difference_is_one_of_strangers():
    """Six of one value here tell nothing of how far they lie apart, nor do forty of several there."""
    finding = mean("mean", "mean", "m", given_least=1)
    joint = np.array([[0, 25, 15], [6, 0, 0], [0, 0, 0]])
    one, other = (estimate(finding, joint.sum(axis=axis), 0.95) for axis in (1, 0))
    found = difference(finding, joint, 0.95)
    assert (one.value, other.value, found.value) == (1, 11 / 8, 3 / 8)
    assert 3 / 8 - ends(found)[0] == pytest.approx(sqrt((11 / 8 - ends(other)[0]) ** 2 + (ends(one)[1] - 1) ** 2))


def test_no_unseen_value_is_reckoned_with_beyond_the_least_possible():
    """The same values lie nearer to the lower end of what may be, so a mean may be less by less."""
    counts = np.array([0, 0, 0, 0, 0, 9, 6, 3, 1, 1])
    near, far = (
        estimate(mean("mean", "mean", "m", given_least=least, given_most=20), counts, 0.95) for least in (5, 0)
    )
    assert near.value == far.value
    assert near.high == far.high
    assert near.low is not None
    assert far.low is not None
    assert near.low > far.low

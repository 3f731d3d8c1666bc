"""Each headline agrees with its numbers and their intervals, whatever was counted."""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest

from cardhouse.cli import main
from cardhouse.lab.questions.answer import ORDINALS, Values, ordinal
from cardhouse.lab.questions.cell import Cell
from cardhouse.lab.questions.question import Question, games_with_questions, questions_of
from cardhouse.lab.reports.answers import tale_of, values_of
from cardhouse.lab.reports.summary import headline
from cardhouse.lab.running.leaders import number_of
from cardhouse.lab.running.study import Answer, Found, Result, Study, ask, found_in
from cardhouse.lab.search.variations import variations
from cardhouse.lab.statistics.histogram import no_trials
from cardhouse.lab.words.labels import findings_of
from tests.lab.dice import Dice
from tests.thorough import THOROUGH, in_soak, many

QUESTIONS: dict[str, type[Question]] = {
    "dice": Dice,
    **{f"{game} {name}": one for game in games_with_questions() for name, one in questions_of(game).items()},
}
CHANGE = re.compile(
    r"“([^”]+)” (rises|falls)(?: in (\d+) of \d+ combinations?, most clearly)? from (\S+) (.*?)to (\S+)"
)
SATURATED = 0.05
LARGE = 300
"""Pairs of so many values take long to count: only the second tier does."""
MOST = 12
"""The values counted: a line-up has no more places, and half a career no more fights."""
SURELY = 4
"""A change of so many half-widths is one, whatever else was looked at."""


# Random counts, which no rule restrains.


def column(rng: np.random.Generator, trials: int, size: int) -> np.ndarray:
    """Values of a measure: one nearly always, or a few, or any."""
    values = rng.integers(0, min(size, MOST), rng.integers(1, 6))
    weights = rng.dirichlet(np.full(len(values), rng.choice([0.1, 1.0, 20.0])))
    return rng.choice(values, trials, p=weights)


def beside(rng: np.random.Generator, here: np.ndarray, size: int) -> np.ndarray:
    """The same trials with another variant, of which part come out the same."""
    other = column(rng, len(here), size)
    return np.where(rng.random(len(here)) < rng.choice([0.0, 0.5, 0.98, 1.0]), here, other)


def counted(question: Question, trials: int, seed: int, *, versus: Question | None = None, **label: str) -> Answer:
    """An answer that rests on random counts."""
    rng = np.random.default_rng(seed)
    sizes = [measure.size for measure in question.measures()]
    columns = [column(rng, trials, size) for size in sizes]
    rows = [np.stack(columns, axis=1).astype(np.int16)]
    if versus is not None:
        there = [beside(rng, values, size) for values, size in zip(columns, sizes, strict=True)]
        rows.append(np.stack(there, axis=1).astype(np.int16))
    cell = Cell(question, versus, label)
    tally = no_trials(question, versus).with_rows(*rows)
    return Answer(cell, trials, tuple(found_in(cell, tally, 0.95)), {})


def result_of(*answers: Answer) -> Result:
    study = Study(cells=tuple(answer.cell for answer in answers), trials=answers[0].trials)
    return Result(study, answers, 0.0, 0.0, 1)


# What a sentence claims, from its text alone.


def number(text: str) -> float:
    """A number as players read it."""
    text = text.strip(".,)").replace(",", "")
    return float(text.removesuffix("%"))


def is_saturated(values: Sequence[float | None], found: Found) -> bool:
    known = [value for value in values if value is not None]
    return found.finding.kind == "share" and (max(known) < SATURATED or min(known) > 1 - SATURATED)


def sides(result: Result, key: str) -> list[Found]:
    return [one for answer in result.answers for one in answer.found if one.finding.key == key]


def clear_changes(result: Result, key: str) -> set[str]:
    """The ways in which a finding changes, as its intervals tell: between variants, or any two combinations."""
    those = sides(result, key)
    if result.answers[0].cell.versus is not None:
        lows = [(one.more.low, one.more.high) for one in those if one.more is not None]
        ways = {"rises" for low, _ in lows if low is not None and low > 0}
        return ways | {"falls" for _, high in lows if high is not None and high < 0}
    numbers = [each for one in those if (each := number_of(one)).low is not None]
    pairs = [(here, there) for place, here in enumerate(numbers) for there in numbers[place + 1 :]]
    ways = {"rises" for here, there in pairs if (here.high or 0) < (there.low or 0)}
    return ways | {"falls" for here, there in pairs if (there.high or 0) < (here.low or 0)}


def moves_surely(result: Result, one: Found) -> bool:
    """Whether a finding that isn't saturated changes beyond all doubt."""
    those = sides(result, one.finding.key)
    if len(those) < len(result.answers) or one.finding.aside:
        return False
    values = [each for found in those for each in (number_of(found).value, found.versus and found.versus.value)]
    if result.answers[0].cell.versus is None:
        values = [number_of(found).value for found in those]
    if None in values or is_saturated(values, one):  # type: ignore[arg-type]
        return False
    if result.answers[0].cell.versus is not None:
        return any(abs(each.more.value or 0) > SURELY * (each.more.error or 1e9) for each in those if each.more)
    errors = sum(found.estimate.error or 1e9 for found in those)
    return max(values) - min(values) > SURELY * errors  # type: ignore[type-var, operator]


def check_change(result: Result) -> None:
    """Check the sentence of a comparison or a sweep."""
    tale = tale_of(result)
    if tale is None:
        return
    by_text = {one.finding.text.lower(): one for answer in result.answers for one in answer.found}
    by_text |= {one.text.lower(): found for found in by_text.values() for one in [found.finding.cut_off()]}
    by_key = {found.finding.key: found for found in by_text.values()}
    by_text |= {one.text.lower(): by_key[one.key] for one in findings_of(result.answers)}
    for told in re.split(r"(?<=\.) (?=[“A-Z])", f"{tale.sentence} {tale.line}"):
        for text, way, _, here, _, there in CHANGE.findall(told):
            assert here != there.rstrip("."), told
            plain = [number(side) for side in (here, there) if side not in ("under", "over")]
            if len(plain) == 2:
                assert (plain[1] > plain[0]) == (way == "rises"), told
            assert way in clear_changes(result, by_text[text.lower()].finding.key), told
    lead = CHANGE.search(tale.sentence)
    if lead is None:
        assert re.match(r"No clear difference|.* makes no clear difference", tale.sentence), tale.sentence
    surely = [one for one in result.answers[0].found if moves_surely(result, one)]
    if surely:
        assert lead is not None, (tale.sentence, surely[0].finding.key)
        led = by_text[lead[1].lower()]
        values = [
            each
            for one in sides(result, led.finding.key)
            for each in (number_of(one).value, one.versus and one.versus.value)
        ]
        if result.answers[0].cell.versus is None:
            values = [number_of(one).value for one in sides(result, led.finding.key)]
        assert not is_saturated(values, led), tale.sentence  # type: ignore[arg-type]
    head = headline(result)
    assert head is None or not re.search(r": (\S+) with .+, \1 with ", head.text) or lead is None, head


def place_of(word: str) -> int:
    return ORDINALS.index(word) + 1 if word in ORDINALS else int(re.sub(r"\D", "", word))


def over(values: Values, *keys: str) -> bool:
    return sum(values.ends(key)[0] for key in keys) > 0.5


def under(values: Values, *keys: str) -> bool:
    return sum(values.ends(key)[1] for key in keys) < 0.5


def near(values: Values, *keys: str) -> bool:
    ends = [sum(values.ends(key)[end] for key in keys) for end in (0, 1)]
    return 0.45 <= ends[0] <= 0.5 <= ends[1] <= 0.55


def apart(values: Values, more: str, less: str) -> bool:
    return values.ends(more)[0] > values.ends(less)[1]


def most_often(values: Values, *words: str) -> bool:
    named = {f"place_{place_of(word)}" for word in words}
    others = [key for key in values if re.fullmatch(r"place_\d+", key) and key not in named]
    return all(max(values[key] for key in named) >= values.ends(key)[1] for key in others) or len(words) > 1


Claim = Callable[..., bool]
CLAIMS: Mapping[str, Claim] = {
    r"Most fights are undecided": lambda values: over(values, "undecided"),
    r"Your side wins most fights": lambda values: over(values, "won"),
    r"Their side wins most fights": lambda values: over(values, "lost"),
    r"Your side wins more often": lambda values: apart(values, "won", "lost"),
    r"Their side wins more often": lambda values: apart(values, "lost", "won"),
    r"The sides are about even": lambda values: not apart(values, "won", "lost") and not apart(values, "lost", "won"),
    r"Most are dead by the (\w+) hit": lambda values, hit: over(values, f"dead_by_{place_of(hit)}"),
    r"About half are dead by the (\w+) hit": lambda values, hit: near(values, f"dead_by_{place_of(hit)}"),
    r"Most outlive (\d+) hits?": lambda values, hits: under(values, f"dead_by_{hits}"),
    r"Too few fights to tell if most outlive (\d+)": lambda values, hits: (
        not over(values, f"dead_by_{hits}") and not under(values, f"dead_by_{hits}")
    ),
    r"Most careers end by the (\w+) fight": lambda values, fight: over(
        values, f"dead_by_{place_of(fight)}", f"retired_by_{place_of(fight)}"
    ),
    r"About half of all careers end by the (\w+) fight": lambda values, fight: near(
        values, f"dead_by_{place_of(fight)}", f"retired_by_{place_of(fight)}"
    ),
    r"Most careers outlast (\d+) fights?": lambda values, n: under(values, f"dead_by_{n}", f"retired_by_{n}"),
    r"Too few \w+ to tell": lambda values: True,
    r"It would take over 1,000,000 \w+ to tell": lambda values: True,
    r"The \S+ most often acts (\w+) \(": most_often,
    r"The \S+ most often acts (\w+) or (\w+) \(": most_often,
    r"Yes: it wins": lambda values: values.ends("wins")[0] >= 0.5,
    r"No: it wins": lambda values: values.ends("wins")[1] <= 0.4,
    r"No card is clearly harder to place than most": lambda values: True,
}
"""What sentences claim, by their beginning; the groups are what the claim is about."""


def check_single(answer: Answer) -> None:
    """Check the sentence about a single combination of settings."""
    tale = tale_of(result_of(answer))
    if tale is None:
        return
    claims = [(match, claim) for text, claim in CLAIMS.items() if (match := re.match(text, tale.sentence))]
    values = values_of(answer)
    for match, claim in claims:
        assert claim(values, *match.groups()), tale.sentence
    if not claims:
        assert not re.search(r"\b(most|half|more often|rises|falls)\b", tale.sentence, re.IGNORECASE), tale.sentence


@pytest.mark.parametrize("trials", [60, 1_000, *in_soak(100_000)])
@pytest.mark.parametrize("name", QUESTIONS)
def test_headlines_agree_with_random_counts(name: str, trials: int):
    question = QUESTIONS[name]()
    is_small = max(measure.size for measure in question.measures()) < LARGE
    for seed in range(many(20, 3) if trials < 100_000 else 3):
        check_single(counted(question, trials, seed))
        check_change(result_of(*(counted(question, trials, 100 * seed + n, case=str(n)) for n in range(3))))
        if is_small or THOROUGH in os.environ:
            check_change(result_of(counted(question, trials, seed, versus=question)))
            swept = (counted(question, trials, 100 * seed + n, versus=question, case=str(n)) for n in range(2))
            check_change(result_of(*swept))


@pytest.mark.soak
@pytest.mark.parametrize("trials", [60, 1_000, 100_000])
@pytest.mark.parametrize("name", [name for name in QUESTIONS if name != "dice"])
def test_headlines_agree_with_random_studies(name: str, trials: int):
    """A random change of each question's usual settings, alone, as a variant, and as a combination."""
    usual = QUESTIONS[name]()
    if trials > (usual.usual_trials if usual.compiled else 60):
        pytest.skip("Without a kernel, or beyond its usual number, a question's trials take minutes.")
    found = variations(usual)
    for seed in range(3 if usual.compiled else 1):
        one = Random(f"{name} {trials} {seed}").choice(found)
        check_single(ask(Study(cells=(Cell(one.question),), trials=trials, seed=seed)).answers[0])
        swept = (Cell(usual, None, {one.setting: one.was}), Cell(one.question, None, {one.setting: one.becomes}))
        check_change(ask(Study(cells=swept, trials=trials, seed=seed)))
        here, there = ([measure.key for measure in each.measures()] for each in (usual, one.question))
        if here == there:
            check_change(ask(Study(cells=(Cell(*usual.paired_with(one.question)),), trials=trials, seed=seed)))


README = Path(__file__).parents[2] / "README.md"


def test_the_readme_promises_the_first_line_that_is_printed(capsys: pytest.CaptureFixture[str]):
    command, promise = re.findall(
        r"^    (cardhouse lab .*--vs .*)\n\n(.*?\.)\s", README.read_text("utf-8"), re.MULTILINE
    )[0]
    assert main([*command.split()[1:], "--trials", str(many(1_000_000, 20_000))]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    _, text, way, here, there = re.fullmatch(r"With (.+), “(.+)” (rises|falls) from (.+)% to (.+)%\.", first).groups()  # type: ignore[union-attr]
    assert (text, way) == ("dead by hit 3", "falls")
    said = re.fullmatch(r"With (.+), “dead by hit 3” falls from (\d+)% to (\d+)%\.", promise)
    assert said is not None, promise
    assert (float(said[2]), float(said[3])) == pytest.approx((float(here), float(there)), abs=many(0, 1))


def test_a_claim_that_its_interval_does_not_carry_is_found():
    """The checks themselves can fail."""
    half = Values({"won": 0.52, "lost": 0.48}, {"won": (0.39, 0.64), "lost": (0.36, 0.61)})
    assert not CLAIMS["Your side wins most fights"](half)
    assert not CLAIMS[r"Most are dead by the (\w+) hit"](Values({"dead_by_3": 0.5}), ordinal(3))
    assert [number(text) for text in ("93%.", "4", "1,000")] == [93, 4, 1000]
    assert CHANGE.findall("With jokers yes, “your side wins” falls from 93% to 93%.")[0][3::2] == ("93%", "93%.")

"""The gap to best play: on the same trials, equal to plain arithmetic, and shown in every output."""

import json

import msgspec
import pytest

from cardhouse.games.dogs.lab.questions import Price
from cardhouse.games.gunfight.lab.questions import Last
from cardhouse.games.hackjack.lab.questions import Career, Deadly
from cardhouse.games.initiative.lab.idle import Idle
from cardhouse.games.initiative.lab.questions import Order
from cardhouse.lab.questions.cell import Cell
from cardhouse.lab.questions.optimality import BY_RULES, FEWEST, PART, OptimalityGap, paired
from cardhouse.lab.questions.question import Question, games_with_questions, mean, questions_of, share
from cardhouse.lab.questions.settings import settings_of
from cardhouse.lab.reports.report import render
from cardhouse.lab.reports.text_optimality import MOST_LINES, best_lines, sentences
from cardhouse.lab.running.study import Result, Study, ask
from cardhouse.lab.statistics.estimate import Estimate
from cardhouse.lab.words.numbers import as_json
from cardhouse.server.lab.responses import _result, join_pieces, split_pieces
from tests.lab.swap import DEALS, Swap
from tests.thorough import in_soak

TRIALS = 6_000


def asked(*questions: Question, trials: int = TRIALS) -> Result:
    named = tuple(
        Cell(one, None, {"at": str(place)} if len(questions) > 1 else {}) for place, one in enumerate(questions)
    )
    return ask(Study(cells=named, trials=trials, seed=7, confidence=0.999), workers=1)


def beside(question: Question, trials: int = TRIALS) -> OptimalityGap:
    (answer,) = asked(question, trials=trials).answers
    assert answer.beside is not None
    return answer.beside


def counted_out(keeps: str) -> float:
    """What one has on average, from all deals."""
    return sum(Swap(keeps=keeps).has(deal) for deal in DEALS) / len(DEALS)


def test_best_is_the_best_of_all_ways_to_keep() -> None:
    assert max(map(counted_out, "12345")) == counted_out("best")


@pytest.mark.parametrize("keeps", ["1", *in_soak("2", "4", "best")])
def test_as_far_as_all_deals_say(keeps: str) -> None:
    told = beside(Swap(keeps=keeps), trials=BY_RULES)
    assert told.trials == BY_RULES
    assert told.more.low is not None
    assert told.more.high is not None
    assert told.more.low <= counted_out("best") - counted_out(keeps) <= told.more.high
    assert told.is_best == (keeps == "best")
    assert told.thumb == "keep a 2"
    assert told.thumb_is_asked == (keeps == "2")


@pytest.mark.soak
@pytest.mark.parametrize(
    "question",
    [
        *in_soak(Deadly(hp=1, damage="2")),
        Deadly(hp=4, prevent="unless 11", limit=25),
        *in_soak(Career(hp=3), Deadly(prevent="best", c7="best")),
    ],
    ids=["never", "by hand", "career", "best"],
)
def test_hackjacks_gap_uses_its_policies_trials(question: Deadly | Career) -> None:
    """The same as each way played by itself, trial for trial."""
    told = beside(question)
    column = [measure.key for measure in question.measures()].index(told.finding.measure)
    most = told.finding.given_most

    def mean_of(**policies: str) -> float:
        rows = msgspec.structs.replace(question, **policies).rows(7, 0, told.trials)[:, column]
        return float(rows[rows <= most].mean() if most is not None else rows.mean())

    best = mean_of(prevent="best", c7="best")
    assert told.more.value == pytest.approx(best - mean_of())
    named = {
        f"prevent unless score and pool make exactly {question.limit - 10}": f"unless {question.limit - 10}",
        "always prevent": "always",
        "never prevent": "never",
    }
    short = {text: best - mean_of(prevent=prevent) for text, prevent in named.items()}
    assert told.thumb == min(short, key=lambda text: abs(short[text]))
    assert told.thumb_more is not None
    assert told.thumb_more.value == pytest.approx(short[told.thumb])


def test_a_part_of_many_trials_is_enough() -> None:
    play = Deadly().best_play()
    assert play.trials_of(100) == 100
    assert play.trials_of(10 * FEWEST) == FEWEST
    assert play.trials_of(1_000_000) == 1_000_000 // PART


EVEN = Estimate(0.0, 0.0, 0.0, 10, 0)


def told_of(more: Estimate, *, thumb: Estimate | None = None, **other: object) -> str:
    finding = mean("a", "a", "a")
    told = OptimalityGap(
        10, finding, "fight", False, more, "survive {} hits more", "survive {} hits fewer", "Best is best."
    )
    whole = msgspec.structs.replace(told, **{"thumb": "hold", "thumb_more": thumb, "proven": True, **other})
    return next(sentences(whole))


def test_in_words_how_far_it_is() -> None:
    far, near = Estimate(0.08, 0.07, 0.09, 10, 8), Estimate(0.006, 0.004, 0.008, 10, 6)
    hold = "\N{LEFT DOUBLE QUOTATION MARK}hold\N{RIGHT DOUBLE QUOTATION MARK}"
    assert told_of(far, thumb=near) == (
        f"Best play would survive 0.080 ±0.010 hits more; {hold} comes within 0.0060 ±0.0020 of it."
    )
    assert told_of(EVEN, thumb=EVEN) == f"Best play gives the same result; {hold} gives the same result."
    assert told_of(EVEN, thumb=near, is_best=True) == f"This is best play; {hold} comes within 0.0060 ±0.0020 of it."
    assert told_of(near, thumb=near, thumb_is_asked=True) == (
        "Best play would survive 0.0060 ±0.0020 hits more; no known rule of thumb is closer."
    )
    chance = Estimate(0.01, -0.01, 0.03, 10, 8)
    assert told_of(chance) == "Best play would survive 0.010 ±0.020 hits more, which may be chance."
    assert told_of(Estimate(None, None, None, 0)) == "The gap to best play is unclear."


def test_best_is_what_is_proven_and_otherwise_the_best_found() -> None:
    fewer = Estimate(-0.05, -0.06, -0.04, 10, 8)
    assert told_of(fewer, proven=False) == "The best play found would survive 0.050 ±0.010 hits fewer."
    assert told_of(EVEN, proven=False) == "The best play found gives the same result."
    assert told_of(EVEN, proven=False, is_best=True) == "This is the best play found."
    assert told_of(Estimate(None, None, None, 0), proven=False) == "The gap to the best play found is unclear."


def dogs(**settings: object) -> Price:
    """A conflict against `best`."""
    hands = {"cards": 5, "other_cards": 5, "improvised": 0, "policy": "best", "other_policy": "best"}
    return Price(**{**hands, **settings})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("question", "proven"),
    [
        (Swap(), True),
        (Order(wait="best"), True),
        (Idle(cards="9 K / 8 Q"), True),
        (Idle(cards="9 K / A Q"), False),
        (Deadly(), False),
        (Last(), False),
        (dogs(), True),
        (dogs(other_policy="plain"), False),
        (dogs(improvised=1), False),
        (dogs(brings="o"), False),
        (dogs(cards=11, other_cards=10), False),
        (dogs(cards=0, other_cards=0), False),
    ],
)
def test_what_is_proven(question: Question, proven: bool) -> None:
    play = question.best_play()
    assert play is not None
    assert play.proven == proven


def test_shares_are_told_in_points() -> None:
    more = Estimate(0.08, 0.07, 0.09, 10, 8)
    told = told_of(more, finding=share("a", "a", "a", 1), more_text="win {} points more often")
    assert told == "Best play would win 8.00 ±1.00 points more often."


def test_the_gap_is_shown_wherever_an_answer_is_read() -> None:
    result = asked(Swap(), trials=BY_RULES)
    far, how = best_lines(result)
    assert far.startswith("Best play would have 0.")
    assert how == f"Best play keeps a 3. Compared in {BY_RULES} trials, each played in all these ways."
    page = render(result, ".html").decode()
    assert far in page
    assert how in page
    (answer,) = as_json(result)["answers"]
    assert answer["best_play"]["rule_of_thumb"] == "keep a 2"
    written = json.loads(render(result, ".json"))["answers"][0]["best_play"]
    assert _result(result).best == best_lines(join_pieces(split_pieces(result))) == [far, how]  # type: ignore[arg-type]
    assert written["more"]["value"] == result.answers[0].beside.more.value  # type: ignore[union-attr]


@pytest.mark.soak
def test_of_many_settings_the_nearest_and_farthest_gaps_are_shown() -> None:
    some = asked(*(Swap(keeps=keeps) for keeps in ("1", "2", "best")), trials=BY_RULES)
    assert [line.partition(":")[0] for line in best_lines(some)[:-1]] == ["at 0", "at 1", "at 2"]
    many = asked(*(Swap(keeps="best"), *(Swap(keeps="2"),) * MOST_LINES, Swap(keeps="1")), trials=BY_RULES)
    nearest, furthest, _ = best_lines(many)
    assert nearest.startswith("at 0: This is best play")
    assert furthest.startswith(f"at {MOST_LINES + 1}: Best play would have")


def test_the_gap_names_its_variant() -> None:
    study = Study(cells=(Cell(Swap(keeps="1"), Swap(keeps="2")),), trials=BY_RULES)
    far, _ = best_lines(ask(study, workers=1))
    assert far.startswith("keeps 1: Best play would have")


def test_a_stopped_run_has_no_gap() -> None:
    study = Study(cells=(Cell(Swap()),), trials=BY_RULES)
    (answer,) = ask(study, workers=1, halt=lambda: True).answers
    assert answer.beside is None


POLICIES = ("prevent", "c7", "aim", "wait", "policy", "bot")


@pytest.mark.parametrize("game", games_with_questions())
def test_every_policy_may_be_best_or_says_why_not(game: str) -> None:
    """What the others' option may be is said at one's own; questions about best play itself have it anyway."""
    for name, question in questions_of(game).items():
        settings = settings_of(question)
        for policy in POLICIES if name != "best" else ():
            if policy in settings:
                assert "best" in settings[policy].choices or "best" in settings[policy].text, (name, policy)


@pytest.mark.soak
def test_an_initiative_gap_is_about_the_goal() -> None:
    assert Order().best_play() is None
    assert Order(goal="after", theirs=0, wait="best").best_play() is None
    order = Order(cards="9 / K 5", wait="lower", their_wait="best")
    play = order.best_play()
    assert play is not None
    joint, thumb = paired(play, 3, (0, 60))
    rows = play.best.question.rows(3, 0, 60)
    keys = [measure.key for measure in play.best.question.measures()]
    lower, best, by_heart = (rows[:, keys.index(key)] for key in ("lower", "best", "thumb"))
    assert joint[0, 1] == ((lower == 0) & (best == 1)).sum()
    assert thumb[1, 1] == ((by_heart == 1) & (best == 1)).sum()
    at_best = Order(cards="9 / K 5", wait="best").best_play()
    assert at_best is not None
    assert at_best.asked[1:] == at_best.best[1:]


@pytest.mark.soak
def test_in_a_gunfight_best_waits_as_what_was_found_to_win_most() -> None:
    never, best = (Last(mine=2, theirs=2, wait=wait).rows(4, 0, 12) for wait in ("never", "best"))
    assert (never == best).all()
    play = Last(wait="always", their_wait="lower", prevent="always").best_play()
    assert play.best.question == Last(aim="best", their_wait="lower", their_prevent="always")
    assert {way.question.their_wait for way in play.ways} == {"lower"}  # type: ignore[attr-defined]
    asked, found = Last(aim="best", wait="best").best_play()[4:6]
    assert asked[1:] == found[1:]

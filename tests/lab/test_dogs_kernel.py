"""Conflicts of Dogs as machine code: they equal the rules', card for card, and exact numbers are right."""

from collections import Counter
from itertools import combinations_with_replacement, product
from math import comb
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest

from cardhouse.cards import STANDARD
from cardhouse.engine import CardhouseError
from cardhouse.games.dogs.bots.bots import POLICIES
from cardhouse.games.dogs.bots.policies import fewest_values
from cardhouse.games.dogs.fallout.odds import SEVERITIES, chances
from cardhouse.games.dogs.lab.exact import odds_of
from cardhouse.games.dogs.lab.kernels import conflicts as kernel
from cardhouse.games.dogs.lab.kernels.hands import PLAY, VALUES
from cardhouse.games.dogs.lab.kernels.packed import one_of
from cardhouse.games.dogs.lab.kernels.seeing import fewest
from cardhouse.games.dogs.lab.opponents import MARKS, facts_of
from cardhouse.games.dogs.lab.questions import Price, Templates, spread
from cardhouse.games.dogs.people.sheet import Stats
from cardhouse.games.dogs.people.templates import BELONGINGS, TEMPLATES, problem_of
from cardhouse.games.dogs.state import ARENAS, PILES, WORTH
from cardhouse.lab.kernels.compiled import compiled
from cardhouse.lab.questions.proof import check_trial
from tests.games.dogs.duels import winner
from tests.thorough import many

pytestmark = pytest.mark.soak

OF_EACH = Counter(WORTH[card] for card in STANDARD)


@compiled
def few(plays, hands, needed, chosen):
    play = plays[0]
    for row in range(hands.shape[0]):
        hand = np.int64(0)
        for value in range(VALUES):
            hand += np.int64(hands[row, value]) * one_of(value)
        for place in range(fewest(play, hand, needed[row])):
            chosen[row, place] = play.chosen[place]


def test_the_fewest_cards_are_those_of_the_policy():
    rng = Random(4)
    values = [WORTH[card] for card in STANDARD]
    weak = [value for value in values if value < 6]
    hands = [sorted(rng.sample(rng.choice([values, weak]), rng.randint(0, 12)), reverse=True) for _ in range(5000)]
    needed = np.array([rng.choice(values) for _ in hands])
    counts = np.array([[hand.count(value) for value in range(VALUES)] for hand in hands], np.uint8)
    chosen = np.zeros((len(hands), VALUES), np.int64)
    few(np.zeros(1, PLAY), counts, needed, chosen)
    by_policy = [fewest_values(tuple(hand), int(value)) or () for hand, value in zip(hands, needed, strict=True)]
    assert [tuple(row[row > 0].tolist()) for row in chosen] == by_policy
    assert {0, *range(2, 7)} <= {len(cards) for cards in by_policy}


def any_question(rng: Random) -> Price | Templates:
    """Settings of every kind: hands, Stats, Fast NPCs, so many things that the deck runs out."""
    many = rng.choice([2, 4, 20])

    def things(most: int) -> str:
        return " ".join(rng.choice(list(MARKS)) for _ in range(rng.randint(0, most)))

    def stats() -> str:
        return " ".join(str(rng.choice([0, 1, 2, 2, 2])) for _ in range(4))

    against = rng.choice(["stats", "stats", *"ABCD"])
    common: dict[str, Any] = {
        "arena": rng.choice(PILES),
        "starter": rng.choice(["one", "other", "turns"]),
        "decks": rng.choice([1, 1, 2]),
        "improvised": rng.choice([0, 1, 3]),
        "jack_draw": rng.random() < 0.3,
        "reversed_card": rng.choice(["kept", "next_only"]),
        "group_cards": rng.choice(["first_line", "each_line"]),
        "policy": rng.choice(["plain", "thrifty", "bold", "thumb", "best"]),
        "other_policy": rng.choice(["plain", "thrifty", "bold", "thumb", "best"]),
    }
    if "best" in (common["policy"], common["other_policy"]):
        common["reversed_card"] = "kept"
    if rng.random() < 0.25:
        common |= {"template": rng.choice(list(TEMPLATES)), "against": rng.choice("ABCD"), "members": things(3)}
        common |= {"spread": rng.choice(["even", "arena"]), "belongings": rng.choice(["none", "o*", "+"])}
        return msgspec.convert(common, Templates)
    dealt = rng.random() < 0.3
    common |= {"stats": stats(), "other_stats": stats(), "brings": things(many), "other_brings": things(many)}
    cards = {"cards": rng.randint(1, 20), "other_cards": rng.randint(1, 20) if against == "stats" else 0}
    return msgspec.convert({**common, "against": against, **(cards if dealt else {})}, Price)


@pytest.mark.slow
def test_trials_are_those_of_the_rules():
    rng = Random(6)
    shuffled = 0
    for number in range(many(110, 50)):
        question = any_question(rng)
        for trial in range(3):
            check_trial(question, number, trial)
            shuffled += (
                any(
                    event.key == "shuffled"
                    for entry in question.played(number, trial).entries
                    for event in entry.events
                )
                if trial == 0
                else 0
            )
    assert shuffled > many(5, 1)


@pytest.mark.soak
@pytest.mark.parametrize("other", ["plain", "thrifty", "bold", "thumb", "best"])
def test_no_known_policy_beats_best_in_a_whole_conflict(other):
    """By less than 1.5 points, which is four standard errors; it beats thumb, its play of large hands, by more."""
    things: dict[str, Any] = {"brings": "o + -", "other_brings": "o + -", "starter": "turns"}
    won = Price(policy="best", other_policy=other, **things).rows(3, 0, 20_000)[:, 0].mean()
    assert won > (0.485 if other == "best" else 0.52)


def test_more_cards_than_are_counted_are_no_difference():
    question = Price(decks=2, other_policy="thumb", against="D", other_brings="+* " * 20)
    most = next(measure.size - 1 for measure in question.measures() if measure.key == "other_hand")
    column = [measure.key for measure in question.measures()].index("other_hand")
    assert question.rows(1, 0, 1)[0, column] > most
    check_trial(question, 1, 0)


def ways_to_deal(one, other) -> int:
    """How many pairs of hands are worth this."""
    ways = 1
    for value, number in OF_EACH.items():
        here, there = one.count(value), other.count(value)
        ways *= comb(number, here) * comb(number - here, there)
    return ways


@pytest.mark.parametrize(
    ("policies", "cards", "starter"),
    [
        (("plain", "plain"), (2, 2), 0),
        (("bold", "plain"), (2, 1), 1),
        (("plain", "bold"), (1, 2), 0),
        (("best", "bold"), (2, 2), 0),
    ],
)
def test_exact_numbers_equal_the_rules_over_all_pairs_of_hands(policies, cards, starter):
    question = Price(
        cards=cards[0],
        other_cards=cards[1],
        policy=policies[0],
        other_policy=policies[1],
        improvised=0,
        starter=("one", "other")[starter],
    )
    of_value = {value: [card for card in STANDARD if WORTH[card] == value] for value in OF_EACH}
    won = total = 0
    for one, other in product(*(combinations_with_replacement(OF_EACH, number) for number in cards)):
        ways = ways_to_deal(one, other)
        left = {value: list(some) for value, some in of_value.items()}
        if ways:
            hands = [[left[value].pop() for value in hand] for hand in (one, other)]
            one_plays, other_plays = (POLICIES[name] for name in policies)
            if starter:
                won += ways * (winner(hands[::-1], (other_plays, one_plays)) == 1)
            else:
                won += ways * (winner(hands, (one_plays, other_plays)) == 0)
            total += ways
    assert total == comb(52, cards[0]) * comb(52 - cards[0], cards[1])
    assert question.exact()["wins"] == pytest.approx(won / total, abs=1e-12)


@pytest.mark.parametrize(
    "question",
    [
        Price(cards=3, other_cards=4, starter="turns"),
        Price(cards=4, other_cards=3, policy="bold", other_policy="bold", improvised=0, decks=2),
        Price(cards=4, other_cards=2, policy="thrifty", arena="guns", starter="other"),
        Price(stats="1 1 2 5", other_stats="2 2 2 3"),
    ],
)
def test_trials_are_as_often_won_as_is_exact(question):
    many = 100_000
    rows = question.rows(9, 0, many).astype(float)
    columns = [measure.key for measure in question.measures()]
    exact = question.exact()
    for finding in question.findings():
        if finding.key in exact:
            found = rows[:, columns.index(finding.measure)]
            assert abs(found.mean() - exact[finding.key]) <= 5 * found.std() / many**0.5 + 1e-9, finding.key
    assert set(exact) == {"wins", "starter_wins", "raises", "cards", "other_cards", "blows", "other_blows"}


@pytest.mark.parametrize(
    "question",
    [
        Price(brings="o"),
        Price(against="A"),
        Price(policy="thrifty"),
        Price(cards=9, other_cards=9),
        Price(cards=3, other_cards=3, policy="bold"),
    ],
)
def test_further_draws_or_too_many_hands_are_not_exact(question):
    assert odds_of(question.setting()) == {}


def test_fallout_is_as_the_exact_odds_have_it():
    """Of those who took so many cards of guns; their cards come from what is left of the deck, so it is nearly that."""
    question = Price(arena="guns", stats="3 1 2 3", other_stats="3 1 2 3")
    rows = question.rows(2, 0, 200_000)
    columns = [measure.key for measure in question.measures()]
    two = rows[rows[:, columns.index("blows")] == 2][:, columns.index("suffers")]
    for name, chance in chances("guns", 2).severity.items():
        assert (two == SEVERITIES.index(name) + 1).mean() == pytest.approx(float(chance), abs=0.02)


def test_the_kernels_words_are_the_games():
    named = (kernel.SHORT_TERM, kernel.LONG_TERM, kernel.INJURED, kernel.MORTALLY_WOUNDED, kernel.DYING)
    assert dict(zip(SEVERITIES, named, strict=True)) == {name: at for at, name in enumerate(SEVERITIES, 1)}
    assert {len(row) for row in facts_of(2)} == {104}
    assert len(Price().measures()) == kernel.COLUMNS


@pytest.mark.parametrize("arena", ARENAS)
@pytest.mark.parametrize("template", TEMPLATES)
def test_a_template_is_one_that_the_rules_allow(template, arena):
    for belongings in ("none", *(some[-1] for some in BELONGINGS)):
        for how in ("even", "arena"):
            asked = {"template": template, "arena": arena, "spread": how, "belongings": belongings}
            one, _ = msgspec.convert(asked, Templates).sides()
            assert problem_of(one.stats, [], None) is None
            assert one.stats.total == TEMPLATES[template].points
            assert len(one.things) == len(TEMPLATES[template].trait + TEMPLATES[template].relationship) + (
                0 if belongings == "none" else 3
            )


def test_points_are_spread():
    assert spread(9, ARENAS["fighting"], even=True) == Stats(2, 3, 2, 2)
    assert spread(7, ARENAS["talking"], even=False) == Stats(3, 1, 2, 1)


@pytest.mark.parametrize(
    ("question", "wrong"),
    [
        (Price(stats="3 2 2"), "four numbers"),
        (Price(stats="3 2 2 -2"), "four numbers"),
        (Price(other_stats="3 3 3 3"), "other_stats: they add up to 12, and 9 is the most"),
        (Price(brings="o x"), 'no mark "x"; there are'),
        (Price(brings="o " * 21), "21 things are too many"),
        (Price(cards=3), "both cards and other_cards"),
        (Price(against="B", other_cards=3), "no meaning against"),
        (Templates(members="++"), "no mark"),
        (Price(other_policy="best", reversed_card="next_only"), "where a card that reversed is kept, not next_only"),
    ],
)
def test_contradictory_settings_are_refused_in_words(question, wrong):
    with pytest.raises(CardhouseError, match=wrong):
        question.check()

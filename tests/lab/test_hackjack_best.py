"""Best play in Hackjack: solved by the rules, equal to every order of few cards, and to played fights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from math import sqrt
from statistics import fmean
from typing import Any

import pytest

from cardhouse.cards import STANDARD, Card, Deck
from cardhouse.engine import GM, Draw, Roll, Table
from cardhouse.games.hackjack.lab.expectimax import MOST_CARDS, survives
from cardhouse.games.hackjack.lab.questions import Best, Deadly
from cardhouse.games.hackjack.state import AddCharacter, BeginRound, Character, HackjackOptions, Prevent
from cardhouse.games.hackjack.state import Damage as Hit
from cardhouse.games.hackjack.wounds.data import standard_wounds
from cardhouse.lab.questions.proof import table_of_paper
from cardhouse.lab.statistics.estimate import estimate
from cardhouse.lab.statistics.histogram import played
from tests.thorough import many

np = pytest.importorskip("numpy")

from cardhouse.games.hackjack.lab.damage import Damage  # noqa: E402
from cardhouse.games.hackjack.lab.foresight import PLACE, bits_of, foresight  # noqa: E402
from cardhouse.games.hackjack.lab.kernels.ahead import NOTHING, Ahead, value_of_hit  # noqa: E402

WEAK = Damage(0, 0, 2)
NO_WOUND = {"name": "x", "text": "x", "ends": "round"}
PLAIN: dict[str, Any] = dict.fromkeys(("C7", "CJ", "SQ", "H6", "H10"), NO_WOUND)
"""Wounds of which none has any but its own card suffered."""


def down(options: dict[str, Any], score: int, blood: int, cards: Sequence[Card] = STANDARD) -> tuple[Table, Character]:
    """Somebody down at a table where these cards are left."""
    table = table_of_paper("hackjack", (GM,), options, "wounds")
    table.answer(GM, AddCharacter("it", 1, 1))
    (who,) = table.game.characters  # type: ignore[attr-defined]
    who.hp, who.down, who.drawn, who.death_score, who.tokens, who.blood = 0, True, True, score, score, blood
    table.game.deck = Deck.of(cards)  # type: ignore[attr-defined]
    return table, who


def hit(table: Table, who: Character, card: Card, faces: Sequence[int]) -> list[int]:
    """One hit of that card with these dice, the rest of which come up 1; the sides of all dice that it rolled."""
    table.answer(GM, Hit(who.name, 1))
    table.answer(GM, {"draw": "wounds", "card": card})
    rolled: list[int] = []
    while isinstance(asked := table.question, Draw | Roll):
        if isinstance(asked, Draw):
            other = next(other for other in table.game.deck.cards())  # type: ignore[attr-defined]
            table.answer(GM, {"draw": "wounds", "card": other})
            continue
        count, sides = asked.count_and_sides()
        dice = [faces[place] if place < len(faces) else 1 for place in range(len(rolled), len(rolled) + count)]
        rolled += [sides] * count
        table.answer(GM, {"roll": asked.dice, "dice": dice})
    return rolled


def by_rules(known: Ahead, score: int, blood: int, *, holds: bool, card: Card) -> float:
    """Hits survived once somebody with that score and pool has been dealt this card by the rules."""

    def after(faces: Sequence[int]) -> tuple[float, list[int]]:
        table, who = down({}, score, blood)
        who.preventing = holds
        rolled = hit(table, who, card, faces)
        hopes = known.knowing if card == "HA" else known.worth
        return (1 + hopes[who.death_score, min(who.blood, hopes.shape[1] - 1)] if who.alive else 0.0), rolled

    _, dice = after(())
    return fmean(after(faces)[0] for faces in product(*(range(1, sides + 1) for sides in dice)))


@cache
def standard() -> Ahead:
    return foresight(HackjackOptions(), WEAK)


@pytest.mark.parametrize(("score", "blood"), [(5, 6), (12, 3), (3, 1), (20, 4), (1, 30)][: many(5, 1)])
def test_what_a_hit_may_bring_is_as_the_rules_have_it(score: int, blood: int) -> None:
    """Each card that draws no other, with all its dice, by the rules; held back and let go."""
    known = standard()
    cards = [card for card in STANDARD if card not in ("C7", "CJ", "SQ", "H6")]
    for holds in (True, False):
        start, pool = (score, blood) if holds else (score + blood, 0)
        for card in cards:
            foreseen = value_of_hit(start, pool, 0, bits_of([card]), known.all_cards, NOTHING, known)
            assert foreseen == pytest.approx(by_rules(known, score, blood, holds=holds, card=card)), card
        mean = fmean(value_of_hit(start, pool, 0, bits_of([card]), known.all_cards, NOTHING, known) for card in cards)
        assert value_of_hit(start, pool, 0, bits_of(cards), known.all_cards, NOTHING, known) == pytest.approx(mean)


def test_the_solution_is_best_after_every_hit() -> None:
    """The value of each score and pool is that of the better choice, one hit on (Bellman's equation)."""
    known = standard()
    scores, pools = known.worth.shape
    for score, pool in product(range(scores), range(pools - 1)):
        held = value_of_hit(score, pool, 0, known.all_cards, known.all_cards, NOTHING, known)
        flows = value_of_hit(score + pool, 0, 0, known.all_cards, known.all_cards, NOTHING, known)
        assert known.worth[score, pool] == pytest.approx(max(held, flows), abs=1e-5)
        if abs(held - flows) > 1e-5:
            assert known.holds[score, pool] == (held > flows)


def test_blood_is_let_go_only_to_make_11() -> None:
    """The rule of thumb: a ten then makes 21. With much Blood and a low score it is still held."""
    let_go = {(score, pool) for score, pool in np.argwhere(standard().holds[:, :22] == 0).tolist()}
    assert let_go
    assert {score + pool for score, pool in let_go} == {11}
    assert {score for score, _ in let_go} == {6, 7, 8, 9, 10}


def test_foresight_of_a_card_that_draws_another() -> None:
    """SQ and another, each as likely; H6 has the last wound suffered again (HJ-24, HJ-26)."""
    known = standard()
    among = bits_of(["SQ", "C2", "D9"])
    expected = fmean(1 + known.worth[total, 3] for total in (17, 10 + 5 + 9 - 7))
    assert value_of_hit(5, 3, 0, bits_of(["SQ"]), bits_of(["C2"]), NOTHING, known) == pytest.approx(expected)
    assert value_of_hit(5, 3, 0, bits_of(["SQ"]), among, NOTHING, known) == pytest.approx(
        (1 + known.worth[17, 3] + 0) / 2  # with D9 it is dead: 24
    )
    again = value_of_hit(5, 3, 0, bits_of(["H6"]), among, PLACE["C8"], known)
    assert again == pytest.approx(1 + known.worth[11, 5])
    ribs = value_of_hit(5, 3, 2, bits_of(["H2"]), among, NOTHING, known)
    assert ribs == pytest.approx(1 + known.worth[7, 5])


# Every order of few cards.


def every_order(cards: Sequence[Card], score: int, blood: int) -> float:
    """Full expectimax by the rules: each order of these cards, each choice after each of them."""

    def play(steps: Sequence[tuple[bool, Card]]) -> Character:
        table, who = down({}, score, blood, cards)
        for holds, card in steps:
            table.answer(GM, BeginRound())
            if who.blood:
                table.answer(GM, Prevent(who.name, holds))
            hit(table, who, card, ())
        return who

    def best(steps: tuple[tuple[bool, Card], ...]) -> float:
        left = [card for card in cards if card not in {card for _, card in steps}]
        who = play(steps)
        if not who.alive:
            return -1.0  # the last hit was not survived
        if not left:
            return 0.0
        ways = (True, False) if who.blood else (True,)
        return max(fmean(1 + best((*steps, (holds, card))) for card in left) for holds in ways)

    return best(())


@pytest.mark.parametrize(
    ("cards", "score", "blood"),
    [
        (("HQ", "S10", "C8"), 5, 6),
        (("HQ", "C8", "D10", "C2"), 9, 3),
        (("CK", "SK", "C6", "H2"), 0, 4),
        (("S5", "C8", "S2", "HK"), 12, 1),
    ][: many(4, 2)],
)
def test_few_cards_are_solved_as_every_order_of_them(cards: tuple[Card, ...], score: int, blood: int) -> None:
    solved = survives(cards, score, blood, standard_wounds(), 21)
    assert solved == pytest.approx(every_order(cards, score, blood))


def some_hands() -> Iterator[tuple[tuple[Card, ...], int, int]]:
    random = np.random.default_rng(5)
    plain = [card for card in STANDARD if standard_wounds()[card].special is None]
    for _ in range(20):
        cards = tuple(random.choice(plain, 6, replace=False).tolist())
        yield cards, int(random.integers(0, 16)), int(random.integers(1, 8))


def test_with_few_cards_left_looking_one_hit_ahead_costs_next_to_nothing() -> None:
    """With 6 cards left what `best` chooses is worth as good as what is best, by every order of them."""
    known, lost = standard(), []
    for cards, score, blood in some_hands():
        bits = bits_of(cards)
        held = value_of_hit(score, blood, 0, bits, bits, NOTHING, known)
        holds = held >= value_of_hit(score + blood, 0, 0, bits, bits, NOTHING, known)
        best = survives(cards, score, blood, standard_wounds(), 21)
        chosen = survives(cards, score, blood, standard_wounds(), 21, holds=holds)
        lost.append(best - chosen)
    assert min(lost) >= 0
    assert fmean(lost) < 0.02


def test_only_few_plain_cards_are_solved_so() -> None:
    with pytest.raises(ValueError, match="too many orders"):
        survives(STANDARD[: MOST_CARDS + 1], 0, 0, standard_wounds(), 21)
    with pytest.raises(ValueError, match="C7 does more"):
        survives(("C7",), 0, 0, standard_wounds(), 21)


# What is played.


def test_what_is_played_by_heart_is_as_solved() -> None:
    """With cards returned and wounds that draw no others nothing is left out: the mean is the solved one."""
    question = Deadly(
        hp=1, damage="2", hits=40, prevent="by heart", wounds=PLAIN, return_cards=True, judged="each_step"
    )
    known = foresight(question.options(), WEAK)
    solved = value_of_hit(0, 0, 0, known.all_cards, known.all_cards, NOTHING, known)
    trials = 60_000
    survived = question.rows(2, 0, trials)[:, 3]
    assert abs(survived.mean() - solved) <= 4 * survived.std() / sqrt(trials)


def test_the_question_ranks_them() -> None:
    """In few fights already: the best is better than each rule, and none of them beats it by more than chance."""
    tally = played(Best(), None, 1, 0, 20_000)
    columns = [measure.key for measure in Best().measures()]
    found = {one.key: estimate(one, tally.counts[columns.index(one.measure)], 0.95) for one in Best().findings()}
    assert found["best"].value == pytest.approx(3.39, abs=0.05)
    for key, least, most in (
        ("less_unless", 0.0, 0.02),
        ("less_always", 0.05, 0.1),
        ("less_from_12", 0.08, 0.13),
        ("less_never", 0.33, 0.4),
        ("counting", -0.01, 0.01),
    ):
        value = found[key].value
        assert value is not None
        assert least < value < most, key


@pytest.mark.soak
def test_nobody_does_much_better() -> None:
    """The bound from above is one, and close; along the way of `best` it has the mean of what that survives."""
    from cardhouse.games.hackjack.lab.ceiling import bounds

    bound, best = bounds(3_000, seed=4)
    assert 0.0 < (bound - best).mean() < 0.03
    assert (bound - best).min() > -1e-9
    survived = Deadly(hp=1, damage="2", hits=40, prevent="best").rows(4, 0, 3_000)[:, 3]
    apart = best - survived
    assert abs(apart.mean()) < 4 * apart.std() / sqrt(3_000)

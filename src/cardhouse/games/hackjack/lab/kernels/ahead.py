"""Looking ahead in Hackjack, as machine code: the expected number of further hits a character that is down survives.

Between two hits the only choice is whether to prevent blood loss (HJ-10, HJ-11). `solve` finds the hits survived for
each death-score and pool under best play, with each hit drawn from all cards of the deck: value iteration (Bellman
1957). `value_of_hit` is the mean of that value after one more hit with the cards that may really come; policies that
count cards decide by it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardhouse.games.hackjack import thresholds
from cardhouse.lab.kernels.compiled import compiled, in_place, open_part

is_exact: Any = in_place(thresholds.is_exact)
is_too_much: Any = in_place(thresholds.is_too_much)

Hits = NDArray[np.float64]
Whole = Any

VALUE, RED, DRAWS_ANOTHER, SHOWS_NEXT, REPEATS, LUCKY, LEAST_BLOOD, MOST_BLOOD = range(8)
"""The columns of a card, as far as looking ahead needs them."""
COLUMNS = 8
NOTHING = -1
"""No card; no damage that replaces the card."""
CLOSE = 1e-7
MOST_SWEEPS = 10_000


class Ahead(NamedTuple):
    """The tables for looking ahead.

    Further hits survived, by death-score (0 to limit - 1) and pool (the last column covers everything above): `worth`,
    and `knowing` if the next card has been seen. `holds` is 1 where preventing blood loss is best. `cards` has a row of
    COLUMNS for each card; `bloods` is the distribution of the Blood it brings. A hit counts its card's value, or one of
    the `amounts` instead, with probability `chances`. `all_cards` has a bit for each card of the whole deck.
    """

    worth: Hits
    knowing: Hits
    holds: NDArray[np.uint8]
    cards: NDArray[np.int64]
    bloods: Hits
    amounts: NDArray[np.int64]
    chances: Hits
    all_cards: int
    limit: int
    each_step: int


@in_place
def judged_score(score: Whole, ahead: Ahead) -> Whole:
    """Return a death-score once judged: 0 at exactly the limit (HJ-6)."""
    return np.int64(0) if is_exact(score, ahead.limit) else score


@in_place
def value_after_wound(score: Whole, blood: Whole, card: Whole, ahead: Ahead) -> float:
    """Return the hits survived, including the one that just dealt this card's wound."""
    if is_too_much(score, ahead.limit):
        return 0.0
    score = judged_score(score, ahead)
    row, most = ahead.cards[card], ahead.worth.shape[1] - 1
    table = ahead.knowing if row[SHOWS_NEXT] else ahead.worth
    total = 0.0
    for bled in range(row[LEAST_BLOOD], row[MOST_BLOOD] + 1):
        total += ahead.bloods[card, bled] * table[score, min(blood + bled, most)]
    return 1.0 + total


@in_place
def value_after_card(score: Whole, blood: Whole, adds: Whole, card: Whole, among: Whole, ahead: Ahead) -> float:
    """Return the same for a hit that dealt this card, which `adds` to the score and may draw another of `among`."""
    score += adds
    row = ahead.cards[card]
    if row[DRAWS_ANOTHER]:
        score = judged_score(score, ahead) if ahead.each_step else score
        total, many = 0.0, 0
        for other in range(ahead.cards.shape[0]):
            if other != card and among >> other & 1:
                total += value_after_wound(score + ahead.cards[other, VALUE], blood, card, ahead)
                many += 1
        if many and not (ahead.each_step and is_too_much(score, ahead.limit)):
            return total / many
    return value_after_wound(score, blood, card, ahead)


@in_place
def value_after_damage(score: Whole, blood: Whole, card: Whole, wound: Whole, among: Whole, ahead: Ahead) -> float:
    """Return the same, averaged over the damage, for a card with its own wound or another card's."""
    total = 0.0
    for which in range(ahead.amounts.size):
        adds = ahead.cards[card, VALUE] if ahead.amounts[which] == NOTHING else ahead.amounts[which]
        adds = np.int64(0) if ahead.cards[card, LUCKY] else adds
        total += ahead.chances[which] * value_after_card(score, blood, adds, wound, among, ahead)
    return total


@open_part
def value_of_hit(
    score: Whole, blood: Whole, ribs: Whole, first: Whole, among: Whole, last: Whole, ahead: Ahead
) -> float:
    """Return the hits survived, including the next one, with a pool that doesn't move.

    The next card is one of `first`, and a card that it draws is one of `among`, both bit sets. `last` is the card of
    the wound that H6 would repeat, or NOTHING. Red cards add Blood for broken `ribs` (HJ-13).
    """
    total, many = 0.0, 0
    for card in range(ahead.cards.shape[0]):
        if first >> card & 1:
            row = ahead.cards[card]
            wound = last if row[REPEATS] and last != NOTHING else np.int64(card)
            total += value_after_damage(score, blood + ribs * row[RED], np.int64(card), wound, among, ahead)
            many += 1
    if many:
        return total / many
    most = ahead.worth.shape[1] - 1
    for which in range(ahead.amounts.size):
        then = score + max(ahead.amounts[which], np.int64(0))
        if not is_too_much(then, ahead.limit):
            total += ahead.chances[which] * (1.0 + ahead.worth[judged_score(then, ahead), min(blood, most)])
    return total


@open_part
def should_prevent(
    score: Whole, blood: Whole, ribs: Whole, first: Whole, among: Whole, last: Whole, ahead: Ahead
) -> bool:
    """Return whether preventing blood loss is better, if these cards may come; see `value_of_hit`."""
    flowed = score + blood
    if ahead.each_step:
        flowed = judged_score(flowed, ahead)
    if ahead.each_step and is_too_much(flowed, ahead.limit):
        return True
    held = value_of_hit(score, blood, ribs, first, among, last, ahead)
    return held >= value_of_hit(flowed, np.int64(0), ribs, first, among, last, ahead)


@open_part
def prefers_other(score: Whole, blood: Whole, one: Whole, other: Whole, ahead: Ahead) -> bool:
    """Return whether the other of two wounds is the better one to suffer with this score and pool (HJ-22)."""
    return value_after_wound(score, blood, other, ahead) > value_after_wound(score, blood, one, ahead)


@compiled
def solve(ahead: Ahead) -> int:
    """Fill `worth`, `knowing` and `holds`. Returns the number of sweeps over all scores and pools."""
    limit, pools, cards = ahead.limit, ahead.worth.shape[1], ahead.cards.shape[0]
    flowed = np.zeros((limit + 1, cards))  # for each card, with that score and an empty pool; dead above the limit
    many = 0
    for card in range(cards):
        many += ahead.all_cards >> card & 1
    for sweep in range(MOST_SWEEPS):
        change = 0.0
        for score in range(limit, -1, -1):
            start = judged_score(np.int64(score), ahead) if ahead.each_step else np.int64(score)
            for card in range(cards):
                if ahead.all_cards >> card & 1:
                    one = np.int64(card)
                    flowed[score, card] = value_after_damage(start, np.int64(0), one, one, ahead.all_cards, ahead)
        for score in range(limit - 1, -1, -1):
            for pool in range(pools):
                held, let_go, seen = 0.0, 0.0, 0.0
                for card in range(cards):
                    if ahead.all_cards >> card & 1:
                        one = np.int64(card)
                        stays = value_after_damage(np.int64(score), np.int64(pool), one, one, ahead.all_cards, ahead)
                        flows = flowed[score + pool, card] if score + pool <= limit else 0.0
                        held += stays
                        let_go += flows
                        seen += max(stays, flows)
                best = max(held, let_go) / many
                change = max(change, abs(best - ahead.worth[score, pool]))
                ahead.worth[score, pool] = best
                ahead.knowing[score, pool] = seen / many
                ahead.holds[score, pool] = held >= let_go
        if change < CLOSE:
            return sweep + 1
    return MOST_SWEEPS

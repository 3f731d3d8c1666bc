"""An upper bound on survival for every way to prevent blood loss, with or without counting cards.

A player who saw all cards to come would do too well. So the advantage is subtracted again: each hit is credited with
the difference between its expected value (`value_of_hit`) and the value of the card that came. For players without
foresight that difference has mean zero; for one with foresight it cancels most of the gain. The mean over the best path
through the coming cards is therefore an upper bound (information relaxation and duality: Brown, Smith and Sun 2010;
Rogers 2007). The same sum along the path of `best` has the mean of what `best` survives.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardhouse.games.hackjack.lab.kernels.ahead import (
    DRAWS_ANOTHER,
    SHOWS_NEXT,
    Ahead,
    Whole,
    is_too_much,
    judged_score,
    value_after_wound,
    value_of_hit,
)
from cardhouse.games.hackjack.lab.kernels.bleeding import hit, join, last_suffered, open_deck
from cardhouse.games.hackjack.lab.kernels.wounds import (
    BLOOD,
    CARDS,
    LEFT,
    NONE,
    OWN,
    PACK,
    PERSON,
    PREVENTS,
    RIBS,
    SCORE,
    SPECIAL,
    TOP,
    Book,
    Numbers,
)
from cardhouse.lab.kernels.chance import State, stream
from cardhouse.lab.kernels.compiled import compiled, in_place

Hits = NDArray[np.float64]

FIRST, CARD, ADDED, BLED, AMONG, LAST, RIBS_THEN = range(7)
"""The columns noted for a hit.

The cards that might come (bits) and the one that came, what it added and bled, the cards that it might draw (bits), the
wound that H6 would repeat, and the broken ribs.
"""
NOTED = 7
DAMAGE = 2


@in_place
def value_given_card(score: Whole, blood: Whole, note: Numbers, book: Book, ahead: Ahead) -> float:
    """Return the hits survived, including this one, as far as its card determines them, with a pool that doesn't move.

    The mean over the cards that might have come is `value_of_hit`.
    """
    card = note[CARD]
    if ahead.cards[card, DRAWS_ANOTHER]:
        return value_after_wound(score + note[ADDED], blood, card, ahead)
    if book.wounds[card, SPECIAL] == OWN or ahead.cards[card, SHOWS_NEXT]:
        total, most = score + note[ADDED], ahead.worth.shape[1] - 1
        if is_too_much(total, ahead.limit):
            return 0.0
        table = ahead.knowing if ahead.cards[card, SHOWS_NEXT] else ahead.worth
        return 1.0 + table[judged_score(total, ahead), min(blood + note[BLED], most)]  # type: ignore[no-any-return]
    return value_of_hit(score, blood, note[RIBS_THEN], np.int64(1) << card, note[AMONG], note[LAST], ahead)


@in_place
def note_hits(state: State, book: Book, notes: Numbers, who: Numbers, deck: NDArray[np.uint8], pack: Numbers) -> int:
    """Note all hits of a trial, which don't depend on preventing blood loss. Returns their number."""
    open_deck(deck, pack, book)
    join(who, DAMAGE - 1)
    for number in range(notes.shape[0]):
        note, left, top = notes[number], pack[LEFT], pack[TOP]
        if left < 4:  # virtually no character lives this long
            return number
        note[AMONG] = 0
        for place in range(left):
            note[AMONG] |= np.int64(1) << np.int64(deck[place])
        note[FIRST] = note[AMONG] if top == NONE else np.int64(1) << top
        note[LAST], note[RIBS_THEN] = last_suffered(who), who[RIBS]
        who[SCORE], who[BLOOD], who[PREVENTS] = 0, 0, 1
        state = hit(state, who, DAMAGE, False, deck, pack, book, None)
        note[CARD] = np.int64(deck[left - 1]) if top == NONE else top
        note[ADDED], note[BLED] = who[SCORE], who[BLOOD]
    return len(notes)


@compiled
def ceiling(book: Book, ahead: Ahead, seed: Whole, first: Whole, bound: Hits, best: Hits) -> None:
    """Fill in for each trial from `first` a bound for every policy and the value of `best`, whose means are in hits.

    `book` must have a limit above any single hit, `ahead` the limit in play. C7's first wound is suffered.
    """
    deck, pack = np.empty(CARDS, np.uint8), np.empty(PACK, np.int64)
    who = np.empty(PERSON, np.int64)
    scores, pools = ahead.worth.shape
    notes = np.empty((41, NOTED), np.int64)
    reached = np.zeros((notes.shape[0] + 1, scores, pools), np.bool_)
    most, mine = np.zeros((2, scores, pools)), np.zeros((2, scores, pools))
    for row in range(bound.size):
        hits = note_hits(stream(seed, first + row), book, notes, who, deck, pack)
        reached[:] = False
        begin, pool = judged_score(notes[0, ADDED], ahead), min(notes[0, BLED], pools - 1)
        bound[row] = best[row] = 0.0
        if is_too_much(begin, ahead.limit):
            continue
        reached[1, begin, pool] = True
        last = 1
        while last < hits and mark_reachable(reached, last, notes[last], ahead):
            last += 1
        most[:], mine[:] = 0.0, 0.0
        for number in range(min(last, hits - 1), 0, -1):
            now, then = number % 2, 1 - number % 2
            for score in range(scores):
                for blood in range(pools):
                    if reached[number, score, blood]:
                        backward_step(score, blood, notes[number], most, mine, now, then, book, ahead)
        bound[row], best[row] = 1.0 + most[1, begin, pool], 1.0 + mine[1, begin, pool]


@in_place
def mark_reachable(reached: NDArray[np.bool_], number: Whole, note: Numbers, ahead: Ahead) -> bool:
    """Mark every score and pool reachable after this hit. Returns whether there are any."""
    some = False
    scores, pools = ahead.worth.shape
    for score in range(scores):
        for blood in range(pools):
            if reached[number, score, blood]:
                for flows in range(2):
                    total = score + flows * blood + note[ADDED]
                    if not is_too_much(total, ahead.limit):
                        some = True
                        left = min((1 - flows) * blood + note[BLED], pools - 1)
                        reached[number + 1, judged_score(total, ahead), left] = True
    return some


@in_place
def backward_step(
    score: Whole,
    blood: Whole,
    note: Numbers,
    most: Hits,
    mine: Hits,
    now: Whole,
    then: Whole,
    book: Book,
    ahead: Ahead,
) -> None:
    """Compute the hits survived from this hit on, corrected by the difference its card made to the expectation."""
    pools = ahead.worth.shape[1]
    highest = chosen = expected_most = 0.0
    for flows in range(2):
        start, kept = score + flows * blood, (1 - flows) * blood
        expected = value_of_hit(start, kept, note[RIBS_THEN], note[FIRST], note[AMONG], note[LAST], ahead)
        rest = expected - value_given_card(start, kept, note, book, ahead)
        own = rest
        total = start + note[ADDED]
        if not is_too_much(total, ahead.limit):
            left = min(kept + note[BLED], pools - 1)
            rest += 1.0 + most[then, judged_score(total, ahead), left]
            own += 1.0 + mine[then, judged_score(total, ahead), left]
        if not flows or rest > highest:
            highest = rest
        if not flows or expected > expected_most:
            chosen, expected_most = own, expected
    most[now, score, blood], mine[now, score, blood] = highest, chosen

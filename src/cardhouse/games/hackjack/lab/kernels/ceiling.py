"""How much anybody could survive at most: a bound for all ways to hold one's blood, with the cards counted or not.

A player who saw all cards to come would do too well. So what the cards to come make of one's prospects is taken from
such a player again: each hit counts by how much better or worse it came than what was to be expected (`after_hit`).
Nobody who can't see the future gains or loses anything by that on average; who sees it gains little more. The mean of
the best of all ways through the cards that come is a bound from above (information relaxation and duality: Brown, Smith
and Sun 2010; Rogers 2007). The same sum along the way that `best` goes has the mean of what it survives.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardhouse.games.hackjack.lab.kernels.ahead import (
    DRAWS_ANOTHER,
    LETS_SEE,
    Ahead,
    Whole,
    after_hit,
    is_too_much,
    landed,
    suffered,
)
from cardhouse.games.hackjack.lab.kernels.bleeding import hit, join, last_suffered, open_deck
from cardhouse.games.hackjack.lab.kernels.wounds import (
    BENDS,
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
    TOP,
    Book,
    Numbers,
)
from cardhouse.lab.kernels.chance import State, stream
from cardhouse.lab.kernels.compiled import compiled, in_place

Hits = NDArray[np.float64]

FIRST, CARD, ADDED, BLED, AMONG, LAST, RIBS_THEN = range(7)
"""What is noted of a hit: which cards might come, as bits, and which came, what it added and bled, which others might
be drawn, of which wound H6 would be, and the broken ribs."""
NOTED = 7
DAMAGE = 2


@in_place
def came(score: Whole, blood: Whole, note: Numbers, book: Book, ahead: Ahead) -> float:
    """Hits survived, this one included, by one with that score and a pool that stays, as far as its card tells.

    Its mean over the cards that might have come is `after_hit`.
    """
    card = note[CARD]
    if ahead.cards[card, DRAWS_ANOTHER]:
        return suffered(score + note[ADDED], blood, card, ahead)
    if book.wounds[card, BENDS] == OWN or ahead.cards[card, LETS_SEE]:
        total, most = score + note[ADDED], ahead.worth.shape[1] - 1
        if is_too_much(total, ahead.limit):
            return 0.0
        table = ahead.knowing if ahead.cards[card, LETS_SEE] else ahead.worth
        return 1.0 + table[landed(total, ahead), min(blood + note[BLED], most)]  # type: ignore[no-any-return]
    return after_hit(score, blood, note[RIBS_THEN], np.int64(1) << card, note[AMONG], note[LAST], ahead)


@in_place
def note_hits(state: State, book: Book, notes: Numbers, who: Numbers, deck: NDArray[np.uint8], pack: Numbers) -> int:
    """All hits of a trial, which don't depend on when blood is held; returns how many there are."""
    open_deck(deck, pack, book)
    join(who, DAMAGE - 1)
    for number in range(notes.shape[0]):
        note, left, top = notes[number], pack[LEFT], pack[TOP]
        if left < 4:  # as good as nobody lives so long
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
    """For each trial from `first` on what nobody exceeds on average, and what `best` survives on average, in hits.

    `book` has a limit that no single hit reaches, `ahead` that which is played by; C7's first wound is suffered.
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
        begin, pool = landed(notes[0, ADDED], ahead), min(notes[0, BLED], pools - 1)
        bound[row] = best[row] = 0.0
        if is_too_much(begin, ahead.limit):
            continue
        reached[1, begin, pool] = True
        last = 1
        while last < hits and reach(reached, last, notes[last], ahead):
            last += 1
        most[:], mine[:] = 0.0, 0.0
        for number in range(min(last, hits - 1), 0, -1):
            now, then = number % 2, 1 - number % 2
            for score in range(scores):
                for blood in range(pools):
                    if reached[number, score, blood]:
                        weigh(score, blood, notes[number], most, mine, now, then, book, ahead)
        bound[row], best[row] = 1.0 + most[1, begin, pool], 1.0 + mine[1, begin, pool]


@in_place
def reach(reached: NDArray[np.bool_], number: Whole, note: Numbers, ahead: Ahead) -> bool:
    """Mark all scores and pools in which one may be after this hit; whether there are any."""
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
                        reached[number + 1, landed(total, ahead), left] = True
    return some


@in_place
def weigh(
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
    """What one with that score and pool survives from this hit on, less what its card made of the prospects."""
    pools = ahead.worth.shape[1]
    highest = chosen = expected_most = 0.0
    for flows in range(2):
        start, kept = score + flows * blood, (1 - flows) * blood
        expected = after_hit(start, kept, note[RIBS_THEN], note[FIRST], note[AMONG], note[LAST], ahead)
        rest = expected - came(start, kept, note, book, ahead)
        own = rest
        total = start + note[ADDED]
        if not is_too_much(total, ahead.limit):
            left = min(kept + note[BLED], pools - 1)
            rest += 1.0 + most[then, landed(total, ahead), left]
            own += 1.0 + mine[then, landed(total, ahead), left]
        if not flows or rest > highest:
            highest = rest
        if not flows or expected > expected_most:
            chosen, expected_most = own, expected
    most[now, score, blood], mine[now, score, blood] = highest, chosen

"""Conflicts of two, of Dogs Play Cards, Too, as machine code: from the first draw to the last card of fallout.

Who takes part is a `Plan`: what each draws at the opening, what it can bring and enter after that, in the order in
which it would, and by which policy it plays.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardhouse.games.dogs.lab.kernels.best import best_raise, best_see
from cardhouse.games.dogs.lab.kernels.hands import (
    AS_THEY_COME,
    ASIDE,
    BEGIN,
    END,
    FEWEST,
    GIVEN,
    KEEPS,
    NO_CARD,
    NUMBER,
    RAISED,
    RANKED,
    RED,
    SEVERITY,
    SUIT,
    WORTH,
    Bytes,
    Numbers,
    Plan,
    Play,
    chosen_of,
    clear_table,
    draw_aside,
    draw_blow,
    draw_card,
    lose,
    next_cards,
    play_first,
    play_last,
    receive,
    turn_over,
)
from cardhouse.games.dogs.lab.kernels.packed import (
    Whole,
    cards_in,
    has_from,
    highest_in,
    lowest_in,
    number_of,
    one_of,
)
from cardhouse.games.dogs.lab.kernels.seeing import (
    DEADLY,
    FEAR,
    GOOD,
    MANY,
    OVERWHELMED,
    bold_raise,
    bold_see,
    fewest,
    threat,
    to_reverse,
)
from cardhouse.games.dogs.lab.kernels.thumb import thumb_raise, thumb_see
from cardhouse.lab.kernels.chance import NO_CHANCE, Log, State, stream
from cardhouse.lab.kernels.compiled import apart, compiled, in_place, part
from cardhouse.lab.kernels.records import first_of

Record = NDArray[np.void]

PLAIN, THRIFTY, BOLD, THUMB, BEST = range(5)
"""How somebody plays."""

POLICY, AT_ONCE, THINGS, BODY, LEARNS = range(5)
"""Of a side: its policy; of its steps after the opening, how many it takes at its first Raise or See, and how many are
things; its Body; whether it gains Experience."""

STARTER, ARENA, DRAWS_FIRST, IMPROVISED, JACK_DRAW, JACK, ENOUGH_RED, NEXT_ONLY = range(8)
"""Of a conflict: who starts, 0 or 1, or 2 for each in turn; the pile of its arena; who draws first; how often each may
improvise; whether a highest jack draws a card; a jack's rank; how many red cards teach something; whether a card that
reversed a Raise stays for the next Raise only."""
IN_TURN = 2

NO_FALLOUT, SHORT_TERM, LONG_TERM, INJURED, MORTALLY_WOUNDED, DYING = range(6)
"""What somebody's fallout is."""
HARMS = DYING + 1

WON, STARTER_WON, ENDING, RAISES, PLAYED, BLOWS, SUFFERS, LEARNT, HEALING, DRAWN = 0, 1, 2, 3, 4, 6, 8, 11, 13, 15
"""The columns of a row; of PLAYED to DRAWN the second side's follows. LOSER is what the loser suffers, MOVED how often
each escalated."""
LOSER, MOVED = 10, 17
COLUMNS = 19

GIVES, DRAWS, PLAYS = range(3)
"""What somebody does next that is to Raise or See."""

STEP, ENTERED, TIMES, ESCALATED, TRIED, USED, REVERSED, BEHIND, UNUSED = range(9)
"""Of somebody in a conflict: the step that comes next, the pile of the arena entered last, how often it improvised;
whether it escalated or improvised for the Raise or See that is being put together; cards played; what the card is worth
that reversed a Raise and is lost if it isn't used now, 0 if none is, and behind how many as high it was drawn; how many
cards were lost so."""


@compiled
def conflicts(plans: Record, plays: Record, seed: Whole, first: Whole, out: NDArray[np.int16], log: Log) -> None:
    """Play them, one for each row of `out`, which has COLUMNS columns; `plans` is of shape (1,), and `plays` room."""
    plan, play = first_of(plans), first_of(plays)
    for row in range(out.shape[0]):
        state = stream(seed, first + row)
        starter = plan.rules[STARTER] if plan.rules[STARTER] < IN_TURN else (first + row) & 1
        clear_table(play, plan.cards)
        state, raises = fight(play, plan, starter, state, log)
        loser = play.at[GIVEN]
        out[row, WON] = loser
        out[row, STARTER_WON] = loser != starter
        out[row, RAISES] = raises
        for side in range(2):
            played = play.people[side, USED]
            out[row, PLAYED + side] = played
            out[row, DRAWN + side] = played + play.people[side, UNUSED] + cards_in(play.hands[side])
            out[row, MOVED + side] = max(0, play.people[side, STEP] - 1 - plan.sides[side, THINGS])
            out[row, BLOWS + side] = blows_of(play, side)
            state, suffers, learns, needs = reckon(play, plan, side, state, log)
            out[row, SUFFERS + side], out[row, LEARNT + side], out[row, HEALING + side] = suffers, learns, needs
        out[row, LOSER] = out[row, SUFFERS + loser]
        out[row, ENDING] = HARMS * loser + out[row, SUFFERS]


@compiled
def duels(
    plans: Record, plays: Record, one: Bytes, other: Bytes, choose: Numbers, starter: Whole, counts: Numbers
) -> None:
    """Fight out every pair of hands, and add up what comes of them, each pair as often as it is dealt.

    `one` and `other` are hands, each a row of how many cards it has of each of the VALUES. `choose` tells in how many
    ways so many cards, by row, leave one so many, by column. `counts` is for so many
    pairs that the first wins, and for the sums of Raises, of cards played by each, and of cards of fallout of each.
    """
    plan, play = first_of(plans), first_of(plays)
    of_value = np.zeros(one.shape[1], np.int64)
    for card in range(plan.cards):
        of_value[plan.facts[WORTH, card]] += 1
    for here in range(one.shape[0]):
        for there in range(other.shape[0]):
            ways = ways_to_deal(one[here], other[there], of_value, choose)
            if ways:
                clear_table(play, plan.cards)
                for side, hand in enumerate((one[here], other[there])):
                    play.people[side, STEP] = plan.sides[side, AT_ONCE] + 1
                    for value in range(hand.size):
                        play.hands[side] += np.int64(hand[value]) * one_of(value)
                _, raises = fight(play, plan, starter, NO_CHANCE, None)
                counts[0] += ways * play.at[GIVEN]
                counts[1] += ways * raises
                for side in range(2):
                    counts[2 + side] += ways * play.people[side, USED]
                    counts[4 + side] += ways * blows_of(play, side)


@part
def blows_of(play: Play, side: Whole) -> Whole:
    """How many cards of fallout somebody has."""
    return play.blows[side, 0] + play.blows[side, 1] + play.blows[side, 2] + play.blows[side, 3]


@part
def ways_to_deal(one: Bytes, other: Bytes, of_value: Numbers, choose: Numbers) -> Whole:
    """In how many ways two hands have so many cards of each value."""
    ways = np.int64(1)
    for value in range(of_value.size):
        left = of_value[value] - np.int64(one[value])
        if left < 0:
            return np.int64(0)
        ways *= choose[of_value[value], one[value]] * choose[left, other[value]]
    return ways


# A conflict (DV-14 to DV-23).


@part
def fight(play: Play, plan: Plan, starter: Whole, state: State, log: Log) -> tuple[State, Whole]:
    """Both draw, then Raises and answers by turns until one gives: `GIVEN` says who. How many Raises there were.

    `value` is that of the Raise to be Seen, 0 if one is to Raise; who Sees Raises next (DV-15).
    """
    turn, value, raises = np.int64(starter), np.int64(0), np.int64(0)
    for each in range(2):
        side = each ^ plan.rules[DRAWS_FIRST]
        play.people[side, ENTERED] = plan.rules[ARENA]
        if not play.people[side, STEP]:
            _next_step(play, plan, side)
            state = _draw(play, plan, side, state, log)
    while True:
        wants = _wants(play, plan, turn, value)
        if wants == DRAWS:
            state = _draw(play, plan, turn, state, log)
            continue
        if wants == GIVES:
            break
        if value:
            number = _see(play, plan, turn, value)
            if number:
                draw_blow(play, plan, turn, play.people[turn ^ 1, ENTERED], number)
            play.at[RAISED], value = NO_CARD, np.int64(0)
        else:
            value = _raise(play, plan, turn)
            raises += 1
            turn ^= 1
        play.people[turn, ESCALATED] = play.people[turn, TRIED] = 0
    play.at[RAISED], play.at[GIVEN], play.at[KEEPS] = NO_CARD, turn, 1
    return state, raises


@part
def _draw(play: Play, plan: Plan, side: Whole, state: State, log: Log) -> State:
    """What somebody wants to draw comes into its hand: the worst or the best, or all as they come (DV-6 to DV-8)."""
    for draws in range(play.at[BEGIN], play.at[END]):
        number, keeps, which = plan.draws[draws, 0], plan.draws[draws, 1], plan.draws[draws, 2]
        if which != AS_THEY_COME:
            state = _draw_and_choose(play, plan, side, number, keeps, which, state, log)
            continue
        while number:  # to lay them aside first would take a tenth of all the time more
            cards = next_cards(play, plan, number)
            if not cards:
                break
            number -= cards
            for _ in range(cards):
                state, card = draw_card(play, state, log)
                receive(play, plan, side, card)
    return state


@apart
def _draw_and_choose(
    play: Play, plan: Plan, side: Whole, number: Whole, keeps: Whole, which: Whole, state: State, log: Log
) -> State:
    """So many cards are drawn, and the worst or the best of them kept."""
    begin = play.at[ASIDE]
    state = draw_aside(play, plan, number, state, log)
    end, play.at[ASIDE] = play.at[ASIDE], begin
    kept = chosen_of(play, plan, begin, end, keeps, which)
    for place in range(begin, end):
        if kept >> place - begin & 1:
            receive(play, plan, side, np.int64(play.aside[place]))
    return state


@part
def _next_step(play: Play, plan: Plan, side: Whole) -> Whole:
    """A thing is brought, or an arena entered, and is to be drawn for (DV-9 to DV-12, DV-34)."""
    step = play.people[side, STEP]
    play.people[side, STEP] += 1
    if plan.steps[side, step, 2] >= 0:
        play.people[side, ENTERED] = plan.steps[side, step, 2]
    play.at[BEGIN], play.at[END] = plan.steps[side, step, 0], plan.steps[side, step, 1]
    return np.int64(DRAWS)


@part
def _has_things(play: Play, plan: Plan, side: Whole) -> Whole:
    return play.people[side, STEP] <= plan.sides[side, THINGS]


@part
def _arenas(play: Play, plan: Plan, side: Whole) -> Whole:
    """How many arenas it could enter now (DV-12)."""
    if play.people[side, ESCALATED]:
        return np.int64(0)
    return plan.arenas[side, max(0, play.people[side, STEP] - 1 - plan.sides[side, THINGS])]


@part
def _improvises(play: Play, plan: Plan, side: Whole) -> Whole:
    """Whether it may (DV-11)."""
    return not play.people[side, TRIED] and play.people[side, TIMES] < plan.rules[IMPROVISED]


@part
def _more(play: Play, plan: Plan, side: Whole) -> Whole:
    """A thing is brought; or another arena is entered; or, by the bold, something desperate done; or one must give."""
    policy = plan.sides[side, POLICY]
    if policy == PLAIN:
        return np.int64(GIVES)
    if _has_things(play, plan, side):
        return _next_step(play, plan, side)
    if _arenas(play, plan, side):
        play.people[side, ESCALATED] = 1
        return _next_step(play, plan, side)
    if policy >= BOLD and _improvises(play, plan, side):
        play.people[side, TRIED] = 1
        play.people[side, TIMES] += 1
        play.at[BEGIN], play.at[END] = 0, 1
        return np.int64(DRAWS)
    return np.int64(GIVES)


@in_place
def _wants(play: Play, plan: Plan, side: Whole, value: Whole) -> Whole:
    """What one does that is to See a Raise of this value, or to Raise if it is 0."""
    if plan.sides[side, POLICY] >= THUMB:
        return _wants_all(play, plan, side, value)
    if play.people[side, STEP] <= plan.sides[side, AT_ONCE]:
        return _next_step(play, plan, side)
    if plan.sides[side, POLICY] == BOLD:
        return _wants_boldly(play, plan, side, value)
    if not _can(play, side, value):
        return _more(play, plan, side)
    return np.int64(PLAYS)


@in_place
def _can(play: Play, side: Whole, value: Whole) -> Whole:
    """Whether one can See a Raise of this value, or Raise if it is 0; with a blow of how many, if with nothing less."""
    hand = play.hands[side]
    if not value or has_from(hand, value):
        return hand != 0
    play.at[FEWEST] = fewest(play, hand, value)
    return play.at[FEWEST] != 0


@apart
def _wants_boldly(play: Play, plan: Plan, side: Whole, value: Whole) -> Whole:
    """It brings a thing if its Raises threaten little, or before it takes a blow; rather than a large one, it gives."""
    hand, has_things = play.hands[side], _has_things(play, plan, side)
    if not value and hand:
        threatens = not has_things or threat(play, hand, play.hands[side ^ 1], plan.tastes) >= plan.tastes[GOOD]
        return np.int64(PLAYS) if threatens else _next_step(play, plan, side)
    if value and has_from(hand, value):
        return np.int64(PLAYS)
    if has_things:
        return _next_step(play, plan, side)
    number = fewest(play, hand, value) if value else np.int64(0)
    play.at[FEWEST] = number
    if not number or number >= plan.tastes[MANY]:
        more = _more(play, plan, side)
        if more != GIVES or not number:
            return more
    return np.int64(GIVES if _is_hopeless(play, plan, side, number) else PLAYS)


@apart
def _coming(play: Play, plan: Plan, side: Whole) -> Whole:
    """How many cards come into the hand of one who draws all it can when it acts next."""
    step, things = play.people[side, STEP], plan.sides[side, THINGS]
    cards = plan.most[side, max(0, step - 1 - things)]
    for thing in range(step, things + 1):
        cards += plan.steps[side, thing, 3]
    if play.people[side, TIMES] < plan.rules[IMPROVISED]:
        cards += plan.draws[0, 1]
    return cards


@apart
def _wants_all(play: Play, plan: Plan, side: Whole, value: Whole) -> Whole:
    """All that can be drawn is, as soon as it can be; one gives who can't See or Raise then."""
    more = _more(play, plan, side)
    if more != GIVES:
        return more
    return np.int64(PLAYS if _can(play, side, value) else GIVES)


@apart
def _is_hopeless(play: Play, plan: Plan, side: Whole, number: Whole) -> Whole:
    """Whether the bold would only be hurt by a blow of so many cards."""
    left = cards_in(play.hands[side]) - number + _arenas(play, plan, side) + _improvises(play, plan, side)
    deadly = play.people[1 - side, ENTERED] == plan.tastes[DEADLY]
    return left == 0 or (deadly and plan.tastes[OVERWHELMED] * left <= cards_in(play.hands[side ^ 1]))


@in_place
def _raise(play: Play, plan: Plan, side: Whole) -> Whole:
    """A card is pushed forward; what it is worth (DV-16)."""
    play.people[side, USED] += 1
    if plan.sides[side, POLICY] < BOLD:
        value, number = highest_in(play.hands[side]), np.int64(0)
        play.at[RAISED] = play_first(play, side, value)
    else:
        value = _chosen_to_raise(play, plan, side)
        number = number_of(play.hands[side], value) - 1
        play.at[RAISED] = play_last(play, side, value)
    if play.people[side, REVERSED]:
        _use_or_lose(play, side, value, number)
    return value


@apart
def _chosen_to_raise(play: Play, plan: Plan, side: Whole) -> Whole:
    """What the card is worth that is raised by who thinks about it."""
    policy = plan.sides[side, POLICY]
    if policy == BEST:
        return best_raise(play, side, _coming(play, plan, side ^ 1), plan.tastes)
    if policy == THUMB:
        return thumb_raise(play, side)
    return bold_raise(play, side, play.hands[side], plan.tastes)


@apart
def _use_or_lose(play: Play, side: Whole, value: Whole, number: Whole) -> None:
    """What reversed the Raise before is lost, unless it was raised: of its value, so many drawn before (DV-19)."""
    reverser, behind = play.people[side, REVERSED], play.people[side, BEHIND]
    play.people[side, REVERSED] = 0
    if value == reverser:
        if number == behind:
            return
        behind -= number < behind
    lose(play, side, reverser, behind)
    play.people[side, UNUSED] += 1


@in_place
def _see(play: Play, plan: Plan, side: Whole, raised: Whole) -> Whole:
    """A Raise is reversed, or blocked by a card, or a blow is taken, of so many cards (DV-17 to DV-20)."""
    if highest_in(play.hands[side]) >= to_reverse(raised):
        if plan.rules[NEXT_ONLY]:
            value = lowest_in(play.hands[side], to_reverse(raised))
            play.people[side, REVERSED], play.people[side, BEHIND] = value, number_of(play.hands[side], value) - 1
        return np.int64(0)
    value = np.int64(0)
    if plan.sides[side, POLICY] >= BOLD:
        value = _chosen_to_see(play, plan, side, raised)
    elif has_from(play.hands[side], raised):
        value = lowest_in(play.hands[side], raised)
    if value:
        play_last(play, side, value)
        play.people[side, USED] += 1
        return np.int64(0)
    number = play.at[FEWEST]
    for place in range(number):
        play_first(play, side, np.int64(play.chosen[place]))
    play.people[side, USED] += number
    return number


@apart
def _chosen_to_see(play: Play, plan: Plan, side: Whole, raised: Whole) -> Whole:
    """What the card is worth that blocks, of who thinks about it; 0 for a blow."""
    policy, fear = plan.sides[side, POLICY], plan.tastes[FEAR + play.people[side ^ 1, ENTERED]]
    if policy == BEST:
        return best_see(play, side, raised, _coming(play, plan, side ^ 1), fear, plan.tastes)
    if policy == THUMB:
        return thumb_see(play, side, raised)
    return bold_see(play, side, raised, fear, plan.tastes)


# Fallout (DV-25 to DV-29).


@part
def reckon(play: Play, plan: Plan, side: Whole, state: State, log: Log) -> tuple[State, Whole, Whole, Whole]:
    """Somebody's fallout is turned over: how bad it is, whether it learns from it, whether it needs to be healed."""
    if not blows_of(play, side):
        return state, np.int64(NO_FALLOUT), np.int64(0), np.int64(0)
    facts, aside, begun = plan.facts, play.aside, play.at[ASIDE]
    top, height, reds, jacks = np.int64(NO_CARD), np.int64(-1), np.int64(0), np.int64(0)
    kept = end = begun
    # No card is foreseen by a processor, so that hardly anything here is a jump.
    for pile in range(4):
        for number in range(play.blows[side, pile]):
            state, card = turn_over(play, side, pile, number, state, log)
            teaches = facts[NUMBER, card] >= plan.experience[pile]
            hurts = not teaches
            # What may have to be healed lies before what doesn't.
            place = kept if hurts else end
            aside[end] = aside[place]
            aside[place] = card
            end, kept = end + 1, kept + hurts
            reds += teaches & facts[RED, card]
            jacks |= (hurts & (facts[NUMBER, card] == plan.rules[JACK])) << facts[SUIT, card]
            if hurts & (facts[RANKED, card] > height):
                top, height = card, np.int64(facts[RANKED, card])
    play.at[ASIDE] = end
    severity = np.int64(SHORT_TERM if top == NO_CARD else facts[SEVERITY, top])
    jack = plan.rules[JACK_DRAW] and jacks and facts[NUMBER, top] == plan.rules[JACK]
    # A highest jack may have a card drawn (DV-28), an injury has some for Body (DV-29).
    draws = 1 if jack else plan.sides[side, BODY] if severity == INJURED else 0
    dying, copes = False, False
    state = draw_aside(play, plan, draws, state, log)
    for place in range(end, play.at[ASIDE]):
        card = np.int64(play.aside[place])
        dying |= jacks >> facts[SUIT, card] & 1 == 1
        copes |= facts[NUMBER, card] >= facts[NUMBER, top]
    if jack:
        severity = np.int64(DYING if dying else MORTALLY_WOUNDED)
    needs = severity == MORTALLY_WOUNDED or (severity == INJURED and not copes)
    play.at[ASIDE] = kept if needs else begun
    if severity == DYING and play.at[GIVEN] == side:
        play.at[KEEPS] = 0
    learns = severity != DYING and plan.sides[side, LEARNS] and reds >= plan.rules[ENOUGH_RED]
    return state, severity, np.int64(learns), np.int64(needs)

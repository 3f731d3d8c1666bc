"""Conflicts of two as machine code, from the first draw to the last fallout card.

A `Plan` has both sides: the draws at the opening, the things and arenas that may follow, in the side's order, and its
policy.
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
"""Policies."""

POLICY, AT_ONCE, THINGS, BODY, LEARNS = range(5)
"""Indices of `sides`.

The policy; of the steps after the opening, how many are taken with the first Raise or See, and how many are things;
Body; whether it gains Experience.
"""

STARTER, ARENA, DRAWS_FIRST, IMPROVISED, JACK_DRAW, JACK, ENOUGH_RED, NEXT_ONLY = range(8)
"""Indices of `rules`.

The starter (0, 1, or 2 for alternating), the pile of the first arena, the side that draws first, improvisations per
side, whether a highest jack draws a card, a jack's rank, the red cards needed for Experience, and whether a card that
reversed a Raise is lost unless used next.
"""
IN_TURN = 2

NO_FALLOUT, SHORT_TERM, LONG_TERM, INJURED, MORTALLY_WOUNDED, DYING = range(6)
"""The severity of a side's fallout."""
HARMS = DYING + 1

WON, STARTER_WON, ENDING, RAISES, PLAYED, BLOWS, SUFFERS, LEARNT, HEALING, DRAWN = 0, 1, 2, 3, 4, 6, 8, 11, 13, 15
"""The columns of a row; from PLAYED to DRAWN, the second side's column follows the first side's.

LOSER is the loser's fallout, MOVED the number of times that each side escalated.
"""
LOSER, MOVED = 10, 17
COLUMNS = 19

GIVES, DRAWS, PLAYS = range(3)
"""The possible next actions of a side that must Raise or See."""

STEP, ENTERED, TIMES, ESCALATED, TRIED, USED, REVERSED, BEHIND, UNUSED = range(9)
"""Indices of `people`.

The next step; the pile of the arena entered last; the number of improvisations; whether the side escalated, or
improvised, for the Raise or See being prepared; cards played; the value of a card that reversed a Raise and is lost
unless used now (0 for none), and how many cards of that value were drawn before it; the number of cards lost that way.
"""


@compiled
def conflicts(plans: Record, plays: Record, seed: Whole, first: Whole, out: NDArray[np.int16], log: Log) -> None:
    """Play one conflict per row of `out`, shape (n, COLUMNS); `plans` has shape (1,), `plays` is scratch space."""
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
            state, suffers, learns, needs = resolve_fallout(play, plan, side, state, log)
            out[row, SUFFERS + side], out[row, LEARNT + side], out[row, HEALING + side] = suffers, learns, needs
        out[row, LOSER] = out[row, SUFFERS + loser]
        out[row, ENDING] = HARMS * loser + out[row, SUFFERS]


@compiled
def duels(
    plans: Record, plays: Record, one: Bytes, other: Bytes, choose: Numbers, starter: Whole, counts: Numbers
) -> None:
    """Play every pair of hands, and add up the results, weighted by how many ways the pair can be dealt.

    Rows of `one` and `other` are hands, as the number of cards of each of the VALUES. `choose[n, k]` are binomial
    coefficients. `counts` receives the first side's wins, the Raises, the cards played by each, and the fallout cards
    of each.
    """
    plan, play = first_of(plans), first_of(plays)
    of_value = np.zeros(one.shape[1], np.int64)
    for card in range(plan.cards):
        of_value[plan.facts[WORTH, card]] += 1
    for row in range(one.shape[0]):
        for other_row in range(other.shape[0]):
            ways = ways_to_deal(one[row], other[other_row], of_value, choose)
            if ways:
                clear_table(play, plan.cards)
                for side, hand in enumerate((one[row], other[other_row])):
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
    """Return the number of a side's fallout cards."""
    return play.blows[side, 0] + play.blows[side, 1] + play.blows[side, 2] + play.blows[side, 3]


@part
def ways_to_deal(one: Bytes, other: Bytes, of_value: Numbers, choose: Numbers) -> Whole:
    """Return the number of ways to deal two hands with these numbers of cards of each value."""
    ways = np.int64(1)
    for value in range(of_value.size):
        left = of_value[value] - np.int64(one[value])
        if left < 0:
            return np.int64(0)
        ways *= choose[of_value[value], one[value]] * choose[left, other[value]]
    return ways


# The conflict (DV-14 to DV-23).


@part
def fight(play: Play, plan: Plan, starter: Whole, state: State, log: Log) -> tuple[State, Whole]:
    """Draw both openings and play until one side gives (`GIVEN`); return the number of Raises.

    `value` is the Raise to See, 0 if a Raise is due; the side that Sees Raises next (DV-15).
    """
    turn, value, raises = np.int64(starter), np.int64(0), np.int64(0)
    for each in range(2):
        side = each ^ plan.rules[DRAWS_FIRST]
        play.people[side, ENTERED] = plan.rules[ARENA]
        if not play.people[side, STEP]:
            _next_step(play, plan, side)
            state = _draw(play, plan, side, state, log)
    while True:
        choice = _choose(play, plan, turn, value)
        if choice == DRAWS:
            state = _draw(play, plan, turn, state, log)
            continue
        if choice == GIVES:
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
    """Make the wanted draws, keeping the worst, the best, or all (DV-6 to DV-8)."""
    for draws in range(play.at[BEGIN], play.at[END]):
        number, keeps, which = plan.draws[draws, 0], plan.draws[draws, 1], plan.draws[draws, 2]
        if which != AS_THEY_COME:
            state = _draw_and_choose(play, plan, side, number, keeps, which, state, log)
            continue
        while number:  # laying them aside first would take 10% longer overall
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
    """Draw cards and keep the worst or the best of them."""
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
    """Bring a thing or enter an arena, and mark its draws as wanted (DV-9 to DV-12, DV-34)."""
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
    """Return how many arenas a side could enter now (DV-12)."""
    if play.people[side, ESCALATED]:
        return np.int64(0)
    return plan.arenas[side, max(0, play.people[side, STEP] - 1 - plan.sides[side, THINGS])]


@part
def _improvises(play: Play, plan: Plan, side: Whole) -> Whole:
    """Return whether a side may improvise (DV-11)."""
    return not play.people[side, TRIED] and play.people[side, TIMES] < plan.rules[IMPROVISED]


@part
def _prepare_or_give(play: Play, plan: Plan, side: Whole) -> Whole:
    """Bring a thing, or else escalate, or else (bold and above) improvise, or else give."""
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
def _choose(play: Play, plan: Plan, side: Whole, value: Whole) -> Whole:
    """Return the next action of a side that must See a Raise of this value, or Raise if it is 0."""
    if plan.sides[side, POLICY] >= THUMB:
        return _wants_all(play, plan, side, value)
    if play.people[side, STEP] <= plan.sides[side, AT_ONCE]:
        return _next_step(play, plan, side)
    if plan.sides[side, POLICY] == BOLD:
        return _wants_boldly(play, plan, side, value)
    if not _can_act(play, side, value):
        return _prepare_or_give(play, plan, side)
    return np.int64(PLAYS)


@in_place
def _can_act(play: Play, side: Whole, value: Whole) -> Whole:
    """Return whether a side can See this value, or Raise if it is 0; sets FEWEST if only a blow is possible."""
    hand = play.hands[side]
    if not value or has_from(hand, value):
        return hand != 0
    play.at[FEWEST] = fewest(play, hand, value)
    return play.at[FEWEST] != 0


@apart
def _wants_boldly(play: Play, plan: Plan, side: Whole, value: Whole) -> Whole:
    """Bring a thing if no Raise threatens much, or to avoid a blow; give rather than take a large blow."""
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
        more = _prepare_or_give(play, plan, side)
        if more != GIVES or not number:
            return more
    return np.int64(GIVES if _is_hopeless(play, plan, side, number) else PLAYS)


@apart
def _cards_coming(play: Play, plan: Plan, side: Whole) -> Whole:
    """Return how many cards a side gets if it draws everything it can at its next turn."""
    step, things = play.people[side, STEP], plan.sides[side, THINGS]
    cards = plan.most[side, max(0, step - 1 - things)]
    for thing in range(step, things + 1):
        cards += plan.steps[side, thing, 3]
    if play.people[side, TIMES] < plan.rules[IMPROVISED]:
        cards += plan.draws[0, 1]
    return cards


@apart
def _wants_all(play: Play, plan: Plan, side: Whole, value: Whole) -> Whole:
    """Draw everything as early as possible; give if it isn't enough to See or Raise."""
    more = _prepare_or_give(play, plan, side)
    if more != GIVES:
        return more
    return np.int64(PLAYS if _can_act(play, side, value) else GIVES)


@apart
def _is_hopeless(play: Play, plan: Plan, side: Whole, number: Whole) -> Whole:
    """Return whether a blow of this many cards is pointless for the bold policy."""
    left = cards_in(play.hands[side]) - number + _arenas(play, plan, side) + _improvises(play, plan, side)
    deadly = play.people[1 - side, ENTERED] == plan.tastes[DEADLY]
    return left == 0 or (deadly and plan.tastes[OVERWHELMED] * left <= cards_in(play.hands[side ^ 1]))


@in_place
def _raise(play: Play, plan: Plan, side: Whole) -> Whole:
    """Raise with one card and return its value (DV-16)."""
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
    """Return the value of the card to raise, for the policies that look ahead."""
    policy = plan.sides[side, POLICY]
    if policy == BEST:
        return best_raise(play, side, _cards_coming(play, plan, side ^ 1), plan.tastes)
    if policy == THUMB:
        return thumb_raise(play, side)
    return bold_raise(play, side, play.hands[side], plan.tastes)


@apart
def _use_or_lose(play: Play, side: Whole, value: Whole, number: Whole) -> None:
    """Drop the card that reversed the last Raise, unless it was just raised (DV-19).

    `number` cards of the raised value had been drawn before the raised one.
    """
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
    """Reverse, Block with a card, or Take the Blow.

    Return the number of cards of a blow, otherwise 0 (DV-17 to DV-20).
    """
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
    """Return the value of the card to Block with, for the policies that look ahead; 0 for a blow."""
    policy, fear = plan.sides[side, POLICY], plan.tastes[FEAR + play.people[side ^ 1, ENTERED]]
    if policy == BEST:
        return best_see(play, side, raised, _cards_coming(play, plan, side ^ 1), fear, plan.tastes)
    if policy == THUMB:
        return thumb_see(play, side, raised)
    return bold_see(play, side, raised, fear, plan.tastes)


# Fallout (DV-25 to DV-29).


@part
def resolve_fallout(play: Play, plan: Plan, side: Whole, state: State, log: Log) -> tuple[State, Whole, Whole, Whole]:
    """Turn over a side's fallout; return its severity, experience, and the need for healing."""
    if not blows_of(play, side):
        return state, np.int64(NO_FALLOUT), np.int64(0), np.int64(0)
    facts, aside, first_aside = plan.facts, play.aside, play.at[ASIDE]
    top, height, reds, jacks = np.int64(NO_CARD), np.int64(-1), np.int64(0), np.int64(0)
    kept = end = first_aside
    # Cards are unpredictable for a processor, so this avoids branches.
    for pile in range(4):
        for number in range(play.blows[side, pile]):
            state, card = turn_over(play, side, pile, number, state, log)
            teaches = facts[NUMBER, card] >= plan.experience[pile]
            hurts = not teaches
            # Fallout cards, which healing may need later, come before experience cards.
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
    # A highest jack may draw a card (DV-28), an injury draws for Body (DV-29).
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
    play.at[ASIDE] = kept if needs else first_aside
    if severity == DYING and play.at[GIVEN] == side:
        play.at[KEEPS] = 0
    learns = severity != DYING and plan.sides[side, LEARNS] and reds >= plan.rules[ENOUGH_RED]
    return state, severity, np.int64(learns), np.int64(needs)

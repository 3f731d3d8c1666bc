"""Deck, hands and fallout of a conflict, for the kernel (DV-6 to DV-8, DV-13, DV-18).

Cards are numbers. Those of a hand are ordered by value, and cards of equal value by when they were drawn: which of two
equal cards is played decides what can be drawn later.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from cardhouse.games.dogs.lab.kernels.packed import Whole, below, highest_in, number_of, one_of, without
from cardhouse.lab.kernels.chance import Log, State, draw
from cardhouse.lab.kernels.compiled import apart, in_place, part

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int64]

NO_CARD = -1
VALUES = 16
"""Values are below this, and no more cards than this have the same value."""
MOST_CARDS = 128
"""More cards than two decks have, and so more than deals with a card still face down."""
MOST_STEPS = 32
"""More than a side has, with its opening, all its things, and the arenas."""
MEMORY = 1 << 14
"""The number of solved pairs of hands in the cache."""

LEFT, DOWN, DEAL, ASIDE, RAISED, GIVEN, KEEPS, BEGIN, END, FEWEST = range(10)
"""Indices of `at`.

Cards left to draw; face-down cards of this deal; the number of the deal; cards laid aside; the card raised; the side
that gave, and whether it keeps a card; the range of wanted draws; the number of cards of a blow.
"""
PLACES = 10
ABOUT = 9
"""The number of columns of `people`."""

WORTH, NUMBER, RANKED, SEVERITY, RED, SUIT = range(6)
"""Rows of `facts`: value, rank as a number, order in fallout, severity, red, suit."""

WORST, AS_THEY_COME, BEST = range(3)
"""The cards of a draw to keep."""


class Play(Protocol):
    """The state of a conflict, reused for each trial.

    `hands` are both hands, packed as in `packed`. `cards` are the cards of each value, in a ring that begins at
    `first`. `blows` are the numbers of cards on each side's piles; the first `former` of them come from earlier deals,
    listed in `deals`. The deck begins with the cards of this deal; `base` and `loose` are the start and number of the
    cards left of each earlier deal. `people` has the columns defined in `conflicts`. The rest is scratch space.
    """

    at: Numbers
    deck: Bytes
    hands: Numbers
    cards: Bytes
    first: Bytes
    blows: Numbers
    former: Numbers
    deals: Bytes
    base: Numbers
    loose: Numbers
    aside: Bytes
    people: Numbers
    sums: Numbers
    gone: Bytes
    old: Bytes
    row: Numbers
    chosen: Bytes
    known: Numbers
    wins: Bytes
    worlds: Numbers
    found: Numbers


PLAY = np.dtype(
    [
        ("at", np.int64, (PLACES,)),
        ("hands", np.int64, (2,)),
        ("people", np.int64, (2, ABOUT)),
        ("blows", np.int64, (2, 4)),
        ("former", np.int64, (2, 4)),
        ("chosen", np.uint8, (VALUES,)),
        ("first", np.uint8, (2, VALUES)),
        ("cards", np.uint8, (2, VALUES, VALUES)),
        ("deck", np.uint8, (MOST_CARDS,)),
        ("aside", np.uint8, (MOST_CARDS,)),
        ("deals", np.uint8, (2, 4, MOST_CARDS)),
        ("base", np.int64, (MOST_CARDS,)),
        ("loose", np.int64, (MOST_CARDS,)),
        ("row", np.int64, (MOST_CARDS,)),
        ("sums", np.int64, (MOST_CARDS, VALUES)),
        ("gone", np.uint8, (MOST_CARDS,)),
        ("old", np.uint8, (MOST_CARDS,)),
        ("known", np.int64, (MEMORY, 2)),
        ("wins", np.uint8, (MEMORY,)),
        ("worlds", np.int64, (VALUES,)),
        ("found", np.int64, (2,)),
    ]
)
"""One record for everything: machine code gets a single pointer with constant offsets."""


class Plan(Protocol):
    """The constants of a conflict, shared by all trials.

    `cards` is the size of the deck, `facts` has a row per fact. `draws` has, per draw, the cards drawn, those kept, and
    which; the first is the desperate improvisation. `steps` has, per side, opening first: the first draw, the end, the
    pile of the arena entered or -1, and the cards kept. `arenas` has the number of arenas a side could still enter, by
    the number entered; `most` the most cards that one of them draws. `experience` is the lowest rank that counts as
    experience in each pile; `tastes` are the bold policy's weights.
    """

    cards: int
    facts: Bytes
    draws: Numbers
    steps: Numbers
    sides: Numbers
    arenas: Numbers
    most: Numbers
    rules: Numbers
    experience: Numbers
    tastes: Numbers


PLAN = np.dtype(
    [
        ("cards", np.int64),
        ("facts", np.uint8, (6, MOST_CARDS)),
        ("draws", np.int64, (MOST_STEPS * 6, 3)),
        ("steps", np.int64, (2, MOST_STEPS, 4)),
        ("sides", np.int64, (2, 5)),
        ("arenas", np.int64, (2, 8)),
        ("most", np.int64, (2, 8)),
        ("rules", np.int64, (8,)),
        ("experience", np.int64, (4,)),
        ("tastes", np.int64, (10,)),
    ]
)


@part
def clear_table(play: Play, cards: Whole) -> None:
    """Reset to a full deck and nothing else."""
    # All MOST_CARDS rather than `cards`: a bound known to the compiler costs no time.
    for card in range(MOST_CARDS):
        play.deck[card] = card
    for place in range(PLACES):
        play.at[place] = 0
    play.at[LEFT] = cards
    play.at[RAISED] = NO_CARD
    play.at[GIVEN] = -1
    for side in range(2):
        play.hands[side] = 0
        for pile in range(4):
            play.blows[side, pile] = play.former[side, pile] = 0
        for column in range(ABOUT):
            play.people[side, column] = 0


# Hands.


@part
def receive(play: Play, plan: Plan, side: Whole, card: Whole) -> None:
    """Add a card to a hand."""
    value = np.int64(plan.facts[WORTH, card])
    play.cards[side, value, _place(play, side, value, number_of(play.hands[side], value))] = card
    play.hands[side] += one_of(value)


@part
def play_first(play: Play, side: Whole, value: Whole) -> Whole:
    """Play the card of this value that was drawn first, and return it."""
    card = np.int64(play.cards[side, value, play.first[side, value]])
    play.first[side, value] = _place(play, side, value, 1)
    play.hands[side] -= one_of(value)
    return card


@part
def play_last(play: Play, side: Whole, value: Whole) -> Whole:
    """Play the card of this value that was drawn last, and return it."""
    play.hands[side] -= one_of(value)
    return np.int64(play.cards[side, value, _place(play, side, value, number_of(play.hands[side], value))])


@apart
def lose(play: Play, side: Whole, value: Whole, number: Whole) -> None:
    """Remove the card with this value and this place in drawing order, without playing it."""
    play.hands[side] -= one_of(value)
    for place in range(number, number_of(play.hands[side], value)):
        play.cards[side, value, _place(play, side, value, place)] = play.cards[
            side, value, _place(play, side, value, place + 1)
        ]


@part
def _place(play: Play, side: Whole, value: Whole, number: Whole) -> Whole:
    """Return the place in the value's ring of the card `number` places after the first drawn."""
    return (np.int64(play.first[side, value]) + np.int64(number)) & (VALUES - 1)


# Drawing.


@part
def next_cards(play: Play, plan: Plan, wanted: Whole) -> Whole:
    """Return how many of the cards wanted can be drawn before a reshuffle; 0 if the discard pile is empty too (DV-13).

    This saves the check before each card.
    """
    if not play.at[LEFT]:
        _shuffle_back(play, plan.cards)
    return min(wanted, play.at[LEFT])


@in_place
def draw_card(play: Play, state: State, log: Log) -> tuple[State, Whole]:
    """Draw the next card; there must be one."""
    state, card = draw(state, play.deck, play.at[LEFT] + play.at[DOWN], log)
    play.at[LEFT] -= 1
    return state, np.int64(card)


@part
def draw_aside(play: Play, plan: Plan, number: Whole, state: State, log: Log) -> State:
    """Draw cards and lay them aside: neither in a hand nor in the discard pile."""
    while number:
        cards = next_cards(play, plan, number)
        if not cards:
            break
        number -= cards
        for _ in range(cards):
            state, card = draw_card(play, state, log)
            play.aside[play.at[ASIDE]] = card
            play.at[ASIDE] += 1
    return state


@part
def draw_blow(play: Play, plan: Plan, side: Whole, pile: Whole, number: Whole) -> None:
    """Draw cards face down; they use no randomness until they are turned over (DV-18)."""
    at = play.at
    while number:
        cards = next_cards(play, plan, number)
        if not cards:
            break
        number -= cards
        at[LEFT] -= cards
        at[DOWN] += cards
        play.blows[side, pile] += cards


@in_place
def turn_over(play: Play, side: Whole, pile: Whole, number: Whole, state: State, log: Log) -> tuple[State, Whole]:
    """Turn over the face-down card at place `number` of a pile (DV-25)."""
    at = play.at
    if number >= play.former[side, pile]:
        state, card = draw(state, play.deck, at[LEFT] + at[DOWN], log)
        at[DOWN] -= 1
    else:
        deal = np.int64(play.deals[side, pile, number])
        state, card = draw(state, play.deck[play.base[deal] :], int(play.loose[deal]), log)
        play.loose[deal] -= 1
    return state, np.int64(card)


@apart
def _shuffle_back(play: Play, number: Whole) -> None:
    """Shuffle the discard pile into the empty deck, which has `number` cards in all (DV-13).

    Only the face-down cards of the old deal remain; they move to the end.
    """
    at, gone = play.at, play.gone
    _mark_held(play)
    _mark_former(play)
    if at[DOWN]:
        play.base[at[DEAL]], play.loose[at[DEAL]] = 0, at[DOWN]
        at[DEAL] += 1
    for place in range(number):
        play.old[place] = play.deck[place]
    end = number
    for deal in range(at[DEAL]):
        begin, end = play.base[deal], end - play.loose[deal]
        for place in range(play.loose[deal]):
            gone[play.old[begin + place]] = 1
            play.deck[end + place] = play.old[begin + place]
        play.base[deal] = end
    at[LEFT] = at[DOWN] = 0
    for card in range(number):
        if not gone[card]:
            play.deck[at[LEFT]] = card
            at[LEFT] += 1


@apart
def _mark_former(play: Play) -> None:
    """Record the current deal as the origin of all cards on piles that don't have one."""
    for side in range(2):
        for pile in range(4):
            for place in range(play.former[side, pile], play.blows[side, pile]):
                play.deals[side, pile, place] = play.at[DEAL]
            play.former[side, pile] = play.blows[side, pile]


@apart
def _mark_held(play: Play) -> None:
    """Mark as `gone` the cards in hands, raised or aside, and the card kept by a side that gave (DV-22)."""
    at, gone = play.at, play.gone
    for card in range(MOST_CARDS):
        gone[card] = 0
    for place in range(at[ASIDE]):
        gone[play.aside[place]] = 1
    if at[RAISED] != NO_CARD:
        gone[at[RAISED]] = 1
    if at[GIVEN] >= 0:
        if at[KEEPS] and play.hands[at[GIVEN]]:
            gone[second_best(play, at[GIVEN])] = 1
        return
    for side in range(2):
        left = play.hands[side]
        while left:
            value = highest_in(left)
            left = below(left, value)
            for number in range(number_of(play.hands[side], value)):
                gone[play.cards[side, value, _place(play, side, value, number)]] = 1


@apart
def second_best(play: Play, side: Whole) -> Whole:
    """Return the second-best card of a hand, or the only one (DV-22)."""
    value = highest_in(play.hands[side])
    rest = without(play.hands[side], value)
    number = 1 if number_of(rest, value) else 0
    if rest and not number:
        value = highest_in(rest)
    return np.int64(play.cards[side, value, _place(play, side, value, number)])


@apart
def chosen_of(play: Play, plan: Plan, begin: Whole, end: Whole, keeps: Whole, which: Whole) -> Whole:
    """Return the best or worst cards laid aside, as bits in their order; of equal values the later one (DV-8)."""
    kept = np.int64(0)
    for _ in range(min(keeps, end - begin)):
        found, worth = np.int64(-1), np.int64(0)
        for place in range(end - begin - 1, -1, -1):
            value = np.int64(plan.facts[WORTH, play.aside[begin + place]])
            better = value > worth if which == BEST else value < worth
            if not kept >> place & 1 and (found < 0 or better):
                found, worth = np.int64(place), value
        kept |= 1 << found
    return kept

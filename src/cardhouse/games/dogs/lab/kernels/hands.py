"""The deck, the hands and the blows of a conflict of Dogs Play Cards, Too, for its kernel (DV-6 to DV-8, DV-13, DV-18).

Cards are numbers, those of a hand ordered by what they are worth, and among equals by when they were drawn: which of
two equal cards is played decides what can be drawn later.
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
"""What a card is worth is below this, and no more cards than that are worth the same."""
MOST_CARDS = 128
"""More cards than two decks have, so also more than deals of which any lies face down."""
MOST_STEPS = 32
"""More than a side has, with its opening, all its things, and the arenas."""
MEMORY = 1 << 14
"""So many pairs of hands are remembered of those that were solved."""

LEFT, DOWN, DEAL, ASIDE, RAISED, GIVEN, KEEPS, BEGIN, END, FEWEST = range(10)
"""Of the table: how many cards can be drawn, how many of this deal lie face down, which deal it is, how many cards lie
aside, the card raised, who has given and whether that one keeps a card; which draws somebody wants to make; how many
cards a blow would take."""
PLACES = 10
ABOUT = 9
"""So many numbers are said of each of the two people."""

WORTH, NUMBER, RANKED, SEVERITY, RED, SUIT = range(6)
"""Of a card: its worth, its rank as a number, how high it is in fallout, what it does there, if it is red, its suit."""

WORST, AS_THEY_COME, BEST = range(3)
"""Which of the cards drawn are kept."""


class Play(Protocol):
    """What lies on the table: room that is used for each trial anew.

    `hands` are what `packed` says of the cards of both, `cards` which those of a value are: a ring that begins at
    `first`. `blows` are so many cards on a side's piles, `former` so many of them, the first, of former deals, and
    `deals` the deal of each of these. The deck begins with the cards of this deal; `base` and `loose` are where in it
    what is left of former deals begins, and how many cards that is.
    `people` are what is said of both sides in `conflicts`. The rest is what functions work on.
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
"""One record holds it all: machine code gets a single pointer, and knows where everything lies."""


class Plan(Protocol):
    """A conflict that is to be played again and again.

    There are `cards`, and `facts` of each. `draws` are of each draw how many cards, how many are kept and which; the
    first is a desperate improvisation's. `steps` are each side's, its opening first: from which draw, to which, the
    pile of the arena that is entered with it, or -1, and the cards kept. `arenas` are so many that each could enter
    after so many, `most` the cards that one of them draws at most.
    `experience` is the rank from which each pile's cards are experience, `tastes` are those of the bold policy.
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
    """A full deck of so many cards, and nothing else."""
    # More than there are: that takes no time, for the compiler knows how many.
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
    """A card comes into somebody's hand."""
    value = np.int64(plan.facts[WORTH, card])
    play.cards[side, value, _place(play, side, value, number_of(play.hands[side], value))] = card
    play.hands[side] += one_of(value)


@part
def play_first(play: Play, side: Whole, value: Whole) -> Whole:
    """The first drawn of the cards of this value leaves the hand."""
    card = np.int64(play.cards[side, value, play.first[side, value]])
    play.first[side, value] = _place(play, side, value, 1)
    play.hands[side] -= one_of(value)
    return card


@part
def play_last(play: Play, side: Whole, value: Whole) -> Whole:
    """The last drawn of them."""
    play.hands[side] -= one_of(value)
    return np.int64(play.cards[side, value, _place(play, side, value, number_of(play.hands[side], value))])


@apart
def lose(play: Play, side: Whole, value: Whole, number: Whole) -> None:
    """The card of this value that was drawn after so many others of it leaves the hand, and isn't played."""
    play.hands[side] -= one_of(value)
    for place in range(number, number_of(play.hands[side], value)):
        play.cards[side, value, _place(play, side, value, place)] = play.cards[
            side, value, _place(play, side, value, place + 1)
        ]


@part
def _place(play: Play, side: Whole, value: Whole, number: Whole) -> Whole:
    """Where in the ring of its value the card stands that comes so many after the first drawn."""
    return (np.int64(play.first[side, value]) + np.int64(number)) & (VALUES - 1)


# Drawing.


@part
def next_cards(play: Play, plan: Plan, wanted: Whole) -> Whole:
    """How many of the cards wanted can be drawn before any are shuffled back; 0 if the discard has none either (DV-13).

    So nobody needs to ask that before each card.
    """
    if not play.at[LEFT]:
        _shuffle_back(play, plan.cards)
    return min(wanted, play.at[LEFT])


@in_place
def draw_card(play: Play, state: State, log: Log) -> tuple[State, Whole]:
    """The next card, which there must be."""
    state, card = draw(state, play.deck, play.at[LEFT] + play.at[DOWN], log)
    play.at[LEFT] -= 1
    return state, np.int64(card)


@part
def draw_aside(play: Play, plan: Plan, number: Whole, state: State, log: Log) -> State:
    """So many cards are drawn and laid aside, where they are neither in a hand nor in the discard."""
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
    """So many cards, face down: nobody knows which before they are turned over, so that takes no chance yet (DV-18)."""
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
    """The card of a pile that was put there face down after so many others (DV-25)."""
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
    """The discard becomes the deck, which has `number` cards in all (DV-13).

    What lies face down of the old deal is all that is left of that, and goes to the end.
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
    """All that lies on the piles is of a deal that is over, if not of one before."""
    for side in range(2):
        for pile in range(4):
            for place in range(play.former[side, pile], play.blows[side, pile]):
                play.deals[side, pile, place] = play.at[DEAL]
            play.former[side, pile] = play.blows[side, pile]


@apart
def _mark_held(play: Play) -> None:
    """Those `gone` are in a hand, raised, or aside; of one who has given, the one that is kept (DV-22)."""
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
    """The second-best card of a hand, or the only one (DV-22)."""
    value = highest_in(play.hands[side])
    rest = without(play.hands[side], value)
    number = 1 if number_of(rest, value) else 0
    if rest and not number:
        value = highest_in(rest)
    return np.int64(play.cards[side, value, _place(play, side, value, number)])


@apart
def chosen_of(play: Play, plan: Plan, begin: Whole, end: Whole, keeps: Whole, which: Whole) -> Whole:
    """So many of these cards laid aside, as bits in their order: the best or the worst, of equals the later (DV-8)."""
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

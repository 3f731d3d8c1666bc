"""The card game of characters that go down (HJ-1 to HJ-14, HJ-20, HJ-22 to HJ-27, HJ-31), as machine code.

To build on it: `book_of` turns a table's rules into arrays. One table is a `deck` (uint8, CARDS cells) and its `pack`
(int64, PACK cells); `open_deck` begins a trial. Each character is a row of an int64 matrix with PERSON columns, and
functions take just this row: `join` starts it, `begin_round` and `declare` a round, `hit` is a piece of damage with all
that it causes, `take_checks` rolls its open checks, `exert` rolls for its pain, `is_idle` says whether it can't act;
`roll_damage` rolls a weapon's dice; `recover_fully` is the time between two fights. Characters that share a deck share
`deck` and `pack`. Each row records that character's cards, and the dead keep theirs. The first columns of a row are
public: HP, DOWN, ALIVE, SCORE, BLOOD, TRAUMA, PREVENTS, FATE, RESETS, BLED, FLEETING, CHECKS. FLEETING says whether
anything may end when a round begins, CHECKS the number of open checks: at 0 `begin_round` and `take_checks` change
nothing. Functions that need random numbers take the generator's state first and return the next state first.

    book = book_of(HackjackOptions(), "first", no_foresight())
    deck, pack, people = np.empty(CARDS, np.uint8), np.empty(PACK, np.int64), np.empty((4, PERSON), np.int64)
    ...
    open_deck(deck, pack, book)
    for one in range(4):
        join(people[one], hp)
    ...
    begin_round(people[one], book)
    declare(people[one], policy, deck, pack, book)
    state = hit(state, people[one], amount, False, deck, pack, book, log)

A kernel must check `pack[TOO_LONG]` after each trial: 1 says that a table's own wounds file made a chain of wounds too
long for these arrays, and the result must be discarded.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardhouse.games.hackjack import thresholds
from cardhouse.games.hackjack.lab import damage, policies
from cardhouse.games.hackjack.lab.damage import D20, OUTRIGHT, Damage
from cardhouse.games.hackjack.lab.kernels.ahead import NOTHING, should_prevent
from cardhouse.games.hackjack.lab.kernels.wounds import (
    ALIVE,
    BESIDE,
    BLED,
    BLOOD,
    BY_SCORE,
    BY_TRAUMA,
    CARDS,
    CHECKED,
    CHECKS,
    CHRONIC,
    DEALT,
    DISCARD,
    DOWN,
    DRAWN,
    EACH_ROUND,
    ENDS,
    FAILED,
    FAILS,
    FATE,
    FIELDS,
    FLEETING,
    FOR_GOOD,
    HINDERS,
    HP,
    IS_MASSIVE,
    LAST,
    LAST_SUFFERED,
    LEFT,
    LINGERING,
    LOW,
    LUCKY,
    MARKED,
    MASK_ALL,
    MASK_HARM,
    MASK_VALUE,
    MOVED,
    NEVER_ENDS,
    NONE,
    NOTE,
    ONCE,
    OPEN,
    PACK,
    PASSED_OUT,
    PEEKS,
    PERSON,
    PILE,
    PLAIN,
    PREVENTS,
    QUIET,
    RESETS,
    RIBS,
    SAW,
    SCORE,
    SHUFFLES,
    SPECIAL,
    STOPPED,
    SUM,
    TOO_LONG,
    TOP,
    TRAUMA,
    TRAUMA_OF,
    UNCONSCIOUS,
    VALUE,
    WITH_CHECK,
    WITH_ROUND,
    WORN,
    Book,
    Cards,
    Numbers,
    Whole,
    bleed,
    book_of,
    draw_wound,
    end_wound,
    judge,
    keep_wound,
    lay_down,
    put_back,
    roll_all,
    suffer,
    take_out_wounds,
    take_wound,
)
from cardhouse.games.hackjack.lab.policies import BEST, WRITTEN, Policy
from cardhouse.games.hackjack.state import EACH_OLD_WOUND
from cardhouse.lab.kernels.chance import Log, State, roll
from cardhouse.lab.kernels.compiled import in_place, part

holds = in_place(policies.holds)
looks_ahead = in_place(policies.looks_ahead)
never_holds = in_place(policies.never_holds)
is_critical: Any = in_place(damage.is_critical)
goes_down = in_place(thresholds.goes_down)
is_massive = in_place(thresholds.is_massive)
is_outright = in_place(thresholds.is_outright)
is_well: Any = in_place(thresholds.is_well)
is_painful = in_place(thresholds.is_painful)

__all__ = [
    "ALIVE",
    "BLED",
    "BLOOD",
    "CARDS",
    "CHECKS",
    "D20",
    "DEALT",
    "DOWN",
    "FATE",
    "FLEETING",
    "FOR_GOOD",
    "HP",
    "PACK",
    "PERSON",
    "PREVENTS",
    "RESETS",
    "SCORE",
    "SHUFFLES",
    "TOO_LONG",
    "TRAUMA",
    "Book",
    "begin_round",
    "book_of",
    "declare",
    "exert",
    "hinders",
    "hit",
    "is_critical",
    "is_idle",
    "join",
    "open_deck",
    "pain_roll",
    "permanent_hp_loss",
    "permanent_wounds",
    "recover_fully",
    "roll_all",
    "roll_damage",
    "take_checks",
]


@in_place
def open_deck(deck: Cards, pack: Numbers, book: Book) -> None:
    """Put all cards into the deck (HJ-20)."""
    for card in range(book.cards):
        deck[card] = card
    pack[LEFT] = book.cards
    pack[TOP] = NONE
    pack[DISCARD] = 0
    pack[TOO_LONG] = 0
    pack[PEEKS] = pack[DEALT] = pack[SHUFFLES] = 0


@in_place
def join(who: Numbers, hp: Whole) -> None:
    """Begin an unhurt character."""
    for field in range(FIELDS):
        who[field] = 0
    who[HP] = hp
    who[ALIVE] = 1


@in_place
def begin_round(who: Numbers, book: Book) -> None:
    """End wounds that last a round, and reopen failed checks that may be tried each round (HJ-18, HJ-31)."""
    if who[FLEETING]:
        who[FLEETING] = 0
        end_wounds(who, book)


@in_place
def declare(who: Numbers, policy: Policy, deck: Cards, pack: Numbers, book: Book) -> None:
    """Declare whether a bleeding character prevents blood loss (HJ-10)."""
    if never_holds(policy.kind, policy.number):
        return  # tested first: the branch is predictable, while whether a character bleeds is not
    if not who[BLOOD]:
        who[PREVENTS] = 0
    elif policy.kind == WRITTEN:
        table = book.ahead.holds
        who[PREVENTS] = table[min(who[SCORE], table.shape[0] - 1), min(who[BLOOD], table.shape[1] - 1)]
    elif looks_ahead(policy.kind):
        who[PREVENTS] = looks_ahead_and_holds(who, policy.kind == BEST, deck, pack, book)
    else:
        who[PREVENTS] = holds(who[SCORE], who[BLOOD], policy.kind, policy.number)


@part
def looks_ahead_and_holds(who: Numbers, counts: bool, deck: Cards, pack: Numbers, book: Book) -> bool:
    """Return whether a character that looks ahead prevents blood loss. With `counts` it knows the remaining cards."""
    if not who[ALIVE]:
        return False
    ahead, top = book.ahead, pack[TOP]
    knows = top != NONE and who[SAW] == pack[PEEKS]
    if not (counts or knows):
        return ahead.holds[who[SCORE], min(who[BLOOD], ahead.holds.shape[1] - 1)] > 0  # type: ignore[no-any-return]
    left = np.int64(0) if top == NONE else np.int64(1) << top
    for place in range(pack[LEFT]):
        left |= np.int64(1) << np.int64(deck[place])
    if not left:
        left = pack[DISCARD]
    if not counts:
        left = np.int64(ahead.all_cards)
    first = left
    if knows:
        first = np.int64(1) << top
        left &= ~first
    return should_prevent(who[SCORE], who[BLOOD], who[RIBS], first, left, last_suffered(who), ahead)


@in_place
def last_suffered(who: Numbers) -> Whole:
    """Return the card of the wound that H6 would repeat, if that is a single card's (HJ-26)."""
    return who[LAST_SUFFERED] // 4 if who[LAST] == 1 and who[LAST_SUFFERED] < SUM else np.int64(NOTHING)


@in_place
def hit(
    state: State, who: Numbers, amount: Whole, critical: bool, deck: Cards, pack: Numbers, book: Book, log: Log
) -> State:
    """Damage a living character and apply all that this causes, judged once at its end (HJ-1 to HJ-8)."""
    moved, instead, mask = np.int64(0), np.int64(NONE), MASK_ALL
    draws = True
    if who[DOWN]:
        moved = bleed_out(who, pack, book)
        if is_massive(amount, book.massive):
            instead = amount
    else:
        left = who[HP] - amount
        who[HP] = max(left, 0)
        if not goes_down(left, book.draw_at_zero):
            draws, mask = critical, MASK_HARM
            if book.standing_blood:
                moved = bleed_out(who, pack, book)
        elif is_outright(-left, book.limit):
            draws = False
            who[ALIVE] = 0
            who[FATE] = OUTRIGHT
        else:
            moved = go_down(who, pack, book)
            if is_massive(-left, book.massive):
                instead = -left
    if draws and who[ALIVE]:
        state = draw_for_damage(state, who, moved, instead, mask, deck, pack, book, log)
    if who[ALIVE]:
        judge(who, moved, instead != NONE, pack, book)
    if book.return_cards or not who[DOWN]:
        put_back(who, deck, pack, book)
    return state


@part
def take_checks(state: State, who: Numbers, book: Book, log: Log) -> State:
    """Roll a d20 for each open check, in the order of the wounds; over the death-score it passes (HJ-31, GF-5)."""
    for place in range(take_out_wounds(who)):
        noted = who[FIELDS + place]
        card, check = noted % NOTE, noted // NOTE
        wound = book.wounds[card]
        if check == OPEN:
            state, face = roll(state, D20, log)
            check = QUIET if is_well(face, who[SCORE]) else FAILED
            if check == FAILED:
                who[FLEETING] = 1
                who[PASSED_OUT] |= wound[FAILS] & UNCONSCIOUS
            elif wound[ENDS] == WITH_CHECK:
                end_wound(who, wound)
                continue
        keep_wound(who, card, check, wound)
    return state


@in_place
def exert(state: State, who: Numbers, hit_die: Whole, book: Book, log: Log) -> State:
    """Roll for pain before anything but walking, if that option is on. Failing it, the character passes out (HJ-29)."""
    sides, over = pain_roll(who, hit_die, book.pain)
    if sides:
        state, face = roll(state, sides, log)
        if not is_well(face, over):
            who[PASSED_OUT] |= UNCONSCIOUS
    return state


@in_place
def pain_roll(who: Numbers, hit_die: Whole, pain: int) -> tuple[Whole, Whole]:
    """Return the sides of the die rolled for pain (0 for none), and the number it must exceed (HJ-29)."""
    if pain == BY_TRAUMA and is_painful(who[TRAUMA]):
        return np.int64(hit_die), who[TRAUMA]
    if pain == BY_SCORE and who[DOWN]:
        return np.int64(D20), who[SCORE]
    return np.int64(0), np.int64(0)


@in_place
def is_idle(who: Numbers) -> bool:
    """Return whether a character can't act: dead, unconscious, or stopped by a wound."""
    return not who[ALIVE] or who[PASSED_OUT] | who[MARKED] | who[STOPPED] != 0


@in_place
def roll_damage(state: State, damage: Damage, log: Log) -> tuple[State, Whole]:
    """Roll a hit's damage. The dice are the game master's and not part of the rules."""
    state, amount = roll_all(state, damage.dice, damage.sides, log)
    return state, max(amount + damage.plus, 1)


# Rounds.


@part
def end_wounds(who: Numbers, book: Book) -> None:
    """End wounds that are over when a round begins, and reopen checks that may be tried again."""
    for place in range(take_out_wounds(who)):
        noted = who[FIELDS + place]
        card, check = noted % NOTE, noted // NOTE
        wound = book.wounds[card]
        over = wound[ENDS] == WITH_ROUND
        if check == FAILED and wound[CHECKED] == ONCE and wound[ENDS] == WITH_CHECK:
            over = not (wound[FAILS] & UNCONSCIOUS and who[PASSED_OUT])
        if over:
            end_wound(who, wound)
        else:
            keep_wound(who, card, OPEN if check == FAILED and wound[CHECKED] == EACH_ROUND else check, wound)


# Between fights.


@in_place
def permanent_wounds(who: Numbers) -> Whole:
    """Return the number of wounds with permanent effects (HJ-19)."""
    return who[FOR_GOOD] & LOW


@in_place
def hinders(who: Numbers) -> Whole:
    """Return the number of these that hinder."""
    return who[FOR_GOOD] >> HINDERS & LOW


@in_place
def permanent_hp_loss(who: Numbers) -> Whole:
    """Return the HP permanently lost from the maximum."""
    return who[FOR_GOOD] >> WORN


@part
def recover_fully(who: Numbers, hp: Whole, pack: Numbers, book: Book) -> None:
    """Heal a living character of everything that isn't permanent (HJ-15 to HJ-19).

    `hp` is its maximum when unhurt.
    """
    who[HP] = max(who[HP], hp - permanent_hp_loss(who), 1)
    who[DOWN] = who[SCORE] = who[BLOOD] = who[TRAUMA] = who[DRAWN] = who[LAST] = who[PASSED_OUT] = 0
    pack[DISCARD] |= who[PILE] | who[BESIDE]
    who[PILE] = who[BESIDE] = 0
    for place in range(take_out_wounds(who)):
        noted = who[FIELDS + place]
        card, check = noted % NOTE, noted // NOTE
        if book.wounds[card, ENDS] == NEVER_ENDS:
            keep_wound(who, card, check, book.wounds[card])
        else:
            end_wound(who, book.wounds[card])


# Damage.


@in_place
def go_down(who: Numbers, pack: Numbers, book: Book) -> Whole:
    """Send a character down; old wounds open (HJ-1, HJ-12). Returns the Blood that moved before that (HJ-11)."""
    who[HP], who[DOWN], who[DRAWN], who[LAST] = 0, 1, 0, 0
    moved = bleed_out(who, pack, book) if book.standing_blood else np.int64(0)
    if who[ALIVE]:
        bleed(who, EACH_OLD_WOUND * who[CHRONIC])
    return moved


@in_place
def bleed_out(who: Numbers, pack: Numbers, book: Book) -> Whole:
    """Move the pool unless that is prevented. Returns the part that still counts after judging (HJ-6, HJ-11)."""
    moved = np.int64(0)
    if not who[PREVENTS]:
        moved = who[BLOOD]
        who[SCORE] += moved
        who[BLOOD] = 0
        if book.each_step:
            judge(who, moved, False, pack, book)
            moved = min(moved, who[SCORE])
    return moved


@in_place
def draw_for_damage(
    state: State,
    who: Numbers,
    moved: Whole,
    instead: Whole,
    mask: Whole,
    deck: Cards,
    pack: Numbers,
    book: Book,
    log: Log,
) -> State:
    """Draw a card, add its value or `instead` (unless NONE), and suffer its wound (HJ-4, HJ-5, HJ-7, HJ-8).

    `moved` is the Blood that moved before. A critical hit on a character that stays up adds no value, and isn't part of
    a time down (HJ-29).
    """
    state, card = draw_wound(state, who, deck, pack, book, log)
    if card == NONE:
        who[SCORE] += max(instead, 0)
        return state  # judged at the end, which is at once
    wound = book.wounds[card]
    if mask & MASK_VALUE:
        if wound[SPECIAL] != LUCKY:
            who[SCORE] += wound[VALUE] if instead == NONE else instead
            if not who[DRAWN]:
                who[SCORE] += EACH_OLD_WOUND * who[LINGERING]
        who[DRAWN] = 1
        lay_down(who, card, wound)
        if book.each_step:
            judge(who, moved, instead != NONE, pack, book)
            moved = min(moved, who[SCORE])
            if not who[ALIVE]:
                return state
    else:
        who[BESIDE] |= 1 << card
    if wound[PLAIN]:
        state, blood = take_wound(state, who, card, mask, pack, book, log)
        who[LAST] = 1
        who[LAST_SUFFERED] = card * 4 + MASK_HARM
        take_harm(who, blood, wound[TRAUMA_OF])
    elif wound[SPECIAL] != LUCKY:
        pack[MOVED], pack[IS_MASSIVE] = moved, instead != NONE
        state, blood, trauma = suffer(state, who, card, mask, deck, pack, book, log)
        take_harm(who, blood, trauma)
    if not mask & MASK_VALUE:
        who[LAST] = 0
    return state


@in_place
def take_harm(who: Numbers, blood: Whole, trauma: Whole) -> None:
    """Add Blood to the pool and raise Trauma to the highest so far (HJ-9, HJ-14)."""
    if not who[ALIVE]:
        return
    bleed(who, blood)
    who[TRAUMA] = max(who[TRAUMA], trauma)

"""Hackjack's deck and wounds as machine code: drawing and suffering (HJ-9, HJ-13, HJ-20, HJ-22 to HJ-27).

See bleeding.py, which builds on this, for the arrays, the rows of characters and the cells of a pack.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from cardhouse.cards import JOKERS, STANDARD, is_red
from cardhouse.engine import Roll
from cardhouse.games.hackjack import thresholds
from cardhouse.games.hackjack.lab.damage import BLED_OUT, BY_CARDS, MASSIVE, C7Policy, cost_of_wound
from cardhouse.games.hackjack.lab.kernels.ahead import Ahead, prefers_other
from cardhouse.games.hackjack.state import HackjackOptions, card_value
from cardhouse.games.hackjack.wounds import chains
from cardhouse.games.hackjack.wounds.chains import FURTHER, EffectMask, ExtraDraws
from cardhouse.games.hackjack.wounds.data import wounds_from
from cardhouse.games.hackjack.wounds.schema import Condition, Special, Wound, is_dice
from cardhouse.lab.kernels.chance import Log, State, draw, roll
from cardhouse.lab.kernels.compiled import in_place, part

lower = in_place(chains.lower)
is_exact, is_too_much = in_place(thresholds.is_exact), in_place(thresholds.is_too_much)

Cards = NDArray[np.uint8]
Numbers = NDArray[np.int64]
Whole = Any
"""An integer of Python or NumPy; the compiler doesn't distinguish them."""

IN_ORDER = (*STANDARD, *JOKERS)
"""The order of cards: each card is its index here."""

CARDS = len(IN_ORDER)
NONE = -1

# The columns of a card in the book.

VALUE, RED, SPECIAL, PLAIN, BLOOD_FIXED, BLOOD_DICE, BLOOD_SIDES, TRAUMA_OF = range(8)
DICE_FROM, DICE_TO, COST, NOTED, COUNTED_IN, ENDS, CHECKED, FAILS, IDLES, LEAVES = range(8, 18)
DRAWS, FURTHER_MASK, ITS_OWN, PERMANENT, WEARS_FROM = range(18, 23)
"""DRAWS, FURTHER_MASK: the number of further cards, and the parts of them that count.

ITS_OWN: whether the wound also has an effect of its own. PERMANENT: its permanent effects, see `HINDERS`; its dice from
WEARS_FROM on are HP lost for good.
"""
COLUMNS = 23

HINDERS, WORN = 16, 32
"""Permanent effects packed in one integer (HJ-19).

The number of wounds; from bit HINDERS on, those that hinder; from bit WORN on, the HP lost from the maximum.
"""
LOW = (1 << HINDERS) - 1

OWN, CHOOSE, BOTH, ANOTHER, PEEK, AGAIN, LUCKY = range(7)
"""SPECIAL: a wound of its own, one that draws or repeats others, a joker."""
SPECIALS: dict[Special | None, int] = {
    "choose": CHOOSE, "both": BOTH, "another": ANOTHER, "peek": PEEK, "again": AGAIN
}  # fmt: skip

OTHERWISE, WITH_ROUND, WITH_CHECK, NEVER_ENDS = range(4)
"""ENDS: how a wound ends, other than by healing."""
PAINS = ("off", "trauma", "death_score")
NO_PAIN, BY_TRAUMA, BY_SCORE = range(3)
"""Indices into `PAINS`, for the book's pain (HJ-29)."""
UNCHECKED, ONCE, EACH_ROUND = range(3)
"""CHECKED: whether a wound asks for a check (HJ-31)."""
UNCONSCIOUS, HELPLESS = 1, 2
"""Conditions that stop a character: FAILS when a check fails, IDLES while the wound lasts, LEAVES after it."""

# The columns of a character. The wounds that matter later follow, then the last wound suffered.

HP, DOWN, ALIVE, SCORE, BLOOD, TRAUMA, PREVENTS, FATE, RESETS, BLED, FLEETING, CHECKS = range(12)
DRAWN, RIBS, CHRONIC, LINGERING, PASSED_OUT, MARKED, STOPPED, PILE, BESIDE, WOUNDS, LAST, SAW, FOR_GOOD = range(12, 25)
"""FLEETING: whether anything may end when a round begins.

CHECKS: the number of open checks. PASSED_OUT, MARKED, STOPPED: conditions from a failed check, an ended wound, and a
current wound. SAW: the last of the pack's PEEKS that it saw. FOR_GOOD: its permanent effects, see `HINDERS`.
"""
FIELDS = 25
MOST_WOUNDS = 60
MOST_SUFFERED = 240
LAST_SUFFERED = FIELDS + MOST_WOUNDS
PERSON = LAST_SUFFERED + MOST_SUFFERED

COUNTS: dict[Special | None, int] = {"red_cards": RIBS, "chronic": CHRONIC, "first_card": LINGERING}

QUIET, OPEN, FAILED = range(3)
"""The state of a wound's check. A wound is noted as its card + NOTE * this."""
NOTE = 64

# A suffered wound is a row of numbers: a card's own wound as card * 4 + the parts that count, and after the parts of a
# compound one, SUM or LOWER + their number (HJ-23, HJ-26).

MASK_BLOOD, MASK_TRAUMA, MASK_VALUE = 1, 2, 4
MASK_HARM, MASK_ALL = np.int64(MASK_BLOOD | MASK_TRAUMA), np.int64(MASK_BLOOD | MASK_TRAUMA | MASK_VALUE)
SUM, LOWER = np.int64(256), np.int64(512)
"""Typed, because Numba would compile a separate version of a function for each literal int."""

# The cells of a pack.

LEFT, TOP, DISCARD, TOO_LONG, WRITTEN, HARMS, TASKS, MOVED, IS_MASSIVE, PEEKS, DEALT, SHUFFLES = range(12)
"""MOVED, IS_MASSIVE: facts about the current damage that `judge` needs.

PEEKS: the number of looks at a next card (HJ-25). DEALT: the cards drawn so far. SHUFFLES: how often the deck has run
out (HJ-20).
"""
SUFFERED = 12
BLOODS = SUFFERED + MOST_SUFFERED
TRAUMAS = BLOODS + MOST_SUFFERED
TO_DO = TRAUMAS + MOST_SUFFERED
MOST_TASKS = 120
PACK = TO_DO + 2 * MOST_TASKS


class Book(NamedTuple):
    """The rules of a table.

    `wounds` has a row of COLUMNS for each card. `dice` has the sides of dice that decide nothing here, such as which
    arm, but must be rolled. `cards` is the number of cards; `limit` and `massive` are thresholds; switches are 0 or 1.
    `ahead` has the tables for looking ahead.
    """

    wounds: Numbers
    dice: Numbers
    cards: int
    limit: int
    massive: int
    draw_at_zero: int
    return_cards: int
    critical_draw: int
    each_step: int
    standing_blood: int
    lower_given: int
    pain: int
    c7_is_foreseen: int
    ahead: Ahead


def book_of(options: HackjackOptions, c7: C7Policy, known: Ahead) -> Book:
    """Return the rules of a table with these options, the policy for C7, and the tables for looking ahead.

    Raises CardhouseError for an invalid wound.
    """
    # Copy for each book, because threads that count references to the same arrays slow each other down.
    wounds, dice = (table.copy() for table in _tables(msgspec.json.encode(options.wounds), c7))
    return Book(
        wounds,
        dice,
        CARDS if options.jokers else len(STANDARD),
        options.limit,
        options.massive_damage,
        int(options.draw_at_zero),
        int(options.return_cards),
        int(options.critical_draw),
        int(options.judged == "each_step"),
        int(options.standing_blood),
        int(options.jack_of_clubs == "lower_given"),
        PAINS.index(options.pain),
        int(c7 == "best"),
        known,
    )


@lru_cache(16)
def _tables(own_wounds: bytes, c7: C7Policy) -> tuple[Numbers, Numbers]:
    """Return a book's arrays for a table's own wounds, given as JSON."""
    found = wounds_from(msgspec.json.decode(own_wounds))
    wounds, dice = np.zeros((CARDS, COLUMNS), np.int64), list[int]()
    wounds[:, VALUE] = [card_value(card) for card in IN_ORDER]
    wounds[:, RED] = [is_red(card) for card in IN_ORDER]
    wounds[:, COUNTED_IN] = NONE
    for number, card in enumerate(IN_ORDER):
        if card in JOKERS:
            wounds[number, SPECIAL] = LUCKY
        else:
            _write_wound(wounds[number], dice, found[card], c7)
    return wounds, np.array(dice, np.int64)


def _write_wound(row: Numbers, dice: list[int], wound: Wound, c7: C7Policy) -> None:
    row[SPECIAL] = SPECIALS.get(wound.special, OWN)
    row[PLAIN] = row[SPECIAL] == OWN
    further = FURTHER.get(wound.special, ExtraDraws(0, EffectMask(), own=True))
    row[DRAWS], row[FURTHER_MASK], row[ITS_OWN] = further.cards, _mask_bits(further.mask), further.own
    if is_dice(wound.blood):
        row[[BLOOD_DICE, BLOOD_SIDES]] = Roll(str(wound.blood)).count_and_sides()
    else:
        row[BLOOD_FIXED] = wound.blood
    row[TRAUMA_OF] = wound.trauma
    row[COST] = cost_of_wound(wound, c7)
    row[DICE_FROM] = len(dice)
    for amount in (*(detail.dice for detail in wound.details), *wound.drops.values(), wound.max_hp):
        if is_dice(amount):
            count, sides = Roll(str(amount)).count_and_sides()
            dice += [sides] * count
    row[DICE_TO] = row[WEARS_FROM] = len(dice)
    row[PERMANENT] = wound.has_permanent_effect + (wound.hinders_permanently << HINDERS)
    if is_dice(wound.max_hp):
        row[WEARS_FROM] -= Roll(str(wound.max_hp)).count_and_sides()[0]
    else:
        row[PERMANENT] += int(wound.max_hp) << WORN
    row[COUNTED_IN] = COUNTS.get(wound.special, NONE)
    how = {"round": WITH_ROUND, "check": WITH_CHECK, "permanent": NEVER_ENDS}
    row[ENDS] = how.get(wound.ends, OTHERWISE)
    if wound.check is not None:
        row[CHECKED] = EACH_ROUND if wound.check.each_round else ONCE
        row[FAILS] = _idleness(wound.check.failed)
    row[IDLES] = _idleness(*wound.conditions)
    row[LEAVES] = _idleness(*wound.lasting.conditions) if wound.lasting is not None else 0
    row[NOTED] = bool(row[COUNTED_IN] != NONE or row[[CHECKED, IDLES, LEAVES]].any())


def _mask_bits(mask: EffectMask) -> int:
    return MASK_BLOOD * mask.blood | MASK_TRAUMA * mask.trauma | MASK_VALUE * mask.value


def _idleness(*conditions: Condition) -> int:
    return UNCONSCIOUS * ("unconscious" in conditions) | HELPLESS * ("helpless" in conditions)


# The deck.


@in_place
def roll_all(state: State, count: Whole, sides: Whole, log: Log) -> tuple[State, Whole]:
    """Roll dice and return their sum."""
    total = np.int64(0)
    while count > 0:
        state, face = roll(state, sides, log)
        total += face
        count -= 1
    return state, total


@in_place
def bleed(who: Numbers, blood: Whole) -> None:
    """Add Blood to the pool (HJ-9)."""
    who[BLOOD] += blood
    who[BLED] += blood


@in_place
def next_card(state: State, deck: Cards, pack: Numbers, log: Log) -> tuple[State, Whole]:
    """Return the card that was looked at, else one of the deck, else one of the discard; NONE if none is left."""
    card = pack[TOP]
    if card != NONE:
        pack[TOP] = NONE
        return state, card
    if pack[LEFT] == 0:
        if pack[DISCARD] == 0:
            return state, np.int64(NONE)
        shuffle_in(pack[DISCARD], deck, pack)
        pack[DISCARD] = 0
        pack[SHUFFLES] += 1
    state, drawn = draw(state, deck, pack[LEFT], log)
    pack[LEFT] -= 1
    pack[DEALT] += 1
    return state, np.int64(drawn)


@part
def shuffle_in(cards: Whole, deck: Cards, pack: Numbers) -> None:
    """Put these cards, a bit for each, into the deck."""
    for card in range(CARDS):
        if cards >> card & 1:
            deck[pack[LEFT]] = card
            pack[LEFT] += 1


@in_place
def draw_wound(state: State, who: Numbers, deck: Cards, pack: Numbers, book: Book, log: Log) -> tuple[State, Whole]:
    """Draw the next card for a character. A red one adds Blood with broken ribs (HJ-13, HJ-20)."""
    state, card = next_card(state, deck, pack, log)
    if who[RIBS] and card != NONE and book.wounds[card, RED]:
        bleed(who, who[RIBS])
    return state, card


@part
def draw_beside(state: State, who: Numbers, deck: Cards, pack: Numbers, book: Book, log: Log) -> tuple[State, Whole]:
    """Draw a card that adds no value (HJ-20)."""
    state, card = draw_wound(state, who, deck, pack, book, log)
    if card != NONE:
        who[BESIDE] |= 1 << card
    return state, card


@in_place
def lay_down(who: Numbers, card: Whole, wound: Numbers) -> None:
    """Add a card to the pile, or beside it if it has no value."""
    who[PILE if wound[VALUE] else BESIDE] |= 1 << card


@part
def put_back(who: Numbers, deck: Cards, pack: Numbers, book: Book) -> None:
    """Discard the cards beside the pile of a character that is up (HJ-20). With `return_cards` shuffle in all cards."""
    if not who[DOWN]:
        pack[DISCARD] |= who[BESIDE]
        who[BESIDE] = 0
    if book.return_cards:
        shuffle_in(who[PILE] | who[BESIDE] | pack[DISCARD], deck, pack)
        who[PILE] = who[BESIDE] = pack[DISCARD] = 0


@part
def peek(state: State, who: Numbers, deck: Cards, pack: Numbers, book: Book, log: Log) -> State:
    """Look at the next card, which is then known and stays on top (HJ-25)."""
    if book.return_cards:
        put_back(who, deck, pack, book)
    state, card = next_card(state, deck, pack, log)
    pack[TOP] = card
    pack[PEEKS] += 1
    who[SAW] = pack[PEEKS]
    return state


@part
def judge(who: Numbers, moved: Whole, massive: bool, pack: Numbers, book: Book) -> None:
    """Kill above the limit; at exactly the limit reset the death-score to 0 (HJ-6). `moved` is the Blood that moved."""
    if is_exact(who[SCORE], book.limit):
        who[SCORE] = 0
        who[RESETS] += 1
        pack[DISCARD] |= who[PILE]
        who[PILE] = pack[MOVED] = 0
    elif is_too_much(who[SCORE], book.limit):
        who[ALIVE] = 0
        if massive:
            who[FATE] = MASSIVE
        else:
            who[FATE] = BY_CARDS if is_too_much(who[SCORE] - moved, book.limit) else BLED_OUT


# Wounds.


@in_place
def take_wound(
    state: State, who: Numbers, card: Whole, mask: Whole, pack: Numbers, book: Book, log: Log
) -> tuple[State, Whole]:
    """Suffer a card's own wound and roll all its dice. Returns its Blood, if that counts."""
    wound = book.wounds[card]
    who[FOR_GOOD] += wound[PERMANENT]
    for place in range(wound[DICE_FROM], wound[DICE_TO]):
        state, face = roll(state, book.dice[place], log)
        if place >= wound[WEARS_FROM]:
            who[FOR_GOOD] += face << WORN
    if wound[NOTED]:
        note_wound(who, card, wound, pack)
    blood = np.int64(0)
    if mask & MASK_BLOOD:
        blood = wound[BLOOD_FIXED]
        if wound[BLOOD_DICE]:
            state, blood = roll_all(state, wound[BLOOD_DICE], wound[BLOOD_SIDES], log)
    return state, blood


@part
def note_wound(who: Numbers, card: Whole, wound: Numbers, pack: Numbers) -> None:
    """Record a wound that matters later."""
    if wound[COUNTED_IN] != NONE:
        who[wound[COUNTED_IN]] += 1
    if who[WOUNDS] == MOST_WOUNDS:
        pack[TOO_LONG] = 1
        return
    who[FLEETING] |= wound[ENDS] == WITH_ROUND
    keep_wound(who, card, OPEN if wound[CHECKED] else QUIET, wound)


@in_place
def keep_wound(who: Numbers, card: Whole, check: Whole, wound: Numbers) -> None:
    """Append a wound whose check has this state."""
    who[FIELDS + who[WOUNDS]] = card + NOTE * check
    who[WOUNDS] += 1
    who[CHECKS] += check == OPEN
    who[STOPPED] |= wound[IDLES] | (wound[FAILS] & HELPLESS if check == FAILED else 0)


@in_place
def take_out_wounds(who: Numbers) -> Whole:
    """Return the number of wounds and clear the list. The caller keeps each wound that stays."""
    wounds = who[WOUNDS]
    who[WOUNDS] = who[CHECKS] = who[STOPPED] = 0
    return wounds


@part
def end_wound(who: Numbers, wound: Numbers) -> None:
    """End a wound; its permanent effects stay (HJ-18, HJ-19)."""
    if wound[COUNTED_IN] != NONE:
        who[wound[COUNTED_IN]] -= 1
    who[MARKED] |= wound[LEAVES]


@part
def suffer(
    state: State, who: Numbers, card: Whole, mask: Whole, deck: Cards, pack: Numbers, book: Book, log: Log
) -> tuple[State, Whole, Whole]:
    """Suffer a card's wound as far as `mask` allows. Returns its Blood and Trauma (HJ-22 to HJ-27).

    The pack holds a stack of tasks, either to suffer a card or to combine what was suffered from the cards it drew. It
    also holds what was suffered, and the harm done.
    """
    pack[WRITTEN] = pack[HARMS] = pack[TASKS] = 0
    add_task(pack, card, mask)
    while pack[TASKS] > 0 and not pack[TOO_LONG]:
        pack[TASKS] -= 1
        task = pack[TO_DO + 2 * pack[TASKS]]
        then = pack[TO_DO + 2 * pack[TASKS] + 1]
        if task < NOTE:
            state = begin_wound(state, who, task, then, deck, pack, book, log)
        else:
            state = finish_wound(state, who, task % NOTE, task // NOTE - 1, then, deck, pack, book, log)
    if pack[TOO_LONG]:
        return state, np.int64(0), np.int64(0)
    return state, pack[BLOODS], pack[TRAUMAS]


@in_place
def begin_wound(
    state: State, who: Numbers, card: Whole, mask: Whole, deck: Cards, pack: Numbers, book: Book, log: Log
) -> State:
    """Suffer a wound except for the cards that it draws. These, up to two, become the next tasks."""
    wound, begin = book.wounds[card], pack[WRITTEN]
    bends, within = wound[SPECIAL], mask & wound[FURTHER_MASK]
    one = two = np.int64(NONE)
    if bends == AGAIN and who[LAST]:
        for place in range(who[LAST]):
            append_suffered(pack, masked(who[LAST_SUFFERED + place], mask))
    elif wound[DRAWS] and bends != ANOTHER:
        state, one = draw_beside(state, who, deck, pack, book, log)
        if wound[DRAWS] == 2:
            state, two = draw_beside(state, who, deck, pack, book, log)
        if bends == CHOOSE:
            if two != NONE and is_chosen(who, one, two, book):
                one = two
            two = np.int64(NONE)
    if wound[ITS_OWN]:
        append_suffered(pack, masked(card * 4 + MASK_HARM, mask))
    state = suffer_again(state, who, begin, deck, pack, book, log)
    if bends == ANOTHER:
        state, one = draw_another(state, who, within, deck, pack, book, log)
        if not who[ALIVE]:
            pack[TASKS] = 0
            return state
    add_task(pack, card + NOTE * (1 + (one != NONE) + (two != NONE)), begin)
    if two != NONE:
        add_task(pack, two, within)
    if one != NONE:
        add_task(pack, one, within)
    return state


@in_place
def is_chosen(who: Numbers, one: Whole, other: Whole, book: Book) -> bool:
    """Return whether the other of two wounds is chosen (HJ-22)."""
    if book.c7_is_foreseen:
        return prefers_other(who[SCORE], who[BLOOD], one, other, book.ahead)
    return book.wounds[other, COST] < book.wounds[one, COST]  # type: ignore[no-any-return]


@in_place
def finish_wound(
    state: State,
    who: Numbers,
    card: Whole,
    parts: Whole,
    begin: Whole,
    deck: Cards,
    pack: Numbers,
    book: Book,
    log: Log,
) -> State:
    """Record a wound and those of the `parts` cards it drew as the last wound suffered."""
    bends = book.wounds[card, SPECIAL]
    if bends == BOTH:
        append_suffered(pack, LOWER + parts)
        combine_harms(pack, LOWER + parts, book)
    elif parts > 0 and bends in (ANOTHER, AGAIN):
        if bends == AGAIN:
            end = pack[WRITTEN]
            for place in range(begin, end):
                append_suffered(pack, pack[SUFFERED + place])
            state = suffer_again(state, who, end, deck, pack, book, log)
        append_suffered(pack, SUM + 2)
        combine_harms(pack, SUM + 2, book)
    elif pack[WRITTEN] == begin:
        append_suffered(pack, SUM)
        combine_harms(pack, SUM, book)
    if bends != LUCKY:
        who[LAST] = pack[WRITTEN] - begin
        for place in range(who[LAST]):
            who[LAST_SUFFERED + place] = pack[SUFFERED + begin + place]
    return state


@part
def add_task(pack: Numbers, task: Whole, then: Whole) -> None:
    """Push a task: a card to suffer with the parts that count, or the end of a wound that began at `then`."""
    if pack[TASKS] == MOST_TASKS:
        pack[TOO_LONG] = 1
        return
    pack[TO_DO + 2 * pack[TASKS]] = task
    pack[TO_DO + 2 * pack[TASKS] + 1] = then
    pack[TASKS] += 1


@part
def draw_another(
    state: State, who: Numbers, mask: Whole, deck: Cards, pack: Numbers, book: Book, log: Log
) -> tuple[State, Whole]:
    """Draw the further card of SQ, with its value if that counts (HJ-24)."""
    state, card = draw_wound(state, who, deck, pack, book, log)
    if card != NONE:
        if mask & MASK_VALUE:
            who[SCORE] += book.wounds[card, VALUE]
            lay_down(who, card, book.wounds[card])
            if book.each_step:
                judge(who, pack[MOVED], bool(pack[IS_MASSIVE]), pack, book)
        else:
            who[BESIDE] |= 1 << card
    return state, card


@part
def append_suffered(pack: Numbers, suffered: Whole) -> None:
    """Append one number to what was suffered."""
    if pack[WRITTEN] == MOST_SUFFERED:
        pack[TOO_LONG] = 1
        return
    pack[SUFFERED + pack[WRITTEN]] = suffered
    pack[WRITTEN] += 1


@in_place
def masked(suffered: Whole, mask: Whole) -> Whole:
    """Return it with only the parts that `mask` allows."""
    return suffered if suffered >= SUM else suffered & (~3 | mask)


@part
def suffer_again(state: State, who: Numbers, begin: Whole, deck: Cards, pack: Numbers, book: Book, log: Log) -> State:
    """Suffer again what the pack holds from `begin` on, with its dice rerolled, and add its harm (HJ-26)."""
    for place in range(begin, pack[WRITTEN]):
        suffered = pack[SUFFERED + place]
        if pack[TOO_LONG]:
            return state
        if suffered >= SUM:
            combine_harms(pack, suffered, book)
            continue
        card, mask = suffered // 4, suffered % 4
        state, blood = take_wound(state, who, card, mask, pack, book, log)
        add_harm(pack, blood, book.wounds[card, TRAUMA_OF] if mask & MASK_TRAUMA else 0)
        if book.wounds[card, SPECIAL] == PEEK:
            state = peek(state, who, deck, pack, book, log)
    return state


@part
def add_harm(pack: Numbers, blood: Whole, trauma: Whole) -> None:
    """Append one harm. There are never more harms than wounds suffered."""
    pack[BLOODS + pack[HARMS]] = blood
    pack[TRAUMAS + pack[HARMS]] = trauma
    pack[HARMS] += 1


@part
def combine_harms(pack: Numbers, suffered: Whole, book: Book) -> None:
    """Combine the latest harms into one: all Blood and the highest Trauma, or the lower of two (HJ-23)."""
    parts = suffered - (LOWER if suffered >= LOWER else SUM)
    if pack[TOO_LONG]:
        return
    pack[HARMS] -= parts
    one, other = pack[HARMS], pack[HARMS] + 1
    blood: Whole = np.int64(0)
    trauma: Whole = np.int64(0)
    if suffered >= LOWER and parts > 0:
        both = parts == 2
        blood = lower(pack[BLOODS + one], pack[BLOODS + other] if both else 0, book.lower_given)
        trauma = lower(pack[TRAUMAS + one], pack[TRAUMAS + other] if both else 0, book.lower_given)
    elif suffered < LOWER:
        for part in range(pack[HARMS], pack[HARMS] + parts):
            blood += pack[BLOODS + part]
            trauma = max(trauma, pack[TRAUMAS + part])
    add_harm(pack, blood, trauma)

"""Chance inside kernels: numbers that depend on nothing but the seed, the trial, and how many came before.

The n-th number of a trial is a mix of the trial's key and n, as in the generator SplitMix64 (Steele, Lea and Flood,
"Fast splittable pseudorandom number generators", 2014). A generator is its state; each function takes it and gives the
next along with its result, so that it lives in registers. The next number is in it already: a processor mixes it while
it waits for what the one before decides.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardhouse.lab.kernels.compiled import INTERPRETED, compiled

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST = np.uint64(0xBF58476D1CE4E5B9)
SECOND = np.uint64(0x94D049BB133111EB)
HALF = np.uint64(0xFFFFFFFF)
BITS_30, BITS_27, BITS_31, BITS_32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)

State = tuple[np.uint64, np.uint64]
"""What was added up so far, and what that is when mixed: the next number."""
NO_CHANCE: State = np.uint64(0), np.uint64(0)
"""The generator where all has been dealt, so that nothing is drawn."""
Whole = int | np.integer[Any]
Log = NDArray[np.int16] | None

if INTERPRETED:  # a number that grows too large for its 64 bits begins anew, as is meant here, without a warning
    np.seterr(over="ignore")


@compiled
def mixed(number: np.uint64) -> np.uint64:
    """All bits of a number stirred, so that neighbours have nothing in common."""
    number = (number ^ (number >> BITS_30)) * FIRST
    number = (number ^ (number >> BITS_27)) * SECOND
    return number ^ (number >> BITS_31)


@compiled
def key(seed: int, trial: int) -> np.uint64:
    """The key of a trial. Seeds and trials are whole numbers from 0 to 2**63 - 1."""
    return mixed(mixed(np.uint64(seed) + GOLDEN) ^ (np.uint64(trial) * FIRST + SECOND))


@compiled
def after(total: np.uint64) -> State:
    """The state that follows where so much was added up; where that is a key, the first."""
    total += GOLDEN
    return total, mixed(total)


@compiled
def stream(seed: int, trial: int) -> State:
    """The generator of a trial."""
    return after(key(seed, trial))


@compiled
def below(state: State, outcomes: int) -> tuple[State, np.int64]:
    """One of so many equally likely outcomes, 0 to `outcomes - 1`, without bias (Lemire's method); 1 to 2**31."""
    many = np.uint64(outcomes)
    total, number = state
    product = (number >> BITS_32) * many
    total, number = after(total)
    if product & HALF < many:
        least = (HALF + np.uint64(1) - many) % many
        while product & HALF < least:
            product = (number >> BITS_32) * many
            total, number = after(total)
    return (total, number), np.int64(product >> BITS_32)


@compiled
def draw(state: State, deck: NDArray[np.uint8], left: int, log: Log) -> tuple[State, np.uint8]:
    """A card of the first `left` of a deck, which changes places with the last of them; call with one fewer next time.

    The drawn cards so stand behind, the latest first.
    """
    state, place = below(state, left)
    card = deck[place]
    deck[place] = deck[left - 1]
    deck[left - 1] = card
    note(log, card)
    return state, card


@compiled
def roll(state: State, sides: int, log: Log) -> tuple[State, np.int64]:
    """One die, 1 to `sides`."""
    state, face = below(state, sides)
    note(log, face + 1)
    return state, face + 1


@compiled
def note(log: Log, outcome: Whole) -> None:
    """Write down what chance gave, if it is wanted: `log[0]` counts what follows it.

    A card is its number in the deck as the kernel was given it, a roll of several dice the face of each.
    Of what has no room left only the count is kept.
    """
    if log is not None:
        log[0] += 1
        if log[0] < log.size:
            log[log[0]] = outcome

"""Chance inside kernels: numbers that depend on nothing but the seed, the trial, and how many came before.

The n-th number of a trial is a mix of the trial's key and n, as in the generator SplitMix64 (Steele, Lea and Flood,
"Fast splittable pseudorandom number generators", 2014). A generator is its state, one uint64; each function takes it
and gives the next along with its result, so that it lives in a register.
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

State = np.uint64
Whole = int | np.integer[Any]
Log = NDArray[np.int16] | None

if INTERPRETED:  # a number that grows too large for its 64 bits begins anew, as is meant here, without a warning
    np.seterr(over="ignore")


@compiled
def mixed(number: State) -> State:
    """All bits of a number stirred, so that neighbours have nothing in common."""
    number = (number ^ (number >> BITS_30)) * FIRST
    number = (number ^ (number >> BITS_27)) * SECOND
    return number ^ (number >> BITS_31)


@compiled
def stream(seed: int, trial: int) -> State:
    """The generator of a trial. Seeds and trials are whole numbers from 0 to 2**63 - 1."""
    return mixed(mixed(np.uint64(seed) + GOLDEN) ^ (np.uint64(trial) * FIRST + SECOND))


@compiled
def below(state: State, outcomes: int) -> tuple[State, np.int64]:
    """One of so many equally likely outcomes, 0 to `outcomes - 1`, without bias (Lemire's method); 1 to 2**31."""
    many = np.uint64(outcomes)
    state += GOLDEN
    product = (mixed(state) >> BITS_32) * many
    if product & HALF < many:
        least = (HALF + np.uint64(1) - many) % many
        while product & HALF < least:
            state += GOLDEN
            product = (mixed(state) >> BITS_32) * many
    return state, np.int64(product >> BITS_32)


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

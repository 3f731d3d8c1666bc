"""Chance inside kernels: numbers that depend only on the seed, the trial, and how many came before.

The n-th number of a trial mixes the trial's key with n, as in the generator SplitMix64 (Steele, Lea and Flood, "Fast
splittable pseudorandom number generators", 2014). Each function takes the generator's state and returns the next one
with its result, so that it stays in registers. The state already contains the next number: the processor mixes it while
waiting for what depends on the previous one.
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
"""The running sum, and its mixed value: the next number."""
NO_CHANCE: State = np.uint64(0), np.uint64(0)
"""The generator once everything has been dealt and nothing is drawn."""
Whole = int | np.integer[Any]
Log = NDArray[np.int16] | None

if INTERPRETED:  # 64-bit overflow is intended here, so it needs no warning
    np.seterr(over="ignore")


@compiled
def mixed(number: np.uint64) -> np.uint64:
    """Mix all bits of a number, so that neighbours become unrelated."""
    number = (number ^ (number >> BITS_30)) * FIRST
    number = (number ^ (number >> BITS_27)) * SECOND
    return number ^ (number >> BITS_31)


@compiled
def key(seed: int, trial: int) -> np.uint64:
    """Return the key of a trial. Seeds and trials are integers from 0 to 2**63 - 1."""
    return mixed(mixed(np.uint64(seed) + GOLDEN) ^ (np.uint64(trial) * FIRST + SECOND))


@compiled
def after(total: np.uint64) -> State:
    """Return the state after this sum; for a key, the first state."""
    total += GOLDEN
    return total, mixed(total)


@compiled
def stream(seed: int, trial: int) -> State:
    """Return the generator of a trial."""
    return after(key(seed, trial))


@compiled
def below(state: State, outcomes: int) -> tuple[State, np.int64]:
    """Return one of `outcomes` equally likely values, 0 to `outcomes - 1`, without bias (Lemire's method).

    Up to 2**31.
    """
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
    """Draw one of the first `left` cards of a deck, swapping it with the last of them; next time, pass one fewer.

    The drawn cards thus end up behind, the latest first.
    """
    state, place = below(state, left)
    card = deck[place]
    deck[place] = deck[left - 1]
    deck[left - 1] = card
    note(log, card)
    return state, card


@compiled
def roll(state: State, sides: int, log: Log) -> tuple[State, np.int64]:
    """Roll one die, 1 to `sides`."""
    state, face = below(state, sides)
    note(log, face + 1)
    return state, face + 1


@compiled
def note(log: Log, outcome: Whole) -> None:
    """Log an outcome of chance, if there is a log: `log[0]` counts the entries after it.

    A card is its number in the deck as passed to the kernel; a roll of several dice is one entry for each face. Entries
    beyond the end are only counted.
    """
    if log is not None:
        log[0] += 1
        if log[0] < log.size:
            log[log[0]] = outcome

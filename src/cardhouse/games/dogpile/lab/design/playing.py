"""The properties of a deck: its chances of contact by counting, its packs and hard cards by playing."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cardhouse.cards import Card
from cardhouse.games.dogpile.deck import DogDeck
from cardhouse.games.dogpile.lab.design.wanted import Wanted
from cardhouse.games.dogpile.lab.kernels.contacts import ABOVE, BESIDE
from cardhouse.games.dogpile.lab.kernels.rounds import HELD, LAID
from cardhouse.games.dogpile.lab.questions import Hard, Silence
from cardhouse.games.dogpile.lab.single_rounds import wild_of
from cardhouse.games.dogpile.lab.tables import dogs_for
from cardhouse.lab.questions.question import share
from cardhouse.lab.statistics.estimate import Estimate, estimate

if TYPE_CHECKING:
    from numpy.typing import NDArray

Data = Mapping[str, Any]
AT_ONCE = 20_000
"""The number of rounds by card that are held in memory."""


class Contacts(NamedTuple):
    """The chances that two random cards of a deck may touch: side by side, one above the other, both, either."""

    beside: Fraction
    above: Fraction
    both: Fraction
    either: Fraction


def contacts_of(deck: DogDeck) -> Contacts:
    """Return a deck's chances of contact, counted over all pairs.

    A wild card counts all its values.
    """
    touch = dogs_for(deck, tuple(deck.cards)).touch[np.triu_indices(len(deck.cards), 1)]
    beside, above = touch >> BESIDE & 1, touch >> ABOVE & 1
    counts = (beside.sum(), above.sum(), (beside & above).sum(), (beside | above).sum())
    return Contacts(*(Fraction(int(count), touch.size) for count in counts))


def silence_of(data: Data, wanted: Wanted, players: int) -> Silence:
    """Return the question about the packs that this many players build of a deck."""
    return Silence(**_settings(data, wanted, players))


def _settings(data: Data, wanted: Wanted, players: int) -> dict[str, Any]:
    return {
        "players": players, "hand_size": wanted.hand_size, "passing": wanted.passing, "bot": wanted.bot,
        "deck": dict(data),
    }  # fmt: skip


def measure_packs(data: Data, wanted: Wanted, seed: int, rounds: int) -> tuple[float, float]:
    """Return the mean number of dogs that join in a round, and its standard error.

    `rounds` is the total for all numbers of players. Decks of the same size get the same deals, which reduces the
    variance of their difference.
    """
    each = rounds // len(wanted.players)
    dogs = [silence_of(data, wanted, players).rows(seed, 0, each)[:, 0] for players in wanted.players]
    means, variances = [float(some.mean()) for some in dogs], [float(some.var()) for some in dogs]
    return sum(means) / len(means), sqrt(sum(variances) / each) / len(dogs)


class Hardest(NamedTuple):
    """The plain card that is laid least often by players who hold it in their turn, and its share."""

    card: Card
    players: int
    laid: Estimate


def count_laid(
    data: Data, wanted: Wanted, players: int, seed: int, first: int, rounds: int
) -> dict[Card, tuple[int, int]]:
    """Return for each plain card how often it was laid, and how often a player with a turn held it."""
    question = Hard(**_settings(data, wanted, players))
    plain = len(question.cards) - len(wild_of(question.dogs, question.cards))
    found: NDArray[np.int64] = np.zeros((2, plain), np.int64)
    for begin in range(first, first + rounds, AT_ONCE):
        states = question.rows(seed, begin, min(AT_ONCE, first + rounds - begin))[:, 2 : 2 + plain]
        found += [(states == LAID).sum(axis=0), (states >= HELD).sum(axis=0)]
    return {card: (laid, held) for card, laid, held in zip(question.cards, *found.tolist(), strict=False)}


def hardest_of(data: Data, wanted: Wanted, seed: int, rounds: int) -> Hardest:
    """Return the hardest card for any of these numbers of players.

    The minimum of 150 nearly equal shares is biased downward. So the card is selected on the first half of the rounds,
    and its share is estimated on the other half.
    """
    found = []
    half = rounds // (2 * len(wanted.players))
    for players in wanted.players:
        laid = count_laid(data, wanted, players, seed, 0, half)
        card = min(laid, key=lambda card: laid[card][0] / max(1, laid[card][1]))
        found.append((laid[card][0] / max(1, laid[card][1]), players, card))
    _, players, card = min(found)
    return Hardest(card, players, share_of(*count_laid(data, wanted, players, seed, half, half)[card]))


def share_of(some: int, of: int, confidence: float = 0.95) -> Estimate:
    """Return a share with its interval."""
    return estimate(share("", "", "", 1, 1), np.array([of - some, some]), confidence)

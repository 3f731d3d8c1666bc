"""What a deck does: its chances of contact, counted, and the packs and hard cards of it, played."""

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
"""So many rounds of single cards are held in memory."""


class Contacts(NamedTuple):
    """The chances that two cards of a deck, any two, may touch: side by side, one above the other, both, either."""

    beside: Fraction
    above: Fraction
    both: Fraction
    either: Fraction


def contacts_of(deck: DogDeck) -> Contacts:
    """The chances of contact of a deck, counted over all pairs; a wild card touches what any of its values touches."""
    touch = dogs_for(deck, tuple(deck.cards)).touch[np.triu_indices(len(deck.cards), 1)]
    beside, above = touch >> BESIDE & 1, touch >> ABOVE & 1
    counts = (beside.sum(), above.sum(), (beside & above).sum(), (beside | above).sum())
    return Contacts(*(Fraction(int(count), touch.size) for count in counts))


def silence_of(data: Data, wanted: Wanted, players: int) -> Silence:
    """The question what is built of a deck by so many."""
    return Silence(**_settings(data, wanted, players))


def _settings(data: Data, wanted: Wanted, players: int) -> dict[str, Any]:
    return {
        "players": players, "hand_size": wanted.hand_size, "passing": wanted.passing, "bot": wanted.bot,
        "deck": dict(data),
    }  # fmt: skip


def packs(data: Data, wanted: Wanted, seed: int, rounds: int) -> tuple[float, float]:
    """The mean number of dogs that join in a round, and its standard error; so many rounds for all numbers of players.

    Decks of as many cards are dealt alike, so that what two have in common cancels out in the difference.
    """
    each = rounds // len(wanted.players)
    dogs = [silence_of(data, wanted, players).rows(seed, 0, each)[:, 0] for players in wanted.players]
    means, variances = [float(some.mean()) for some in dogs], [float(some.var()) for some in dogs]
    return sum(means) / len(means), sqrt(sum(variances) / each) / len(dogs)


class Hardest(NamedTuple):
    """The plain card that is laid least often by those who hold it in their turn, and how often that is."""

    card: Card
    players: int
    laid: Estimate


def laid_of_held(
    data: Data, wanted: Wanted, players: int, seed: int, first: int, rounds: int
) -> dict[Card, tuple[int, int]]:
    """Of each plain card how often it was laid, and how often somebody had it who had a turn."""
    question = Hard(**_settings(data, wanted, players))
    plain = len(question.cards) - len(wild_of(question.dogs, question.cards))
    found: NDArray[np.int64] = np.zeros((2, plain), np.int64)
    for begin in range(first, first + rounds, AT_ONCE):
        what = question.rows(seed, begin, min(AT_ONCE, first + rounds - begin))[:, 2 : 2 + plain]
        found += [(what == LAID).sum(axis=0), (what >= HELD).sum(axis=0)]
    return {card: (laid, held) for card, laid, held in zip(question.cards, *found.tolist(), strict=False)}


def hardest_of(data: Data, wanted: Wanted, seed: int, rounds: int) -> Hardest:
    """The hardest card for any of these numbers of players.

    Of 150 cards about equally hard the one that was laid least was unlucky, too. So the card is found in the first half
    of the rounds, and how often it is laid is told by the other half.
    """
    found = []
    half = rounds // (2 * len(wanted.players))
    for players in wanted.players:
        laid = laid_of_held(data, wanted, players, seed, 0, half)
        card = min(laid, key=lambda card: laid[card][0] / max(1, laid[card][1]))
        found.append((laid[card][0] / max(1, laid[card][1]), players, card))
    _, players, card = min(found)
    return Hardest(card, players, share_of(*laid_of_held(data, wanted, players, seed, half, half)[card]))


def share_of(some: int, of: int, confidence: float = 0.95) -> Estimate:
    """A share with its interval."""
    return estimate(share("", "", "", 1, 1), np.array([of - some, some]), confidence)

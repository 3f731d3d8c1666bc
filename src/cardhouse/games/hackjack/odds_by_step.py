"""The exact odds of the next hit where the death-score is judged at each step (HJ-6).

Then it matters in which order values come: what makes exactly the limit returns to 0 before the next one counts, and
the cards of the pile go to the discard, where they may be drawn again once the deck has run out. So all ways of the
cards that count are gone, one after another; those that do the same are one way.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from cardhouse.cards import Card, is_joker
from cardhouse.games.hackjack.state import card_value

Piles = tuple[tuple[Card, ...], ...]
Ends = dict[tuple[int, bool], Fraction]
"""How likely each death-score is at the end, and whether the limit was hit exactly on the way."""


class Hit(NamedTuple):
    """What is the same all through a hit: the limit, and the cards that have another drawn at once (HJ-24).

    The first card counts `instead` of its value if that isn't None, and the `bonus` of old wounds beside it.
    """

    limit: int
    another: frozenset[Card]
    instead: int | None
    bonus: int


class Standing(NamedTuple):
    """How it stands: the death-score, the pile, the cards still to come, and whether the limit was hit exactly."""

    score: int
    pile: frozenset[Card]
    deck: Piles
    discard: frozenset[Card]
    saved: bool = False

    def plus(self, worth: int, limit: int) -> Standing:
        """So much more: at exactly the limit it returns to 0, and the pile goes to the discard."""
        if self.score + worth != limit:
            return self._replace(score=self.score + worth)
        return Standing(0, frozenset(), self.deck, self.discard | self.pile, True)


def ends_of(hit: Hit, standing: Standing, blood: int) -> Ends:
    """What becomes of somebody with this `standing`, whose `blood` moves before the card."""
    standing = standing.plus(blood, hit.limit) if blood else standing
    return {(standing.score, standing.saved): Fraction(1)} if standing.score > hit.limit else _draw(hit, standing, True)


@lru_cache(maxsize=4096)
def _draw(hit: Hit, now: Standing, first: bool) -> Ends:
    """The next card counts, and those that it has drawn."""
    deck = now.deck or ((tuple(sorted(now.discard)),) if now.discard else ())
    discard = now.discard if now.deck else frozenset()
    if not deck:
        then = now.plus((hit.instead or 0) if first else 0, hit.limit)
        return {(then.score, then.saved): Fraction(1)}
    found: defaultdict[tuple[int, bool], Fraction] = defaultdict(Fraction)
    ways: Counter[tuple[int, Card | None]] = Counter()
    for card in deck[0]:
        ways[_worth(hit, card, first), card if card in hit.another else None] += 1
    for (worth, more), count in ways.items():
        chance = Fraction(count, len(deck[0]))
        if more is None:
            then = now.plus(worth, hit.limit)
            found[then.score, then.saved] += chance
            continue
        left = tuple(card for card in deck[0] if card != more)
        drawn = Standing(now.score, now.pile | {more}, ((left,) if left else ()) + deck[1:], discard, now.saved)
        then = drawn.plus(worth, hit.limit)
        rest = {(then.score, then.saved): Fraction(1)} if then.score > hit.limit else _draw(hit, then, False)
        for end, likely in rest.items():
            found[end] += chance * likely
    return dict(found)


def _worth(hit: Hit, card: Card, first: bool) -> int:
    """What a card counts; a lucky break nothing, whatever else would count (HJ-29)."""
    if is_joker(card):
        return 0
    if not first:
        return card_value(card)
    return (card_value(card) if hit.instead is None else hit.instead) + hit.bonus

"""The exact odds of the next hit in Hackjack.

A hit adds the values it draws to a death-score. Blood drawn and wounds chosen don't count before the next hit, so only
the first card matters and, if its wound draws another at once (HJ-24), that one, and so on. Counting tells which cards
these can be: those of the deck, then those of the discard. All orders of each are equally likely, so the odds are
counts of the orders in which a hit adds a given amount.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import factorial, prod
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from cardhouse.cards import Card, is_joker
from cardhouse.games.hackjack.state import EACH_OLD_WOUND, card_value
from cardhouse.games.hackjack.stepwise_odds import Hit, ScoreState, ends_of
from cardhouse.games.hackjack.thresholds import is_exact, is_massive, is_too_much, least
from cardhouse.games.hackjack.wounds.chains import cards_drawing_another

if TYPE_CHECKING:
    from cardhouse.games.hackjack.rules import Hackjack
    from cardhouse.games.hackjack.state import Character

Orders = Counter[int]
"""The number of orders of the cards to come, by the amount a hit adds in them."""

Piles = tuple[tuple[Card, ...], ...]
"""The cards to come: each pile is drawn in an unknown order, and completely before the next pile."""

MOST_AMOUNTS = 20
"""Maximum number of amounts of massive damage listed. A limit of 1000 would have hundreds."""


class Chances(TypedDict):
    """The chances that a hit leaves the total above the limit, or exactly at it (HJ-6)."""

    dies: float
    exactly_21: float


class HitChances(Chances):
    """These chances and that of each death-score: 0 at exactly the limit, and for the dead the total."""

    death_score: dict[str, float]


class MassiveChances(TypedDict):
    """The effect of an amount of massive damage (HJ-8), with and without preventing blood loss (HJ-11)."""

    preventing: Chances
    not_preventing: Chances


class FighterOdds(TypedDict):
    """The effect of the next hit on a character, with and without preventing blood loss (HJ-11).

    `massive` has an entry for each amount of massive damage up to the least that kills even with blood loss prevented,
    at most `MOST_AMOUNTS` of them.
    """

    preventing: HitChances
    not_preventing: HitChances
    massive: dict[str, MassiveChances]


def odds_of(game: Hackjack, damage: int, *, sees_next: bool) -> dict[str, FighterOdds]:
    """Return by name the effect of the next hit of `damage` on each living character that is down.

    Empty while a hit is being resolved.
    """
    down = [who for who in game.characters if who.alive and who.down]
    if game.hitting or not down:
        return {}
    hit = NextHit(game, sees_next=sees_next)
    return {who.name: hit.odds_for(who, damage) for who in down}


class NextHit:
    """The effect of the next hit, for any target."""

    def __init__(self, game: Hackjack, *, sees_next: bool) -> None:
        piles = _piles(game, sees_next)
        another = cards_drawing_another(game.wounds)
        self.game = game
        self.limit = game.options.limit
        self.adds = hit_amounts(piles, another) if piles else NO_CARD
        self.deck = piles[:-1] if piles and game.discard else piles
        self.another = another

    def odds_for(self, who: Character, damage: int) -> FighterOdds:
        """Return the odds of one character."""
        lingers = self.adds.any_card and not who.drawn
        bonus = EACH_OLD_WOUND * self.game.count_held(who, "first_card") if lingers else 0
        massive = self.game.options.massive_damage
        first = least(is_massive, massive)
        deadly = least(is_too_much, self.limit) - who.death_score
        above = range(first, min(deadly, first + MOST_AMOUNTS - 1) + 1)
        instead = damage if is_massive(damage, massive) else None
        if self.game.options.judged == "each_step":
            return {
                "preventing": self.stepwise(who, 0, instead, bonus),
                "not_preventing": self.stepwise(who, who.blood, instead, bonus),
                "massive": {
                    str(amount): {
                        "preventing": chances_of(self.stepwise(who, 0, amount, bonus)),
                        "not_preventing": chances_of(self.stepwise(who, who.blood, amount, bonus)),
                    }
                    for amount in above
                },
            }
        bleeds = who.death_score + who.blood
        return {
            "preventing": self.outcome(who.death_score, instead, bonus),
            "not_preventing": self.outcome(bleeds, instead, bonus),
            "massive": {
                str(amount): {
                    "preventing": self.chances(who.death_score, amount, bonus),
                    "not_preventing": self.chances(bleeds, amount, bonus),
                }
                for amount in above
            },
        }

    def stepwise(self, who: Character, blood: int, instead: int | None, bonus: int) -> HitChances:
        """Return the outcome if each step is judged (HJ-6). `exactly_21` then includes totals along the way."""
        standing = ScoreState(who.death_score, frozenset(who.pile), self.deck, frozenset(self.game.discard))
        ends = ends_of(Hit(self.limit, self.another, instead, bonus), standing, blood)
        spread: defaultdict[int, Fraction] = defaultdict(Fraction)
        for (total, _), chance in ends.items():
            spread[total] += chance
        return {
            "dies": float(sum(chance for (total, _), chance in ends.items() if is_too_much(total, self.limit))),
            "exactly_21": float(sum(chance for (_, saved), chance in ends.items() if saved)),
            "death_score": {str(total): float(spread[total]) for total in sorted(spread)},
        }

    def outcome(self, score: int, instead: int | None, bonus: int) -> HitChances:
        """Return the distribution of the death-score if the first card counts its value or `instead`."""
        worth, adds = self.adds.counting(instead, bonus)
        totals = Counter({score + worth + added: orders for added, orders in adds.items()})
        totals[score] += self.adds.lucky
        totals[0] += totals.pop(self.limit, 0)
        whole = totals.total()
        spread = {str(total): totals[total] / whole for total in sorted(totals) if totals[total]}
        return {**self.chances(score, instead, bonus), "death_score": spread}

    def chances(self, score: int, instead: int | None, bonus: int) -> Chances:
        """Return the chances of a total above the limit, and of exactly the limit (HJ-6)."""
        dies, exactly = self.adds.chances(score, self.limit, instead, bonus)
        return {"dies": dies, "exactly_21": exactly}


def chances_of(outcome: HitChances) -> Chances:
    """Return the two chances of an outcome without the distribution."""
    return {"dies": outcome["dies"], "exactly_21": outcome["exactly_21"]}


class HitAmounts(NamedTuple):
    """The amounts that the next hit may add.

    `counted` includes the first card's value; `further` is only what is drawn beyond it. `lucky` is the number of
    orders that begin with a joker, which adds nothing even when another amount replaces the value (HJ-29).
    """

    counted: Orders
    further: Orders
    lucky: int = 0
    any_card: bool = True

    def counting(self, instead: int | None, bonus: int) -> tuple[int, Orders]:
        """Return the constant part, `instead` (HJ-8) plus `bonus` (HJ-27), and the rest by order.

        Excludes lucky orders.
        """
        return bonus + (instead or 0), self.counted if instead is None else self.further

    def chances(self, score: int, limit: int, instead: int | None, bonus: int = 0) -> tuple[float, float]:
        """Return the chances that the death-score ends above the limit, and exactly at it (HJ-6)."""
        worth, adds = self.counting(instead, bonus)
        deadly = least(is_too_much, limit) - score - worth
        dies = sum(orders for added, orders in adds.items() if added >= deadly) + self.lucky * is_too_much(score, limit)
        exactly = adds[limit - score - worth] + self.lucky * is_exact(score, limit)
        whole = adds.total() + self.lucky
        return dies / whole, exactly / whole


NO_CARD = HitAmounts(Counter({0: 1}), Counter({0: 1}), any_card=False)
"""With deck and discard empty (HJ-7)."""


def _piles(game: Hackjack, sees_next: bool) -> Piles:
    """Return the cards to come. Unless seen, the next card is mixed with the rest of the deck (HJ-25)."""
    deck = game.deck
    known = [[card] for card in deck.top] if sees_next else []
    rest = [*deck.loose, *([] if sees_next else deck.top)]
    return tuple(tuple(pile) for pile in (*known, rest, game.discard) if pile)


@lru_cache(maxsize=64)
def hit_amounts(piles: Piles, another: frozenset[Card]) -> HitAmounts:
    """Return the amounts a hit may add, with and without the first card's value.

    The wounds of `another` draw another card at once (HJ-24). Cached, because several seats ask about the same cards.
    """
    first, *later = piles
    counted: Orders = Counter()
    further: Orders = Counter()
    lucky = 0
    rest = factorial(len(first) - 1) * _orders_of(later)
    for card in first:
        if is_joker(card):
            lucky += rest
            continue
        then = Counter({0: rest})
        if card in another:
            left = tuple(other for other in first if other != card)
            then = _chain((left, *later), another)
        for added, orders in then.items():
            counted[card_value(card) + added] += orders
            further[added] += orders
    return HitAmounts(counted, further, lucky)


def _orders_of(piles: Iterable[Sequence[Card]]) -> int:
    """Return the number of orders."""
    return prod(factorial(len(pile)) for pile in piles)


def _chain(piles: Piles, another: frozenset[Card]) -> Orders:
    """Return the sums of cards drawn until one draws no other (HJ-24), or none is left.

    The cards before that one may come in any order, and so may those after it: only the selection matters.
    """
    if not piles:
        return Counter({0: 1})
    first, *later = piles
    more = [card_value(card) for card in first if card in another]
    last = Counter(card_value(card) for card in first if card not in another)
    found: Orders = Counter()
    for drawn, sums in enumerate(_sums(more)):
        if drawn < len(first):
            then, orders = last, factorial(drawn) * factorial(len(first) - drawn - 1) * _orders_of(later)
        else:  # the whole pile: continue with the next
            then, orders = _chain(tuple(later), another), factorial(drawn)
        for added, choices in sums.items():
            for value, ways in then.items():
                found[added + value] += choices * ways * orders
    return found


def _sums(values: Sequence[int]) -> list[Counter[int]]:
    """Return, for each number of these values from none to all, the number of selections with each sum."""
    sums: list[Counter[int]] = [Counter({0: 1}), *(Counter[int]() for _ in values)]
    for value in values:
        for chosen in range(len(values), 0, -1):
            for total, choices in sums[chosen - 1].items():
                sums[chosen][total + value] += choices
    return sums

"""The exact odds of the next hit in Hackjack.

A hit adds to a death-score what it draws; Blood drawn and wounds chosen don't count before the next one. So all that
matters is the first card, and, where its wound draws another at once (HJ-24), that one, and so on. Which cards these
can be is known by counting: the deck, and behind it the discard. Every order of each is as likely as the others, so the
odds are counts of orders: in how many of them does a hit add so much?
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
from cardhouse.games.hackjack.stepwise_odds import Hit, Standing, ends_of
from cardhouse.games.hackjack.thresholds import is_exact, is_massive, is_too_much, least
from cardhouse.games.hackjack.wound_chains import adding

if TYPE_CHECKING:
    from cardhouse.games.hackjack.rules import Hackjack
    from cardhouse.games.hackjack.state import Character

Orders = Counter[int]
"""In how many orders of the cards to come a hit adds so much."""

Piles = tuple[tuple[Card, ...], ...]
"""The cards to come: all of one pile, in an order that nobody knows, before any of the next."""

MOST_AMOUNTS = 20
"""So many amounts of massive damage are told of, not more: at a limit of 1000 there would be hundreds."""


class Chances(TypedDict):
    """The chances that a hit leaves the total above the limit, and that it is the limit (HJ-6)."""

    dies: float
    exactly_21: float


class HitChances(Chances):
    """The same, and the chance of each death-score there may be: 0 at exactly the limit, of one who dies the total."""

    death_score: dict[str, float]


class MassiveChances(TypedDict):
    """What an amount of massive damage does (HJ-8) to one who holds the blood back, and to one who doesn't (HJ-11)."""

    preventing: Chances
    not_preventing: Chances


class FighterOdds(TypedDict):
    """What the next hit does to somebody, holding the blood back or not (HJ-11).

    `massive` tells it for each amount of massive damage up to the least that kills even one who holds it back, and at
    most `MOST_AMOUNTS` of them.
    """

    preventing: HitChances
    not_preventing: HitChances
    massive: dict[str, MassiveChances]


def odds_of(game: Hackjack, damage: int, *, sees_next: bool) -> dict[str, FighterOdds]:
    """By name, what the next hit of so much `damage` does to each living character that is down.

    Empty while somebody is being hit.
    """
    down = [who for who in game.characters if who.alive and who.down]
    if game.hitting or not down:
        return {}
    hit = NextHit(game, sees_next=sees_next)
    return {who.name: hit.befalls(who, damage) for who in down}


class NextHit:
    """What the next hit does, whoever it hits."""

    def __init__(self, game: Hackjack, *, sees_next: bool) -> None:
        piles = _piles(game, sees_next)
        another = adding(game.wounds)
        self.game = game
        self.limit = game.options.limit
        self.adds = adds_of(piles, another) if piles else NO_CARD
        self.deck = piles[:-1] if piles and game.discard else piles
        self.another = another

    def befalls(self, who: Character, damage: int) -> FighterOdds:
        """The odds of one character."""
        lingers = self.adds.any_card and not who.drawn
        bonus = EACH_OLD_WOUND * self.game.count_held(who, "first_card") if lingers else 0
        massive = self.game.options.massive_damage
        first = least(is_massive, massive)
        deadly = least(is_too_much, self.limit) - who.death_score
        above = range(first, min(deadly, first + MOST_AMOUNTS - 1) + 1)
        instead = damage if is_massive(damage, massive) else None
        if self.game.options.judged == "each_step":
            return {
                "preventing": self.by_step(who, 0, instead, bonus),
                "not_preventing": self.by_step(who, who.blood, instead, bonus),
                "massive": {
                    str(amount): {
                        "preventing": chances_of(self.by_step(who, 0, amount, bonus)),
                        "not_preventing": chances_of(self.by_step(who, who.blood, amount, bonus)),
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

    def by_step(self, who: Character, blood: int, instead: int | None, bonus: int) -> HitChances:
        """What becomes of somebody where each step is judged (HJ-6); `exactly_21` is that it happens on the way."""
        standing = Standing(who.death_score, frozenset(who.pile), self.deck, frozenset(self.game.discard))
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
        """What becomes of a death-score, the first card counting its value or what counts `instead` of it."""
        worth, adds = self.adds.counting(instead, bonus)
        totals = Counter({score + worth + added: orders for added, orders in adds.items()})
        totals[score] += self.adds.lucky
        totals[0] += totals.pop(self.limit, 0)
        whole = totals.total()
        spread = {str(total): totals[total] / whole for total in sorted(totals) if totals[total]}
        return {**self.chances(score, instead, bonus), "death_score": spread}

    def chances(self, score: int, instead: int | None, bonus: int) -> Chances:
        """The chances that the total is above the limit, and that it is the limit (HJ-6)."""
        dies, exactly = self.adds.chances(score, self.limit, instead, bonus)
        return {"dies": dies, "exactly_21": exactly}


def chances_of(outcome: HitChances) -> Chances:
    """The two chances of an outcome, without the spread."""
    return {"dies": outcome["dies"], "exactly_21": outcome["exactly_21"]}


class Adds(NamedTuple):
    """What the next hit may add.

    `counted` is with the first card's value, `further` what is drawn beyond it; so many orders are `lucky`: they begin
    with a joker, which is worth nothing even where something else counts (HJ-29).
    """

    counted: Orders
    further: Orders
    lucky: int = 0
    any_card: bool = True

    def counting(self, instead: int | None, bonus: int) -> tuple[int, Orders]:
        """What is added to all but the lucky: what counts `instead` of the first card (HJ-8) and beside it (HJ-27)."""
        return bonus + (instead or 0), self.counted if instead is None else self.further

    def chances(self, score: int, limit: int, instead: int | None, bonus: int = 0) -> tuple[float, float]:
        """The chances that a death-score comes to be above the limit, and that it comes to be the limit (HJ-6)."""
        worth, adds = self.counting(instead, bonus)
        deadly = least(is_too_much, limit) - score - worth
        dies = sum(orders for added, orders in adds.items() if added >= deadly) + self.lucky * is_too_much(score, limit)
        exactly = adds[limit - score - worth] + self.lucky * is_exact(score, limit)
        whole = adds.total() + self.lucky
        return dies / whole, exactly / whole


NO_CARD = Adds(Counter({0: 1}), Counter({0: 1}), any_card=False)
"""With deck and discard empty (HJ-7)."""


def _piles(game: Hackjack, sees_next: bool) -> Piles:
    """The cards to come. One who has not seen the next card can't tell it from the rest of the deck (HJ-25)."""
    deck = game.deck
    known = [[card] for card in deck.top] if sees_next else []
    rest = [*deck.loose, *([] if sees_next else deck.top)]
    return tuple(tuple(pile) for pile in (*known, rest, game.discard) if pile)


@lru_cache(maxsize=64)
def adds_of(piles: Piles, another: frozenset[Card]) -> Adds:
    """What a hit adds: the first card's value, or what counts instead of it, and whatever it has drawn.

    The wounds of `another` draw another card at once (HJ-24). At a table several ask about the same cards.
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
    return Adds(counted, further, lucky)


def _orders_of(piles: Iterable[Sequence[Card]]) -> int:
    """How many orders there are."""
    return prod(factorial(len(pile)) for pile in piles)


def _chain(piles: Piles, another: frozenset[Card]) -> Orders:
    """What cards add that are drawn until one of them draws no other (HJ-24), or none is left.

    Those before it may come in any order, and so may those after it: it matters only which they are.
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
        else:  # the whole pile: it goes on with the next
            then, orders = _chain(tuple(later), another), factorial(drawn)
        for added, choices in sums.items():
            for value, ways in then.items():
                found[added + value] += choices * ways * orders
    return found


def _sums(values: Sequence[int]) -> list[Counter[int]]:
    """For each number of these values, from none to all: how many choices of so many of them have which sum."""
    sums: list[Counter[int]] = [Counter({0: 1}), *(Counter[int]() for _ in values)]
    for value in values:
        for chosen in range(len(values), 0, -1):
            for total, choices in sums[chosen - 1].items():
                sums[chosen][total + value] += choices
    return sums

"""The first hits of `hackjack deadly`, exactly: all ways of the first card, and the game's own odds of the second."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache, reduce
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from cardhouse.cards import JOKERS, STANDARD, Card, is_joker, is_red
from cardhouse.engine import Roll
from cardhouse.games.hackjack.lab.damage import Damage, read_damage
from cardhouse.games.hackjack.lab.policies import AT, UNLESS, holds, read_prevent
from cardhouse.games.hackjack.odds import Adds, adds_of
from cardhouse.games.hackjack.state import card_value
from cardhouse.games.hackjack.thresholds import goes_down, is_exact, is_massive, is_outright, is_too_much
from cardhouse.games.hackjack.wound import Wounds, is_dice
from cardhouse.games.hackjack.wound_chains import FURTHER, Let, Suffered, adding, lower
from cardhouse.games.hackjack.wounds import wounds_from

if TYPE_CHECKING:
    from cardhouse.games.hackjack.lab.deadly import Deadly


MOST_DRAWING = 5
"""With so many wounds that draw further cards all ways can still be gone."""


Spread = tuple[float, ...]
"""How likely each number is, from 0 on."""

Alike = tuple[tuple[tuple[bool, int], int], ...]
"""Cards by whether another is drawn at once and by value, and how many."""

Merged = tuple[int | None, int, Spread, Alike]

NO_BLOOD: Spread = (1.0,)


class Drawn(NamedTuple):
    """What the first card of a time down, and all it has drawn, have come to.

    So many cards of each kind are `left`; `adds` counts beside the first card's value; `ribs` bleed for each red card,
    and have bled so far.
    """

    left: tuple[int, ...]
    adds: int = 0
    ribs: int = 0
    bled: int = 0
    last: Suffered | None = None


class Way(NamedTuple):
    """One way a wound can go: how likely, and what was suffered, with what Blood."""

    chance: float
    drawn: Drawn
    suffered: Suffered
    blood: Spread


class FirstCard:
    """All that the first card can do with these wounds, where of two the first is chosen."""

    def __init__(self, wounds: Wounds, cards: Iterable[Card], *, lower_given: bool) -> None:
        self.wounds = wounds
        self.given = lower_given
        kinds: dict[tuple[object, ...], list[Card]] = {}
        for card in cards:
            kinds.setdefault(self.does(card), []).append(card)
        self.kinds = list(kinds.values())
        """Cards that do the same; the first stands for all of them."""
        self.draws_another = adding(wounds)
        self.counted = [(kind[0] in self.draws_another, card_value(kind[0])) for kind in self.kinds]
        self.seen: dict[tuple[int, ...], Alike] = {}
        self.odds: dict[Alike, Adds] = {}

    def does(self, card: Card) -> tuple[object, ...]:
        """All that matters of a card here."""
        if is_joker(card):
            return ()
        wound = self.wounds[card]
        return card_value(card), is_red(card), wound.special, wound.blood

    def ways(self) -> Iterator[tuple[Card, Way]]:
        """Each first card, with what comes of it."""
        for chance, card, drawn in self.draw(Drawn(tuple(len(kind) for kind in self.kinds))):
            for way in self.suffer(drawn, card, Let()):
                yield card, way._replace(chance=chance * way.chance)

    def draw(self, drawn: Drawn) -> Iterator[tuple[float, Card, Drawn]]:
        """The next card, which broken ribs bleed for if it is red (HJ-13)."""
        whole = sum(drawn.left)
        for place, (kind, count) in enumerate(zip(self.kinds, drawn.left, strict=True)):
            if count:
                left = (*drawn.left[:place], count - 1, *drawn.left[place + 1 :])
                bled = drawn.bled + (drawn.ribs if is_red(kind[0]) else 0)
                yield count / whole, kind[0], drawn._replace(left=left, bled=bled)

    def merged(self) -> dict[Merged, float]:
        """How likely: the first card's value, None of a joker; what counts beside; Blood; the cards that are left."""
        found: dict[Merged, float] = {}
        for card, way in self.ways():
            value = None if is_joker(card) else card_value(card)
            blood = (*[0.0] * way.drawn.bled, *way.blood)
            key = value, way.drawn.adds, blood, self.alike(way.drawn.left)
            found[key] = found.get(key, 0.0) + way.chance
        return found

    def alike(self, left: tuple[int, ...]) -> Alike:
        """These cards, as far as they matter to the next hit, whose odds are then known."""
        if left in self.seen:
            return self.seen[left]
        counts: Counter[tuple[bool, int]] = Counter()
        for kind, count in zip(self.counted, left, strict=True):
            counts[kind] += count
        alike = self.seen[left] = tuple(sorted(counts.items()))
        if alike not in self.odds:
            cards = tuple(card for kind, count in zip(self.kinds, left, strict=True) for card in kind[:count])
            self.odds[alike] = adds_of((cards,), self.draws_another)
        return alike

    def suffer(self, drawn: Drawn, card: Card, let: Let) -> Iterator[Way]:
        """A card's wound as its text says, no more of it than is let through (HJ-22 to HJ-27)."""
        if is_joker(card):
            yield Way(1.0, drawn, Suffered(), NO_BLOOD)
            return
        does = {"choose": self.choose, "both": self.both, "another": self.another, "again": self.again}
        for way in does.get(str(self.wounds[card].special), self.own)(drawn, card, let):
            yield way._replace(drawn=way.drawn._replace(last=way.suffered))

    def own(self, drawn: Drawn, card: Card, let: Let) -> Iterator[Way]:
        """A wound that draws no further cards."""
        suffered = Suffered(card, self.wounds[card].blood).under(let)
        yield Way(1.0, *self.once_more(drawn, suffered))

    def choose(self, drawn: Drawn, _: Card, let: Let) -> Iterator[Way]:
        """Of two cards the first (HJ-22). Which the other is matters only to broken ribs.

        Of a card that nothing comes of nobody need know which it is: any that is left may still be the next.
        """
        for chance, card, first in self.draw(drawn):
            others = self.draw(first) if first.ribs else [(1.0, card, first)]
            for also, _other, second in others:
                for way in self.suffer(second, card, let & FURTHER["choose"].let):
                    yield way._replace(chance=chance * also * way.chance)

    def both(self, drawn: Drawn, _: Card, let: Let) -> Iterator[Way]:
        """Two cards, and the lower Blood of them (HJ-23)."""
        within = let & FURTHER["both"].let
        for chance, one, first in self.draw(drawn):
            for also, other, second in self.draw(first):
                for way in self.suffer(second, one, within):
                    for then in self.suffer(way.drawn, other, within):
                        suffered = Suffered(parts=(way.suffered, then.suffered), lower=True)
                        likely = chance * also * way.chance * then.chance
                        yield Way(likely, then.drawn, suffered, lower_of(way.blood, then.blood, self.given))

    def another(self, drawn: Drawn, card: Card, let: Let) -> Iterator[Way]:
        """Its own wound, and another card at once, with its value but not its Blood (HJ-24)."""
        within = let & FURTHER["another"].let
        for way in self.own(drawn, card, let):
            for chance, further, after in self.draw(way.drawn):
                counted = after._replace(adds=after.adds + card_value(further) * within.value)
                for then in self.suffer(counted, further, within):
                    suffered = Suffered(parts=(way.suffered, then.suffered))
                    yield Way(chance * then.chance, then.drawn, suffered, way.blood)

    def again(self, drawn: Drawn, _: Card, let: Let) -> Iterator[Way]:
        """What was suffered before once more, or, with nothing before, what is drawn now twice (HJ-26)."""
        if drawn.last is not None:
            yield Way(1.0, *self.once_more(drawn, drawn.last.under(let)))
            return
        for chance, card, after in self.draw(drawn):
            for way in self.suffer(after, card, let & FURTHER["again"].let):
                then, _same, blood = self.once_more(way.drawn, way.suffered)
                twice = Suffered(parts=(way.suffered, way.suffered))
                yield Way(chance * way.chance, then, twice, sum_of(way.blood, blood))

    def once_more(self, drawn: Drawn, suffered: Suffered) -> tuple[Drawn, Suffered, Spread]:
        """What was suffered, with its dice rolled anew; with broken ribs, red cards bleed from now on."""
        if suffered.card is not None:
            ribs = drawn.ribs + (self.wounds[suffered.card].special == "red_cards")
            return drawn._replace(ribs=ribs), suffered, blood_of(suffered.blood)
        bloods = []
        for part in suffered.parts:
            drawn, _, blood = self.once_more(drawn, part)
            bloods.append(blood)
        if suffered.lower:
            return drawn, suffered, lower_of(bloods[0], bloods[1], self.given)
        return drawn, suffered, reduce(sum_of, bloods, NO_BLOOD)


@lru_cache(maxsize=8)
def first_card(wounds: bytes, jokers: bool, lower_given: bool) -> tuple[dict[Alike, Adds], dict[Merged, float]]:
    """All ways of the first card, and the odds of the next one after them, with these wounds of an option."""
    cards = (*STANDARD, *(JOKERS if jokers else ()))
    first = FirstCard(wounds_from(msgspec.json.decode(wounds)), cards, lower_given=lower_given)
    ways = first.merged()
    return first.odds, ways


@cache
def blood_of(blood: int | str) -> Spread:
    """The Blood of a wound: a number, or dice."""
    if not is_dice(blood):
        return (*[0.0] * int(blood), 1.0)
    count, sides = Roll(str(blood)).count_and_sides()
    found = dice_of(count, sides)
    return tuple(found.get(total, 0.0) for total in range(count * sides + 1))


@cache
def sum_of(one: Spread, other: Spread) -> Spread:
    """Both together."""
    found = [0.0] * (len(one) + len(other) - 1)
    for place, chance in enumerate(one):
        for further, also in enumerate(other):
            found[place + further] += chance * also
    return tuple(found)


@cache
def lower_of(one: Spread, other: Spread, given: bool) -> Spread:
    """The lower of both (HJ-23)."""
    found: dict[int, float] = {}
    for place, chance in enumerate(one):
        for further, also in enumerate(other):
            blood = lower(place, further, given)
            found[blood] = found.get(blood, 0.0) + chance * also
    return tuple(found.get(blood, 0.0) for blood in range(max(found) + 1))


def exactly(question: Deadly) -> Mapping[str, float]:
    """What is known of the question without playing: who goes down or is killed outright, and the first hits.

    The odds of the cards are known for the hit that is the first to take anybody down, and the next one; with a deck
    of one's own, whose cards stay with those who drew them, no critical hits, of two wounds the first chosen, and the
    death-score judged at the end. Where critical hits make one bleed who may die of it standing, nothing is known.
    """
    if question.standing_blood and question.critical:
        return {}
    damage = damage_of(read_damage(question.damage))
    falls = Falls(question, damage)
    found = {"fell": min(1.0, sum(falls.down)), "outright": sum(falls.outright)}
    if has_too_many_ways(question):
        return found
    dead, saved = list(falls.outright), [0.0] * question.hits
    known = min(falls.first + 2, question.hits)
    cards = Cards(question, damage)
    for hit in range(falls.first, known):
        for hp, chance in falls.below[hit].items():
            for later, (dies, is_saved) in enumerate(cards.on_the_way_down(-hp)[: known - hit]):
                dead[hit + later] += chance * dies
                saved[hit + later] += chance * is_saved
    for hit in range(1, known + 1):
        found[f"dead_by_{hit}"] = sum(dead[:hit])
        found[f"saved_by_{hit}"] = sum(saved[:hit])
    if known == question.hits:
        found |= {"dead": sum(dead), "saved": sum(saved)}
    return {key: min(1.0, chance) for key, chance in found.items()}  # sums of rounded numbers


def has_too_many_ways(question: Deadly) -> bool:
    """Whether the ways of the cards are too many to go them all, or go where this doesn't follow."""
    if question.others or question.return_cards or question.critical or question.c7 != "first":
        return True
    if question.judged == "each_step" or read_prevent(question.prevent).kind not in (AT, UNLESS):
        return True
    specials = [wound.special for wound in wounds_from(question.wounds).values()]
    return specials.count("both") > 1 or sum(special in FURTHER for special in specials) > MOST_DRAWING


class Falls:
    """What becomes of hit points, without any card.

    For each hit: how likely it kills `outright`, or takes `down`, and, `below`, to which hit points; `first` is the
    first that may take somebody down, or the number of hits if none may.
    """

    def __init__(self, question: Deadly, damage: Mapping[int, float]) -> None:
        up: Mapping[int, float] = {question.hp: 1.0}
        self.outright: list[float] = []
        self.below: list[dict[int, float]] = []
        for _ in range(question.hits):
            after: dict[int, float] = {}
            for hp, chance in up.items():
                for amount, likely in damage.items():
                    after[hp - amount] = after.get(hp - amount, 0.0) + chance * likely
            up = {hp: chance for hp, chance in after.items() if not goes_down(hp, question.draw_at_zero)}
            fallen = {hp: chance for hp, chance in after.items() if goes_down(hp, question.draw_at_zero)}
            self.outright.append(sum(chance for hp, chance in fallen.items() if is_outright(-hp, question.limit)))
            self.below.append({hp: chance for hp, chance in fallen.items() if not is_outright(-hp, question.limit)})
        self.down = [sum(below.values()) for below in self.below]
        self.first = next((hit for hit, below in enumerate(self.below) if below), question.hits)


Two = tuple[float, float]
"""The chances to die of a hit, and to be saved by it for the first time."""


class Cards:
    """What the first two cards of a time down do."""

    def __init__(self, question: Deadly, damage: Mapping[int, float]) -> None:
        self.limit, self.massive = question.limit, question.massive
        self.damage = by_worth(damage, question.massive)
        self.policy = read_prevent(question.prevent)
        lower_given = question.jack_of_clubs == "lower_given"
        self.odds, self.ways = first_card(msgspec.json.encode(question.wounds), question.jokers, lower_given)
        self.found: dict[int | None, tuple[Two, Two]] = {}

    def on_the_way_down(self, below: int) -> tuple[Two, Two]:
        """What the hit does that takes somebody so far below 0, and what the next one does then."""
        instead = below if is_massive(below, self.massive) else None
        if instead not in self.found:
            self.found[instead] = self.two_hits(instead)
        return self.found[instead]

    def two_hits(self, instead: int | None) -> tuple[Two, Two]:
        """The same, where this counts instead of the first card, or its value if None (HJ-4)."""
        dies = saved = dies_next = saved_next = 0.0
        for (value, adds, blood, left), chance in self.ways.items():
            score = (0 if value is None else value if instead is None else instead) + adds
            is_saved = is_exact(score, self.limit)
            if is_too_much(score, self.limit):
                dies += chance
                continue
            saved += chance * is_saved
            dies_too, saved_too = self.next_hit(0 if is_saved else score, blood, left)
            dies_next += chance * dies_too
            saved_next += chance * saved_too * (not is_saved)
        return (dies, saved), (dies_next, saved_next)

    def next_hit(self, score: int, blood: Spread, left: Alike) -> Two:
        """What the next hit does to somebody down, with that death-score and that much Blood."""
        dies = saved = 0.0
        for pool, chance in enumerate(blood):
            moved = 0 if holds(score, pool, *self.policy) else pool
            for instead, likely in self.damage.items() if chance else ():
                dies_too, saved_too = self.odds[left].chances(score + moved, self.limit, instead)
                dies += chance * likely * dies_too
                saved += chance * likely * saved_too
        return dies, saved


def by_worth(damage: Mapping[int, float], massive: int) -> Mapping[int | None, float]:
    """Damage to one who is down by what it counts instead of the card; None is the card (HJ-7, HJ-8)."""
    found: dict[int | None, float] = {}
    for amount, chance in damage.items():
        instead = amount if is_massive(amount, massive) else None
        found[instead] = found.get(instead, 0.0) + chance
    return found


@cache
def dice_of(count: int, sides: int) -> Mapping[int, float]:
    """How likely each sum of so many dice is."""
    if not count:
        return {0: 1.0}
    found: dict[int, float] = {}
    for total, chance in dice_of(count - 1, sides).items():
        for face in range(1, sides + 1):
            found[total + face] = found.get(total + face, 0.0) + chance / sides
    return found


def damage_of(damage: Damage) -> Mapping[int, float]:
    """How likely each damage of a hit is."""
    found: dict[int, float] = {}
    for total, chance in dice_of(damage.dice, damage.sides).items():
        amount = max(1, total + damage.plus)
        found[amount] = found.get(amount, 0.0) + chance
    return found

"""How deadly is Hackjack, in other ways: C (hackjack.c), a plain loop, and NumPy."""

from random import Random
from typing import Any

import numpy as np

from benchmarks.kernels.case import Case
from cardhouse.cards import STANDARD
from cardhouse.games.hackjack.lab.questions import Deadly
from cardhouse.games.hackjack.state import RECOVERY, card_value
from cardhouse.games.hackjack.wounds.data import standard_wounds

WOUNDS = standard_wounds()
DAYS = {"days": 1, "weeks": 7, "months": 30}


class Fight:
    """One fight: 8 HP, 1d8 a hit, 10 hits, blood loss never prevented, a separate deck."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.deck = list(STANDARD)
        random.shuffle(self.deck)
        self.discard: list[str] = []
        self.pile: list[str] = []
        self.hp, self.down, self.alive = 8, False, True
        self.score = self.blood = self.bled = self.trauma = self.ribs = 0
        self.last: Any = None

    def roll(self, dice: str | int) -> int:
        """Roll dice, or return a number."""
        if isinstance(dice, int):
            return dice
        count, sides = dice.split("d")
        return sum(self.random.randint(1, int(sides)) for _ in range(int(count)))

    def draw(self) -> str | None:
        """Draw a card; with broken ribs, red ones bleed."""
        if not self.deck:
            self.deck, self.discard = self.discard, []
            self.random.shuffle(self.deck)
        if not self.deck:
            return None
        card = self.deck.pop()
        if card[0] in "DH":
            self.bleed(self.ribs)
        return card

    def bleed(self, blood: int) -> None:
        """Add blood to the pool."""
        self.blood += blood
        self.bled += blood

    def own(self, card: str, blood: bool, trauma: bool) -> tuple[int, int]:
        """Apply a wound by itself, and return its Blood and Trauma."""
        wound = WOUNDS[card]
        self.ribs += wound.special == "red_cards"
        return self.roll(wound.blood) if blood else 0, wound.trauma if trauma else 0

    def again(self, suffered: Any) -> tuple[int, int]:
        """Apply again what was suffered."""
        if suffered[0] == "own":
            return self.own(*suffered[1:])
        harms = [self.again(part) for part in suffered[1]]
        if suffered[0] == "sum":
            return sum(blood for blood, _ in harms), max((trauma for _, trauma in harms), default=0)
        if len(harms) < 2:
            return 0, 0
        return min(blood for blood, _ in harms), min(trauma for _, trauma in harms)

    def suffer(self, card: str, value: bool, blood: bool, trauma: bool) -> tuple[Any, int, int]:
        """Apply a wound with everything that it draws."""
        special = WOUNDS[card].special
        if special in ("choose", "both"):
            two = [card for card in (self.draw(), self.draw()) if card]
            if special == "choose":
                done = self.suffer(two[0], False, blood, trauma) if two else (("sum", []), 0, 0)
            else:
                parts = [self.suffer(one, False, blood, trauma) for one in two]
                lower = [min(part[place] for part in parts) if len(parts) == 2 else 0 for place in (1, 2)]
                done = ("lower", [part[0] for part in parts]), lower[0], lower[1]
        elif special == "again" and self.last:
            suffered = under(self.last, blood, trauma)
            done = (suffered, *self.again(suffered))
        elif special == "again":
            further = self.draw()
            if further:
                part, some, worst = self.suffer(further, False, blood, trauma)
                more, worse = self.again(part)
                done = ("sum", [part, part]), some + more, max(worst, worse)
            else:
                done = ("sum", []), 0, 0
        else:
            own = ("own", card, blood, trauma)
            done = (own, *self.own(*own[1:]))
            further = self.draw() if special == "another" else None
            if further:
                if value:
                    self.score += card_value(further)
                    self.pile.append(further)
                part = self.suffer(further, value, False, False)[0]
                done = ("sum", [own, part]), done[1], done[2]
        self.last = done[0]
        return done

    def hit(self, amount: int) -> int:
        """Apply a hit; return how it killed, or 0 if the character lives."""
        moved, instead = 0, None
        if self.down:
            moved, self.blood = self.blood, 0
            self.score += moved
            instead = amount if amount > 13 else None
        else:
            self.hp -= amount
            if self.hp >= 0:
                return 0
            if self.hp < -21:
                self.alive = False
                return 1
            self.down = True
            instead = -self.hp if self.hp < -13 else None
        card = self.draw()
        if card:
            self.score += card_value(card) if instead is None else instead
            self.pile.append(card)
            _, blood, trauma = self.suffer(card, True, True, True)
            self.bleed(blood)
            self.trauma = max(self.trauma, trauma)
        if self.score == 21:
            self.score = 0
            self.discard += self.pile
            self.pile = []
        elif self.score > 21:
            self.alive = False
            return 2 if instead else 3 if self.score - moved <= 21 else 4
        return 0


def under(suffered: Any, blood: bool, trauma: bool) -> Any:
    """Return the same, limited to what is let through."""
    if suffered[0] == "own":
        return "own", suffered[1], suffered[2] and blood, suffered[3] and trauma
    return suffered[0], [under(part, blood, trauma) for part in suffered[1]]


def plain(trials: int) -> list[float]:
    """Play this many fights, and return the sums of the measures."""
    random, sums = Random(1), [0.0] * 8
    for _ in range(trials):
        fight = Fight(random)
        taken = reset = fell = how = 0
        while taken < 10 and fight.alive:
            taken += 1
            how = fight.hit(fight.roll("1d8"))
            fell = fell or (taken if fight.down else 0)
            reset = reset or (taken if fight.down and not fight.score else 0)
        weeks = 79
        if fight.alive:
            dice, unit = RECOVERY.get(fight.trauma, (0, "days"))
            weeks = (fight.roll(dice) * DAYS[unit] + 3) // 7
        row = (
            0 if fight.alive else taken,
            reset,
            fell,
            taken - fell + fight.alive if fell else 41,
            fight.trauma if fight.alive else 7,
            weeks,
            min(fight.bled, 99),
            how,
        )
        sums = [total + value for total, value in zip(sums, row, strict=True)]
    return sums


CARD = {card: place for place, card in enumerate(STANDARD)}
VALUE = np.array([card_value(card) for card in STANDARD])
RED = np.array([card[0] in "DH" for card in STANDARD])
SPECIAL = np.array([str(WOUNDS[card].special) for card in STANDARD])
PLAIN = ~np.isin(SPECIAL, ["choose", "both", "another", "again"])
TRAUMA = np.array([WOUNDS[card].trauma for card in STANDARD])
FIXED = np.array([0 if isinstance(WOUNDS[card].blood, str) else WOUNDS[card].blood for card in STANDARD])
DICE = [(CARD[card], str(WOUNDS[card].blood)) for card in STANDARD if isinstance(WOUNDS[card].blood, str)]
NOTHING, BENT = -1, -2
"""Special values of a fight's last wound (a card * 4 + what was let through): none yet; see `Fights.bent`."""


class Fights:
    """Many fights at once; only repeated wounds are applied one by one."""

    def __init__(self, many: int, random: np.random.Generator) -> None:
        self.random = random
        self.deck = random.permuted(np.tile(np.arange(52, dtype=np.int8), (many, 1)), axis=1)
        self.hp = np.full(many, 8)
        self.drawn, self.score, self.blood, self.bled, self.trauma, self.ribs = np.zeros((6, many), np.int64)
        self.last = np.full(many, NOTHING)
        self.bent: dict[int, Any] = {}

    def roll(self, dice: str, many: int) -> np.ndarray:
        """Roll dice many times."""
        count, sides = map(int, dice.split("d"))
        return self.random.integers(1, sides + 1, (many, count)).sum(axis=1)

    def draw(self, rows: np.ndarray) -> np.ndarray:
        """Draw a card for each of these; with broken ribs, red ones bleed. Ten hits don't exhaust a deck."""
        cards = self.deck[rows, self.drawn[rows]].astype(np.int64)
        self.drawn[rows] += 1
        self.bleed(rows, self.ribs[rows] * RED[cards])
        return cards

    def bleed(self, rows: np.ndarray, blood: np.ndarray) -> None:
        """Add blood to the pools."""
        self.blood[rows] += blood
        self.bled[rows] += blood

    def own(self, rows: np.ndarray, cards: np.ndarray, let: int) -> tuple[np.ndarray, np.ndarray]:
        """Apply wounds by themselves."""
        self.ribs[rows] += SPECIAL[cards] == "red_cards"
        if not let:
            return np.zeros(len(rows), np.int64), np.zeros(len(rows), np.int64)
        blood = FIXED[cards]
        for card, dice in DICE:
            (bleeding,) = np.nonzero(cards == card)
            blood[bleeding] = self.roll(dice, len(bleeding))
        return blood, TRAUMA[cards]

    def lasts(self, rows: np.ndarray) -> list[Any]:
        """Return the last wounds of each."""
        return [self.bent[row] if last == BENT else last for row, last in zip(rows, self.last[rows], strict=True)]

    def now(self, rows: np.ndarray, suffered: list[Any]) -> None:
        """Record these as the last wounds."""
        self.last[rows] = BENT
        self.bent.update(zip(rows, suffered, strict=True))

    def once_more(self, row: int, suffered: Any) -> tuple[int, int]:
        """Apply again what one of them suffered."""
        if not isinstance(suffered, tuple):
            blood, trauma = self.own(np.array([row]), np.array([suffered // 4]), suffered % 4)
            return int(blood[0]), int(trauma[0])
        harms = [self.once_more(row, part) for part in suffered[1]]
        combine_harms = (sum, max) if suffered[0] == "sum" else (min, min)
        return combine_harms[0](blood for blood, _ in harms), combine_harms[1](trauma for _, trauma in harms)

    def suffer(self, rows: np.ndarray, cards: np.ndarray, value: bool, let: int) -> tuple[np.ndarray, np.ndarray]:
        """Apply wounds with everything that they draw."""
        blood, trauma = np.zeros((2, len(rows)), np.int64)
        plain = PLAIN[cards]
        blood[plain], trauma[plain] = self.own(rows[plain], cards[plain], let)
        self.last[rows[plain]] = cards[plain] * 4 + let
        bends = {"choose": self.choose, "both": self.both, "another": self.another, "again": self.again}
        for special, does in bends.items() if not plain.all() else ():
            (some,) = np.nonzero(SPECIAL[cards] == special)
            if len(some):
                blood[some], trauma[some] = does(rows[some], cards[some], value, let)
        return blood, trauma

    def choose(self, rows: np.ndarray, _: np.ndarray, __: bool, let: int) -> tuple[np.ndarray, np.ndarray]:
        one, _ = self.draw(rows), self.draw(rows)
        return self.suffer(rows, one, False, let)

    def both(self, rows: np.ndarray, _: np.ndarray, __: bool, let: int) -> tuple[np.ndarray, np.ndarray]:
        one, two = self.draw(rows), self.draw(rows)
        blood, trauma = self.suffer(rows, one, False, let)
        first = self.lasts(rows)
        more, worse = self.suffer(rows, two, False, let)
        self.now(rows, [("lower", parts) for parts in zip(first, self.lasts(rows), strict=True)])
        return np.minimum(blood, more), np.minimum(trauma, worse)

    def another(self, rows: np.ndarray, cards: np.ndarray, value: bool, let: int) -> tuple[np.ndarray, np.ndarray]:
        blood, trauma = self.own(rows, cards, let)
        further = self.draw(rows)
        self.score[rows] += VALUE[further] * value
        self.suffer(rows, further, value, 0)
        own = [card * 4 + let for card in cards]
        self.now(rows, [("sum", parts) for parts in zip(own, self.lasts(rows), strict=True)])
        return blood, trauma

    def again(self, rows: np.ndarray, _: np.ndarray, __: bool, let: int) -> tuple[np.ndarray, np.ndarray]:
        blood, trauma = np.zeros((2, len(rows)), np.int64)
        fresh = self.last[rows] == NOTHING
        new = rows[fresh]
        blood[fresh], trauma[fresh] = self.suffer(new, self.draw(new), False, let)
        suffered = [last if let else no_more(last) for last in self.lasts(rows)]
        for place, row in enumerate(rows):
            more, worse = self.once_more(row, suffered[place])
            blood[place] += more
            trauma[place] = max(trauma[place], worse)
            if fresh[place]:
                suffered[place] = ("sum", (suffered[place], suffered[place]))
        self.now(rows, suffered)
        return blood, trauma


def no_more(suffered: Any) -> Any:
    """Return the same with neither Blood nor Trauma."""
    if isinstance(suffered, tuple):
        return suffered[0], [no_more(part) for part in suffered[1]]
    return suffered // 4 * 4


def with_arrays(trials: int) -> list[float]:
    """Play this many fights, thousands at once, and return the sums of the measures."""
    random, sums = np.random.default_rng(1), np.zeros(8)
    for begun in range(0, trials, 20_000):
        sums += some_fights(min(20_000, trials - begun), random)
    return list(sums)


def some_fights(many: int, random: np.random.Generator) -> np.ndarray:
    """Play this many fights at once."""
    fights = Fights(many, random)
    died, reset, fell, how = np.zeros((4, many), np.int64)
    for hit in range(1, 11):
        (alive,) = np.nonzero(died == 0)
        fights.hp[alive] -= np.where(fell[alive] == 0, fights.roll("1d8", len(alive)), 0)
        rows = alive[fights.hp[alive] < 0]
        fell[rows[fell[rows] == 0]] = hit
        moved = fights.blood[rows]
        fights.blood[rows] = 0
        cards = fights.draw(rows)
        fights.score[rows] += moved + VALUE[cards]
        blood, trauma = fights.suffer(rows, cards, True, 3)
        fights.bleed(rows, blood)
        fights.trauma[rows] = np.maximum(fights.trauma[rows], trauma)
        score = fights.score[rows]
        reset[rows[(score == 21) & (reset[rows] == 0)]] = hit
        fights.score[rows[score == 21]] = 0
        died[rows[score > 21]] = hit
        how[rows] = np.where(score > 21, np.where(score - moved <= 21, 3, 4), 0)
    taken, lives = np.where(died > 0, died, 10), died == 0
    weeks = np.where(lives, 0, 79)
    for trauma, (dice, unit) in RECOVERY.items():
        (some,) = np.nonzero(lives & (fights.trauma == trauma))
        weeks[some] = (fights.roll(dice, len(some)) * DAYS[unit] + 3) // 7
    columns = (
        died,
        reset,
        fell,
        np.where(fell > 0, taken - fell + lives, 41),
        np.where(lives, fights.trauma, 7),
        weeks,
        np.minimum(fights.bled, 99),
        how,
    )
    return np.array([column.sum() for column in columns], float)


def cases() -> list[Case]:
    """Return the question with its default settings."""
    return [Case("hackjack deadly", Deadly(), c="hackjack.c", plain=plain, numpy=with_arrays)]

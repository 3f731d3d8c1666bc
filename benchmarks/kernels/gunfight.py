"""Who is left in a gunfight, in other ways: C (gunfight.c), NumPy, and a plain loop as a user would write it.

Four against five; nobody waits, and nobody prevents blood loss.
"""

from random import Random

from benchmarks.kernels.case import Case
from benchmarks.kernels.gunfight_arrays import with_arrays
from benchmarks.kernels.hackjack import WOUNDS, Fight
from cardhouse.games.gunfight.lab.questions import Last

RED, BLACK = "red", "black"


class Table:
    """The wound deck that all draw from."""

    def __init__(self) -> None:
        self.deck: list[str] = []
        self.discard: list[str] = []


class Fighter(Fight):
    """A character with a side, a rank, hit points and a weapon."""

    def __init__(self, random: Random, table: Table, side: int, ace: bool) -> None:
        self.table = table
        super().__init__(random)
        self.side, self.ace = side, ace
        self.hp, self.needs = (6, 12) if side else (12, 9)
        self.checks: list[str] = []
        self.helpless = False

    @property
    def deck(self) -> list[str]:
        return self.table.deck

    @deck.setter
    def deck(self, cards: list[str]) -> None:
        self.table.deck = cards

    @property
    def discard(self) -> list[str]:
        return self.table.discard

    @discard.setter
    def discard(self, cards: list[str]) -> None:
        self.table.discard = cards

    def own(self, card: str, blood: bool, trauma: bool) -> tuple[int, int]:
        """Apply a wound, which may ask for a check, or make the character helpless."""
        if WOUNDS[card].check:
            self.checks.append(card)
        self.helpless |= "helpless" in WOUNDS[card].conditions
        return super().own(card, blood, trauma)

    def roll_checks(self) -> None:
        """Roll the open checks before the character's turn."""
        for card in self.checks:
            check = WOUNDS[card].check
            if check and self.random.randint(1, 20) <= self.score and check.failed == "unconscious":
                self.helpless = True
        self.checks = []

    def able(self) -> bool:
        """Return whether the character can do anything."""
        return self.alive and not self.helpless

    def worth_a_shot(self) -> tuple[bool, int]:
        """Return a sort key for targets: those on their feet first, by hit points, then those nearest to death."""
        return self.down, -self.score if self.down else self.hp


def one_fight(random: Random) -> list[int]:
    table = Table()
    people = [Fighter(random, table, 0, ace) for ace in (True, False, False, False)]
    people += [Fighter(random, table, 1, ace) for ace in (True, False, False, False, False)]
    opened, rounds, hits = -1, 0, 0
    while rounds < 30 and both(people):
        rounds += 1
        deck: list = [RED, BLACK, *(who for who in people if who.alive)]
        random.shuffle(deck)
        under: list[Fighter] = []
        spent = set()
        while (deck or under) and both(people):
            card = deck.pop() if deck else under.pop(0)
            if card is RED:
                deck += under
                under = []
                random.shuffle(deck)
                continue
            if card is BLACK:
                if deck:
                    deck.pop()
                elif under:
                    under.pop(0)
                continue
            opened = card.side if opened < 0 else opened
            card.roll_checks()
            if card.able() and random.randint(1, 20) >= card.needs:
                target = min((who for who in people if who.side != card.side and who.able()), key=Fighter.worth_a_shot)
                target.hit(target.roll("1d8"))
                hits += 1
                if not target.alive:
                    deck = [one for one in deck if one is not target]
                    under = [one for one in under if one is not target]
            if card.ace and card not in spent:
                spent.add(card)
                under.append(card)
    able = [sum(who.able() for who in people if who.side == side) for side in (0, 1)]
    dead = [sum(not who.alive for who in people if who.side == side) for side in (0, 1)]
    ended = 1 if all(able) else 2 if able[0] else 0
    return [ended, 0 if all(able) else rounds, 3 * opened + ended, *dead, *able, hits]


def both(people: list[Fighter]) -> bool:
    """Return whether both sides can still act."""
    return len({who.side for who in people if who.able()}) == 2


def plain(trials: int) -> list[float]:
    """Play this many fights."""
    random, totals = Random(1), [0.0] * 8
    for _ in range(trials):
        totals = [total + value for total, value in zip(totals, one_fight(random), strict=True)]
    return totals


def cases() -> list[Case]:
    return [Case("gunfight last", Last(), c="gunfight.c", plain=plain, numpy=with_arrays)]

"""A ledger of Hackjack, kept from the log without the game's code: the rules' sums, calculated again."""

from __future__ import annotations

import re
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import Any

from cardhouse.engine import Entry, Event

HARM = {
    card: (int(blood or 0), int(trauma or 0))
    for card, blood, trauma in re.findall(
        r"(\w+)(?: B(\d))?(?: T(\d))?(?:,|$)",
        "CA, C2, C3, C4 T1, C5 T1, C6 B1, C8 B2, C9, CQ, CK B2 T3, SA, S2 B1, S3 T3, S4 T1, S5 T3, S6 T3, S7 T2, S8, "
        "S10 T4, SJ B3 T2, SK B6 T5, DA, D2, D3 B1, D4, D5 B1 T1, D6, D7, D8, D9 T1, D10 B1 T1, DJ B1 T1, DQ, DK T4, "
        "H2, H3, H4, H5, H7 T1, H8 B2 T3, H9 T2, H10 T3, HQ B1 T4, HK B6 T6",
    )
}
"""Blood and Trauma of the wounds that bleed without dice and have nothing else drawn."""

HARMLESS = re.findall(
    r"\w+",
    "found drops stays mark_gone chooses again wakes passes_out check_passed check_failed bears_pain pain_too_much "
    "rested recovery handed_over new_round worn",
)
"""Events that change nothing of what the books hold."""


def worth(card: str) -> int:
    """HJ-2; a joker nothing."""
    return 0 if card in ("RJ", "BJ") else {"A": 1, "J": 10, "Q": 10, "K": 10}.get(card[1:]) or int(card[1:])


@dataclass
class Person:
    """Somebody's page in the books."""

    hp: int
    max_hp: int
    score: int = 0
    blood: int = 0
    trauma: int = 0
    down: bool = False
    alive: bool = True
    preventing: bool = False
    pile: list[str] = field(default_factory=list)
    tokens: int = 0
    beside: list[str] = field(default_factory=list)
    wounds: list[str] = field(default_factory=list)
    drawn: bool = False

    def as_shown(self) -> dict[str, Any]:
        """What the view must show of it."""
        assert sum(map(worth, self.pile)) + self.tokens == self.score >= 0
        assert self.tokens >= 0
        assert self.blood >= 0
        assert 0 <= self.trauma <= 6
        shown = {name: value for name, value in vars(self).items() if name not in ("score", "drawn")}
        return {**shown, "death_score": self.score}


class Ledger:
    """The books: every person, and where every card is. `hits` counts the pieces of damage that were done with."""

    def __init__(self, cards: set[str], options: dict[str, Any]) -> None:
        self.options = {"limit": 21, "massive_damage": 13, "draw_at_zero": False, "return_cards": False, **options}
        self.each_step = options.get("judged") == "each_step"
        self.limit = self.options["limit"]
        self.people: dict[str, Person] = {}
        self.deck = set(cards)
        self.top: str | None = None
        self.discard: list[str] = []
        self.hit: dict[str, Any] | None = None
        self.hits = 0

    def note(self, entry: Entry, view: dict[str, Any]) -> None:
        """Book an entry, and compare with what the game master is shown after it."""
        said = entry.lines[0]
        if said.get("do") in ("damage", "draw_for"):
            self.hit, self.judged = said, 0
            self.was = Person(**vars(self.people[said["target"]]))
        self.said = said
        self.coming = deque(line["card"] for line in entry.lines[1:] if "draw" in line)
        self.shuffled: list[int] = []
        self.shuffles_told: list[int] = []
        self.red: Counter[str] = Counter()
        self.red_told: Counter[str] = Counter()
        self.opens = self.bonus = 0
        self.outright = ""
        for event in entry.events:
            if event.key not in HARMLESS:
                getattr(self, f"on_{event.key}")(event, **event.about)
        assert not self.coming, "every card drawn was told of"
        assert (self.shuffled, self.red, self.opens, self.bonus) == (self.shuffles_told, self.red_told, 0, 0)
        self.check_cure()
        if self.hit is not None and view["hitting"] is None:
            self.check_hit(entry)
            self.end_of_hit()
        self.compare(view)

    def compare(self, view: dict[str, Any]) -> None:
        """The view shows what the books hold."""
        for shown in view["characters"]:
            person = self.people[shown["name"]]
            wounds = [wound["card"] for wound in shown["wounds"]]
            assert {**shown, "wounds": wounds} == {**shown, **person.as_shown()}, shown["name"]
            assert not person.alive or self.hit is not None or person.score < self.limit
        assert len(view["characters"]) == len(self.people)
        assert sorted(view["discard"]) == sorted(self.discard)
        assert (view["deck_left"], set(view["unseen"]), view["next_card"]) == (len(self.deck), self.deck, self.top)

    # A piece of damage.

    def check_hit(self, entry: Entry) -> None:
        """What one piece of damage has done as a whole (HJ-1, HJ-6, HJ-9, HJ-11, HJ-14)."""
        assert self.hit is not None
        was, now = self.was, self.people[self.hit["target"]]
        assert self.each_step or self.judged <= 1, "judged once"
        assert now.trauma >= was.trauma
        assert now.hp == max(0, was.hp - self.hit.get("amount", 0))
        told = [event.key for event in entry.events]
        if entry.lines[0] is self.hit:
            flows = (was.down or self.options.get("standing_blood", False)) and "killed_outright" not in told
            flows = flows and self.hit["do"] == "damage"
            assert ("bleeds_out" in told) == (flows and was.blood > 0 and not was.preventing)
        cards = [event.about["card"] for event in entry.events if event.key in ("draws", "critical", "draws_wound")]
        suffers = now.alive or not self.each_step
        if entry.lines[0] is self.hit and cards and cards[0] in HARM and suffers:
            blood, trauma = HARM[cards[0]]
            assert sum(event.about["blood"] for event in entry.events if event.key == "bleeds") == blood
            assert now.trauma == max(was.trauma, trauma)

    def end_of_hit(self) -> None:
        """Cards beside the pile of one who is up go; or all go back into the deck (HJ-20)."""
        assert self.hit is not None
        person = self.people[self.hit["target"]]
        if not person.down:
            self.throw_away(person, person.beside)
            person.drawn = False
        if self.options["return_cards"]:
            self.put_back(person)
        self.hits += 1
        self.hit = None

    def put_back(self, person: Person) -> None:
        """All cards it has drawn go back into the deck, and tokens stand for its score (HJ-20)."""
        if not person.down:
            self.throw_away(person, person.beside)
        self.deck |= {*person.pile, *person.beside, *self.discard}
        person.pile, person.beside, self.discard, person.tokens = [], [], [], person.score

    def adds(self, person: Person, event: Event, card: str | None) -> int:
        """What the first card of a piece of damage must count (HJ-2, HJ-4, HJ-5, HJ-7, HJ-8, HJ-27)."""
        assert self.hit is not None
        amount, massive = self.hit.get("amount", 0), self.options["massive_damage"]
        hard = amount if self.was.down else amount - self.was.hp
        rules = ("HJ-7", "HJ-8") if self.was.down else ("HJ-5", "HJ-4")
        assert event.rule == (rules[hard > massive] if self.hit["do"] == "damage" else "HJ-29")
        assert self.was.down or hard <= self.limit
        counts = hard if hard > massive else 0 if card is None else worth(card)
        if card in (None, "RJ", "BJ"):
            return counts if card is None else 0
        bonus = 0 if person.drawn or not person.down else 2 * person.wounds.count("CQ")
        assert bonus == self.bonus
        self.bonus = 0
        return counts + bonus

    def on_draws(self, event: Event, name: str, card: str, adds: int, score: int) -> None:
        person = self.people[name]
        assert card == self.draw(person)
        assert adds == self.adds(person, event, card)
        person.drawn = True
        person.tokens += adds - worth(card)
        self.count(person, card, adds, score)

    def on_no_card(self, event: Event, name: str, adds: int, score: int) -> None:
        assert not self.deck
        assert not self.discard
        person = self.people[name]
        assert adds == self.adds(person, event, None)
        person.score += adds
        person.tokens += adds
        assert person.score == score

    def on_draws_another(self, event: Event, name: str, card: str, adds: int) -> None:
        person = self.people[name]
        assert card == self.draw(person)
        assert adds in (0, worth(card))
        if adds:
            self.count(person, card, adds, person.score + adds)
        else:
            person.beside.append(card)

    def count(self, person: Person, card: str, adds: int, score: int) -> None:
        person.score += adds
        assert person.score == score
        (person.pile if worth(card) else person.beside).append(card)

    def on_critical(self, event: Event, name: str, card: str) -> None:
        person = self.people[name]
        assert card == self.draw(person)
        person.beside.append(card)

    on_twice = on_draws_wound = on_critical

    def on_draws_two_to_choose(self, event: Event, name: str, card: str) -> None:
        person = self.people[name]
        for _ in range(min(2, len(self.deck) + len(self.discard))):
            person.beside.append(self.draw(person))

    on_draws_two_to_suffer = on_draws_two_to_choose

    def on_lucky_break(self, event: Event, name: str, card: str) -> None:
        assert card in ("RJ", "BJ")

    def draw(self, person: Person) -> str:
        """The card that was drawn next: the one on top, if it has been seen, else that of the next line of chance."""
        self.shuffle_if_empty()
        card = self.coming.popleft() if self.top is None else self.top
        self.top = None
        self.deck.remove(card)
        if card[0] in "DH" and "H10" in person.wounds:
            self.red[card] += person.wounds.count("H10")
        return card

    def shuffle_if_empty(self) -> None:
        if not self.deck and self.discard:
            self.shuffled.append(len(self.discard))
            self.deck, self.discard = set(self.discard), []

    def on_shuffled(self, event: Event, cards: int) -> None:
        self.shuffle_if_empty()
        self.shuffles_told.append(cards)

    def on_peeks(self, event: Event, name: str) -> None:
        if self.top is None:
            self.top = self.coming.popleft()
        assert self.top in self.deck

    def on_peeked(self, event: Event, card: str) -> None:
        assert card == self.top

    def on_nothing_to_see(self, event: Event, name: str) -> None:
        assert not self.deck
        assert not self.discard

    def on_hurt(self, event: Event, name: str, amount: int, hp: int) -> None:
        self.people[name].hp -= amount
        assert self.people[name].hp == hp >= self.options["draw_at_zero"]

    def on_goes_down(self, event: Event, name: str, amount: int) -> None:
        person = self.people[name]
        assert not person.down
        assert person.hp - amount < self.options["draw_at_zero"]
        person.hp, person.down, person.drawn = 0, True, False
        self.opens = 2 * person.wounds.count("C9")

    def on_old_wound_opens(self, event: Event, name: str, blood: int, pool: int) -> None:
        assert blood == self.opens > 0
        self.opens = 0
        self.add_blood(name, blood, pool)

    def on_old_wound_counts(self, event: Event, name: str, adds: int) -> None:
        self.bonus = adds

    def on_killed_outright(self, event: Event, name: str, amount: int, below: int) -> None:
        person = self.people[name]
        assert not person.down
        assert amount - person.hp == below > self.limit
        person.hp, self.outright = 0, name

    def on_bleeds_out(self, event: Event, name: str, blood: int, score: int) -> None:
        person = self.people[name]
        assert blood == person.blood > 0
        person.score += blood
        person.tokens += blood
        person.blood = 0
        assert person.score == score

    def on_red_card(self, event: Event, name: str, card: str, blood: int, pool: int) -> None:
        self.red_told[card] += blood
        self.add_blood(name, blood, pool)

    def on_bleeds(self, event: Event, name: str, blood: int, pool: int) -> None:
        self.add_blood(name, blood, pool)

    def on_drained_blood(self, event: Event, name: str, amount: int, pool: int) -> None:
        self.add_blood(name, amount, pool)

    def add_blood(self, name: str, blood: int, pool: int) -> None:
        assert blood > 0
        self.people[name].blood += blood
        assert self.people[name].blood == pool

    def on_trauma(self, event: Event, name: str, trauma: int) -> None:
        assert trauma > self.people[name].trauma
        self.people[name].trauma = trauma

    def on_wounded(self, event: Event, name: str, card: str, wound: str) -> None:
        self.people[name].wounds.append(card)
        if card == "HA" and self.options["return_cards"]:  # before the glimpse (HJ-20)
            self.put_back(self.people[name])

    def on_max_hp_lost(self, event: Event, name: str, by: int, max_hp: int) -> None:
        person = self.people[name]
        person.max_hp = max(1, person.max_hp - by)
        assert person.max_hp == max_hp

    # Judgement.

    def on_exactly(self, event: Event, name: str, limit: int) -> None:
        person = self.people[name]
        assert person.score == limit == self.limit
        self.throw_away(person, person.pile)
        person.score = person.tokens = 0
        self.judged = 1 if self.hit is None else self.judged + 1

    def on_too_much(self, event: Event, name: str, score: int, limit: int) -> None:
        assert self.people[name].score == score > limit == self.limit
        self.judged = 1 if self.hit is None else self.judged + 1

    def on_dies(self, event: Event, name: str) -> None:
        assert self.people[name].alive
        assert self.people[name].score > self.limit or self.outright == name
        self.people[name].alive = False
        self.opens = 0  # the dead bleed no more

    def on_drained(self, event: Event, name: str, amount: int, score: int) -> None:
        person = self.people[name]
        person.score += amount
        person.tokens += amount
        assert person.score == score

    # Mending.

    def on_healed(self, event: Event, name: str, amount: int, pool: int, score: int, hp: int) -> None:
        """Blood first, then tokens, then cards, the latest first, then hit points (HJ-15)."""
        person = self.people[name]
        for _ in range(amount):
            if person.blood:
                person.blood -= 1
            elif person.score:
                person.score -= 1
                if not person.tokens:
                    card = person.pile.pop()
                    self.discard.append(card)
                    person.tokens = worth(card)
                person.tokens -= 1
            elif person.hp < person.max_hp:
                person.hp += 1
        assert (person.blood, person.score, person.hp) == (pool, score, hp)

    def on_up(self, event: Event, name: str, hp: int) -> None:
        person = self.people[name]
        assert person.hp == hp >= 1
        person.down = person.drawn = False
        self.throw_away(person, person.beside)
        assert not person.pile

    def on_recovered(self, event: Event, name: str) -> None:
        assert self.said["do"] == "recover"
        assert self.people[name].score == self.people[name].blood == 0
        self.people[name].trauma = 0

    def on_trauma_gone(self, event: Event, name: str) -> None:
        assert self.said["do"] == "cure"
        assert self.people[name].trauma
        self.people[name].trauma = 0

    def on_trauma_left(self, event: Event, name: str, trauma: int) -> None:
        """The highest of the wounds left, as far as these books know what each brought."""
        assert self.said["do"] == "cure"
        assert 0 < trauma < self.people[name].trauma
        self.people[name].trauma = trauma

    def on_ends(self, event: Event, name: str, card: str, wound: str) -> None:
        self.people[name].wounds.remove(card)

    def check_cure(self) -> None:
        """With the last wound that has Trauma its sum goes, too."""
        if self.said.get("do") == "cure":
            person = self.people[self.said["target"]]
            assert person.trauma == 0 or person.wounds

    # Rounds, coming and going.

    def on_prevents(self, event: Event, name: str, pool: int) -> None:
        self.people[name].preventing = event.key == "prevents"
        assert self.people[name].blood == pool > 0

    on_fights_on = on_prevents

    def on_joins_table(self, event: Event, name: str, hp: int) -> None:
        self.people[name] = Person(hp, self.said["max_hp"])

    def on_comes_back(self, event: Event, name: str, hp: int) -> None:
        sheet = {"death_score": 0, **self.said["sheet"]}
        known = {key: sheet[key] for key in ("hp", "max_hp", "blood", "trauma", "down", "alive") if key in sheet}
        score = sheet["death_score"]
        wounds = [wound["card"] for wound in sheet.get("wounds", ())]
        self.people[name] = Person(**known, score=score, tokens=score, wounds=wounds)

    def on_cleared(self, event: Event, name: str, cards: int) -> None:
        person = self.people[name]
        assert not person.alive
        assert cards == len(person.pile) + len(person.beside)
        self.throw_away(person, person.beside, person.pile)
        person.tokens = person.score

    def on_leaves_table(self, event: Event, name: str) -> None:
        person = self.people.pop(name)
        self.throw_away(person, person.beside, person.pile)

    def throw_away(self, person: Person, *cards: list[str]) -> None:
        """These cards of somebody's go to the discard."""
        for pile in cards:
            self.discard += pile
            pile.clear()

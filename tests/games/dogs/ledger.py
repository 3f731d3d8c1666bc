"""A ledger of a conflict, kept from its log without the game's code: who Raises next, who may See."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from cardhouse.engine import Entry, Event

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
VALUES = {**{str(number): number for number in range(2, 11)}, "A": 1, "J": 12, "Q": 12, "K": 14}
LEFT = {
    "talking": RANKS[3:],
    "physical": RANKS[6:],
    "fighting": RANKS[9:],
    "guns": RANKS[11:],
}
"""DV-26: what is Experience."""
KEPT = {"-": (2, 1), "o": (1, 1), "+": (2, 1), "-*": (4, 2), "o*": (2, 2), "+*": (4, 2)}
"""DV-6, DV-7: how many are drawn for a mark, and how many kept."""
DEMONIC = "Demonic Influence"
DEMONIC_MARKS = ("", "o", "+", "o*", "+*", "+*")

Way = tuple[tuple[str, ...], str | None]
"""The cards with which somebody Sees, and which of them is sideways."""


def rank(card: str) -> str:
    return card[1:].removesuffix("b")


def value(card: str) -> int:
    """DV-8."""
    return VALUES[rank(card)]


def high(card: str) -> int:
    """DV-26: aces low."""
    return RANKS.index(rank(card))


def worth_of(cards: Sequence[str], sideways: str | None) -> int:
    """The sum, one of them perhaps sideways (DV-21)."""
    return sum(value(card) // 2 if card == sideways else value(card) for card in cards)


def outcome(cards: Sequence[str], sideways: str | None, raised: int, helped: int, reverse: bool | None) -> str | None:
    """What seeing with these cards comes to (DV-17 to DV-19); None if it is too little, or can't reverse."""
    worth = worth_of(cards, sideways)
    if worth + helped < raised:
        return None
    doubles = len(cards) == 1 and worth >= 2 * raised
    if reverse and not doubles:
        return None
    return "takes_blow" if len(cards) > 1 else "reverses" if doubles and reverse is not False else "blocks"


def some_ways(hand: Sequence[str], number: int, *, owes: bool) -> Iterator[Way]:
    """All ways to lay so many cards, with each of them sideways if one has to be."""
    for cards in combinations(hand, number):
        for sideways in cards if owes else (None,):
            yield cards, sideways


def fewest(hand: Sequence[str], raised: int, helped: int, *, owes: bool, least: int) -> int | None:
    """With how few cards, of all ways there are, a Raise can be seen."""
    most = sum(map(value, hand)) + helped
    if most < raised:
        return None
    for number in range(least, len(hand) + 1):
        if any(worth_of(*way) + helped >= raised for way in some_ways(hand, number, owes=owes)):
            return number
    return None


class Ledger:
    """The books of one conflict, opened by this line, with these options, at a table that looked like this."""

    def __init__(self, line: dict[str, Any], options: dict[str, Any], view: dict[str, Any]) -> None:
        self.options = {"improvised": 3, "keep_on_give": "second", "jack_draw": False, **options}
        self.line = self.said = line
        self.kind = line["do"].removeprefix("open_")
        self.sides: list[list[str]] = line.get("sides") or [
            [line["healer"] if self.kind == "healing" else line["name"]],
            ["The fallout" if self.kind == "healing" else "The initiation"],
        ]
        self.side = {name: number for number, side in enumerate(self.sides) for name in side}
        self.names = list(self.side)
        self.starter = line.get("starter") or self.names[0]
        self.people = {who["name"]: who for who in view["characters"]}
        self.demonic = dict(line.get("demonic") or {})
        if self.demonic and self.kind == "healing" and self.demonic.get("side") is None:
            self.demonic["side"] = 1
        self.drawn: set[tuple[str, str]] = set()
        if self.demonic and self.kind == "healing" and self.demonic["side"] == 1:
            self.drawn.add(("The fallout", DEMONIC))
        self.hands: dict[str, list[str]] = {name: [] for name in self.names}
        self.arenas: dict[str, list[str]] = {name: [] for name in self.names}
        self.owes: Counter[str] = Counter()
        self.improvised: Counter[str] = Counter()
        self.floated: set[str] = set()
        self.gone: list[str] = []
        self.blows: dict[str, Counter[str]] = {name: Counter() for name in self.names}
        self.order: list[str] = []
        self.to_come: list[str] = []
        self.turn: str | None = None
        self.raised: dict[str, Any] | None = None
        self.to_see: list[str] = []
        self.put_together()
        self.winners: list[str] | None = None
        self.left: dict[str, list[str]] = {name: [] for name in self.names}
        self.right: dict[str, list[str]] = {name: [] for name in self.names}
        self.told: Counter[str] = Counter()

    def put_together(self) -> None:
        """A new Raise or See begins."""
        self.helps: dict[str, str] = {}
        self.has_improvised = self.has_escalated = False

    # What is told.

    def note(self, entry: Entry) -> None:
        """Book an entry."""
        self.said = entry.lines[0] if "do" in entry.lines[0] else self.said
        if entry.lines[0].get("do") == "bring":
            key = (self.said["name"], self.said["thing"])
            assert key not in self.drawn, "each thing is drawn for once"
            self.drawn.add(key)
        for event in entry.events:
            self.told[event.key] += 1
            if book := getattr(self, f"on_{event.key}", None):
                book(event, **event.about)
            elif "cards" in event.about and event.key.startswith(("draws_", "starts_with", "gets_", "fallout_")):
                self.hands[self.whose(event)] += event.about["cards"]

    def whose(self, event: Event) -> str:
        """Into whose hand cards came."""
        return "The fallout" if event.key == "fallout_stands" else str(event.about["name"])

    def compare(self, conflict: dict[str, Any]) -> None:
        """The conflict is where the books are, as the game master is shown it when a Raise or See is asked for."""
        assert self.winners is None
        if self.raised is None:
            self.next_go()
            assert (conflict["go"], conflict["raise"]) == (self.turn, None)
            assert self.hands[self.turn or ""] or self.has_more(self.turn or "")
        else:
            shown = {name: conflict["raise"][name] for name in self.raised}
            assert (shown, conflict["raise"]["to_see"]) == (self.raised, self.to_see)
            assert self.can_see(self.to_see[0])
            assert conflict["sees"] == {name: self.sees(name) for name in self.to_see}
        assert conflict["order"] == self.order
        shown_hands = {name: sorted(hand) for name, hand in conflict["hands"].items()}
        assert shown_hands == {name: sorted(hand) for name, hand in self.hands.items()}
        for one in conflict["participants"]:
            assert one["still_in"] == (one["name"] not in self.gone)
            assert one["owes"] == self.owes[one["name"]]
        blows = {name: {pile: n for pile, n in piles.items() if n} for name, piles in conflict["fallout"].items()}
        assert blows == {name: dict(piles) for name, piles in self.blows.items()}

    # Whose go it is (DV-15).

    def next_go(self) -> None:
        """Whose Raise it is now, once the one before is done with."""
        while self.turn is None:
            if not self.to_come:
                self.order = self.new_order()
                self.to_come = list(self.order)
            name = self.to_come.pop(0)
            self.turn = None if name in self.gone else name

    def new_order(self) -> list[str]:
        """Between two the starter first; of more whoever has the best card, the next best, and so on."""
        there = [name for name in self.names if name not in self.gone]
        if self.starter in there:
            there = [self.starter, *(name for name in there if name != self.starter)]
        if len(self.names) == 2:
            return there
        ordered: list[str] = []
        while there:
            first = there[0]
            for other in there[1:]:
                if self.is_better(other, first):
                    first = other
            there.remove(first)
            ordered.append(first)
        return ordered

    def is_better(self, one: str, other: str) -> bool:
        """Whether its cards go before those of another, card by card from the best; more of them before fewer."""
        mine, theirs = (sorted(map(value, self.hands[name])) for name in (one, other))
        while mine and theirs:
            if (best := mine.pop()) != (their_best := theirs.pop()):
                return best > their_best
        return bool(mine)

    # Who can do what.

    def things_left(self, name: str) -> list[str]:
        """What it could still bring: its own, as a healer its patient's, Demonic Influence (DV-10, DV-31)."""
        owners = [name] if name in self.people else []
        if self.kind == "healing" and owners:
            owners.append(self.line["patient"])
        left = [thing for owner in owners for thing in [*self.marks(owner)] if (owner, thing) not in self.drawn]
        if self.demonic.get("side") == self.side[name] and not any(thing == DEMONIC for _, thing in self.drawn):
            left.append(DEMONIC)
        return left

    def marks(self, owner: str) -> dict[str, str]:
        """The marks of somebody's things as they count now (DV-32)."""
        who = self.people[owner]
        marks = {thing["name"]: thing["kind"] + "*" * thing["significant"] for thing in who["things"]}
        for later in who["later"]:
            if later["effect"] == "counts_troublesome" and later["thing"] in marks:
                marks[later["thing"]] = "-" + marks[later["thing"]][1:]
            elif later["effect"] == "troublesome_trait":
                marks[later["thing"]] = "-"
        return marks

    def has_more(self, name: str) -> bool:
        """Whether it could bring, improvise or escalate (DV-23)."""
        if self.things_left(name):
            return True
        if name not in self.people:
            return False
        improvises = not self.has_improvised and self.improvised[name] < self.options["improvised"]
        return improvises or (not self.has_escalated and bool({*LEFT} - {*self.arenas[name]}))

    def helped(self) -> int:
        """What the help there is adds (DV-21)."""
        return sum(value(card) // 2 for card in self.helps.values())

    def can_see(self, name: str) -> bool:
        """Whether it can See now, with something more, or with all the help there can be (DV-23)."""
        assert self.raised is not None
        others = [
            max(map(value, self.hands[other])) // 2
            for other in self.names
            if self.side[other] == self.side[name]
            and other not in (name, *self.gone, *self.helps)
            and self.hands[other]
        ]
        helped = self.helped() + sum(others)
        able = fewest(self.hands[name], self.raised["value"], helped, owes=bool(self.owes[name]), least=1)
        return able is not None or self.has_more(name)

    def sees(self, name: str) -> dict[str, Any]:
        """What the view shows of how it could See."""
        assert self.raised is not None
        hand = sorted(self.hands[name], key=value, reverse=True)
        helped = self.helped() if name == self.to_see[0] else 0
        owes = bool(self.owes[name])
        single = {card: outcome((card,), card if owes else None, self.raised["value"], helped, None) for card in hand}
        return {
            "reverse": [card for card in self.in_hand_order(name) if single[card] == "reverses"],
            "block": [card for card in self.in_hand_order(name) if single[card] == "blocks"],
            "blow": fewest(hand, self.raised["value"], helped, owes=owes, least=2),
        }

    def in_hand_order(self, name: str) -> list[str]:
        """Its hand by worth, equal cards as they came."""
        return sorted(self.hands[name], key=value, reverse=True)

    # Drawing.

    def on_draws_for(self, event: Event, name: str, thing: str, drawn: list[str], cards: list[str]) -> None:
        """What was drawn for a thing, and what had to be kept of it (DV-6 to DV-8)."""
        self.hands[name] += cards
        if (said := self.said["do"]) == "bring":
            mark = DEMONIC_MARKS[self.demonic["dice"]] if thing == DEMONIC else self.marks(self.said["name"])[thing]
            mark = "-" if event.rule == "DV-11" else mark
        elif said == "improvise":
            mark = "-*" if self.said.get("desperate") else "-"
        elif said == "float":
            assert thing not in self.floated
            self.floated.add(mark := thing)
        else:
            return
        number, keep = KEPT[mark]
        assert len(drawn) <= number
        place = {card: number for number, card in enumerate(drawn)}
        sign = -1 if mark[0] == "-" else 1
        best = sorted(drawn, key=lambda card: (sign * value(card), place[card]), reverse=True)
        assert sorted(cards, key=place.__getitem__) == sorted(best[:keep], key=place.__getitem__) == cards

    def on_opens(self, event: Event, arena: str, **about: Any) -> None:
        for entered in self.arenas.values():
            entered.append(arena)

    on_opens_healing = on_opens

    def on_escalates(self, event: Event, name: str, arena: str) -> None:
        assert arena not in self.arenas[name]
        assert not self.has_escalated
        self.arenas[name].append(arena)
        self.has_escalated = True

    def on_improvises(self, event: Event, name: str) -> None:
        assert not self.has_improvised
        self.has_improvised = True
        self.improvised[name] += 1
        assert self.improvised[name] <= self.options["improvised"]

    on_goes_desperate = on_improvises

    def on_draws_body(self, event: Event, **about: Any) -> None:
        """No hand's."""

    def on_draws_hidden(self, event: Event, **about: Any) -> None:
        """Told to the others."""

    on_draws_for_hidden = on_starts_with_cards = on_draws_hidden

    # Raising and seeing.

    def pay(self, name: str) -> bool:
        """Help given is paid with a card turned sideways; whoever helped now owes (DV-21)."""
        owed = self.owes[name] > 0
        self.owes[name] -= owed
        for helper in self.helps:
            self.owes[helper] += 1
        return owed

    def on_helps(self, event: Event, name: str, card: str, whom: str, half: int) -> None:
        acting = self.turn if self.raised is None else self.to_see[0]
        assert whom == acting != name
        assert self.side[name] == self.side[whom]
        assert name not in (*self.helps, *self.gone)
        self.hands[name].remove(card)
        self.helps[name] = card

    def on_raises(self, event: Event, name: str, card: str, **about: Any) -> None:
        assert name == self.turn == self.said["name"]
        helped = self.helped()
        sideways = self.pay(name)
        self.hands[name].remove(card)
        against = self.said.get("against") or self.names
        self.to_see = [
            other
            for other in self.order
            if other in against and other not in self.gone and self.side[other] != self.side[name]
        ]
        worth = value(card) // 2 if sideways else value(card)
        arena = self.said.get("arena") or self.arenas[name][-1]
        assert arena in self.arenas[name]
        self.raised = {"by": name, "card": card, "sideways": sideways, "value": worth + helped, "arena": arena}
        assert {key: about[key] for key in ("value", "arena", "names")} == {
            "value": worth + helped,
            "arena": arena,
            "names": self.to_see,
        }
        self.put_together()

    on_raises_sideways = on_raises

    def on_blocks(self, event: Event, name: str, cards: list[str], **about: Any) -> None:
        assert self.raised is not None
        assert name == self.to_see.pop(0) == self.said["name"]
        helped = self.helped()
        sideways = (self.said.get("sideways") or cards[0]) if self.pay(name) else None
        told = "takes_blow" if event.key == "takes_it" else event.key
        assert outcome(cards, sideways, self.raised["value"], helped, self.said.get("reverse")) == told
        if told == "takes_blow" and event.key == "takes_blow":
            assert about["n"] == len(cards)
            pile = self.raised["arena"].rpartition("/")[2]
            assert about["pile"] == pile
            self.blows[name][pile] += len(cards)
        if told != "reverses":
            for card in cards:
                self.hands[name].remove(card)
        self.put_together()
        self.end_of_raise()

    on_reverses = on_takes_blow = on_takes_it = on_blocks

    def on_not_used(self, event: Event, name: str, card: str) -> None:
        """What reversed a blow before is lost by a Raise or See that hasn't used it (DV-19)."""
        assert self.options.get("reversed_card") == "next_only"
        assert self.said["do"] in ("raise", "see")
        assert card not in (self.said.get("card"), *self.said.get("cards", ()))
        self.hands[name].remove(card)

    def end_of_raise(self) -> None:
        """Once all have seen it, the next has the go."""
        if not self.to_see:
            self.raised = self.turn = None

    def on_gives(self, event: Event, name: str) -> None:
        if event.key == "must_give_raise":
            self.next_go()
            assert not self.hands[name]
            assert not self.has_more(name)
        elif event.key == "must_give_see":
            assert not self.can_see(name)
        assert name not in self.gone
        for helper, card in self.helps.items():
            self.hands[helper].append(card)
        self.put_together()
        self.gone.append(name)
        if self.raised is not None:
            assert name == self.to_see.pop(0)
            self.end_of_raise()
        else:
            assert name == self.turn
            self.turn = None
        self.kept = sorted(self.hands[name], key=value)
        self.hands[name] = []

    on_must_give_raise = on_must_give_see = on_gives

    def on_keeps(self, event: Event, name: str, card: str) -> None:
        """The second-best of what it had, or the best (DV-22)."""
        assert self.gone[-1] == name
        place = -1 if self.options["keep_on_give"] == "best" or len(self.kept) == 1 else -2
        assert card in self.kept
        assert value(card) == value(self.kept[place])

    # The end, and fallout (DV-23 to DV-29).

    def on_wins(self, event: Event, names: list[str], **about: Any) -> None:
        assert names == [name for name in self.names if name not in self.gone]
        assert len({self.side[name] for name in names}) == 1
        self.winners = names

    def on_healing_succeeds(self, event: Event, **about: Any) -> None:
        """The healer won (DV-30)."""
        assert self.starter not in self.gone
        self.on_wins(event, **about)

    def on_healing_fails(self, event: Event, **about: Any) -> None:
        """The fallout won (DV-30)."""
        assert self.starter in self.gone
        self.on_wins(event, **about)

    def on_turned_over(self, event: Event, name: str, pile: str, cards: list[str]) -> None:
        assert self.winners is not None
        assert len(cards) == self.blows[name].pop(pile)
        left = [card for card in cards if rank(card) in LEFT[pile]]
        self.left[name] += left
        self.right[name] += [card for card in cards if card not in left]

    def on_split(self, event: Event, name: str, pile: str, experience: list[str], fallout: list[str]) -> None:
        assert self.left[name][-len(experience) :] == experience or not experience
        assert self.right[name][-len(fallout) :] == fallout or not fallout

    def on_severity(self, event: Event, name: str, severity: str, card: str | None) -> None:
        assert not self.blows[name]
        worst = max((high(one) for one in self.right[name]), default=-1)
        assert worst == (-1 if card is None else high(card))
        jacks = [one for one in self.right[name] if high(one) == worst and rank(one) == "J"]
        by_rank = ["short_term"] * 2 + ["long_term"] * 3 + ["injured"] * 3 + ["mortally_wounded"] * 3
        wanted = {by_rank[worst] if worst >= 0 else "short_term"}
        if jacks and self.options["jack_draw"]:
            wanted = {"dying"} if self.jack is not None and self.jack in {one[0] for one in jacks} else wanted
        elif any(one[0] == "S" for one in jacks):
            wanted = {"dying"}
        assert {severity} == wanted
        self.severity = severity
        red = sum(one[0] in "DH" for one in self.left[name])
        self.learning = red >= 2 and severity != "dying" and not self.people[name]["npc"]

    def on_jack_draw(self, event: Event, cards: list[str]) -> None:
        self.jack = cards[0][0] if cards else None

    def on_learns(self, event: Event, name: str, **about: Any) -> None:
        assert self.learning

    def on_dying(self, event: Event, name: str) -> None:
        """Only Guns can do that."""
        assert self.severity == "dying"
        assert any(rank(card) == "J" for card in self.right[name])

    def on_spared(self, event: Event, name: str, card: str) -> None:
        assert high(card) == max(map(high, [*self.left[name], *self.right[name]]))

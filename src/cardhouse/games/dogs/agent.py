"""A conflict of Dogs Play Cards, Too for two agents, who Raise, See or give until only one is left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal, NamedTuple

from cardhouse.agents.numbers import Layout, NumberBlock, Numbers
from cardhouse.agents.scene import Picked, TreeScene, accepts, ask_at, game_at
from cardhouse.cards import SECOND_DECK, STANDARD
from cardhouse.engine import Action, CardhouseError, Entry, Seen, Table
from cardhouse.games.dogs.actions import Bring, Create, Escalate, Give, Improvise, OpenConflict, Raise, See
from cardhouse.games.dogs.people.sheet import KINDS, STATS, Stats, Thing, mark_of
from cardhouse.games.dogs.rules import Dogs
from cardhouse.games.dogs.state import ARENAS, USUAL, Participant, worth

MARKS = {mark_of(kind, significant): (kind, significant) for kind in KINDS for significant in (False, True)}
"""Type and significance of a thing, by its mark (DV-2)."""
MEMORY_EACH = 32
"""Remembered numbers per spoken answer or drawn card."""
MOST_KEPT_EACH = 2
"""The most cards kept for one thing (DV-6, DV-7)."""


class Choice(NamedTuple):
    """The meaning of an action number, such as a `card` to Raise or See with, or `see` with the cards picked so far."""

    word: str
    does: Literal["card", "see", "give", "in", "escalate", "bring", "improvise"]
    what: Any = None


class DogsScene(TreeScene):
    """Two characters against each other, one per player; the first player Raises first.

    `stats` has four numbers, `acuity body heart will`; `things` has the marks of each thing to bring. In both, the
    first player's part comes before a slash and the second player's after it; without a slash both get the same. A See
    with several cards is built card by card, in deck order, and finished with *see*. A Raise is in the arena entered
    last, unless another is named before its card. Without `escalates` nobody can enter another arena. `dealt` lists the
    cards to draw, in order; where it names several, each is equally likely: `S7 H3 D9/D2 C4`.

    The reward is 1 for winning the stakes, -1 for losing them.
    """

    game: ClassVar[str] = "dogs"
    most_players: ClassVar[int] = 2
    least_players: ClassVar[int] = 2
    zero_sum: ClassVar[bool] = True
    remembers: ClassVar[bool] = True

    def __init__(
        self,
        stats: str = "3 2 2 2",
        things: str = "- o +",
        arena: str = "talking",
        hidden_hands: bool = USUAL.hidden_hands,
        improvised: int = USUAL.improvised,
        decks: int = 1,
        escalates: bool = True,
        dealt: str = "",
    ) -> None:
        """Raises CardhouseError if such a conflict is impossible."""
        super().__init__(2, {"hidden_hands": hidden_hands, "improvised": improvised, "decks": decks})
        self.stats = [_stats(half) for half in _per_player("stats", stats)]
        self.things = [_things(half) for half in _per_player("things", things)]
        self.arena, self.hides, self.escalates = arena, hidden_hands, escalates
        self.first_table()
        self.cards = [*STANDARD, *(SECOND_DECK if decks == 2 else ())]
        self.place = {card: number for number, card in enumerate(self.cards)}
        slots = max(map(len, self.things))
        self.choices = [
            *(Choice(card, "card", card) for card in self.cards),
            Choice("see", "see"),
            Choice("see, and only block", "see", False),
            Choice("give", "give"),
            *(Choice(f"in {arena}", "in", arena) for arena in ARENAS),
            *(Choice(f"escalate to {arena}", "escalate", arena) for arena in ARENAS),
            *(Choice(f"bring thing {number + 1}", "bring", number) for number in range(slots)),
            Choice("improvise", "improvise", False),
            Choice("improvise desperately", "improvise", True),
        ]
        self.words = [choice.word for choice in self.choices]
        self._measure(slots, improvised)
        self.dealt = self._dealt(dealt)

    def _dealt(self, text: str) -> list[frozenset[str]]:
        """Return the cards that may come, draw by draw, from the text of `dealt`."""
        draws = [frozenset(alternatives.split("/")) for alternatives in text.split()]
        for card in sorted(frozenset().union(*draws) - set(self.place)):
            raise CardhouseError(f"dealt names cards such as S7 H3 D9/D2, and {card[:10]} is none of this deck.")
        return draws

    def _measure(self, slots: int, improvised: int) -> None:
        """Bound the length of a conflict: each Raise costs a card, as does each card of a See that doesn't reverse."""
        cards_held = sum(stats.total for stats in self.stats)
        cards_held += MOST_KEPT_EACH * sum(len(things) + improvised for things in self.things)
        self.most_said = 5 * cards_held + sum(len(things) + improvised + len(ARENAS) for things in self.things)
        self.most_drawn = 2 * cards_held  # up to twice the cards kept are drawn for a thing
        self.worth = (-1, 1)
        self.most_remembered = MEMORY_EACH * (self.most_said + self.most_drawn)
        cards, arenas = len(self.cards), len(ARENAS)
        self.layout = Layout(
            NumberBlock("raises", (1,)),
            NumberBlock("sees", (1,)),
            NumberBlock("picked", (cards,)),
            NumberBlock("named_arena", (arenas,)),
            NumberBlock("hand", (cards,)),
            NumberBlock("other_hand", (cards,)),
            NumberBlock("hands", (2,), cards_held),
            NumberBlock("raised", (cards,)),
            NumberBlock("raised_worth", (1,), max(map(worth, self.cards))),
            NumberBlock("raised_arena", (arenas,)),
            NumberBlock("arenas", (2, arenas)),
            NumberBlock("unused", (2, max(slots, 1))),
            NumberBlock("improvised_left", (2,), max(improvised, 1)),
            NumberBlock("fallout", (2, arenas), cards_held),
            NumberBlock("deck", (1,), cards),
            NumberBlock("discard", (1,), cards),
        )

    def opening(self) -> Sequence[Action]:
        sheets = zip(self.players, self.stats, self.things, strict=True)
        created = (Create(seat, stats=stats, things=things, controller=seat) for seat, stats, things in sheets)
        return *created, OpenConflict("Who is right?", [[seat] for seat in self.players], self.arena)

    def game_master(self, table: Table, log: Sequence[Entry]) -> Action | None:
        return None

    def is_over(self, table: Table, log: Sequence[Entry]) -> bool:
        conflict = game_at(table, Dogs).conflict
        return conflict is not None and conflict.winner is not None

    # Answers.

    def open_numbers(self, table: Table, seat: str, picked: Picked) -> Iterator[int]:
        """Yield the open numbers; a card of a See is open if the See is possible with it and cards that follow it."""
        one = game_at(table, Dogs).contested.named(seat)
        numbers = *sorted(map(self.place.__getitem__, one.hand)), *range(len(self.cards), len(self.choices))
        return (number for number in numbers if self._is_open(table, one, (*picked, number)))

    def _is_open(self, table: Table, one: Participant, picked: Picked) -> bool:
        """Return whether the last of these numbers is open; a card among them is in the hand."""
        *before, number = picked
        choice = self.choices[number]
        sees = ask_at(table).key == "see"
        if choice.does == "card":
            return self._helps_to_see(table, one, picked) if sees else self._may_say(table, one, picked)
        if choice.does == "see":
            may = sees and bool(before) and self._may_say(table, one, picked)
            return may and (choice.what is None or accepts(table, one.name, self._see(one.name, before, reverse=True)))
        if choice.does == "escalate" and not self.escalates:
            return False
        if choice.does == "in":
            other = not before and not sees and choice.what != one.arena
            return other and any(accepts(table, one.name, Raise(one.name, card, choice.what)) for card in one.hand[:1])
        return not before and self._may_say(table, one, picked)

    def _may_say(self, table: Table, one: Participant, picked: Picked) -> bool:
        answer = self.answer(table, one.name, picked)
        return answer is not None and accepts(table, one.name, answer)

    def _helps_to_see(self, table: Table, one: Participant, picked: Picked) -> bool:
        """Return whether these cards, picked in order, can See the Raise together with all that may still follow."""
        last = max(picked)
        more = [place for card in one.hand if (place := self.place[card]) > last]
        return picked[-1] == last and accepts(table, one.name, self._see(one.name, (*picked, *more)))

    def _see(self, name: str, numbers: Sequence[int], *, reverse: bool | None = None) -> See:
        return See(name, [self.cards[number] for number in numbers], reverse=reverse)

    def answer(self, table: Table, seat: str, picked: Picked) -> Action | None:
        *before, last = picked
        choice = self.choices[last]
        match choice.does:
            case "card":
                arena = self.choices[before[0]].what if before else None
                return None if ask_at(table).key == "see" else Raise(seat, choice.what, arena)
            case "see":
                return self._see(seat, before, reverse=choice.what)
            case "give":
                return Give(seat)
            case "escalate":
                return Escalate(seat, choice.what)
            case "bring":
                things = self.things[self.players.index(seat)]
                return Bring(seat, things[choice.what].name if choice.what < len(things) else "")
            case "improvise":
                return Improvise(seat, choice.what)
        return None

    def numbers(self, seen: Seen, answer: Mapping[str, Any]) -> list[int]:
        match answer:
            case {"do": "raise", "card": card, **more}:
                last = seen.view["conflict"]["arenas"][seen.seat][-1]
                arena = more.get("arena") or last
                return [*([self._number("in", arena)] if arena != last else []), self.place[card]]
            case {"do": "see", "cards": cards, **more}:
                blocks = more.get("reverse") is False
                return [*sorted(self.place[card] for card in cards), self._number("see", False if blocks else None)]
            case {"do": "bring", "thing": thing}:
                names = [thing.name for thing in self.things[self.players.index(seen.seat)]]
                return [self._number("bring", names.index(thing))]
            case {"do": "escalate", "arena": arena}:
                return [self._number("escalate", arena)]
            case {"do": "improvise", **more}:
                return [self._number("improvise", bool(more.get("desperate")))]
            case {"do": "give"}:
                return [self._number("give", None)]
        raise CardhouseError(f"No number says {answer.get('do')} in this conflict.")

    def _number(self, does: str, what: Any) -> int:
        return next(n for n, choice in enumerate(self.choices) if (choice.does, choice.what) == (does, what))

    # Observations.

    def observe(self, seen: Seen, picked: Picked) -> Numbers:
        """Return the observation; of two rows the first is the agent's own, and hidden cards are all 0."""
        numbers, conflict = Numbers(self.layout), seen.view["conflict"]
        numbers.put("deck", seen.view["deck_left"])
        numbers.put("discard", seen.view["discard"])
        if conflict is None:
            return numbers
        arenas, chosen = list(ARENAS), [self.choices[number] for number in picked]
        cards = [choice.what for choice in chosen if choice.does == "card"]
        numbers.mark("picked", map(self.place.__getitem__, cards))
        numbers.mark("named_arena", (arenas.index(choice.what) for choice in chosen if choice.does == "in"))
        if seen.asks["with"].get("name") == seen.seat:
            numbers.put("raises", seen.asks["key"] == "raise")
            numbers.put("sees", seen.asks["key"] == "see")
        if (raised := conflict["raise"]) is not None:
            numbers.mark("raised", [self.place[raised["card"]]])
            numbers.put("raised_worth", raised["value"])
            numbers.mark("raised_arena", [arenas.index(raised["arena"])])
        self._observe_sides(numbers, seen, cards)
        return numbers

    def _observe_sides(self, numbers: Numbers, seen: Seen, picked: Sequence[str]) -> None:
        conflict = seen.view["conflict"]
        participants = {one["name"]: one for one in conflict["participants"]}
        for row, name in enumerate(self.clockwise(seen.seat)):
            hand, one = conflict["hands"][name], participants[name]
            if not isinstance(hand, int):
                left = [card for card in hand if row or card not in picked]
                numbers.mark("other_hand" if row else "hand", map(self.place.__getitem__, left))
                hand = len(left)
            numbers.put("hands", hand, row)
            numbers.put("improvised_left", one["improvised_left"], row)
            for place, arena in enumerate(ARENAS):
                numbers.put("arenas", arena in conflict["arenas"][name], row, place)
                numbers.put("fallout", conflict["fallout"][name][arena], row, place)
            for place, thing in enumerate(self.things[self.players.index(name)]):
                numbers.put("unused", thing.name in one["unused"], row, place)

    # Rewards.

    def rewards(self, table: Table, entry: Entry) -> Mapping[str, float]:
        """Return 1 for the winner of the stakes and -1 for the other (DV-23)."""
        won = next((event.about["names"] for event in entry.events if event.key == "wins"), None)
        return {} if won is None else {seat: 1.0 if seat in won else -1.0 for seat in self.players}


def _per_player(name: str, text: str) -> list[str]:
    """Split a setting into one part per player; without a slash both get the same."""
    halves = str(text).split("/")
    if len(halves) > 2:
        raise CardhouseError(f"{name} are those of two players, with one slash between them, not {str(text)[:60]}.")
    return halves * (3 - len(halves))


def _stats(text: str) -> Stats:
    """Return four Stats from text, in the order of the sheet."""
    words = text.split()
    if len(words) != len(STATS) or not all(word.isdecimal() and len(word) < 4 for word in words):
        raise CardhouseError(f"stats are four whole numbers, {' '.join(STATS)}, not {text.strip()[:40]}.")
    return Stats(*map(int, words))


def _things(text: str) -> list[Thing]:
    """Return one thing per mark, named by its number."""
    for mark in text.split():
        if mark not in MARKS:
            raise CardhouseError(
                f"things are marks, {', '.join(MARKS)}, with blanks between them; {mark[:10]} is none."
            )
    return [Thing(f"Thing {number}", "trait", *MARKS[mark]) for number, mark in enumerate(text.split(), start=1)]

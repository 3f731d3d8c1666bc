"""The table: characters, deck and conflict, and how cards are drawn, kept and discarded (DV-6 to DV-13)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

import msgspec

from cardhouse.cards import SECOND_DECK, STANDARD, Card, Deck, number_of
from cardhouse.engine import GM, Ask, Audience, Game, Rules, choosers, named
from cardhouse.games.dogs.people.sheet import Character, Kind, Noted
from cardhouse.games.dogs.state import (
    DECK,
    ONE_DECK_FOR,
    Conflict,
    DogsOptions,
    FaceDown,
    Outcome,
    Participant,
    Raise,
    best_first,
    worth,
)


class DogsTable(Game):
    """The whole state of a Dogs table, shared by the modules with the rules. Simulations use the same class."""

    decks: ClassVar[dict[str, str]] = {DECK: "deck"}

    options: DogsOptions = DogsOptions()
    deck: Deck = msgspec.field(default_factory=Deck)
    former: dict[int, Deck] = {}
    deal: int = 0
    decks_in: int = 0
    discard: list[Card] = []
    characters: list[Character] = []
    conflict: Conflict | None = None
    outcomes: dict[str, Outcome] = {}
    prizes: list[Card] = []
    town: int = 1
    town_name: str = ""
    notes: str = ""
    notes_shown: bool = False
    floats_used: list[str] = []
    busy: bool = False
    drawing: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.decks_in:
            self.add_decks()

    # Characters and participants.

    def named(self, name: str) -> Character:
        """Return the character with this name."""
        return named(self.characters, name)

    @property
    def under_way(self) -> Conflict | None:
        """The conflict being played; None between conflicts."""
        return self.conflict if self.conflict is not None and self.conflict.winner is None else None

    @property
    def contested(self) -> Conflict:
        """The conflict being played. Requires one."""
        assert self.conflict is not None
        return self.conflict

    @property
    def raised(self) -> Raise:
        """The current Raise. Requires one."""
        assert self.contested.raised is not None
        return self.contested.raised

    def controller(self, one: Participant) -> str:
        """Return the seat that decides for a participant; the GM for fallout and initiations (DV-30, DV-37)."""
        return next((who.controller for who in self.characters if who.name == one.name), GM)

    def outlook(self, seat: str) -> float | None:
        """Return the seat's prospects in the current or last conflict; None if it took no part.

        The stakes count 1, still being in 0.3, and each card of fallout costs 0.02.
        """
        conflict = self.conflict
        own = [one for one in conflict.participants if self.controller(one) == seat] if conflict else []
        if conflict is None or not own:
            return None
        won = 0.0 if conflict.winner is None else 1.0 if {one.name for one in own} & {*conflict.winner} else -1.0
        taken = sum(len(cards) for one in own for cards in one.blows.values())
        return won + 0.3 * any(one.still_in for one in own) - 0.02 * taken

    # Questions.

    def ask_raise(self, one: Participant) -> Ask | None:
        """Return the question to the participant who may Raise (DV-16); None if only giving is left."""
        raise NotImplementedError

    def ask_see(self, one: Participant) -> Ask | None:
        """Return the question to the participant who must See (DV-17); None if giving is all that is left."""
        raise NotImplementedError

    # The deck (DV-13).

    def add_decks(self) -> None:
        """Add the decks needed for the number of seats: one for up to three players, two for more (DV-13)."""
        players = len([seat for seat in self.seats if seat != GM])
        wanted = self.options.decks or (1 if players <= ONE_DECK_FOR else 2)
        while self.decks_in < wanted:
            self.deck.add(*(STANDARD, SECOND_DECK)[self.decks_in])
            self.decks_in += 1

    def put_away(self, *cards: Card) -> None:
        """Discard cards; they return when the deck runs out (DV-13)."""
        self.discard += cards

    def reshuffle(self) -> bool:
        """Return whether a card can be drawn, shuffling the discard pile into an empty deck first (DV-13).

        Only the face-down cards of the old deck remain, in `former`.
        """
        if not len(self.deck) and self.discard:
            self.tell("DV-13", "shuffled", n=len(self.discard))
            if self.deck.face_down:
                self.former[self.deal] = self.deck
            self.deal += 1
            self.deck, self.discard = Deck.of(self.discard), []
        return len(self.deck) > 0

    def draw_cards(self, number: int, who: str, key: str, rule: str, **about: Any) -> Rules[list[Card]]:
        """Draw up to `number` cards; those that can't be drawn are lost (DV-13).

        With a real deck, seat `who` enters each card; `key` names the question.
        """
        drawn: list[Card] = []
        while len(drawn) < number and self.reshuffle():
            self.drawing = who
            card = yield from self.draw(
                DECK,
                lambda: self.unseen_cards(self.deal),
                key=key,
                rule=rule,
                waits_for=self.draws_alone(),
                n=len(drawn) + 1,
                of=number,
                **about,
            )
            self.drawing = None
            assert card is not None
            drawn.append(card)
        return drawn

    def draw_kept(
        self, kind: Kind, who: str, rule: str, *, significant: bool, **about: Any
    ) -> Rules[tuple[list[Card], list[Card]]]:
        """Draw for a thing; return all its cards and those kept. The rest is discarded (DV-6, DV-7, DV-8)."""
        number, keeps = draw_counts(kind, significant=significant)
        drawn = yield from self.draw_cards(number, who, "draw_thing", rule, **about)
        kept = keep_cards(drawn, kind, keeps)
        self.put_away(*(card for card in drawn if card not in kept))
        return drawn, kept

    def draw_blow(self, number: int) -> Rules[list[FaceDown]]:
        """Draw up to `number` cards face down; nobody knows them until they are turned over (DV-18, DV-25)."""
        drawn: list[FaceDown] = []
        while len(drawn) < number and self.reshuffle():
            card = yield from self.draw_face_down(DECK)
            drawn.append(FaceDown(self.deal, card))
        return drawn

    def turn_over(self, blow: FaceDown, who: str, **about: Any) -> Rules[Card]:
        """Turn over a card that was drawn face down (DV-25); `about` names its owner and pile for the question."""
        if blow.card is not None:
            return blow.card
        deck = self.deck if blow.deal == self.deal else self.former[blow.deal]
        self.drawing = who
        card = yield from self.draw(
            DECK,
            lambda: self.unseen_cards(blow.deal),
            deck,
            key="turn_fallout",
            rule="DV-25",
            waits_for=self.draws_alone(),
            **about,
        )
        self.drawing = None
        assert card is not None
        deck.face_down -= 1
        if not deck.loose:
            self.former.pop(blow.deal, None)
        return card

    def who_draws(self, deck: str) -> tuple[str, ...]:
        """Return the seats that may draw: all, or for a hidden hand its owner and the game master (DV-14)."""
        return choosers(self.drawing) if self.drawing and self.options.hidden_hands else tuple(self.seats)

    def draws_alone(self) -> tuple[str, ...]:
        """Return the seats the table waits for when drawing; empty if hands are open (DV-14)."""
        return (self.drawing,) if self.drawing and self.options.hidden_hands else ()

    def unseen_cards(self, deal: int) -> Mapping[str, Sequence[Card]]:
        """Return, per drawing seat, the cards of a deal that it can't rule out; empty if those are exactly the deck's.

        These include face-down cards, even if the log has named them (DV-25), and cards in hidden hands (DV-14).
        """
        return {seat: self._unseen_by(seat, deal) for seat in self.who_draws(DECK)}

    def _unseen_by(self, seat: str, deal: int) -> Sequence[Card]:
        hidden = {blow.card for blow in self.face_down() if blow.card is not None and blow.deal == deal}
        if self.options.hidden_hands and self.conflict is not None and seat != GM:
            others = [one for one in self.conflict.participants if self.controller(one) != seat]
            hidden |= {card for one in others for card in one.hand} | set(self.deck.loose) | set(self.discard)
            hidden |= {card for who in self.characters if who.controller != seat for card in who.kept}
        if not hidden:
            return ()
        hidden.update((self.deck if deal == self.deal else self.former[deal]).loose)
        return [card for card in (*STANDARD, *SECOND_DECK) if card in hidden]

    def face_down(self) -> list[FaceDown]:
        """Return all face-down cards on fallout piles (DV-25)."""
        taking_part = self.conflict.participants if self.conflict is not None else []
        return [blow for one in taking_part for pile in one.blows.values() for blow in pile]

    # Events.

    def tell_hand(
        self,
        one: Participant,
        rule: str,
        key: str,
        hidden: str,
        n: int,
        shown: Mapping[str, Any] = MappingProxyType({}),
        **about: Any,
    ) -> None:
        """Send an event about a hand; if hands are hidden, only its owner and the game master see the cards (DV-14).

        Everyone gets `shown`; only those who see the hand get `about`. The others get the event `hidden` with the count
        `n`.
        """
        seen_by: Audience = (GM, self.controller(one)) if self.options.hidden_hands else ()
        self.tell(rule, key, to=seen_by, name=one.name, **shown, **about)
        if seen_by:
            self.tell(rule, hidden, but=seen_by, name=one.name, n=n, **shown)

    def note(self, who: Character, rule: str, key: str, **about: Any) -> None:
        """Send an event that stays on a character's sheet, and add it to the character's history."""
        self.tell(rule, key, name=who.name, **about)
        conflict = self.conflict
        stakes, healing = (conflict.stakes, conflict.kind == "healing") if conflict else ("", False)
        who.history.append(Noted(stakes, rule, key, about, healing))


def draw_counts(kind: Kind, *, significant: bool) -> tuple[int, int]:
    """Return how many cards to draw for a thing, and how many to keep (DV-6, DV-7)."""
    times = 2 if significant else 1
    return times if kind == "o" else 2 * times, times


def keep_cards(drawn: Sequence[Card], kind: Kind, number: int) -> list[Card]:
    """Return `number` of the drawn cards, best or worst; of equal values the later one (DV-8)."""
    if kind == "o":
        return list(drawn)
    latest_first = list(reversed(drawn))
    ranked = best_first(latest_first) if kind == "+" else sorted(latest_first, key=worth)
    kept = ranked[:number]
    return [card for card in drawn if card in kept]


def second_best(hand: Sequence[Card]) -> Card | None:
    """Return the card that a participant who gives keeps: the second-best, or the only one (DV-22)."""
    ranked = best_first(list(hand))
    return ranked[min(1, len(ranked) - 1)] if ranked else None


def highest(cards: Sequence[Card]) -> Card | None:
    """Return the card of the highest rank; among jacks the jack of spades (DV-24, DV-28)."""
    return max(cards, key=lambda card: (number_of(card), card[0] == "S"), default=None)

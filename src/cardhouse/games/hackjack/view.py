"""The view of each seat in Hackjack: all that is open, and the next card for seats that have seen it (HJ-25)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from cardhouse.cards import JOKERS, STANDARD, Card
from cardhouse.games.hackjack.thresholds import goes_down, is_massive, is_outright, least
from cardhouse.games.hackjack.wounds.schema import ABILITIES, Ability, Condition, Ends

if TYPE_CHECKING:
    from cardhouse.games.hackjack.rules import Hackjack
    from cardhouse.games.hackjack.state import Character, WoundTaken
    from cardhouse.games.hackjack.wounds.schema import Change


class FoundView(msgspec.Struct, frozen=True):
    """The outcome of a roll made for a wound: `what` was rolled for, and what the result means."""

    what: str
    means: str


class WoundView(msgspec.Struct, frozen=True):
    """A wound on a character's sheet. `check` is the state of its d20."""

    card: Card
    name: str
    text: str
    ends: Ends
    trauma: int
    found: list[FoundView]
    check: Literal["open", "failed"] | None


class MarkView(msgspec.Struct, frozen=True):
    """The permanent effect of a wound that has ended."""

    card: Card
    text: str


class ChangeView(msgspec.Struct, frozen=True):
    """A change to a number, and the card that causes it. `half` halves the number."""

    card: Card
    change: int | Literal["half"]


class ScoreView(msgspec.Struct, frozen=True):
    """An ability score before and after the changes in `because`.

    `base` and `now` are null if the group records none.
    """

    ability: Ability
    base: int | None
    now: int | None
    because: list[ChangeView]


class RecoveryView(msgspec.Struct, frozen=True):
    """The recovery time, and whether it is running (HJ-16)."""

    amount: int
    unit: Literal["days", "weeks", "months"]
    runs: bool


class CharacterView(msgspec.Struct, frozen=True):
    """A character's sheet.

    `rolls`, `to_hit` and `ranged` are the changes to all rolls, to hit, and to hit at range, with their cards. `idle`
    is why the character can't act now: dead, unconscious, or helpless from a wound.
    """

    name: str
    controller: str
    hp: int
    max_hp: int
    down: bool
    alive: bool
    death_score: int
    blood: int
    trauma: int
    preventing: bool
    declared: bool
    unconscious: bool
    pile: list[Card]
    tokens: int
    beside: list[Card]
    wounds: list[WoundView]
    marks: list[MarkView]
    conditions: list[Condition]
    scores: list[ScoreView]
    rolls: list[ChangeView]
    to_hit: list[ChangeView]
    ranged: list[ChangeView]
    hit_die: str | None
    to_hit_note: str | None
    recovery: str | None
    clock: RecoveryView | None
    recovering: bool
    idle: Literal["dead", "unconscious", "helpless"] | None


class LastHitView(msgspec.Struct, frozen=True):
    """The last damage: the character hit, and the cards drawn, in order."""

    name: str
    cards: list[Card]


class HackjackView(msgspec.Struct, frozen=True):
    """The table.

    A character with `down_at` HP or fewer left goes down (HJ-1); massive damage begins at `massive_from` (HJ-8);
    `outright_from` points below 0 HP kill without a card (HJ-3). `hitting` is the character suffering a wound now.
    `unseen` are the cards still in the deck, in no order: counting makes them public (HJ-21). `next_card` is the top
    card, for seats that have seen it (HJ-25); every seat knows which these are, `seen_by`.
    """

    round: int
    limit: int
    massive_damage: int
    down_at: int
    massive_from: int
    outright_from: int
    deck_left: int
    unseen: list[Card]
    discard: list[Card]
    next_card: Card | None
    seen_by: list[str]
    hitting: str | None
    last_hit: LastHitView | None
    characters: list[CharacterView]


def view_of(game: Hackjack, *, sees_next: bool) -> HackjackView:
    """Return the view of a seat that has, or has not, seen the next card."""
    last = game.last_hit
    return HackjackView(
        round=game.round,
        limit=game.options.limit,
        massive_damage=game.options.massive_damage,
        down_at=0 if goes_down(0, game.options.draw_at_zero) else -1,
        massive_from=least(is_massive, game.options.massive_damage),
        outright_from=least(is_outright, game.options.limit),
        deck_left=len(game.deck),
        unseen=unseen(game),
        discard=list(game.discard),
        next_card=game.deck.top[0] if sees_next else None,
        seen_by=list(game.seers) if game.deck.top else [],
        hitting=game.hitting,
        last_hit=None if last is None else LastHitView(last.name, list(last.cards)),
        characters=[character_view(game, who) for who in game.characters],
    )


def unseen(game: Hackjack) -> list[Card]:
    """Return the cards of the deck in canonical order, which hides a top card that a seat has seen."""
    left = set(game.deck.cards())
    return [card for card in STANDARD + JOKERS if card in left]


def character_view(game: Hackjack, who: Character) -> CharacterView:
    """Return a character's sheet with every penalty applied."""
    changes = _Changes(game, who)
    recovery = who.recovery
    clock = None if recovery is None else RecoveryView(recovery.amount, recovery.unit, game.is_recovering(who))
    return CharacterView(
        name=who.name,
        controller=who.controller,
        hp=who.hp,
        max_hp=who.max_hp,
        down=who.down,
        alive=who.alive,
        death_score=who.death_score,
        blood=who.blood,
        trauma=who.trauma,
        preventing=who.preventing,
        declared=who.declared,
        unconscious=who.unconscious,
        pile=list(who.pile),
        tokens=who.tokens,
        beside=list(who.beside),
        wounds=[wound_view(game, taken) for taken in who.wounds],
        marks=[MarkView(mark.card, mark.lasting.text) for mark in who.marks],
        conditions=conditions_of(game, who),
        scores=changes.scores(),
        rolls=changes.rolls,
        to_hit=changes.to_hit,
        ranged=changes.ranged,
        hit_die=who.hit_die,
        to_hit_note=who.to_hit,
        recovery=None if recovery is None else f"{recovery.amount} {recovery.unit}",
        clock=clock,
        recovering=game.is_recovering(who),
        idle=idle(game, who),
    )


def wound_view(game: Hackjack, taken: WoundTaken) -> WoundView:
    """Return a wound with the results of its rolls."""
    wound = game.wound_of(taken)
    found = [
        FoundView(detail.what, detail.means[face - 1] if detail.means else str(face))
        for detail, face in zip(wound.details, taken.found, strict=False)
    ]
    trauma = wound.trauma if taken.let else 0
    return WoundView(taken.card, wound.name, wound.text, wound.ends, trauma, found, taken.check)


def conditions_of(game: Hackjack, who: Character) -> list[Condition]:
    """Return the effects of a character's wounds that aren't numbers."""
    found: list[Condition] = ["unconscious"] if who.unconscious else []
    for taken in who.wounds:
        wound = game.wound_of(taken)
        found += wound.conditions
        if taken.check == "failed" and wound.check is not None and wound.check.failed != "unconscious":
            found.append(wound.check.failed)
    for mark in who.marks:
        found += mark.lasting.conditions
    return list(dict.fromkeys(found))


def idle(game: Hackjack, who: Character) -> Literal["dead", "unconscious", "helpless"] | None:
    """Return why the character can't act now, or None if it can."""
    if not who.alive:
        return "dead"
    conditions = conditions_of(game, who)
    if "unconscious" in conditions:
        return "unconscious"
    return "helpless" if "helpless" in conditions else None


class _Changes:
    """All changes to a character's numbers from wounds and permanent effects."""

    def __init__(self, game: Hackjack, who: Character) -> None:
        self.base = who.scores
        self.abilities: list[tuple[Ability, ChangeView]] = []
        self.rolls: list[ChangeView] = []
        self.to_hit: list[ChangeView] = []
        self.ranged: list[ChangeView] = []
        for taken in who.wounds:
            wound = game.wound_of(taken)
            self._note(taken.card, wound.abilities, wound.to_hit)
            self._note(taken.card, {ability: -by for ability, by in taken.drops.items()}, 0)
            if taken.worn:
                self._note(taken.card, {ability: -by * taken.worn for ability, by in wound.wears.items()}, 0)
            if wound.rolls:
                self.rolls.append(ChangeView(taken.card, wound.rolls))
        for mark in who.marks:
            self._note(mark.card, mark.lasting.abilities, mark.lasting.to_hit)
            if mark.lasting.to_hit_ranged:
                self.ranged.append(ChangeView(mark.card, mark.lasting.to_hit_ranged))

    def _note(self, card: Card, abilities: dict[Ability, Any], to_hit: int) -> None:
        self.abilities += [(ability, ChangeView(card, change)) for ability, change in abilities.items()]
        if to_hit:
            self.to_hit.append(ChangeView(card, to_hit))

    def scores(self) -> list[ScoreView]:
        """Return the abilities that have a score or a change to it."""
        found = []
        for ability in ABILITIES:
            because = [change for of, change in self.abilities if of == ability]
            base = self.base.get(ability)
            if base is not None or because:
                now = None if base is None else apply_changes(base, [change.change for change in because])
                found.append(ScoreView(ability, base, now, because))
        return found


def apply_changes(base: int, changes: list[Change]) -> int:
    """Return a score with its changes: halved first, rounding down, then the sum added; at least 0."""
    for change in changes:
        if change == "half":
            base //= 2
    return max(0, base + sum(change for change in changes if isinstance(change, int)))


def where_is(game: Hackjack, card: Card, *, sees_next: bool) -> str:
    """Return in words the place of a card that can't be drawn now."""
    if card not in STANDARD + JOKERS:
        return 'no card; cards are written like "C7", "S10", "HA", "RJ"'
    for who in game.characters:
        if card in who.pile:
            return f"in {who.name}'s draw pile"
        if card in who.beside:
            return f"beside {who.name}'s draw pile"
    if card in game.discard:
        return "in the discard"
    return "on top of the deck, seen" if sees_next and card in game.deck.top else "not in this deck"

"""The overrides of Hackjack: the round, the discard, and each character's numbers, cards and wounds."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from cardhouse.cards import STANDARD, Card, in_order
from cardhouse.engine import Editable, Field, OneOf, Several, Text, Whole, YesNo, editable_fields, new_name
from cardhouse.games.hackjack.sheets import SUMMED, TRAUMA
from cardhouse.games.hackjack.state import HIT_DICE, ROUGHEST, WoundTaken, card_value
from cardhouse.games.hackjack.wounds.schema import ABILITIES

if TYPE_CHECKING:
    from cardhouse.games.hackjack.rules import Hackjack
    from cardhouse.games.hackjack.state import Character

MOST_ROUNDS = 9999
HIGHEST_SCORE = 99


def editable(game: Hackjack) -> list[Editable]:
    """Return the editable values of the table and each character; cards only while none is being drawn."""
    found = editable_fields(game, {"round": Whole(0, MOST_ROUNDS)})
    if not game.busy:
        found += _cards(game, "discard", game.discard, "")
    return [*found, *(one for who in game.characters for one in _of(game, who))]


def _of(game: Hackjack, who: Character) -> list[Editable]:
    found = [*_numbers(game, who), *_abilities(who), *_notes(who)]
    if game.busy:
        return found
    others = [other for other in game.characters if other is not who]
    found += [
        Editable("name", who.name, new_name(others), lambda name: game.rename(who, name), who.name),
        *_health(game, who),
        *_wounds(game, who),
    ]
    if not game.options.return_cards:
        found += _cards(game, "pile", who.pile, who.name, lambda cards: put_pile(game, who, cards))
    return found


def _numbers(game: Hackjack, who: Character) -> list[Editable]:
    def hp(value: int) -> None:
        who.hp = value
        if value:
            stand(who)

    def score(value: int) -> None:
        in_pile = sum(map(card_value, who.pile))
        if value < in_pile:
            game.take_from_pile(who, who.death_score - value)
        else:
            who.death_score, who.tokens = value, value - in_pile

    most = game.options.limit - 1 if who.alive else SUMMED
    return [
        Editable("hp", who.hp, Whole(0, ROUGHEST), hp, who.name),
        *editable_fields(who, {"max_hp": Whole(1, ROUGHEST)}, of=who.name),
        Editable("death_score", who.death_score, Whole(0, most), score, who.name),
        *editable_fields(who, {"blood": Whole(0, SUMMED), "trauma": Whole(0, TRAUMA)}, of=who.name),
    ]


def _health(game: Hackjack, who: Character) -> list[Editable]:
    """Return whether the character is alive, down, unconscious or preventing blood loss, and its recovery time."""

    def down(value: bool) -> None:
        if value:
            who.hp, who.down = 0, True
        else:
            stand(who)

    def recovery(value: int) -> None:
        assert who.recovery is not None
        who.recovery = msgspec.structs.replace(who.recovery, amount=value) if value else None

    def living(value: Any) -> str | None:
        if value and who.death_score >= game.options.limit:
            return f"can't be yes with a death-score of {who.death_score}: put that below {game.options.limit} first"
        return None

    now = who.recovery
    yes_no: dict[str, Field] = {"unconscious": YesNo(), **({"preventing": YesNo()} if who.blood else {})}
    return [
        Editable("alive", who.alive, YesNo(), lambda value: game.put_alive(who, alive=value), who.name, also=living),
        Editable("down", who.down, YesNo(), down, who.name),
        *editable_fields(who, yes_no, of=who.name),
        *([] if now is None else [Editable("recovery", now.amount, Whole(0, ROUGHEST), recovery, who.name)]),
    ]


def stand(who: Character) -> None:
    """Stand a character up, and forget what belongs to its time down."""
    who.down = who.drawn = False
    who.last = None


def _abilities(who: Character) -> list[Editable]:
    """Return the six scores without wounds."""

    def put(ability: str, value: int) -> None:
        who.scores = {**who.scores, ability: value}  # type: ignore[dict-item]

    return [
        Editable(ability, who.scores.get(ability), Whole(1, HIGHEST_SCORE), partial(put, ability), who.name)
        for ability in ABILITIES
        if ability in who.scores
    ]


def _notes(who: Character) -> list[Editable]:
    return editable_fields(who, {"hit_die": OneOf((None, *HIT_DICE)), "to_hit": Text()}, of=who.name)


def _wounds(game: Hackjack, who: Character) -> list[Editable]:
    """Return a character's wounds, and the permanent effects of ended ones. Adding a wound rolls no dice."""
    has = list(dict.fromkeys(taken.card for taken in who.wounds))
    marked = list(dict.fromkeys(mark.card for mark in who.marks))

    def wounds(cards: Collection[Card]) -> None:
        who.wounds = [taken for taken in who.wounds if taken.card in cards]
        who.wounds += [WoundTaken(card, check=check_of(game, card)) for card in cards if card not in has]

    def marks(cards: Collection[Card]) -> None:
        who.marks = [mark for mark in who.marks if mark.card in cards]

    found = [Editable("wounds", has, Several(STANDARD, 0, len(STANDARD), "card"), wounds, who.name)]
    if marked:
        found.append(Editable("marks", marked, Several(marked, 0, len(marked), "card"), marks, who.name))
    return found


def check_of(game: Hackjack, card: Card) -> Any:
    """Return the state of the check of a new wound."""
    return "open" if game.wounds[card].check else None


# Cards: added ones come from the deck or the discard; removed ones go to the discard.


def _cards(game: Hackjack, what: str, has: Sequence[Card], of: str, put: Any = None) -> list[Editable]:
    """Return one pile as an editable value. A next card that a seat has seen stays on the deck (HJ-25)."""
    elsewhere = game.deck.loose if what == "discard" else [*game.deck.loose, *game.discard]
    values = [*has, *in_order(card for card in elsewhere if card_value(card) or what == "discard")]
    if not values:
        return []
    may_be = Several(values, 0, len(values), "card")
    also = None if what == "discard" else lambda cards: why_deadly(game, of, cards)
    return [Editable(what, list(has), may_be, put or (lambda cards: put_discard(game, cards)), of, also=also)]


def why_deadly(game: Hackjack, of: str, cards: Collection[Card]) -> str | None:
    """Return why a living character can't have these cards in its pile: they would kill it (HJ-6)."""
    who = game.named(of)
    score = who.tokens + sum(map(card_value, cards))
    if who.alive and score >= game.options.limit:
        return f"would make a death-score of {score}, and {of} is alive: it must stay below {game.options.limit}"
    return None


def put_discard(game: Hackjack, cards: Sequence[Card]) -> None:
    """Set the discard, and shuffle its former other cards into the deck."""
    for card in cards:
        if card not in game.discard:
            game.deck.take(card)
    game.deck.add(*(card for card in game.discard if card not in cards))
    game.discard = list(cards)


def put_pile(game: Hackjack, who: Character, cards: Sequence[Card]) -> None:
    """Set a draw pile; the tokens stay, so the death-score changes (HJ-20)."""
    for card in cards:
        if card in game.deck:
            game.deck.take(card)
    game.discard = [
        *(card for card in game.discard if card not in cards),
        *(card for card in who.pile if card not in cards),
    ]
    who.pile = list(cards)
    who.death_score = who.tokens + sum(map(card_value, cards))

"""Overrides by the game master: the Town, and each character's Stats, things, condition and cards.

Face-down fallout isn't a card yet (DV-25), so it can't be edited, nor can a card be taken from a deck that it may come
from.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, get_args

from cardhouse.cards import Card, in_order
from cardhouse.engine import GM, Editable, Field, OneOf, Several, Whole, YesNo, editable_fields, new_name
from cardhouse.games.dogs.people.fast import FLOATS
from cardhouse.games.dogs.people.sheet import KINDS, MOST_POINTS, STATS, Condition, Owed, Stat, Thing
from cardhouse.games.dogs.people.sheets import RESERVED
from cardhouse.games.dogs.people.templates import problem_of_stats

if TYPE_CHECKING:
    from cardhouse.games.dogs.people.sheet import Character
    from cardhouse.games.dogs.rules import Dogs
    from cardhouse.games.dogs.state import Participant

MOST_TOWNS = 999
MOST_OWED = 9
OVER: tuple[Condition, ...] = ("dying", "dead")
"""Conditions after which a character has no more choices to make (DV-29)."""


def editable(game: Dogs) -> list[Editable]:
    """Return the editable values of the Town, each character and its things, and the hands in a conflict."""
    found = [*editable_fields(game, {"town": Whole(1, MOST_TOWNS)}), _floats(game)]
    for who in game.characters:
        found += _character_values(game, who)
    if game.under_way is not None and not game.busy:
        found += [one for there in game.under_way.participants for one in _in_conflict(game, there)]
    return found


def _floats(game: Dogs) -> Editable:
    """Return the override of the floating traits left in this Town (DV-36)."""

    def put(left: Sequence[str]) -> None:
        game.floats_used = [mark for mark in FLOATS if mark not in left]

    now = [mark for mark in FLOATS if mark not in game.floats_used]
    return Editable("floats_left", now, Several(tuple(FLOATS), 0, len(FLOATS)), put)


def _character_values(game: Dogs, who: Character) -> list[Editable]:
    found = [*_stats(who), *(one for thing in who.things for one in _thing(game, who, thing))]
    if game.busy or who.name in game.involved():
        return found
    others = [other for other in game.characters if other is not who]
    found.append(Editable("name", who.name, new_name(others, RESERVED), lambda to: rename(game, who, to), who.name))
    conditions = OneOf(get_args(Condition))
    found.append(Editable("condition", who.condition, conditions, lambda to: put_condition(game, who, to), who.name))
    found += editable_fields(who, {"away": YesNo()}, of=who.name)
    if who.condition not in OVER:
        found += [_owed(who, owed) for owed in get_args(Owed)]
    if who.can_be_healed:
        found += _cards(game, "wounds", who.wounds, who.name)
    return [*found, *_cards(game, "kept", who.kept, who.name, _may_know(game, who))]


def put_condition(game: Dogs, who: Character, condition: Condition) -> None:
    """Set a condition; discard wounds unless it needs healing (DV-30), and drop the choices of the dying and dead."""
    who.condition = condition
    if not who.can_be_healed:
        game.put_away(*who.wounds)
        who.wounds = []
    if condition in OVER:
        who.owed = []


def rename(game: Dogs, who: Character, name: str) -> None:
    """Rename a character, also in the outcomes of the last conflict."""
    game.outcomes = {name if of == who.name else of: outcome for of, outcome in game.outcomes.items()}
    who.name = name


def _stats(who: Character) -> list[Editable]:
    """Return the overrides of Stats (DV-1); a Fast NPC has none, its type decides (DV-34)."""

    def put(stat: Stat, to: int) -> None:
        who.stats = who.stats.changed(stat, to - who.stats.of(stat))

    def wrong(stat: Stat, to: int) -> str | None:
        problem = problem_of_stats(who.stats.changed(stat, to - who.stats.of(stat)))
        return problem and f"can't be {to}: {problem} (DV-1)"

    if who.fast is not None:
        return []
    return [
        Editable(
            stat, who.stats.of(stat), Whole(1, MOST_POINTS), partial(put, stat), who.name,
            also=partial(wrong, stat),
        )
        for stat in STATS
    ]  # fmt: skip


def _thing(game: Dogs, who: Character, thing: Thing) -> list[Editable]:
    """Return the overrides of a thing: type, significant, gun (DV-2, DV-11)."""
    of = f"{who.name} · {thing.name}"
    if any(other.name == of for other in game.characters):
        return []

    def put(what: str, to: Any) -> None:
        # msgspec omits a default from a snapshot only if it is the same object.
        who.change_thing(thing.name, **{what: KINDS[KINDS.index(to)] if what == "kind" else to})

    may_be: dict[str, Field] = {"kind": OneOf(KINDS), "significant": YesNo(), "gun": YesNo()}
    return [
        Editable(
            what, getattr(thing, what), field, partial(put, what), of
        )
        for what, field in may_be.items()
    ]  # fmt: skip


def _owed(who: Character, owed: Owed) -> Editable:
    """Return the override of the number of choices owed from one list (DV-32)."""

    def put(number: int) -> None:
        others = [one for one in who.owed if one != owed]
        who.owed = [*others, *[owed] * number]

    return Editable(f"owes_{owed}", who.owed.count(owed), Whole(0, MOST_OWED), put, who.name)


def _in_conflict(game: Dogs, one: Participant) -> list[Editable]:
    """Return the overrides of a participant's hand and number of improvisations (DV-11)."""
    to = (GM, game.controller(one)) if game.options.hidden_hands else ()
    most = game.options.improvised
    improvised = editable_fields(one, {"improvised": Whole(0, most)}, of=one.name) if most else []
    return [*improvised, *_cards(game, "hand", one.hand, one.name, to)]


def _may_know(game: Dogs, who: Character) -> tuple[str, ...]:
    """Return the seats that may know a character's kept cards; empty if all may (DV-14)."""
    return (GM, who.controller) if game.options.hidden_hands else ()


# Added cards come from the discard pile or the deck; removed cards go to the discard pile.


def _cards(game: Dogs, what: str, has: list[Card], of: str, to: Sequence[str] = ()) -> list[Editable]:
    may_be_any_of = [] if game.face_down() or game.deck.face_down else game.deck.loose
    values = [*has, *in_order([*game.discard, *may_be_any_of])]
    if not values:
        return []

    def put(cards: Sequence[Card]) -> None:
        gone = [card for card in has if card not in cards]
        for card in cards:
            if card in game.discard:
                game.discard.remove(card)
            elif card not in has:
                game.deck.take(card)
        has[:] = cards
        game.put_away(*gone)

    return [Editable(what, list(has), Several(values, 0, len(values), "card"), put, of, tuple(dict.fromkeys(to)))]

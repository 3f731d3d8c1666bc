"""The aftermath of a conflict: fallout, injuries, healing and experience (DV-24 to DV-33)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cardhouse.cards import Card, is_red, number_of, rank_of, suit_of
from cardhouse.engine import GM, Field, Offer, OneOf, Rules, Text, acting
from cardhouse.games.dogs.actions import ExperienceChoice, FalloutChoice
from cardhouse.games.dogs.people.sheet import (
    GROUPS,
    KINDS,
    MOST_POINTS,
    STATS,
    Character,
    Condition,
    Group,
    Kind,
    Later,
    Thing,
)
from cardhouse.games.dogs.people.templates import LONGEST_THING, MOST_THINGS
from cardhouse.games.dogs.state import DEMONIC, EXPERIENCE_FROM, PILES, Conflict, Outcome, Participant, Pile, Severity
from cardhouse.games.dogs.table import DogsTable, highest

STEP = "fallout"
"""The step of turning over a pile, which needs no decision."""


def finish(game: DogsTable) -> Rules[None]:
    """End a conflict: the last side in wins the stakes (DV-23), then fallout is turned over (DV-25)."""
    conflict = game.contested
    conflict.winner = [one.name for one in conflict.still_in()]
    conflict.turn, conflict.to_raise = None, []
    game.tell("DV-23", end_of(conflict), names=list(conflict.winner), stakes=conflict.stakes)
    for one in conflict.participants:
        game.put_away(*one.hand)
        one.hand = []
    game.busy = True
    for one in conflict.participants:
        if one.nature == "character":
            yield from resolve_fallout(game, one)
            end_effects(game, game.named(one.name))
    if conflict.patient is not None:
        end_healing(game, game.named(conflict.patient), won=conflict.named(conflict.starter).still_in)
    game.busy = False


def end_of(conflict: Conflict) -> str:
    """Return the event that ends a conflict; healing has its own (DV-30)."""
    if conflict.kind != "healing":
        return "wins"
    return "healing_succeeds" if conflict.named(conflict.starter).still_in else "healing_fails"


def end_effects(game: DogsTable, who: Character) -> None:
    """End the effects that last for one conflict (DV-32); characters who left the scene return."""
    who.away = False
    if who.later:
        who.later = []
        game.tell("DV-32", "expires", name=who.name)


# Fallout (DV-25 to DV-29).


def resolve_fallout(game: DogsTable, one: Participant) -> Rules[None]:
    """Turn over a participant's fallout, if it took a blow (DV-25); a spare NPC's isn't applied (DV-24)."""
    who = game.named(one.name)
    experience: list[Card] = []
    fallout: list[Card] = []
    piles = [pile for pile in PILES if one.blows.get(pile)]
    for pile in piles:
        left, right = yield from turn_pile(game, one, pile)
        experience += left
        fallout += right
    if one.spare:
        set_prize_aside(game, who, [*experience, *fallout])
    elif piles:
        yield from apply_fallout(game, who, experience, fallout)


def turn_pile(game: DogsTable, one: Participant, pile: Pile) -> Rules[tuple[list[Card], list[Card]]]:
    """Turn over a pile (DV-25) and split it by its arena's threshold into experience and fallout (DV-26)."""
    yield from game.step(STEP, "DV-25")
    cards: list[Card] = []
    blows, who = one.blows[pile], game.controller(one)
    for n, blow in enumerate(blows, start=1):
        cards += [(yield from game.turn_over(blow, who, name=one.name, pile=pile, n=n, of=len(blows)))]
    one.blows[pile] = []
    left = [card for card in cards if is_experience(card, pile)]
    right = [card for card in cards if not is_experience(card, pile)]
    game.tell("DV-25", "turned_over", name=one.name, pile=pile, cards=cards)
    game.tell("DV-26", "split", name=one.name, pile=pile, experience=left, fallout=right)
    return left, right


def set_prize_aside(game: DogsTable, who: Character, cards: Sequence[Card]) -> None:
    """Set aside the highest card for whoever starts a follow-up (DV-24)."""
    prize = highest(cards)
    if prize is None:
        return
    game.prizes.append(prize)
    game.put_away(*(card for card in cards if card != prize))
    game.tell("DV-24", "spared", name=who.name, card=prize)


def apply_fallout(game: DogsTable, who: Character, experience: list[Card], fallout: list[Card]) -> Rules[None]:
    """Apply the severity of the highest card of the Fallout pile (DV-28, DV-29)."""
    severity, because = yield from judge_severity(game, who, fallout)
    outcome = Outcome(experience, fallout, severity)
    game.outcomes[who.name] = outcome
    game.tell("DV-28", "severity", name=who.name, severity=severity, card=because)
    outcome.gains_experience = severity != "dying" and not who.npc and gains_experience(experience)
    if outcome.gains_experience:
        who.owed.append("experience")
        game.note(who, "DV-27", "learns", cards=experience)
    if severity == "dying":
        end(game, who, "dying")
        game.note(who, "DV-29", "dying")
    elif severity == "mortally_wounded":
        who.condition = "mortally_wounded"
        who.owed += ["long_term", "long_term"]
        game.note(who, "DV-29", "mortally_wounded")
    elif severity == "injured":
        who.owed += ["long_term", "long_term"]
        yield from draw_body(game, who, outcome)
    else:
        who.owed.append(severity)
    game.put_away(*experience)
    if who.can_be_healed:
        who.wounds = fallout
    else:
        game.put_away(*fallout)


def judge_severity(game: DogsTable, who: Character, fallout: Sequence[Card]) -> Rules[tuple[Severity, Card | None]]:
    """Return the severity (DV-28), and the card that decides it."""
    top = highest(fallout)
    if top is None:
        return "short_term", None
    if rank_of(top) == "J" and game.options.jack_draw:
        jacks = [card for card in fallout if rank_of(card) == "J"]
        drawn = yield from game.draw_cards(1, GM, "draw_for_jack", "DV-28", name=who.name)
        dying = bool(drawn) and suit_of(drawn[0]) in map(suit_of, jacks)
        game.put_away(*drawn)
        game.tell("DV-28", "jack_draw", cards=drawn)
        return ("dying" if dying else "mortally_wounded"), top
    return severity_of(top), top


def draw_body(game: DogsTable, who: Character, outcome: Outcome) -> Rules[None]:
    """Draw a card per point of Body; if none matches the highest fallout card, the character needs healing (DV-29)."""
    top = highest(outcome.fallout)
    about = {"name": who.name, "card": top}
    outcome.body = yield from game.draw_cards(who.stats.body, GM, "draw_body", "DV-29", **about)
    game.put_away(*outcome.body)
    copes = top is not None and any(number_of(card) >= number_of(top) for card in outcome.body)
    if outcome.body:
        game.tell("DV-29", "draws_body", name=who.name, cards=outcome.body, card=top)
    if not copes:
        who.condition = "injured"
    game.note(who, "DV-29", "copes" if copes else "injured")


def end_healing(game: DogsTable, patient: Character, *, won: bool) -> None:
    """End a healing: if won, the patient lives and makes its choices; if lost, it goes untreated (DV-29, DV-30)."""
    if won:
        patient.condition = "well"
        game.note(patient, "DV-30", "healed")
    else:
        leave_untreated(game, patient, "dies")


def leave_untreated(game: DogsTable, who: Character, key: str) -> None:
    """Let a character die, or under `long_term` let an injured one live with another long-term choice (DV-29)."""
    if who.condition != "injured" or game.options.untreated == "dies":
        die(game, who, key)
        return
    who.condition = "well"
    who.owed.append("long_term")
    game.put_away(*who.wounds)
    who.wounds = []
    game.note(who, "DV-29", "lives_untreated")


def die(game: DogsTable, who: Character, key: str) -> None:
    """Let a character die, because healing was lost or never came (DV-30)."""
    end(game, who, "dead")
    game.note(who, "DV-30", key)


def end(game: DogsTable, who: Character, condition: Condition) -> None:
    """End a character's play: no more choices, and all its cards are discarded (DV-29, DV-30)."""
    who.condition, who.owed, who.later = condition, [], []
    game.put_away(*who.wounds, *who.kept)
    who.wounds, who.kept = [], []


# Choices (DV-32, DV-33).


def offer_choices(game: DogsTable) -> Iterator[Offer]:
    """Yield the choices owed by characters who are well; only possible ones are offered."""
    for who in game.characters:
        if who.condition == "well":
            for owed in dict.fromkeys(who.owed):
                yield from offer_choice(game, who, owed)


def offer_choice(game: DogsTable, who: Character, owed: str) -> Iterator[Offer]:
    """Yield one offer per possible choice of a list (DV-32)."""
    do = ExperienceChoice if owed == "experience" else FalloutChoice
    lists = {"experience": _experience, "long_term": _long_term, "short_term": _short_term}
    for choice, fields in lists[owed](who, growth_of(game)):
        yield acting(who, do, choice=OneOf((choice,)), **fields)


def growth_of(game: DogsTable) -> Growth:
    """Return the groups that experience may improve, and those that may count as troublesome for a while (DV-32)."""
    # Edition 1, before the ruling, let belongings count as troublesome too; its tables continue that way.
    return Growth(GROUPS if game.options.growing == "any" else GROUPS[:1], GROUPS[:2] if game.edition > 1 else GROUPS)


def choose_experience(game: DogsTable, choice: ExperienceChoice) -> None:
    """Apply an experience choice (DV-32)."""
    who = game.named(choice.name)
    who.owed.remove("experience")
    name = choice.thing or ""
    if choice.choice == "raise_stat" and choice.stat is not None:
        who.stats = who.stats.changed(choice.stat, 1)
        if choice.lower is not None:
            who.stats = who.stats.changed(choice.lower, -1)
            game.note(who, "DV-33", "stat_traded", stat=choice.stat, lower=choice.lower)
        else:
            game.note(who, "DV-32", "stat_raised", stat=choice.stat, points=who.stats.of(choice.stat))
    elif choice.choice == "make_significant":
        make_significant(game, who, name)
    elif choice.choice == "change_kind":
        who.change_thing(name, kind=choice.kind)
        game.note(who, "DV-32", "kind_changed", thing=name, kind=choice.kind)
    elif choice.choice == "new_belonging":
        add_thing(game, who, Thing(name, "belonging"))
    else:
        kind: Kind = "-" if choice.choice == "new_troublesome" else "o"
        add_thing(game, who, Thing(name, choice.group or "trait", kind))


def choose_fallout(game: DogsTable, choice: FalloutChoice) -> None:
    """Apply a fallout choice, for the next conflict or for good (DV-32)."""
    who = game.named(choice.name)
    name = choice.thing or ""
    long_term = choice.choice in LONG_TERM
    who.owed.remove("long_term" if long_term else "short_term")
    if choice.choice == "lower_stat" and choice.stat is not None:
        who.stats = who.stats.changed(choice.stat, -1)
        game.note(who, "DV-32", "stat_lowered", stat=choice.stat, points=who.stats.of(choice.stat))
    elif choice.choice == "new_troublesome":
        add_thing(game, who, Thing(name, choice.group or "trait", "-"))
    elif choice.choice == "lose_belonging":
        who.things = [thing for thing in who.things if thing.name != name]
        game.note(who, "DV-32", "belonging_lost", thing=name)
    elif choice.choice == "make_troublesome":
        who.change_thing(name, kind="-")
        game.note(who, "DV-32", "made_troublesome", thing=name)
    elif choice.choice == "make_significant":
        make_significant(game, who, name)
    elif choice.choice == "leave_scene":
        who.away = True
        game.note(who, "DV-32", "leaves_scene")
    elif choice.choice != "lower_stat":
        choose_for_next(game, who, Later(choice.choice, name))


def choose_for_next(game: DogsTable, who: Character, later: Later) -> None:
    """Apply a choice that lasts for the next conflict (DV-32)."""
    who.later.append(later)
    if later.effect == "troublesome_trait":
        game.note(who, "DV-32", "trouble_next", thing=later.thing)
    elif later.effect == "counts_troublesome":
        game.note(who, "DV-32", "counts_troublesome_next", thing=later.thing)
    else:
        game.note(who, "DV-32", "fewer_cards_next")


def add_thing(game: DogsTable, who: Character, thing: Thing) -> None:
    """Add a new thing to a sheet (DV-32)."""
    who.things = [*who.things, thing]
    game.note(who, "DV-32", "new_thing", thing=thing.name, group=thing.group, kind=thing.kind)


def make_significant(game: DogsTable, who: Character, name: str) -> None:
    """Make a thing significant (DV-32)."""
    who.change_thing(name, significant=True)
    game.note(who, "DV-32", "made_significant", thing=name)


LONG_TERM = ("lower_stat", "new_troublesome", "lose_belonging", "make_troublesome", "make_significant")
"""The long-term fallout options (DV-32)."""


class Growth(NamedTuple):
    """The groups that experience may improve, and those that may count as troublesome for a while (DV-32)."""

    growing: Sequence[Group]
    troubled: Sequence[Group]


Choices = Iterator[tuple[str, dict[str, Field]]]
"""Each possible choice, with the fields its action needs."""


def _experience(who: Character, growth: Growth) -> Choices:
    """Yield experience options (DV-32); at the cap, raising a Stat lowers another (DV-33)."""
    if who.stats.total < MOST_POINTS:
        yield "raise_stat", {"stat": OneOf(STATS)}
    else:
        for stat in STATS:
            if lower := tuple(other for other in STATS if other != stat and who.stats.of(other)):
                yield "raise_stat", {"stat": OneOf((stat,)), "lower": OneOf(lower)}
    if len(who.things) < MOST_THINGS:
        yield "new_regular", {"thing": _new_name(who), "group": OneOf(GROUPS[:2])}
        yield "new_troublesome", {"thing": _new_name(who), "group": OneOf(GROUPS[:2])}
        yield "new_belonging", {"thing": _new_name(who)}
    grow = [thing for thing in who.things if thing.group in growth.growing]
    if plain := _names(thing for thing in grow if not thing.significant):
        yield "make_significant", {"thing": OneOf(plain)}
    for kind in KINDS:
        if others := _names(thing for thing in grow if thing.kind != kind):
            yield "change_kind", {"thing": OneOf(others), "kind": OneOf((kind,))}


def _long_term(who: Character, _: Growth) -> Choices:
    """Yield long-term fallout options (DV-32)."""
    if stats := tuple(stat for stat in STATS if who.stats.of(stat)):
        yield "lower_stat", {"stat": OneOf(stats)}
    if len(who.things) < MOST_THINGS or not stats:
        yield "new_troublesome", {"thing": _new_name(who), "group": OneOf(GROUPS[:2])}
    if belongings := _names(thing for thing in who.things if thing.group == "belonging"):
        yield "lose_belonging", {"thing": OneOf(belongings)}
    if better := _names(thing for thing in who.things if thing.kind != "-"):
        yield "make_troublesome", {"thing": OneOf(better)}
    troublesome = (thing for thing in who.things if thing.mark == "-" and thing.group == "trait")
    if traits := _names(troublesome):
        yield "make_significant", {"thing": OneOf(traits)}


def _short_term(who: Character, growth: Growth) -> Choices:
    """Yield short-term fallout options (DV-32)."""
    yield "leave_scene", {}
    yield "troublesome_trait", {"thing": _new_name(who)}
    if better := _names(thing for thing in who.things if thing.kind != "-" and thing.group in growth.troubled):
        yield "counts_troublesome", {"thing": OneOf(better)}
    yield "fewer_cards", {}


def _names(things: Iterable[Thing]) -> tuple[str, ...]:
    return tuple(thing.name for thing in things)


def _new_name(who: Character) -> Text:
    return Text(LONGEST_THING, taken=(*_names(who.current_things()), DEMONIC))


def is_experience(card: Card, pile: Pile) -> bool:
    """Return whether a fallout card of this pile goes to the Experience pile (DV-26)."""
    return number_of(card) >= EXPERIENCE_FROM[pile]


REDS_TO_LEARN = 2


def gains_experience(experience: Sequence[Card]) -> bool:
    """Return whether the Experience pile has two or more red cards (DV-27)."""
    return sum(map(is_red, experience)) >= REDS_TO_LEARN


def severity_of(top: Card) -> Severity:
    """Return the severity if this is the highest card of the Fallout pile (DV-28)."""
    number = number_of(top)
    if rank_of(top) == "J" and suit_of(top) == "S":
        return "dying"
    if number >= 9:
        return "mortally_wounded"
    if number >= 6:
        return "injured"
    return "long_term" if number >= 3 else "short_term"

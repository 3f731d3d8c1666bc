"""Lab conflicts of two in Dogs Play Cards, Too: the sides, as the kernel plays them and at a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from cardhouse.cards import RANKS, SUITS, is_red, number_of, suit_of
from cardhouse.engine import GM, Action, CardhouseError, Event, Table
from cardhouse.games.dogs.actions import (
    Bring,
    BringCharacter,
    Escalate,
    Float,
    Give,
    Member,
    NewTown,
    Npc,
    OpenConflict,
)
from cardhouse.games.dogs.bots import bold as boldness
from cardhouse.games.dogs.bots.best import best
from cardhouse.games.dogs.bots.bold import bold, bring, strength
from cardhouse.games.dogs.bots.policies import Policy, Situation, plain
from cardhouse.games.dogs.bots.simulation import cards_by_arena, coming_of, situation_of
from cardhouse.games.dogs.bots.thumb import thumb
from cardhouse.games.dogs.fallout.aftermath import REDS_TO_LEARN, severity_of
from cardhouse.games.dogs.fallout.odds import DECKS, SEVERITIES
from cardhouse.games.dogs.people.fast import FAST, FAST_STATS, Draws
from cardhouse.games.dogs.people.sheet import KINDS, FastType, Sheet, Stat, Stats, Thing
from cardhouse.games.dogs.rules import Dogs
from cardhouse.games.dogs.state import (
    ARENAS,
    EXPERIENCE_FROM,
    PILES,
    USUAL,
    GroupCards,
    Participant,
    Pile,
    ReversedCard,
    arena_of,
    pile_of,
    stats_of,
    worth,
)
from cardhouse.games.dogs.table import draw_counts
from cardhouse.lab.questions.proof import play, table_of_paper

if TYPE_CHECKING:
    pass

Playing = Literal["plain", "thrifty", "bold", "thumb", "best"]
NAMES = ("One", "The other")
MARKS: dict[str, Draws] = {draws.mark: draws for kind in KINDS for draws in (Draws(kind), Draws(kind, True))}
"""The draw of a thing, by its mark."""
MOST_THINGS = 20
"""The most things of a side."""
MOST_HAND = 20
"""The most cards dealt to a side."""
NO_ARENA: tuple[Stat, Stat] = ("acuity", "will")
"""The Stats drawn when hands are dealt instead: both are 0."""


class Side(msgspec.Struct, frozen=True):
    """A side: a character with `stats` and `things`, or a Fast NPC with its group's additional members as `things`.

    With `dealt` cards it gets a hand of that size instead of drawing Stats, and enters no other arena.
    """

    policy: Playing
    stats: Stats = FAST_STATS
    things: tuple[Draws, ...] = ()
    fast: FastType | None = None
    dealt: int = 0

    def sheet(self, name: str) -> Action:
        """Return the action that brings it to the table."""
        things = [Thing(f"Thing {number}", "trait", *one) for number, one in enumerate(self.things, 1)]
        if self.fast is not None:
            return Npc(name, self.fast, [Member(thing.name, thing.kind, thing.significant) for thing in things])
        stats = Stats(0, self.stats.body, 0, 0) if self.dealt else self.stats
        return BringCharacter(msgspec.to_builtins(Sheet(name=name, stats=stats, things=things)), GM)


class Setting(msgspec.Struct, frozen=True):
    """A conflict: both sides, the first arena, the starter (0, 1, or 2 for alternating), and the house rules."""

    sides: tuple[Side, Side]
    arena: Pile
    starter: int = 0
    decks: Literal[1, 2] = 1
    improvised: int = USUAL.improvised
    jack_draw: bool = USUAL.jack_draw
    reversed_card: ReversedCard = USUAL.reversed_card
    group_cards: GroupCards = USUAL.group_cards

    @property
    def hands_are_dealt(self) -> bool:
        """Whether hands are dealt instead of drawn by Stats."""
        return any(side.dealt for side in self.sides)

    @property
    def begins_in(self) -> str:
        """The first arena, under the table's name for it."""
        return arena_of(list(NO_ARENA), self.arena) if self.hands_are_dealt else self.arena

    def starts(self, trial: int) -> int:
        """Return the starter of a trial."""
        return trial % 2 if self.starter == 2 else self.starter


def stats_from(text: str) -> Stats:
    """Return Stats from text such as `3 2 2 2`.

    Raises CardhouseError for anything else.
    """
    points = text.split()
    if len(points) != 4 or not all(part.isdecimal() and len(part) == 1 for part in points):
        raise CardhouseError(
            f'Stats are four numbers, Acuity, Body, Heart and Will, such as "3 2 2 2", not "{text[:40]}".'
        )
    return Stats(*map(int, points))


def things_from(text: str) -> tuple[Draws, ...]:
    """Return things from their marks, such as `o* + -`.

    Raises CardhouseError for anything else.
    """
    marks = text.split()
    if len(marks) > MOST_THINGS:
        raise CardhouseError(f"{len(marks)} things are too many; {MOST_THINGS} is the most.")
    for mark in marks:
        if mark not in MARKS:
            raise CardhouseError(f'There is no mark "{mark[:20]}"; there are {" ".join(MARKS)}, with spaces between.')
    return tuple(MARKS[mark] for mark in marks)


# The kernel's plan.


class Step(NamedTuple):
    """Draws made together, each with its kind and the numbers drawn and kept; and the arena entered, or -1."""

    draws: list[tuple[str, tuple[int, int]]]
    pile: int = -1


def _cards(number: int) -> tuple[str, tuple[int, int]]:
    return "o", (number, number)


def _thing(draws: Draws) -> tuple[str, tuple[int, int]]:
    return draws.kind, draw_counts(draws.kind, significant=draws.significant)


class Steps(NamedTuple):
    """A side's draws: the opening, its things (`at_once` of them together), then other arenas.

    `arenas` has the number of arenas it could still enter after none, one, two; `most` the most cards that one of them
    draws.
    """

    opening: Step
    things: list[Step]
    at_once: int
    others: list[Step]
    arenas: list[int]
    most: list[int]


def steps_of(side: Side, arena: str, *, each_line: bool = False) -> Steps:
    """Return a side's draws in its order, for this first arena; `each_line` draws a group's cards with every line."""
    in_order = side.things if side.policy == "plain" else sorted(side.things, key=strength, reverse=True)
    things = [Step([_thing(draws)]) for draws in in_order]
    others, arenas, most = ([], [0], [0]) if side.dealt else _others(side, arena, each_line=each_line)
    return Steps(_opening(side, arena), things, len(things) if side.policy == "plain" else 0, others, arenas, most)


def _opening(side: Side, arena: str) -> Step:
    """Return the opening draws (DV-9, DV-14; for a Fast NPC DV-34 and DV-35)."""
    if side.fast is not None:
        first = FAST[side.fast][0]
        return Step([_cards(first.cards), *map(_thing, first.things), _cards(len(side.things))])
    return Step([_cards(side.dealt)] if side.dealt else [_cards(side.stats.of(stat)) for stat in stats_of(arena)])


def _others(side: Side, arena: str, *, each_line: bool) -> tuple[list[Step], list[int], list[int]]:
    """Return the arenas entered in turn: always the one with most cards, the mildest of equals (DV-12)."""
    entered, drawn, lines = [arena], [*stats_of(arena)], 1
    steps: list[Step] = []
    arenas: list[int] = []
    most: list[int] = []
    while True:
        left = tuple(other for other in ARENAS if other not in entered)
        numbers = cards_by_arena(left, side.stats, drawn, side.fast, lines)
        arenas.append(len(numbers))
        most.append(max(numbers.values(), default=0))
        if not numbers or side.policy == "plain":
            return steps, arenas, most
        chosen = max(numbers, key=numbers.__getitem__)
        if side.fast is not None:
            line = FAST[side.fast][lines]
            draws = [_cards(line.cards), *map(_thing, line.things)]
            draws += [_cards(len(side.things))] if each_line else []  # DV-35
        else:
            draws = [_cards(side.stats.of(stat)) for stat in stats_of(chosen) if stat not in drawn]
        steps.append(Step(draws, PILES.index(pile_of(chosen))))
        entered.append(chosen)
        drawn += stats_of(chosen)
        lines += 1


@lru_cache(64)
def plan_of(setting: Setting) -> Any:
    """Return the kernel's record of the setting, shape (1,)."""
    import numpy as np

    from cardhouse.games.dogs.lab.kernels import conflicts as kernel
    from cardhouse.games.dogs.lab.kernels.hands import PLAN

    kinds: dict[str, int] = {kind: which for which, kind in enumerate(KINDS)}
    number, keeps = draw_counts("-", significant=True)
    draws = [(number, keeps, kinds["-"])]
    plan = np.zeros(1, PLAN)
    policies = {
        "plain": kernel.PLAIN,
        "thrifty": kernel.THRIFTY,
        "bold": kernel.BOLD,
        "thumb": kernel.THUMB,
        "best": kernel.BEST,
    }
    for place, side in enumerate(setting.sides):
        steps = steps_of(side, setting.begins_in, each_line=setting.group_cards == "each_line")
        for step, (each, pile) in enumerate((steps.opening, *steps.things, *steps.others)):
            begin = len(draws)
            draws += [(number, keeps, kinds[kind]) for kind, (number, keeps) in each]
            plan["steps"][0, place, step] = begin, len(draws), pile, sum(keeps for _, (_, keeps) in each)
        plan["arenas"][0, place, : len(steps.arenas)] = steps.arenas
        plan["most"][0, place, : len(steps.most)] = steps.most
        about = (policies[side.policy], steps.at_once, len(steps.things), side.stats.body, side.fast is None)
        plan["sides"][0, place] = about
    starting = (setting.starter, PILES.index(setting.arena))
    plan["draws"][0, : len(draws)] = draws
    draws_first = setting.hands_are_dealt and not setting.sides[1].dealt
    jack, next_only = RANKS.index("J") + 1, setting.reversed_card == "next_only"
    plan["rules"][0] = (*starting, draws_first, setting.improvised, setting.jack_draw, jack, REDS_TO_LEARN, next_only)
    plan["experience"][0] = [EXPERIENCE_FROM[pile] for pile in PILES]
    plan["cards"][0] = len(DECKS[setting.decks])
    plan["facts"][0, :, : len(DECKS[setting.decks])] = facts_of(setting.decks)
    tastes = bold_weights()
    plan["tastes"][0, : len(tastes)] = tastes
    return plan


def facts_of(decks: int) -> list[list[int]]:
    """Return the kernel's facts about each card, one row per fact (see `kernels.hands`)."""
    cards = DECKS[decks]
    return [
        [worth(card) for card in cards],
        [number_of(card) for card in cards],
        # As in `highest`: by rank, spades before other suits.
        [2 * number_of(card) + (suit_of(card) == "S") for card in cards],
        [SEVERITIES.index(severity_of(card)) + 1 for card in cards],
        [is_red(card) for card in cards],
        [SUITS.index(suit_of(card)) for card in cards],
    ]


def bold_weights() -> list[int]:
    """Return the weights of the bold policy."""
    weights = (boldness.A_CARD, boldness.OUT, boldness.GOOD, boldness.MANY, boldness.OVERWHELMED, PILES.index("guns"))
    return [*weights, *(boldness.FEAR[pile] for pile in PILES)]


# At a table.


def thrifty(now: Situation) -> Action:
    """Play like plain, but bring things, and then escalate, only to avoid giving."""
    answer = plain(now)
    if not isinstance(answer, Give):
        return answer
    if things := now.things():
        return bring(now.name, things)
    if arenas := now.arenas():
        return Escalate(now.name, max(arenas, key=arenas.__getitem__))
    return answer


def early(now: Situation) -> Action:
    """Play like plain, but bring everything with the first Raise or See."""
    things = now.things()
    return Bring(now.name, things[0].name) if things else plain(now)


INTO_HAND = ("draws_stat", "draws_line", "draws_members", "draws_for")
"""The events of cards that come into a hand."""
POLICIES: Mapping[Playing, Policy] = {"plain": early, "thrifty": thrifty, "bold": bold, "thumb": thumb, "best": best}


def _answer(setting: Setting, game: Dogs, one: Participant) -> Action:
    """Return a side's action. Sides with dealt hands enter no other arena, and no policy expects them to."""
    now, sides = situation_of(game, one), dict(zip(NAMES, setting.sides, strict=True))
    if sides[one.name].dealt:
        now = msgspec.structs.replace(now, arenas=dict)
    (other,) = (other for other in game.contested.participants if other.name != one.name)
    if sides[other.name].dealt:
        now = msgspec.structs.replace(now, coming=lambda: coming_of(game, other, arenas=False))
    return POLICIES[sides[one.name].policy](now)


def _hands(setting: Setting) -> Iterator[Action]:
    """Yield actions that deal hands before the first Raise: one card per floating trait, each in a new Town (DV-36)."""
    for name, side in zip(NAMES, setting.sides, strict=True):
        for _ in range(side.dealt):
            yield Float("o", name)
            yield NewTown()


def played(setting: Setting, trial: int, chance: Sequence[int]) -> Table:
    """Play a trial at a table, by the rules, with these cards."""
    options = {
        name: getattr(setting, name) for name in ("decks", "improvised", "jack_draw", "reversed_card", "group_cards")
    }
    table = table_of_paper("dogs", (GM,), options, "dogs")
    own: dict[str, Any] = {"stats": list(NO_ARENA), "pile": setting.arena}
    where: dict[str, Any] = own if setting.hands_are_dealt else {"arena": setting.arena}
    opening = OpenConflict("Who wins?", [[name] for name in NAMES], starter=NAMES[setting.starts(trial)], **where)
    sheets = [side.sheet(name) for name, side in zip(NAMES, setting.sides, strict=True)]
    scripted: Iterator[Action] = iter((*sheets, opening, *_hands(setting)))

    def next_answer(table: Table) -> tuple[str, dict[str, Any]] | None:
        game = table.game
        assert isinstance(game, Dogs)
        action = next(scripted, None)
        if action is None and game.under_way is not None:
            one = game.under_way.named(table.asks()["with"]["name"])
            action = _answer(setting, game, one)
        return None if action is None else (GM, msgspec.to_builtins(action))

    return play(table, chance, DECKS[setting.decks], next_answer)


def row_of(table: Table) -> list[int]:
    """Return the kernel's row for a conflict that is over."""
    game = table.game
    assert isinstance(game, Dogs)
    conflict = game.contested
    events = [event for entry in table.entries for event in entry.events]
    wins = [name in (conflict.winner or ()) for name in NAMES]
    outcomes = [game.outcomes.get(name) for name in NAMES]
    suffers = [0 if outcome is None else SEVERITIES.index(outcome.severity) + 1 for outcome in outcomes]
    return [
        int(wins[0]),
        int(conflict.starter in (conflict.winner or ())),
        (len(SEVERITIES) + 1) * wins[0] + suffers[0],
        sum(event.key == "raises" for event in events),
        *(sum(map(_played, _events_of(name, events))) for name in NAMES),
        *(sum(event.about["n"] for event in _events_of(name, events) if event.key == "takes_blow") for name in NAMES),
        *suffers,
        suffers[wins.index(False)],
        *(int(outcome is not None and outcome.gains_experience) for outcome in outcomes),
        *(int(game.named(name).can_be_healed) for name in NAMES),
        *(
            sum(len(event.about["cards"]) for event in _events_of(name, events) if event.key in INTO_HAND)
            for name in NAMES
        ),
        *(sum(event.key == "escalates" for event in _events_of(name, events)) for name in NAMES),
    ]


def _events_of(name: str, events: list[Event]) -> list[Event]:
    return [event for event in events if event.about.get("name") == name]


def _played(event: Event) -> int:
    """Return how many cards leave the hand."""
    return 1 if event.key == "raises" else len(event.about["cards"]) if event.key in ("blocks", "takes_blow") else 0

"""Lab conflicts of more than two, and follow-ups, played by the rules themselves without a table.

These have no kernel. A trial runs as a `Simulation` that records its cards. As a check, the same cards are then played
at a table with a real deck.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Literal

import msgspec

from cardhouse.cards import Card
from cardhouse.engine import GM, Action, Draw, Rules, Table
from cardhouse.games.dogs.actions import BringCharacter, ExperienceChoice, FalloutChoice, OpenConflict
from cardhouse.games.dogs.bots.policies import Policy
from cardhouse.games.dogs.bots.simulation import Simulation, situation_of
from cardhouse.games.dogs.conflict.raising import begin, is_decided, play_on
from cardhouse.games.dogs.fallout.aftermath import STEP, choose_experience, choose_fallout, finish
from cardhouse.games.dogs.fallout.odds import DECKS
from cardhouse.games.dogs.lab.opponents import POLICIES, Playing
from cardhouse.games.dogs.people.sheet import STATS, Character, Sheet, Stats, Thing
from cardhouse.games.dogs.people.sheets import character_of
from cardhouse.games.dogs.rules import Dogs
from cardhouse.games.dogs.state import Conflict, DogsOptions, Participant, Pile, Severity
from cardhouse.lab.questions.proof import play, table_of_paper


class Contestant(msgspec.Struct, frozen=True):
    """A character in a lab conflict: Stats, things, side, policy.

    `spare` marks an NPC whose fallout doesn't matter (DV-24).
    """

    name: str
    side: int
    policy: Playing
    stats: Stats
    things: tuple[Thing, ...]
    spare: bool = False

    def sheet(self) -> Sheet:
        """Return its sheet."""
        return Sheet(name=self.name, stats=self.stats, things=list(self.things), npc=self.spare)


class Story(msgspec.Struct, frozen=True):
    """Consecutive conflicts between the same participants, one for each of `arenas`, where it begins.

    `starter` starts the first. The side that `opens_next`, the loser or winner before, starts each later one, with its
    first participant. Later conflicts are follow-ups if `follows` (DV-24).
    """

    people: tuple[Contestant, ...]
    arenas: tuple[Pile, ...]
    options: DogsOptions
    starter: str
    opens_next: Literal["loser", "winner"] = "loser"
    follows: bool = True


class ConflictResult(msgspec.Struct):
    """The result of a conflict: the winning side, the Raises, and the fallout cards and severity by name."""

    won: int
    raises: int
    blows: dict[str, int]
    severities: dict[str, Severity]


class StorySimulation(Simulation):
    """A simulation of whole conflicts, with beginning and aftermath."""

    steps: ClassVar[tuple[str, ...]] = (STEP,)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.results: list[ConflictResult] = []
        self.answers: list[Action] = []
        self.raises = 0
        self.blows: dict[str, int] = {}

    def tell(self, rule: str, key: str, **about: Any) -> None:
        """Count the events that are measured, and ignore the rest."""
        if key == "raises":
            self.raises += 1
        elif key == "takes_blow":
            self.blows[about["name"]] = self.blows.get(about["name"], 0) + about["n"]

    def story(self, story: Story) -> Rules[None]:
        """Play the story's conflicts, stopping when a participant can no longer act."""
        starter = story.starter
        for number, arena in enumerate(story.arenas):
            if number:
                self.choose_all()
                if not all(who.can_act for who in self.characters):
                    return
                starter = next_starter(story, self.results[-1].won)
            yield from self.conflict_of(story, opening(story, number, starter), arena)

    def conflict_of(self, story: Story, answer: OpenConflict, arena: Pile) -> Rules[None]:
        """Play one conflict, from its opening to the last card of fallout."""
        self.answers.append(answer)
        self.raises, self.blows = 0, {}
        participants = [Participant(one.name, one.side, spare=one.spare) for one in story.people]
        conflict = Conflict(
            stakes=answer.stakes,
            sides=answer.sides,
            participants=participants,
            starter=answer.starter or "",
            follow_up=answer.follow_up,
        )
        yield from begin(self, conflict, arena)
        while not is_decided(self):
            yield from play_on(self)
        won = conflict.still_in()[0].side
        yield from finish(self)
        severities = {name: outcome.severity for name, outcome in self.outcomes.items()}
        self.results.append(ConflictResult(won, self.raises, self.blows, severities))

    def choose_all(self) -> None:
        """Make all choices owed by characters who are well (see `choice_of`)."""
        for who in self.characters:
            while who.condition == "well" and who.owed:
                action = choice_of(who)
                self.answers.append(action)
                if isinstance(action, ExperienceChoice):
                    choose_experience(self, action)
                else:
                    choose_fallout(self, action)


def choice_of(who: Character) -> ExperienceChoice | FalloutChoice:
    """Return a character's choice between two lab conflicts (DV-32): the plainest one that keeps it in the scene.

    Short-term: a card fewer. Long-term: the highest Stat lowered, or a troublesome trait if all are 0. Experience: a
    regular trait.
    """
    owed = who.owed[0]
    new = f"New {len(who.things) + 1}"
    if owed == "experience":
        return ExperienceChoice(who.name, "new_regular", thing=new, group="trait")
    if owed == "short_term":
        return FalloutChoice(who.name, "fewer_cards")
    highest = max(STATS, key=who.stats.of)
    if who.stats.of(highest):
        return FalloutChoice(who.name, "lower_stat", stat=highest)
    return FalloutChoice(who.name, "new_troublesome", thing=new, group="trait")


def next_starter(story: Story, won: int) -> str:
    """Return the name that starts the next conflict."""
    sides = list(dict.fromkeys(one.side for one in story.people))
    side = won if story.opens_next == "winner" else next(side for side in sides if side != won)
    return next(one.name for one in story.people if one.side == side)


def opening(story: Story, number: int, starter: str) -> OpenConflict:
    """Return the action that opens a conflict of the story."""
    sides = [[one.name for one in story.people if one.side == side] for side in sides_of(story)]
    spare = [one.name for one in story.people if one.spare]
    follow_up = bool(number) and story.follows
    arena = story.arenas[number]
    return OpenConflict(f"Conflict {number + 1}", sides, arena=arena, starter=starter, follow_up=follow_up, spare=spare)


def sides_of(story: Story) -> list[int]:
    """Return the numbers of the sides."""
    return sorted({one.side for one in story.people})


def run(story: Story, chance: Random) -> tuple[StorySimulation, list[int]]:
    """Play out a story; return the simulation and the cards drawn, as places in the deck."""
    cards = DECKS[story.options.decks or 1]
    places = {card: place for place, card in enumerate(cards)}
    drawn: list[int] = []
    simulation = StorySimulation(
        seats=[GM],
        options=story.options,
        characters=[character_of(one.sheet(), GM) for one in story.people],
    )
    simulation.policy = policy_of(story.people)

    def deal(draw: Draw) -> Card | None:
        if draw.face_down:
            return None
        card = draw.cards[int(chance.random() * len(draw.cards))]
        drawn.append(places[card])
        return card

    simulation.run(simulation.story(story), deal)
    return simulation, drawn


def policy_of(people: Sequence[Contestant]) -> Policy:
    """Return a policy that plays each participant by its own."""
    plays: Mapping[str, Policy] = {one.name: POLICIES[one.policy] for one in people}
    return lambda now: plays[now.name](now)


def replay(story: Story, chance: Random) -> Table:
    """Replay the story with the same cards at a table with a real deck.

    Raises Divergence if the rules draw other cards there.
    """
    simulation, drawn = run(story, chance)
    options = {name: getattr(story.options, name) for name in ("decks", "improvised", "keep_on_give", "reversed_card")}
    table = table_of_paper("dogs", (GM,), options, "dogs")
    coming = [BringCharacter(msgspec.to_builtins(one.sheet()), GM) for one in story.people]
    scripted: Iterator[Action] = iter((*coming, *simulation.answers))
    policy = policy_of(story.people)

    def next_answer(table: Table) -> tuple[str, dict[str, Any]] | None:
        game = table.game
        assert isinstance(game, Dogs)
        if game.under_way is None:
            action = next(scripted, None)
        else:
            action = policy(situation_of(game, game.under_way.named(table.asks()["with"]["name"])))
        return None if action is None else (GM, msgspec.to_builtins(action))

    return play(table, drawn, DECKS[story.options.decks or 1], next_answer)


def results_of(table: Table, story: Story) -> list[ConflictResult]:
    """Return the result of each conflict at a table, from its log."""
    found: list[ConflictResult] = []
    side_of = {one.name: one.side for one in story.people}
    for entry in table.entries:
        for event in entry.events:
            if event.key == "opens":
                found.append(ConflictResult(-1, 0, {}, {}))
            elif event.key == "raises":
                found[-1].raises += 1
            elif event.key == "takes_blow":
                name = event.about["name"]
                found[-1].blows[name] = found[-1].blows.get(name, 0) + event.about["n"]
            elif event.key == "wins":
                found[-1].won = side_of[event.about["names"][0]]
            elif event.key == "severity":
                found[-1].severities[event.about["name"]] = event.about["severity"]
    return found

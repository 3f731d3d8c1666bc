"""The lab questions of the gunfight."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import msgspec

from cardhouse.cards import JOKERS, STANDARD, suit_of
from cardhouse.engine import GM, PHYSICAL, Action, Ask, CardhouseError, Step, Table
from cardhouse.games.gunfight.aiming import AIMS, NEXT, Aims, shooting_chance, target_key
from cardhouse.games.gunfight.lab import turn_waits
from cardhouse.games.gunfight.lab.aiming import hits_it_takes
from cardhouse.games.gunfight.lab.gap_to_best import compare_with_best
from cardhouse.games.gunfight.rules import Gunfight
from cardhouse.games.gunfight.state import AddCharacter, GunfightOptions
from cardhouse.games.hackjack.lab.damage import (
    D20,
    DamageDice,
    is_critical,
    read_damage,
    roll_damage,
)
from cardhouse.games.hackjack.lab.policies import LONGEST_PREVENT, WRITTEN, read_prevent
from cardhouse.games.hackjack.lab.rule_policies import Policies, tables_for
from cardhouse.games.hackjack.lab.wound_question import WOUNDS, TableQuestion, check_not_too_long, settings_from
from cardhouse.games.hackjack.state import ROUGHEST, USUAL, Character, Check, Exert, HackjackOptions, HitDie, Pain
from cardhouse.games.hackjack.state import Damage as Hit
from cardhouse.games.hackjack.thresholds import is_painful
from cardhouse.games.hackjack.view import idle
from cardhouse.games.initiative.lab.rounds import turned_in
from cardhouse.games.initiative.lab.sides import (
    RANKS_DOWN,
    SIDES,
    Fighter,
    WaitsWell,
    answer_by,
    line_up,
    pieces_of,
    read_sides,
    soonest,
    two_sides,
    with_changes,
    write_sides,
)
from cardhouse.games.initiative.state import FRESH_ACE, RANK, Done, StartRound
from cardhouse.lab.questions.answer import NEAR, Picture, Tale, columns_of, knows, percent, too_few, two_digits, verdict
from cardhouse.lab.questions.proof import face_of, play
from cardhouse.lab.questions.question import Finding, Measure, Piece, Question, Situation, line_of, mean, share
from cardhouse.lab.questions.settings import situation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cardhouse.games.hackjack.lab.kernels.ahead import Ahead
    from cardhouse.lab.questions.answer import Values
    from cardhouse.lab.questions.optimality import BestPlay
    from cardhouse.lab.questions.question import Rows

MOST_ROUNDS = 60
MOST_HITS = 120

Aim = Annotated[
    Aims,
    msgspec.Meta(
        description="target, among opponents who can act: standing (not down, fewest HP), finish (down, highest "
        "death-score; who prevents blood loss last), first (highest card), nearest (highest death-score with Blood), "
        "fresh (least hurt), aces (an ace), next (still to act this round) or best (fewest hits save the most shots)"
    ),
]
Mine = Annotated[int, msgspec.Meta(ge=1, le=len(RANKS_DOWN), description="characters on your side, of mixed ranks")]
Theirs = Annotated[int, msgspec.Meta(ge=1, le=len(RANKS_DOWN), description="characters on the other side")]
OwnHP = Annotated[int, msgspec.Meta(ge=1, le=ROUGHEST, description="HP of each character on your side")]
TheirHP = Annotated[int, msgspec.Meta(ge=1, le=ROUGHEST, description="HP of each character on the other side")]
Needs = Annotated[int, msgspec.Meta(ge=1, le=D20 + 1, description="lowest d20 roll that hits")]


def mean_of(hit_points: Sequence[int]) -> int:
    """Return the rounded mean HP; the question has one number per side."""
    return round(sum(hit_points) / len(hit_points))


class Last(TableQuestion, frozen=True, kw_only=True):
    """A shoot-out of two sides."""

    game: ClassVar[str] = "gunfight"
    name: ClassVar[str] = "last"
    title: ClassVar[str] = "Who is left, and after how many rounds?"
    about: ClassVar[str] = (
        "Plays a shoot-out of two sides until nobody on one side can act: all are dead, unconscious or "
        "helpless. A character who is down but awake keeps shooting, unless they prevent blood loss. The dice"
        " that decide whether a shot hits aren't part of the rules, and wounds don't change them. All draw "
        "from one wound deck."
    )
    asked: ClassVar[str] = (
        "Your side: {mine} with {hp} HP, who hit on {needs} or more, for {damage}. Theirs: {theirs} with {their_hp} "
        "HP, who hit on {their_needs} or more, for {their_damage}."
    )
    trial: ClassVar[str] = "fight"
    at_once: ClassVar[int] = 5_000
    come_last: ClassVar[Sequence[str]] = (*TableQuestion.come_last, "pain", "hit_die")

    mine: Mine = 4
    theirs: Theirs = 5
    cards: Annotated[
        str,
        msgspec.Meta(
            max_length=100,
            description="ranks of both sides, yours first, instead of numbers: A K 9 / Q 8 4",
        ),
    ] = ""
    hp: OwnHP = 12
    their_hp: TheirHP = 6
    needs: Needs = 9
    their_needs: Needs = 12
    damage: DamageDice = "1d8"
    their_damage: DamageDice = "1d8"
    aim: Aim = "standing"
    their_aim: Aim = "standing"
    their_prevent: Annotated[
        str, msgspec.Meta(max_length=LONGEST_PREVENT, description="the same for their side; empty means as yours")
    ] = ""
    wait: Annotated[
        WaitsWell,
        msgspec.Meta(description="when your side waits; best means never, which won most often"),
    ] = "never"
    their_wait: Annotated[WaitsWell, msgspec.Meta(description="when their side waits")] = "never"
    rounds: Annotated[int, msgspec.Meta(ge=1, le=MOST_ROUNDS, description="most rounds")] = 30
    pain: Annotated[
        Pain,
        msgspec.Meta(description="what a shooter in pain must roll over, or pass out (HJ-29)"),
    ] = USUAL.pain
    hit_die: Annotated[HitDie, msgspec.Meta(description="everyone's hit die, for pain by Trauma")] = "d8"

    @classmethod
    def from_table(cls, view: Mapping[str, Any], options: Mapping[str, Any]) -> list[Situation]:
        hp = {one["name"]: one["hp"] for one in view["fight"]["characters"] if one["idle"] is None}
        there = [one for one in view["order"]["characters"] if one["name"] in hp]
        cards = [one["card"] for one in there]
        led = [suit_of(one["card"]) for one in there if one["controller"] != GM] or [suit_of(card) for card in cards]
        if len({suit_of(card) for card in cards}) != 2:
            return []
        mine = [hp[one["name"]] for one in there if suit_of(one["card"]) == led[0]]
        theirs = [hp[one["name"]] for one in there if suit_of(one["card"]) != led[0]]
        fought = {"cards": write_sides(cards, led[0]), "hp": mean_of(mine), "their_hp": mean_of(theirs)}
        return [situation(cls, "", {**settings_from(options), **fought})]

    def check(self) -> None:
        super().check()
        self.fighters()
        first, second = (read_prevent(self.prevents(side)).kind for side in (0, 1))
        if self.prevents(0) != self.prevents(1) and WRITTEN in (first, second) and min(first, second) >= WRITTEN:
            raise CardhouseError(
                "Only one side can have a rule of your own. The other one is never, always, at 15 or unless 11."
            )
        Gunfight.read_options(msgspec.to_builtins(self.options()))

    def fighters(self) -> list[Fighter]:
        """Return the characters, my side first, and within each side the highest card first.

        Raises CardhouseError if these are not two sides.
        """
        if not self.cards.strip():
            return two_sides(self.mine, self.theirs)
        fighters = read_sides(self.cards)
        if fighters[-1].side != 1:
            raise CardhouseError(f'"{self.cards}" are not two sides; they are written like "A K 9 / Q 8 4".')
        return fighters

    def line_up(self) -> str:
        return line_up(self.fighters())

    def pieces(self, setting: str) -> Sequence[Piece]:
        return pieces_of(self.fighters()) if setting == "cards" else super().pieces(setting)

    def with_pieces(self, setting: str, becomes: Mapping[str, str]) -> Any:
        if setting == "cards":
            return with_changes(self.fighters(), becomes)
        return super().with_pieces(setting, becomes)

    def options(self) -> GunfightOptions:
        """Return the house rules."""
        return GunfightOptions(**self.table_options(), pain=self.pain)

    def known(self) -> Ahead:
        """Return what policies that look ahead may know: a hit is equally likely from either side."""
        damages = read_damage(self.damage), read_damage(self.their_damage)
        prevent = max(map(self.prevents, (0, 1)), key=lambda text: read_prevent(text).kind)
        return tables_for(prevent, self.c7, self.options(), *damages)

    def prevents(self, side: int) -> str:
        """Return when a side prevents blood loss."""
        return (self.their_prevent if side else "") or self.prevent

    def measures(self) -> Sequence[Measure]:
        people = len(RANKS_DOWN) + 1
        return [
            Measure("ended", 3, "how it ended: 0 lost, 1 undecided, 2 won"),
            Measure("rounds", MOST_ROUNDS + 1, "the round in which it was decided; 0: it was not"),
            Measure(
                "opened", 6, "0 my side acted first and lost, 1 and undecided, 2 and won; 3 to 5: theirs acted first"
            ),
            Measure("my_dead", people, "the dead on my side"),
            Measure("their_dead", people, "the dead on theirs"),
            Measure("my_able", people, "those on my side who can still act"),
            Measure("their_able", people, "those on theirs"),
            Measure("hits", MOST_HITS + 1, "shots that hit"),
            *turn_waits.measures(),
            *WOUNDS.measures(),
        ]

    def findings(self) -> Sequence[Finding]:
        fighters = self.fighters()
        mine, theirs = (sum(who.side == side for who in fighters) for side in (0, 1))
        return [
            share("won", "your side wins", "ended", 2),
            share("lost", "their side wins", "ended", 0, 0),
            share("undecided", f"undecided after {self.rounds} rounds", "ended", 1, 1),
            mean("rounds", "rounds until it is decided", "rounds", given_least=1),
            share("won_going_first", "your side wins after acting first", "opened", 2, 2, given_most=2),
            share("won_going_second", "your side wins after the others acted first", "opened", 5, given_least=3),
            mean("my_dead", "deaths on your side", "my_dead"),
            mean("their_dead", "deaths on their side", "their_dead"),
            share("no_loss", "no one on your side dies", "my_dead", 0, 0),
            share("all_dead", "everyone on your side dies", "my_dead", mine),
            share("nobody_dead", "no one on their side dies", "their_dead", 0, 0),
            mean("my_able", "on your side who can still act at the end", "my_able"),
            mean("their_able", "on their side who can still act at the end", "their_able"),
            mean("hits", "shots that hit", "hits"),
            *WOUNDS.findings(),
            *turn_waits.findings(),
            *line_of(
                (
                    share(f"over_by_{number}", f"over by the end of round {number}", "rounds", 1, number)
                    for number in range(1, self.rounds + 1)
                ),
                "over_by",
                "Over by the end of round n",
                "round",
            ),
            *_dead_of("my_dead", "your side", mine),
            *_dead_of("their_dead", "theirs", theirs),
        ]

    def tale(self, values: Values) -> Tale | None:
        if not knows(values, "won", "lost", "undecided", "my_able", "their_able"):
            return None
        won, lost = values["won"], values["lost"]
        fighters = self.fighters()
        mine, theirs = (sum(who.side == side for who in fighters) for side in (0, 1))
        line = (
            f"On average {two_digits(values['my_able'])} of your {mine} and {two_digits(values['their_able'])} of "
            f"their {theirs} can still act at the end"
        )
        line += f", after {two_digits(values['rounds'])} rounds." if "rounds" in values else "."
        ends = columns_of(
            ("your side wins", won, "person"),
            ("undecided", values["undecided"], "card"),
            ("their side wins", lost, "stone"),
            bright="your side wins",
        )
        some = [one for one in ends if one.count or one.label != "undecided"]
        sentence = self._who_wins(values)
        if values["undecided"] and "undecided" not in sentence:
            line = f"{percent(values['undecided'])} of fights are undecided after {self.rounds} rounds. {line}"
        return Tale(sentence, line, Picture("A hundred fights, by who wins", columns=some))

    def _who_wins(self, values: Values) -> str:
        """Return the sentence that answers the question, as far as the intervals tell."""
        won, lost, undecided = (values[key] for key in ("won", "lost", "undecided"))
        numbers = f"yours {percent(won)}, theirs {percent(lost)}"
        if verdict(*values.ends("undecided")) == "over":
            return f"Most fights are undecided after {self.rounds} rounds ({percent(undecided)}): {numbers}."
        winner, key, other = ("Your", "won", "lost") if won >= lost else ("Their", "lost", "won")
        if verdict(*values.ends(key)) == "over":
            return f"{winner} side wins most fights ({percent(values[key])})."
        (low, high), (other_low, other_high) = values.ends(key), values.ends(other)
        if low > other_high:
            return f"{winner} side wins more often ({numbers})."
        if max(high - other_low, other_high - low) <= 2 * NEAR:
            return f"The sides are about even ({numbers})."
        tells = f"who wins more often ({numbers})"
        return too_few(self.trial, tells, values.trials, values.gap_between("won", "lost"))

    def run(self, seed: int, first: int, out: Rows, log: Rows | None) -> None:
        import numpy as np

        from cardhouse.games.gunfight.lab.kernels import fights as kernel
        from cardhouse.games.hackjack.lab.kernels.bleeding import book_of
        from cardhouse.games.initiative.lab.kernels.rounds import BITS

        aim, their_aim = self.aims(0), self.aims(1)
        hit_die = int(self.hit_die.removeprefix("d"))
        mine = (
            self.hp,
            self.needs,
            BITS[soonest(self.wait)],
            aim,
            hit_die,
            *read_prevent(self.prevents(0)),
            *read_damage(self.damage),
        )
        theirs = (
            self.their_hp,
            self.their_needs,
            BITS[soonest(self.their_wait)],
            their_aim,
            hit_die,
            *read_prevent(self.prevents(1)),
            *read_damage(self.their_damage),
        )
        hits = [self.hits(side) for side in (0, 1)]
        fighters = self.fighters()
        too_long = kernel.last(
            book_of(self.options(), self.c7, self.known()),
            np.array([mine, theirs], np.int64),
            np.array([who.rank for who in fighters], np.int64),
            np.array([who.side for who in fighters], np.uint8),
            self.critical,
            self.rounds,
            np.array([row for row, _ in hits], np.int64),
            hits[0][1],
            seed,
            first,
            out,
            log,
        )
        check_not_too_long(too_long)

    def best_play(self) -> BestPlay:
        return compare_with_best(self)

    def played(self, seed: int, trial: int) -> Table:
        options = msgspec.to_builtins(self.options())
        # Cards are turned by hand, so that there is a question before each one, to check whether the fight goes on.
        paper = dict.fromkeys(("initiative", "wounds", "dice"), PHYSICAL)
        table = Table.new(self.game, (GM,), options, decks=paper, by_hand=["draw"])
        chance = iter(self.chance(seed, trial))
        story = self.story(table, chance)
        cards = {"initiative": [*(who.card for who in self.fighters()), *JOKERS], "wounds": [*STANDARD, *JOKERS]}
        return play(table, chance, cards, lambda table: next(story, None))

    def story(self, table: Table, chance: Iterator[int]) -> Iterator[tuple[str, Action]]:
        """Yield all answers of a fight, with their seats."""
        game, fighters = table.game, self.fighters()
        assert isinstance(game, Gunfight)
        for who in fighters:
            hp = self.their_hp if who.side else self.hp
            hit_die = self.hit_die if self.pain == "trauma" else None
            yield GM, AddCharacter(who.name, hp, hp, card=who.card, side=SIDES[who.side], hit_die=hit_die)
        people = {who.name: who for who in fighters}
        known = self.known()
        policies = [Policies(read_prevent(self.prevents(side)), self.c7, known) for side in (0, 1)]
        rolls = ""
        # After passing out at one check, a character still rolls the others, even if the fight is over.
        while not self.is_over(game) or (rolls and rolls == _check_of(table)):
            rolls = _check_of(table)
            if _question_key(table) == "between":
                if game.order.round == self.rounds:
                    return
                yield GM, StartRound()
            elif _question_key(table) == "turn":
                yield from self.shoot(table, game, people, policies, chance)
            else:
                yield GM, self.answer_to(table, game, people, policies)

    def answer_to(
        self, table: Table, game: Gunfight, people: dict[str, Fighter], policies: Sequence[Policies]
    ) -> Action:
        """Return the answer to any other question of a round."""
        asked = table.question
        assert isinstance(asked, Ask)
        if asked.key == "step":
            return Step("draw")
        if asked.key == "declare":
            who = game.fight.named(asked.about["names"][0])
            return policies[people[who.name].side].declaration(table, game.fight, who)
        name = asked.about["name"]
        if asked.key == "check":
            wounds = [taken.card for taken in game.fight.named(name).wounds if taken.check == "open"]
            return Check(name, wounds[0])
        return answer_by(game.order, asked, soonest(self.their_wait if people[name].side else self.wait))

    def shoot(
        self,
        table: Table,
        game: Gunfight,
        people: dict[str, Fighter],
        policies: Sequence[Policies],
        chance: Iterator[int],
    ) -> Iterator[tuple[str, Action]]:
        """Yield a character's shot, unless it prevents blood loss or pain is too much."""
        assert isinstance(table.question, Ask)
        name = table.question.about["name"]
        side = people[name].side
        who = game.fight.named(name)
        if not who.preventing and game.fight.needs_pain_roll(who):
            yield GM, Exert(name)
            if who.unconscious:  # that was its turn (GF-3)
                return
        if not game.fight.named(name).preventing:
            face = face_of(chance, D20)
            if face >= (self.their_needs if side else self.needs):
                amount = roll_damage(read_damage(self.their_damage if side else self.damage), chance)
                yield GM, Hit(self.target(game, people, side), amount, is_critical(face, self.critical))
                yield from policies[side].wound_choices(table, game.fight)
        if not self.is_over(game):
            yield GM, Done(name)

    def aims(self, side: int) -> int:
        """Return a side's aim as numbered by kernels; best is the best known one for this rule of pain."""
        aim = self.their_aim if side else self.aim
        return AIMS.index("standing" if aim == "best" and self.pain == "death_score" else aim)

    def hits(self, side: int) -> tuple[NDArray[np.int64], int]:
        """Return the hits that a side needs to take a character out, and the first place of the downed."""
        options = self.options()
        of_hackjack = {name: getattr(options, name) for name in HackjackOptions.__struct_fields__}
        damage = read_damage(self.their_damage if side else self.damage)
        return hits_it_takes(msgspec.json.encode(of_hackjack), damage, max(self.hp, self.their_hp))

    def target(self, game: Gunfight, people: dict[str, Fighter], side: int) -> str:
        """Return the target of a shooter of this side."""
        aim, (table, all_up) = self.aims(side), self.hits(side)

        def turn(who: Character) -> tuple[bool, int, int]:
            card, blood = people[who.name].card, 0 if who.preventing else who.blood
            takes = table[min(all_up + who.death_score + blood, len(table) - 1) if who.down else who.hp]
            shoots = shooting_chance(who.preventing, *self.pain_roll(who))
            ace = RANK[card] == FRESH_ACE
            before = target_key(aim, who.down, who.hp, who.death_score, blood, ace, who.preventing, int(takes), shoots)
            to_come = card in game.order.deck or card == game.order.waiting
            return aim == NEXT and not to_come, before, [*people].index(who.name)

        enemies = [who for who in game.fight.characters if people[who.name].side != side and can_act(game, who)]
        return min(enemies, key=turn).name

    def pain_roll(self, who: Character) -> tuple[int, int]:
        """Return the die a character rolls for pain before a shot (0 sides for none), and the number to beat."""
        if self.pain == "trauma" and is_painful(who.trauma):
            return int(self.hit_die.removeprefix("d")), who.trauma
        return (D20, who.death_score) if self.pain == "death_score" and who.down else (0, 0)

    def is_over(self, game: Gunfight) -> bool:
        """Return whether one side has nobody left who can act."""
        return len(game.fight.characters) == len(self.fighters()) and not (_able(game, 0) and _able(game, 1))

    def row_of(self, table: Table) -> Sequence[int]:
        game = table.game
        assert isinstance(game, Gunfight)
        mine, theirs = (_able(game, side) for side in (0, 1))
        ended = (2 if mine else 0) if not (mine and theirs) else 1
        events = [event for entry in table.entries for event in entry.events]
        first = next(event.about["name"] for event in events if event.key == "acts")
        return [
            ended,
            game.order.round if ended != 1 else 0,
            3 * first.startswith(SIDES[1]) + ended,
            *(sum(not who.alive for who in _of_side(game, side)) for side in (0, 1)),
            mine,
            theirs,
            sum(entry.lines[0].get("do") == "damage" for entry in table.entries),
            *turn_waits.row_of(turn_waits.waits_in(turn_waits.events_to_end(table.entries, over=ended != 1), SIDES[0])),
            turned_in(events),
            *WOUNDS.row(table.entries),
        ]


def can_act(game: Gunfight, who: Character) -> bool:
    """Return whether a character can act (GF-3)."""
    return idle(game.fight, who) is None


def _question_key(table: Table) -> str:
    """Return the key of the table's question."""
    return table.question.key if isinstance(table.question, Ask) else ""


def _check_of(table: Table) -> str:
    """Return the name whose check the table asks for; empty if none."""
    asked = table.question
    return str(asked.about["name"]) if isinstance(asked, Ask) and asked.key == "check" else ""


def _of_side(game: Gunfight, side: int) -> list[Character]:
    return [who for who in game.fight.characters if who.name.startswith(SIDES[side])]


def _able(game: Gunfight, side: int) -> int:
    return sum(can_act(game, who) for who in _of_side(game, side))


def _dead_of(measure: str, side: str, people: int) -> list[Finding]:
    """Return the number of a side's deaths as a line of findings."""
    return line_of(
        (
            share(f"{measure}_{dead}", f"{dead} of {side} die", measure, dead, dead, x=float(dead))
            for dead in range(people + 1)
        ),
        measure,
        f"Deaths on {side} side",
        "dead",
    )


QUESTIONS: tuple[type[Question], ...] = (Last,)

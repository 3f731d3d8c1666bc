"""Dogs Play Cards, Too, DV-1 to DV-37: the table. Conflicts and their aftermath are in modules of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar

import msgspec

from cardhouse.cards import SECOND_DECK, STANDARD, Card
from cardhouse.engine import (
    GM,
    SCREEN,
    Action,
    Ask,
    Bot,
    Editable,
    HandOver,
    Recap,
    RemoveCharacter,
    ReplaySteps,
    Rules,
    controllers,
)
from cardhouse.games.dogs import offers
from cardhouse.games.dogs.actions import (
    Bring,
    BringCharacter,
    Create,
    DescribeTown,
    Escalate,
    ExperienceChoice,
    FalloutChoice,
    Float,
    Give,
    Help,
    Improvise,
    LetDie,
    NewTown,
    Npc,
    OpenConflict,
    OpenHealing,
    OpenInitiation,
    Raise,
    See,
    SetStats,
)
from cardhouse.games.dogs.bots import odds
from cardhouse.games.dogs.bots.bots import BOTS
from cardhouse.games.dogs.bots.hosting import host
from cardhouse.games.dogs.conflict.hands import draw_for
from cardhouse.games.dogs.conflict.raising import begin, is_decided, play_on, raise_question, see_question
from cardhouse.games.dogs.conflict.together import why_no_help
from cardhouse.games.dogs.fallout.aftermath import (
    STEP,
    choose_experience,
    choose_fallout,
    finish,
    leave_untreated,
    offer_choices,
)
from cardhouse.games.dogs.overrides import editable
from cardhouse.games.dogs.people.fast import FAST, FAST_STATS, FLOATS
from cardhouse.games.dogs.people.notation import read_sheet
from cardhouse.games.dogs.people.sheet import Character, Sheet
from cardhouse.games.dogs.people.sheets import character_of, read_roster, sheet_of
from cardhouse.games.dogs.people.templates import BELONGINGS, TEMPLATES
from cardhouse.games.dogs.recap import Town
from cardhouse.games.dogs.state import (
    ARENAS,
    EXPERIENCE_FROM,
    FALLOUT_NAME,
    INITIATION_NAME,
    ONE_DECK_FOR,
    Conflict,
    Participant,
    arena_of,
    worth,
)
from cardhouse.games.dogs.table import DogsTable
from cardhouse.games.dogs.view import DogsView, view_of, where_is


class Dogs(DogsTable):
    """Talk, push, fight or shoot: conflicts played with cards, and fallout for those who take blows."""

    name: ClassVar[str] = "dogs"
    version: ClassVar[int] = 2
    actions: ClassVar[tuple[type[Action], ...]] = (
        Create,
        Npc,
        BringCharacter,
        SetStats,
        OpenConflict,
        OpenHealing,
        OpenInitiation,
        Bring,
        Improvise,
        Escalate,
        Raise,
        Help,
        See,
        Give,
        FalloutChoice,
        ExperienceChoice,
        Float,
        NewTown,
        DescribeTown,
        LetDie,
        HandOver,
        RemoveCharacter,
    )
    steps: ClassVar[tuple[str, ...]] = (STEP,)
    bots: ClassVar[Mapping[str, Bot]] = BOTS
    people: ClassVar[str] = "faith"
    host: ClassVar[Bot] = host
    prepares: ClassVar[type[Action]] = Npc
    plays_on: ClassVar[str] = "plain"
    plays_well: ClassVar[str] = "bold"
    looks_until: ClassVar[tuple[str, ...]] = ("town", "choices")
    odds_take_long: ClassVar[bool] = True
    usual_players: ClassVar[int] = ONE_DECK_FOR

    def play(self) -> Rules[None]:
        """Play conflicts as the game master opens them, and in between the choices that follow from them."""
        while True:
            if self.under_way is None:
                answer = yield from self.ask(self.question_now)
                yield from self.apply_answer(answer)
            elif is_decided(self):
                yield from finish(self)
            else:
                yield from play_on(self)

    def question_now(self) -> Ask:
        """Return the question between conflicts: the choices owed (DV-32), and the conflicts that may be opened."""
        offered = (*offer_choices(self), *offers.openings(self))
        choosing = [who for who in self.characters if who.condition == "well" and who.owed]
        if choosing:
            about = {"names": [who.name for who in choosing]}
            return Ask("choices", "DV-32", offered, about, rest=True, together=True, waits_for=controllers(choosing))
        if not self.characters:
            # Everyone makes a character of their own, so the table doesn't wait for the game master alone.
            town, all_seats = {"town": self.town}, tuple(self.seats)
            return Ask("nobody", "DV-14", offered, town, rest=True, together=True, waits_for=all_seats)
        return Ask("town", "DV-14", offered, {"town": self.town}, rest=True, waits_for=(GM,))

    def apply_answer(self, answer: Any) -> Rules[None]:
        """Open the conflict, or apply the choice, that was the answer."""
        if isinstance(answer, OpenConflict):
            yield from self.open_conflict(answer)
        elif isinstance(answer, OpenHealing):
            yield from self.open_healing(answer)
        elif isinstance(answer, OpenInitiation):
            yield from self.open_initiation(answer)
        elif isinstance(answer, ExperienceChoice):
            choose_experience(self, answer)
        elif isinstance(answer, FalloutChoice):
            choose_fallout(self, answer)
        else:
            leave_untreated(self, self.named(answer.name), "not_healed")

    # Opening (DV-14, DV-30, DV-37).

    def open_conflict(self, answer: OpenConflict) -> Rules[None]:
        """Open a conflict in one of the arenas (DV-14), or in one of the game master's own (DV-9)."""
        arena = answer.arena or arena_of(answer.stats or [], answer.pile or "talking")
        participants = [
            Participant(name, number, spare=name in answer.spare)
            for number, side in enumerate(answer.sides)
            for name in side
        ]
        conflict = Conflict(
            stakes=answer.stakes,
            sides=answer.sides,
            participants=participants,
            starter=answer.starter or answer.sides[0][0],
            follow_up=answer.follow_up,
            demonic=answer.demonic,
        )
        yield from begin(self, conflict, arena)

    def open_healing(self, answer: OpenHealing) -> Rules[None]:
        """Open a healing conflict: the healer against the patient's fallout; its blows are physical (DV-30)."""
        demonic = answer.demonic
        if demonic is not None and demonic.side is None:
            demonic = msgspec.structs.replace(demonic, side=1)
        conflict = Conflict(
            kind="healing",
            stakes=answer.patient,
            sides=[[answer.healer], [FALLOUT_NAME]],
            participants=[Participant(answer.healer, 0), Participant(FALLOUT_NAME, 1, "fallout")],
            starter=answer.healer,
            patient=answer.patient,
            demonic=demonic,
        )
        yield from begin(self, conflict, arena_of(["acuity", "body"], "physical"))

    def open_initiation(self, answer: OpenInitiation) -> Rules[None]:
        """Open a conflict of a new character against 4d6 and 4d10 of the dice game (DV-37)."""
        conflict = Conflict(
            kind="initiation",
            stakes=answer.stakes,
            sides=[[answer.name], [INITIATION_NAME]],
            participants=[Participant(answer.name, 0), Participant(INITIATION_NAME, 1, "initiation")],
            starter=answer.name,
        )
        yield from begin(self, conflict, answer.arena)

    def ask_raise(self, one: Participant) -> Ask | None:
        """Return the question of a Raise and everything that may precede it."""
        return raise_question(self, one)

    def ask_see(self, one: Participant) -> Ask | None:
        """Return the question of a See and everything that may precede it."""
        return see_question(self, one)

    def why_not(self, by: str, action: Action) -> str | None:
        """Return why help can't be given (DV-21); None for any other action."""
        return why_no_help(self, by, action) if isinstance(action, Help) else None

    # At any time.

    def involved(self) -> list[str]:
        """Return the names of those in a conflict or its aftermath, who can't leave the table."""
        if self.conflict is None or (self.under_way is None and not self.busy):
            return []
        return [*(one.name for one in self.conflict.participants), *filter(None, [self.conflict.patient])]

    def at_any_time(self) -> Sequence[Any]:
        """Return the offers that don't depend on whose turn it is: joining, leaving, floating traits."""
        return offers.at_any_time(self)

    def meanwhile(self, action: Action) -> Rules[None]:
        """Apply an action that doesn't depend on whose turn it is."""
        if isinstance(action, Float):
            yield from self.float(action)
            return
        does: dict[type[Action], Callable[[Any], None]] = {
            Create: self.create,
            Npc: self.add_npc,
            BringCharacter: self.bring_character,
            SetStats: self.set_stats,
            NewTown: self.new_town,
            DescribeTown: self.describe_town,
            HandOver: self.hand_over,
            RemoveCharacter: self.remove_character,
        }
        does[type(action)](action)

    def create(self, action: Create) -> None:
        """Add a character: from a template (DV-3), freely, or converted from dice (DV-5)."""
        things, stats, scaled = action.things, action.stats, False
        if action.dice is not None:
            read = read_sheet(action.dice)
            things, scaled = read.things, read.scaled and stats is None
            stats = stats or read.stats
        assert stats is not None
        controller = action.controller or self.by
        self.characters.append(
            Character(
                name=action.name, stats=stats, things=things, controller=controller, npc=action.npc, proposed=scaled
            )
        )
        rule = "DV-5" if action.dice is not None else "DV-3"
        self.tell(rule, "created", name=action.name, template=action.template or "free")
        if action.dice is not None:
            self.report_remarks(action.name, read.one_die, proposed=scaled)

    def report_remarks(self, name: str, one_die: list[str], *, proposed: bool) -> None:
        """Point out what a converted sheet may need: final Stats, and fewer traits of a single die (DV-5)."""
        if proposed:
            self.tell("DV-5", "stats_proposed", name=name)
        if len(one_die) > 1:
            self.tell("DV-5", "one_die_things", name=name, things=one_die)

    def set_stats(self, action: SetStats) -> None:
        """Replace the proposed Stats (DV-5)."""
        who = self.named(action.name)
        who.stats = action.stats
        self.tell("DV-5", "stats_set", name=who.name, **msgspec.structs.asdict(who.stats))

    def add_npc(self, action: Npc) -> None:
        """Add a Fast NPC (DV-34); each additional member of a group is one of its traits (DV-35)."""
        members = [member.as_thing() for member in action.members]
        fast = Character(
            name=action.name,
            stats=FAST_STATS,
            things=members,
            controller=GM,
            npc=True,
            fast=action.type,
            members=len(members),
        )
        self.characters.append(fast)
        about: dict[str, Any] = {"name": fast.name, "type": action.type, "n": len(members)}
        self.tell("DV-35" if members else "DV-34", "npc_group" if members else "npc", **about)

    def bring_character(self, action: BringCharacter) -> None:
        """Add a character from the roster, and take the cards it holds out of this deck if possible."""
        sheet = msgspec.convert(action.sheet, Sheet)
        who = character_of(sheet, action.controller or self.by)
        for cards in (who.kept, who.wounds):
            cards[:] = [card for card in cards if self.take_out(card)]
        self.characters.append(who)
        self.tell("DV-2", "comes_back", name=who.name)

    def take_out(self, card: Card) -> bool:
        """Take a card out of the discard pile or the deck; return whether that was possible.

        The deck is left alone while some of its cards are face down or a card is being drawn, because the card may be
        that one. With hidden hands only the game master can do it; otherwise players could find out where cards are
        (DV-14).
        """
        if self.options.hidden_hands and self.by != GM:
            return False
        for pile in (self.discard, *([] if self.face_down() or self.drawing else [self.deck.loose])):
            if card in pile:
                pile.remove(card)
                return True
        return False

    def hand_over(self, action: HandOver) -> None:
        """Give a character to another seat, and show that seat the cards if hands are hidden."""
        who = self.named(action.name)
        who.controller = action.controller
        self.tell("DV-14", "handed_over", name=who.name, seat=who.controller)
        hands = [one.hand for one in self.conflict.participants if one.name == who.name] if self.conflict else []
        if self.options.hidden_hands and (cards := [*chain.from_iterable(hands), *who.kept]):
            self.tell("DV-14", "has_cards", to=(who.controller,), name=who.name, cards=cards)

    def remove_character(self, action: RemoveCharacter) -> None:
        """Remove a character and discard its cards."""
        who = self.named(action.name)
        self.put_away(*who.kept, *who.wounds)
        self.characters.remove(who)
        self.tell("DV-14", "leaves_table", name=who.name)

    def float(self, action: Float) -> Rules[None]:
        """Draw for a floating trait, once per Town each (DV-36)."""
        one = self.contested.named(action.for_)
        self.floats_used.append(action.thing)
        self.busy = True
        yield from draw_for(self, one, FLOATS[action.thing], "DV-36")
        self.busy = False

    def new_town(self, action: NewTown) -> None:
        """Begin a new Town, which brings the floating traits back (DV-36)."""
        self.town += 1
        self.floats_used = []
        self.town_name, self.notes, self.notes_shown = "", "", False
        self.tell("DV-36", "new_town", town=self.town)

    def describe_town(self, action: DescribeTown) -> None:
        """Name the Town, and keep the game master's notes on it, which others see only if they are shown (DV-36)."""
        if action.town not in ("", self.town_name):
            self.tell("DV-36", "town_named", town=action.town)
        if action.shown and action.notes:
            self.tell("DV-36", "notes_shown", notes=action.notes)
        elif action.notes != self.notes or self.notes_shown:
            self.tell("DV-36", "notes_kept")
        self.town_name, self.notes, self.notes_shown = action.town, action.notes, action.shown

    # Overrides by the game master.

    def editable(self) -> list[Editable]:
        """Return what the game master can edit: the Town, and each character's Stats, things, condition and cards."""
        return editable(self)

    def why_not_editable(self, of: str, what: str) -> str | None:
        """Return why a value can't be edited: face-down fallout is unknown (DV-25), or something must finish first."""
        if what in ("fallout", "blows"):
            return "a face-down card can't be edited before it is turned over (DV-25)"
        if self.busy:
            return "cards are being drawn: finish that first, or undo it"
        return f"{of} is in a conflict: finish that first" if of in self.involved() else None

    # Views.

    def audience(self, seat: str) -> str:
        """Return the audience of a seat: one for all players, unless hands are hidden (DV-14)."""
        if self.options.hidden_hands:
            return seat
        return GM if seat == GM else SCREEN

    def view(self, audience: str) -> DogsView:
        """Return the table as this audience sees it."""
        return view_of(self, audience)

    def where(self, card: Card, deck: str, audience: str) -> str:
        """Return why a card can't be drawn: its place, as far as this audience knows."""
        return where_is(self, card, audience)

    def odds(self, audience: str, trials: int = 0) -> odds.ConflictOdds:
        """Return each side's chance to win if bots finish the conflict, from `trials` games, or a quick number of them.

        With hidden hands only the game master gets it (DV-14).
        """
        return {} if self.options.hidden_hands and audience != GM else odds.odds_of(self, trials)

    @classmethod
    def facts(cls) -> dict[str, Any]:
        """Return card values (DV-8), templates (DV-3), belongings (DV-4), arenas (DV-9, DV-26), Fast NPCs (DV-34)."""
        return {
            "worth": {card: worth(card) for card in (*STANDARD, *SECOND_DECK)},
            "templates": msgspec.to_builtins(TEMPLATES),
            "belongings": BELONGINGS,
            "arenas": ARENAS,
            "experience_from": EXPERIENCE_FROM,
            "fast": {kind: [line.written for line in lines] for kind, lines in FAST.items()},
        }

    # Beyond one table: recap, roster and rematch.

    def recap(self, log: ReplaySteps) -> Recap:
        """Return the recap: the stakes of each conflict, who won them, and the fallout they cost."""
        town = Town()
        for passage in log:
            town.see(passage)
        return town.recap(self.characters)

    def roster(self) -> list[Any]:
        """Return every character's current sheet."""
        return [msgspec.to_builtins(sheet_of(who)) for who in self.characters]

    def come_again(self) -> list[dict[str, Any]]:
        """Return the actions that bring all characters, NPCs included, and the Town's name and notes to a new table."""
        sheets = [(msgspec.to_builtins(sheet_of(who)), who.controller) for who in self.characters]
        people = [{"do": "bring_character", "sheet": sheet, "controller": seat} for sheet, seat in sheets]
        about = {"town": self.town_name, "notes": self.notes, "shown": self.notes_shown}
        described = {field: value for field, value in about.items() if value}
        return [*people, {"do": "describe_town", **described}] if described else people

    @classmethod
    def read_roster(cls, text: bytes) -> list[Any]:
        return [msgspec.to_builtins(sheet) for sheet in read_roster(text)]

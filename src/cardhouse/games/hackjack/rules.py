"""Hackjack, HJ-1 to HJ-33. Read it beside the rules: damage, blood, rounds; suffering and mending stand beside."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from cardhouse.cards import Card
from cardhouse.engine import (
    GM,
    SCREEN,
    Action,
    Amendable,
    Ask,
    Bot,
    Evening,
    HandOver,
    Offer,
    OneOf,
    Passages,
    RemoveCharacter,
    Rules,
    Strike,
    acting,
    controllers,
)
from cardhouse.games.hackjack import odds, offers
from cardhouse.games.hackjack.bots import host, steady
from cardhouse.games.hackjack.healing import Mending
from cardhouse.games.hackjack.overrides import amendable
from cardhouse.games.hackjack.recap import Fights
from cardhouse.games.hackjack.sheets import character_of, read_roster, sheet_of
from cardhouse.games.hackjack.state import (
    EACH_OLD_WOUND,
    AddCharacter,
    BeginRound,
    BringCharacter,
    Character,
    Check,
    ChooseWound,
    ClearDead,
    Cure,
    Damage,
    Drain,
    DrawFor,
    Exert,
    Face,
    Heal,
    Prevent,
    Recover,
    Rest,
    Sheet,
    Wake,
    WoundTaken,
    card_value,
)
from cardhouse.games.hackjack.thresholds import goes_down, is_massive, is_outright
from cardhouse.games.hackjack.view import HackjackView, idle, view_of, where_is
from cardhouse.games.hackjack.wound_chains import Let
from cardhouse.games.hackjack.wounding import LastHit
from cardhouse.games.hackjack.wounds import WOUNDS_FILE, read_wounds, rewritten, standard_wounds

COMINGS = (AddCharacter, BringCharacter, HandOver)
"""What may be done even while something is being drawn or rolled."""


class Hackjack(Mending):
    """A blackjack of death and dismemberment."""

    name: ClassVar[str] = "hackjack"
    version: ClassVar[int] = 2
    actions: ClassVar[tuple[type[Action], ...]] = (
        AddCharacter,
        BringCharacter,
        Damage,
        Drain,
        DrawFor,
        Heal,
        Rest,
        BeginRound,
        Prevent,
        Strike,
        ChooseWound,
        Check,
        Exert,
        Face,
        Wake,
        Recover,
        Cure,
        ClearDead,
        HandOver,
        RemoveCharacter,
    )

    bots: ClassVar[Mapping[str, Bot]] = {"steady": steady}
    people: ClassVar[str] = "crypt"
    host: ClassVar[Bot] = host
    prepares: ClassVar[type[Action]] = AddCharacter

    round: int = 0
    to_strike: list[str] = []
    """HJ-33: who has not struck yet in this round, by name."""

    def play(self) -> Rules[None]:
        """Rounds, whenever the game master says so; between the questions things happen to people."""
        self.open_deck()
        while True:
            answer = yield from self.ask(self.what_now)
            if isinstance(answer, BeginRound):
                self.begin_round()
            elif isinstance(answer, Strike):
                yield from self.meanwhile(answer)
            else:
                self.declare(answer)

    def what_now(self) -> Ask:
        """The bleeding declare (HJ-10), or whatever the game master has in mind."""
        begin = Offer((GM,), BeginRound)
        if not self.characters:
            return Ask("nobody", "HJ-1", (), {"round": self.round}, rest=True, waits_for=(GM,))
        return (
            self.declarations(begin)
            or self.strikes(begin)
            or Ask("fight", "HJ-1", (begin,), {"round": self.round}, rest=True)
        )

    # Rounds and blood (HJ-10, HJ-11).

    def begin_round(self) -> None:
        """A new round: what lasts a round is over, and every bleeding character is to declare (HJ-10)."""
        self.round += 1
        self.tell("HJ-10", "new_round", round=self.round)
        self.to_strike = [who.name for who in self.characters]
        for who in self.characters:
            self.end_these(who, [taken for taken in who.wounds if self.lasted_a_round(who, taken)])
            for taken in who.wounds:
                taken.faced = False
                check = self.wound_of(taken).check
                if taken.check == "failed" and check is not None and check.each_round:
                    taken.check = "open"
            who.declared = not (who.alive and who.blood)

    def lasted_a_round(self, who: Character, taken: WoundTaken) -> bool:
        """Whether a wound is over with the round: it says so, or its one check failed and had its effect (HJ-31)."""
        wound = self.wound_of(taken)
        if wound.ends != "check" or wound.check is None or wound.check.each_round or taken.check != "failed":
            return wound.ends == "round"
        return not (wound.check.failed == "unconscious" and who.unconscious)

    def declarations(self, *others: Offer) -> Ask | None:
        """Every character with a blood pool says whether it prevents blood loss (HJ-10); None when all have."""
        asked = [who for who in self.characters if who.alive and who.blood and not who.declared]
        if not asked:
            return None
        says = [acting(who, Prevent, yes=OneOf((yes,))) for who in asked for yes in (True, False)]
        about = {"round": self.round, "names": [who.name for who in asked]}
        waits_for = controllers(asked)
        return Ask("declare", "HJ-10", (*says, *others), about, rest=True, together=True, waits_for=waits_for)

    def strikes(self, *others: Offer) -> Ask | None:
        """The next who may strike in this round picks a foe (HJ-33); None when all have, or strikes aren't rolled."""
        if self.options.strikes == "off":
            return None
        for who in sorted(self.characters, key=lambda one: one.controller == GM):
            foes = self.foes(who)
            if who.name in self.to_strike and foes and self.may_strike(who):
                offers = [acting(who, Strike, target=OneOf((foe.name,))) for foe in foes]
                about = {"round": self.round, "name": who.name}
                return Ask("strike", "HJ-33", (*offers, *others), about, rest=True, waits_for=controllers([who]))
        return None

    def may_strike(self, who: Character) -> bool:
        """Whether somebody can do more than walk (HJ-10)."""
        return idle(self, who) is None and not self.holds_wound(who.name)

    def foes(self, who: Character) -> list[Character]:
        """The living whom somebody may strike at: the players' side against the game master's (HJ-33)."""
        return [one for one in self.characters if one.alive and (one.controller == GM) != (who.controller == GM)]

    def strike(self, action: Strike) -> Rules[None]:
        """The die of the table says how hard (HJ-33)."""
        if action.name in self.to_strike:
            self.to_strike.remove(action.name)
        amount = sum((yield from self.roll(f"1{self.options.strikes}")))
        self.tell("HJ-33", "strikes", name=action.name, target=action.target, amount=amount)
        yield from self.damage(Damage(action.target, amount))

    def declare(self, action: Prevent) -> None:
        """What it says holds until it says otherwise (HJ-10)."""
        who = self.named(action.name)
        who.preventing, who.declared = action.yes, True
        self.tell("HJ-10", "prevents" if action.yes else "fights_on", name=who.name, pool=who.blood)

    def holds_wound(self, name: str) -> bool:
        """Whether somebody prevents blood loss, and so may only walk or defend itself (HJ-10)."""
        who = self.named(name)
        return who.preventing and who.blood > 0

    # Damage (HJ-1 to HJ-8).

    def damage(self, action: Damage) -> Rules[None]:
        """All that one piece of damage causes, judged once at its end, or at each step (HJ-6)."""
        who = self.named(action.target)
        yield from self.befall(
            who,
            self.hit_while_down(who, action.amount)
            if who.down
            else self.hit_on_its_feet(who, action.amount, action.critical),
        )

    def befall(self, who: Character, rules: Rules[None]) -> Rules[None]:
        """Something that may draw cards befalls somebody, and is judged when all of it is done (HJ-6)."""
        self.hitting, self.last_hit = who.name, LastHit(who.name)
        yield from rules
        self.judge(who)
        self.put_back(who)
        self.hitting = None

    def hit_on_its_feet(self, who: Character, amount: int, critical: bool) -> Rules[None]:
        """A loss of hit points, which may begin the game of cards (HJ-1, HJ-3 to HJ-5)."""
        left = who.hp - amount
        if not goes_down(left, self.options.draw_at_zero):
            who.hp = left
            self.tell("HJ-1", "hurt", name=who.name, amount=amount, hp=left)
            if self.options.standing_blood:
                self.bleed_out(who)
            if critical and who.alive:
                yield from self.critical_draw(who)
        elif is_outright(-left, self.options.limit):
            who.hp = 0
            self.tell("HJ-3", "killed_outright", name=who.name, amount=amount, below=-left)
            self.die(who)
        else:
            self.go_down(who, amount)
            massive = is_massive(-left, self.options.massive_damage)
            yield from self.draw_for_damage(who, "HJ-4" if massive else "HJ-5", -left if massive else None)

    def go_down(self, who: Character, amount: int) -> None:
        """Below 0 HP: from now on, until it has 1 HP again, every loss draws a card (HJ-1)."""
        who.hp, who.down, who.drawn, who.last = 0, True, False, None
        self.tell("HJ-1", "goes_down", name=who.name, amount=amount)
        if self.options.standing_blood:
            self.bleed_out(who)
        if not who.alive:
            return
        if chronic := EACH_OLD_WOUND * self.count_held(who, "chronic"):
            who.blood += chronic
            self.tell("HJ-12", "old_wound_opens", name=who.name, blood=chronic, pool=who.blood)

    def hit_while_down(self, who: Character, amount: int) -> Rules[None]:
        """The blood pool, unless it is held back (HJ-11), then a card (HJ-7) or massive damage (HJ-8)."""
        self.bleed_out(who)
        massive = is_massive(amount, self.options.massive_damage)
        yield from self.draw_for_damage(who, "HJ-8" if massive else "HJ-7", amount if massive else None)

    def bleed_out(self, who: Character) -> None:
        """The whole pool moves into the draw pile, unless it is held back (HJ-11)."""
        if not who.blood or who.preventing:
            return
        who.death_score += who.blood
        who.tokens += who.blood
        self.tell("HJ-11", "bleeds_out", name=who.name, blood=who.blood, score=who.death_score)
        who.blood = 0
        self.judge_step(who)

    def draw_for_damage(self, who: Character, rule: str, instead: int | None) -> Rules[None]:
        """Draw a card, add its value, or what counts `instead` of it, and suffer its wound; the dead draw nothing."""
        if not who.alive:
            return
        card = yield from self.draw_wound(who)
        if card is None:
            who.tokens += instead or 0
            who.death_score += instead or 0
            self.tell(rule, "no_card", name=who.name, adds=instead or 0, score=who.death_score)
            self.judge_step(who)
            return
        adds = self.worth(who, card, instead)
        who.drawn = True
        self.lay_down(who, card, adds)
        self.tell(rule, "draws", name=who.name, card=card, adds=adds, score=who.death_score)
        self.judge_step(who)
        if who.alive:
            _, harm = yield from self.suffer(who, card, Let())
            self.take_harm(who, harm)

    def worth(self, who: Character, card: Card, instead: int | None) -> int:
        """What a card counts (HJ-2, HJ-4, HJ-8), the first of a time down more with an old wound (HJ-27).

        A lucky break counts nothing (HJ-29).
        """
        if card not in self.wounds:
            return 0
        lingering = 0 if who.drawn or not who.down else EACH_OLD_WOUND * self.count_held(who, "first_card")
        if lingering:
            self.tell("HJ-27", "old_wound_counts", name=who.name, adds=lingering)
        return (card_value(card) if instead is None else instead) + lingering

    def critical_draw(self, who: Character) -> Rules[None]:
        """A critical hit at positive HP: a wound, with its Blood and Trauma, and no value (HJ-29)."""
        yield from self.draw_wound_alone(who, "critical")

    def draw_for(self, action: DrawFor) -> Rules[None]:
        """A card without damage: the pool stays, and its value counts if the game master says so (HJ-29)."""
        who = self.named(action.target)
        yield from self.befall(
            who, self.draw_for_damage(who, "HJ-29", None) if action.value else self.draw_wound_alone(who, "draws_wound")
        )
        if not who.down:
            who.drawn, who.last = False, None

    def draw_wound_alone(self, who: Character, told: str) -> Rules[None]:
        """A card's wound, with its Blood and Trauma, and no value; on one's feet it is no draw of a time down."""
        card = yield from self.draw_beside(who)
        if card is None:
            return
        self.tell("HJ-29", told, name=who.name, card=card)
        _, harm = yield from self.suffer(who, card, Let(value=False))
        self.take_harm(who, harm)
        if not who.down:
            who.last = None

    def drain(self, action: Drain) -> Rules[None]:
        """Poison or worse: straight to the death-score, or as Blood; no card (HJ-28)."""
        who = self.named(action.target)
        if action.as_ == "blood":
            who.blood += action.amount
            self.tell("HJ-28", "drained_blood", name=who.name, amount=action.amount, pool=who.blood)
        else:
            who.death_score += action.amount
            who.tokens += action.amount
            self.tell("HJ-28", "drained", name=who.name, amount=action.amount, score=who.death_score)
            self.judge(who)
        return
        yield

    # Coming and going (HJ-32).

    def at_any_time(self) -> Sequence[Offer]:
        """What the game master does to people, and the rolls their wounds ask of them."""
        return offers.at_any_time(self)

    def meanwhile(self, action: Action) -> Rules[None]:
        """Do it."""
        does: dict[type[Action], Callable[[Any], Rules[None]]] = {
            AddCharacter: self.add_character,
            BringCharacter: self.bring_character,
            Damage: self.damage,
            Strike: self.strike,
            Drain: self.drain,
            DrawFor: self.draw_for,
            Heal: self.heal,
            Rest: self.rest,
            Check: self.check,
            Exert: self.exert,
            Face: self.face,
            Wake: self.wake,
            Recover: self.recover,
            Cure: self.cure,
            ClearDead: self.clear_dead,
            HandOver: self.hand_over,
            RemoveCharacter: self.remove_character,
        }
        if isinstance(action, COMINGS):
            yield from does[type(action)](action)
        else:
            yield from self.undisturbed(does[type(action)](action))

    def undisturbed(self, rules: Rules[None]) -> Rules[None]:
        """One thing at a time: until this is over, its cards drawn and its dice rolled, nobody is hurt or mended."""
        self.busy = True
        yield from rules
        self.busy = False

    def enter(self, character: Character) -> None:
        """Somebody is at the table."""
        self.characters.append(character)

    def add_character(self, action: AddCharacter) -> Rules[None]:
        """Somebody new, unhurt."""
        self.enter(Character(**msgspec.structs.asdict(action)))
        self.tell("HJ-1", "joins_table", name=action.name, hp=action.hp)
        return
        yield

    def bring_character(self, action: BringCharacter) -> Rules[None]:
        """Somebody from the roster, with all it has been through; of its pile the score is left, as tokens (HJ-32)."""
        sheet = msgspec.convert(action.sheet, Sheet)
        self.enter(character_of(sheet, action.controller, self.wounds))
        self.tell("HJ-32", "comes_back", name=sheet.name, hp=sheet.hp)
        self.judge(self.characters[-1])
        return
        yield

    def hand_over(self, action: HandOver) -> Rules[None]:
        """Another seat chooses for it from now on (HJ-32)."""
        self.named(action.name).controller = action.controller
        self.tell("HJ-32", "handed_over", name=action.name, seat=action.controller)
        return
        yield

    def clear_dead(self, action: ClearDead) -> Rules[None]:
        """The cards of a dead character go to the discard; tokens stand for its death-score (HJ-20)."""
        who = self.named(action.target)
        self.tell("HJ-20", "cleared", name=who.name, cards=len(who.cards))
        self.put_away(who, pile=True)
        who.tokens = who.death_score
        return
        yield

    def remove_character(self, action: RemoveCharacter) -> Rules[None]:
        """It leaves the table; its cards go to the discard (HJ-32)."""
        self.go(self.named(action.name))
        self.tell("HJ-32", "leaves_table", name=action.name)
        return
        yield

    def go(self, who: Character) -> None:
        """Somebody is at the table no more; its cards go to the discard."""
        self.put_away(who, pile=True)
        self.characters.remove(who)

    # What the game master puts right.

    def amendable(self) -> list[Amendable]:
        """The round, the discard, and each character's numbers, cards and wounds."""
        return amendable(self)

    def why_not_amend(self, of: str, what: str) -> str | None:
        """While a card is drawn or a wound suffered, that this comes first."""
        return "a card is being drawn, or a wound suffered: finish that first, or undo it" if self.busy else None

    def rename(self, who: Character, name: str) -> None:
        """It is called otherwise from now on."""
        self.to_strike = [name if one == who.name else one for one in self.to_strike]
        if self.last_hit is not None and self.last_hit.name == who.name:
            self.last_hit.name = name
        who.name = name

    def put_alive(self, who: Character, *, alive: bool) -> None:
        """It is alive after all, or it isn't."""
        who.alive = alive

    # Seeing.

    def audience(self, seat: str) -> str:
        """All know the same, but for those who have seen the next card (HJ-25)."""
        return seat if seat == GM or self.knows_next(seat) else SCREEN

    def knows_next(self, audience: str) -> bool:
        """Whether it has seen the next card (HJ-25)."""
        return bool(self.deck.top) and audience in self.seers

    def view(self, audience: str) -> HackjackView:
        """The table as it lies there (HJ-21), and the next card for those who have seen it."""
        return view_of(self, sees_next=self.knows_next(audience))

    def where(self, card: Card, deck: str, audience: str) -> str:
        """Where a card is that can't be drawn."""
        return where_is(self, card, sees_next=self.knows_next(audience))

    def odds(self, audience: str, damage: int = 1) -> dict[str, odds.FighterOdds]:
        """What the next hit will do to each character that is down."""
        return odds.odds_of(self, damage, sees_next=self.knows_next(audience))

    @classmethod
    def facts(cls) -> dict[str, Any]:
        """The standard wounds, by card."""
        return {"wounds": {card: wound.as_json() for card, wound in standard_wounds().items()}}

    # What outlives a table, and what it begins with.

    def evening(self, log: Passages) -> Evening:
        """Who fell to what, and what the cards could have done."""
        fights = Fights()
        for passage in log:
            fights.see(passage, passage.game)
        return fights.told(self)

    def roster(self) -> list[Any]:
        """Every character as it stands (HJ-32)."""
        return [msgspec.to_builtins(sheet_of(who)) for who in self.characters]

    def come_again(self) -> list[dict[str, Any]]:
        """Every character, players' and NPCs alike, with its wounds; the dead stay dead (HJ-32)."""
        sheets = [(msgspec.to_builtins(sheet_of(who)), who.controller) for who in self.characters]
        return [{"do": "bring_character", "sheet": sheet, "controller": seat} for sheet, seat in sheets]

    @classmethod
    def read_roster(cls, text: bytes) -> list[Any]:
        return [msgspec.to_builtins(sheet) for sheet in read_roster(text)]

    @classmethod
    def option_file(cls, option: str) -> str:
        """The standard wounds as a wounds file (HJ-30)."""
        return WOUNDS_FILE if option == "wounds" else super().option_file(option)

    @classmethod
    def read_option_file(cls, option: str, text: bytes) -> Any:
        """The wounds that a wounds file rewrites, by card (HJ-30)."""
        if option != "wounds":
            return super().read_option_file(option, text)
        wounds = read_wounds(text, "this file")
        return {card: wounds[card].as_json() for card in rewritten(wounds)}

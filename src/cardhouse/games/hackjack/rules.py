"""The rules of Hackjack, HJ-1 to HJ-33: damage, blood and rounds. Wounds and healing have their own modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from cardhouse.cards import Card
from cardhouse.engine import (
    GM,
    SCREEN,
    Action,
    Ask,
    Bot,
    Editable,
    HandOver,
    Offer,
    OneOf,
    Recap,
    RemoveCharacter,
    ReplaySteps,
    Rules,
    Strike,
    acting,
    controllers,
)
from cardhouse.games.hackjack import odds, offers
from cardhouse.games.hackjack.bots import host, steady
from cardhouse.games.hackjack.healing import Healing
from cardhouse.games.hackjack.overrides import editable
from cardhouse.games.hackjack.recap import Fights
from cardhouse.games.hackjack.sheets import character_of, judged, read_roster, sheet_of
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
from cardhouse.games.hackjack.wounding import LastHit
from cardhouse.games.hackjack.wounds.chains import EffectMask
from cardhouse.games.hackjack.wounds.data import WOUNDS_FILE, read_wounds, rewritten, standard_wounds

COMINGS = (AddCharacter, BringCharacter, HandOver)
"""Actions allowed even while cards are drawn or dice rolled."""


class Hackjack(Healing):
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
    """HJ-33: the names of characters that have yet to strike in this round."""

    def play(self) -> Rules[None]:
        """Play rounds whenever the game master begins one. Damage and healing may happen between questions."""
        self.open_deck()
        while True:
            answer = yield from self.ask(self.next_question)
            if isinstance(answer, BeginRound):
                self.begin_round()
            elif isinstance(answer, Strike):
                yield from self.meanwhile(answer)
            else:
                self.declare(answer)

    def next_question(self) -> Ask:
        """Ask for the open declarations (HJ-10) or strikes (HJ-33), else wait for the game master."""
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
        """Begin a round: end the wounds that last a round, and ask every bleeding character to declare (HJ-10)."""
        self.round += 1
        self.tell("HJ-10", "new_round", round=self.round)
        self.to_strike = [who.name for who in self.characters]
        for who in self.characters:
            self.end_all(who, [taken for taken in who.wounds if self.lasted_a_round(who, taken)])
            for taken in who.wounds:
                taken.faced = False
                check = self.wound_of(taken).check
                if taken.check == "failed" and check is not None and check.each_round:
                    taken.check = "open"
            who.declared = not (who.alive and who.blood)

    def lasted_a_round(self, who: Character, taken: WoundTaken) -> bool:
        """Return whether a wound ends with the round: its text says so, or its only check failed (HJ-31)."""
        wound = self.wound_of(taken)
        if wound.ends != "check" or wound.check is None or wound.check.each_round or taken.check != "failed":
            return wound.ends == "round"
        return not (wound.check.failed == "unconscious" and who.unconscious)

    def declarations(self, *others: Offer) -> Ask | None:
        """Ask each character with Blood whether it prevents blood loss (HJ-10). Returns None if all have declared."""
        undeclared = [who for who in self.characters if who.alive and who.blood and not who.declared]
        if not undeclared:
            return None
        choices = [acting(who, Prevent, yes=OneOf((yes,))) for who in undeclared for yes in (True, False)]
        about = {"round": self.round, "names": [who.name for who in undeclared]}
        waits_for = controllers(undeclared)
        return Ask("declare", "HJ-10", (*choices, *others), about, rest=True, together=True, waits_for=waits_for)

    def strikes(self, *others: Offer) -> Ask | None:
        """Ask the next character who may strike to pick a foe (HJ-33). Returns None if none may, or strikes are off."""
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
        """Return whether a character can do more than walk (HJ-10)."""
        return idle(self, who) is None and not self.is_preventing(who.name)

    def foes(self, who: Character) -> list[Character]:
        """Return the living characters of the other side: the players' against the game master's (HJ-33)."""
        return [one for one in self.characters if one.alive and (one.controller == GM) != (who.controller == GM)]

    def strike(self, action: Strike) -> Rules[None]:
        """Roll the table's damage die against the target (HJ-33)."""
        if action.name in self.to_strike:
            self.to_strike.remove(action.name)
        amount = sum((yield from self.roll(f"1{self.options.strikes}")))
        self.tell("HJ-33", "strikes", name=action.name, target=action.target, amount=amount)
        yield from self.damage(Damage(action.target, amount))

    def declare(self, action: Prevent) -> None:
        """Record a declaration, which holds until the character changes it (HJ-10)."""
        who = self.named(action.name)
        who.preventing, who.declared = action.yes, True
        self.tell("HJ-10", "prevents" if action.yes else "fights_on", name=who.name, pool=who.blood)

    def is_preventing(self, name: str) -> bool:
        """Return whether a character prevents blood loss, and so may only walk or defend itself (HJ-10)."""
        who = self.named(name)
        return who.preventing and who.blood > 0

    # Damage (HJ-1 to HJ-8).

    def damage(self, action: Damage) -> Rules[None]:
        """Apply one piece of damage, judged once at its end or at each step (HJ-6)."""
        who = self.named(action.target)
        yield from self.resolve(
            who,
            self.hit_while_down(who, action.amount)
            if who.down
            else self.hit_while_up(who, action.amount, action.critical),
        )

    def resolve(self, who: Character, rules: Rules[None]) -> Rules[None]:
        """Run rules that may draw cards for a character, then judge the result (HJ-6)."""
        self.hitting, self.last_hit = who.name, LastHit(who.name)
        yield from rules
        self.judge(who)
        self.put_back(who)
        self.hitting = None

    def hit_while_up(self, who: Character, amount: int, critical: bool) -> Rules[None]:
        """Take HP from a character who is up, which may send it down (HJ-1, HJ-3 to HJ-5)."""
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
        """Send a character down, below 0 HP: until it has 1 HP again, every loss draws a card (HJ-1)."""
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
        """Move the Blood pool unless that is prevented (HJ-11), then draw (HJ-7) or take massive damage (HJ-8)."""
        self.bleed_out(who)
        massive = is_massive(amount, self.options.massive_damage)
        yield from self.draw_for_damage(who, "HJ-8" if massive else "HJ-7", amount if massive else None)

    def bleed_out(self, who: Character) -> None:
        """Move the whole Blood pool into the death-score, unless blood loss is prevented (HJ-11)."""
        if not who.blood or who.preventing:
            return
        who.death_score += who.blood
        who.tokens += who.blood
        self.tell("HJ-11", "bleeds_out", name=who.name, blood=who.blood, score=who.death_score)
        who.blood = 0
        self.judge_step(who)

    def draw_for_damage(self, who: Character, rule: str, instead: int | None) -> Rules[None]:
        """Draw a card, add its value or `instead`, and suffer its wound. The dead draw nothing."""
        if not who.alive:
            return
        card = yield from self.draw_wound(who, counts=self.counts(who, instead, self.lingering(who)))
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
            _, harm = yield from self.suffer(who, card, EffectMask())
            self.take_harm(who, harm)

    def worth(self, who: Character, card: Card, instead: int | None) -> int:
        """Return the value a card adds (HJ-2, HJ-4, HJ-8), plus old wounds for the first card of a time down (HJ-27).

        A lucky break adds nothing (HJ-29).
        """
        if card not in self.wounds:
            return 0
        if lingering := self.lingering(who):
            self.tell("HJ-27", "old_wound_counts", name=who.name, adds=lingering)
        return (card_value(card) if instead is None else instead) + lingering

    def lingering(self, who: Character) -> int:
        """Return what old wounds add to the next card: to the first of a time down (HJ-27)."""
        return 0 if who.drawn or not who.down else EACH_OLD_WOUND * self.count_held(who, "first_card")

    def critical_draw(self, who: Character) -> Rules[None]:
        """Draw for a critical hit at positive HP: a wound with Blood and Trauma, but no value (HJ-29)."""
        yield from self.draw_wound_alone(who, "critical")

    def draw_for(self, action: DrawFor) -> Rules[None]:
        """Draw without damage: the pool doesn't move, and the value counts if the game master says so (HJ-29)."""
        who = self.named(action.target)
        yield from self.resolve(
            who, self.draw_for_damage(who, "HJ-29", None) if action.value else self.draw_wound_alone(who, "draws_wound")
        )
        if not who.down:
            who.drawn, who.last = False, None

    def draw_wound_alone(self, who: Character, event: str) -> Rules[None]:
        """Draw a wound with Blood and Trauma but no value. HJ-26 can repeat it only in the same time down."""
        card = yield from self.draw_beside(who)
        if card is None:
            return
        self.tell("HJ-29", event, name=who.name, card=card)
        _, harm = yield from self.suffer(who, card, EffectMask(value=False))
        self.take_harm(who, harm)
        if not who.down:
            who.last = None

    def drain(self, action: Drain) -> Rules[None]:
        """Add poison to the death-score, or to the Blood pool, without a card (HJ-28)."""
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

    # Adding and removing characters (HJ-32).

    def at_any_time(self) -> Sequence[Offer]:
        """Return what the game master may do to characters, and the rolls that wounds ask for."""
        return offers.at_any_time(self)

    def meanwhile(self, action: Action) -> Rules[None]:
        """Carry out an action that is possible at any time."""
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
            yield from self.exclusively(does[type(action)](action))

    def exclusively(self, rules: Rules[None]) -> Rules[None]:
        """Block other harm and healing until these rules are done with their cards and dice."""
        self.busy = True
        yield from rules
        self.busy = False

    def enter(self, character: Character) -> None:
        """Add a character to the table."""
        self.characters.append(character)

    def add_character(self, action: AddCharacter) -> Rules[None]:
        """Add a new, unhurt character."""
        self.enter(Character(**msgspec.structs.asdict(action)))
        self.tell("HJ-1", "joins_table", name=action.name, hp=action.hp)
        return
        yield

    def bring_character(self, action: BringCharacter) -> Rules[None]:
        """Add a character from the roster. Tokens replace its draw pile (HJ-32)."""
        sheet = msgspec.convert(action.sheet, Sheet)
        self.enter(character_of(sheet, action.controller, self.wounds))
        self.tell("HJ-32", "comes_back", name=sheet.name, hp=sheet.hp)
        self.judge(self.characters[-1])
        return
        yield

    def hand_over(self, action: HandOver) -> Rules[None]:
        """Let another seat play the character (HJ-32)."""
        self.named(action.name).controller = action.controller
        self.tell("HJ-32", "handed_over", name=action.name, seat=action.controller)
        return
        yield

    def clear_dead(self, action: ClearDead) -> Rules[None]:
        """Discard a dead character's cards; tokens replace them in the death-score (HJ-20)."""
        who = self.named(action.target)
        self.tell("HJ-20", "cleared", name=who.name, cards=len(who.cards))
        self.put_away(who, pile=True)
        who.tokens = who.death_score
        return
        yield

    def remove_character(self, action: RemoveCharacter) -> Rules[None]:
        """Remove a character and discard its cards (HJ-32)."""
        self.go(self.named(action.name))
        self.tell("HJ-32", "leaves_table", name=action.name)
        return
        yield

    def go(self, who: Character) -> None:
        """Take a character off the table and discard its cards."""
        self.put_away(who, pile=True)
        self.characters.remove(who)

    # Overrides by the game master.

    def editable(self) -> list[Editable]:
        """Return the editable values: the round, the discard, and each character's numbers, cards and wounds."""
        return editable(self)

    def why_not_editable(self, of: str, what: str) -> str | None:
        """Return why nothing can be edited while a card is drawn or a wound suffered."""
        return "a card is being drawn, or a wound suffered: finish that first, or undo it" if self.busy else None

    def rename(self, who: Character, name: str) -> None:
        """Rename a character everywhere."""
        self.to_strike = [name if one == who.name else one for one in self.to_strike]
        if self.last_hit is not None and self.last_hit.name == who.name:
            self.last_hit.name = name
        who.name = name

    def put_alive(self, who: Character, *, alive: bool) -> None:
        """Make a character alive or dead."""
        who.alive = alive

    # Visibility.

    def audience(self, seat: str) -> str:
        """Return the audience of a seat: all know the same, except seats that have seen the next card (HJ-25)."""
        return seat if seat == GM or self.knows_next(seat) else SCREEN

    def knows_next(self, audience: str) -> bool:
        """Return whether this audience has seen the next card (HJ-25)."""
        return bool(self.deck.top) and audience in self.seers

    def view(self, audience: str) -> HackjackView:
        """Return the open table (HJ-21), with the next card for seats that have seen it."""
        return view_of(self, sees_next=self.knows_next(audience))

    def where(self, card: Card, deck: str, audience: str) -> str:
        """Return the place of a card that can't be drawn."""
        return where_is(self, card, sees_next=self.knows_next(audience))

    def odds(self, audience: str, damage: int = 1) -> dict[str, odds.FighterOdds]:
        """Return the odds of the next hit for each character that is down."""
        return odds.odds_of(self, damage, sees_next=self.knows_next(audience))

    @classmethod
    def facts(cls) -> dict[str, Any]:
        """Return the standard wounds by card."""
        return {"wounds": {card: wound.as_json() for card, wound in standard_wounds().items()}}

    # The recap, and the start of the next session.

    def recap(self, log: ReplaySteps) -> Recap:
        """Return the recap: each death with its cause, and the luck of the cards."""
        fights = Fights()
        for passage in log:
            fights.see(passage, passage.game, passage.game.round)
        return fights.told(self)

    def roster(self) -> list[Any]:
        """Return every character as it is now (HJ-32)."""
        return [msgspec.to_builtins(sheet) for sheet in self.sheets()]

    def sheets(self) -> list[Sheet]:
        """Return every character's sheet. A hit in progress is judged by what it has done so far (HJ-6, HJ-32)."""
        return [judged(sheet_of(who), self.options.limit) for who in self.characters]

    def come_again(self) -> list[dict[str, Any]]:
        """Return the actions that bring back every character with its wounds. The dead stay dead (HJ-32)."""
        return [
            {"do": "bring_character", "sheet": msgspec.to_builtins(sheet), "controller": who.controller}
            for sheet, who in zip(self.sheets(), self.characters, strict=True)
        ]

    @classmethod
    def read_roster(cls, text: bytes) -> list[Any]:
        return [msgspec.to_builtins(sheet) for sheet in read_roster(text)]

    @classmethod
    def option_file(cls, option: str) -> str:
        """Return the standard wounds as a wounds file (HJ-30)."""
        return WOUNDS_FILE if option == "wounds" else super().option_file(option)

    @classmethod
    def read_option_file(cls, option: str, text: bytes) -> Any:
        """Return the wounds that a wounds file rewrites, by card (HJ-30)."""
        if option != "wounds":
            return super().read_option_file(option, text)
        wounds = read_wounds(text, "this file")
        return {card: wounds[card].as_json() for card in rewritten(wounds)}

"""The gunfight, GF-1 to GF-6: card initiative decides who acts, Hackjack what happens to those who are hit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from cardhouse.cards import Card
from cardhouse.engine import (
    GM,
    Action,
    Ask,
    Audience,
    Bot,
    Editable,
    Game,
    HandOver,
    Offer,
    OneOf,
    Recap,
    RemoveCharacter,
    ReplaySteps,
    Rules,
    Show,
    Strike,
    acting,
)
from cardhouse.games.gunfight import offers
from cardhouse.games.gunfight.aiming import FINISH, target_key
from cardhouse.games.gunfight.bots import early, gunfighter, host
from cardhouse.games.gunfight.overrides import NOT_HIDDEN, editable, revive
from cardhouse.games.gunfight.recap import recap_of
from cardhouse.games.gunfight.state import (
    AddCharacter,
    BringCharacter,
    GunfightOdds,
    GunfightOptions,
    GunfightView,
    TargetOdds,
)
from cardhouse.games.hackjack.odds import FighterOdds
from cardhouse.games.hackjack.rules import Hackjack
from cardhouse.games.hackjack.sheets import character_of
from cardhouse.games.hackjack.state import AddCharacter as Wounded
from cardhouse.games.hackjack.state import (
    BeginRound,
    Check,
    Sheet,
)
from cardhouse.games.hackjack.state import BringCharacter as BroughtWounded
from cardhouse.games.hackjack.state import Character as Fighter
from cardhouse.games.hackjack.view import idle
from cardhouse.games.initiative.offers import free_cards, why_no_card
from cardhouse.games.initiative.rules import Initiative
from cardhouse.games.initiative.state import AddCharacter as Ordered
from cardhouse.games.initiative.state import Character, actions_owed


class Order(Initiative):
    """Card initiative in which characters who can't act pass (GF-3)."""

    def rename(self, who: Character, name: str) -> None:
        fight = self.gunfight.fight
        fight.rename(fight.named(who.name), name)
        super().rename(who, name)

    def idle(self, character: Character) -> str | None:
        """Return why a character can't act; None if it can."""
        fight = self.gunfight.fight
        return idle(fight, fight.named(character.name))

    def is_foe(self, one: Character, other: Character) -> bool:
        """Return whether another character is a foe who can still act (GF-3)."""
        return super().is_foe(one, other) and not self.passes(other)

    def passes(self, character: Character) -> bool:
        return self.idle(character) is not None

    @property
    def gunfight(self) -> Gunfight:
        """The gunfight that this order belongs to."""
        assert isinstance(self.whole, Gunfight)
        return self.whole

    def act_or_wait(self) -> Ask | None:
        """Return the question.

        None for a character who can't act: drawn, it is up at once, and waiting, it waits on (GF-3).
        """
        asked = super().act_or_wait()
        if asked is None or self.idle(self.named(asked.about["name"])) is None:
            return asked
        return None

    def report_no_choice(self, character: Character) -> None:
        """Report why a character had no choice; for one who can't act and is up, its turn reports it."""
        asked = super().act_or_wait()
        if asked is None:
            super().report_no_choice(character)
        elif asked.about["name"] != character.name:
            self.tell("GF-3", "must_act_under", name=character.name, card=character.card, other=asked.about["name"])

    def take_turn(self, character: Character) -> Rules[None]:
        """Take a turn after the checks for wounds (GF-5); a character who can't act passes (GF-3).

        The event `may_only_walk` reminds a character who prevents blood loss (HJ-10).
        """
        while (answer := (yield from self.ask(self.check_first))) is not None:
            yield from self.gunfight.fight.exclusively(self.gunfight.fight.check(answer))
        holds = self.gunfight.fight.is_preventing(character.name) if self.acting is not None else False
        if holds and self.idle(character) is None:
            self.tell("HJ-10", "may_only_walk", name=character.name)
        yield from super().take_turn(character)
        if self.acting is not None and (why := self.idle(character)) is not None:
            self.tell(
                "GF-3", "out_cold" if why == "unconscious" else "passes", name=character.name, card=character.card
            )

    def check_first(self) -> Ask | None:
        """Return the question of checks still to be rolled by the acting character (GF-5)."""
        if self.acting is None:
            return None
        fighter = self.gunfight.fight.named(self.holder(self.acting).name)
        wounds = tuple(dict.fromkeys(taken.card for taken in fighter.wounds if taken.check == "open"))
        if not wounds:
            return None
        return Ask("check", "GF-5", (acting(fighter, Check, wound=OneOf(wounds, "card")),), {"name": fighter.name})

    def rolls_hits(self, character: Character) -> bool:
        """Return whether shots are rolled at this table and the character may shoot (GF-6, HJ-10)."""
        fight = self.gunfight.fight
        return fight.options.strikes != "off" and not fight.is_preventing(character.name)

    def strike(self, action: Strike) -> Rules[None]:
        """Roll a shot; a hit does damage (GF-6)."""
        if not self.options.hit_from or (yield from self.hits(action)):
            yield from self.gunfight.resolve(action)

    def until_done(self) -> Ask | None:
        if self.acting is not None and self.idle(self.holder(self.acting)) is not None:
            return None
        asked = super().until_done()
        return msgspec.structs.replace(asked, rule="GF-6") if asked is not None and asked.key == "strike" else asked


class Fight(Hackjack):
    """Hackjack in which events about hidden characters go to the game master only (IN-21)."""

    def tell(self, rule: str, key: str, *, to: Audience = (), but: Audience = (), **about: Any) -> None:
        hides = not to and about.get("name") in self.gunfight.hidden()
        super().tell(rule, key, to=GM if hides else to, but=but, **about)

    def rename(self, who: Fighter, name: str) -> None:
        order, was = self.gunfight.order, who.name
        super().rename(who, name)
        order.gone = [msgspec.structs.replace(one, name=name) if one.name == was else one for one in order.gone]

    def put_alive(self, who: Fighter, *, alive: bool) -> None:
        super().put_alive(who, alive=alive)
        there = self.gunfight.in_order(who.name)
        if alive:
            revive(self.gunfight, who)
        elif there is not None:
            self.gunfight.order.leave(there)

    @property
    def gunfight(self) -> Gunfight:
        """The gunfight that this fight belongs to."""
        assert isinstance(self.whole, Gunfight)
        return self.whole


def _without_actions(actions: Sequence[type[Action]], *left_out: type[Action]) -> tuple[type[Action], ...]:
    return tuple(action for action in actions if action not in left_out)


class Gunfight(Game):
    """An Old West shoot-out: one deck decides who acts, another who lives."""

    name: ClassVar[str] = "gunfight"
    version: ClassVar[int] = 2
    parts: ClassVar[dict[str, type[Game]]] = {"order": Initiative, "fight": Hackjack}
    actions: ClassVar[tuple[type[Action], ...]] = (
        AddCharacter,
        BringCharacter,
        *_without_actions(Initiative.actions, Ordered),
        *_without_actions(Hackjack.actions, Wounded, BroughtWounded, BeginRound, Strike, HandOver, RemoveCharacter),
    )
    decks: ClassVar[dict[str, str]] = {"initiative": "order", "wounds": "fight"}
    bots: ClassVar[Mapping[str, Bot]] = {"gunfighter": gunfighter, "early": early}
    host: ClassVar[Bot] = host
    prepares: ClassVar[type[Action]] = AddCharacter
    plays_on: ClassVar[str] = "gunfighter"
    usual_options: ClassVar[Mapping[str, Any]] = {"strikes": "d6"}
    steps: ClassVar[tuple[str, ...]] = Initiative.steps

    options: GunfightOptions = GunfightOptions()
    order: Order = msgspec.field(default_factory=lambda: Order(seats=[]))
    fight: Fight = msgspec.field(default_factory=lambda: Fight(seats=[]))

    def play(self) -> Rules[None]:
        """Play rounds: bleeding characters declare (GF-2), then the deck decides who acts."""
        self.fight.open_deck()
        while True:
            yield from self.ask(self.order.between_rounds)
            self.begin_round()
            while (answer := (yield from self.ask(self.declarations))) is not None:
                self.fight.declare(answer)
            yield from self.order.play_round()

    def begin_round(self) -> None:
        """End what lasts a round; bleeding characters have to declare (GF-2), except hidden ones (GF-4)."""
        self.fight.begin_round()
        for name in self.hidden():
            self.fight.named(name).declared = True

    def declarations(self) -> Ask | None:
        """Return the question of preventing blood loss (GF-2). In mid-round it is no resting point."""
        asked = self.fight.declarations()
        return asked and msgspec.structs.replace(asked, rest=False)

    def at_any_time(self) -> Sequence[Offer]:
        """Return the offers of either game, for one roster."""
        return offers.at_any_time(self)

    def why_not(self, by: str, action: Action) -> str | None:
        """Return why no card is left for a new character (IN-1, IN-2); None for other actions."""
        if by == GM and isinstance(action, (AddCharacter, BringCharacter)):
            return why_no_card(self.order, action.side)
        return None

    def meanwhile(self, action: Action) -> Rules[None]:
        """Apply an action to both games."""
        if isinstance(action, AddCharacter):
            self.join(action, action.name, self.new_fighter(action))
        elif isinstance(action, BringCharacter):
            sheet = msgspec.convert(action.sheet, Sheet)
            self.join(action, sheet.name, character_of(sheet, action.controller, self.fight.wounds))
        elif isinstance(action, Show):
            yield from self.order.meanwhile(action)
        elif isinstance(action, HandOver):
            self.hand_over(action)
        elif isinstance(action, RemoveCharacter):
            self.remove(action.name)
        else:
            yield from self.resolve(action)

    def join(self, action: AddCharacter | BringCharacter, name: str, fighter: Fighter) -> None:
        """Add a character with a card in one game and a sheet in the other (GF-1); the dead get no card."""
        self.fight.enter(fighter)
        self.fight.judge(fighter)
        if fighter.alive:
            self.order.join(Ordered(name, action.card, action.tier, action.side, action.controller, action.hidden))
        else:
            self.tell("GF-1", "lies_dead", name=name)

    def new_fighter(self, action: AddCharacter) -> Fighter:
        """Return an unhurt character."""
        of_both = msgspec.structs.asdict(action)
        return Fighter(**{name: of_both[name] for name in Wounded.__struct_fields__})

    def hand_over(self, action: HandOver) -> None:
        """Give a character to another seat, in both games."""
        self.fight.named(action.name).controller = action.controller
        if (character := self.in_order(action.name)) is not None:
            self.order.hand_over(character, action.controller)
        else:
            self.tell("IN-19", "handed_over", name=action.name, seat=action.controller)

    def remove(self, name: str) -> None:
        """Remove a character from both games."""
        self.fight.go(self.fight.named(name))
        if (character := self.in_order(name)) is not None:
            self.order.leave(character)
        else:
            self.tell("HJ-32", "leaves_table", name=name)

    def resolve(self, action: Any) -> Rules[None]:
        """Apply an action to a character's fight.

        A hidden one is revealed (GF-4), and one who dies leaves the deck (GF-1).
        """
        hiding = self.in_order(getattr(action, "target", None) or action.name)
        if hiding is not None and hiding.hidden:
            self.order.reveal(hiding, "GF-4")
        yield from self.fight.meanwhile(action)
        for who in self.fight.characters:
            if not who.alive and (dead := self.in_order(who.name)) is not None:
                self.order.leave(dead)

    # Overrides by the game master.

    def editable(self) -> list[Editable]:
        """Return the overrides of both games."""
        return editable(self)

    def why_not_editable(self, of: str, what: str) -> str | None:
        """Return why a value can't be edited, in either game."""
        if what in NOT_HIDDEN and of in self.hidden():
            return f"{of} hides, so show it first (IN-21)"
        return self.order.why_not_editable(of, what) or self.fight.why_not_editable(of, what)

    def side_of(self, name: str) -> str | None:
        """Return a character's side, or the one it was on when it left the deck."""
        here = {gone.name: gone.side for gone in self.order.gone}
        return {**here, **{who.name: who.side for who in self.order.characters}}.get(name)

    def in_order(self, name: str) -> Character | None:
        """Return the character of this name in the order; None if it is dead."""
        return next((character for character in self.order.characters if character.name == name), None)

    def hidden(self) -> list[str]:
        """Return the names of hidden characters."""
        return [character.name for character in self.order.characters if character.hidden]

    # Views.

    def unseen(self, audience: str) -> list[str]:
        """Return the names hidden from this audience: all hidden ones, except from the game master (IN-21)."""
        return [] if audience == GM else self.hidden()

    def audience(self, seat: str) -> str:
        """Return Hackjack's audience; the game master also knows who is hidden."""
        return self.fight.audience(seat)

    def view(self, audience: str) -> GunfightView:
        """Return both views, without hidden fighters (IN-21)."""
        order, fight, unseen = self.order.view(audience), self.fight.view(audience), self.unseen(audience)
        seen = [fighter for fighter in fight.characters if fighter.name not in unseen]
        return GunfightView(order, msgspec.structs.replace(fight, characters=seen))

    def odds(self, audience: str, damage: int = 1) -> GunfightOdds:
        """Return both games' odds, without hidden fighters (IN-21)."""
        fight, unseen = self.fight.odds(audience, damage), self.unseen(audience)
        seen = {name: odds for name, odds in fight.items() if name not in unseen}
        found: GunfightOdds = {"order": self.order.odds(audience), "fight": seen}
        if aim := self.aim(seen, unseen):
            found["aim"] = aim
        return found

    def aim(self, fight: Mapping[str, FighterOdds], unseen: Sequence[str]) -> list[TargetOdds]:
        """Return the foes who can still act, best target first, on a turn that allows a shot (HJ-10).

        Finish one after the other, and aces before others in the same state (`aiming`). Those who prevent blood loss
        come last.
        """
        if self.order.acting is None:
            return []
        shooter = self.order.holder(self.order.acting)
        if self.order.idle(shooter) is not None or self.fight.is_preventing(shooter.name):
            return []
        order = [who for who in self.order.characters if self.order.is_foe(shooter, who) and who.name not in unseen]
        foes = sorted(order, key=lambda who: (self.finish(self.fight.named(who.name)), actions_owed(who.card) == 1))
        return [self.target(self.fight.named(who.name), fight.get(who.name)) for who in foes]

    def finish(self, who: Fighter) -> int:
        """Return the sort key of a target (docs/findings-gunfight.md)."""
        holds = self.fight.is_preventing(who.name)
        return target_key(FINISH, who.down, who.hp, who.death_score, who.blood, False, holds, 0, 0)

    def target(self, who: Fighter, odds: FighterOdds | None) -> TargetOdds:
        """Return a target with its chance to die, according to whether it prevents blood loss."""
        if odds is None:
            return {"name": who.name}
        return {"name": who.name, "dies": odds["preventing" if who.preventing else "not_preventing"]["dies"]}

    def where(self, card: Card, deck: str, audience: str) -> str:
        """Return why a card can't be drawn: its place."""
        part: Game = self.order if deck == "initiative" else self.fight
        return part.where(card, deck, audience)

    def who_draws(self, deck: str) -> tuple[str, ...]:
        """Return the seats that may draw, by the rules of the deck's own game."""
        part: Game = self.order if deck == "initiative" else self.fight
        return part.who_draws(deck)

    @classmethod
    def facts(cls) -> dict[str, Any]:
        return Hackjack.facts()

    def outlook(self, seat: str) -> float | None:
        """Return the seat's prospects: the strength of its own side minus that of the others."""
        sides = {who.name: who.side for who in self.order.characters} | {who.name: who.side for who in self.order.gone}
        own = {who.name for who in self.fight.characters if who.controller == seat}
        ours = {sides.get(name) or name for name in own}
        values = ((sides.get(who.name) or who.name, self.strength(who)) for who in self.fight.characters)
        return sum(value if side in ours else -value for side, value in values) if own else None

    def strength(self, who: Fighter) -> float:
        """Return a character's remaining strength, from 0 (dead) to 1 (unhurt)."""
        if not who.alive:
            return 0.0
        able = 0.5 if idle(self.fight, who) is None else 0.1
        left = 1 - (who.death_score + who.blood) / self.fight.options.limit
        return able + 0.5 * max(0.0, left)

    # Beyond one table: recap, roster and rematch.

    def recap(self, log: ReplaySteps) -> Recap:
        """Return the recap of fights and rounds."""
        return recap_of(self, log)

    def roster(self) -> list[Any]:
        """Return the sheets of all fighters, hidden ones too (HJ-32)."""
        return self.fight.roster()

    def come_again(self) -> list[dict[str, Any]]:
        """Return the actions that bring all characters back with their cards (GF-1); the hidden stay hidden (IN-21)."""
        return [{**answer, **self.place_of(answer["sheet"]["name"])} for answer in self.fight.come_again()]

    def place_of(self, name: str) -> dict[str, Any]:
        """Return the card and side with which a character comes back.

        The dead have none: any free card will do, and it stays free.
        """
        if (who := self.in_order(name)) is not None:
            return {"card": who.card, "side": who.side, "hidden": who.hidden}
        sides = dict.fromkeys((self.side_of(name), None, *self.order.suits_owned().values()))
        return next(({"card": free[0], "side": side} for side in sides if (free := free_cards(self.order, side))), {})

    @classmethod
    def read_roster(cls, text: bytes) -> list[Any]:
        return Hackjack.read_roster(text)

    @classmethod
    def option_file(cls, option: str) -> str:
        return Hackjack.option_file(option)

    @classmethod
    def read_option_file(cls, option: str, text: bytes) -> Any:
        return Hackjack.read_option_file(option, text)

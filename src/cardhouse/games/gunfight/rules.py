"""The gunfight, GF-1 to GF-6: card initiative says who acts, Hackjack what becomes of those who are hit."""

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
from cardhouse.games.gunfight.aiming import FINISH, worth
from cardhouse.games.gunfight.bots import early, gunfighter, host
from cardhouse.games.gunfight.overrides import NOT_HIDDEN, come_back, editable
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
    """Card initiative in which whoever can do nothing passes (GF-3)."""

    def rename(self, who: Character, name: str) -> None:
        fight = self.gunfight.fight
        fight.rename(fight.named(who.name), name)
        super().rename(who, name)

    def idle(self, character: Character) -> str | None:
        """Why a character can do nothing; None if it can."""
        fight = self.gunfight.fight
        return idle(fight, fight.named(character.name))

    def is_foe(self, one: Character, other: Character) -> bool:
        """Who can do nothing need not be reckoned with (GF-3)."""
        return super().is_foe(one, other) and not self.passes(other)

    def passes(self, character: Character) -> bool:
        return self.idle(character) is not None

    @property
    def gunfight(self) -> Gunfight:
        """The fight this is the order of."""
        assert isinstance(self.whole, Gunfight)
        return self.whole

    def act_or_wait(self) -> Ask | None:
        """Who can do nothing has nothing to choose: drawn, it is up at once; waiting, it goes on waiting (GF-3)."""
        asked = super().act_or_wait()
        if asked is None or self.idle(self.named(asked.about["name"])) is None:
            return asked
        return None

    def tell_must_act(self, character: Character) -> None:
        """Nobody was asked, and why; of one who can do nothing and is up, its turn will tell."""
        asked = super().act_or_wait()
        if asked is None:
            super().tell_must_act(character)
        elif asked.about["name"] != character.name:
            self.tell("GF-3", "must_act_under", name=character.name, card=character.card, other=asked.about["name"])

    def take_turn(self, character: Character) -> Rules[None]:
        """First the checks its wounds ask for (GF-5); if it can't do anything, that was its turn (GF-3).

        Who holds its wound is told what that leaves it (HJ-10).
        """
        while (answer := (yield from self.ask(self.check_first))) is not None:
            yield from self.gunfight.fight.undisturbed(self.gunfight.fight.check(answer))
        holds = self.gunfight.fight.holds_wound(character.name) if self.acting is not None else False
        if holds and self.idle(character) is None:
            self.tell("HJ-10", "may_only_walk", name=character.name)
        yield from super().take_turn(character)
        if self.acting is not None and (why := self.idle(character)) is not None:
            self.tell(
                "GF-3", "out_cold" if why == "unconscious" else "passes", name=character.name, card=character.card
            )

    def check_first(self) -> Ask | None:
        """The checks of whoever is acting that have not been rolled yet (GF-5)."""
        if self.acting is None:
            return None
        fighter = self.gunfight.fight.named(self.holder(self.acting).name)
        wounds = tuple(dict.fromkeys(taken.card for taken in fighter.wounds if taken.check == "open"))
        if not wounds:
            return None
        return Ask("check", "GF-5", (acting(fighter, Check, wound=OneOf(wounds, "card")),), {"name": fighter.name})

    def rolls_hits(self, character: Character) -> bool:
        """At a table where strikes are rolled, but for whoever may only walk (GF-6, HJ-10)."""
        fight = self.gunfight.fight
        return fight.options.strikes != "off" and not fight.holds_wound(character.name)

    def strike(self, action: Strike) -> Rules[None]:
        """A shot that hits does damage (GF-6)."""
        if not self.options.hit_from or (yield from self.hits(action)):
            yield from self.gunfight.befall(action)

    def until_done(self) -> Ask | None:
        if self.acting is not None and self.idle(self.holder(self.acting)) is not None:
            return None
        asked = super().until_done()
        return msgspec.structs.replace(asked, rule="GF-6") if asked is not None and asked.key == "strike" else asked


class Fight(Hackjack):
    """Hackjack in which nobody hears of those who hide (IN-21)."""

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
            come_back(self.gunfight, who)
        elif there is not None:
            self.gunfight.order.leave(there)

    @property
    def gunfight(self) -> Gunfight:
        """The gunfight this is fought in."""
        assert isinstance(self.whole, Gunfight)
        return self.whole


def _but(actions: Sequence[type[Action]], *left_out: type[Action]) -> tuple[type[Action], ...]:
    return tuple(action for action in actions if action not in left_out)


class Gunfight(Game):
    """An Old West shoot-out: the deck calls who acts, and another says who lives."""

    name: ClassVar[str] = "gunfight"
    version: ClassVar[int] = 2
    parts: ClassVar[dict[str, type[Game]]] = {"order": Initiative, "fight": Hackjack}
    actions: ClassVar[tuple[type[Action], ...]] = (
        AddCharacter,
        BringCharacter,
        *_but(Initiative.actions, Ordered),
        *_but(Hackjack.actions, Wounded, BroughtWounded, BeginRound, Strike, HandOver, RemoveCharacter),
    )
    decks: ClassVar[dict[str, str]] = {"initiative": "order", "wounds": "fight"}
    bots: ClassVar[Mapping[str, Bot]] = {"gunfighter": gunfighter, "early": early}
    host: ClassVar[Bot] = host
    prepares: ClassVar[type[Action]] = AddCharacter
    plays_on: ClassVar[str] = "gunfighter"
    steps: ClassVar[tuple[str, ...]] = Initiative.steps

    options: GunfightOptions = GunfightOptions()
    order: Order = msgspec.field(default_factory=lambda: Order(seats=[]))
    fight: Fight = msgspec.field(default_factory=lambda: Fight(seats=[]))

    def play(self) -> Rules[None]:
        """Rounds: the bleeding declare (GF-2), and then the deck calls who acts."""
        self.fight.open_deck()
        while True:
            yield from self.ask(self.order.between_rounds)
            self.begin_round()
            while (answer := (yield from self.ask(self.declarations))) is not None:
                self.fight.declare(answer)
            yield from self.order.play_round()

    def begin_round(self) -> None:
        """What lasts a round is over; who bleeds is to declare (GF-2), but for those in hiding (GF-4)."""
        self.fight.begin_round()
        for name in self.hidden():
            self.fight.named(name).declared = True

    def declarations(self) -> Ask | None:
        """The bleeding say whether they hold the wound (GF-2); this is in the middle of a round, and no rest."""
        asked = self.fight.declarations()
        return asked and msgspec.structs.replace(asked, rest=False)

    def at_any_time(self) -> Sequence[Offer]:
        """What either game offers, on one roster."""
        return offers.at_any_time(self)

    def why_not(self, by: str, action: Action) -> str | None:
        """Of somebody new, why no card is left for it (IN-1, IN-2)."""
        if by == GM and isinstance(action, (AddCharacter, BringCharacter)):
            return why_no_card(self.order, action.side)
        return None

    def meanwhile(self, action: Action) -> Rules[None]:
        """What happens to somebody happens in both games."""
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
            yield from self.befall(action)

    def join(self, action: AddCharacter | BringCharacter, name: str, fighter: Fighter) -> None:
        """Somebody has a card in the one game and a sheet in the other (GF-1); the dead have no card any more."""
        self.fight.enter(fighter)
        self.fight.judge(fighter)
        if fighter.alive:
            self.order.join(Ordered(name, action.card, action.tier, action.side, action.controller, action.hidden))
        else:
            self.tell("GF-1", "lies_dead", name=name)

    def new_fighter(self, action: AddCharacter) -> Fighter:
        """Somebody unhurt."""
        of_both = msgspec.structs.asdict(action)
        return Fighter(**{name: of_both[name] for name in Wounded.__struct_fields__})

    def hand_over(self, action: HandOver) -> None:
        """Another seat chooses for it, in both games."""
        self.fight.named(action.name).controller = action.controller
        if (character := self.in_order(action.name)) is not None:
            self.order.hand_over(character, action.controller)
        else:
            self.tell("IN-19", "handed_over", name=action.name, seat=action.controller)

    def remove(self, name: str) -> None:
        """It leaves both games."""
        self.fight.go(self.fight.named(name))
        if (character := self.in_order(name)) is not None:
            self.order.leave(character)
        else:
            self.tell("HJ-32", "leaves_table", name=name)

    def befall(self, action: Any) -> Rules[None]:
        """Something befalls somebody: one in hiding is seen (GF-4), and one who dies leaves the deck at once (GF-1)."""
        hiding = self.in_order(getattr(action, "target", None) or action.name)
        if hiding is not None and hiding.hidden:
            self.order.reveal(hiding, "GF-4")
        yield from self.fight.meanwhile(action)
        for who in self.fight.characters:
            if not who.alive and (dead := self.in_order(who.name)) is not None:
                self.order.leave(dead)

    # What the game master puts right.

    def editable(self) -> list[Editable]:
        """All that may be in either game."""
        return editable(self)

    def why_not_editable(self, of: str, what: str) -> str | None:
        """As either game says."""
        if what in NOT_HIDDEN and of in self.hidden():
            return f"{of} hides, so show it first (IN-21)"
        return self.order.why_not_editable(of, what) or self.fight.why_not_editable(of, what)

    def side_of(self, name: str) -> str | None:
        """The side that somebody is on, or was when it left the deck."""
        here = {gone.name: gone.side for gone in self.order.gone}
        return {**here, **{who.name: who.side for who in self.order.characters}}.get(name)

    def in_order(self, name: str) -> Character | None:
        """The character of this name in the order; None if it is dead."""
        return next((character for character in self.order.characters if character.name == name), None)

    def hidden(self) -> list[str]:
        """The names of those who hide."""
        return [character.name for character in self.order.characters if character.hidden]

    # Seeing.

    def unseen(self, audience: str) -> list[str]:
        """The names of those who hide from this audience: from all but the game master (IN-21)."""
        return [] if audience == GM else self.hidden()

    def audience(self, seat: str) -> str:
        """As in Hackjack; the game master knows who hides, too."""
        return self.fight.audience(seat)

    def view(self, audience: str) -> GunfightView:
        """Both views; nobody hears anything of the fighters who hide (IN-21)."""
        order, fight, unseen = self.order.view(audience), self.fight.view(audience), self.unseen(audience)
        seen = [fighter for fighter in fight.characters if fighter.name not in unseen]
        return GunfightView(order, msgspec.structs.replace(fight, characters=seen))

    def odds(self, audience: str, damage: int = 1) -> GunfightOdds:
        """Both games' odds; of the fighters who hide nobody hears here either (IN-21)."""
        fight, unseen = self.fight.odds(audience, damage), self.unseen(audience)
        seen = {name: odds for name, odds in fight.items() if name not in unseen}
        found: GunfightOdds = {"order": self.order.odds(audience), "fight": seen}
        if aim := self.aim(seen, unseen):
            found["aim"] = aim
        return found

    def aim(self, fight: Mapping[str, FighterOdds], unseen: Sequence[str]) -> list[TargetOdds]:
        """In a turn in which one may shoot (HJ-10), the foes who can still do something, the best to aim at first.

        All at the same one, and an ace before others who are as far gone (`aiming`).
        """
        if self.order.acting is None:
            return []
        shooter = self.order.holder(self.order.acting)
        if self.order.idle(shooter) is not None or self.fight.holds_wound(shooter.name):
            return []
        order = [who for who in self.order.characters if self.order.is_foe(shooter, who) and who.name not in unseen]
        foes = sorted(order, key=lambda who: (self.finish(self.fight.named(who.name)), actions_owed(who.card) == 1))
        return [self.target(self.fight.named(who.name), fight.get(who.name)) for who in foes]

    def finish(self, who: Fighter) -> int:
        """How late one shoots at somebody (docs/findings-gunfight.md)."""
        return worth(FINISH, who.down, who.hp, who.death_score, who.blood, False, 0, 0)

    def target(self, who: Fighter, odds: FighterOdds | None) -> TargetOdds:
        """Somebody to shoot at, who holds the wound or doesn't."""
        if odds is None:
            return {"name": who.name}
        return {"name": who.name, "dies": odds["preventing" if who.preventing else "not_preventing"]["dies"]}

    def where(self, card: Card, deck: str, audience: str) -> str:
        """Where a card is that can't be drawn."""
        part: Game = self.order if deck == "initiative" else self.fight
        return part.where(card, deck, audience)

    def who_draws(self, deck: str) -> tuple[str, ...]:
        """As the deck's own game says."""
        part: Game = self.order if deck == "initiative" else self.fight
        return part.who_draws(deck)

    @classmethod
    def facts(cls) -> dict[str, Any]:
        return Hackjack.facts()

    def outlook(self, seat: str) -> float | None:
        """One's own side able to fight, and the others down: what each is worth, less that of the others."""
        sides = {who.name: who.side for who in self.order.characters} | {who.name: who.side for who in self.order.gone}
        own = {who.name for who in self.fight.characters if who.controller == seat}
        ours = {sides.get(name) or name for name in own}
        values = ((sides.get(who.name) or who.name, self.strength(who)) for who in self.fight.characters)
        return sum(value if side in ours else -value for side, value in values) if own else None

    def strength(self, who: Fighter) -> float:
        """What somebody is still good for: 0 of the dead, 1 of who is unhurt."""
        if not who.alive:
            return 0.0
        able = 0.5 if idle(self.fight, who) is None else 0.1
        left = 1 - (who.death_score + who.blood) / self.fight.options.limit
        return able + 0.5 * max(0.0, left)

    # What outlives a table, and what it begins with.

    def recap(self, log: ReplaySteps) -> Recap:
        """The fights, and the rounds."""
        return recap_of(self, log)

    def roster(self) -> list[Any]:
        """The sheets of the fight, of those who hide, too (HJ-32)."""
        return self.fight.roster()

    def come_again(self) -> list[dict[str, Any]]:
        """Every character, with the card it has (GF-1); the hidden stay hidden (IN-21)."""
        return [{**answer, **self.place_of(answer["sheet"]["name"])} for answer in self.fight.come_again()]

    def place_of(self, name: str) -> dict[str, Any]:
        """The card and side that a character comes back with.

        The dead have none: theirs only has to be free, and stays so.
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

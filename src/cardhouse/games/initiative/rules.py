"""Card initiative, IN-1 to IN-22. Best read together with the rules: the round below is their numbered list."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from cardhouse.cards import BLACK_JOKER, JOKERS, RED_JOKER, Card, Deck, suit_of
from cardhouse.engine import (
    GM,
    Action,
    Ask,
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
    choosers,
    named,
)
from cardhouse.games.initiative import odds, offers
from cardhouse.games.initiative.bots import early, host, prompt
from cardhouse.games.initiative.overrides import editable
from cardhouse.games.initiative.recap import Rounds
from cardhouse.games.initiative.state import (
    HIT_DIE,
    Act,
    AddCharacter,
    Character,
    Done,
    Gone,
    InitiativeOptions,
    StartRound,
    Wait,
    actions_owed,
)
from cardhouse.games.initiative.view import InitiativeView, view_of, where_is

OPEN = "table"
"""The audience of all but the game master, who see the same."""


class Initiative(Game):
    """Card initiative: who acts when is drawn from a deck of the characters' cards and two jokers."""

    name: ClassVar[str] = "initiative"
    version: ClassVar[int] = 1
    actions: ClassVar[tuple[type[Action], ...]] = (
        AddCharacter,
        Show,
        HandOver,
        RemoveCharacter,
        StartRound,
        Act,
        Wait,
        Strike,
        Done,
    )
    decks: ClassVar[dict[str, str]] = {"initiative": "deck"}
    bots: ClassVar[Mapping[str, Bot]] = {"prompt": prompt, "early": early}
    host: ClassVar[Bot] = host
    plays_on: ClassVar[str] = "prompt"
    prepares: ClassVar[type[Action]] = AddCharacter
    looks_until: ClassVar[tuple[str, ...]] = ("between",)
    steps: ClassVar[tuple[str, ...]] = ("draw",)

    options: InitiativeOptions = InitiativeOptions()
    characters: list[Character] = []
    round: int = 0
    under_way: bool = False
    deck: Deck = msgspec.field(default_factory=Deck)
    discard: list[Card] = []
    order: list[Card] = []
    drawn: Card | None = None
    waiting: Card | None = None
    acting: Card | None = None
    burning: bool = False
    gone: list[Gone] = []

    def __post_init__(self) -> None:
        """Index the characters by card; this follows from `characters` and isn't part of the state."""
        super().__post_init__()
        self.holders = {character.card: character for character in self.characters}

    def play(self) -> Rules[None]:
        """Play rounds, each started by the game master (IN-16)."""
        while True:
            yield from self.ask(self.between_rounds)
            yield from self.play_round()

    def between_rounds(self) -> Ask:
        """Return the question between rounds: the game master starts the next one (IN-16) once there are characters."""
        if not self.characters:
            return Ask("nobody", "IN-1", (), {"round": self.round}, rest=True, waits_for=(GM,))
        return Ask("between", "IN-16", (Offer((GM,), StartRound),), {"round": self.round}, rest=True)

    def play_round(self) -> Rules[None]:
        """Play one round, from the shuffle to the last card."""
        self.gather()
        while True:
            yield from self.step("draw", "IN-7", lambda: len(self.deck) > 0)
            card = yield from self.draw("initiative", key="draw_next", rule="IN-7")
            if card is None and self.waiting is None:
                break
            if card is None:
                yield from self.waiting_must_act()
            elif card == RED_JOKER:
                self.red_joker()
            elif card == BLACK_JOKER:
                yield from self.black_joker()
            else:
                yield from self.character_drawn(card)
        self.end_round()

    def gather(self) -> None:
        """Shuffle all cards together, with an empty discard pile and nobody waiting (IN-5, IN-6)."""
        self.round += 1
        self.under_way = True
        for character in self.characters:
            character.acted = 0
            character.joined = True
        self.deck = Deck.of([*(character.card for character in self.characters), *JOKERS])
        self.discard, self.order = [], []
        self.tell("IN-6", "round_begins", round=self.round, cards=len(self.deck))

    def red_joker(self) -> None:
        """Apply the red joker: the waiting card goes back, and all is shuffled, an ace at the bottom too (IN-8)."""
        self.discard.append(RED_JOKER)
        if self.waiting is None:
            self.tell("IN-8", "red_joker", card=RED_JOKER)
        else:
            name = self.holder(self.waiting).name
            self.tell("IN-8", "red_joker_takes", card=RED_JOKER, name=name, waiting=self.waiting)
            self.deck.add(self.waiting)
            self.waiting = None
        self.deck.shuffle()

    def black_joker(self) -> Rules[None]:
        """Apply the black joker: discard the next card with it; that character loses the action (IN-9)."""
        self.discard.append(BLACK_JOKER)
        self.tell("IN-9", "black_joker", card=BLACK_JOKER)
        self.burning = True
        burned = yield from self.draw("initiative", key="draw_burned", rule="IN-9")
        self.burning = False
        if burned is None:
            self.tell("IN-9", "burns_nothing")
            return
        self.discard.append(burned)
        if burned == RED_JOKER:
            self.tell("IN-9", "burns_joker", card=burned)
        else:
            character = self.turn_up(burned)
            lost = actions_owed(burned) - character.acted
            self.tell("IN-9", "burns", name=character.name, card=burned, actions=lost)

    def character_drawn(self, card: Card) -> Rules[None]:
        """Turn up a character's card: it acts, or waits, or makes the waiting one act (IN-10 to IN-12)."""
        self.drawn = card
        character = self.turn_up(card)
        self.tell("IN-7", "drawn", name=character.name, card=card)
        answer = yield from self.ask(self.act_or_wait)
        if self.drawn is None:  # removed while choosing (IN-17)
            return
        if answer is None:
            self.report_no_choice(character)
            yield from self.turn(character)
        elif (answer.name == character.name) == isinstance(answer, Act):
            yield from self.turn(character)
        else:
            waited, self.waiting, self.drawn = self.waiting, card, None
            self.tell("IN-12" if waited is None else "IN-10", "waits", name=character.name, card=card)
            if waited is not None:
                yield from self.turn(self.holder(waited))

    def report_no_choice(self, character: Character) -> None:
        """Report that a character had no choice, and why."""
        if self.waiting is None:
            self.tell("IN-12", "must_act_last", name=character.name, card=character.card)
        else:
            waiting = self.holder(self.waiting).name
            self.tell("IN-11", "must_act_equal", name=character.name, card=character.card, other=waiting)

    def act_or_wait(self) -> Ask | None:
        """Return the choice of the drawn card, or of the higher of two; the lower does the opposite (IN-10, IN-12).

        Between equals the drawn one must act (IN-11), as must the last card of the deck with none waiting (IN-12).
        """
        if self.drawn is None:
            return None
        drawn = self.holder(self.drawn)
        if self.waiting is None:
            return self.choice("first", "IN-12", drawn) if self.deck else None
        waiting = self.holder(self.waiting)
        lead = drawn.rank - waiting.rank
        if lead == 0:
            return None
        higher, lower = (drawn, waiting) if lead > 0 else (waiting, drawn)
        return self.choice("either", "IN-10", higher, other=lower.name, other_card=lower.card)

    def choice(self, key: str, rule: str, chooser: Character, **about: Any) -> Ask:
        """Return the question of acting or waiting, to the controller and the game master (IN-19)."""
        seats, who = choosers(chooser.controller), {"name": OneOf((chooser.name,))}
        both = Offer(seats, Act, who), Offer(seats, Wait, who)
        return Ask(key, rule, both, {"name": chooser.name, "card": chooser.card, **about})

    def waiting_must_act(self) -> Rules[None]:
        """Let the waiting card act, because the deck is empty (IN-15)."""
        assert self.waiting is not None
        character = self.holder(self.waiting)
        self.tell("IN-15", "waiting_acts", name=character.name, card=character.card)
        yield from self.turn(character)

    def turn(self, character: Character) -> Rules[None]:
        """Play a character's turn until it is declared done (IN-13), then put away its card (IN-14)."""
        card = self.acting = character.card
        self.drawn = None
        if self.waiting == card:
            self.waiting = None
        self.tell("IN-13", "acts", name=character.name, card=card)
        yield from self.take_turn(character)
        character.acted += 1
        self.order.append(card)
        if self.acting is None:  # removed in mid-turn (IN-17)
            return
        self.acting = None
        if character.acted < actions_owed(card):
            self.deck.put_on_bottom(card)
            self.tell("IN-14", "to_the_bottom", name=character.name, card=card)
        else:
            self.discard.append(card)

    def take_turn(self, character: Character) -> Rules[None]:
        """Wait until the turn is done, in whatever game is being played (IN-13); a strike is the whole turn (IN-22)."""
        answer = yield from self.ask(self.until_done)
        if isinstance(answer, Strike):
            yield from self.strike(answer)

    def until_done(self) -> Ask | None:
        """Return the question of ending the turn, to the acting character's controller (IN-13)."""
        if self.acting is None:
            return None
        character = self.holder(self.acting)
        strikes, about = self.strikes(character), {"name": character.name, "card": character.card}
        key, rule = ("strike", "IN-22") if strikes else ("turn", "IN-13")
        return Ask(key, rule, (*strikes, acting(character, Done)), about)

    def strikes(self, character: Character) -> list[Offer]:
        """Return a strike at each visible foe, if the table rolls hits (IN-22)."""
        if not self.rolls_hits(character):
            return []
        foes = [who for who in self.characters if self.is_foe(character, who) and not who.hidden]
        return [acting(character, Strike, target=OneOf((who.name,))) for who in foes]

    def rolls_hits(self, character: Character) -> bool:
        """Return whether the table rolls for this character's strikes (IN-22)."""
        return self.options.hit_from > 0

    def strike(self, action: Strike) -> Rules[None]:
        """Roll a strike; a character who is hit is out of the fight (IN-22, IN-17)."""
        if (yield from self.hits(action)) and any(who.name == action.target for who in self.characters):
            self.leave(self.named(action.target))

    def hits(self, action: Strike) -> Rules[bool]:
        """Roll whether a strike hits (IN-22)."""
        face = sum((yield from self.roll(f"1d{HIT_DIE}")))
        hit = face >= self.options.hit_from
        self.tell("IN-22", "hits" if hit else "misses", name=action.name, target=action.target, face=face)
        return hit

    def end_round(self) -> None:
        """End the round: the deck is empty and nobody waits (IN-16)."""
        self.under_way = False
        self.tell("IN-16", "round_over", round=self.round)

    # Joining and leaving (IN-17, IN-18, IN-21).

    def at_any_time(self) -> Sequence[Offer]:
        """Return the game master's offers to add, show, hand over and remove characters."""
        return offers.at_any_time(self)

    def why_not(self, by: str, action: Action) -> str | None:
        """Return why no card is left for a new character (IN-1, IN-2); None for other actions."""
        return offers.why_no_card(self, action.side) if by == GM and isinstance(action, AddCharacter) else None

    def meanwhile(self, action: Action) -> Rules[None]:
        """Apply an action that is possible at any time."""
        if isinstance(action, AddCharacter):
            self.join(action)
        elif isinstance(action, RemoveCharacter):
            self.leave(self.named(action.name))
        elif isinstance(action, Show):
            self.reveal(self.named(action.name), "IN-21")
        elif isinstance(action, HandOver):
            self.hand_over(self.named(action.name), action.controller)
        return
        yield

    def join(self, action: AddCharacter) -> None:
        """Add a character with its card (IN-1, IN-2, IN-4); during a round it joins the next one (IN-18)."""
        card = action.card or offers.proposed(self, action.tier, action.side)
        character = Character(action.name, card, action.side, action.controller, action.hidden)
        self.characters.append(character)
        self.holders[card] = character
        if self.under_way and self.options.join_now:
            character.joined = True
            self.deck.add(card)
        later = self.under_way and not character.joined
        if character.hidden:
            self.tell("IN-21", "joins_hidden_later" if later else "joins_hidden", to=GM, name=character.name, card=card)
            self.tell("IN-21", "somebody_hides", but=GM)
        elif later:
            self.tell("IN-18", "joins_later", name=character.name, card=card)
        elif character.side is not None:
            self.tell(self.rule_of_joining("IN-2"), "joins_side", name=character.name, card=card, side=character.side)
        else:
            self.tell(self.rule_of_joining("IN-1"), "joins", name=character.name, card=card)

    def rule_of_joining(self, between_rounds: str) -> str:
        """Return the rule by which a character joins: this one between rounds, otherwise IN-18."""
        return "IN-18" if self.under_way else between_rounds

    def leave(self, character: Character) -> None:
        """Remove a character at once, from wherever its card is (IN-17)."""
        card = character.card
        self.characters.remove(character)
        del self.holders[card]
        self.gone.append(Gone(character.name, card, character.side, self.round, character.hidden))
        if character.hidden:
            self.tell("IN-17", "leaves", to=GM, name=character.name, card=card)
            self.tell("IN-17", "hidden_leaves", but=GM)
        else:
            self.tell("IN-17", "leaves", name=character.name, card=card)
        if card in self.deck:
            self.deck.take(card)
        elif card in self.discard:
            self.discard.remove(card)
        self.drawn = None if self.drawn == card else self.drawn
        self.waiting = None if self.waiting == card else self.waiting
        self.acting = None if self.acting == card else self.acting

    def hand_over(self, character: Character, seat: str) -> None:
        """Give a character to another seat (IN-19)."""
        character.controller = seat
        self.tell("IN-19", "handed_over", to=GM if character.hidden else (), name=character.name, seat=seat)

    def turn_up(self, card: Card) -> Character:
        """Return the character of a card just turned over, and show it if it was hidden (IN-21)."""
        character = self.holder(card)
        if character.hidden:
            self.reveal(character, "IN-21")
        return character

    def reveal(self, character: Character, rule: str) -> None:
        """Show a hidden character, with its name, side, card and player (IN-21)."""
        character.hidden = False
        self.tell(rule, "revealed", name=character.name, card=character.card, seat=character.controller)

    # Overrides by the game master.

    def editable(self) -> list[Editable]:
        """Return the overrides of the round, and of each character's name, card, side, and place in the round."""
        return editable(self)

    def why_not_editable(self, of: str, what: str) -> str | None:
        """Return why a value can't be edited: the turn comes first, or a hidden card's place would show."""
        who = next((who for who in self.characters if who.name == of), None)
        if who is None:
            return None
        if who.card in (self.drawn, self.acting):
            return f"{of} is up just now, so finish that turn first"
        return f"{of} hides, so show it first (IN-21)" if who.hidden and what == "place" else None

    def rename(self, who: Character, name: str) -> None:
        """Rename a character."""
        who.name = name

    # Lookups.

    def is_foe(self, one: Character, other: Character) -> bool:
        """Return whether two are on different sides; a character without a side is on its own (IN-2)."""
        return other is not one and (one.side is None or one.side != other.side)

    def passes(self, character: Character) -> bool:
        """Return whether a character has no choice and an empty turn; in card initiative alone, none has."""
        return False

    def holder(self, card: Card) -> Character:
        """Return the character who holds a card (IN-1)."""
        return self.holders[card]

    def named(self, name: str) -> Character:
        """Return the character of this name."""
        return named(self.characters, name)

    def suits_owned(self) -> dict[str, str]:
        """Return the side of each owned suit (IN-2)."""
        return {suit_of(c.card): c.side for c in self.characters if c.side is not None}

    # Views.

    def audience(self, seat: str) -> str:
        """Return the audience of a seat: the game master knows who is or was hidden (IN-21).

        All others see the same.
        """
        if seat != GM:
            return OPEN
        hides = any(who.hidden for who in self.characters) or any(who.hidden for who in self.gone)
        return GM if hides else OPEN

    def view(self, audience: str) -> InitiativeView:
        """Return the table as this audience sees it."""
        return view_of(self, sees_hidden=audience == GM)

    def outlook(self, seat: str) -> float | None:
        """Return the seat's prospects: its turns, worth more the earlier they are, minus half that of others."""
        if not any(who.controller == seat for who in self.characters):
            return None
        owners = (self.holders[card].controller for card in self.order if card in self.holders)
        turns = max(1, sum(actions_owed(who.card) for who in self.characters))
        return sum((1 - place / turns) * (1 if owner == seat else -0.5) for place, owner in enumerate(owners))

    def where(self, card: Card, deck: str, audience: str) -> str:
        """Return why a card can't be drawn: its place."""
        return where_is(self, card, sees_hidden=audience == GM)

    def come_again(self) -> list[dict[str, Any]]:
        """Return the actions that bring all characters back with card, side and player.

        The hidden stay hidden (IN-1, IN-2, IN-21).
        """
        return [
            msgspec.to_builtins(AddCharacter(who.name, who.card, None, who.side, who.controller, who.hidden))
            for who in self.characters
        ]

    def recap(self, log: ReplaySteps) -> Recap:
        """Return the recap: which side is left, who came first, and what the jokers took."""
        rounds = Rounds()
        for passage in log:
            rounds.see(passage, passage.game)
        return rounds.recap(self)

    def odds(self, audience: str) -> dict[str, odds.TurnOdds]:
        """Return who may be next, who will act, and after how many turns."""
        return odds.odds_of(self, sees_hidden=audience == GM)

    def who_draws(self, deck: str) -> tuple[str, ...]:
        """Return the seats that may draw.

        Only the game master while a character is hidden, because the list shows it (IN-21).
        """
        return (GM,) if any(c.hidden for c in self.characters) else tuple(self.seats)

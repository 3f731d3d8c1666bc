"""Showdown, SD-1 to SD-12: each round deals a card to everyone, then come redraws, then turns, highest card first."""

import msgspec

from cardhouse.cards import JOKERS, STANDARD, Card, Deck, is_joker
from cardhouse.engine import GM, Action, Ask, Game, Offer, OneOf, Rules, Whole
from cardhouse.engine.game import people
from showdown import say
from showdown.bots import gunslinger, host
from showdown.odds import MomentOdds, odds_of
from showdown.state import NERVES, Character, Phase, ShowdownOptions, ShowdownView, height

MOST_CHARACTERS, MOST_EXTRAS = 30, 20


class Showdown(Game):
    """Turn order by cards. Jokers act when they like, and characters who wait may cut in."""

    name = "showdown"
    actions = (
        *(say.AddCharacter, people.HandOver, people.RemoveCharacter, people.Show, say.Award),
        *(say.Deal, say.Redraw, say.Begin, say.Done, say.Hold, say.CutIn, say.EndRound),
    )
    decks = {"action": "deck"}
    bots = {"gunslinger": gunslinger}
    host = host

    options: ShowdownOptions = ShowdownOptions()
    deck: Deck = msgspec.field(default_factory=lambda: Deck.of(STANDARD + JOKERS))
    discard: list[Card] = []
    characters: list[Character] = []
    phase: Phase = "between"
    round: int = 0
    stack: list[str] = []  # the last is acting; those below go on when its turn is over (SD-8)
    busy: bool = False

    def play(self) -> Rules[None]:
        """Play rounds, each when the game master deals."""
        while True:
            if self.phase == "between":
                yield from self.ask(self.between_rounds)
                yield from self.deal()
            elif self.phase == "cards":
                answer = yield from self.ask(self.redraw_or_begin)
                if isinstance(answer, say.Redraw):
                    who = self.named(answer.name)
                    who.tokens -= 1
                    yield from self.deal_to(who, "SD-5", "redraws")
                else:
                    self.phase = "turns"
            else:
                yield from self.take_turns()

    def between_rounds(self) -> Ask:
        """Ask the game master to deal, once there is a character to deal to (SD-2)."""
        if not self.seen:
            return Ask("nobody", "SD-1", (), rest=True, waits_for=(GM,))
        return Ask("between", "SD-2", (Offer((GM,), say.Deal),), {"round": self.round + 1}, rest=True)

    def deal(self) -> Rules[None]:
        """Deal to everyone who isn't hidden (SD-10) or holding (SD-7); extras share a card (SD-9)."""
        self.round, self.phase = self.round + 1, "cards"
        self.tell("SD-2", "round_begins", round=self.round)
        for who in self.seen:
            who.acted = False
            if not who.holds:
                yield from self.deal_to(who, "SD-2", "dealt")

    def deal_to(self, who: Character, rule: str, key: str) -> Rules[None]:
        """Draw a card; the best one counts (SD-3). An empty deck is refilled from the discard (SD-11)."""
        if not self.deck:
            self.deck, self.discard = Deck.of(self.discard), []
            self.tell("SD-11", "deck_empty", cards=len(self.deck))
        self.busy = True
        card = yield from self.draw("action")
        self.busy = False
        assert card is not None  # there are more cards than characters, and no redraw without one left
        who.cards = sorted([*who.cards, card], key=height, reverse=True)
        self.tell(rule, key, name=who.name, card=card, best=who.cards[0])
        if is_joker(card):
            self.tell("SD-4", "joker", name=who.name, card=card, bonus=self.options.joker_bonus)

    def redraw_or_begin(self) -> Ask:
        """Offer redraws for tokens (SD-5), until the game master begins the turns (SD-6)."""
        able = [who for who in self.seen if who.cards and who.tokens] if self.deck or self.discard else []
        offers = [Offer((GM,), say.Begin), *(people.acting(who, say.Redraw) for who in able)]
        return Ask("cards", "SD-5", offers, {"round": self.round}, rest=True, together=True, waits_for=(GM,))

    def take_turns(self) -> Rules[None]:
        """Let the highest card act, or a character who cut in; at the end, those who hold may act."""
        if not self.stack and (due := self.due()):
            self.stack = [due[0].name]
            self.tell("SD-6", "turn", name=due[0].name, card=due[0].cards[0])
        answer = yield from self.ask(self.whose_turn if self.stack else self.last_call)
        if isinstance(answer, say.CutIn):
            yield from self.cut_in(self.named(answer.name))
        elif isinstance(answer, say.Done | say.Hold):
            who = self.named(self.stack.pop())
            who.acted, who.holds = isinstance(answer, say.Done), isinstance(answer, say.Hold)
            if who.holds:
                self.tell("SD-7", "holds", name=who.name)
        elif not self.stack and not self.due():
            self.end_round()

    def due(self) -> list[Character]:
        """Return the turns to come, in order (SD-3); a joker that hasn't cut in comes last (SD-4)."""
        due = [who for who in self.seen if who.cards and not (who.acted or who.holds or who.name in self.stack)]
        return sorted(due, key=lambda who: (not who.has_joker, height(who.cards[0])), reverse=True)

    def whose_turn(self) -> Ask | None:
        """Ask the acting player to end the turn (SD-6) or hold (SD-7); others may cut in (SD-8)."""
        if not self.stack:
            return None
        who = self.named(self.stack[-1])
        offers = [people.acting(who, say.Done), *([] if who.acted or who.has_joker else [people.acting(who, say.Hold)])]
        offers += [people.acting(other, say.CutIn, against=OneOf((who.name,))) for other in self.may_cut_in(who)]
        return Ask("turn", "SD-6", offers, {"name": who.name}, rest=True, together=True, waits_for=(who.controller,))

    def last_call(self) -> Ask | None:
        """Ask those who hold to act now, or to keep holding into the next round (SD-7)."""
        holding = [who for who in self.seen if who.holds]
        if self.due() or not holding:
            return None
        offers = [Offer((GM,), say.EndRound), *(people.acting(who, say.CutIn) for who in holding)]
        names = [who.name for who in holding]
        return Ask("last_call", "SD-7", offers, {"names": names}, rest=True, together=True, waits_for=(GM,))

    def may_cut_in(self, who: Character) -> list[Character]:
        """Offer cutting in to jokers at any time (SD-4), and to those who hold, but not before a joker (SD-8)."""
        jokers = [other for other in self.due() if other.has_joker]
        return jokers if who.has_joker else [*jokers, *(other for other in self.seen if other.holds)]

    def cut_in(self, who: Character) -> Rules[None]:
        """Put a joker first, and a holder first with the higher roll, otherwise right after (SD-8)."""
        who.holds, who.acted, first = False, True, True
        if not self.stack:
            self.tell("SD-7", "acts_at_last", name=who.name)
        elif who.has_joker:
            self.tell("SD-4", "joker_cuts_in", name=who.name, other=self.stack[-1])
        else:
            self.busy, other = True, self.named(self.stack[-1])
            (mine,) = yield from self.roll(f"1{who.nerve}")
            (theirs,) = yield from self.roll(f"1{other.nerve}")
            self.busy, first = False, mine > theirs
            key = "cuts_in" if first else "too_slow"
            self.tell("SD-8", key, name=who.name, other=other.name, roll=mine, other_roll=theirs)
        self.stack.insert(len(self.stack) - (not first), who.name)

    def end_round(self) -> None:
        """Discard all cards; after a joker, shuffle the whole deck (SD-11)."""
        for who in self.characters:
            self.discard += who.cards
            who.cards = []
        self.phase = "between"
        self.tell("SD-6", "round_over", round=self.round)
        if any(is_joker(card) for card in self.discard):
            self.deck, self.discard = Deck.of(STANDARD + JOKERS), []
            self.tell("SD-11", "shuffled")

    def at_any_time(self) -> list[Offer]:
        """Offer the game master's tools (SD-12), and revealing to the player of a hidden character (SD-10)."""
        here = self.characters
        own = {"nerve": OneOf(NERVES), "many": Whole(1, MOST_EXTRAS)}
        new = people.joining(self, here, say.AddCharacter, own, optional=tuple(own), may_hide=True)
        shown = [people.acting(who, people.Show) for who in here if who.hidden]
        found = [*shown, *people.handing_over(self, here), *people.befalling(say.Award, here)]
        return [*([new] if len(here) < MOST_CHARACTERS else []), *found, *([] if self.busy else people.leaving(here))]

    def meanwhile(self, action: Action) -> Rules[None]:
        """Apply such an action; about a hidden character, only its player hears of it (SD-10)."""
        if isinstance(action, say.AddCharacter):
            tokens = self.options.tokens if action.many == 1 else 0
            who = Character(**msgspec.structs.asdict(action), tokens=tokens)
            self.characters.append(who)
            shown = ("SD-9", "extras_join") if who.many > 1 else ("SD-1", "joins")
            rule, key = ("SD-10", "hides") if who.hidden else shown
            self.tell(rule, key, to=people.told_of(who), name=who.name, many=who.many)
            return
        who = self.named(action.name)  # type: ignore[attr-defined]
        knew = people.told_of(who)
        if isinstance(action, people.Show):
            who.hidden, who.holds = False, True
            self.tell("SD-10", "steps_out", name=who.name, seat=who.controller)
        elif isinstance(action, people.HandOver):
            who.controller = action.controller
            self.tell("SD-12", "handed_over", to=(*knew, *people.told_of(who)), name=who.name, seat=who.controller)
        elif isinstance(action, say.Award):
            who.tokens += 1
            self.tell("SD-5", "token", to=knew, name=who.name)
        else:
            self.discard += who.cards
            self.characters.remove(who)
            self.stack = [name for name in self.stack if name != who.name]
            self.tell("SD-12", "leaves", to=knew, name=who.name)
        yield from ()

    @property
    def seen(self) -> list[Character]:
        """Return the characters that everyone sees (SD-10)."""
        return [who for who in self.characters if not who.hidden]

    def named(self, name: str) -> Character:
        """Return the character with this name."""
        return people.named(self.characters, name)

    def view(self, audience: str) -> ShowdownView:
        """Return the table without the characters hidden from this audience (SD-10)."""
        order = [*reversed(self.stack), *(who.name for who in self.due())]
        known = [who for who in self.characters if people.knows_of(audience, who)]
        return ShowdownView(self.round, self.phase, len(self.deck), order, known)

    def odds(self, audience: str) -> dict[str, MomentOdds]:
        """Return the odds of a redraw and of cutting in, for those who may."""
        return odds_of(self)

    def where(self, card: Card, deck: str, audience: str) -> str:
        """Return the place of a card that can't be drawn."""
        holder = next((who.name for who in self.seen if card in who.cards), None)
        return "in the discard" if card in self.discard else f"{holder}'s" if holder else "not in this deck"

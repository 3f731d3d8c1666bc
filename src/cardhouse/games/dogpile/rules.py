"""The rules of Dogpile, DG-1 to DG-21. `play_round` follows the rulebook's numbered list."""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar

import msgspec

from cardhouse.cards import Card, Cell, Deck, Placed, in_order
from cardhouse.engine import (
    CLOCK,
    GM,
    Action,
    Ask,
    Bot,
    CardhouseError,
    Editable,
    Game,
    Laying,
    Offer,
    OneOf,
    Recap,
    ReplaySteps,
    Rules,
    Several,
    choosers,
)
from cardhouse.games.dogpile.bots import BOTS
from cardhouse.games.dogpile.deck import DogDeck
from cardhouse.games.dogpile.deck_file import STANDARD_FILE, bundled_decks, deck_of, read_deck
from cardhouse.games.dogpile.judge import Verdict, judge, layout_of
from cardhouse.games.dogpile.overrides import editable
from cardhouse.games.dogpile.recap import recap_of
from cardhouse.games.dogpile.state import (
    MOST_PLAYERS,
    PACK_LEADER,
    Begin,
    DealIn,
    DogpileOptions,
    Laid,
    Lay,
    NextRound,
    Pass,
    Ring,
    Round,
)
from cardhouse.games.dogpile.view import ONLOOKER, OPEN_HANDED, DogpileView, view_of, where_is

DECK = "draft"
"""The name of the draft deck in transcripts."""


class Dogpile(Game):
    """Lay cards face down around a Pack Leader, without a word; what fits joins the Dogpile."""

    name: ClassVar[str] = "dogpile"
    version: ClassVar[int] = 1
    actions: ClassVar[tuple[type[Action], ...]] = (Begin, DealIn, Lay, Pass, NextRound, Ring)
    decks: ClassVar[dict[str, str]] = {DECK: "draft"}
    bots: ClassVar[dict[str, Bot]] = BOTS
    people: ClassVar[str] = "hounds"
    plays_on: ClassVar[str] = "sure"
    looks_until: ClassVar[tuple[str, ...]] = ("judged",)
    open_to_gm: ClassVar[bool] = False
    most_players: ClassVar[int] = MOST_PLAYERS
    usual_options: ClassVar[Mapping[str, Any]] = {"gm_plays": True}
    silent_at: ClassVar[Collection[str]] = ("turn",)

    options: DogpileOptions = DogpileOptions()
    draft: Deck = msgspec.field(default_factory=Deck)
    hands: dict[str, list[Card]] = {}
    dogpile: list[Card] = []
    strays: list[Card] = []
    round: int = 0
    player_one: str = ""
    leader: Card | None = None
    laid: list[Laid] = []
    to_lay: list[str] = []
    turn: str | None = None
    drawing: str | None = None
    open_cards: list[Card] = []
    verdict: Verdict | None = None
    rounds: list[Round] = []
    ends_at: int | None = None
    rung: bool = False
    over: bool = False
    more_minutes: int = 0
    untimed: int | None = None
    playing: list[str] = []

    def __post_init__(self) -> None:
        """Put the deck on a new table (DG-1).

        Raises CardhouseError if the deck is invalid or too small for these hands, or there are too many players (DG-2).
        """
        super().__post_init__()
        self.dogs: DogDeck = deck_of(self.options.deck)
        if not self.round and not self.draft:
            self.draft = Deck.of(self.cards_played())
            self.check_size()

    def cards_played(self) -> list[Card]:
        """Return the deck's cards without the jokers that this table leaves out (DG-1)."""
        left_out = self.dogs.jokers[self.options.jokers :]
        return [card for card in self.dogs.cards if card not in left_out]

    def check_size(self) -> None:
        """Check that the deck has hands and a Pack Leader for all players (DG-2).

        Raises CardhouseError if not.
        """
        players = [seat for seat in self.seats if seat != GM or self.options.gm_plays]
        if len(players) > MOST_PLAYERS:
            and_gm = ", the game master among them" if self.options.gm_plays else ""
            raise CardhouseError(f"Dogpile is for {MOST_PLAYERS} players at most; here are {len(players)}{and_gm}.")
        needed = len(self.players) * self.options.hand_size + 1
        if needed > len(self.draft):
            hands = "One hand" if len(self.players) == 1 else f"{len(self.players)} hands"
            raise CardhouseError(
                f"{hands} of {self.options.hand_size} and a Pack Leader are {needed} cards; "
                f"this deck has {len(self.draft)}. Choose smaller hands, or fewer players."
            )

    @property
    def players(self) -> list[str]:
        """The players, clockwise (DG-2): those dealt in, if the start named them."""
        return [seat for seat in self.seats if seat in self.playing] if self.playing else self.who_may_play()

    def who_may_play(self) -> list[str]:
        """Return every seat, without the game master's unless they play or are alone (DG-2)."""
        others = [seat for seat in self.seats if seat != GM]
        gm_plays = self.options.gm_plays or not others or GM in self.hands
        return (self.seats if gm_plays else others)[:MOST_PLAYERS]

    def clockwise(self) -> list[str]:
        """Return the players from Player One on (DG-5)."""
        first = self.players.index(self.player_one)
        return [*self.players[first:], *self.players[:first]]

    # The game.

    def play(self) -> Rules[None]:
        """Play rounds until the timer rings, the rounds are used up, or no Pack Leader is left (DG-17, DG-18)."""
        if not self.round:
            yield from self.set_up()
            if self.draft:  # false if seats added later took all cards into hands
                yield from self.play_round()
        while (yield from self.ask(self.between_rounds)):
            yield from self.play_round()
        self.end()

    def set_up(self) -> Rules[None]:
        """Name Player One, start the timer and deal hands (DG-1 to DG-3)."""
        answer: Begin = yield from self.ask(self.who_begins)
        if answer.players is not None:
            self.playing = [seat for seat in self.players if seat in (*answer.players, answer.first)]
        self.player_one = answer.first or self.players[0]
        if self.options.rounds is None and (now := (yield from self.now())) is not None:
            self.ends_at = now + 60 * self.options.minutes
        self.tell("DG-3", "begins", seat=self.player_one)
        yield from self.fill_hands("DG-2")

    def who_begins(self) -> Ask:
        """Ask who most recently played with a dog, and who is at the table (DG-3)."""
        may = tuple(self.players)
        fields = {"first": OneOf(may, "seat"), "players": Several(may, 1, len(may), "seat")}
        offer = Offer(self.everybody(), Begin, fields, frozenset(fields), host=True)
        return Ask("begin", "DG-3", (offer,), rest=True, together=True)

    def play_round(self) -> Rules[None]:
        """Play one round, from the Pack Leader to full hands (DG-4 to DG-16)."""
        yield from self.turn_up_leader()
        yield from self.lay_cards()
        self.reveal()
        if not self.is_last():
            yield from self.fill_hands("DG-16")
            self.player_one = self.clockwise()[1 % len(self.players)]

    def turn_up_leader(self) -> Rules[None]:
        """Turn the top card of the draft deck face up in the middle (DG-4)."""
        self.round += 1
        self.leader, self.laid, self.verdict = None, [], None
        self.leader = yield from self.next_card(None, "DG-4", "draw_leader", round=self.round)
        self.open_cards = in_order(card for hand in self.hands.values() for card in hand)
        self.tell("DG-4", "leader", round=self.round, card=self.leader)

    def lay_cards(self) -> Rules[None]:
        """Let each player lay cards, clockwise from Player One.

        Laying nothing may end it, by an option (DG-5, DG-7).
        """
        ends = self.options.passing == "ends_laying"
        self.to_lay = self.clockwise()
        while self.to_lay:
            seat = self.to_lay.pop(0)
            if not self.hands.get(seat):
                self.tell("DG-7", "has_none", seat=seat)
                continue
            self.turn = seat
            answer: Lay | Pass = yield from self.ask(self.whose_turn)
            self.turn = None
            if isinstance(answer, Lay) and answer.cards:
                self.lay(seat, answer.cards)
            else:
                self.tell("DG-7", "forfeit" if self.to_lay and ends else "passes", seat=seat)
                self.to_lay = [] if ends else self.to_lay

    def whose_turn(self) -> Ask:
        """Ask for any number of cards, each on an empty cell (DG-5), or none (DG-7)."""
        assert self.turn is not None
        hand = tuple(self.hands[self.turn])
        taken = (PACK_LEADER, *(laid.cell for laid in self.laid))
        cells = Laying(hand, taken, len(self.cards_played()), touching=self.options.touching)
        offers = Offer((self.turn,), Lay, {"cards": cells}), Offer((self.turn,), Pass)
        return Ask("turn", "DG-5", offers, {"seat": self.turn})

    def lay(self, seat: str, cards: Sequence[Placed]) -> None:
        """Lay cards face down. The others see the cells taken and by whom (DG-6)."""
        for placed in cards:
            self.hands[seat].remove(placed.card)
            self.laid.append(Laid(seat, placed.x, placed.y, placed.card))
        self.tell("DG-5", "lays", seat=seat, n=len(cards))

    def reveal(self) -> None:
        """Turn over all cards. The pack joins the Dogpile, or all of it strays (DG-8, DG-9)."""
        assert self.leader is not None
        layout = self.layout()
        self.verdict = judge(layout, self.dogs)
        self.learned = True
        joined, rule = self.judged(self.verdict, layout)
        if self.laid:
            self.tell("DG-8", "revealed", cards=[laid.card for laid in self.laid])
        pile = self.dogpile if joined else self.strays
        pile += layout.values()
        self.tell_verdict(self.verdict, len(layout), rule, joined=joined)
        done = Round(self.round, self.player_one, self.leader, len(layout), joined, rule, self.open_cards)
        self.rounds.append(done)

    def layout(self) -> dict[Cell, Card]:
        """Return the Pack Leader and all cards laid, by cell."""
        assert self.leader is not None
        return {PACK_LEADER: self.leader, **{laid.cell: laid.card for laid in self.laid}}

    def judged(self, verdict: Verdict, layout: dict[Cell, Card]) -> tuple[bool, str]:
        """Return whether the pack joins, and the rule that decides it (DG-9 to DG-15)."""
        if len(layout) == 1:
            return self.options.lone_leader == "joins", "DG-15"
        if verdict.pieces > 1:
            return False, "DG-10"
        return (True, "DG-9") if verdict.legal else (False, verdict.illegal[0].rule)

    def tell_verdict(self, verdict: Verdict, cards: int, rule: str, *, joined: bool) -> None:
        """Announce the fate of a pack of `cards` cards, and the reason (DG-9)."""
        if joined:
            self.tell(rule, "joins", n=cards)
        elif rule == "DG-15":
            self.tell(rule, "alone")
        elif rule == "DG-10":
            self.tell(rule, "pieces", n=cards, pieces=verdict.pieces)
        else:
            first, layout = verdict.illegal[0], self.layout()
            pair = [layout[first.a], layout[first.b]]
            self.tell(rule, "contacts", n=cards, contacts=len(verdict.illegal), cards=pair, reason=first.reason)

    def between_rounds(self) -> Ask | None:
        """Wait until a player has seen enough of the reveal (DG-16). Returns None if no round follows."""
        if self.is_last() or not (self.draft or self.strays):
            return None
        about = {"round": self.round, "joined": self.rounds[-1].joined}
        return Ask("judged", "DG-16", (Offer(self.everybody(), NextRound),), about, rest=True, together=True)

    def is_last(self) -> bool:
        """Return whether no round may follow this one (DG-18)."""
        return self.rung or self.round in (self.options.rounds, self.untimed)

    def end(self) -> None:
        """End the game and announce the score (DG-19)."""
        self.over = True
        if not self.is_last():
            self.tell("DG-17", "no_leader")
        packs = [done.size for done in self.rounds if done.joined]
        if self.untimed is not None:
            self.tell("DG-18", "untimed", rounds=self.untimed)
        self.tell("DG-19", "final", n=len(self.dogpile), packs=len(packs), rounds=len(self.rounds))

    def everybody(self) -> tuple[str, ...]:
        """Return all seats, the players first."""
        return tuple(dict.fromkeys((*self.players, *self.seats)))

    # Drawing (DG-16, DG-17).

    def fill_hands(self, rule: str) -> Rules[None]:
        """Fill each hand in turn, clockwise from Player One (DG-16)."""
        for seat in self.clockwise():
            yield from self.fill_hand(seat, rule)

    def fill_hand(self, seat: str, rule: str) -> Rules[None]:
        """Draw for a player until the hand is full or no card is left. Only that player sees the cards (DG-6)."""
        hand = self.hands.setdefault(seat, [])
        drawn: list[Card] = []
        lacks = self.options.hand_size - len(hand)
        while len(hand) < self.options.hand_size and not self.is_last():
            card = yield from self.next_card(seat, rule, "draw_hand", seat=seat, n=len(drawn) + 1, of=lacks)
            if card is None:
                break
            hand.append(card)
            drawn.append(card)
        if drawn:
            self.tell(rule, "you_draw", to=seat, seat=seat, cards=drawn)
            self.tell(rule, "draws", but=seat, seat=seat, n=len(drawn))

    def next_card(self, owner: str | None, rule: str, key: str, **about: Any) -> Rules[Card | None]:
        """Draw the top card for a hand or, with None, as Pack Leader, shuffling in the Strays if needed (DG-17).

        `key` names the prompt for a real deck.
        """
        if not self.draft and self.strays:
            self.tell("DG-17", "shuffled", n=len(self.strays))
            self.draft, self.strays = Deck.of(self.strays), []
        self.drawing = owner
        alone = () if owner is None else (owner,)
        card = yield from self.draw(DECK, self.not_seen, key=key, rule=rule, waits_for=alone, **about)
        self.drawing = None
        return card

    def not_seen(self) -> dict[str, list[Card]]:
        """Return the cards that each seat allowed to draw considers possible: other hands are hidden (DG-6)."""
        return {seat: in_order([*self.draft.cards(), *self.hidden_from(seat)]) for seat in self.who_draws(DECK)}

    def hidden_from(self, seat: str) -> list[Card]:
        """Return all cards in other hands (DG-6)."""
        return [card for other, hand in self.hands.items() if other != seat for card in hand]

    def who_draws(self, deck: str) -> tuple[str, ...]:
        """Return the seats that may draw from a real deck: for a hand its player or the game master; else anyone."""
        return self.everybody() if self.drawing is None else choosers(self.drawing)

    # The clock (DG-18).

    def at_any_time(self) -> Sequence[Offer]:
        """Offer the timer to ring once, from the first Pack Leader on, and latecomers to be dealt in (DG-2)."""
        ring = (Offer((CLOCK,), Ring),) if self.may_ring() else ()
        if not self.playing or self.over or len(self.playing) == MOST_PLAYERS:
            return ring
        late = (seat for seat in self.who_may_play() if seat not in self.playing)
        return (*ring, *(Offer(choosers(seat), DealIn, {"seat": OneOf((seat,), "seat")}) for seat in late))

    def may_ring(self) -> bool:
        """Return whether the timer is running."""
        timed = self.options.rounds is None and self.untimed is None
        return bool(self.round) and not self.rung and not self.over and timed

    def meanwhile(self, action: Action) -> Rules[None]:
        """Deal in a player, or ring the timer: the current round is finished, and no other is dealt."""
        if isinstance(action, DealIn):
            self.playing.append(action.seat)
            self.tell("DG-2", "dealt_in", seat=action.seat)
            return
        self.rung = True
        self.tell("DG-18", "rings")
        return
        yield

    def outlook(self, seat: str) -> float:
        """Return the number of dogs in the Dogpile, which is everyone's score (DG-19)."""
        return float(len(self.dogpile))

    def recap(self, log: ReplaySteps) -> Recap:
        """Return the recap: the dogs, the best pack, and the closest misses."""
        return recap_of(self, log)

    def alarm(self) -> int | None:
        """Return when the timer rings, if it still may."""
        return self.ends_at if self.may_ring() else None

    # Overrides by the game master.

    def editable(self) -> list[Editable]:
        """Return the editable values: the timer, Player One, and the fate of the last pack."""
        return editable(self)

    def why_not_editable(self, of: str, what: str) -> str | None:
        """Return why a value can't be edited: hands and face-down cards are private (DG-6)."""
        if of in self.players or what in ("hand", "hands", "laid", "draft"):
            return "hands, and what lies face down, are their players' alone to know (DG-6); an undo takes back more"
        if what == "joined" and self.round:
            return "the pack has been shuffled back, or is not revealed yet"
        return None

    # Visibility.

    def audience(self, seat: str) -> str:
        """Return the audience of a seat: each player sees their own hand; all others see the same."""
        return seat if seat in self.players else ONLOOKER

    def view(self, audience: str) -> DogpileView:
        """Return the view of an audience."""
        return view_of(self, audience)

    def view_openly(self) -> DogpileView:
        """Return the view with all hands and face-down cards open."""
        return view_of(self, OPEN_HANDED)

    def where(self, card: Card, deck: str, audience: str) -> str:
        """Return the place of a card that can't be drawn."""
        return where_is(self, card, audience)

    @classmethod
    def facts(cls) -> dict[str, Any]:
        """Return the standard deck, as the data of its file."""
        return {"deck": next(iter(_ready_decks().values()))}

    @classmethod
    def ready_options(cls) -> dict[str, dict[str, Any]]:
        """Return the bundled decks by name, as the data of their files, the standard deck first."""
        return {"deck": _ready_decks()}

    @classmethod
    def verdict_on(cls, cards: Sequence[Placed], options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the judge's verdict on a layout (DG-21) of the options' `deck`."""
        chosen = cls.read_options(options)
        assert isinstance(chosen, DogpileOptions)
        verdict: dict[str, Any] = msgspec.to_builtins(judge(layout_of(cards), deck_of(chosen.deck)))
        return verdict

    @classmethod
    def option_file(cls, option: str) -> str:
        """Return the standard deck as a deck file, to start from."""
        return STANDARD_FILE if option == "deck" else super().option_file(option)

    @classmethod
    def read_option_file(cls, option: str, text: bytes) -> Any:
        """Return the deck of a deck file."""
        return read_deck(text) if option == "deck" else super().read_option_file(option, text)


@cache
def _ready_decks() -> dict[str, dict[str, Any]]:
    return {name: read_deck(text, f"{name}.toml") for name, text in bundled_decks().items()}

"""The rules of Magpies, MP-1 to MP-9. The attributes are the state; `play` runs the game from the first question on."""

import msgspec

from cardhouse.cards import STANDARD, Card, Deck, in_order
from cardhouse.engine import SCREEN, Ask, CardhouseError, Game, Offer, OneOf, Rules
from magpies.bots import hoarder, shrewd
from magpies.state import FEWEST, MOST, Choose, Deal, MagpiesOptions, MagpiesView, Played, Player, Trick
from magpies.trick import cancelled, points_of, taker, worth


class Magpies(Game):
    """Everyone wants the prize; the highest card of a rank that no other player chose takes it."""

    name = "magpies"
    actions = (Deal, Choose)
    decks = {"cards": "deck"}
    bots = {"shrewd": shrewd, "hoarder": hoarder}
    open_to_gm = False
    most_players = MOST - 1
    usual_players = FEWEST

    options: MagpiesOptions = MagpiesOptions()
    deck: Deck = msgspec.field(default_factory=lambda: Deck.of(STANDARD))
    deals: int = 0
    trick: int = 0
    hands: dict[str, list[Card]] = {}
    drawing: str | None = None
    prizes: list[Card] = []
    won: dict[str, list[Card]] = {}
    last: Trick | None = None
    points: dict[str, list[int]] = {}

    def __post_init__(self) -> None:
        """Raises CardhouseError if there are too few players (MP-1)."""
        super().__post_init__()
        if len(self.seats) < FEWEST:
            raise CardhouseError(f"Magpies is for {FEWEST} to {MOST}, the game master among them; make another place.")

    # The game.

    def play(self) -> Rules[None]:
        """Play all deals, each with one trick for every card in a hand (MP-9)."""
        while self.hands or self.deals < self.options.deals:
            if not self.hands:
                yield from self.ask(self.who_deals)
                yield from self.deal()
            chosen = yield from self.ask_simultaneously(self.who_chooses)
            self.reveal({seat: answer.card for seat, answer in chosen.items()})
            if self.hands:
                yield from self.turn_up_prize()
            else:
                self.count()
        for seat in self.winners():
            self.tell("MP-9", "wins", seat=seat, points=self.total(seat))

    def who_deals(self) -> Ask:
        """Ask who deals: any player, when everyone has seen the points (MP-2)."""
        about = {"deal": self.deals + 1, "deals": self.options.deals}
        return Ask("deal", "MP-2", [Offer(tuple(self.seats), Deal)], about, rest=True, together=True)

    def deal(self) -> Rules[None]:
        """Shuffle all cards and give each player a hand that only they see (MP-2)."""
        self.deals, self.trick, self.last = self.deals + 1, 0, None
        self.deck, self.prizes = Deck.of(STANDARD), []
        players = self.seats[:MOST]
        self.won = {seat: [] for seat in players}
        self.tell("MP-2", "deals", deal=self.deals, n=self.options.hand)
        for seat in players:
            self.hands[seat] = []
            for _ in range(self.options.hand):
                self.hands[seat].append((yield from self.next_card(seat)))
            self.tell("MP-2", "hand", to=seat, cards=sorted(self.hands[seat], key=worth))
        yield from self.turn_up_prize()

    def turn_up_prize(self) -> Rules[None]:
        """Turn up the next prize, next to those that no one took (MP-3, MP-7)."""
        self.trick += 1
        card = yield from self.next_card(None)
        self.prizes.append(card)
        self.tell("MP-3", "prize", card=card, points=worth(card))

    def who_chooses(self) -> Ask:
        """Ask each player for a card of their own hand, in secret (MP-4)."""
        offers = [Offer((seat,), Choose, {"card": OneOf(tuple(hand), "card")}) for seat, hand in self.hands.items()]
        return Ask("choose", "MP-4", offers, {"trick": self.trick, "points": points_of(self.prizes)}, rest=True)

    def reveal(self, played: dict[str, Card]) -> None:
        """Turn over all cards; the highest that isn't cancelled takes the prizes (MP-5 to MP-7)."""
        alike, winner = cancelled(played), taker(played)
        cards = [Played(seat, card, seat in alike) for seat, card in played.items()]
        self.last = Trick(self.trick, list(self.prizes), cards, winner)
        for one in cards:
            rule, said = ("MP-5", "cancelled") if one.cancelled else ("MP-4", "played")
            self.tell(rule, said, seat=one.seat, card=one.card)
        if winner is None:
            self.tell("MP-7", "nobody", points=points_of(self.prizes))
        else:
            self.tell("MP-6", "takes", seat=winner, points=points_of(self.prizes))
            self.won[winner] += self.prizes
            self.prizes = []
        left = {seat: [card for card in hand if card != played[seat]] for seat, hand in self.hands.items()}
        self.hands = {seat: hand for seat, hand in left.items() if hand}

    def count(self) -> None:
        """Count the points of this deal (MP-8). A player who joined later has 0 for each earlier deal."""
        for seat, cards in self.won.items():
            before = self.points.get(seat, [0] * (self.deals - 1))
            self.points[seat] = [*before, points_of(cards)]
            self.tell("MP-8", "counts", seat=seat, points=points_of(cards), total=self.total(seat))

    def total(self, seat: str) -> int:
        """Return a player's points of all finished deals."""
        return sum(self.points.get(seat, ()))

    def winners(self) -> list[str]:
        """Return the players with the most points after the last deal (MP-9); none before."""
        if self.hands or self.deals < self.options.deals:
            return []
        return [seat for seat in self.points if self.total(seat) == max(map(self.total, self.points))]

    def returns(self) -> dict[str, int]:
        """Return each player's points so far (MP-8), for bots that look ahead and agents that learn."""
        return {seat: self.player(seat).points for seat in self.seats[:MOST]}

    # Drawing.

    def next_card(self, seat: str | None) -> Rules[Card]:
        """Draw the next card for a player's hand, or with None as a prize."""
        self.drawing = seat
        card = yield from self.draw("cards", self.not_seen)
        self.drawing = None
        assert card is not None
        return card

    def not_seen(self) -> list[Card]:
        """Return the cards that may come, as far as the drawing player knows: other hands are hidden (MP-2)."""
        hidden = (card for seat, hand in self.hands.items() if seat != self.drawing for card in hand)
        return in_order([*self.deck.cards(), *hidden])

    def who_draws(self, deck: str) -> tuple[str, ...]:
        """With a real deck, players draw their own hands, and anyone turns up the prize."""
        return tuple(self.seats) if self.drawing is None else (self.drawing,)

    # Seeing.

    def view(self, audience: str) -> MagpiesView:
        """Return the table with only this seat's hand and choice."""
        mine = self.choice_of(audience)
        return MagpiesView(
            deal=self.deals,
            trick=self.trick,
            prizes=self.prizes,
            hand=sorted(self.hands.get(audience, []), key=worth),
            chosen=mine and mine.card,
            last=self.last,
            players=[self.player(seat) for seat in self.won or self.seats[:MOST]],
            winners=self.winners(),
        )

    def view_openly(self) -> MagpiesView:
        """Return the table with all hands, for replays."""
        return msgspec.structs.replace(self.view(SCREEN), hands=self.hands)

    def player(self, seat: str) -> Player:
        """Return what everyone may know of a player, with the points of the current deal (MP-8)."""
        deals = self.points.get(seat, [0] * max(0, self.deals - 1))
        if self.hands:
            deals = [*deals, points_of(self.won[seat])]
        hand = self.hands.get(seat, [])
        return Player(seat, len(hand), self.has_chosen(seat), self.won.get(seat, []), deals, sum(deals))

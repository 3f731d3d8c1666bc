"""The view of each seat in Dogpile (DG-6): its own cards, the cells taken, and everything revealed."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import msgspec

from cardhouse.cards import Card, Placed, in_order
from cardhouse.engine import SCREEN
from cardhouse.games.dogpile.judge import Verdict
from cardhouse.games.dogpile.largest import Largest, largest_pack

if TYPE_CHECKING:
    from cardhouse.games.dogpile.deck import DogDeck
    from cardhouse.games.dogpile.rules import Dogpile
    from cardhouse.games.dogpile.state import Round

ONLOOKER = SCREEN
"""The audience of all seats without a hand: the screen, and a game master who doesn't play."""

OPEN_HANDED = ""
"""An audience that is no seat and sees all hands, for replays."""

Phase = Literal["begin", "laying", "judged", "over"]


class LaidView(msgspec.Struct, frozen=True):
    """A card on the grid: its player, its cell and, if the seat may know it, the card."""

    seat: str
    x: int
    y: int
    card: Card | None


class BestView(msgspec.Struct, frozen=True):
    """The largest possible pack of these cards; `proven` if none can be larger."""

    size: int
    proven: bool
    layout: list[Placed]


class RoundView(msgspec.Struct, frozen=True):
    """A round that has been judged; `size` counts the Pack Leader, `rule` decided.

    Once the game is over, `could_have` is the largest possible pack from its Pack Leader and all hands.
    """

    number: int
    player_one: str
    leader: Card
    size: int
    joined: bool
    rule: str
    could_have: BestView | None


class DogpileView(msgspec.Struct, frozen=True):
    """The view of an audience.

    `hands` has the cards of the audience's own hand and the number of cards in the others', and all cards once the game
    is over. `laid` is in the order of laying. After the reveal of a pack that strayed, `best` is the largest pack that
    the Pack Leader and the cards laid could have made. `to_lay` are the players still to lay after `turn`. `dogpile`,
    `strays` and `draft` are counts; every player has seen the cards of the first two. `ends_at` is when the timer
    rings, in Unix seconds; `last` says that no round follows this one.
    """

    phase: Phase
    round: int
    players: list[str]
    player_one: str
    turn: str | None
    to_lay: list[str]
    leader: Card | None
    laid: list[LaidView]
    hands: dict[str, list[Card] | int]
    hand_size: int
    reach: int
    dogpile: int
    strays: int
    draft: int
    dogpile_cards: list[Card]
    stray_cards: list[Card]
    verdict: Verdict | None
    joined: bool | None
    best: BestView | None
    rounds: list[RoundView]
    packs_made: int
    packs_lost: int
    biggest_pack: int
    ends_at: int | None
    rung: bool
    last: bool


def view_of(game: Dogpile, audience: str) -> DogpileView:
    """Return the view of this audience."""
    made = [done.size for done in game.rounds if done.joined]
    revealed = game.verdict is not None
    return DogpileView(
        phase=phase_of(game),
        round=game.round,
        players=game.players,
        player_one=game.player_one,
        turn=game.turn,
        to_lay=game.to_lay,
        leader=game.leader,
        laid=[
            LaidView(laid.seat, laid.x, laid.y, laid.card if revealed or audience in (laid.seat, OPEN_HANDED) else None)
            for laid in game.laid
        ],
        hands={seat: _hand(game, seat, audience) for seat in game.players},
        hand_size=game.options.hand_size,
        reach=len(game.cards_played()),
        dogpile=len(game.dogpile),
        strays=len(game.strays),
        draft=len(game.draft),
        dogpile_cards=list(game.dogpile),
        stray_cards=list(game.strays),
        verdict=game.verdict,
        joined=game.rounds[-1].joined if revealed else None,
        best=_best_of_laid(game) if revealed and not game.rounds[-1].joined else None,
        rounds=[_round(done, game) for done in game.rounds],
        packs_made=len(made),
        packs_lost=len(game.rounds) - len(made),
        biggest_pack=max(made, default=0),
        ends_at=game.ends_at,
        rung=game.rung,
        last=game.is_last(),
    )


def phase_of(game: Dogpile) -> Phase:
    """Return the phase of the round."""
    if game.over:
        return "over"
    if game.verdict is not None:
        return "judged"
    return "laying" if game.round else "begin"


def _hand(game: Dogpile, seat: str, audience: str) -> list[Card] | int:
    hand = game.hands.get(seat, [])
    return in_order(hand) if audience in (seat, OPEN_HANDED) or game.over else len(hand)


def _round(done: Round, game: Dogpile) -> RoundView:
    # Compute it after each round although it is shown only at the end, to avoid one long wait there.
    best = _best(done.leader, tuple(done.open_cards), game.dogs) if game.verdict or game.over else None
    could_have = best if game.over else None
    return RoundView(done.number, done.player_one, done.leader, done.size, done.joined, done.rule, could_have)


def _best_of_laid(game: Dogpile) -> BestView:
    assert game.leader is not None
    return _best(game.leader, tuple(in_order(laid.card for laid in game.laid)), game.dogs)


@lru_cache(maxsize=1024)
def _best(leader: Card, cards: tuple[Card, ...], deck: DogDeck) -> BestView:
    """Return the largest pack. Cached, because every view asks for it."""
    found: Largest = largest_pack(leader, cards, deck)
    return BestView(found.size, found.proven, found.layout)


def where_is(game: Dogpile, card: Card, audience: str) -> str:
    """Return the place of a card that can't be drawn, as far as this audience knows."""
    if card not in game.dogs.cards:
        return f"no card of the deck {game.dogs.name}"
    if card not in game.cards_played():
        return "not played with at this table"
    if card in game.dogpile:
        return "in the Dogpile"
    if card in game.strays:
        return "among the Strays"
    if card in game.hands.get(audience, ()):
        return "in your hand"
    return "not in the draft deck any more"

"""Showdown's bot."""

from random import Random
from typing import Any

from cardhouse.cards import Card
from cardhouse.engine import GM, OfferDoc, Seen
from cardhouse.engine.game import hosting
from showdown.state import height

TOO_LOW = 8
PATIENCE = 0.2
ROUNDS = 3


def gunslinger(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """Redraw low cards, sometimes hold, and cut in on others; as the game master, continue the game."""
    own = {who["name"]: who for who in seen.view["characters"] if who["controller"] == seen.seat}
    may = [answer_of(offer) for offer in seen.offers]
    for answer in may:
        if answer["do"] == "redraw" and answer["name"] in own and is_low(own[answer["name"]]["cards"][0]):
            return answer
    if any(answer["do"] == "hold" and answer["name"] in own for answer in may) and rng.random() < PATIENCE:
        return next(answer for answer in may if answer["do"] == "hold")
    wanted = ("done", "cut_in", "begin", "deal", "end_round")
    said = [a for do in wanted for a in may if a["do"] == do and (a.get("name") is None or a["name"] in own)]
    return next((answer for answer in said if answer.get("against") not in own), None)


def host(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """Somebody for each player, and somebody against them, for some rounds."""
    people, over = seen.view["characters"], seen.view["phase"] == "between" and seen.view["round"] >= ROUNDS
    for seat in hosting.seats_without(seen, people):
        return {"do": "add_character", "name": hosting.new_name(hosting.NAMES, people), "controller": seat}
    if not any(who["controller"] == GM for who in people):
        return {"do": "add_character", "name": hosting.new_name(hosting.FOES, people)}
    return None if over else gunslinger(seen, rng)


def answer_of(offer: OfferDoc) -> dict[str, Any]:
    """The one answer that an offer of this game leaves to be given."""
    return {"do": offer["do"], **{name: field["const"] for name, field in offer["fields"].items()}}


def is_low(card: Card) -> bool:
    """Whether it is worth a token to have another."""
    return height(card)[0] < TOO_LOW

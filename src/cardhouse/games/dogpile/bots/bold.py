"""The bold bot: it takes a risk if that brings more dogs on average."""

from random import Random
from typing import Any

from cardhouse.engine import Seen
from cardhouse.games.dogpile.bots.cautious import sure
from cardhouse.games.dogpile.bots.fits import fits_of
from cardhouse.games.dogpile.bots.hidden import Guess, constrain_beside_leader
from cardhouse.games.dogpile.bots.turn import Turn, lay
from cardhouse.games.dogpile.bots.weighing import Weighing


def bold(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """Lay the cards that maximise the expected size of the pack.

    It counts the cards that it has not seen: a face-down card beside the Pack Leader is one of those that fit it, any
    other may be any. While there are no face-down cards, it plays like the cautious bot.
    """
    turn = Turn.of(seen)
    if turn is None or not turn.theirs:
        return sure(seen, rng)
    fits = fits_of(turn.deck)
    leader = fits.number[turn.leader]
    may_lie = constrain_beside_leader(leader, dict.fromkeys(turn.theirs, fits.bits(turn.unseen)), fits)
    return lay(Weighing(turn, fits, Guess(leader, may_lie, fits)).best(), turn)

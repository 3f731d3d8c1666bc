"""The bold bot: it takes a chance where that brings more dogs on average."""

from random import Random
from typing import Any

from cardhouse.engine import Seen
from cardhouse.games.dogpile.bots.cautious import sure
from cardhouse.games.dogpile.bots.fits import fits_of
from cardhouse.games.dogpile.bots.hidden import Guess, beside_leader
from cardhouse.games.dogpile.bots.turn import Turn, lay
from cardhouse.games.dogpile.bots.weighing import Weighing


def bold(seen: Seen, rng: Random) -> dict[str, Any] | None:
    """What makes the pack largest, weighed with the chance that it joins.

    It counts the cards that it has not seen: beside the Pack Leader lies one of those that fit to it, elsewhere any. As
    long as nothing lies there it can as well be sure.
    """
    turn = Turn.of(seen)
    if turn is None or not turn.theirs:
        return sure(seen, rng)
    fits = fits_of(turn.deck)
    leader = fits.number[turn.leader]
    may_lie = beside_leader(leader, dict.fromkeys(turn.theirs, fits.bits(turn.unseen)), fits)
    return lay(Weighing(turn, fits, Guess(leader, may_lie, fits)).best(), turn)

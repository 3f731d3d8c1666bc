"""Simultaneous secret choices: several seats choose, and nothing is revealed until all have."""

from collections.abc import Callable, Mapping
from functools import cache, reduce
from operator import or_
from typing import TYPE_CHECKING, Any

import msgspec

from cardhouse.engine.values.documents import OfferDoc
from cardhouse.engine.values.questions import Action, Again, Ask, Meanwhile, Rules

if TYPE_CHECKING:
    from cardhouse.engine.game.game import Game

Chosen = dict[str, dict[str, Any]]
"""The choices that aren't revealed yet, as lines of a transcript, by seat, in the order in which they were made."""


def ask_simultaneously(game: "Game", question: Callable[[], Ask | None]) -> Rules[dict[str, Any]]:
    """Ask until all have chosen, or until the question is None; return the choices by seat."""
    while (asked := question()) is not None:
        put = put_in_secret(asked, game.in_secret)
        if not put.waits_for:
            break
        answer = yield put
        if type(answer) is Meanwhile:
            yield from game.run_interruption(answer.action)
        elif type(answer) is not Again:
            seat = chooser_of(put, game.by, answer)
            game.tell(put.rule, "chose_anew" if seat in game.in_secret else "has_chosen", seat=seat)
            game.in_secret[seat] = msgspec.to_builtins(answer)
            continue
        forget_changed(game.in_secret, put, question())
    chosen = {seat: game.choice_of(seat) for seat in game.seats if seat in game.in_secret}
    game.in_secret = {}
    game.learned = game.secrets_out = True
    return chosen


def put_in_secret(question: Ask, chosen: Chosen) -> Ask:
    """Return the question as it is put: seats that have chosen may change their choice, the others come first."""
    waits_for = tuple(seat for seat in choosing_seats(question) if seat not in chosen)
    offers = sorted(question.offers, key=lambda offer: not offer.by or offer.by[0] in chosen)
    return msgspec.structs.replace(question, offers=offers, together=True, secret=True, waits_for=waits_for)


def choosing_seats(question: Ask) -> list[str]:
    """Return the seats whose choices are asked for: the first seat of each offer. The others may act in its place."""
    return list(dict.fromkeys(offer.by[0] for offer in question.offers if offer.by and offer.is_open))


def chooser_of(question: Ask, by: str, action: Action) -> str:
    """Return whose choice an answer is: the sender's, if an offer allows it, otherwise that of the seat it acts for."""
    fits = (offer for offer in question.offers if offer.do is type(action) and by in offer.by)
    seats = [offer.by[0] for offer in fits if not offer.problems(action)]
    return by if by in seats else seats[0]


def forget_changed(chosen: Chosen, before: Ask, now: Ask | None) -> None:
    """Drop the choice of each seat whose offers have changed.

    This compares the offers and not the choices, which would reveal something about them.
    """
    for seat in list(chosen) if now is not None else ():
        if _offered(before, seat) != _offered(now, seat):
            del chosen[seat]


def _offered(question: Ask | None, seat: str) -> list[OfferDoc]:
    offers = () if question is None else question.offers
    return [offer.as_json() for offer in offers if offer.by and offer.by[0] == seat]


def read_choice(line: Mapping[str, Any], actions: tuple[type[Action], ...]) -> Action:
    """Read a choice as it was sent."""
    return msgspec.convert(line, _any_of(actions))  # type: ignore[no-any-return]


@cache
def _any_of(actions: tuple[type[Action], ...]) -> Any:
    return reduce(or_, actions)

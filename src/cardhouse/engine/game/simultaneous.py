"""Choices in secret: several choose at once, and nobody is told what anybody chose before all have."""

from collections.abc import Callable, Mapping
from functools import cache, reduce
from operator import or_
from typing import TYPE_CHECKING, Any

import msgspec

from cardhouse.engine.values.questions import Action, Again, Ask, Meanwhile, Rules

if TYPE_CHECKING:
    from cardhouse.engine.game.game import Game

Chosen = dict[str, dict[str, Any]]
"""What seats have chosen and isn't revealed yet, as lines of a transcript, in the order in which they chose."""


def ask_in_secret(game: "Game", question: Callable[[], Ask | None]) -> Rules[dict[str, Any]]:
    """Ask until all have chosen, or the question has become pointless (None): what each has chosen, by seat."""
    while (asked := question()) is not None:
        put = put_in_secret(asked, game.in_secret)
        if not put.waits_for:
            break
        answer = yield put
        if type(answer) is Meanwhile:
            yield from game.in_between(answer.action)
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
    """The question as it is put: who has chosen may choose anew, and the others are waited for first."""
    waits_for = tuple(seat for seat in who_choose(question) if seat not in chosen)
    offers = sorted(question.offers, key=lambda offer: not offer.by or offer.by[0] in chosen)
    return msgspec.structs.replace(question, offers=offers, together=True, secret=True, waits_for=waits_for)


def who_choose(question: Ask) -> list[str]:
    """Whose choices are asked for: of each offer the first who may give it; others give it in their stead."""
    return list(dict.fromkeys(offer.by[0] for offer in question.offers if offer.by and offer.is_open))


def chooser_of(question: Ask, by: str, action: Action) -> str:
    """Whose choice an answer is: of the one who gave it, where it can be, or else in whose stead it was given."""
    fits = (offer for offer in question.offers if offer.do is type(action) and by in offer.by)
    seats = [offer.by[0] for offer in fits if not offer.problems(action)]
    return by if by in seats else seats[0]


def forget_changed(chosen: Chosen, before: Ask, now: Ask | None) -> None:
    """Whoever may choose something else now than before chooses anew.

    That goes by what is offered and not by what was chosen, or it would tell something of it.
    """
    for seat in list(chosen) if now is not None else ():
        if _offered(before, seat) != _offered(now, seat):
            del chosen[seat]


def _offered(question: Ask | None, seat: str) -> list[dict[str, Any]]:
    offers = () if question is None else question.offers
    return [offer.as_json() for offer in offers if offer.by and offer.by[0] == seat]


def read_choice(line: Mapping[str, Any], actions: tuple[type[Action], ...]) -> Action:
    """A choice as it was given."""
    return msgspec.convert(line, _any_of(actions))  # type: ignore[no-any-return]


@cache
def _any_of(actions: tuple[type[Action], ...]) -> Any:
    return reduce(or_, actions)

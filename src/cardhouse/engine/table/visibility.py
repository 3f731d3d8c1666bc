"""The content that a table's seats receive: the question, their possible answers, odds, and events."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import signature
from typing import Any

import msgspec

from cardhouse.engine.diagnostics.questions import wrong_offer
from cardhouse.engine.diagnostics.runtime_errors import crash_of
from cardhouse.engine.game.game import Game
from cardhouse.engine.game.overrides import Editable, editable_of
from cardhouse.engine.table.log import Entry
from cardhouse.engine.table.runner import chance_offer
from cardhouse.engine.values.documents import OfferDoc, QuestionDoc
from cardhouse.engine.values.errors import BadGame, CardhouseError, Refused
from cardhouse.engine.values.questions import GM, Ask, Draw, Offer, Over, Question, Roll

_encode = msgspec.json.Encoder().encode


def asked(question: Question | Over, seats: Sequence[str], *, ended: bool) -> QuestionDoc:
    """Return the open question, as everyone may know it; these seats may answer it."""
    if isinstance(question, Ask):
        document: QuestionDoc = {
            "seats": list(seats),
            "with": dict(question.about),
            "key": question.key,
            "kind": "step" if question.key == "step" else "ask",
            "rule": question.rule,
        }
        if question.together:
            document["together"] = True
            if question.waits_for:
                document["waits_for"] = list(question.waits_for)
        if question.secret:
            document["secret"] = True
        return document
    if isinstance(question, Draw):
        document = {"seats": list(seats), "with": {"deck": question.deck}, "key": "draw", "kind": "draw"}
        if question.waits_for:
            document["seats"] = list(question.waits_for)  # others may name the card in their place
        if question.rule:
            document["rule"] = question.rule
        if question.key != "draw":
            document["prompt"] = {"key": question.key, "with": {"deck": question.deck, **question.about}}
        return document
    if isinstance(question, Roll):
        return {"seats": list(seats), "with": {"dice": question.dice}, "key": "roll", "kind": "roll"}
    return {"key": "ended" if ended else "over", "kind": "over", "seats": [], "with": {}}


def prompt_of(asks: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the key of the text that puts a question, and the values for its blanks."""
    prompt = asks.get("prompt", asks)
    return prompt["key"], prompt["with"]


def answers(question: Question | Over, seats: Sequence[str], seat: str) -> list[OfferDoc]:
    """Return a seat's possible answers to the open question, as the protocol writes them; `seats` may answer it."""
    if isinstance(question, Ask):
        return [_offered(offer, seat) for offer in _open_to(seat, question.offers)]
    if isinstance(question, Draw | Roll) and seat in seats:
        waits_for = question.waits_for if isinstance(question, Draw) else ()
        for_another = bool(waits_for) and seat not in waits_for
        offer = chance_offer(question, seat)
        return [{**offer, "for": waits_for[0]} if for_another else offer]
    return []


def _offered(offer: Offer, seat: str) -> OfferDoc:
    """Return an offer as the protocol writes it.

    For the game master with the seat being waited for, if it is another's.
    """
    for_another = seat == GM and offer.by[0] != GM
    return {**offer.as_json(), "for": offer.by[0]} if for_another else offer.as_json()


def at_any_time(offers: Sequence[Offer], seat: str) -> list[OfferDoc]:
    """Return what a seat may do at any time, as the protocol writes it."""
    return [{**offer.as_json(), "anytime": True} for offer in _open_to(seat, offers)]


def always_of(game: Game) -> Sequence[Offer]:
    """Return what any seat may do at any time.

    Raises BadGame if one of the offers is invalid.
    """
    try:
        offers = game.at_any_time()
    except CardhouseError:
        raise
    except Exception as error:
        raise crash_of(f"{type(game).__name__}.at_any_time", error) from error
    if problem := wrong_offer(game, offers):
        raise BadGame(f"{type(game).__name__}.at_any_time offers {problem}")
    return offers


def editable_now(game: Game) -> Sequence[Editable]:
    """Return what the game master may edit by hand now.

    Raises BadGame if the game's code raises an error.
    """
    try:
        return editable_of(game)
    except CardhouseError:
        raise
    except Exception as error:
        raise crash_of(f"{type(game).__name__}.editable", error) from error


def _open_to(seat: str, offers: Sequence[Offer]) -> Iterator[Offer]:
    return (offer for offer in offers if seat in offer.by and offer.is_open)


def odds_of(game: Game, name: str, seat: str, what_if: dict[str, int]) -> dict[str, Any]:
    """Return the chances that matter now in the game of this name, from what a seat may know.

    Raises CardhouseError if the game's odds don't accept one of `what_if`.
    """
    known = list(signature(type(game).odds).parameters)[2:]
    if unknown := [key for key in what_if if key not in known]:
        takes = f"take {', '.join(known)}" if known else "take no parameters"
        raise CardhouseError(f"The odds of {name} don't take {unknown[0]}; they {takes}.")
    try:
        return dict(game.odds(game.audience(seat), **what_if))
    except CardhouseError:
        raise
    except Exception as error:
        raise crash_of(f"{type(game).__name__}.odds", error) from error


def view_of(game: Game, seat: str) -> dict[str, Any]:
    """Return a seat's view of the game as plain data.

    Raises BadGame if the view raises an error or contains data that JSON can't hold.
    """
    return _plain(game, _seen(game, seat), msgspec.to_builtins)  # type: ignore[no-any-return]


def doc_of(game: Game, seat: str, asks: QuestionDoc) -> bytes:
    """Return a seat's document as JSON: its view of the game, and the question.

    Raises BadGame as `view_of` does.
    """
    return write_doc(game, _seen(game, seat), asks)


def write_doc(game: Game, view: msgspec.Struct, asks: QuestionDoc) -> bytes:
    """Return the document with this view of the game.

    Raises BadGame if it contains data that JSON can't hold.
    """
    return _plain(game, {"view": view, "asks": asks}, _encode)  # type: ignore[no-any-return]


def _seen(game: Game, seat: str) -> msgspec.Struct:
    try:
        view = game.view(game.audience(seat))
    except CardhouseError:
        raise
    except Exception as error:
        raise crash_of(f"{type(game).__name__}.view", error) from error
    if not isinstance(view, msgspec.Struct):
        raise BadGame(
            f"{type(game).__name__}.view returns {_a(view)}: it must return a msgspec.Struct of everything that this "
            f"audience may know."
        )
    return view


def _plain(game: Game, value: Any, write: Callable[[Any], Any]) -> Any:
    try:
        return write(value)
    except (TypeError, ValueError) as error:
        raise BadGame(
            f"{type(game).__name__}.view returns data that JSON can't hold ({error}). Return only numbers, texts, "
            f"lists, dictionaries with text keys, and structs of these."
        ) from error


def _a(value: Any) -> str:
    return "nothing" if value is None else f"a {type(value).__name__}"


def story_of(entry: Entry, game: Game, seat: str) -> dict[str, Any]:
    """Return an entry's events, as a seat may know them."""
    audience = game.audience(seat)
    events = [event.as_json() for event in entry.events if event.is_told(seat, audience)]
    story: dict[str, Any] = {"n": entry.number, "by": entry.by, "events": events}
    if entry.undoes:
        story["undo"] = entry.undoes
    if entry.redoes:
        story["redo"] = entry.redoes
    if entry.undone:
        story["undone"] = True
    if entry.kind in ("draw", "roll"):
        story["named"] = True
    return story


def refused(error: Refused, offers: list[OfferDoc], seats: Sequence[str]) -> Refused:
    """Return the refusal of an answer, with what is offered instead, or the seat being waited for."""
    if offers:
        instead = "Offered now: " + ", ".join(dict.fromkeys(_brief(offer) for offer in offers))
    elif seats:
        instead = f"Waiting for {seats[0]}"
    else:
        instead = "Nothing is asked"
    full = Refused(error.problem, "not_offered", offers, f"{instead}.")
    full.field, full.fault = error.field, error.fault
    return full


def _brief(offer: OfferDoc) -> str:
    """Return an offer in a few words, for an error's sentence."""
    needed = [field for name, field in offer["fields"].items() if name not in offer.get("optional", ())]
    fixed = [str(field["const"]) for field in needed if "const" in field]
    word = offer.get("do") or ("draw" if "draw" in offer else "roll")
    return f"{word} ({', '.join(fixed)})" if fixed else str(word)

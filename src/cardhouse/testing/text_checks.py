"""Checks that everything at a table has its words and rule, and that offers are consistent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from cardhouse.engine import (
    SCREEN,
    Ask,
    BadGame,
    Catalogue,
    Entry,
    Event,
    Game,
    Offer,
    Table,
    Words,
    catalogue_of,
    recap_of,
)
from cardhouse.engine.game.catalogue import blanks, fields_asked, no_rule, no_words, values_asked
from cardhouse.engine.game.overrides import BY_HAND
from cardhouse.engine.table.visibility import always_of, prompt_of

_WORD = re.compile(r"[a-z][a-z_]*")
ENGINES_RULE = "table"
"""The rule cited by events that every table has."""


def check_texts(table: Table, entry: Entry | None = None) -> None:
    """Raises BadGame unless the question, the offers and the entry's events have words, and their rules have texts.

    Every blank in the words must be filled by the data of the event or question.
    """
    catalogue, kind = catalogue_of(table.kind), table.kind
    for event in entry.events if entry is not None else ():
        _check_event(kind, catalogue, table, event)
    asks = table.asks()
    if "rule" in asks and asks["rule"] not in catalogue.rules:
        raise BadGame(f"The question {asks['key']}: {no_rule(kind, asks['rule'])}")
    key, about = prompt_of(asks)
    if key not in catalogue.words.asks:
        raise BadGame(no_words(kind, "asks", key))
    texts = catalogue.words.asks[key]
    for text in (texts.you, texts.others, texts.screen):
        _check_text(kind, catalogue.words, f"the question {key}", text, about)
    for seat in table.seats:
        for offer in table.offers(seat, anytime=True):
            _check_offer(kind, catalogue.words, offer, asks)


def check_recap(table: Table) -> None:
    """Raises BadGame unless the recap's items have words with filled blanks, and its rules have texts."""
    catalogue, kind = catalogue_of(table.kind), table.kind
    evening = recap_of(table)
    entries = [(one.key, {"n": one.n, **one.about}, "") for one in evening.figures]
    people = [(one.key, one.about, "") for one in evening.people if one.key]
    said = (evening.headline, *((evening.verdict.reason, evening.verdict.turning_point) if evening.verdict else ()))
    paid = evening.verdict.paid if evening.verdict else ()
    moments = [*evening.moments, *paid, *(one for one in said if one is not None)]
    for key, about, rule in (*entries, *people, *((one.key, one.about, one.rule) for one in moments)):
        if rule and rule not in catalogue.rules:
            raise BadGame(f"The evening's {key}: {no_rule(kind, rule)}")
        if key not in catalogue.words.evening:
            raise BadGame(no_words(kind, "evening", key))
        _check_text(kind, catalogue.words, f"the evening's {key}", catalogue.words.evening[key], about)
        title = catalogue.words.evening.get(f"{key}.title", "")
        _check_text(kind, catalogue.words, f"the evening's {key}.title", title, about)


def _check_event(kind: type[Game], catalogue: Catalogue, table: Table, event: Event) -> None:
    if event.rule not in (*catalogue.rules, ENGINES_RULE, BY_HAND):
        raise BadGame(f"The event {event.key}: {no_rule(kind, event.rule)}")
    if event.key not in catalogue.words.events:
        raise BadGame(no_words(kind, "events", event.key))
    _check_text(kind, catalogue.words, f"the event {event.key}", catalogue.words.events[event.key], event.about)
    if moment := catalogue.words.moment(event.key, event.about):
        for text in (moment.title, moment.you):
            _check_text(kind, catalogue.words, f"the moment {event.key}", text, event.about)
    for blank in fields_asked(catalogue.words.events[event.key]):
        if event.about[blank] not in catalogue.words.fields:
            raise BadGame(no_words(kind, "fields", event.about[blank]))
    there = {*table.seats, SCREEN, *_audiences(table.game, (*table.seats, SCREEN))}
    for seat in (*event.to, *event.but):
        if seat not in there:
            raise BadGame(
                f"The event {event.key} names {seat}, which is neither a seat nor an audience. Choose from "
                f"{', '.join(sorted(there))}."
            )


def _audiences(game: Game, seats: Sequence[str]) -> set[str]:
    """Return the audiences of a game and of its parts, whose events use their own."""
    parts = (_audiences(getattr(game, part), seats) for part in game.parts)
    return {game.audience(seat) for seat in seats}.union(*parts)


def _check_offer(kind: type[Game], words: Words, offer: Mapping[str, Any], asks: Mapping[str, Any]) -> None:
    word = offer.get("do", "draw" if "draw" in offer else "roll")
    if word not in words.actions:
        raise BadGame(no_words(kind, "actions", word))
    for field in offer["fields"]:
        if field not in words.fields:
            raise BadGame(no_words(kind, "fields", field))
    called = words.actions.get(f"{word}.{asks['key']}", "")
    _check_text(kind, words, f"the action {word}.{asks['key']}", called, asks["with"])


def _check_text(kind: type[Game], words: Words, of: str, text: str, about: Mapping[str, Any]) -> None:
    for blank in sorted(blanks(text)):
        if blank not in about:
            raise BadGame(
                f"In the words of {of}, {{{blank}}} has no value: pass {blank}=… with the event or question, or "
                f"remove it from words.toml of {kind.name}. Available: {', '.join(about) or 'none'}."
            )
    for blank in values_asked(text):
        for value in _words_in(about[blank]):
            if f"{blank}.{value}" not in words.values:
                raise BadGame(no_words(kind, "values", f"{blank}.{value}"))


def _words_in(value: Any) -> Iterable[str]:
    """Return the values with the form of rule words; other values are shown to people unchanged."""
    values = value if isinstance(value, (list, tuple)) else [value]
    return [one for one in values if isinstance(one, str) and _WORD.fullmatch(one)]


def check_view(table: Table) -> None:
    """Raises BadGame if a view doesn't match the declared types of its struct."""
    for seat in (*table.seats, SCREEN):
        shown = table.view(seat)
        declared = type(table.game.view(table.game.audience(seat)))
        try:
            msgspec.convert(shown, declared)
        except msgspec.ValidationError as error:
            raise BadGame(
                f"{table.kind.__name__}.view({seat}) doesn't match its declaration {declared.__name__}: {error}. The "
                f"page relies on the declaration: change the view or the declaration."
            ) from error


# Offers.


def check_examples(table: Table) -> None:
    """Raises BadGame if an offer has an example that it refuses itself."""
    for offer in offers_of(table):
        for example in offer.examples:
            problem = _refused(offer, example)
            if problem:
                raise BadGame(
                    f"An offer of {offer.do.__name__} has an example that it refuses itself, "
                    f"{msgspec.json.encode(example).decode()}: {problem}. Fields, also and examples must agree."
                )


def _refused(offer: Offer, example: Mapping[str, Any]) -> str | None:
    try:
        action = msgspec.convert({"do": offer.do.word(), **msgspec.to_builtins(example)}, offer.do)
    except msgspec.ValidationError as error:
        return str(error)
    return next(iter(offer.problems(action)), None)


def offers_of(table: Table) -> Iterator[Offer]:
    """Yield all current offers."""
    if isinstance(table.question, Ask):
        yield from table.question.offers
        yield from always_of(table.game)

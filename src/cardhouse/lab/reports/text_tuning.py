"""The text of tuning results: sentences, and JSON for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from cardhouse.lab.reports.text_sensitivity import describe_settings
from cardhouse.lab.search.tuning import Candidate, Tuned
from cardhouse.lab.words.labels import minus
from cardhouse.lab.words.numbers import number_shown

TITLE = "Which settings meet the targets?"


def conditions(found: Tuned) -> str:
    """Return what was asked, and the kind of intervals."""
    question = found.wanted.question
    parts = [f"{question.game} {question.name}", *describe_settings(question)]
    sure = f"{100 * found.wanted.confidence:g}% intervals"
    return "; ".join([*parts, sure if found.stopped else f"{sure} for all at once"])


def describe_search(found: Tuned) -> str:
    """Return how many choices were tried, and how."""
    if found.is_whole:
        return f"All {found.tried:,} choices were tried, with {found.played:,} trials in all."
    near = ", ".join("met all" if not one.best else f"{one.best:.2g} off" for one in found.starts)
    searches = "1 search" if len(found.starts) == 1 else f"{len(found.starts)} searches"
    return (
        f"The lab tried {found.tried:,} of {found.size:.3g} choices in {searches}, with {found.played:,} trials in "
        f"all. Distance of each search from the targets, in steps: {near}."
    )


def sentences(found: Tuned) -> Iterator[str]:
    """Yield the answer in words."""
    yield verdict(found)
    yield describe_search(found)
    if found.stopped:
        yield (
            "Stopped early: the lab chose by these numbers, so they look too good. "
            "The same command continues from there."
        )
    elif found.best:
        yield (
            f"The numbers are from {found.wanted.trials:,} new trials of each, which had no part in the choice; "
            "all their intervals hold at once."
        )


def verdict(found: Tuned) -> str:
    """Return whether the targets can be met, as far as is known."""
    many = sum(one.meets for one in found.best)
    if many:
        rest = "fewest changes first" if many > 1 else "with the fewest changes that were found"
        return f"{many} {'choices meet' if many > 1 else 'choice meets'} all targets, {rest}."
    perhaps = any("missed" not in one.grades for one in found.best)
    if perhaps:
        return "Some may meet all targets: their intervals lie partly within. More trials would decide."
    if len(found.targets) > 1 and len(found.best) > 1:
        return "No choice that was tried meets all targets. These are the trade-offs: each is worse in some target."
    return (
        "No choice that was tried meets the targets. This one comes nearest."
        if found.best
        else "Nothing could be tried."
    )


def describe_changes(one: Candidate) -> str:
    """Return the changes in brief, grouping pieces that become the same."""
    if not one.differs:
        return "as it is"
    pieces: dict[str, list[str]] = {}
    alone = []
    for change, becomes in one.differs.items():
        key, comma, _ = change.partition(",")
        if comma:
            pieces.setdefault(becomes, []).append(key)
        else:
            alone.append(f"{change} {becomes}")
    return ", ".join([*alone, *(f"{becomes}: {' '.join(keys)}" for becomes, keys in pieces.items())])


def numbers_of(found: Tuned, one: Candidate) -> list[str]:
    """Return the finding of each target with its interval."""
    numbers = zip(found.targets, one.estimates, strict=True)
    return [minus(number_shown(target.finding, number)) for target, number in numbers]


def as_json(found: Tuned) -> dict[str, Any]:
    """Return the result for programs; shares are from 0 to 1."""
    wanted = found.wanted
    return {
        "game": wanted.question.game,
        "question": wanted.question.name,
        "settings": msgspec.to_builtins(wanted.question),
        "targets": [
            {
                "finding": one.finding.key,
                "text": one.text,
                "relation": one.relation,
                "value": one.value,
                "give": one.give,
            }
            for one in found.targets
        ],
        "vary": list(wanted.vary),
        "seed": wanted.seed,
        "confidence": wanted.confidence,
        "confidence_of_each": found.each,
        "tried": found.tried,
        "choices": found.size,
        "all_tried": found.is_whole,
        "played": found.played,
        "stopped": found.stopped,
        "met": found.met,
        "now": None if found.now is None else _candidate(found.now),
        "best": [_candidate(one) for one in found.best],
        "rest": [_candidate(one) for one in found.rest],
        "starts": msgspec.to_builtins(found.starts),
    }


def _candidate(one: Candidate) -> dict[str, Any]:
    return {
        "changes": one.differs,
        "settings": msgspec.to_builtins(one.question),
        "trials": one.trials,
        "confirmed": one.confirmed,
        "meets": one.meets,
        "targets": [
            {**msgspec.to_builtins(number), "grade": grade}
            for number, grade in zip(one.estimates, one.grades, strict=True)
        ],
    }

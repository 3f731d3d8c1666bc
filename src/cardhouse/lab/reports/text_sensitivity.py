"""The text of sensitivity results: sentences, and JSON for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from cardhouse.lab.questions.question import Question
from cardhouse.lab.questions.settings import changes
from cardhouse.lab.search.ranking import FEW, CombinedEffect, Effect
from cardhouse.lab.search.sensitivity import Sensitivity
from cardhouse.lab.words.labels import minus, words_of
from cardhouse.lab.words.numbers import how_many, number_shown


def title_of(found: Sensitivity) -> str:
    """Return the question in words."""
    return "What matters most?"


def conditions(found: Sensitivity) -> str:
    """Return the conditions of the numbers."""
    given = describe_settings(found.question)
    parts = [f"{found.question.game} {found.question.name}", *given, how_many(found.trials, found.question.trial)]
    return "; ".join([*parts, f"{100 * found.confidence:g}% intervals for all at once"])


def describe_settings(question: Question) -> list[str]:
    """Return the settings that aren't defaults."""
    return [f"{words_of(name)} {value}" for name, value in changes(type(question)(), question).items()]


def sentences(found: Sensitivity) -> Iterator[str]:
    """Yield the answer in words: how much was compared, what matters most, and which pieces of each setting do."""
    if not found.effects:
        return
    seen = [one for one in found.effects if one.is_seen]
    yield (
        f"{len(seen):,} of {len(found.effects):,} changes have a clear effect. "
        "The lab made each one alone, on the same deals."
    )
    for name in dict.fromkeys(one.variation.setting for one in found.effects if one.variation.key):
        some = [one for one in found.effects if one.variation.setting == name]
        for lowers, word in ((True, "lower"), (False, "raise")):
            most = [one for one in some if one.is_seen and ((one.more.value or 0) < 0) == lowers][:FEW]
            if most:
                yield f"{len(some)} changes of {words_of(name)}: these {word} it most: {_listed(found, most)}."
    for together in found.together:
        yield _combined(found, together)
    if found.left_out:
        yield f"Left out, because they don't have this finding: {', '.join(found.left_out)}."
    if found.not_begun:
        yield f"{len(found.not_begun):,} changes were not begun: {', '.join(found.not_begun)}."
    if found.stopped:
        few = f": the numbers rest on {found.trials:,} of {found.asked:,} trials" if found.trials < found.asked else ""
        yield f"Stopped early{few}. The same command continues from there."


def _listed(found: Sensitivity, effects: Sequence[Effect]) -> str:
    return ", ".join(
        f"{one.variation.what} ({one.variation.becomes}: {more_shown(found, one.more)})" for one in effects
    )


def _combined(found: Sensitivity, together: CombinedEffect) -> str:
    """Return a sentence on the combined effect of the strongest pieces."""
    becomes = {one.variation.becomes for one in together.effects}
    alike = becomes.pop() if len(becomes) == 1 else ""
    names = [one.variation.key + ("" if alike else f" {one.variation.becomes}") for one in together.effects]
    words = " and ".join((", ".join(names[:-1]), names[-1])) + (f" {alike}" if alike else "")
    then = minus(number_shown(found.finding, together.estimate))
    return f"With {words} all at once, on new cards, it is {then}: {more_shown(found, together.more)}."


def more_shown(found: Sensitivity, number: Any) -> str:
    """Return a difference with its error; for shares in points."""
    text = minus(number_shown(found.finding, number, signed=True))
    return f"{text.removesuffix('%')} points" if text.endswith("%") else text


def as_json(found: Sensitivity) -> dict[str, Any]:
    """Return the result for programs; shares and their differences are from 0 to 1."""
    return {
        "game": found.question.game,
        "question": found.question.name,
        "settings": msgspec.to_builtins(found.question),
        "finding": {"key": found.finding.key, "text": found.finding.text, "kind": found.finding.kind},
        "estimate": msgspec.to_builtins(found.estimate),
        "trials": found.trials,
        "seed": found.seed,
        "confidence": found.confidence,
        "confidence_of_each": found.each,
        "stopped": found.stopped,
        "effects": [_effect(one) for one in found.effects],
        "together": [
            {
                "setting": one.setting,
                "pieces": {each.variation.key: each.variation.becomes for each in one.effects},
                "estimate": msgspec.to_builtins(one.estimate),
                "difference": msgspec.to_builtins(one.more),
            }
            for one in found.together
        ],
        "left_out": list(found.left_out),
    }


def _effect(effect: Effect) -> dict[str, Any]:
    one = effect.variation
    return {
        "setting": one.setting,
        "piece": one.key or None,
        "what": one.what,
        "was": one.was,
        "becomes": one.becomes,
        "estimate": msgspec.to_builtins(effect.estimate),
        "difference": msgspec.to_builtins(effect.more),
        "seen": effect.is_seen,
    }

"""Look-up of findings by key, or by words from their text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from cardhouse.engine import CardhouseError
from cardhouse.lab.questions.question import Finding

FILLERS = frozenset(("a", "an", "and", "at", "by", "from", "in", "is", "of", "on", "or", "than", "the", "to", "within"))
"""Words that don't distinguish findings."""
ALIKE = 0.8
"""The similarity above which two words are one word, mistyped."""
KINDS = {"mean": {"mean", "average"}, "share": {"chance", "share", "probability"}}
"""Words for the kinds of numbers."""
CLEARLY = 1.2
"""The factor by which a finding must fit better than the next."""
RULES = re.compile(r"\([A-Z]+-[^()]*\)")
"""Citations of rules don't distinguish findings."""
MOST_LISTED = 12


class Fit(NamedTuple):
    """The fit of words to a finding: 1 if no number in it is left out, and the share of its words mentioned."""

    numbers: int
    share: float


NONE = Fit(0, 0.0)


def find_finding(findings: Sequence[Finding], text: str) -> Finding:
    """Return the finding that is meant: `dead_by_3`, or `dead within 3 hits`.

    Every word that distinguishes findings must be in its text, up to a mistyped letter, and every number exactly; of
    several, the one with clearly the fewest other words. Raises CardhouseError, listing the findings, if none or
    several match.
    """
    exactly = {one.text.lower(): one for one in findings} | {one.key: one for one in findings}
    if (found := exactly.get(text.strip()) or exactly.get(text.strip().lower())) is not None:
        return found
    fits = {one.key: _fit(text, one) for one in findings}
    best = max(fits.values(), default=NONE)
    fitting = [one for one in findings if fits[one.key].numbers == best.numbers and fits[one.key].share > 0]
    if not fitting:
        raise CardhouseError(f'There is no finding "{text.strip()[:60]}". Choose from: {listed(findings)}.')
    fitting.sort(key=lambda one: -fits[one.key].share)
    if len(fitting) > 1 and fits[fitting[0].key].share < CLEARLY * fits[fitting[1].key].share:
        several = " or ".join(f"{one.key} ({one.text})" for one in fitting[:3])
        raise CardhouseError(f'"{text.strip()[:60]}" may be {several}; say which by its key.')
    return fitting[0]


def listed(findings: Sequence[Finding]) -> str:
    """Return findings by key and text; of a line of them only the first and the last."""
    ends: dict[str, list[Finding]] = {}
    for one in findings:
        ends.setdefault(one.series or one.key, []).append(one)
    shown = [
        f"{some[0].key} to {some[-1].key} ({some[-1].text})" if len(some) > 1 else f"{some[0].key} ({some[0].text})"
        for some in ends.values()
    ]
    more = [f"{len(shown) - MOST_LISTED} more"] if len(shown) > MOST_LISTED else []
    return ", ".join(shown[:MOST_LISTED] + more)


def _fit(query: str, finding: Finding) -> Fit:
    """Return how well words fit a finding."""
    wanted = _words(query)
    text = _words(RULES.sub("", finding.text))
    own = text | _words(finding.key.replace("_", " "))
    if any(finding.kind != kind and (names & wanted) - own for kind, names in KINDS.items()):
        return NONE
    left = wanted - (KINDS[finding.kind] - own)
    close = {word: {mine for mine in own if _alike(word, mine)} for word in left}
    if not left or not all(close.values()):
        return NONE
    said_of_it = set().union(*close.values())
    unsaid = any(word[0].isdigit() for word in text - said_of_it)
    return Fit(1 - unsaid, len(said_of_it) / len(text | said_of_it))


def _words(text: str) -> set[str]:
    """Return the words and numbers that distinguish findings, in the singular."""
    words = re.findall(r"\d+(?:\.\d+)?|[^\W\d_]+", text.lower())
    return {word if word.endswith("ss") else word.removesuffix("s") or word for word in words if word not in FILLERS}


def _alike(one: str, other: str) -> bool:
    if one == other or one[0].isdigit() or other[0].isdigit():
        return one == other
    return SequenceMatcher(None, one, other).ratio() >= ALIKE

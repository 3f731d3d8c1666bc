"""Targets for findings, as users write them: `dead by hit 3 = 50%`, `recovery < 8 weeks`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

import msgspec

from cardhouse.engine import CardhouseError
from cardhouse.lab.questions.question import Finding
from cardhouse.lab.statistics.estimate import Estimate
from cardhouse.lab.words.finding_lookup import find_finding

POINT: Final = 0.01
"""The default tolerance of a target for a share: one percentage point."""
PART: Final = 0.02
"""The default tolerance of a target for a mean, as a fraction of it."""

Relation = Literal["=", "<", ">"]
Grade = Literal["met", "missed", "perhaps"]
"""Whether a target is met: `perhaps` if the interval reaches both in and out of it."""

RELATION: Final = re.compile(r"(<=|>=|=|<|>)")
NUMBER: Final = r"(\d+(?:\.\d+)?)"
VALUE: Final = re.compile(rf"^{NUMBER}([^\d±+]*)(?:(?:±|\+-|\+/-)\s*{NUMBER}\s*%?)?$")
"""A value, its unit, which may begin with a percent sign, and its tolerance."""


class Split(NamedTuple):
    """A parsed target; `said` is the text for the finding, with any unit after the number."""

    said: str
    relation: Relation
    value: str
    is_percent: bool
    give: str


class Target(msgspec.Struct, frozen=True):
    """The target of a finding: `value`, with a tolerance of `give`, or less, or more; shares from 0 to 1."""

    finding: Finding
    relation: Relation
    value: float
    give: float = 0.0

    @property
    def text(self) -> str:
        """The target as users write it, with the finding's own words."""
        times, unit = (100, "%") if self.finding.kind == "share" else (1, "")
        give = f" ±{times * self.give:g}" if self.relation == "=" else ""
        return f"{self.finding.text} {self.relation} {times * self.value:g}{give}{unit}"

    @property
    def edges(self) -> tuple[float, ...]:
        """The boundaries of the target: both ends of a range, or a limit."""
        ends = (self.value - self.give, self.value + self.give) if self.relation == "=" else (self.value,)
        return tuple(sorted({min(1.0, max(0.0, end)) if self.finding.kind == "share" else end for end in ends}))

    @property
    def scale(self) -> float:
        """The size of one step, by which misses of different targets are compared."""
        return POINT if self.finding.kind == "share" else max(self.give, PART * self.value, 1e-9)

    def miss(self, value: float) -> float:
        """Return the distance of a number from the target, 0 or more."""
        if self.relation == "=":
            return max(0.0, abs(value - self.value) - self.give)
        return max(0.0, value - self.value if self.relation == "<" else self.value - value)

    def misses(self, number: Estimate) -> tuple[float, float]:
        """Return the smallest and greatest distance of the true number, by its interval."""
        if number.value is None:
            return 0.0, float("inf")
        low = number.value if number.low is None else number.low
        high = number.value if number.high is None else number.high
        nearest = min(max(self.value, low), high)
        return self.miss(nearest), max(self.miss(low), self.miss(high))

    def grade(self, number: Estimate) -> Grade:
        """Return whether a number meets it."""
        least, most = self.misses(number)
        return "missed" if least > 0 else "met" if most == 0 else "perhaps"


def split_target(text: str) -> Split:
    """Parse a target, whatever its finding.

    Raises CardhouseError if it is malformed.
    """
    *words, relation, rest = ["", *RELATION.split(text)]
    match = VALUE.match(rest.strip())
    value, unit, give = match.groups() if match else ("", "", "")
    percent, unit = unit.strip()[:1] == "%", unit.strip().removeprefix("%").strip()
    said = "".join(words).strip()
    if match is None or not said or "%" in unit:
        raise CardhouseError(
            f'A target is written like "won = 50%", "won = 50% ±2%" or "rounds < 8", not "{text[:60]}".'
        )
    short: Relation = "<" if relation == "<=" else ">" if relation == ">=" else relation  # type: ignore[assignment]
    return Split(f"{said} {unit}".strip(), short, value, percent, give or "")


def read_target(findings: Sequence[Finding], text: str) -> Target:
    """Read a user's target about one of these findings.

    Raises CardhouseError if it is malformed, or matches no finding.
    """
    split = split_target(text)
    finding = find_finding(findings, split.said)
    is_share = finding.kind == "share"
    if is_share != split.is_percent:
        expected, how = ("a chance", "50%") if is_share else ("a mean", "8")
        raise CardhouseError(f'"{finding.text}" is {expected}: write {how}, not {split.value}{"%" * split.is_percent}.')
    value = float(split.value) / (100 if is_share else 1)
    if is_share and value > 1:
        raise CardhouseError(f'"{finding.text}" is a chance, at most 100%, not {split.value}%.')
    give = float(split.give) / (100 if is_share else 1) if split.give else POINT if is_share else PART * value
    return Target(finding, split.relation, value, give if split.relation == "=" else 0.0)

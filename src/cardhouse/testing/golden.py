"""Golden transcripts: found, played and compared with the expectations beside them (docs/authors.md).

@pytest.mark.parametrize("path", goldens(Path(__file__).with_name("transcripts")), ids=named)
def test_golden(path):
    play(path)
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cardhouse.engine import GM, SCREEN, Refused, Table, read_header, read_lines
from cardhouse.testing.playing import quickly


def goldens(folder: Path) -> list[Path]:
    """Return the golden transcripts in a folder."""
    return sorted(folder.glob("*.jsonl"))


def rule_of(path: Path) -> str:
    """Return the rule a golden transcript is about: `IN-10` for `IN-10-new-card-higher-acts.jsonl`."""
    return "-".join(path.stem.split("-")[:2])


def named(path: Path) -> str:
    """Return the name of a golden transcript's test."""
    return path.stem


class NoDealer:
    """A dealer that fails, because a golden transcript contains every draw."""

    def pick(self, outcomes: int, number: int, id: str) -> int:
        raise AssertionError("The transcript lacks a draw that the rules ask for.")


def play(path: Path) -> None:
    """Play a golden transcript and make every check in the file beside it."""
    texts = path.read_text("utf-8").splitlines()
    lines = list(read_lines(texts[1:]))
    checks = {
        check["after"]: check for check in json.loads(path.with_suffix(".expected.json").read_text("utf-8"))["checks"]
    }
    table = Table(read_header(texts[0]), NoDealer())
    groups: list[list[tuple[int, dict[str, Any]]]] = []
    for number, line in lines:
        if "by" in line:
            groups.append([])
        groups[-1].append((number, line))
    for group in groups:
        table.replay(group)
        if (check := checks.pop(group[-1][0], None)) is not None:
            compare(table, check)
    assert not checks, f"no move ends after these lines: {list(checks)}"


def compare(table: Table, check: dict[str, Any]) -> None:
    """Make one check."""
    for key, expected in check.items():
        subject, _, seat = key.partition(" for ") if " for " in key else key.partition(" by ")
        if key == "after":
            continue
        if key == "refused":
            for answer in expected:
                is_refused(table, **answer)
        elif subject == "events":
            assert told(table, seat or GM) == expected, key
        elif key == "event":
            events = story(table, GM)["events"]
            for one in expected if isinstance(expected, list) else [expected]:
                assert any(fits(event, one) for event in events), (check["after"], one, events)
        elif key.startswith("not told "):
            sent = everything(table, key.removeprefix("not told "))
            assert not [word for word in expected if word in sent], (key, sent)
        else:
            found = FOUND[subject](table, seat or GM)
            assert fits(found, expected), (check["after"], key, found)


def view(table: Table, seat: str) -> dict[str, Any]:
    """Return a view, with its characters by name; in a game of several, each part's."""
    seen = table.view(seat)
    return by_name(seen) | {part: by_name(seen[part]) for part in table.kind.parts}


def by_name(seen: dict[str, Any]) -> dict[str, Any]:
    """Return a view, or a part of one, with its characters, if any, by name."""
    if "characters" not in seen:
        return seen
    return {**seen, "characters": {character["name"]: character for character in seen["characters"]}}


def characters(table: Table, seat: str) -> dict[str, Any]:
    """Return a view's characters by name; in a game of several, those of each part."""
    seen = view(table, seat)
    return {part: seen[part]["characters"] for part in table.kind.parts} or seen["characters"]


def odds(table: Table, seat: str) -> dict[str, Any]:
    """Return the odds for a seat; simulated ones with a single trial, for speed."""
    return dict(table.game.odds(table.game.audience(seat), **quickly(table.kind)))


def names(table: Table, found: dict[str, Any]) -> Any:
    """Return the keys in order; in a game of several, those of each part."""
    return {part: list(found[part]) for part in table.kind.parts} or list(found)


FOUND: dict[str, Callable[[Table, str], Any]] = {
    "asks": lambda table, seat: table.asks(),
    "state": view,
    "seen": view,
    "characters": characters,
    "names": lambda table, seat: names(table, characters(table, seat)),
    "odds": odds,
    "in odds": lambda table, seat: names(table, odds(table, seat)),
}


def fits(found: Any, expected: Any) -> bool:
    """Return whether a value is as expected; objects may have additional fields, also within lists."""
    if isinstance(expected, dict) and isinstance(found, dict):
        return all(key in found and fits(found[key], value) for key, value in expected.items())
    if isinstance(expected, list) and isinstance(found, (list, tuple)):  # JSON has lists only
        return len(found) == len(expected) and all(map(fits, found, expected))
    if isinstance(expected, float) and isinstance(found, float | int):
        return math.isclose(found, expected, rel_tol=1e-6, abs_tol=1e-12)
    return bool(found == expected)


def story(table: Table, seat: str) -> dict[str, Any]:
    """Return the last entry's log line for a seat."""
    return table.story(table.entries[-1], seat)


def told(table: Table, seat: str) -> list[str]:
    """Return the events of the last answer in short."""
    return [" ".join(filter(None, (e["rule"], e["key"], e.get("name")))) for e in story(table, seat)["events"]]


def everything(table: Table, seat: str) -> str:
    """Return everything a seat can have been sent, except refusals, as one text."""
    return json.dumps(
        [
            table.view(seat),
            table.asks(),
            table.offers(seat, anytime=True),
            [table.story(entry, seat) for entry in table.entries],
            odds(table, seat),
        ]
    )


def is_refused(table: Table, by: str, answer: dict[str, Any], says: str) -> None:
    """Check that an answer is refused with this text in the message, and that nothing changes."""
    seats = [*table.seats, SCREEN]
    before = [everything(table, seat) for seat in seats]
    try:
        table.answer(by, answer)
        message = ""
    except Refused as refused:
        message = refused.message
    assert says in message, message or f"{by} was not refused {answer}"
    assert [everything(table, seat) for seat in seats] == before

"""Random sessions find planted errors, shorten them, and find them again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardhouse.cli import main
from cardhouse.engine import Table
from cardhouse.testing.fuzzing import Failure, again, fuzz
from tests.testing.sound import Change, Install
from tests.thorough import in_soak

EVENINGS = 40
PLANTED: dict[str, tuple[Change, str, int]] = {
    # What is planted, what is said of it, and how many answers lead there at most.
    "a leak": (
        ('if audience == "gm" else None', 'if audience == "gm" or self.round else None'),
        r"(ada|ben|screen|seat \d+) can tell, but must not, that \w+ was drawn.*view.card is ",
        8,
    ),
    "a choice that leaks": (
        (
            'kind="high" if bid.number > 2 else "low")',
            'kind="low")\n            self.rung = bid.number; self.tell("S-2", "over", to="gm", round=self.rung)',
        ),
        r"(ada|ben|screen|seat \d+) can tell, but must not, that \d was chosen at .*view.rung is ",
        8,
    ),
    "a refusal that changes something": (
        ("    def at_any_time", "    def why_not(self, by, action):\n        self.rung += 1\n\n    def at_any_time"),
        r"The refused answers .* changed something: state.rung is \d+ at the one and \d+ at the other",
        6,
    ),
    "a loop without end": (
        ("self.rung += 1", "self.rung += 1\n        while self.rung > 1:\n            self.rung = max(self.rung, 2)"),
        r"TheGame was stopped in an endless loop: sound/__init__.py, lines? \d+.*, in meanwhile",
        3,
    ),
    "a crash": (
        ("self.rung += 1", "self.rung += 1 + 0 // (2 - self.rung)"),
        r"The game crashed at sound/__init__.py, line \d+: ZeroDivisionError",
        3,
    ),
    "a dead end": (
        ("[Offer((GM,), Ring)])", '[Offer((GM,), Ring, also=(lambda ring: "no") if self.rung > 2 else None)])'),
        r"The game can't go on: nobody has an offer for the open question ring",
        6,
    ),
    "chance": (
        ("self.round += 1", 'self.round += getattr(random, "choice")([1, 1, 2])'),
        r"(A table replayed from its transcript|The table's own transcript can't|After an undo)",
        8,
    ),
    "a rest in the middle": (
        ("[Offer((GM,), Ring)])", "[Offer((GM,), Ring)], rest=True)"),
        r"The question ring has rest=True, but a game saved there differs",
        4,
    ),
    "a bot that says what isn't offered": (
        ('{"do": "bid", "number": 3}', '{"do": "fold"}'),
        r'The bot bold answers {"do":"fold"} for \w+, which is not offered to it: There is no "fold" in this game',
        0,
    ),
    "a missing word": (('rings = "It rings."\n', ""), r"sound/words.toml has no words for rings of its events", 4),
}


def planted(name: str, install: Install) -> Failure:
    """What is found in a game with something planted."""
    change, _, _ = PLANTED[name]
    alone = ('[Offer(("ada",), Ring)]', '[Offer(("ada",), Ring)] if self.rung < 3 else []')
    install(change, *([alone] if name == "a dead end" else []))
    finding = fuzz("sound", seed=1, evenings=EVENINGS, patience=1).finding
    assert finding is not None
    return finding


@pytest.mark.parametrize("name", [*sorted(PLANTED.keys() - {"a loop without end"}), *in_soak("a loop without end")])
def test_what_is_planted_is_found_and_made_short(name: str, install: Install) -> None:
    finding = planted(name, install)
    _, sentence, most = PLANTED[name]
    assert re.match(sentence, finding.trouble.message), finding.trouble.message
    assert sum('"by"' in line for line in finding.transcript.splitlines()) <= most


def test_nothing_is_found_in_a_sound_game(install: Install) -> None:
    install()
    found = fuzz("sound", seed=1, evenings=EVENINGS)
    assert found.finding is None
    assert (found.evenings, found.answers > 5 * EVENINGS) == (EVENINGS, True)


def test_the_same_seed_finds_the_same(install: Install) -> None:
    assert planted("a dead end", install) == fuzz("sound", seed=1, evenings=EVENINGS).finding


@pytest.mark.parametrize("name", ["a leak", "a crash", "a dead end"])
def test_the_transcript_shows_it_again(name: str, install: Install) -> None:
    finding = planted(name, install)
    trouble = again(finding.transcript.splitlines(), finding.seed)
    assert trouble is not None
    assert trouble.mark == finding.trouble.mark


# The command.


def test_it_is_written_and_seen_again(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    planted("a dead end", install)
    assert main(["fuzz", "sound", "--evenings", "40", "--seed", "1"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[1].startswith("The game can't go on: nobody")
    assert Table.read((tmp_path / "sound-fuzz.jsonl").read_bytes().splitlines()).asks()["key"] == "ring"
    assert main(said[-1].split()[1:]) == 1
    assert capsys.readouterr().out.startswith("The game can't go on: nobody")


def test_nothing_is_found_by_the_command(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    install()
    assert main(["fuzz", "sound", "--evenings", "3", "--seed", "1"]) == 0
    assert "Random play found nothing wrong with sound: 3 sessions, " in capsys.readouterr().out


def test_what_the_command_cannot_do_is_said(
    install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fuzz", "chess"]) == 2
    assert capsys.readouterr().err.startswith("cardhouse: There is no game called chess. Installed: ")
    file = tmp_path / "other.jsonl"
    file.write_text('{"cardhouse":1,"game":"toy","seats":["gm"]}\n')
    assert main(["fuzz", "sound", "--again", str(file)]) == 2
    assert capsys.readouterr().err == f"cardhouse: {file} is a transcript of toy, not of sound.\n"
    assert main(["fuzz", "sound", "--again", "nowhere.jsonl"]) == 2
    assert capsys.readouterr().err == "cardhouse: File not found: nowhere.jsonl\n"

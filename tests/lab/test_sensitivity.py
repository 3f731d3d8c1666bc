"""*What matters most?*: every change on the same deals, ranked, with joint intervals."""

from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Annotated, Any, ClassVar

import msgspec
import numpy as np
import pytest

from cardhouse.engine import CardhouseError
from cardhouse.lab.questions.cell import Cell
from cardhouse.lab.questions.question import (
    Finding,
    Measure,
    Piece,
    Question,
    games_with_questions,
    mean,
    questions_of,
    share,
)
from cardhouse.lab.questions.settings import settings_of
from cardhouse.lab.reports.text_commands import command_of
from cardhouse.lab.reports.text_sensitivity import as_json, sentences
from cardhouse.lab.running.checkpoint import CheckpointStore
from cardhouse.lab.running.study import Progress, Study, ask
from cardhouse.lab.running.warmup import prepare
from cardhouse.lab.search import ranking
from cardhouse.lab.search.requests import asked_of
from cardhouse.lab.search.sensitivity import sensitivity
from cardhouse.lab.search.variations import variations
from cardhouse.lab.words.finding_lookup import find_finding
from tests.lab.dice import Dice

FACES = ("1", "2", "3", "4", "5", "6")


class Faces(Question, frozen=True, kw_only=True):
    """Three dice whose faces can be changed one by one: `faces` has what is not on them as usual."""

    game: ClassVar[str] = "initiative"
    name: ClassVar[str] = "faces"
    title: ClassVar[str] = "What do faces do?"
    about: ClassVar[str] = "Three dice are rolled."
    trial: ClassVar[str] = "roll"
    at_once: ClassVar[int] = 100_000
    usual_trials: ClassVar[int] = 20_000

    faces: Annotated[dict[str, int], msgspec.Meta(description="what is on the faces")] = {}
    least: Annotated[int, msgspec.Meta(ge=1, le=18, description="what is high")] = 12
    colour: Annotated[str, msgspec.Meta(max_length=9, description="what is painted on them")] = "red"

    def pieces(self, setting: str) -> Sequence[Piece]:
        return [Piece(face, f"{face}, a face", ("blank",)) for face in FACES] if setting == "faces" else ()

    def with_pieces(self, setting: str, becomes: Mapping[str, str]) -> Any:
        return {**self.faces, **dict.fromkeys(becomes, 0)}

    def measures(self) -> Sequence[Measure]:
        return (Measure("total", 19, "what they come to"),)

    def findings(self) -> Sequence[Finding]:
        return [
            share("high", f"at least {self.least}", "total", self.least),
            mean("mean", "mean of all", "total"),
            mean("mean_high", "mean of those that are high", "total", given_least=self.least),
        ]

    def worth(self, face: int) -> int:
        return self.faces.get(str(face), face)

    def run(self, seed: int, first: int, out: Any, log: Any) -> None:
        worth = np.array([0, *map(self.worth, range(1, 7))])
        rolls = np.arange(3 * first, 3 * (first + len(out)), dtype=np.uint64).reshape(-1, 3)
        mixed = (rolls + np.uint64(1_000_003 * seed)) * np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        out[:, 0] = worth[(mixed >> np.uint64(33)) % np.uint64(6) + np.uint64(1)].sum(axis=1)

    def exact(self) -> Mapping[str, float]:
        totals = [sum(map(self.worth, faces)) for faces in product(range(1, 7), repeat=3)]
        high = [total for total in totals if total >= self.least]
        return {
            "high": len(high) / len(totals),
            "mean": sum(totals) / len(totals),
            "mean_high": sum(high) / len(high) if high else 0.0,
        }


@pytest.mark.parametrize("of", ["high", "mean", "mean_high"])
@pytest.mark.soak
def test_every_effect_is_the_true_one_within_its_interval(of: str):
    found = sensitivity(Faces(), of, trials=20_000, workers=1, confidence=0.999)
    assert [one.variation.text for one in found.effects if one.variation.setting == "colour"] == []
    assert len(found.effects) == 8
    for one in found.effects:
        true = one.variation.question.exact()[of] - Faces().exact()[of]
        assert one.more.low is not None
        assert one.more.high is not None
        assert one.more.low - 1e-9 <= true <= one.more.high + 1e-9, one.variation.text
    strengths = [abs(one.more.value or 0) for one in found.effects]
    assert strengths == sorted(strengths, reverse=True)


def test_it_is_as_a_comparison_of_each_would_be():
    """The same pairs, and the same interval for the confidence that each has."""
    found = sensitivity(Dice(), "high", trials=300, workers=2, vary=["luck", "dice=1..3"])
    assert [one.variation.text for one in found.effects] == ["dice 1", "dice 3", "luck better"]
    assert found.each == pytest.approx(1 - 0.05 / 3)
    for one in found.effects:
        study = Study(cells=(Cell(Dice(), one.variation.question),), trials=300, confidence=found.each)
        (answer,) = ask(study, workers=1).answers
        assert answer.found[0].more == one.more


def test_the_strongest_faces_are_named_and_tried_together():
    found = sensitivity(Faces(), "high", trials=20_000, workers=1)
    said = list(sentences(found))
    assert said[1].startswith("6 changes of faces: these lower it most: 6, a face (blank: \N{MINUS SIGN}")
    assert said[2].startswith("With 6, 5 and 4 blank all at once, on new cards, it is 0")
    (together,) = found.together
    assert {one.variation.key for one in together.effects} == {"4", "5", "6"}
    assert together.more.low is not None
    assert together.more.high is not None
    true = Faces(faces={"4": 0, "5": 0, "6": 0}).exact()["high"] - Faces().exact()["high"]
    assert together.more.low <= true <= together.more.high
    told = as_json(found)
    assert told["effects"][0]["piece"] == "6"
    assert command_of(asked_of(found)) == (
        "cardhouse lab initiative sensitivity faces --of high --trials 20000 --confidence 95 --seed 0"
    )


def test_a_change_that_does_nothing_is_not_seen_nor_taken_for_certainty():
    found = sensitivity(Dice(), "high", trials=300, workers=1, vary=["bonus"])
    (one,) = found.effects
    assert one.variation.text == "bonus 0.1"
    assert one.more.value == 0
    assert one.more.error
    assert not one.is_seen


def test_changes_without_the_finding_are_left_out_and_named():
    found = sensitivity(Dice(), "at_least_12", trials=200, workers=1, vary=["sides=4..6", "dice"])
    assert found.left_out == ("sides 4", "sides 5", "dice 1")
    assert list(sentences(found))[-1] == ("Left out, because they don't have this finding: sides 4, sides 5, dice 1.")


@pytest.mark.parametrize("at", [1, 5, 9, 13, 14])
def test_what_was_stopped_goes_on_and_comes_to_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int):
    """Stopped in the first group of changes, in others, and while what matters most is tried together."""
    monkeypatch.setattr(ranking, "AT_ONCE", 2 * 19 * 19)
    kept, many = CheckpointStore(tmp_path), 100_000
    more: dict[str, Any] = {"of": "high", "trials": many, "workers": 1, "vary": ["faces"]}
    prepare(Faces())  # or `halt` is asked while it compiles, too
    whole = sensitivity(Faces(), **more)
    looked = 0

    def enough() -> bool:
        nonlocal looked
        looked += 1
        return looked == at

    stopped = sensitivity(Faces(), **more, kept=kept, halt=enough)
    assert stopped.stopped
    assert len(stopped.effects) == min(6, 2 * (1 + (at - 1) // 4))
    assert stopped.trials == (many if at > 12 else many // 4 * (1 + (at - 1) % 4))
    assert "continues from there" in list(sentences(stopped))[-1]
    told: list[Progress] = []
    gone_on = sensitivity(Faces(), **more, kept=kept, tell=told.append)
    assert (gone_on.effects, gone_on.together, gone_on.estimate) == (whole.effects, whole.together, whole.estimate)
    assert len(told) == max(0, 12 - at)
    assert list(tmp_path.glob("*.msgpack")) == []


@pytest.mark.parametrize("what", [b"nothing", msgspec.msgpack.encode({"trials": "many"}), None])
def test_an_unreadable_or_foreign_checkpoint_starts_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: bytes | None
):
    kept = CheckpointStore(tmp_path)
    more: dict[str, Any] = {"of": "high", "trials": 100_000, "workers": 1, "vary": ["faces"]}
    sensitivity(Faces(), **more, kept=kept, halt=lambda: True)
    (note,) = tmp_path.glob("*.msgpack")
    if what is None:
        monkeypatch.setattr(ranking, "AT_ONCE", 2 * 19 * 19)
    else:
        note.write_bytes(what)
    assert sensitivity(Faces(), **more, kept=kept).effects == sensitivity(Faces(), **more).effects


def test_stopped_it_tells_what_was_played():
    def stop(progress: Progress) -> None:
        raise KeyboardInterrupt

    found = sensitivity(Dice(), "high", trials=2_000, workers=1, tell=stop)
    assert found.stopped
    assert 0 < found.trials < 2_000
    assert "Stopped early: the numbers rest on " in list(sentences(found))[-1]


@pytest.mark.parametrize(
    ("of", "vary", "why"),
    [
        ("nonsense", (), 'There is no finding "nonsense". Choose from: high (more than 6), mean'),
        ("", ("luck=worse",), "luck takes one of plain, better, not worse."),
        ("", ("speed",), 'dice has no setting "speed"; it has dice, sides'),
        ("", ("marks",), "dice doesn't know which other values marks can have; it can only be varied as a whole."),
    ],
)
def test_nonsense_is_refused_with_a_reason(of: str, vary: tuple[str, ...], why: str):
    with pytest.raises(CardhouseError) as error:
        sensitivity(Dice(), of, vary=vary, trials=10)
    assert why in error.value.message


@pytest.mark.parametrize(
    ("said", "key"),
    [
        ("dead within 3 hits", "dead_by_3"),
        ("dead by hit 12", None),
        ("mean recovery", "weeks"),
        ("recovery in weeks", "weeks"),
        ("hits survived", "survived"),
        ("chance of recovery", "half_a_year"),
        ("survvied", "survived"),
        ("killed outright", "outright"),
        ("killed", None),
        ("", None),
    ],
)
def test_findings_are_known_by_their_words(said: str, key: str | None):
    findings = questions_of("hackjack")["deadly"]().findings()
    if key is not None:
        assert find_finding(findings, said).key == key
        return
    with pytest.raises(CardhouseError):
        find_finding(findings, said)


ONLY_WITH_OTHERS = {"cards", "other_cards", "things", "other_things"}
"""Settings that make sense only where another is changed, too."""


@pytest.mark.soak
@pytest.mark.parametrize("game", games_with_questions())
def test_every_question_can_be_varied_in_everything_but_texts_and_files(game: str):
    for question in questions_of(game).values():
        asked = question()
        changed = {one.setting for one in variations(asked)}
        every = {name for name, one in settings_of(question).items() if one.kind not in ("text", "file")}
        assert every - changed - ONLY_WITH_OTHERS == set()
        for one in variations(asked):
            assert one.question != asked

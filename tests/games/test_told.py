"""The recap of each game: its totals and highlights match what was played."""

from pathlib import Path

import pytest

from cardhouse.engine import CharacterOutcome, GameVerdict, Highlight, Recap, Table, catalogue_of, fill, recap_of
from cardhouse.engine.game.catalogue import words_of_every_table
from tests.walkthrough import ROOT

TRANSCRIPTS = ROOT / "tests" / "transcripts"
HEADER = '{"cardhouse":1,"game":"hackjack","seats":["gm","ada"]}'
ADA = '{"by":"gm","do":"add_character","name":"Ada","hp":7,"max_hp":7}'


def told(*lines: str) -> tuple[Recap, dict[str, float], list[str]]:
    """The evening of a transcript, its numbers by their keys, and its moments in words."""
    table = Table.read(lines)
    words, evening = catalogue_of(table.kind).words, recap_of(table)
    assert recap_of(table) == evening, "looking changes nothing"
    moments = [fill(words.evening[one.key], one.about, {}, words.values) for one in evening.moments]
    return evening, {one.key: one.n for one in evening.figures}, moments


def of_file(path: str) -> tuple[Recap, dict[str, float], list[str]]:
    return told(*Path(TRANSCRIPTS / path).read_text().splitlines())


def hits(amount: int, *cards: str) -> list[str]:
    return [
        f'{{"by":"gm","do":"damage","target":"Ada","amount":{amount}}}',
        *(f'{{"draw":"wounds","card":"{card}"}}' for card in cards),
    ]


def test_who_fell_to_what_and_what_the_odds_were_hj6() -> None:
    lines = [HEADER, ADA, *hits(8, "S10"), *hits(1, "H9"), *hits(1, "DK")]
    evening, numbers, moments = told(*lines)
    assert (numbers["died"], numbers["fell"], numbers["drawn"], numbers["damage"]) == (1, 1, 3, 10)
    [death] = [one for one in evening.moments if one.rule == "HJ-6" and one.key.startswith("fell_to")]
    assert (death.about["name"], death.about["card"]) == ("Ada", "DK")
    assert moments[0].startswith("Died with 29 of 21: ")
    assert evening.headline == Highlight("alive", {"n": 0, "spelled": "nobody"})
    assert evening.people == [CharacterOutcome("Ada", state="dead", key="is_dead")]
    odds = [Table.read(lines[:place]).odds("gm", damage=1)["Ada"]["not_preventing"]["dies"] for place in (4, 6)]
    [luck] = [one.about for one in evening.moments if one.key == "luck"]
    assert luck == {"expected": round(sum(odds), 1), "died": 1}


def test_who_lives_through_a_hit_that_kills_often_has_a_tale_to_tell() -> None:
    _, numbers, moments = told(HEADER, ADA, *hits(8, "S10"), *hits(1, "H9"), *hits(1, "DA"))
    assert "died" not in numbers
    assert any("Survived a hit with a" in moment for moment in moments), moments


def test_what_was_taken_back_is_not_told() -> None:
    dead = [HEADER, ADA, *hits(8, "S10"), *hits(1, "H9"), *hits(1, "DK")]
    _, numbers, moments = told(*dead, '{"by":"gm","undo":1}')
    assert "died" not in numbers
    assert not [moment for moment in moments if "Died" in moment]


def test_the_best_pack_and_how_near_the_others_came_dg19() -> None:
    evening, numbers, moments = of_file("dogpile/DG-18-option-rounds.jsonl")
    assert list(numbers)[:2] == ["dogs", "packs"]
    for one in evening.figures:
        assert one.about.get("rounds", 1) >= 1
    assert any(moment.endswith(f"{one.about['n']}.") for moment, one in zip(moments, evening.moments, strict=True))


@pytest.mark.parametrize("game", ["initiative", "dogs", "gunfight", "hackjack", "dogpile"])
def test_of_every_transcript_there_is_something_to_tell_in_words(game: str) -> None:
    keys = set()
    for path in sorted((TRANSCRIPTS / game).glob("*.jsonl")):
        evening, _, moments = of_file(f"{game}/{path.name}")
        assert all(moments)
        keys |= {one.key for one in evening.figures} | {one.key for one in evening.moments}
        verdict = evening.verdict or GameVerdict()
        said = (evening.headline, verdict.reason, verdict.turning_point)
        keys |= {one.key for one in evening.people} | {one.key for one in said if one}
    words = catalogue_of(Table.read((path.read_text()).splitlines()).kind).words.evening
    own = {key for key in words if not key.endswith(".title")} - words_of_every_table().evening.keys()
    assert len(keys & own) > len(own) / 2

"""The Town's name and notes, the words of a Raise, and the events of healing."""

import json
from pathlib import Path
from typing import Any

import pytest

from cardhouse.engine import GM, SCREEN, Refused, SeededDealer, Table, recap_of

ROOT = Path(__file__).parents[2]
STATS = {"acuity": 2, "body": 1, "heart": 2, "will": 1}
NOTES = "The steward sold the well.\nHis wife knows."


def a_table() -> Table:
    return Table.new("dogs", (GM, "ada"), {}, SeededDealer(1))


def describes(table: Table, **about: Any) -> str:
    """Have the game master describe the Town, and return the events that a player sees."""
    entry = table.answer(GM, {"do": "describe_town", **about})
    return json.dumps([event.about for event in entry.events if event.is_told("ada", table.game.audience("ada"))])


def test_nobody_else_reads_the_notes_until_they_are_shown() -> None:
    table = a_table()
    told = describes(table, town="Bethel", notes=NOTES)
    assert table.view(GM)["notes"] == NOTES
    assert "steward" not in told
    for seat in ("ada", SCREEN):
        assert (table.view(seat)["town_name"], table.view(seat)["notes"]) == ("Bethel", None)
    assert "steward" in describes(table, town="Bethel", notes=NOTES, shown=True)
    assert table.view("ada")["notes"] == table.view(SCREEN)["notes"] == NOTES
    describes(table, town="Bethel", notes=NOTES)
    assert table.view("ada")["notes"] is None
    with pytest.raises(Refused, match="not open to ada"):
        table.answer("ada", {"do": "describe_town", "town": "Ada's"})


def test_a_town_comes_to_the_next_session_and_a_new_one_has_no_name_yet() -> None:
    table, after = a_table(), a_table()
    describes(table, town="Bethel", notes=NOTES)
    for answer in table.game.come_again():
        after.answer(GM, answer)
    assert (after.view(GM)["town_name"], after.view(GM)["notes"]) == ("Bethel", NOTES)
    after.answer(GM, {"do": "new_town"})
    assert (after.view(GM)["town_name"], after.view(GM)["notes"]) == ("", "")


def test_everyone_reads_the_words_of_a_raise() -> None:
    table = a_table()
    for by, name in (("ada", "Ruth"), (GM, "Silas")):
        table.answer(by, {"do": "create", "name": name, "stats": STATS})
    sides = [["Ruth"], ["Silas"]]
    table.answer(GM, {"do": "open_conflict", "stakes": "The cellar?", "arena": "talking", "sides": sides})
    card = table.view("ada")["conflict"]["hands"]["Ruth"][0]
    raises = {"do": "raise", "name": "Ruth", "card": card}
    with pytest.raises(Refused, match="words may have 80 characters at most"):
        table.answer("ada", {**raises, "words": "x" * 81})
    entry = table.answer("ada", {**raises, "words": "Then I break the door."})
    assert table.view(SCREEN)["conflict"]["raise"]["words"] == "Then I break the door."
    assert "Then I break the door." in [event.about.get("words") for event in entry.events]


@pytest.mark.parametrize(("story", "headline"), [("DV-30-won", "healed"), ("DV-30-lost", "unhealed")])
def test_healing_is_told_as_healing(story: str, headline: str) -> None:
    table = Table.read((ROOT / f"transcripts/dogs/{story}.jsonl").read_text().splitlines(), SeededDealer(1))
    recap = recap_of(table)
    assert recap.headline is not None
    assert (recap.headline.key, recap.headline.about["patient"]) == (headline, "Ben")
    assert recap.verdict is not None
    assert recap.verdict.reason is not None
    assert recap.verdict.reason.key.endswith("_healing")
    told = [event.key for entry in table.entries for event in entry.events]
    assert "opens_healing" in told
    assert told.count("wins") == told.count("opens")

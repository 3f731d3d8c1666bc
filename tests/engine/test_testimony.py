"""A page's witness, compared with a transcript that someone wrote."""

import json
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from cardhouse.engine import CardhouseError, FairDealer, Table
from cardhouse.engine.integrity.client_audit import HeardRun, Witness, add_to_run, read_witness, story_text
from cardhouse.engine.integrity.verify import verify

SEED = bytes(range(32))


class Page:
    """A page that sits at a table and keeps what it is told of the entries in some stretches."""

    def __init__(self, table: Table, seat: str, stretches: Sequence[tuple[int, int]]) -> None:
        self.table, self.seat, self.stretches = table, seat, stretches
        self.heads: dict[int, str] = {}
        self.told: dict[int, str] = {}

    def hear(self) -> None:
        number = self.table.number
        self.heads[number] = self.table.log_state(number).head
        self.told[number] = story_text(self.table.story(self.table.entries[-1], self.seat))

    def runs(self, told: dict[int, str]) -> list[HeardRun]:
        found = []
        for first, last in self.stretches:
            hash_ = ""
            for number in range(first, last + 1):
                hash_ = add_to_run(hash_, told[number])
            found.append(HeardRun(first, last, hash_))
        return found

    def witness(self) -> Witness:
        header = {"game": self.table.header.game, "options": {}, "decks": {}, "by_hand": [], "deal": ""}
        commitment = self.table.header.commitment
        return Witness(1, "abcd2345", self.seat, commitment, header, self.runs(self.heads), self.runs(self.told))


def played(dealer: FairDealer | None = None, first: str = "Nan") -> tuple[list[dict[str, Any]], Witness]:
    """A fight's transcript, and what ada's page kept, which was away for a while."""
    table = Table.new("initiative", ["gm", "ada"], dealer=dealer or FairDealer(SEED))
    page = Page(table, "ada", [(1, 4), (6, 9)])
    answers: list[dict[str, Any]] = [
        {"do": "add_character", "name": first, "card": "HA"},
        {"do": "add_character", "name": "Doc", "card": "S10", "hidden": True},
        {"do": "start_round"},
        {"undo": 1},
        {"do": "start_round"},
        {"undo": 1},
        {"do": "start_round"},
        {"undo": 2},
        {"end": True},
    ]
    for answer in answers:
        table.answer("gm", answer, id=f"id{table.number}")
        page.hear()
    return [json.loads(line) for line in table.transcript().splitlines()], page.witness()


def texts(lines: list[dict[str, Any]]) -> list[str]:
    return [json.dumps(line) for line in lines]


def test_a_witness_of_what_was_played_is_content():
    lines, witness = played()
    found = verify(texts(lines), witness=witness)
    assert found.notes == []
    assert [undone.by for undone in found.undone] == ["gm"] * len(found.undone)
    assert len(found.undone) >= 3  # each round drew at least once and was taken back


def test_a_witness_survives_its_file():
    _, witness = played()
    assert read_witness(msgspec.json.encode(witness)) == witness


def test_another_commitment_than_was_shown():
    lines, _ = played()
    assert verify(texts(lines), commitment=lines[0]["commitment"].upper()).commitment == lines[0]["commitment"]
    with pytest.raises(CardhouseError, match="was shown at the table") as caught:
        verify(texts(lines), commitment="5e" * 32)
    assert caught.value.code == "unfair"


def test_a_host_who_deals_the_session_again_from_another_seed_is_found_out():
    _, witness = played()
    lines, _ = played(FairDealer(bytes(32)))
    with pytest.raises(CardhouseError, match="another seed than the one promised"):
        verify(texts(lines), witness=witness)


def test_a_host_who_changes_sent_entries_is_found_out():
    """Fair cards from the promised seed, and yet another story."""
    _, witness = played()
    lines, _ = played(first="Kit")
    assert verify(texts(lines)).cards
    with pytest.raises(CardhouseError, match=r"entries 1 to 4 of the log differ from those"):
        verify(texts(lines), witness=witness)


def test_a_host_whose_messages_differ_from_the_log_is_found_out():
    """The heads fit the log, but the page was shown other words."""
    lines, witness = played()
    other = played(first="Kit")[1]
    with pytest.raises(CardhouseError, match=r"the log's entries 1 to 4 differ from what this page received"):
        verify(texts(lines), witness=msgspec.structs.replace(witness, told=other.told))


def test_a_host_who_leaves_out_the_end():
    lines, witness = played()
    short = [*lines[:-2], lines[-1]]
    with pytest.raises(CardhouseError, match=r"entries 6 to 9"):
        verify(texts(short), witness=witness)


def test_a_host_who_changes_hidden_entries_is_found_out():
    """A page that may not see an entry is bound to it all the same."""
    lines, witness = played()
    place = next(place for place, line in enumerate(lines) if line.get("name") == "Doc")
    lines[place]["name"] = "Dan"
    with pytest.raises(CardhouseError, match=r"entries 1 to 4 of the log"):
        verify(texts(lines), witness=witness)


def test_a_changed_game_or_options_are_found():
    lines, witness = played()
    other = msgspec.structs.replace(witness, header={**witness.header, "options": {"join_now": True}})
    with pytest.raises(CardhouseError, match="they differ in options"):
        verify(texts(lines), witness=other)


def test_a_seed_of_one_byte_is_no_seed():
    lines, _ = played()
    lines[-1]["seed"] = "07"
    with pytest.raises(CardhouseError, match=r"A seed has 32 bytes, not 1") as caught:
        verify(texts(lines))
    assert caught.value.code == "unfair"
    with pytest.raises(CardhouseError, match="32 bytes"):
        FairDealer(b"7")


def test_heads_reveal_nothing_without_the_seed():
    """Two logs that differ in what is hidden have heads that differ, but nobody can try out what would give them."""
    table = Table.new("initiative", ["gm"], dealer=FairDealer(SEED))
    table.answer("gm", {"do": "add_character", "name": "Nan", "card": "HA", "hidden": True}, id="x")
    guesses = {add_to_run(table.header.commitment, table.entries[0].text), table.header.commitment}
    assert table.log_state(1).head not in guesses
    assert table.log_state(0).head == table.header.commitment


def test_a_table_with_no_commitment_has_no_head():
    table = Table.new("initiative", ["gm"], dealer=FairDealer(SEED), commitment="")
    table.answer("gm", {"do": "add_character", "name": "Nan", "card": "HA"}, id="x")
    assert table.log_state(1).head == ""


@pytest.mark.parametrize("text", [b"", b"[]", b'{"cardhouse_witness": 2}', b"\xff", b"[" * 3000])
def test_an_invalid_witness_is_refused_in_words(text: bytes):
    with pytest.raises(CardhouseError, match="This isn't a witness"):
        read_witness(text)

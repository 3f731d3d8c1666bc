import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cardhouse.engine import FairDealer, Table
from cardhouse.engine.table.hash_chain import digest_of
from tests.cli.conftest import Outcome, Run
from tests.server.dealing import Chain, round_of

SEED = bytes(range(32))

DICEY = """\
import msgspec
from cardhouse.engine import GM, Action, Ask, Game, Offer

class Throw(Action, frozen=True):
    pass

class TheGame(Game):
    name = "dicey"
    actions = (Throw,)
    faces: list[int] = []

    def play(self):
        while True:
            yield from self.ask(lambda: Ask("throw", "D-1", (Offer((GM,), Throw),), rest=True))
            self.faces = yield from self.roll("2d6")
"""


class Played:
    """A table that was dealt fairly, its lines as values."""

    def __init__(self, game: str = "initiative", **header: Any) -> None:
        self.table = Table.new(game, dealer=FairDealer(SEED), **header)

    def answer(self, **line: Any) -> None:
        self.table.answer("gm", line, id=f"id{self.table.number}")

    def lines(self) -> list[dict[str, Any]]:
        self.answer(end=True)
        return [json.loads(line) for line in self.table.transcript().splitlines()]


def at_a_table_together() -> tuple[Played, dict[int, Chain]]:
    """Two devices, before the first draw."""
    played = Played(deal="together", seats=["gm", "ada"])
    table = played.table
    chains = {number: Chain(16, f"0{number}" * 32) for number in (1, 2)}
    for name, card in (("Nan", "HA"), ("Bo", "S10")):
        played.answer(do="add_character", name=name, card=card)
    for number, seat in ((1, "gm"), (2, "ada")):
        table.answer(seat, {"device": chains[number].anchor, "number": number})
    return played, chains


def dealt_together(*, skips: bool = False) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Two draws, of the first of which a device is missing that had left; and what the device's page kept."""
    played, chains = at_a_table_together()
    table, gave = played.table, []
    for round_, there in ((1, [1]), (3 if skips else 2, [1, 2])):
        answer = {"by": "gm", "do": "start_round", "id": f"round{round_}"}
        line = round_of(table, answer, round_, {number: chains[number] for number in there})
        if 2 in there:
            own = {"id": digest_of(answer["id"]), "fixed": line["fixed"], "link": line["links"]["2"]}
            gave = [{"device": 2, "round": round_, **own}]
        table.answer("gm", {"do": "start_round"}, id=answer["id"], chance=[line])
        played.answer(undo=1)
    witness = {"cardhouse_witness": 1, "table": "t", "seat": "ada", "commitment": table.header.commitment}
    return played.lines(), {**witness, "header": {}, "gave": gave, "devices": [2]}


Verify = Callable[[list[dict[str, Any]]], Outcome]


@pytest.fixture
def verify(run: Run, tmp_path: Path) -> Verify:
    def verify(lines: list[dict[str, Any]]) -> Outcome:
        file = tmp_path / "table.jsonl"
        file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        return run("verify", file)

    return verify


def a_round(**header: Any) -> Played:
    """Two fight; a draw is taken back and drawn anew."""
    played = Played(**header)
    played.answer(do="add_character", name="Nan", card="HA")
    played.answer(do="add_character", name="Doc", card="S10")
    played.answer(do="start_round")
    played.answer(undo=1)
    played.answer(do="start_round")
    while (asks := played.table.asks())["key"] != "between":
        played.answer(do="done" if asks["key"] == "turn" else "act", name=asks["with"]["name"])
    return played


def draws(lines: list[dict[str, Any]]) -> list[int]:
    """Where the draws stand, as places in the list; the line's number is one more."""
    return [place for place, line in enumerate(lines) if "draw" in line]


def test_a_fair_deal(verify: Verify):
    lines = a_round().lines()
    status, out, err = verify(lines)
    assert (status, err) == (0, "")
    cards = len(draws(lines))
    assert out.startswith(f"Fair: {cards} cards and 0 dice match the seed.\n")
    assert lines[0]["commitment"] in out
    assert cards > 4


def test_undone_draws_are_checked_and_counted(verify: Verify):
    lines = a_round().lines()
    first = draws(lines)[0]
    assert lines[first - 1]["do"] == "start_round"
    assert "undo" in next(line for line in lines[first + 1 :] if "by" in line)
    right, others = lines[first]["card"], {"HA", "S10", "RJ", "BJ"}
    lines[first]["card"] = min(others - {right})
    assert verify(lines).status == 1


def test_a_card_that_was_not_dealt(verify: Verify):
    lines = a_round().lines()
    place = draws(lines)[1]
    right = lines[place]["card"]
    lines[place]["card"] = min({"HA", "S10", "RJ", "BJ"} - {right})
    status, out, err = verify(lines)
    assert (status, out) == (1, "")
    assert f"jsonl: Line {place + 1}: " in err
    assert err.endswith(f'the seed gives {{"draw":"initiative","card":"{right}"}}.\n')


def test_a_draw_that_is_missing(verify: Verify):
    lines = a_round().lines()
    place = draws(lines)[-1]
    gone = lines.pop(place)
    status, _, err = verify(lines)
    assert status == 1
    assert err.partition("jsonl: ")[2] == (
        f'Line {place}: After this line {{"draw":"initiative","card":"{gone["card"]}"}} is missing, '
        "which the seed gives.\n"
    )


def test_a_draw_too_many(verify: Verify):
    lines = a_round().lines()
    place = draws(lines)[-1] + 1
    lines.insert(place, {"draw": "initiative", "card": "RJ"})
    status, _, err = verify(lines)
    assert status == 1
    assert f"jsonl: Line {place + 1}: " in err


def test_a_draw_without_an_id_is_not_verified(verify: Verify):
    lines = a_round().lines()
    place = draws(lines)[0] - 1
    del lines[place]["id"]
    status, _, err = verify(lines)
    assert status == 1
    assert f"jsonl: Line {place + 1}: This answer caused draws and carries no id" in err


def test_an_id_that_was_known_before(verify: Verify):
    played = Played()
    played.answer(do="add_character", name="Nan", card="HA")
    for _ in range(2):
        played.table.answer("gm", {"do": "start_round"}, id="same")
        played.answer(undo=1)
    status, _, err = verify(played.lines())
    assert status == 1
    assert "Line 6: This answer caused draws and carries the id of line 3 again" in err


def test_another_seed(verify: Verify):
    lines = a_round().lines()
    lines[-1]["seed"] = bytes(32).hex()
    status, _, err = verify(lines)
    assert status == 1
    assert f"jsonl: Line {len(lines)}: This is not the seed that was committed to" in err


@pytest.mark.parametrize("seed", ["xyz", 7, None, ""])
def test_no_seed_at_all(verify: Verify, seed: Any):
    lines = a_round().lines()
    lines[-1]["seed"] = seed
    status, _, err = verify(lines)
    assert status == 2
    assert f"jsonl: Line {len(lines)}: " in err


def test_a_table_that_has_not_ended(verify: Verify):
    status, _, err = verify(a_round().lines()[:-1])
    assert (status, err) == (
        2,
        "cardhouse: The table hasn't ended. Its seed is published at its end.\n",
    )


def test_a_table_without_a_commitment(verify: Verify):
    lines = a_round().lines()
    del lines[0]["commitment"]
    status, _, err = verify(lines)
    assert (status, err) == (2, "cardhouse: No commitment was made to a seed, so nothing can be checked.\n")


def test_another_seed_than_the_committed_one_is_found():
    lines = a_round().lines()
    del lines[-1]["seed"]
    table = Table.read(json.dumps(line) for line in lines)
    assert table.ended
    assert "seed" not in table.transcript()


def test_a_line_that_cannot_be_applied(verify: Verify):
    lines = a_round().lines()
    lines[1]["card"] = "ZZ"
    status, _, err = verify(lines)
    assert status == 2
    assert 'jsonl: Line 2: "add_character" was refused: card can\'t be ZZ here' in err


def test_cards_that_people_turned_over_are_theirs_to_vouch_for(verify: Verify):
    played = Played(decks={"initiative": "physical"})
    played.answer(do="add_character", name="Nan", card="HK")
    played.answer(do="start_round")
    played.answer(draw="initiative", card="RJ")
    played.answer(draw="initiative", card="HK")
    status, out, _ = verify(played.lines())
    assert status == 0
    assert out.startswith("Fair: 0 cards and 0 dice")
    assert out.endswith("2 cards or rolls entered by players can't be checked.\n")


def test_each_die_is_a_draw_of_its_own(verify: Verify, install_game: Callable[[str, str], None]):
    install_game("dicey", DICEY)
    played = Played("dicey")
    for _ in range(3):
        played.answer(do="throw")
    lines = played.lines()
    dealer = FairDealer(SEED)
    faces = [line["dice"] for line in lines if "roll" in line]
    assert faces == [[dealer.pick(6, 2 * roll + die, f"id{roll}") + 1 for die in (1, 2)] for roll in range(3)]
    assert verify(lines).out.startswith("Fair: 0 cards and 6 dice match the seed.")
    faces[1][1] = faces[1][1] % 6 + 1
    assert verify(lines).status == 1


def a_witness(lines: list[dict[str, Any]], **other: Any) -> dict[str, Any]:
    """What a page kept that sat down and went at once."""
    header = {"game": "initiative", "options": {}, "decks": {}, "by_hand": [], "deal": ""}
    seat = {"table": "abcd2345", "seat": "gm", "commitment": lines[0]["commitment"], "header": header}
    return {"cardhouse_witness": 1, **seat, **other}


def test_held_against_what_a_page_showed(run: Run, tmp_path: Path):
    lines = a_round().lines()
    file, kept = tmp_path / "table.jsonl", tmp_path / "witness.json"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    kept.write_text(json.dumps(a_witness(lines)), "utf-8")
    shown = lines[0]["commitment"]
    assert "Compare it with the one on your page" in run("verify", file).out
    for option in (("--commitment", shown), ("--witness", kept)):
        status, out, _ = run("verify", file, *option)
        assert status == 0
        assert f"matches the commitment made with the table ({shown})" in out
    status, _, err = run("verify", file, "--commitment", "5e" * 32)
    assert status == 1
    assert "was shown at the table" in err
    kept.write_text(json.dumps(a_witness(lines, commitment="5e" * 32)), "utf-8")
    assert run("verify", file, "--witness", kept).status == 1


def test_undone_draws_are_listed(verify: Verify):
    lines = a_round().lines()
    first = draws(lines)[0]
    out = verify(lines).out
    assert f'Line {first + 1}: {{"draw":"initiative","card":"{lines[first]["card"]}"}} was undone by gm.' in out


def test_redone_draws_are_checked_and_not_listed_as_undone(verify: Verify):
    played = a_round()
    played.answer(undo=1)
    played.answer(redo=1)
    once, again = verify(a_round().lines()), verify(played.lines())
    assert (again.status, again.out) == (0, once.out)


def test_a_redo_can_not_choose_another_card(verify: Verify):
    """Neither with a card of its own, nor after another move has followed the undo."""
    played = a_round()
    played.answer(undo=1)
    played.answer(redo=1)
    lines = played.lines()
    status, _, err = verify([*lines[:-1], {"draw": "initiative", "card": "BJ"}, lines[-1]])
    assert (status, f"line {len(lines)}" in err.lower()) == (1, True), err
    between = {"by": "gm", "do": "add_character", "name": "Kit", "card": "C2", "id": "late"}
    status, _, err = verify([*lines[:-2], between, *lines[-2:]])
    assert (status, "There is nothing to redo" in err) == (2, True), err


def test_each_device_is_listed_with_the_draws_it_missed(verify: Verify):
    lines, _ = dealt_together()
    out = verify(lines).out
    assert out.startswith("Fair: ")
    assert "Device 1 of gm took part in 2 of 2 draws.\n" in out
    assert "Device 2 of ada took part in 1 of 2 draws; it missed those of entry 5.\n" in out


def test_a_witness_vouches_for_the_draws_of_its_own_devices(run: Run, tmp_path: Path):
    lines, witness = dealt_together()
    transcript, kept = tmp_path / "table.jsonl", tmp_path / "witness.json"
    transcript.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    kept.write_text(json.dumps(witness), "utf-8")
    out = run("verify", transcript, "--witness", kept).out
    assert out.startswith("Not shown to be fair: ")
    assert "took part in 1 of 2 draws: they vouch for those and for no others." in out


def test_missing_rounds_are_reported(verify: Verify):
    lines, _ = dealt_together(skips=True)
    out = verify(lines).out
    assert out.startswith("Not shown to be fair: ")
    assert "Round 2 of links is missing from the log: a card may have been drawn and thrown away there." in out


def test_a_deal_of_an_older_version_is_not_called_fair(verify: Verify):
    lines, _ = dealt_together()
    out = verify([{name: value for name, value in line.items() if name != "fixed"} for line in lines]).out
    assert out.startswith("Not shown to be fair: ")
    assert "An older version of Cardhouse logged 2 draws." in out


def test_the_headline_names_who_broke_off_a_draw_and_who_left(verify: Verify):
    played, chains = at_a_table_together()
    gm, ada = ({number: chains[number]} for number in (1, 2))
    answer = {"by": "gm", "do": "start_round", "id": "first"}
    void = round_of(played.table, answer, 1, chains, silent=[2])
    complete = round_of(played.table, answer, 2, gm, after=[void])
    played.table.answer("gm", {"do": "start_round"}, id="first", chance=[void, complete])
    played.answer(undo=1)
    alone = round_of(played.table, {**answer, "id": "second"}, 3, ada)
    played.table.answer("gm", {"do": "start_round"}, id="second", chance=[alone])
    out = verify(played.lines()).out
    assert out.startswith("Fair: ")
    assert "match the seed; ada broke off 1 draw; devices of gm left 1 time." in out.splitlines()[0]

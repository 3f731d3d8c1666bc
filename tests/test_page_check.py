"""The page's own check of a deal, compared with `cardhouse verify`."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cardhouse.engine import TOGETHER, CardhouseError, FairDealer, Table
from cardhouse.engine.integrity.client_audit import HeardRun, SubmittedLink, Witness, add_to_run
from cardhouse.engine.integrity.verify import Dealt, dealt, verify
from cardhouse.engine.table.hash_chain import digest_of, fixed
from cardhouse.engine.values.transcript import write_line
from cardhouse.server.transcripts.transcript_export import Deal
from hatch_build import node_on_path
from tests.server.dealing import Chain, round_of

Lines = list[dict[str, Any]]
WEB = Path(__file__).resolve().parents[1] / "web"
SEED = bytes(range(32))
PROGRAM = """
import { check } from './src/fairness/check.ts'
let text = ''
for await (const part of process.stdin) text += part
const verdicts = []
for (const { deal, kept, gave } of JSON.parse(text)) verdicts.push(await check(deal, kept, gave))
console.log(JSON.stringify(verdicts))
"""


class Evening:
    """A table that has ended, as its transcript's lines, and what a page that was there the whole time kept."""

    def __init__(self, table: Table, gave: list[SubmittedLink]) -> None:
        self.lines: Lines = [json.loads(line) for line in table.transcript().splitlines()]
        self.gave = gave
        header = {name: self.lines[0].get(name, "") for name in ("game", "deal")}
        header |= {name: self.lines[0].get(name, {}) for name in ("options", "decks")}
        hash_ = ""
        for number in range(1, table.number + 1):
            hash_ = add_to_run(hash_, table.log_state(number).head)
        log = [HeardRun(1, table.number, hash_)]
        self.witness = Witness(1, "abcd2345", "ada", table.header.commitment, {**header, "by_hand": []}, log)

    def deal(self) -> Deal:
        """What the server tells of it."""
        return Deal(text_of_all(self.lines), dealt([json.dumps(line) for line in self.lines]))

    def asked(self, deal: Deal | None = None, witness: Witness | None = None) -> dict[str, Any]:
        """What the page is given to check."""
        seen = witness or self.witness
        kept = {"commitment": seen.commitment, "header": seen.header, "log": msgspec.to_builtins(seen.log)}
        return {"deal": msgspec.to_builtins(deal or self.deal()), "kept": kept, "gave": msgspec.to_builtins(self.gave)}


def text_of_all(lines: Lines) -> str:
    return "".join(f"{write_line(line)}\n" for line in lines)


def page_says(*asked: dict[str, Any]) -> list[dict[str, Any]]:
    with node_on_path() as (node, _, environment):
        said = subprocess.run(
            [node, "--input-type=module", "--no-warnings", "-e", PROGRAM],
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            check=True,
            cwd=WEB,
            env=environment,
        )
    verdicts: list[dict[str, Any]] = json.loads(said.stdout)
    return verdicts


def given(round_: dict[str, Any], id_: str) -> SubmittedLink:
    """What the second device keeps of a round."""
    return SubmittedLink(2, round_["round"], digest_of(id_), round_["fixed"], round_["links"]["2"])


def shoot_out(deal: str = TOGETHER) -> Evening:
    """Rounds are begun and undone, and some redone; of two devices that take part the first is too late once."""
    table = Table.new("initiative", ["gm", "ada"], dealer=FairDealer(SEED), deal=deal)
    for name, card in (("Nan", "HA"), ("Doc", "S10")):
        table.answer("gm", {"do": "add_character", "name": name, "card": card}, id=name)
    chains = [Chain(40, secret * 32) for secret in ("0a", "0b")] if deal else []
    for seat, chain in zip(("gm", "ada"), chains, strict=False):
        table.answer(seat, {"device": chain.anchor}, id=f"device {seat}")
    gave: list[SubmittedLink] = []
    for number in range(1, 6):
        id_, rounds = f"r{number}", list[dict[str, Any]]()
        answer, asked = {"by": "gm", "do": "start_round", "id": id_}, dict(enumerate(chains, start=1))
        if number == 3 and deal:
            rounds.append(round_of(table, answer, 29, asked, silent=[1]))
            gave.append(given(rounds[0], id_))
            del asked[1]
        if deal:
            rounds.append(round_of(table, answer, 10 * number, asked, after=rounds))
            gave.append(given(rounds[-1], id_))
        table.answer("gm", {"do": "start_round"}, id=id_, chance=rounds)
        table.answer("gm", {"undo": 1}, id=f"u{number}")
        if number in (2, 5):
            table.answer("gm", {"redo": 1}, id=f"redo{number}")
        if number == 2:
            table.answer("gm", {"undo": 1}, id="undone again")
    table.answer("gm", {"end": True}, id="end")
    return Evening(table, gave)


def coming_and_going(*, unsaved: bool = False) -> Evening:
    """Of three devices with numbers of their own one leaves and comes back, and one takes the place of another.

    With `unsaved` the last draw comes after one that could not be saved.
    """
    table = Table.new("initiative", ["gm", "ada"], dealer=FairDealer(SEED), deal=TOGETHER)
    for name, card in (("Nan", "HA"), ("Doc", "S10")):
        table.answer("gm", {"do": "add_character", "name": name, "card": card}, id=name)
    chains = {number: Chain(40, f"0{number}" * 32) for number in (1, 2, 3)}
    for number, seat in ((1, "gm"), (2, "ada"), (3, "ada")):
        table.answer(seat, {"device": chains[number].anchor, "number": number}, id=f"device {number}")
    gave: list[SubmittedLink] = []
    for place, there in enumerate([[1, 2, 3], [1, 3], [1, 2, 3], [1, 2, 3]], start=1):
        if place == 4:
            chains[3] = Chain(40, "0d" * 32)
            table.answer("ada", {"device": chains[3].anchor, "number": 3}, id="another device")
        id_, rounds, asked = f"r{place}", list[dict[str, Any]](), {number: chains[number] for number in there}
        answer = {"by": "gm", "do": "start_round", "id": id_}
        if place == 4 and unsaved:
            rounds.append(round_of(table, {**answer, "id": "unsaved"}, 4, asked))
            gave.append(given(rounds[0], "unsaved"))
        rounds.append(round_of(table, answer, place + len(rounds), asked, after=rounds))
        if 2 in there:
            gave.append(given(rounds[-1], id_))
        table.answer("gm", {"do": "start_round"}, id=id_, chance=rounds)
        table.answer("gm", {"undo": 1}, id=f"u{place}")
    table.answer("gm", {"end": True}, id="end")
    return Evening(table, gave)


def gunfight() -> Evening:
    """Somebody's wound is looked at, for which a die is rolled."""
    table = Table.new("gunfight", ["gm", "ada"], dealer=FairDealer(SEED))
    wounds = [{"card": "H5", "check": "open"}]
    sheet = {"name": "Ada", "hp": 0, "max_hp": 5, "down": True, "death_score": 5, "wounds": wounds}
    table.answer("gm", {"do": "bring_character", "sheet": sheet, "card": "HK"}, id="ada")
    table.answer("gm", {"do": "start_round"}, id="start")
    while not any("roll" in line for line in table.entries[-1].lines):
        offered = {offer["do"]: offer for offer in table.offers("gm") if "do" in offer}
        do = next(word for word in ("check", "act", "done") if word in offered)
        fields = {name: field["const"] for name, field in offered[do]["fields"].items()}
        table.answer("gm", {"do": do, **fields}, id=f"a{table.number}")
    table.answer("gm", {"end": True}, id="end")
    return Evening(table, [])


def test_a_fair_deal_is_verified():
    evenings = [shoot_out(), shoot_out(deal=""), coming_and_going(), gunfight()]
    for evening, found in zip(evenings, page_says(*(evening.asked() for evening in evenings)), strict=True):
        texts = [json.dumps(line) for line in evening.lines]
        right = verify(texts, witness=msgspec.structs.replace(evening.witness, gave=evening.gave))
        assert found["unfair"] is None
        counted = ("cards", "dice", "named", "rounds", "alone", "older", "withheld", "left", "unused")
        assert {name: found[name] for name in counted} == {name: getattr(right, name) for name in counted}
        assert [tuple(gap) for gap in found["gaps"]] == right.gaps
        assert found["devices"] == msgspec.to_builtins(right.devices)
        assert len(found["takenBack"]) == len(right.undone)
        assert [taken["line"] for taken in found["takenBack"]] == [taken.line for taken in right.undone]
        assert found["witnessed"] == len([line for line in evening.lines if "by" in line])
        assert found["notes"] == right.notes == []
        assert found["drawn"] == len({gave.id for gave in evening.gave})
        assert len(found["missed"]) == found["rounds"] - found["drawn"]
    assert (evenings[0].gave, right.older) != ([], 0)
    assert found["dice"] > 0


Tamper = Callable[[Lines], None]


def another_card(lines: Lines) -> None:
    line = next(line for line in lines if line.get("card") and "by" not in line)
    line["card"] = min({"HA", "S10", "RJ", "BJ"} - {line["card"]})


def another_name(lines: Lines) -> None:
    lines[1]["name"] = "Kit"


def other_options(lines: Lines) -> None:
    lines[0]["options"] = {"lucky_at_cards": True}


def another_promise(lines: Lines) -> None:
    lines[0]["commitment"] = "5e" * 32


def another_seed(lines: Lines) -> None:
    lines[-1]["seed"] = bytes(32).hex()


def no_seed(lines: Lines) -> None:
    del lines[-1]["seed"]


def less_of_it(lines: Lines) -> None:
    del lines[-2]


def an_id_again(lines: Lines) -> None:
    next(line for line in lines if line.get("id") == "r2")["id"] = "r1"


def no_id(lines: Lines) -> None:
    del next(line for line in lines if line.get("id") == "r2")["id"]


def links_made_up(lines: Lines) -> None:
    next(line for line in lines if "links" in line)["links"]["2"] = "ab" * 32


def links_left_out(lines: Lines) -> None:
    del next(line for line in lines if "links" in line)["links"]["2"]


def nobody_asked(lines: Lines) -> None:
    lines[:] = [line for line in lines if "links" not in line]


def a_round_again(lines: Lines) -> None:
    next(line for line in lines if "links" in line)["round"] = 20


def last_round(lines: Lines) -> dict[str, Any]:
    return next(line for line in reversed(lines) if "links" in line)


def devices_left_out_afterwards(lines: Lines) -> None:
    del last_round(lines)["links"]["2"]


def a_later_link(lines: Lines) -> None:
    """The host keeps one link back, and gives one of those after it that suits them."""
    last_round(lines)["links"]["1"] = "0a" * 32


def void_round(lines: Lines) -> dict[str, Any]:
    return next(line for line in lines if "withheld" in line)


def blamed_on_another_seat(lines: Lines) -> None:
    void_round(lines)["withheld"] = {"1": "ada"}


def asked_again_after_withholding(lines: Lines) -> None:
    """A second void round of the same seat in one draw."""
    lines.insert(lines.index(void_round(lines)) + 1, {**void_round(lines), "round": 30, "links": {}})


@pytest.mark.parametrize(
    ("tamper", "what"),
    [
        (another_card, "card"),
        (another_name, "fixed"),
        (other_options, "header"),
        (another_promise, "commitment"),
        (another_seed, "seed"),
        (no_seed, "not_ended"),
        (less_of_it, None),
        (an_id_again, "id"),
        (no_id, "id"),
        (links_made_up, "links"),
        (links_left_out, "fixed"),
        (nobody_asked, "links"),
        (a_round_again, "links"),
        (devices_left_out_afterwards, "fixed"),
        (a_later_link, "links"),
        (blamed_on_another_seat, "links"),
        (asked_again_after_withholding, "again"),
    ],
)
def test_tampering_is_found(tamper: Tamper, what: str | None):
    """The page finds it, as `cardhouse verify` does; most of it even without having been told anything of the log."""
    evening = shoot_out("" if what == "id" else TOGETHER)
    cards = evening.deal().dealt
    tamper(evening.lines)
    with pytest.raises(CardhouseError):
        verify([json.dumps(line) for line in evening.lines], witness=evening.witness)
    deal = Deal(text_of_all(evening.lines), numbered_again(cards, evening.lines))
    new_here = msgspec.structs.replace(evening.witness, log=[])
    evening.gave = []
    told, untold = page_says(evening.asked(deal), evening.asked(deal, new_here))
    assert told["unfair"] is not None
    assert (untold["unfair"] or {}).get("what") == what


def test_an_older_versions_log_is_verified_with_a_reservation():
    """Its witness compares the answer alone; a newer page's witness isn't taken in by such a log."""
    evening = coming_and_going()
    newer, seed = evening.gave, SEED
    table = Table.new("initiative", ["gm", "ada"], dealer=FairDealer(seed), deal=TOGETHER)
    older: list[SubmittedLink] = []
    chain = Chain(8)
    for line in evening.lines[1:3]:
        table.answer("gm", {name: line[name] for name in ("do", "name", "card")}, id=line["id"])
    table.answer("ada", {"device": chain.anchor}, id="device")
    answer = {"by": "gm", "do": "start_round", "id": "r1"}
    told = fixed(seed, table.log_state(table.number).head, [answer], None)
    links = {"1": chain.next()}
    older.append(SubmittedLink(1, 1, digest_of("r1"), told, links["1"]))
    table.answer("gm", {"do": "start_round"}, id="r1", chance=[{"links": links, "round": 1, "came": [1]}])
    table.answer("gm", {"end": True}, id="end")
    for gave, unfair in ((older, None), (newer[:1], "link")):
        gave = [msgspec.structs.replace(one, device=1, link=links["1"]) for one in gave]
        log = Evening(table, gave)
        [told_by_page] = page_says(log.asked())
        assert (told_by_page["unfair"] or {}).get("what") == unfair
        assert told_by_page["older"] == 1
        texts = [json.dumps(line) for line in log.lines]
        witness = msgspec.structs.replace(log.witness, gave=gave)
        if unfair:
            with pytest.raises(CardhouseError):
                verify(texts, witness=witness)
        else:
            assert verify(texts, witness=witness).older == 1


def test_an_unused_round_is_noted_without_accusation():
    """What could not be saved stands in the log before the next answer's round."""
    evening = coming_and_going(unsaved=True)
    texts = [json.dumps(line) for line in evening.lines]
    found = verify(texts, witness=msgspec.structs.replace(evening.witness, gave=evening.gave))
    [told] = page_says(evening.asked())
    assert told["unfair"] is None
    assert told["unused"] == found.unused == 1
    assert [note["what"] for note in told["notes"]] == ["unused"]
    assert [note.split(":")[0] for note in found.notes] == ["Round 4"]


def numbered_again(cards: list[Dealt], lines: Lines) -> list[Dealt]:
    """The same cards at the lines where they stand now."""
    places = [number for number, line in enumerate(lines, start=1) if line.get("card") and "by" not in line]
    return [msgspec.structs.replace(card, line=place) for card, place in zip(cards, places, strict=True)]


def test_a_server_that_tells_another_choice_of_cards():
    """The cards that were left are its word, but not their order, nor by what was drawn from them."""
    evening = shoot_out(deal="")
    deal = evening.deal()
    first = deal.dealt[0]
    assert isinstance(first.outcomes, tuple)
    for what, outcomes in (("order", first.outcomes[::-1]), ("card", first.outcomes[:1])):
        bent = msgspec.structs.replace(first, outcomes=outcomes)
        asked = evening.asked(Deal(deal.transcript, [bent, *deal.dealt[1:]]))
        assert page_says(asked)[0]["unfair"]["what"] == what
    for less in (deal.dealt[1:], [*deal.dealt, deal.dealt[-1]], []):
        assert page_says(evening.asked(Deal(deal.transcript, less)))[0]["unfair"]["what"] == "card"


@pytest.mark.parametrize("change", [{"id": "r9"}, {"fixed": "ab" * 32}, {"link": "ab" * 32}])
def test_a_link_given_for_another_answer_is_found(change: dict[str, str]):
    evening = shoot_out()
    evening.gave[1] = msgspec.structs.replace(evening.gave[1], **change)
    [told] = page_says(evening.asked())
    assert told["unfair"]["what"] == "link"
    witness = msgspec.structs.replace(evening.witness, gave=evening.gave)
    with pytest.raises(CardhouseError):
        verify([json.dumps(line) for line in evening.lines], witness=witness)


def test_links_missing_from_the_log_are_reported():
    evening = shoot_out()
    evening.gave += [SubmittedLink(1, 29, "r3", "ab" * 32, "cd" * 32), SubmittedLink(2, 99, "r9", "ab" * 32, "cd" * 32)]
    [told] = page_says(evening.asked())
    assert told["unfair"] is None
    assert [(note["what"], note["round"]) for note in told["notes"]] == [("said_away", 29), ("missing", 99)]
    texts = [json.dumps(line) for line in evening.lines]
    notes = verify(texts, witness=msgspec.structs.replace(evening.witness, gave=evening.gave)).notes
    assert [note.split(":")[0] for note in notes] == ["Round 29", "Round 99"]


def test_what_is_no_transcript():
    evening = shoot_out()
    for text in ("", "no JSON", "{}", '{"cardhouse": 1}\n[]\n'):
        assert page_says(evening.asked(Deal(text, [])))[0]["unfair"] is not None

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
from cardhouse.server.transcripts.transcript_export import Deal
from hatch_build import node_on_path
from tests.server.dealing import Chain

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
        texts = [msgspec.json.encode(line).decode() for line in self.lines]
        return Deal("".join(f"{text}\n" for text in texts), dealt(texts))

    def asked(self, deal: Deal | None = None, witness: Witness | None = None) -> dict[str, Any]:
        """What the page is given to check."""
        seen = witness or self.witness
        kept = {"commitment": seen.commitment, "header": seen.header, "log": msgspec.to_builtins(seen.log)}
        return {"deal": msgspec.to_builtins(deal or self.deal()), "kept": kept, "gave": msgspec.to_builtins(self.gave)}


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


def shoot_out(deal: str = TOGETHER) -> Evening:
    """Rounds are begun and undone, and some redone; of two devices that may take part one is too late once."""
    table = Table.new("initiative", ["gm", "ada"], dealer=FairDealer(SEED), deal=deal)
    for name, card in (("Nan", "HA"), ("Doc", "S10")):
        table.answer("gm", {"do": "add_character", "name": name, "card": card}, id=name)
    chains = [Chain(40, secret * 32) for secret in ("0a", "0b")] if deal else []
    for seat, chain in zip(("gm", "ada"), chains, strict=False):
        table.answer(seat, {"device": chain.anchor}, id=f"device {seat}")
    gave: list[SubmittedLink] = []
    for number in range(1, 6):
        id_, rounds = f"r{number}", list[dict[str, Any]]()
        if number == 3 and deal:
            rounds.append({"links": {"1": chains[0].next()}, "round": 29, "away": [2]})
        if deal:
            links = {str(place): chain.next() for place, chain in enumerate(chains, start=1)}
            rounds.append({"links": links, "round": 10 * number})
            told = fixed(SEED, table.log_state(table.number).head, {"by": "gm", "do": "start_round", "id": id_})
            gave.append(SubmittedLink(2, 10 * number, id_, told, links["2"]))
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
    for place, (there, more) in enumerate(
        [([1, 2, 3], {}), ([1, 3], {"left": [2]}), ([1, 2, 3], {"came": [2]}), ([1, 2, 3], {})], start=1
    ):
        if place == 4:
            chains[3] = Chain(40, "0d" * 32)
            table.answer("ada", {"device": chains[3].anchor, "number": 3}, id="another device")
        id_, rounds = f"r{place}", list[dict[str, Any]]()
        if place == 4 and unsaved:
            rounds.append({"links": {str(number): chains[number].next() for number in there}, "round": 4})
            gave.append(SubmittedLink(2, 4, digest_of("unsaved"), "ab" * 32, rounds[0]["links"]["2"]))
        links = {str(number): chains[number].next() for number in there}
        told = fixed(SEED, table.log_state(table.number).head, {"by": "gm", "do": "start_round", "id": id_})
        if 2 in there:
            gave.append(SubmittedLink(2, place + len(rounds), digest_of(id_), told, links["2"]))
        rounds.append({"links": links, "round": place + len(rounds), **more})
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
        counted = ("cards", "dice", "named", "rounds", "alone", "away", "unused")
        assert {name: found[name] for name in counted} == {name: getattr(right, name) for name in counted}
        assert [tuple(gap) for gap in found["gaps"]] == right.gaps
        assert found["devices"] == msgspec.to_builtins(right.devices)
        assert len(found["takenBack"]) == len(right.undone)
        assert [taken["line"] for taken in found["takenBack"]] == [taken.line for taken in right.undone]
        assert found["witnessed"] == len([line for line in evening.lines if "by" in line])
        assert found["notes"] == right.notes == []
        assert found["drawn"] == len({gave.round for gave in evening.gave})
        assert len(found["missed"]) == found["rounds"] - found["drawn"]
    assert evenings[0].gave
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


@pytest.mark.parametrize(
    ("tamper", "what"),
    [
        (another_card, "card"),
        (another_name, None),
        (other_options, "header"),
        (another_promise, "commitment"),
        (another_seed, "seed"),
        (no_seed, "not_ended"),
        (less_of_it, None),
        (an_id_again, "id"),
        (no_id, "id"),
        (links_made_up, "links"),
        (links_left_out, "card"),
        (nobody_asked, "links"),
        (a_round_again, "links"),
    ],
)
def test_tampering_is_found(tamper: Tamper, what: str | None):
    """The page finds it, as `cardhouse verify` does; most of it even without having been told anything of the log."""
    evening = shoot_out()
    cards = evening.deal().dealt
    tamper(evening.lines)
    with pytest.raises(CardhouseError):
        verify([json.dumps(line) for line in evening.lines], witness=evening.witness)
    deal = Deal("".join(f"{json.dumps(line)}\n" for line in evening.lines), numbered_again(cards, evening.lines))
    new_here = msgspec.structs.replace(evening.witness, log=[])
    evening.gave = []
    told, untold = page_says(evening.asked(deal), evening.asked(deal, new_here))
    assert told["unfair"] is not None
    assert (untold["unfair"] or {}).get("what") == what


@pytest.mark.parametrize(("round", "what"), [(2, "left_out"), (3, "links")])
def test_a_present_device_left_out_of_a_draw_is_found(round: int, what: str):
    """A draw that left somebody out, and a device that takes part though nobody said that it came."""
    evening = coming_and_going()
    deal = evening.deal()
    line = next(line for line in evening.lines if line.get("round") == round)
    for word in ("came", "left"):
        line.pop(word, None)
    texts = [json.dumps(line) for line in evening.lines]
    with pytest.raises(CardhouseError):
        verify(texts)
    new_here = msgspec.structs.replace(evening.witness, log=[])
    evening.gave = []
    [told] = page_says(evening.asked(Deal("".join(f"{text}\n" for text in texts), deal.dealt), new_here))
    assert told["unfair"]["what"] == what


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
    evening.gave += [SubmittedLink(2, 29, "r3", "ab" * 32, "cd" * 32), SubmittedLink(2, 99, "r9", "ab" * 32, "cd" * 32)]
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

"""Chance: fair, without bias, the same for the same seed, and numbered so that it can be checked afterwards."""

from __future__ import annotations

import hashlib

import pytest

from cardhouse.engine import GM, PHYSICAL, FairDealer, ScriptedDealer, SeededDealer, Table

SEED = bytes(range(32))
ID = "A" * 22


@pytest.mark.parametrize(
    ("number", "id", "digest"),
    [
        # printf %s 1:AAAAAAAAAAAAAAAAAAAAAA:0 | openssl dgst -sha256 -mac HMAC -macopt hexkey:000102...1f
        (1, ID, "95c24d49ba0a4af6c02dea4bdb691af821a1803ad7ce5359f1c5a7f8aabcede1"),
        (2, ID, "ee6a1d1ae05e3348c3f3d9cb43d2fe0d0c55ddec05d6008ba876e60d3dfa1e0f"),
        (17, "", "d46be1b85fa08c42e683b9be72c0dc2316d62630d1d21d3596750a5ecc6d2709"),
    ],
)
def test_openssl_computes_the_same_deal(number, id, digest):
    for outcomes in (1, 2, 6, 54):
        assert FairDealer(SEED).pick(outcomes, number, id) == int(digest, 16) % outcomes


def test_the_fair_deal_is_hmac_as_rfc_2104_defines_it():
    def by_hand(key: bytes, message: bytes) -> bytes:
        inner, outer = (bytes(byte ^ pad for byte in key.ljust(64, b"\0")) for pad in (0x36, 0x5C))
        return hashlib.sha256(outer + hashlib.sha256(inner + message).digest()).digest()

    for number in range(1, 200):
        digest = int.from_bytes(by_hand(SEED, f"{number}:{ID}:0".encode()), "big")
        assert FairDealer(SEED).pick(54, number, ID) == digest % 54


def test_the_commitment_is_the_seeds_sha_256():
    assert FairDealer(SEED).commitment == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert FairDealer().seed != FairDealer().seed


class Digests(FairDealer):
    """A dealer whose HMACs are these numbers."""

    def __init__(self, *values):
        super().__init__(SEED)
        self.values, self.messages = iter(values), []

    def digest(self, message):
        self.messages.append(message)
        return next(self.values).to_bytes(32, "big")


@pytest.mark.parametrize("outcomes", [2, 3, 6, 7, 52, 53, 54, 1000])
def test_no_outcome_is_likelier_than_another(outcomes):
    """Of all 256-bit numbers those below the greatest multiple of `outcomes` are taken: as many for each remainder.

    So it is enough that exactly those are taken, and that each counts by its remainder.
    """
    limit = (1 << 256) - (1 << 256) % outcomes
    for value, expected in ((0, 0), (limit - 1, outcomes - 1), (limit - outcomes, 0)):
        assert Digests(value).pick(outcomes, 1, ID) == expected
    for value in {limit, (1 << 256) - 1} if limit < 1 << 256 else ():
        dealer = Digests(value, 1)
        assert dealer.pick(outcomes, 1, ID) == 1
        assert dealer.messages == [f"1:{ID}:0".encode(), f"1:{ID}:1".encode()]


def test_one_seed_one_game():
    def picks(seed):
        return [SeededDealer(seed).pick(54, number, "") for number in range(1, 50)]

    assert picks(1) == picks(1)
    assert picks(1) != picks(2)


def test_a_scripted_dealer_gives_its_picks_and_then_the_first():
    dealer = ScriptedDealer([3, 1])
    assert [dealer.pick(5, 1, ""), dealer.pick(2, 2, ""), dealer.pick(9, 3, "")] == [3, 1, 0]
    assert dealer.widths == [5, 2, 9]


class Recording(FairDealer):
    """A dealer that remembers what it was asked for."""

    def __init__(self) -> None:
        super().__init__(SEED)
        self.asked: list[tuple[int, int, str]] = []

    def pick(self, outcomes: int, number: int, id: str) -> int:
        self.asked.append((outcomes, number, id))
        return super().pick(outcomes, number, id)


def three(dealer: FairDealer, **header) -> Table:
    table = Table.new("initiative", dealer=dealer, **header)
    for card in ("CK", "D9", "S2"):
        table.answer(GM, {"do": "add_character", "name": card, "card": card})
    return table


def test_draws_are_numbered_through_and_an_undone_draw_has_used_its_number_up():
    dealer = Recording()
    table = three(dealer)
    table.answer(GM, {"do": "start_round"}, id="first")
    dealt = len(dealer.asked)
    assert dealer.asked[0] == (5, 1, "first")
    table.answer(GM, {"undo": 1}, id="undo")
    assert len(dealer.asked) == dealt, "an undo deals nothing"
    table.answer(GM, {"do": "start_round"}, id="second")
    assert dealer.asked[dealt] == (5, dealt + 1, "second")


def test_a_refused_answer_uses_no_number_up():
    dealer = Recording()
    table = three(dealer)
    with pytest.raises(Exception, match="Nothing asks for"):
        table.answer(GM, {"do": "start_round"}, chance=[{"draw": "initiative", "card": "CK"}] * 2)
    table.answer(GM, {"do": "start_round"}, id="x")
    assert dealer.asked[0][1] == 1


def test_numbers_go_on_where_a_log_ends():
    first = Recording()
    table = three(first)
    table.answer(GM, {"do": "start_round"}, id="first")
    table.answer(GM, {"undo": 1})
    table.answer(GM, {"do": "start_round"}, id="again")
    second = Recording()
    again = Table.read(table.transcript().splitlines(), second)
    assert second.asked == []
    while not second.asked:
        question = again.asks()
        again.answer(
            GM, {"do": "done" if question["key"] == "turn" else "act", "name": question["with"]["name"]}, id="on"
        )
    assert second.asked[0][1] == first.asked[-1][1] + 1


def test_paper_decks_use_no_numbers():
    dealer = Recording()
    table = three(dealer, decks={"initiative": PHYSICAL})
    table.answer(GM, {"do": "start_round"})
    table.answer(GM, {"draw": "initiative", "card": "CK"})
    assert dealer.asked == []


def test_dice_are_picked_one_by_one(toy):
    dealer = Recording()
    table = Table.new(toy, dealer=dealer)
    entry = table.answer(GM, {"do": "guess", "number": 4}, id="x")
    assert [asked[:2] for asked in dealer.asked] == [(3, 1), (3, 2), (5, 3), (4, 4)]
    faces = [FairDealer(SEED).pick(3, number, "x") + 1 for number in (1, 2)]
    assert entry.lines[1] == {"roll": "2d3", "dice": faces}

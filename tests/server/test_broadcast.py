"""After an answer, no seat receives another seat's data, in any order of seats."""

import json

import pytest

from cardhouse.engine import GM, SeededDealer, Table
from cardhouse.server.table.broadcaster import Broadcaster, Client
from cardhouse.server.wire import protocol
from cardhouse.server.wire.frames import Outgoing


@pytest.mark.parametrize("seats", [("ada", "ben"), ("ben", "ada")])
def test_a_glimpse_of_a_card_that_the_same_answer_has_drawn(seats):
    """Once it is drawn, those who saw it know no more than the others, and yet they have been told of it (HJ-25)."""
    table = Table.new("hackjack", (GM, "ada", "ben"), dealer=SeededDealer(0))
    table.answer(GM, {"do": "add_character", "name": "Ada", "hp": 1, "max_hp": 1, "controller": "ada"})
    heard: dict[str, list[str]] = {}
    people = Broadcaster()
    people.clients = dict.fromkeys(somebody(table, people, seat, heard) for seat in seats)  # type: ignore[assignment]
    chance = [{"draw": "wounds", "card": card} for card in ("CJ", "HA", "SQ", "D4")]
    entry = table.answer(GM, {"do": "damage", "target": "Ada", "amount": 2}, chance=chance)
    people.tell(table, [entry])
    assert {seat: "peeked" in keys for seat, keys in heard.items()} == {"ada": True, "ben": False}


def test_who_is_too_far_behind_leaves_over_what_it_is_told_and_all_others_hear_it():
    table = Table.new("hackjack", (GM, "ada", "ben"), dealer=SeededDealer(0))
    people = Broadcaster()
    heard: list[Outgoing] = []

    def too_much(frame: Outgoing) -> None:
        for client in behind:
            people.leave(client)

    behind = [Client(too_much) for _ in range(3)]
    for client in (*behind, Client(heard.append), Client(heard.append)):
        client.seat = "ada"
        people.join(client, table)
    people.send_to_all(protocol.Pong(0))
    assert len(heard) == 2
    assert len(people.clients) == 2
    for client in behind:
        people.join(client, table)
    people.tell(table, [table.answer(GM, {"do": "add_character", "name": "Ada", "hp": 1, "max_hp": 1})])
    assert len(heard) == 4
    assert len(people.clients) == 2


def somebody(table: Table, people: Broadcaster, seat: str, heard: dict[str, list[str]]) -> Client:
    """Somebody at the table, who writes down what events it is told of."""

    def hear(frame: Outgoing) -> None:
        heard[seat] = [event["key"] for entry in json.loads(frame.content)["story"] for event in entry["events"]]

    client = Client(hear)
    client.seat = seat
    people.join(client, table)
    return client

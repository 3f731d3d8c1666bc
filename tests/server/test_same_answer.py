"""A repeated answer is recognised, however its names are written; no other answer is."""

import json

import pytest

from cardhouse.engine import GM, Refused, Table
from cardhouse.server.table.commands import Command, check_same

SENT = {"do": "add_character", "name": "Jose\u0301\u200b", "hp": 7, "max_hp": 7}


def said(**changes: object) -> Command:
    return Command(GM, json.dumps({**SENT, **changes}).encode(), "one", None)


def test_an_answer_sent_again_is_the_one_that_was_logged():
    table = Table.new("hackjack", ["gm", "ada"])
    line = table.answer(GM, table.read_action(said().answer), id="one").lines[0]
    assert line["name"] == "Jos\u00e9"
    check_same(table, said(), line)
    for other in (said(name="Jose"), said(hp=6), said()._replace(seat="ada")):
        with pytest.raises(Refused, match="Another answer at this table has this id"):
            check_same(table, other, line)

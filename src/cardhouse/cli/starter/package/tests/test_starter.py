from pathlib import Path

import pytest

from cardhouse import Table
from cardhouse.testing import Conformance, excused
from cardhouse.testing.golden import goldens, named, play

EVENING = Path(__file__).with_name("evening.jsonl")


def evening() -> Table:
    return Table.read(EVENING.read_bytes().splitlines())


@pytest.mark.parametrize("path", goldens(Path(__file__).with_name("transcripts")), ids=named)
def test_golden(path: Path):
    """The transcripts of the rules meet their expectations."""
    play(path)


def test_a_face_takes_the_points_of_the_turn_s3():
    assert evening().asks()["with"] == {"seat": "ada", "points": 12}


def test_whoever_has_enough_points_wins_s5():
    table = evening()
    table.answer("ada", {"do": "stop"})
    assert table.view("gm")["players"] == [{"seat": "gm", "score": 0}, {"seat": "ada", "score": 12}]
    assert table.asks()["kind"] == "over"


class TestStarter(Conformance):
    """The properties of every game: docs/authors.md."""

    game = "starter"
    everything = True
    unreached = excused(rule="S-1")  # no event cites it

    def check(self, table: Table) -> None:
        view = table.view("ada")
        assert view["deck_left"] + len(view["turned"]) == 52

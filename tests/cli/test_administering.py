"""The administrator manages the tables of a running server by commands."""

import json
import re
from pathlib import Path

import pytest

from cardhouse.testing.serving import serving_house
from tests import asking
from tests.asking import connect
from tests.cli.conftest import Run
from tests.cli.test_tables import db, imported
from tests.serving import said_by

__all__ = ["db"]


@pytest.mark.soak
def test_a_house_that_runs_hears_of_it(run: Run, db: str, fight: Path):
    with serving_house("--db", db) as (_, printed):
        address = printed.splitlines()[0].split()[-1]
        made = asking.post(f"{address}api/tables/import", content=fight.read_bytes()).json()
        table, links = made["table"], made["links"]
        with connect(f"{address.replace('http', 'ws')}ws") as ada:
            said_by(ada, {"t": "sit", "table": table, "token": links["ada"]}, "table")
            assert run("tables", "say", "The house restarts at 22:00.", "--db", db).status == 0
            assert run("tables", "say", "--db", db).out == "The house restarts at 22:00.\n"
            assert said_by(ada, {"t": "ping"}, "house")["message"] == "The house restarts at 22:00."
            shown = json.loads(run("tables", "show", table, "--json", "--db", db).out)
            while not sum(seat.get("here", 0) for seat in shown["seats"]):  # it is written down from time to time
                shown = json.loads(run("tables", "show", table, "--json", "--db", db).out)
            assert [seat["seat"] for seat in shown["seats"] if seat.get("here")] == ["ada"]
            assert json.loads(run("tables", "list", "--json", "--db", db).out)["here"] == 1
            status, link, err = run("tables", "renew", table, "gm", "--db", db)
            assert status == 0, err
            assert run("tables", "end", table, "--db", db).status == 0
            while said_by(ada, {"t": "ping"}, "change").get("n") != 8:
                continue
            assert run("tables", "renew", table, "ada", "--db", db).status == 0
            assert said_by(ada, {"t": "ping"}, "error")["code"] == "old_link"
        path = f"{address}api/tables/{table}/transcript"
        tokens = {links["gm"]: 401, link.strip().partition("#")[2]: 200}
        for token, expected in tokens.items():
            assert asking.get(path, headers={"Authorization": f"Bearer {token}"}).status_code == expected
        assert run("tables", "say", "", "--db", db).out == "The notice is removed.\n"
        assert run("tables", "end", table, "--db", db).err == "cardhouse: The table has ended already.\n"


def test_a_table_from_outside(run: Run, db: str, fight: Path):
    table = imported(run, db, fight)
    status, out, _ = run("tables", "show", table, "--db", db)
    assert status == 0
    assert re.search(r"^Kept +7 answers, 0.\d kB$", out, re.MULTILINE), out
    assert [line.split()[0] for line in out.splitlines()[-4:]] == ["gm", "ada", "ben", "screen"]
    for command in (("show",), ("renew", "gm"), ("end",)):
        word, *more = command
        said = run("tables", word, "abcdefgh", *more, "--db", db)
        assert (said.status, said.out) == (2, "")
        assert said.err.startswith("cardhouse: There is no table abcdefgh. ")
    assert "There is no seat" in run("tables", "renew", table, "nobody", "--db", db).err


def test_the_link_to_the_page(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    url = f"sqlite:///{tmp_path / 'cards.db'}"
    link = run("tables", "page", "--address", "https://cards.example.org/", "--db", url).out
    assert re.fullmatch(r"https://cards\.example\.org/house#[\w-]{22}\n", link)
    assert run("tables", "page", "--db", "postgresql://a@localhost/b").status == 2
    monkeypatch.setenv("CARDHOUSE_ADMIN_KEY", "a key with spaces")
    assert run("tables", "page", "--address", "https://cards.example.org/", "--db", url).out.endswith(
        "/house#a%20key%20with%20spaces\n"
    )
    monkeypatch.setenv("CARDHOUSE_ADMIN_KEY", "too short")
    assert "16 letters" in run("tables", "page", "--db", url).err


def test_a_notice_is_one_line(run: Run, db: str, fight: Path):
    imported(run, db, fight)
    assert run("tables", "say", "--db", db).out == "There is no server notice.\n"
    assert "server notice" in run("tables", "say", "x" * 201, "--db", db).err

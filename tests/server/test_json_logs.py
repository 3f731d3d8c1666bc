"""The log as lines of JSON: each names its request, and none has text from players."""

import json
from pathlib import Path

from tests.server.talking import FAST, open_socket, running
from tests.server.wires import Wire

NAME, CARD = "Zebediah Quartermain", "S10"
ID = "from-the-proxy.7"


def test_a_request_has_an_id_that_its_proxy_or_the_server_gives(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/cards.db", *FAST, log=tmp_path / "log") as server:
        ask = {"X-Forwarded-For": "192.0.2.7"}
        assert server.raw("/api/house", **ask, **{"X-Request-Id": ID})[1]["x-request-id"] == ID
        for none in ("", "two words", "x" * 65, "ein\u00e4".encode().decode("latin-1")):
            given = server.raw("/api/house", **ask, **{"X-Request-Id": none})[1]["x-request-id"]
            assert len(bytes.fromhex(given)) == 8
        socket = open_socket(server, additional_headers={"X-Request-Id": ID})
        assert socket.response is not None
        assert socket.response.headers["x-request-id"] == ID
    with running(f"sqlite:///{tmp_path}/other.db", log=tmp_path / "log") as server:
        assert server.raw("/api/house", **{"X-Request-Id": ID})[1]["x-request-id"] != ID, "it is nobody's proxy"


def test_a_log_line_names_the_event_and_the_request(tmp_path: Path, postgres_url: str) -> None:
    """A house in all the trouble there is, with names, cards and links that are known again."""
    with Wire(postgres_url, 5432) as wire, running(wire.url, *FAST, "--log-json", log=tmp_path / "log") as server:
        table = server.make_table(name=NAME)
        gm = table.sit("gm")
        gm.do("add_character", name=NAME, card=CARD)
        gm.say(t="name", name=NAME)
        gm.say(t="view_failed", slot="middle", error=f"TypeError: {NAME} has no {CARD}")
        gm.ask({"do": "add_character", "name": NAME, "card": "HA"})
        assert server.raw("/api/house", Host=f"{NAME.split()[0].lower()}.example", **{"X-Request-Id": ID})[0] == 421
        wire.cut()
        server.get(f"/api/tables/{table.id}/seats", table.links["door"])
        gm.ask({"do": "remove_character", "name": NAME})
        wire.mend()
        while server.get("/ready")[0] != 200:
            pass
        gm.sync()
    log = (tmp_path / "log").read_text("utf-8")
    lines = [json.loads(line) for line in log.splitlines()]
    said = {line["message"] for line in lines}
    assert {"at", "level", "logger", "message"} <= set.intersection(*map(set, lines))
    assert "A page says that the view of initiative failed: '…' in '…'" in said
    assert any("Nothing can be saved" in one for one in said)
    assert [line["request"] for line in lines if "zebediah" in line["message"]] == [ID]
    told = log.replace("zebediah.example", "")  # that is whom somebody wanted to reach
    assert not [word for word in (*NAME.split(), CARD, *table.links.values()) if word.lower() in told.lower()]

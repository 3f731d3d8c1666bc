"""The metrics for Prometheus, and the dashboard's queries."""

import json
import re
import urllib.request
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from prometheus_client.parser import text_string_to_metric_families

from cardhouse.cli import main
from cardhouse.engine.values.errors import Code
from scripts.services import free_port, ports_in_a_row
from tests.server.talking import FAST, close_sockets, running
from tests.server.test_workers import one_each

DASHBOARD = Path(__file__).parents[2] / "deploy" / "grafana.json"
NAME = "Zebediah"


def told(port: int) -> tuple[str, dict[tuple[str, ...], float]]:
    """The text, and each sample by its name and the values of its labels."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        text = answer.read().decode()
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return text, {(sample.name, *sample.labels.values()): sample.value for sample in samples}


def test_metrics_count_events_and_name_no_one(database: str, tmp_path: Path) -> None:
    port = free_port()
    with running(database, *FAST, "--metrics", str(port), log=tmp_path / "log") as server:
        assert server.get("/metrics")[0] == 404, "it is told on a listener of its own"
        table = server.make_table(name=NAME)
        gm = table.sit("gm")
        gm.do("add_character", name=NAME, card="S10")
        gm.ask({"do": "add_character", "name": NAME, "card": "S10"})
        gm.say(t="reissue", seat="nobody")
        gm.hear("error")
        server.get("/api/tables/none/seats")
        text, now = told(port)
        answers = ("cardhouse_answers_total", "initiative")
        assert (now[*answers, "saved"], now[*answers, "not_offered"]) == (1, 1)
        assert now["cardhouse_answer_seconds_count",] == now["cardhouse_save_entries_sum",] == 1
        assert now["cardhouse_refusals_total", "no_such_seat"] == now["cardhouse_refusals_total", "old_link"] == 1
        assert (now["cardhouse_tables_open",], now["cardhouse_sockets",], now["cardhouse_saving",]) == (1, 1, 1)
        assert now["process_resident_memory_bytes",] > 10_000_000
        secrets = (NAME, "S10", table.id, *table.links.values())
        assert not [word for word in secrets if word in text]

        asked = [target["expr"] for panel in json.loads(DASHBOARD.read_text())["panels"] for target in panel["targets"]]
        names = names_in(" ".join(asked))
        there = set(re.findall(r"^# TYPE (\S+)", text, re.MULTILINE)) | {name for name, *_ in now}
        assert names <= there
        alerts = names_in(" ".join(rule["expr"] for rule in alert_rules()))
        assert {"cardhouse_saving", "cardhouse_answer_seconds_bucket"} <= alerts <= there
        described = set(re.findall(r"^# TYPE (cardhouse_\w+?)(?:_total)? (?!untyped)", text, re.MULTILINE))
        shown = {re.sub("_(total|bucket|sum|count)$", "", name) for name in names}
        assert {name for name in described if not name.endswith("_created")} <= shown, "each is on the dashboard"
        assert main(["serve", "--db", f"sqlite:///{tmp_path}/b.db", "--port", "0", "--metrics", str(port)]) == 2
        assert main(["serve", "--db", f"sqlite:///{tmp_path}/b.db", "--port", "0", "--metrics", "world"]) == 2


def names_in(expressions: str) -> set[str]:
    return set(re.findall(r"\b(?:cardhouse|process)_\w+", expressions))


def alert_rules() -> list[dict[str, str]]:
    """The alerts that deploy/prometheus.yml names."""
    (file,) = msgspec.yaml.decode((DASHBOARD.with_name("prometheus.yml")).read_text())["rule_files"]
    (group,) = msgspec.yaml.decode(DASHBOARD.with_name(file).read_text())["groups"]
    rules: list[dict[str, str]] = group["rules"]
    return rules


def test_alerts_name_codes_and_labels_that_there_are() -> None:
    asked = " ".join(rule["expr"] for rule in alert_rules())
    assert set(re.findall(r'(?:code|outcome)="(\w+)"', asked)) <= set(get_args(Code))
    assert set(re.findall(r'state="(\w+)"', asked)) <= {"waiting", "running"}
    assert set(re.findall(r'job="(\w+)"', asked)) == {"cardhouse"}


@pytest.mark.soak
def test_each_of_several_processes_tells_its_own_at_the_next_port(tmp_path: Path) -> None:
    first, second = ports_in_a_row(2)
    options = (*FAST, "--workers", "2", "--metrics", str(first))
    with running(f"sqlite:///{tmp_path}/cards.db", *options, log=tmp_path / "log") as server:
        tables = one_each(server.make_table)
        for table in tables:
            table.sit("gm").do("add_character", name=NAME, card="S10")
        figures = [told(port)[1] for port in (first, second)]
        close_sockets()
    assert [now["cardhouse_answers_total", "initiative", "saved"] for now in figures] == [1, 1]
    assert [("cardhouse_studies", "waiting") in now for now in figures] == [True, False], "the first has the lab"
    assert "Traceback" not in (tmp_path / "log").read_text()

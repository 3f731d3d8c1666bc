"""Try deploy/prometheus.yml and its alerts with Debian's Prometheus, and evaluate the dashboard's expressions.

That is deploy/grafana.json. Part of `make hosting`. Grafana itself isn't run, because Debian lacks it.
"""

import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import httpx

from scripts.guests import Guests
from scripts.proxies import DEPLOY, ROOT
from scripts.services import free_port, listening, ports_in_a_row, running
from scripts.trials import Trial

CARDHOUSE = Path(sys.executable).with_name("cardhouse")
TARGET = '"127.0.0.1:9137"'
"""The target in deploy/prometheus.yml."""
EVERY = "scrape_interval: 15s"
SAVED = 'cardhouse_answers_total{outcome="saved"}'
SECONDS = 180
LOOK_SECONDS = 0.5
MOST_TABLES = 32
"""More than enough for each process to get one."""


def watched(processes: int) -> Callable[[Path], str]:
    """Return a trial with a server of this many processes, each scraped on its own port."""

    def trial(folder: Path) -> str:
        for looked, file in ("check config", DEPLOY / "prometheus.yml"), ("test rules", ROOT / "tests/alerts.yml"):
            checked = subprocess.run(["promtool", *looked.split(), file], capture_output=True, text=True)
            assert checked.returncode == 0, checked.stdout + checked.stderr
        port, figures, api = free_port(), ports_in_a_row(processes), free_port()
        serve = [CARDHOUSE, "serve", "--port", port, "--db", f"sqlite:///{folder}/cards.db", "--no-lab-ahead"]
        serve += ["--metrics", figures[0], "--workers", processes]
        house = running(listening(serve, port, folder / "house.log"))
        with house, running(listening(prometheus(folder, figures, api), api, folder / "prometheus.log")):
            asking = Prometheus(api)
            asking.until(lambda: asking.values('up{job="cardhouse"}') == [1.0] * processes)
            saved = play_in_each(f"http://127.0.0.1:{port}", asking, processes)
            expressions = asked_by_the_dashboard()
            known = asking.names()
            unknown = {name for each in expressions for name in names_in(each)} - known
            assert not unknown, f"the dashboard asks for what there isn't: {sorted(unknown)}"
            for each in expressions:
                asking.until(partial(asking.values, each), f"there is no answer to {each}")
            asking.until(asking.has_evaluated, "an alert can't be evaluated")
            assert asking.values('up{job="cardhouse"}') == [1.0] * processes
        log = (folder / "house.log").read_text("utf-8")
        assert "Traceback" not in log, log[-2000:]
        where = "at a port each" if processes > 1 else "at one port"
        return (
            f"{processes} of the house's processes asked {where}; {saved} answers given, and as many counted; "
            f"all {len(expressions)} of the dashboard's expressions have figures; no alert fires"
        )

    return trial


class Prometheus:
    """The API of a Prometheus on this port of this machine."""

    def __init__(self, port: int) -> None:
        self._web = httpx.Client(base_url=f"http://127.0.0.1:{port}/api/v1", timeout=SECONDS)

    def values(self, expression: str) -> list[float]:
        """Return the present values of an expression. Raises AssertionError if Prometheus can't evaluate it."""
        return [float(sample["value"][1]) for sample in self._ask("query", query=expression)["result"]]

    def counts(self, answers: int) -> bool:
        """Return whether it counts exactly this many saved answers."""
        return sum(self.values(SAVED)) == answers

    def names(self) -> set[str]:
        """Return the names of all metrics."""
        return set(self._ask("label/__name__/values"))

    def has_evaluated(self) -> bool:
        """Whether it has evaluated each alert. Raises AssertionError if it can't evaluate one, or one fires."""
        rules = [rule for group in self._ask("rules")["groups"] for rule in group["rules"]]
        assert rules, "Prometheus has no alerts"
        assert all(rule["health"] != "err" and rule["state"] != "firing" for rule in rules), rules
        return all(rule["health"] == "ok" for rule in rules)

    def until(self, true: Callable[[], object], otherwise: str = "Prometheus doesn't come to know of it") -> None:
        """Wait for a condition. Raises AssertionError after the timeout."""
        end = time.monotonic() + SECONDS
        while not true():
            assert time.monotonic() < end, otherwise
            time.sleep(LOOK_SECONDS)

    def _ask(self, path: str, **query: str) -> Any:
        told = self._web.get(path, params=query).json()
        assert told["status"] == "success", f"{query}: {told}"
        return told["data"]


def prometheus(folder: Path, figures: list[int], port: int) -> list[str]:
    """Return the command for Prometheus with our file, adapted to these ports and to scrape every second."""
    text = (DEPLOY / "prometheus.yml").read_text("utf-8")
    assert text.count(TARGET) == text.count(EVERY) == 1, text
    targets = ", ".join(f'"127.0.0.1:{one}"' for one in figures)
    shutil.copy(DEPLOY / "alerts.yml", folder)
    (folder / "prometheus.yml").write_text(text.replace(TARGET, targets).replace(EVERY, "scrape_interval: 1s"), "utf-8")
    told = [f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/prometheus"]
    return ["prometheus", *told, f"--web.listen-address=127.0.0.1:{port}"]


def play_in_each(address: str, asking: Prometheus, processes: int) -> int:
    """Play at tables until each process has saved an answer; return how many answers were given.

    One request is refused on purpose, to be counted as well.
    """
    assert Guests(address).web.get("/api/tables/none/seats").is_error
    for given in range(1, MOST_TABLES + 1):
        guests = Guests(address)  # a new connection, which either process may accept
        guests.play(guests.make_table())
        if given < processes:
            continue
        asking.until(partial(asking.counts, given))
        if len(asking.values(SAVED)) == processes:
            return given
    raise AssertionError(f"of {MOST_TABLES} tables none was at one of the processes")


def asked_by_the_dashboard() -> list[str]:
    """Return each expression of deploy/grafana.json."""
    panels = json.loads((DEPLOY / "grafana.json").read_text("utf-8"))["panels"]
    return [target["expr"] for panel in panels for target in panel["targets"]]


def names_in(expression: str) -> set[str]:
    """Return the metrics in an expression."""
    return set(re.findall(r"\b(?:cardhouse|process)_\w+", expression))


TRIALS = {
    "prometheus": Trial("prometheus.yml and grafana.json, with one process", watched(1)),
    "prometheus-2": Trial("the same, with --workers 2", watched(2)),
}

"""Metrics for Prometheus, on a separate listener: counts and durations, without personal data."""

import asyncio
import time
from collections import Counter as Tally
from collections.abc import Iterator
from contextlib import suppress

import prometheus_client as prometheus
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from cardhouse.engine import CardhouseError
from cardhouse.server.core.null_metrics import NullMetrics
from cardhouse.server.jobs.queue import PRIORITIES
from cardhouse.server.lab.service import LabService
from cardhouse.server.management.table_manager import TableManager
from cardhouse.server.persistence.group_commit import NotSaved

SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)
LONG_SECONDS = (0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10, 30, 60)
ENTRIES = (1, 2, 5, 10, 20, 50, 100, 200, 500)
LAG_SECONDS = 0.5
"""Interval at which the event loop's lag is measured."""
KEPT_SECONDS = 60.0
"""Interval at which stored tables are counted."""
HIGHEST_PORT = 65_535


class Metrics(NullMetrics):
    """Prometheus metrics. Labels are installed games, error codes and lanes, never tables, names or links."""

    def __init__(self) -> None:
        self.registry = prometheus.CollectorRegistry()
        self._answers = prometheus.Counter(
            "cardhouse_answers",
            "Answers by result: saved, repeated or an error code.",
            ["game", "outcome"],
            registry=self.registry,
        )
        self._answer_seconds = prometheus.Histogram(
            "cardhouse_answer_seconds",
            "From reading an answer to telling everyone that it is saved.",
            buckets=SECONDS,
            registry=self.registry,
        )
        self._entries = prometheus.Histogram(
            "cardhouse_save_entries", "Entries saved in one transaction.", buckets=ENTRIES, registry=self.registry
        )
        self._save_seconds = prometheus.Histogram(
            "cardhouse_save_seconds", "Duration of a save, in seconds.", buckets=SECONDS, registry=self.registry
        )
        self._refusals = prometheus.Counter(
            "cardhouse_refusals",
            "Refused requests and frames, except answers.",
            ["code"],
            registry=self.registry,
        )
        self._work_seconds = prometheus.Histogram(
            "cardhouse_work_seconds",
            "From asking a worker process for work to its result.",
            ["lane"],
            buckets=LONG_SECONDS,
            registry=self.registry,
        )
        for lane in PRIORITIES:
            self._work_seconds.labels(lane.name)
        self._lag = prometheus.Histogram(
            "cardhouse_loop_lag_seconds",
            "Delay of the event loop.",
            buckets=SECONDS,
            registry=self.registry,
        )
        prometheus.ProcessCollector(registry=self.registry)

    def answered(self, game: str, outcome: str, seconds: float) -> None:
        """Count an answer, and its duration if it was saved."""
        self._answers.labels(game, outcome).inc()
        if outcome == "saved":
            self._answer_seconds.observe(seconds)

    def saved(self, entries: int, seconds: float) -> None:
        """Count a transaction."""
        self._entries.observe(entries)
        self._save_seconds.observe(seconds)

    def refused(self, code: str) -> None:
        """Count a refusal."""
        self._refusals.labels(code).inc()

    def worked(self, lane: str, seconds: float) -> None:
        """Count a job."""
        self._work_seconds.labels(lane).observe(seconds)

    async def watch(self, manager: TableManager, lab: LabService | None, sockets: Tally[str]) -> None:
        """Report these gauges and the event loop's lag until cancelled; only one of several processes has the `lab`."""
        now = MetricsCollector(manager, lab, sockets)
        self.registry.register(now)
        try:
            while True:
                await now.count_tables()
                due = time.monotonic() + LAG_SECONDS
                await asyncio.sleep(LAG_SECONDS)
                self._lag.observe(max(0.0, time.monotonic() - due))
        finally:
            self.registry.unregister(now)

    def listen(self, where: str, place: int = 0) -> None:
        """Serve the metrics at `ADDRESS:PORT`; a port alone means on this machine only.

        Each of several processes adds its `place` to the port.

        Raises CardhouseError if the address is invalid or taken.
        """
        address, _, port = where.rpartition(":")
        if not port.isdecimal() or int(port) + place > HIGHEST_PORT:
            raise CardhouseError(
                f'"{where[:60]}" isn\'t an address for metrics. Write it like 127.0.0.1:9137, or 9137.'
            )
        try:
            prometheus.start_http_server(
                int(port) + place if int(port) else 0, address.strip("[]") or "127.0.0.1", self.registry
            )
        except OSError as error:
            raise CardhouseError(f"The server can't open {where} for metrics: {error.strerror or error}.") from None


class MetricsCollector(Collector):
    """Gauges, read when Prometheus asks, in its own thread: so only lengths are read."""

    def __init__(self, manager: TableManager, lab: LabService | None, sockets: Tally[str]) -> None:
        self._manager = manager
        self._lab = lab
        self._sockets = sockets
        self._kept = 0
        self._counted_at = float("-inf")

    async def count_tables(self) -> None:
        """Count the stored tables again if the last count is old."""
        if time.monotonic() - self._counted_at > KEPT_SECONDS:
            self._counted_at = time.monotonic()
            with suppress(NotSaved):  # reported by cardhouse_saving
                self._kept = await self._manager.saver.read(self._manager.store.count_tables)

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield all gauges."""
        yield GaugeMetricFamily("cardhouse_tables_open", "Tables in memory.", self._manager.tables_open)
        yield GaugeMetricFamily("cardhouse_tables_kept", "Tables in the database.", self._kept)
        yield GaugeMetricFamily("cardhouse_sockets", "Sockets that are open.", sum(list(self._sockets.values())))
        yield GaugeMetricFamily(
            "cardhouse_saving", "1 if the server can save, else 0.", int(self._manager.saver.healthy)
        )
        work = GaugeMetricFamily("cardhouse_work", "Work for worker processes.", labels=["lane", "state"])
        for lane, waiting, running in self._manager.workers.load():
            work.add_metric([lane, "waiting"], waiting)
            work.add_metric([lane, "running"], running)
        yield work
        if self._lab is None:
            return
        studies = GaugeMetricFamily("cardhouse_studies", "Studies of the lab.", labels=["state"])
        waiting, running = self._lab.load()
        studies.add_metric(["waiting"], waiting)
        studies.add_metric(["running"], running)
        yield studies

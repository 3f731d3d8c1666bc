"""The lab over HTTP: questions, and studies that are followed, stopped, refused and forgotten."""

import asyncio
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from signal import SIGTERM
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from cardhouse.engine import CardhouseError
from cardhouse.lab.questions.cell import Cell
from cardhouse.lab.questions.question import Finding, Measure, Question, find_question, games_with_questions, share
from cardhouse.lab.questions.settings import cells
from cardhouse.lab.running.study import Result, Study, ask
from cardhouse.server.lab import service as limits
from cardhouse.server.lab.limits import MOST_SECONDS, MOST_TRIALS
from cardhouse.server.lab.responses import join_pieces
from cardhouse.server.lab.service import LabService, StudyRun
from cardhouse.testing.serving import serving_house
from tests import asking
from tests.server.talking import FAST, Server, asking_for, leave_it_the_machine, running

ORDER = "/api/lab/initiative/order"
LONG: dict[str, Any] = {"settings": {"mine": "1-13", "theirs": "1-7"}, "trials": MOST_TRIALS}
"""More than can be played while a test runs."""


def begin(server: Server, path: str = ORDER, visitor: int = 1, **wanted: Any) -> dict[str, Any]:
    status, run = server.post(path, wanted, **asking_for(f"10.0.0.{visitor}"))
    assert status == 201, run
    return dict(run)


def follow(server: Server, run: dict[str, Any], far_enough: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    while not far_enough(run):
        leave_it_the_machine()
        status, run = server.get(f"/api/lab/runs/{run['id']}")
        assert status == 200, run
    return run


def over(run: dict[str, Any]) -> bool:
    return bool(run["state"] == "over")


def stop(server: Server, run: dict[str, Any]) -> dict[str, Any]:
    assert server.delete(f"/api/lab/runs/{run['id']}")[0] == 204
    return follow(server, run, over)


def test_what_can_be_asked(server: Server) -> None:
    status, told = server.get("/api/lab")
    assert status == 200
    assert {game["name"] for game in told["games"]} <= set(games_with_questions())
    (initiative,) = (game for game in told["games"] if game["name"] == "initiative")
    order = next(question for question in initiative["questions"] if question["name"] == "order")
    assert (initiative["title"], order["title"], order["trial"]) == ("Card initiative", "Who acts when?", "round")
    settings = {setting["name"]: setting for setting in order["settings"]}
    mine, wait = settings["mine"], settings["wait"]
    assert (mine["kind"], mine["usual"], mine["least"], mine["most"]) == ("whole", "4", 1, 13)
    assert wait["kind"] == "choice"
    assert wait["usual"] in wait["choices"]
    assert all(setting["text"] for setting in settings.values())


@pytest.mark.soak
def test_a_study_is_played_and_tells_what_the_lab_tells_elsewhere(server: Server) -> None:
    settings, versus = {"hero": "K,2"}, {"wait": "never"}
    run = begin(server, settings=settings, vs=versus, trials=20_000, confidence=0.99, seed=7)
    assert run["state"] in ("waiting", "running")
    assert run["of"] == 40_000
    run = follow(server, run, over)
    assert (run["problem"], run["why_stopped"], run["done"]) == ("", "", 40_000)
    result = run["result"]
    asked = cells(find_question("initiative", "order"), settings, versus)
    same = ask(Study(cells=asked, trials=20_000, confidence=0.99, seed=7))
    for answer, other in zip(result["answers"], same.answers, strict=True):
        assert [one["number"]["value"] for one in answer["found"]] == [one.estimate.value for one in other.found]
        assert answer["trials"] == 20_000
    first = result["answers"][0]
    assert (first["name"], first["there"]) == ("hero K", "wait never")
    headline = first["found"][0]
    assert headline["number"]["low"] < headline["number"]["value"] < headline["number"]["high"]
    assert headline["number"]["shown"].endswith("%")
    assert headline["number"]["error"].startswith("±")
    assert headline["more"]["shown"][0] in "+\N{MINUS SIGN}"
    assert result["plots"]
    assert all("vega-lite" in plot["spec"]["$schema"] for plot in result["plots"])
    assert set(result["looks"]) == {"light", "dark"}
    assert "--hero K,2" in run["command"]
    assert "--vs wait=never" in run["command"]

    path = f"/api/lab/runs/{run['id']}/report"
    status, headers, html = server.raw(f"{path}.html")
    assert status == 200
    assert headers["content-security-policy"].endswith("sandbox")
    assert b"Who acts when?" in html
    status, headers, csv = server.raw(f"{path}.csv")
    assert status == 200
    assert headers["content-type"].startswith("text/csv")
    assert headers["content-disposition"] == 'attachment; filename="order.csv"'
    assert csv.count(b"\n") > 1 + len(first["found"])


@pytest.mark.soak
def test_a_mean_of_one_value_says_that_it_has_no_interval(server: Server) -> None:
    run = follow(server, begin(server, trials=1), over)
    numbers = [one["number"] for one in run["result"]["answers"][0]["found"] if one["number"]["value"] is not None]
    means = [number for number in numbers if not number["shown"].endswith("%")]
    assert means
    assert all((number["low"], number["error"]) == (None, "(a single trial: no interval)") for number in means)


@pytest.mark.soak
def test_a_study_goes_on_only_until_enough_is_known(server: Server) -> None:
    run = follow(server, begin(server, until=0.02), over)
    assert run["until"] == 0.02
    (answer,) = run["result"]["answers"]
    assert answer["trials"] == 10_000
    assert all(one["number"]["high"] - one["number"]["low"] <= 0.04 for one in answer["found"] if one["key"] == "first")


@pytest.mark.parametrize(
    ("path", "wanted", "said"),
    [
        ("/api/lab/chess/order", {}, "chess"),
        ("/api/lab/initiative/chess", {}, "there are order"),
        (ORDER, {"settings": {"hat": "1"}}, 'no setting "hat"; it has hero'),
        (ORDER, {"settings": {"mine": "-3"}}, "mine takes a whole number from 1 to 13, not -3"),
        (ORDER, {"settings": {"mine": ""}}, "not nothing"),
        (ORDER, {"settings": {"wait": "sometimes"}}, "wait takes one of"),
        (ORDER, {"settings": {"hero": "X"}}, "X"),
        (ORDER, {"settings": {"mine": 4}}, "settings"),
        (ORDER, {"vs": {"mine": "2,3"}}, "takes one value there"),
        (ORDER, {"settings": {"mine": "1-13", "theirs": "0-13"}}, "182 combinations of settings; at most 100"),
        (ORDER, {"trials": 0}, "1 to 10,000,000 trials are allowed here, not 0"),
        (ORDER, {"trials": 10_000_001}, "1 to 10,000,000 trials"),
        (ORDER, {"trials": 10**30}, "trials"),
        (ORDER, {"seed": -1}, "seed"),
        (ORDER, {"confidence": 1}, "confidence"),
        (ORDER, {"until": 0.9}, "until"),
        (ORDER, {"hat": 1}, "hat"),
        ("/api/lab/hackjack/deadly", {"settings": {"hp": "-1"}}, "hp takes a whole number"),
        ("/api/lab/hackjack/deadly", {"settings": {"wounds": "/etc/passwd"}}, "neither a file in this request"),
    ],
)
def test_nonsense_is_refused_at_once(server: Server, path: str, wanted: Any, said: str) -> None:
    status, told = server.post(path, wanted)
    assert status == 400
    assert said in told["message"]


def test_a_file_that_came_along_is_read_and_its_mistakes_are_told(server: Server) -> None:
    wanted = {"settings": {"wounds": "mine.toml"}, "files": {"mine.toml": "[QS]\nbloud = 3\n"}}
    status, told = server.post("/api/lab/hackjack/deadly", wanted)
    assert status == 400
    assert told["mistakes"][0]["line"] in (1, 2)


@pytest.mark.soak
def test_studies_wait_for_each_other_and_are_stopped_while_tables_go_on(server: Server) -> None:
    runs = [begin(server, visitor=visitor, **LONG) for visitor in range(1 + limits.MOST_WAITING)]
    try:
        status, told = server.post(ORDER, LONG)
        assert status == 429
        assert "busy" in told["message"]
        first = follow(server, runs[0], lambda run: run["done"] > 0)
        assert (first["state"], first["result"]) == ("running", None)
        assert first["headline"]["number"]["error"].startswith("±")
        _, last = server.get(f"/api/lab/runs/{runs[-1]['id']}")
        assert (last["state"], last["ahead"]) == ("waiting", limits.MOST_WAITING)
        assert server.make_table().sit("gm").seat == "gm"
    finally:
        *waiting, first = [stop(server, run) for run in reversed(runs)]
    for run in waiting:
        assert (run["done"], run["result"], run["why_stopped"]) == (0, None, "It was stopped.")
        assert server.get(f"/api/lab/runs/{run['id']}/report.html")[0] == 404
    assert first["why_stopped"] == "It was stopped."
    assert 0 < first["done"] < first["of"]
    assert sum(answer["trials"] for answer in first["result"]["answers"]) == first["done"]
    assert b"stopped" in server.raw(f"/api/lab/runs/{first['id']}/report.html")[2]


def test_a_visitor_runs_one_study_at_a_time(server: Server) -> None:
    run = begin(server, **LONG)
    try:
        status, told = server.post(ORDER, {"trials": 10}, **asking_for("10.0.0.1"))
        assert (status, told["code"]) == (429, "too_many")
        assert "your studies" in told["message"]
        other = begin(server, visitor=2, **LONG)
        stop(server, other)
    finally:
        stop(server, run)
    again = begin(server, **LONG)
    server.delete(f"/api/lab/runs/{again['id']}")  # what is being stopped keeps nobody from the next
    stop(server, begin(server, **LONG))
    follow(server, again, over)


def test_a_study_that_there_is_not(server: Server) -> None:
    for path in ("", "/report.html", "/report.csv"):
        status, told = server.get(f"/api/lab/runs/nosuchstudy{path}")
        assert status == 404
        assert "have this study" in told["message"]
    assert server.delete("/api/lab/runs/nosuchstudy")[0] == 404


@pytest.mark.soak
def test_a_server_that_is_stopped_stops_its_studies(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/cards.db", *FAST, log=tmp_path / "log") as server:
        run = begin(server, **LONG)
        begin(server, visitor=2, **LONG)
        follow(server, run, lambda run: run["done"] > 0)
        assert server.stop() in (0, -SIGTERM)
    assert "Traceback" not in (tmp_path / "log").read_text()


def test_without_the_extra_the_lab_says_what_to_install(tmp_path: Path) -> None:
    missing = ("numpy", "numba", "altair", "polars", "vl_convert")
    (tmp_path / "sitecustomize.py").write_text(f"import sys\nsys.modules.update(dict.fromkeys({missing}))\n")
    here = {**os.environ, "PYTHONPATH": str(tmp_path)}
    with serving_house("--db", f"sqlite:///{tmp_path}/cards.db", env=here) as (_, said), asking.Client() as client:
        address = said.splitlines()[0].split()[-1].rstrip("/")
        for answer in (client.get(address + "/api/lab"), client.post(address + ORDER, json={})):
            assert answer.status_code == 501
            assert "pip install 'cardhouse[lab]'" in answer.json()["message"]
        assert client.get(address + "/api/games").status_code == 200


class Coin(Question, frozen=True, kw_only=True):
    """Heads or tails; or a coin that is lost."""

    game: ClassVar[str] = "initiative"
    name: ClassVar[str] = "coin"
    title: ClassVar[str] = "Heads?"
    about: ClassVar[str] = "A coin is tossed."
    at_once: ClassVar[int] = 100

    lost: bool = False

    def measures(self) -> Sequence[Measure]:
        return [Measure("heads", 2, "heads")]

    def findings(self) -> Sequence[Finding]:
        return [share("heads", "heads", "heads", 1)]

    def run(self, seed: int, first: int, out: NDArray[np.int16], log: NDArray[np.int16] | None) -> None:
        if self.lost:
            raise ValueError("The coin rolled under the table.")
        out[:, 0] = np.arange(first, first + len(out)) % 2


def tossed(lab: LabService, trials: int = 100, *, lost: bool = False) -> StudyRun:
    run = lab.start(Study(cells=(Cell(Coin(lost=lost)),), trials=trials))
    run.done.wait()
    return run


def result_of(run: StudyRun) -> Result:
    assert run.pieces, run.problem
    result = join_pieces(run.pieces)
    assert isinstance(result, Result)
    return result


@pytest.mark.soak
def test_studies_are_forgotten_when_they_are_many_or_old() -> None:
    now = [0.0]
    lab = LabService(lambda: now[0])
    try:
        runs = [tossed(lab) for _ in range(limits.MOST_KEPT + 2)]
        with pytest.raises(CardhouseError, match="have this study"):
            lab.find(runs[0].id)
        assert lab.find(runs[-1].id).pieces
        now[0] = limits.KEPT_SECONDS + 1
        with pytest.raises(CardhouseError, match="have this study"):
            lab.find(runs[-1].id)
    finally:
        asyncio.run(lab.close())


@pytest.mark.soak
def test_a_study_that_takes_too_long_returns_its_results_so_far() -> None:
    now = [0.0]
    lab = LabService(lambda: now[0])
    try:
        long = find_question("dogpile", "silence")()  # who tosses so many coins is done before anybody can look
        run = lab.start(Study(cells=(Cell(long),), trials=MOST_TRIALS))
        while not run.far.done:
            assert not run.done.wait(0.01)
        now[0] = MOST_SECONDS + 1
        run.done.wait()
        result = result_of(run)
        assert result.stopped
        assert run.out_of_time
        assert run.far.done == result.answers[0].trials < MOST_TRIALS
    finally:
        asyncio.run(lab.close())


@pytest.mark.soak
def test_an_error_of_ours_is_no_end_of_the_lab(caplog: pytest.LogCaptureFixture) -> None:
    lab = LabService()
    try:
        run = tossed(lab, lost=True)
        assert not run.pieces
        assert "on our side" in run.problem
        assert "rolled under the table" in caplog.text
        assert result_of(tossed(lab)).answers[0].trials == 100
    finally:
        asyncio.run(lab.close())


@pytest.mark.soak
def test_on_a_new_machine_first_numbers_are_told_while_kernels_are_compiled(tmp_path: Path) -> None:
    new = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    wanted = {"trials": 200_000, "seed": 5}
    heard = []
    with serving_house("--db", f"sqlite:///{tmp_path}/cards.db", env=new) as (_, said), asking.Client() as client:
        address = said.splitlines()[0].split()[-1].rstrip("/")
        run = client.post(address + ORDER, json=wanted).json()
        while not over(run):
            leave_it_the_machine()
            answer = client.get(f"{address}/api/lab/runs/{run['id']}")
            run = run if answer.status_code == 429 else answer.json()  # it is asked as often as may be, and more
            heard.append(run)
    parts = [told["compiling"] for told in heard if told["compiling"] and told["compiling"]["of"]]
    assert all(0 <= part["done"] <= part["of"] for part in parts)
    first = next(told for told in heard if told["headline"])
    assert first["compiling"] in ({"done": 0, "of": 0}, *parts)
    assert first["headline"]["number"]["error"].startswith("±")
    # What Python has played is a part of the whole, which is what machine code alone would make of it.
    assert [told["done"] for told in heard] == sorted(told["done"] for told in heard)
    same = ask(Study(cells=(Cell(find_question("initiative", "order")()),), **wanted))
    (answer,) = run["result"]["answers"]
    assert answer["trials"] == same.answers[0].trials == 200_000
    assert [one["number"]["value"] for one in answer["found"]] == [one.estimate.value for one in same.answers[0].found]
    assert [one["number"]["low"] for one in answer["found"]] == [one.estimate.low for one in same.answers[0].found]

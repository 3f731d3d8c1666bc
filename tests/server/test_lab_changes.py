"""*What matters most?* and *Find settings* over HTTP: the library's results, stopping, refusals."""

import asyncio
import os
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar
from urllib.parse import parse_qs, urlsplit

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from cardhouse.engine import CardhouseError
from cardhouse.lab.questions.paths import limit_size
from cardhouse.lab.questions.question import Finding, Measure, Piece, Question, find_question, share
from cardhouse.lab.running.study import Study
from cardhouse.lab.search.requests import ChangeRequest
from cardhouse.lab.search.sensitivity import sensitivity
from cardhouse.lab.search.tuning import Tuned, tune
from cardhouse.server.lab import service as limits
from cardhouse.server.lab.limits import GONE_SECONDS, MOST_TRIALS
from cardhouse.server.lab.responses import join_pieces
from cardhouse.server.lab.sensitivity_responses import settings_written
from cardhouse.server.lab.service import LabService, StudyRun
from cardhouse.testing.serving import serving_house
from tests import asking
from tests.server.talking import Server, asking_for, leave_it_the_machine
from tests.server.test_lab import ORDER, begin, follow, over, stop

FEW = {"mine": "2", "theirs": "2"}
WHAT, WHICH = f"{ORDER}/sensitivity", f"{ORDER}/tune"
ENDLESS: dict[str, Any] = {
    "settings": FEW,
    "targets": ["first = 25%"],
    "vary": ["mine", "theirs"],
    "trials": MOST_TRIALS,
    "tries": 400,
}
"""More than can be played while a test runs."""


def order(**settings: Any) -> Question:
    return find_question("initiative", "order")(**settings)


def test_what_could_be_changed(server: Server) -> None:
    status, told = server.post(f"{ORDER}/changes", {"settings": FEW})
    assert status == 200
    assert told["findings"][0] == {"key": "first", "text": "the hero acts first of all", "series": "", "share": True}
    varied = {one["name"]: one for one in told["settings"]}
    assert varied["mine"] == {"name": "mine", "pieces": 0, "near": 2, "values": 13}
    assert (told["trials"], told["confirming"]) == (100_000, 200_000)
    _, told = server.post("/api/lab/hackjack/deadly/changes", {})
    assert {one["name"]: one["pieces"] for one in told["settings"]}["wounds"] > 40
    status, told = server.post(f"{ORDER}/changes", {"settings": {"mine": "2,3"}})
    assert (status, "Each setting takes one value here" in told["message"]) == (400, True)


@pytest.mark.soak
def test_what_matters_most_is_what_the_library_finds(server: Server) -> None:
    wanted: dict[str, Any] = {"settings": FEW, "of": "hero acts first", "trials": 2_000, "seed": 7, "confidence": 0.9}
    run = begin(server, WHAT, **wanted)
    assert (run["way"], run["matters"]) == ("sensitivity", None)
    run = follow(server, run, over)
    assert (run["problem"], run["why_stopped"], run["result"], run["tuned"]) == ("", "", None, None)
    assert run["done"] == run["of"] > 2_000
    found = sensitivity(order(mine=2, theirs=2), "first", trials=2_000, seed=7, confidence=0.9, workers=1)
    told = run["matters"]
    assert [one["text"] for one in told["effects"]] == [one.variation.text for one in found.effects]
    for one, same in zip(told["effects"], found.effects, strict=True):
        more = one["more"]
        assert (more["value"], more["low"], more["high"]) == (same.more.value, same.more.low, same.more.high)
        assert one["seen"] == same.is_seen
    assert told["number"]["value"] == found.estimate.value
    assert told["told"][0].startswith(
        f"{sum(one.is_seen for one in found.effects)} of {len(found.effects)} changes have"
    )
    assert "bar" in str(told["plots"][0]["spec"])
    assert run["command"].startswith("cardhouse lab initiative sensitivity order --mine 2 --theirs 2 --of ")
    assert run["python"].startswith("lab.what_matters('initiative', 'order', mine='2', theirs='2', of=")
    link = urlsplit(run["link"])
    said = parse_qs(link.query)
    assert (link.path, said["mine"], said["ask.of"]) == (
        "/lab/initiative/order/sensitivity",
        ["2"],
        ["hero acts first"],
    )
    # What was found opens as a study: the settings say the whole of it.
    first = told["effects"][0]
    again = follow(server, begin(server, settings=first["settings"], trials=2_000, seed=7), over)
    assert again["result"]["answers"][0]["found"][0]["number"]["value"] == first["number"]["value"]
    status, _, html = server.raw(f"/api/lab/runs/{run['id']}/report.html")
    assert status == 200
    for text in (b"What matters most?", b"lab.what_matters(", b"/lab/initiative/order/sensitivity?"):
        assert text in html
    assert server.raw(f"/api/lab/runs/{run['id']}/report.csv")[2].count(b"\n") == 1 + len(found.effects)


@pytest.mark.soak
def test_settings_are_found_as_the_library_finds_them(server: Server) -> None:
    wanted: dict[str, Any] = {
        "targets": ["acts first = 25% ±2%"],
        "vary": ["mine=1..3", "wait=never,lower"],
        "trials": 6_400,
    }
    run = follow(server, begin(server, WHICH, settings=FEW, seed=3, **wanted), over)
    assert (run["problem"], run["way"]) == ("", "tune")
    question = order(mine=2, theirs=2)
    found = tune(question, wanted["targets"], vary=wanted["vary"], trials=6_400, seed=3, workers=1)
    told = run["tuned"]
    assert told["met"] == found.met
    both = [one for one in told["choices"] if one["kind"] == "best"], found.best
    for one, same in zip(*both, strict=True):
        assert [number["value"] for number in one["numbers"]] == [each.value for each in same.estimates]
        assert (one["grades"], one["settings"]) == (list(same.grades), settings_written(same.question))
    assert told["choices"][0]["kind"] == "now"
    assert "--vary wait=never,lower --tries 200 --starts 3" in run["command"]
    assert shlex.split(run["command"])[5] == "acts first = 25% ±2%"
    assert parse_qs(urlsplit(run["link"]).query)["ask.vary"] == wanted["vary"]
    assert server.raw(f"/api/lab/runs/{run['id']}/report.csv")[0] == 200


@pytest.mark.soak
def test_on_a_new_machine_few_trials_of_either_are_played_without_compiling(tmp_path: Path) -> None:
    new = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    question, few = order(mine=2, theirs=2), {"settings": FEW, "trials": 16, "seed": 3}
    wanted = {"targets": ["acts first = 25% ±2%"], "vary": ["mine=1..3"]}
    told = {}
    with serving_house("--db", f"sqlite:///{tmp_path}/cards.db", env=new) as (_, said), asking.Client() as client:
        address = said.splitlines()[0].split()[-1].rstrip("/")
        for path, asked in ((WHAT, few), (WHICH, {**few, **wanted})):
            run = client.post(address + path, json=asked).json()
            heard = [run]
            while not over(run):
                leave_it_the_machine()
                answer = client.get(f"{address}/api/lab/runs/{run['id']}")
                run = run if answer.status_code == 429 else answer.json()
                heard.append(run)
            first = next(one for one in heard if one["headline"])
            assert first["headline"]["number"]["error"].startswith("±")
            told[path] = run
    assert not list((tmp_path / "cardhouse" / "kernels").glob("made-*"))
    found = sensitivity(question, trials=16, seed=3, workers=1)
    assert [one["text"] for one in told[WHAT]["matters"]["effects"]] == [one.variation.text for one in found.effects]
    best = tune(question, wanted["targets"], vary=wanted["vary"], trials=16, seed=3, workers=1).best
    choices = [one for one in told[WHICH]["tuned"]["choices"] if one["kind"] == "best"]
    assert [one["settings"] for one in choices] == [settings_written(one.question) for one in best]


@pytest.mark.parametrize(
    ("path", "wanted", "said"),
    [
        (WHAT, {"of": "dragons"}, 'There is no finding "dragons"'),
        (WHAT, {"vary": ["hat"]}, 'no setting "hat"; it has'),
        (WHAT, {"vary": ["mine=0..3"]}, "mine takes a whole number from 1 to 13, not 0"),
        (WHAT, {"settings": {"mine": "2,3"}}, "Each setting takes one value here"),
        (WHAT, {"trials": 0}, "1 to 10,000,000 trials are allowed here, not 0"),
        (WHAT, {"trials": MOST_TRIALS + 1}, "The command line allows more"),
        (WHAT, {"confidence": 1}, "confidence"),
        (WHAT, {"seed": -1}, "seed"),
        (WHAT, {"targets": ["first = 25%"]}, "targets"),
        (WHAT, {"vary": "mine"}, "vary"),
        ("/api/lab/chess/order/sensitivity", {}, "chess"),
        (WHICH, {"targets": [], "vary": ["mine"]}, "Name a target"),
        (WHICH, {"targets": ["first"], "vary": ["mine"]}, "A target is written like"),
        (WHICH, {"targets": ["first = 25"], "vary": ["mine"]}, "is a chance: write 50%"),
        (WHICH, {"targets": ["first = 25%"]}, "Name at least one setting"),
        (WHICH, {"targets": ["first = 25%"] * 11, "vary": ["mine"]}, "At most 10 targets are allowed here"),
        (WHICH, {"targets": ["first = 25%"], "vary": ["mine"], "tries": 0}, "1 to 2,000 tries are allowed here"),
        (WHICH, {"targets": ["first = 25%"], "vary": ["mine"], "tries": 10**9}, "1 to 2,000 tries are allowed here"),
        ("/api/lab/hackjack/deadly/tune", {"settings": {"wounds": "/etc/passwd with HK=harmless"}}, "neither a file"),
    ],
)
def test_nonsense_is_refused_at_once(server: Server, path: str, wanted: Any, said: str) -> None:
    status, told = server.post(path, wanted, **asking_for(f"10.1.0.{len(said)}"))
    assert status == 400, told
    assert said in told["message"]


@pytest.mark.soak
def test_a_search_is_stopped_and_gone_on_with(server: Server) -> None:
    run = follow(server, begin(server, WHICH, **ENDLESS), lambda run: run["done"] > 0)
    status, told = server.post(WHAT, {"trials": 10}, **asking_for("10.0.0.1"))
    assert (status, told["code"]) == (429, "too_many")
    assert 0 < run["done"] < run["of"]
    run = stop(server, run)
    assert run["why_stopped"] == "It was stopped."
    assert run["tuned"]["told"][-1].startswith("Stopped early: the lab chose by these numbers")
    again = follow(server, begin(server, WHICH, **ENDLESS), lambda run: run["done"] > 0)
    assert stop(server, again)["tuned"]["choices"]


class Coins(Question, frozen=True, kw_only=True):
    """Tossed coins, each of which may be made another."""

    game: ClassVar[str] = "initiative"
    name: ClassVar[str] = "coins"
    title: ClassVar[str] = "Heads?"
    about: ClassVar[str] = "Coins are tossed."
    at_once: ClassVar[int] = 100

    coins: dict[str, int] = {}
    many: Annotated[int, msgspec.Meta(ge=1, le=6)] = 3

    def pieces(self, setting: str) -> Sequence[Piece]:
        return [Piece(str(place), f"{place}, a coin", ("tails",)) for place in range(self.many)]

    def with_pieces(self, setting: str, becomes: Mapping[str, str]) -> Any:
        return {**self.coins, **dict.fromkeys(becomes, 0)}

    def measures(self) -> Sequence[Measure]:
        return [Measure("heads", 7, "heads")]

    def findings(self) -> Sequence[Finding]:
        return [share("three", "three heads", "heads", 3)]

    def run(self, seed: int, first: int, out: NDArray[np.int16], log: NDArray[np.int16] | None) -> None:
        trials = np.arange(first, first + len(out))
        out[:, 0] = sum(self.coins.get(str(place), 1) * (trials >> place & 1) for place in range(self.many))


def played(lab: LabService, asked: Study | ChangeRequest) -> StudyRun:
    run = lab.start(asked)
    run.done.wait()
    return run


@pytest.mark.soak
def test_a_stranger_s_question_is_tuned_by_its_own_pieces() -> None:
    lab = LabService()
    try:
        asked = ChangeRequest(question=Coins(), targets=("three heads < 1%",), vary=("coins",), trials=640)
        run = played(lab, asked)
        found = join_pieces(run.pieces)
        assert isinstance(found, Tuned)
        assert found.met
        best = settings_written(found.best[0].question)
        assert best is not None
        assert best["coins"].startswith("standard with ")
        assert run.far.done == run.far.of
    finally:
        asyncio.run(lab.close())


@pytest.mark.soak
def test_who_is_gone_is_not_worked_for() -> None:
    now = [0.0]
    lab = LabService(lambda: now[0])
    try:
        run = lab.start(ChangeRequest(question=Coins(), trials=MOST_TRIALS))
        waiting = lab.start(ChangeRequest(question=Coins(), trials=10))
        while not run.far.done:
            assert not run.done.wait(0.01)
        now[0] = GONE_SECONDS + 1
        run.done.wait()
        waiting.done.wait()
        assert (run.left, run.out_of_time, waiting.left, waiting.begun) == (True, False, True, False)
        now[0] += limits.KEPT_SECONDS + 1
        with pytest.raises(CardhouseError, match="have this study"):
            lab.find(waiting.id)
    finally:
        asyncio.run(lab.close())


def test_notes_have_a_size_limit(tmp_path: Path) -> None:
    for place in range(4):
        (tmp_path / f"{place}").write_bytes(bytes(100))
    limit_size(tmp_path, 250)
    assert len(list(tmp_path.iterdir())) == 2
    limit_size(tmp_path / "nowhere", 250)

"""examples/showdown as an installed package: its tests, print, lab question, bot and agent work there."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.examples.installing import EXAMPLES, install_example, runs
from tests.print.reading import read

pytestmark = pytest.mark.soak

COUNTED = ("rules.py", "state.py", "say.py", "words.toml")

BOTS = """
from random import Random
from cardhouse.engine import GM, SeededDealer
from cardhouse.testing.evenings import RandomSession
from cardhouse import Table
from cardhouse.engine.table.visibility import answers
from cardhouse.engine import Seen
from showdown.bots import gunslinger

table = Table.new("showdown", [GM, "ada", "ben"], {}, SeededDealer(1))
for name, seat in (("Nan", "ada"), ("Doc", "ben"), ("Eve", GM)):
    table.answer(GM, {"do": "add_character", "name": name, "controller": seat})
rng, said = Random(1), set()
while table.view(GM)["round"] < 20:
    for seat in ("ada", "ben", GM):
        seen = Seen(seat, table.view(seat), table.asks(), table.offers(seat), {})
        if (answer := gunslinger(seen, rng)) is not None:
            table.answer(seat, answer)
            said.add(answer["do"])
            break
    else:
        raise SystemExit(f"nobody says anything to {table.asks()}")
print(*sorted(said))
"""

AGENTS = """
from pettingzoo.test import seed_test
from cardhouse.agents.pettingzoo import env

showdown = env("showdown", players=3, foes=4, rounds=2)
showdown.reset(seed=1)
worth = dict.fromkeys(showdown.possible_agents, 0)
for agent in showdown.agent_iter():
    seen, reward, ended, _, _ = showdown.last()
    worth[agent] += reward
    showdown.step(None if ended else int(seen["action_mask"].argmax()))
print(*worth.values())
seed_test(lambda: env("showdown"), num_cycles=30)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("showdown")


@pytest.fixture(scope="module")
def python(folder: Path) -> Callable[..., str]:
    return runs(folder, install_example("showdown", folder))


@pytest.fixture(scope="module")
def cardhouse(python: Callable[..., str]) -> Callable[..., str]:
    return lambda *arguments: python("-m", "cardhouse", *arguments)


def test_it_is_found_where_it_was_installed(python, cardhouse, folder: Path):
    told = python("-c", "import cardhouse, showdown; print(cardhouse.__file__, showdown.__file__, sep='\\n')")
    assert [Path(line).parent.parent for line in told.splitlines()] == [folder / "site"] * 2
    assert "showdown" in cardhouse("games")
    assert cardhouse("rules", "showdown", "SD-7").startswith("SD-7")
    assert (folder / "site" / "showdown" / "page" / "index.js").is_file()


def test_its_own_tests_pass(python):
    assert " passed" in python("-m", "pytest", "-q", "-p", "no:cacheprovider", "showdown/tests")


def test_it_is_short():
    lines = [line for name in COUNTED for line in (EXAMPLES / "showdown" / "showdown" / name).read_text().splitlines()]
    of_the_page = len(lines) - lines.index("[page]")
    assert len(lines) - of_the_page < 400


def test_its_evening_is_replayed(cardhouse, folder: Path):
    (cut_in,) = (folder / "showdown" / "tests" / "transcripts").glob("SD-8-cuts-in.jsonl")
    assert "Nan cuts in before Doc: 5 against 4." in cardhouse("replay", str(cut_in), "--seat", "ben")


def test_it_is_printed(cardhouse, folder: Path):
    assert "Print the order sheet" in cardhouse("print", "--help")
    assert cardhouse("print", "showdown", "--paper", "letter").startswith("Wrote showdown.pdf.")
    (page,) = read((folder / "showdown.pdf").read_bytes())
    told = [line.text for line in page.lines]
    assert "Showdown" in told
    assert "Cutting in" in told


def test_the_lab_is_asked(cardhouse):
    told = json.loads(cardhouse("lab", "showdown", "first", "--tokens", "0", "--trials", "2000", "--json"))
    first = next(found for found in told["answers"][0]["findings"] if found["key"] == "first")
    assert first["exact"] == pytest.approx(0.25)
    assert first["low"] < 0.25 < first["high"]


def test_its_bot_plays_on_for_everybody(python):
    assert python("-c", BOTS).split() == ["begin", "cut_in", "deal", "done", "hold", "redraw"]


def test_agents_play_it(python):
    worth = [float(number) for number in python("-c", AGENTS).split()]
    assert len(worth) == 3
    assert 0 < sum(worth) <= 2 * 3


def test_random_play_finds_nothing(cardhouse):
    assert "found nothing wrong with showdown" in cardhouse("fuzz", "showdown", "--evenings", "40", "--seed", "1")

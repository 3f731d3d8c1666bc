"""Games that depend on the order of a set are found: in their source, and by a second process."""

from __future__ import annotations

import re

import pytest

from cardhouse.engine import BadGame, find_game
from cardhouse.testing.fuzzing import again, fuzz
from cardhouse.testing.set_order import ordered_sets
from tests.testing.noticing import TWINS, suite
from tests.testing.sound import Change, Install

ELSEWHERE = suite("test_a_transcript_read_in_another_process_shows_everybody_the_same")
ROUND = "            self.round += 1\n"
BESIDE = "class TheGame(Game):"
HIDDEN = [
    # A set that its text doesn't show, as it comes from another function of Python's.
    ("import random\n", "import random\nimport operator\n"),
    (
        '            self.tell("S-2", "over", round=self.round)\n',
        """\
            for seat in operator.or_({"ada"}, {"ben"}):
                self.tell("S-1", "drew", kind="high" if seat == "ada" else "low")
            self.tell("S-2", "over", round=self.round)
""",
    ),
]

ORDERED = {
    "a loop": "for seat in {one for one in self.seats}: self.rung += 1",
    "a name for it": "seats = set(self.seats)\n            for seat in seats: self.rung += 1",
    "two together": "for seat in set(self.seats) | {'gm'}: self.rung += 1",
    "what two dicts share": "for seat in {'a': 1}.keys() & {'b': 1}.keys(): self.rung += 1",
    "a list of it": "self.rung = list({*self.seats})[0] == 'ada'",
    "its first": "self.rung = next(iter(frozenset(self.seats))) == 'ada'",
    "any of it": "self.rung = set(self.seats).pop() == 'ada'",
    "its places": "self.rung = [n for n, seat in enumerate({*self.seats}) if seat == 'ada'][0]",
    "one by one": "first, *others = set(self.seats)",
    "a comprehension": "self.rung = [len(seat) for seat in set(self.seats)][0]",
    "a text of it": "self.rung = len(', '.join(set(self.seats)))",
    "a dict of it": "self.rung = len(dict.fromkeys(set(self.seats)))",
    "the first of the longest": "self.rung = len(max(set(self.seats), key=len))",
    "told": "self.tell('S-2', 'over', round=set(self.seats))",
    "an attribute": "for seat in self.folded: self.rung += 1",
    "a method": "for seat in self.still_in(): self.rung += 1",
    "a function": "for seat in others_of(self.seats): self.rung += 1",
    "a constant": "for seat in COLOURS: self.rung += 1",
}
FREE = {
    "sorted": "for seat in sorted(set(self.seats)): self.rung += 1",
    "sorted first": "seats = set(self.seats)\n            seats = sorted(seats)\n            for seat in seats: pass",
    "how many": "self.rung = len(set(self.seats))",
    "whether it is there": "self.rung = 'ada' in {*self.seats}",
    "any and all": "self.rung = any(seat == 'ada' for seat in set(self.seats)) and all(x for x in COLOURS)",
    "the sum": "self.rung = sum(len(seat) for seat in set(self.seats))",
    "another set": "self.rung = len({len(seat) for seat in set(self.seats)} | {*set(self.seats)})",
    "added to a set": "seats = set()\n            seats.update(seat for seat in COLOURS)",
    "the greatest": "self.rung = len(max(set(self.seats)))",
    "whom to tell": "self.tell('S-2', 'over', round=1, to=set(self.seats))",
    "a list": "for seat in list(self.seats): self.rung += 1",
}
MORE: list[Change] = [
    ("    rung: int = 0\n", "    rung: int = 0\n    folded: set[str] = set()\n"),
    (
        "    def who_rings",
        "    def still_in(self):\n        return set(self.seats) - self.folded\n\n    def who_rings",
    ),
    (
        BESIDE,
        f"COLOURS = frozenset(('red',))\n\n\ndef others_of(x) -> set[str]:\n    return {{*x}}\n\n\n{BESIDE}",
    ),
]


@pytest.mark.parametrize("name", ORDERED)
def test_the_order_of_a_set_is_told_with_its_line(name: str, install: Install) -> None:
    install(*MORE, (ROUND, f"            {ORDERED[name]}\n{ROUND}"))
    with pytest.raises(BadGame, match=r"^sound/__init__.py, line \d+: .* is a set, whose order changes .*sorted\("):
        TWINS()


@pytest.mark.parametrize("name", FREE)
def test_what_is_the_same_in_any_order_is_not(name: str, install: Install) -> None:
    install(*MORE, (ROUND, f"            {FREE[name]}\n{ROUND}"))
    assert list(ordered_sets(find_game("sound"))) == []


def test_bots_may_go_by_it(install: Install) -> None:
    install(("def bold(seen, rng):\n", "def bold(seen, rng):\n    list({'ada', 'ben'})\n"))
    assert list(ordered_sets(find_game("sound"))) == []


def test_a_second_process_finds_it_where_its_text_does_not_show_it(install: Install) -> None:
    install(*HIDDEN)
    TWINS()
    with pytest.raises(
        BadGame, match=r"replayed in another process, .*not on the order of a set.* Gm.story.*kind is "
    ) as told:
        ELSEWHERE()
    assert '"by"' in told.value.__notes__[0], "the transcript comes with it"


def test_the_fuzz_finds_it_by_its_text_at_once(install: Install) -> None:
    install(*MORE, (ROUND, f"            {ORDERED['a loop']}\n{ROUND}"))
    found = fuzz("sound", seed=1, evenings=5)
    assert found.finding is not None
    assert (found.evenings, found.answers) == (1, 0)
    assert re.match(r"sound/__init__.py, line \d+: .* is a set", found.finding.trouble.message)


def test_the_fuzz_finds_it_by_a_second_process_and_makes_it_short(install: Install) -> None:
    install(*HIDDEN)
    finding = fuzz("sound", seed=1, evenings=5).finding
    assert finding is not None
    assert finding.trouble.message.startswith("A table replayed in another process, ")
    assert sum('"by"' in line for line in finding.transcript.splitlines()) <= 4
    trouble = again(finding.transcript.splitlines(), finding.seed)
    assert trouble is not None
    assert trouble.mark == finding.trouble.mark

"""The lab's first numbers on a machine that has never compiled a kernel: how long one waits for them, and for the rest.

    python -m benchmarks.cold_lab [GAME QUESTION [WAY]]

A house is opened with an empty cache, and asked over HTTP as its page asks. Measured are the seconds from asking until
the first number with an interval is told, how wide that interval is and how many trials, or steps, are done; what is
known when the kernels are ready, which is what one waited for without this; and until all is over, exact numbers
included. So it is of what matters most (`sensitivity`), and of settings that are looked for (`tune`).
"""

import os
import sys
import tempfile
import time
from typing import Any

import httpx

from cardhouse.testing.serving import serving_house

ASKED = (
    ("hackjack", "deadly"),
    ("hackjack", "deadly", "sensitivity"),
    ("hackjack", "deadly", "tune"),
    ("initiative", "order"),
    ("dogpile", "silence"),
    ("dogs", "price"),
    ("gunfight", "last"),
)
WANTED: dict[str, dict[str, Any]] = {
    "study": {},
    "sensitivity": {},
    "tune": {"targets": ["dead by hit 3 = 50%"], "vary": ["limit=15..30", "massive=10..20"]},
}
"""What is asked of a question in each way, the last of Hackjack's."""
LOOK_SECONDS = 0.4
"""A page asks how far a study is about so often."""


def measure(game: str, question: str, way: str = "study") -> None:
    """Print a line."""
    with tempfile.TemporaryDirectory() as folder:
        new = {**os.environ, "XDG_CACHE_HOME": folder}
        with serving_house("--db", f"sqlite:///{folder}/cards.db", env=new) as (_, said):
            address = said.splitlines()[0].split()[-1].rstrip("/")
            path = f"/api/lab/{game}/{question}" + ("" if way == "study" else f"/{way}")
            first, ready, over = followed(address, path, WANTED[way])
    name = f"{game} {question}" if way == "study" else f"{question} {way}"
    print(
        f"{name:20}{first[0]:8.1f}{shown(first[1]):>20}{first[1]['done']:8,}"
        f"{ready[0]:12.1f}{shown(ready[1]):>20}{ready[1]['done']:9,}{over[0]:10.1f}",
        flush=True,
    )


def followed(address: str, path: str, wanted: dict[str, Any]) -> list[tuple[float, dict[str, Any]]]:
    """What was told of a study, and when: the first number, the last before kernels were ready, and the end."""
    heard: list[tuple[float, dict[str, Any]]] = []
    with httpx.Client(timeout=600) as client:
        begun = time.monotonic()
        run = client.post(address + path, json=wanted).raise_for_status().json()
        while run["state"] != "over":
            time.sleep(LOOK_SECONDS)
            run = client.get(f"{address}/api/lab/runs/{run['id']}").raise_for_status().json()
            heard.append((time.monotonic() - begun, run))
    numbered = [one for one in heard if one[1]["headline"]]
    before = [one for one in numbered if one[1]["compiling"]]
    return [numbered[0], (before or numbered)[-1], heard[-1]]


def shown(run: dict[str, Any]) -> str:
    """The first number of a study, as people read it."""
    number = run["headline"]["number"]
    return f"{number['shown']} {number['error']}"


def main() -> None:
    """Print all of it."""
    print("The lab on a new machine: seconds until the first number, until kernels are ready, until all is told")
    print(f"{'':20}{'first':>8}{'':20}{'trials':>8}{'ready':>12}{'':20}{'trials':>9}{'over':>10}")
    for asked in [tuple(sys.argv[1:])] if len(sys.argv) > 2 else ASKED:
        measure(*asked)


if __name__ == "__main__":
    main()

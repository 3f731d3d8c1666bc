"""The lab's first numbers on a machine that has never compiled a kernel: the time until they appear, and the rest.

    python -m benchmarks.cold_lab [GAME QUESTION [WAY]]

A server starts with an empty cache, and is asked over HTTP like a page does. It measures the seconds until the first
number with an interval, how wide that interval is, and how many trials, or steps, are done; the same when the kernels
are ready, which is how long the wait would be otherwise; and the time until everything is done, exact numbers included.
The same for what matters most (`sensitivity`), and for the search for settings (`tune`).
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
"""The request for each way; the last one fits Hackjack."""
LOOK_SECONDS = 0.4
"""About how often a page asks for a study's progress."""


def measure(game: str, question: str, way: str = "study") -> None:
    """Measure, and print a line."""
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
    """Return a study's reports with their times: the first number, the last before kernels were ready, and the end."""
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
    """Return the first number of a study, as people read it."""
    number = run["headline"]["number"]
    return f"{number['shown']} {number['error']}"


def main() -> None:
    """Measure, and print everything."""
    print("The lab on a new machine: seconds until the first number, until kernels are ready, until all is told")
    print(f"{'':20}{'first':>8}{'':20}{'trials':>8}{'ready':>12}{'':20}{'trials':>9}{'over':>10}")
    for asked in [tuple(sys.argv[1:])] if len(sys.argv) > 2 else ASKED:
        measure(*asked)


if __name__ == "__main__":
    main()

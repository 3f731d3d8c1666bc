"""How smoothly cards move: frames a second during animations, at full speed and on a CPU four times slower.

    python -m benchmarks.frames [ANSWERS]

A game master plays card initiative on a phone, answering as soon as possible. The goal is 50 frames a second on the
slow CPU. A browser without a screen renders in software, on the slowed CPU, and competes with the machine's other
programs: figures from a quiet machine are better.
"""

import json
import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import Browser, expect

from cardhouse.testing.browser.chromium import chromium
from tests.browser.hands import Touch
from tests.browser.people import PHONE, House, Person, Resumed

SLOWER = (1, 4)
GOAL = 50
CAST = {"Ada": "SA", "Wyatt": "SK", "Doc": "S9", "Kate": "H8", "Ike": "HJ", "Curly": "H3"}

WATCH = """() => {
  window.gaps = []
  let last = null
  const moving = () => document.getAnimations().some((one) => one.playState === 'running')
  const frame = (now) => {
    const moves = moving()
    if (last !== null && moves) window.gaps.push(now - last)
    last = moves ? now : null
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
}"""
"""Records the time between frames while something moves."""
AT_REST = "async () => { await Promise.allSettled(document.getAnimations().map((one) => one.finished)) }"


def gaps(browser: Browser, house: House, slower: int, answers: int) -> list[float]:
    """Return the milliseconds between frames while cards moved."""
    lines = ['{"cardhouse": 1, "game": "initiative", "seats": ["gm"]}']
    joins = [{"by": "gm", "do": "add_character", "name": name, "card": card} for name, card in CAST.items()]
    lines += map(json.dumps, joins)
    gm = Person(browser, house, "Mo", {**PHONE, "reduced_motion": "no-preference"}, Touch)
    Resumed(house, lines).sits(gm, "gm")
    gm.context.new_cdp_session(gm.page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    gm.page.evaluate(WATCH)
    for _ in range(answers):
        button = gm.choices.get_by_role("button").first
        expect(button).to_be_visible()
        gm.answers(lambda button=button: button.evaluate("(e) => e.click()"))
        gm.page.evaluate(AT_REST)
    found: list[float] = gm.page.evaluate("window.gaps")
    gm.leaves()
    return found


def line_of(slower: int, gaps: list[float]) -> str:
    """Return a line with the figures; there must be some frames."""
    slow = quantiles(gaps, n=20)[-1]
    rate = 1000 * len(gaps) / sum(gaps)
    return (
        f"  CPU {slower}x slower: {rate:5.1f} frames/s on average, median {1000 / median(gaps):5.1f}, "
        f"slowest twentieth over {slow:.0f} ms ({len(gaps)} frames)"
    )


def main() -> None:
    """Measure both, and print the figures."""
    answers = int(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[0].endswith("frames.py") else 16
    print(f"Cards on their way on a phone, {answers} answers each; the goal on the slow CPU is {GOAL} frames/s")
    with tempfile.TemporaryDirectory() as folder, chromium() as browser, House(Path(folder)) as house:
        for slower in SLOWER:
            print(line_of(slower, gaps(browser, house, slower, answers)), flush=True)


if __name__ == "__main__":
    main()

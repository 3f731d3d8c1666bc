"""How long *Play* takes on a phone: the time until the first card, and the longest task on the way.

    python -m benchmarks.first_card [TIMES]

The time is measured with a browser's "slow 4G" and a CPU four times slower; the goal is 2.5 seconds. The longest task
is measured at full speed; the goal is 50 ms. A browser without a screen renders in software and competes with the
machine's other programs: figures from a quiet machine are better.
"""

import sys
import tempfile
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser

from cardhouse.engine import catalogue_of, find_game, game_names
from cardhouse.testing.browser.chromium import chromium
from tests.browser.hands import Touch
from tests.browser.people import PHONE, House, Person

GOAL_SECONDS, GOAL_MS = 2.5, 50
SLOWER = 4
SLOW_4G = {"offline": False, "latency": 562.5, "downloadThroughput": 180_000, "uploadThroughput": 84_375}
"""As the browser's own tools have it, in milliseconds and bytes a second."""

WATCH = """(play) => {
  window.longest = 0
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration)
  }).observe({ type: 'longtask' })
  play.addEventListener('click', () => {
    const pressed = performance.now()
    const look = () => {
      const card = document.querySelector('.table .card')
      if (card?.getClientRects().length) window.waited = performance.now() - pressed
      else requestAnimationFrame(look)
    }
    look()
  }, { capture: true })
}"""
"""Notes the milliseconds from the press to the frame with the first card, and the longest task since."""
AT_REST = "() => new Promise((done) => requestIdleCallback(() => requestIdleCallback(done)))"


def measure(browser: Browser, house: House, title: str, *, slow: bool) -> tuple[float, float]:
    """Return the seconds until the first card, and the milliseconds of the longest task."""
    kim = Person(browser, house, "Kim", PHONE, Touch)
    kim.comes()
    play = kim.region("Games").get_by_role("button", name=f"Play {title}")
    play.wait_for()
    kim.page.wait_for_load_state("networkidle")
    kim.page.evaluate(AT_REST)
    if slow:
        session = kim.context.new_cdp_session(kim.page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", SLOW_4G)
    play.evaluate(WATCH)
    play.click()
    kim.page.wait_for_function("() => window.waited", timeout=60_000)
    kim.page.evaluate(AT_REST)
    seconds, longest = kim.page.evaluate("waited / 1000"), kim.page.evaluate("longest")
    kim.leaves()
    return seconds, longest


def main() -> None:
    """Measure each game, and print the medians."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[0].endswith("first_card.py") else 3
    print(f"Play on a phone, medians of {times}: the goals are {GOAL_SECONDS} s and {GOAL_MS} ms")
    print(f"{'':12}{'first card':>12}{'longest task':>16}")
    with tempfile.TemporaryDirectory() as folder, chromium() as browser, House(Path(folder)) as house:
        for game in game_names():
            title = catalogue_of(find_game(game)).words.title
            seconds = median(measure(browser, house, title, slow=True)[0] for _ in range(times))
            longest = median(measure(browser, house, title, slow=False)[1] for _ in range(times))
            print(f"{game:12}{seconds:10.1f} s{longest:13.0f} ms", flush=True)


if __name__ == "__main__":
    main()

"""Commits are batched when people play at many tables, and only then."""

from itertools import count

import pytest

from cardhouse.server.persistence.commit_batching import APART_SECONDS, WINDOW_SECONDS, Pace


@pytest.mark.parametrize(
    ("tables", "entries", "waits"),
    [
        pytest.param(2_500, 600, True, id="ten thousand people"),
        pytest.param(4, 2, False, id="an evening"),
        pytest.param(1, 900, False, id="one table as fast as it can"),
        pytest.param(50, 2_500, True, id="fifty as fast as they can"),
    ],
)
def test_when_a_commit_waits(tables: int, entries: int, waits: bool) -> None:
    now = 0.0
    pace = Pace(lambda: now)
    names = count()
    for number in range(entries + 1):
        now = number * WINDOW_SECONDS / entries
        waited = pace.seconds_to_wait()
        pace.begin([str(next(names) % tables)])
    assert (waited > 0) == waits
    assert pace.seconds_to_wait() <= APART_SECONDS * 1.01
    now += 2 * APART_SECONDS
    assert pace.seconds_to_wait() == 0
    now += 3 * WINDOW_SECONDS
    assert pace.seconds_to_wait() == 0, "nobody plays any more"

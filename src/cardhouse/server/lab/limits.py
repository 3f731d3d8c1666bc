"""Limits of a visitor's lab studies."""

from cardhouse.engine import CardhouseError
from cardhouse.lab.running.study import Study
from cardhouse.lab.search.requests import ChangeRequest, size_of

MOST_TRIALS = 10_000_000
MOST_CELLS = 100
MOST_CHANGES = 1_000
"""Most changes that are ranked by their effect."""
MOST_TRIES = 2_000
"""Most candidates that are tried, in all searches of a study together."""
MOST_TARGETS = 10
MOST_SECONDS = 300.0
"""A study that takes longer is stopped, with the results so far."""
GONE_SECONDS = 120.0
"""A study is stopped when no client has asked about it for this long."""
ELSEWHERE = "The command line allows more."


def check_size(study: Study) -> None:
    """Raises CardhouseError, with a message, for a study that is invalid or larger than a visitor may start."""
    if len(study.cells) > MOST_CELLS:
        raise CardhouseError(
            f"These are {len(study.cells):,} combinations of settings; at most {MOST_CELLS} are allowed. {ELSEWHERE}"
        )
    _check_trials(study.trials)
    study.check()


def check_changes(asked: ChangeRequest) -> None:
    """Raises CardhouseError, with a message, for a request that is invalid or larger than a visitor may start."""
    _check_trials(asked.many)
    if len(asked.targets or ()) > MOST_TARGETS:
        raise CardhouseError(f"At most {MOST_TARGETS} targets are allowed here. {ELSEWHERE}")
    if asked.tries < 1 or asked.starts < 1 or asked.tries * asked.starts > MOST_TRIES:
        raise CardhouseError(
            f"1 to {MOST_TRIES:,} tries are allowed here, not {asked.starts:,} times {asked.tries:,}. {ELSEWHERE}"
        )
    changes = size_of(asked)
    if asked.targets is None and changes > MOST_CHANGES:
        raise CardhouseError(f"These are {changes:,} changes; at most {MOST_CHANGES:,} are allowed here. {ELSEWHERE}")


def _check_trials(trials: int) -> None:
    if not 1 <= trials <= MOST_TRIALS:
        raise CardhouseError(f"1 to {MOST_TRIALS:,} trials are allowed here, not {trials:,}. {ELSEWHERE}")

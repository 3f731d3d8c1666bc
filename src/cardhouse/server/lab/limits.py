"""How much of the lab anybody may ask for."""

from cardhouse.engine import CardhouseError
from cardhouse.lab.running.study import Study
from cardhouse.lab.search.requests import ChangeRequest, size_of

MOST_TRIALS = 10_000_000
MOST_CELLS = 100
MOST_CHANGES = 1_000
"""So many changes are ranked by what they do."""
MOST_TRIES = 2_000
"""So many choices are tried, of all searches together."""
MOST_TARGETS = 10
MOST_SECONDS = 300.0
"""A study that takes longer is stopped, and tells what it has."""
GONE_SECONDS = 120.0
"""A study that nobody has asked about for so long is stopped: whoever wanted it is gone."""
ELSEWHERE = "The command line takes more."


def check_size(study: Study) -> None:
    """Raises CardhouseError, in words, for a study that makes no sense, or is more than a server does for anybody."""
    if len(study.cells) > MOST_CELLS:
        raise CardhouseError(
            f"These are {len(study.cells):,} combinations of settings; at most {MOST_CELLS} go here. {ELSEWHERE}"
        )
    _check_trials(study.trials)
    study.check()


def check_changes(asked: ChangeRequest) -> None:
    """Raises CardhouseError, in words, for what makes no sense, or is more than a server does for anybody."""
    _check_trials(asked.many)
    if len(asked.targets or ()) > MOST_TARGETS:
        raise CardhouseError(f"At most {MOST_TARGETS} targets go here. {ELSEWHERE}")
    if asked.tries < 1 or asked.starts < 1 or asked.tries * asked.starts > MOST_TRIES:
        raise CardhouseError(
            f"1 to {MOST_TRIES:,} choices are tried here, not {asked.starts:,} times {asked.tries:,}. {ELSEWHERE}"
        )
    changes = size_of(asked)
    if asked.targets is None and changes > MOST_CHANGES:
        raise CardhouseError(f"These are {changes:,} changes; at most {MOST_CHANGES:,} go here. {ELSEWHERE}")


def _check_trials(trials: int) -> None:
    if not 1 <= trials <= MOST_TRIALS:
        raise CardhouseError(f"1 to {MOST_TRIALS:,} trials go here, not {trials:,}. {ELSEWHERE}")

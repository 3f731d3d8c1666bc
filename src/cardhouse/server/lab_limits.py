"""How much of the lab anybody may ask for."""

from cardhouse.engine import CardhouseError
from cardhouse.lab.study import Study

MOST_TRIALS = 10_000_000
MOST_CELLS = 100
MOST_SECONDS = 300.0
"""A study that takes longer is stopped, and tells what it has."""


def check_size(study: Study) -> None:
    """Raises CardhouseError, in words, for a study that makes no sense, or is more than a server does for anybody."""
    elsewhere = "The command line takes more."
    if len(study.cells) > MOST_CELLS:
        raise CardhouseError(
            f"These are {len(study.cells):,} combinations of settings; at most {MOST_CELLS} go here. {elsewhere}"
        )
    if not 1 <= study.trials <= MOST_TRIALS:
        raise CardhouseError(f"1 to {MOST_TRIALS:,} trials go here, not {study.trials:,}. {elsewhere}")
    study.check()

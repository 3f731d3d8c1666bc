"""Names of tables and of the people at them: how they are stored, and whether they can be shown."""

from cardhouse.engine import CardhouseError, Header, Text
from cardhouse.engine.values.names import clean


def read_name(name: str, what: str = "A name") -> str:
    """A name that somebody writes, as it is stored.

    Raises CardhouseError, which says what it is the name of, if it can't be shown.
    """
    stored = clean(name)
    _check(stored, what)
    return stored


def check_names(header: Header) -> None:
    """Raises CardhouseError if the table or somebody at it has a name that can't be shown; they may have none."""
    if header.name:
        _check(header.name, "The table's name")
    for seat, name in header.names.items():
        if name:
            _check(name, f"names: the name of {seat[:40]}")


def _check(name: str, what: str) -> None:
    if problem := Text().wrong(name):
        raise CardhouseError(f"{what} {problem}.")

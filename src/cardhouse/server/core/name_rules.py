"""Rules for the names of tables and players: how they are stored, and which can be displayed."""

from cardhouse.engine import CardhouseError, Header, Text
from cardhouse.engine.values.names import clean


def read_name(name: str, what: str = "A name") -> str:
    """Return a name in the form in which it is stored.

    Raises CardhouseError, beginning with `what`, if it can't be displayed.
    """
    stored = clean(name)
    _check(stored, what)
    return stored


def check_names(header: Header) -> None:
    """Raises CardhouseError if a name in the header can't be displayed. Empty names are allowed."""
    if header.name:
        _check(header.name, "The table's name")
    for seat, name in header.names.items():
        if name:
            _check(name, f"names: the name of {seat[:40]}")


def _check(name: str, what: str) -> None:
    if problem := Text().wrong(name):
        raise CardhouseError(f"{what} {problem}.")

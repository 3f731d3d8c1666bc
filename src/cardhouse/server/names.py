"""What tables and the people at them may be called: whatever can be shown."""

from cardhouse.engine import CardhouseError, Header, Text


def check_name(name: str, what: str = "A name") -> None:
    """Raises CardhouseError, which says of what it is the name, if nothing can be called so."""
    if problem := Text().wrong(name):
        raise CardhouseError(f"{what} {problem}.")


def check_names(header: Header) -> None:
    """Raises CardhouseError if the table or somebody at it has a name that can't be shown; they may have none."""
    if header.name:
        check_name(header.name, "The table's name")
    for seat, name in header.names.items():
        if name:
            check_name(name, f"names: the name of {seat[:40]}")

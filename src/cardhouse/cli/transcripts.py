"""Commands for a transcript: replay it, print its odds, verify its deals."""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import typer
from rich.text import Text

from cardhouse.cli import words
from cardhouse.engine import SCREEN, BadTranscript, CardhouseError, SeededDealer, Table, catalogue_of
from cardhouse.engine.integrity.client_audit import Witness, read_witness
from cardhouse.engine.integrity.verify import Verified
from cardhouse.engine.integrity.verify import verify as verify_lines
from cardhouse.engine.values.text_file import UTF_16, utf8


def read_bytes(file: str) -> bytes:
    """Return the content of a file; `-` is standard input.

    Raises CardhouseError if it can't be read.
    """
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except FileNotFoundError:
        raise CardhouseError(f"File not found: {file}") from None
    except OSError as error:
        raise CardhouseError(f"{file} can't be read: {error.strerror}.") from None


def read_file(file: str) -> list[bytes]:
    """Return the lines of a UTF-8 text file; `-` is standard input.

    Raises CardhouseError, naming the file, if it can't be read, is empty, or isn't UTF-8 text.
    """
    return utf8(read_bytes(file), source_of(file)).splitlines()


@contextmanager
def naming(file: str) -> Iterator[None]:
    """Add the file's name to an error in a transcript."""
    try:
        yield
    except BadTranscript as error:
        error.message = f"{source_of(file)}: {error.message}"
        error.args = (error.message,)
        raise


def read_whole(file: str) -> bytes:
    """Return a file's content with normalised line ends, unless it is UTF-16; `-` is standard input.

    Raises CardhouseError if it can't be read.
    """
    data = read_bytes(file)
    return data if data.startswith(UTF_16) else re.sub(rb"\r\n?", b"\n", data)


def source_of(file: str) -> str:
    """Return the file's name for messages."""
    return "standard input" if file == "-" else file


def read_table(file: str, seat: str, seed: int, json: bool) -> Table:
    """Return the table at the end of a transcript; with `json`, errors are also printed as JSON.

    Raises CardhouseError, also if there is no such seat.
    """
    lines = read_file(file)
    with naming(file):
        try:
            table = Table.read(lines, SeededDealer(seed))
        except BadTranscript as error:
            if json:
                details = {"line": error.line, "code": error.code, "message": error.message, "offers": error.offers}
                print_json({"error": details})
            raise
    if seat not in (*table.seats, SCREEN):
        seats = ", ".join((*table.seats, SCREEN))
        raise CardhouseError(f"There is no seat {seat} at this table; there are {seats}.", "no_such_seat")
    return table


def print_json(value: Any) -> None:
    """Print a JSON object on a line of its own."""
    typer.echo(msgspec.json.encode(value).decode())


def replay(file: str, seat: str, seed: int, json: bool) -> None:
    """Print the table at the end, as a seat sees it."""
    table = read_table(file, seat, seed, json)
    if json:
        print_json(
            {
                "game": table.header.game,
                "seat": seat,
                "number": table.number,
                "asks": table.asks(),
                "offers": table.offers(seat, anytime=True),
                "state": table.view(seat),
                "story": [table.story(entry, seat) for entry in table.entries],
            }
        )
        return
    texts = catalogue_of(table.kind).words
    title = f"{table.header.name}: {texts.title}" if table.header.name else texts.title
    out = words.console()
    seen = "as the screen shows it" if seat == SCREEN else f"as {words.called(table, seat)} sees it"
    out.print(Text(f"{title}, {seen} after {words.count(table.number, 'entry', 'entries')}", "bold"))
    out.print(f"\n{words.describe_question(table, texts, seat)}")
    for offer in table.offers(seat):
        out.print(f"  {words.offered(offer)}", style="green")
    out.print()
    out.print(words.state(table.view(seat), texts))
    if table.entries:
        out.print()
        out.print(words.story(table, texts, seat))


def odds(file: str, seat: str, what_if: Mapping[str, int | None], seed: int, json: bool) -> None:
    """Print the odds at the end, as far as the seat may know them; settings of None are left out."""
    table = read_table(file, seat, seed, json)
    found = table.odds(seat, **{name: value for name, value in what_if.items() if value is not None})
    if json:
        print_json({"game": table.header.game, "seat": seat, "odds": found})
        return
    catalogue = catalogue_of(table.kind).words
    labels = catalogue.fields
    parts = {part: found[part] for part in table.kind.parts if part in found} or {"": found}
    details = {part: odds for part, odds in parts.items() if odds}
    if not details:
        typer.echo("There are no odds to show at this point.")
    out = words.console()
    for part, of_part in details.items():
        if part:
            out.print(Text(f"\n{words.label(part, labels)}", "bold"))
        if all(isinstance(odds, Mapping) for odds in of_part.values()):
            out.print(words.table_of([{"": name, **_flat(odds, labels)} for name, odds in of_part.items()], labels))
        else:
            out.print(words.state(of_part, catalogue))


def _flat(odds: Mapping[str, Any], labels: Mapping[str, str]) -> dict[str, Any]:
    """Return the chances as one row, with nested ones one level deep: `Preventing: dies`.

    Deeper ones, such as the chance of every sum, are only for programs.
    """
    flat: dict[str, Any] = {}
    for name, chance in odds.items():
        if isinstance(chance, Mapping):
            inner = {part: value for part, value in chance.items() if not isinstance(value, Mapping)}
            flat |= {f"{words.label(name, labels)}: {part}": value for part, value in inner.items()}
        else:
            flat[name] = chance
    return flat


def verify(file: str, commitment: str = "", witness: str = "") -> None:
    """Print what was verified.

    `commitment` is the one that a page showed, `witness` the name of a file that it saved; empty for none.
    """
    kept = read_witness(read_whole(witness)) if witness else None
    with naming(file):
        found = verify_lines(read_file(file), commitment, kept)
    cards, dice = words.count(found.cards, "card"), words.count(found.dice, "die", "dice")
    fair = "Fair" if _is_beyond_doubt(found, kept) else "Not shown to be fair"
    broken = [f"{seat} broke off {words.count(times, 'draw')}" for seat, times in found.withheld.items()]
    left = [f"devices of {seat} left {words.count(times, 'time')}" for seat, times in found.left.items()]
    typer.echo(f"{'; '.join([f'{fair}: {cards} and {dice} match the seed', *broken, *left])}.")
    if commitment or kept:
        typer.echo(f"The seed matches the commitment made with the table ({found.commitment}).")
    else:
        typer.echo(f"The seed matches the commitment ({found.commitment}).")
        typer.echo(
            "Compare it with the one on your page, under Verified deal. If they differ, the whole file may be made up."
        )
    for line in _further_results(found, kept):
        typer.echo(line)


def _is_beyond_doubt(found: Verified, witness: Witness | None) -> bool:
    """Return whether nothing was drawn and discarded, and the witness's devices took part in all draws."""
    if found.gaps or found.unused or found.notes or found.older:
        return False
    return witness is None or not found.together or found.rounds == len(_entries_with(found, witness))


def _entries_with(found: Verified, witness: Witness) -> set[int]:
    """Return the entries that drew with a link of a device of this witness."""
    numbers = {*witness.devices, *(gave.device for gave in witness.gave)}
    own = [one for one in found.devices if one.seat == witness.seat and one.number in numbers]
    return {entry for one in own for entry in one.draws if entry not in one.missed}


def _further_results(found: Verified, witness: Witness | None) -> Iterator[str]:
    """Yield the remaining results, a sentence each."""
    if witness:
        entries = words.count(sum(run.last - run.first + 1 for run in witness.log), "entry", "entries")
        yield f"The log matches what the page of {witness.seat} received ({entries})."
    if found.named:
        yield f"{words.count(found.named, 'card or roll', 'cards or rolls')} entered by players can't be checked."
    for undone in found.undone:
        yield f"Line {undone.line}: {undone.what} was undone by {undone.by}."
    if found.together:
        yield f"{words.count(found.rounds, 'answer')} drew with links of the devices at the table."
        yield from _participation(found, witness)
    for first, last in found.gaps:
        which = f"Round {first} of links is" if first == last else f"Rounds {first} to {last} of links are"
        yield (
            f"{which} missing from the log: a card may have been drawn and thrown away there. "
            "A server that is stopped in the middle of a draw leaves such a gap, too."
        )
    if found.alone:
        yield f"{words.count(found.alone, 'answer')} drew with no link of any device: only the host vouches for those."
    if found.unused:
        unused = words.count(found.unused, "round")
        yield (
            f"In {unused}, devices gave links and nothing was dealt from them. "
            "A server that can't save leaves this trace, and so does a host who throws a card away."
        )
    if found.older:
        yield (
            f"An older version of Cardhouse logged {words.count(found.older, 'draw')}. That log can't show that the "
            "devices were fixed before they gave their links, so the host may have chosen among several cards."
        )
    if found.withheld:
        yield (
            "A draw is broken off when a device withholds its link: it slept, or its owner had seen the card. "
            "The other seats' devices then drew again."
        )
    yield from found.notes


def _participation(found: Verified, witness: Witness | None) -> Iterator[str]:
    """Yield which draws each device took part in, and so can vouch for."""
    if witness:
        drawn = _entries_with(found, witness)
        yield (
            f"Devices of this witness took part in {len(drawn)} of {words.count(found.rounds, 'draw')}: "
            "they vouch for those and for no others."
        )
    for one in found.devices:
        took_part = f"{len(one.draws) - len(one.missed)} of {words.count(len(one.draws), 'draw')}"
        missed = f"; it missed those of {_entries(one.missed)}" if one.missed else ""
        yield f"Device {one.number} of {one.seat} took part in {took_part}{missed}."


ENTRIES_SHOWN = 10
"""Most entries listed by their numbers."""


def _entries(numbers: Sequence[int]) -> str:
    """Return a list of entry numbers, shortened if it is long."""
    shown = ", ".join(map(str, numbers[:ENTRIES_SHOWN]))
    more = len(numbers) - ENTRIES_SHOWN
    return f"{'entry' if len(numbers) == 1 else 'entries'} {shown}{f' and {more} more' if more > 0 else ''}"

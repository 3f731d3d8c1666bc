"""Shared deals: the devices at a table contribute links from which its cards are drawn (docs/deal-together.md).

A device chooses a secret, hashes it repeatedly, and commits to the last hash, its *anchor*. Each *link* that it gives
later is the preimage of the previous one under SHA-256, so it can give no other value, and nobody can predict it.
"""

import hashlib
from collections import deque
from collections.abc import Iterable
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from cardhouse.engine.values.errors import Refused
from cardhouse.engine.values.transcript import Line, write_line
from cardhouse.engine.values.whole_numbers import Ordinal

TOGETHER: Final = "together"
"""The value of a header's `deal` at tables with a shared deal."""
LINKS: Final = "links"
"""The key of a line with the devices' links."""
SKIPPED_AT_MOST: Final = 1000
"""The most links of a device that may be missing between two that are logged."""
DEVICES_AT_MOST: Final = 500

Number = Annotated[str, Meta(pattern=r"^[1-9][0-9]{0,2}\Z")]
"""The number of a device."""
Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
"""32 bytes in hex."""


class Device(Struct, frozen=True):
    """A device that takes part: its seat, and the latest known value of its chain, in hex."""

    seat: str
    latest: str


class Round(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of links: the number of the round, and each device's link by device number, both from 1.

    `fixed` commits to the answer, the log before it and the listed devices; every device receives it before it gives
    its link (`hash_chain.fixed`). The listed devices are those with a link and those in `withheld`, each with its seat.
    A round with withheld links is void. `resumed` has the value that a device's link hashes to, where it isn't the
    last one in the log: links that the device gave before can be lost with their server.

    Logs of older versions have no `fixed`. They list late devices in `away`, and those that came and left.
    """

    links: dict[Number, Hash]
    round: Ordinal
    fixed: Hash | None = None
    withheld: dict[Number, str] = {}
    resumed: dict[Number, Hash] = {}
    away: list[Ordinal] = []
    came: list[Ordinal] = []
    left: list[Ordinal] = []

    @property
    def listed(self) -> list[int]:
        """The numbers of the devices that were asked, in order."""
        return sorted({*map(int, self.links), *map(int, self.withheld), *self.away})


class CommitReveal(Struct, frozen=True):
    """The state of a shared deal: the last round, and the devices, starting with number 1."""

    rounds: int = 0
    devices: tuple[Device, ...] = ()

    def join(self, seat: str, anchor: Any, number: Any = None) -> "CommitReveal":
        """Return the state after a device joins with this anchor.

        The number of another device of its seat means that it replaces that one; logs of older versions have no
        numbers. Raises Refused if the anchor is invalid or in use, the number belongs to another seat, or there are too
        many devices.
        """
        try:
            latest = msgspec.convert(anchor, Hash)
        except msgspec.ValidationError:
            raise Refused('A device is {"device": the end of its hash chain, 64 hex digits}.', "malformed") from None
        if any(device.latest == latest for device in self.devices):
            raise Refused("Another device has this hash chain.")
        devices = list(self.devices)
        place = len(devices) + 1 if number is None else number
        if place == len(devices) + 1:
            if len(devices) >= DEVICES_AT_MOST:
                raise Refused(f"{DEVICES_AT_MOST} devices at most take part in a table's deals.")
            devices.append(Device(seat, latest))
        else:
            if type(place) is not int or self.device(place).seat != seat:
                raise Refused(
                    f"Number {place} is not a device of {seat}: a device can replace only one of its own seat."
                )
            devices[place - 1] = Device(seat, latest)
        return CommitReveal(self.rounds, tuple(devices))

    def after_all(self, lines: Iterable[Line]) -> "CommitReveal":
        """Return the state after all lines of links of one answer.

        Raises Refused if `after` does, or if a round lists a seat that withheld a link in an earlier one: each such
        round would be another draw for that seat to choose from.
        """
        state, out = self, set[str]()
        for line in lines:
            given = read_round(line)
            if again := out & {state.device(number).seat for number in given.listed}:
                raise Refused(
                    f"Round {given.round} asked {min(again)} again, which had withheld a link in this draw.", "unfair"
                )
            state = state.after(line)
            out |= state.out_in(given)
        return state

    def after(self, line: Line) -> "CommitReveal":
        """Return the state after a line of links.

        Raises Refused if the round isn't a later one, a link isn't the next of its device's chain, or a device isn't
        its seat's.
        """
        given = read_round(line)
        if given.round <= self.rounds:
            raise Refused(f"Round {given.round} of links is out of order: the last one was {self.rounds}.")
        devices = list(self.devices)
        for number, latest in self.expected(given).items():
            seat, link = self.device(number).seat, given.links.get(str(number))
            leads = link is None or (
                steps_to(link, latest) is not None if is_older(given) else latest == hash_of_link(link)
            )
            if not leads:
                raise Refused(f"links: {link} is not the next link of device {number}'s hash chain.")
            if given.withheld.get(str(number), seat) != seat:
                raise Refused(f"withheld: device {number} is {seat}'s.")
            devices[number - 1] = Device(seat, link or latest)
        return CommitReveal(given.round, tuple(devices))

    def expected(self, given: Round) -> dict[int, str]:
        """Return the value that each listed device's link hashes to, by number.

        Raises Refused if there is no such device, or the value isn't in its chain.
        """
        if both := given.links.keys() & given.withheld.keys():
            raise Refused(f"Device {min(both)} can't both give and withhold a link.", "malformed")
        values = {}
        for number in given.listed:
            latest = self.device(number).latest
            values[number] = given.resumed.get(str(number), latest)
            if values[number] != latest and steps_to(values[number], latest) is None:
                raise Refused(f"resumed: {values[number]} is not in device {number}'s hash chain.")
        if stray := given.resumed.keys() - {str(number) for number in values}:
            raise Refused(f"resumed: device {min(stray)} isn't in round {given.round}.", "malformed")
        return values

    def out_in(self, given: Round) -> set[str]:
        """Return the seats that withheld a link in a round."""
        return {*given.withheld.values(), *(self.device(number).seat for number in given.away)}

    def device(self, number: int) -> Device:
        """Return the device of this number.

        Raises Refused if there is none.
        """
        if not 1 <= number <= len(self.devices):
            raise Refused(f"There is no device {number} at this table.")
        return self.devices[number - 1]


class NeedsLinks(Exception):
    """An answer needs a draw at a table whose devices must be asked first.

    `lines` are the answer's: its own, and the chance that came before the draw, such as the time.
    """

    def __init__(self, lines: list[Line]) -> None:
        super().__init__()
        self.lines = lines


def read_round(line: Line) -> Round:
    """Read a line of links.

    Raises Refused if it is malformed.
    """
    try:
        return msgspec.convert(line, Round)
    except msgspec.ValidationError as error:
        raise Refused(f"{write_line(line)} doesn't fit: {error}.", "malformed") from None


def take_rounds(given: deque[Line]) -> list[Line]:
    """Take the lines of links that come next in a log.

    Raises Refused if one is malformed, or the last one is void.
    """
    rounds: list[Line] = []
    while given and LINKS in given[0]:
        read_round(given[0])
        rounds.append(given.popleft())
    if rounds and (rounds[-1].get("withheld") or rounds[-1].get("away")):
        raise Refused("After a round with withheld links, the other devices must be asked again.")
    return rounds


def is_older(given: Round) -> bool:
    """Return whether an older version logged a round, which doesn't show that its devices were fixed beforehand."""
    return given.fixed is None


def salt_of(line: Line) -> str:
    """Return a round's contribution to the draws: its links, in the order of the devices' numbers."""
    return ".".join(line[LINKS][number] for number in sorted(line[LINKS], key=int))


def hash_of_link(link: str) -> str:
    """Return the SHA-256 of a link's 32 bytes, in hex."""
    return hashlib.sha256(bytes.fromhex(link)).hexdigest()


def steps_to(link: str, latest: str) -> int | None:
    """Return how many times to hash a link to reach `latest`; None if it doesn't lead there."""
    for steps in range(1, SKIPPED_AT_MOST + 2):
        link = hash_of_link(link)
        if link == latest:
            return steps
    return None

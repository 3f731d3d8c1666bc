"""Shared deals: the devices at a table contribute links from which its cards are drawn (docs/deal-together.md).

A device chooses a secret, hashes it repeatedly, and commits to the last hash, its *anchor*. Each *link* that it gives
later is the preimage of the previous one under SHA-256, so it can give no other value, and nobody can predict it.
"""

import hashlib
from collections import deque
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from cardhouse.engine.values.errors import Refused
from cardhouse.engine.values.transcript import Line, write_line

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

    A seat whose device was asked and gave no link is `away` with all its devices; the round is then void, and the
    others are asked again in another. `came` lists the devices that returned in this round, `left` those that were
    present before and had left. Logs of older servers have neither.
    """

    links: dict[Number, Hash]
    round: Annotated[int, Meta(ge=1)]
    away: list[int] = []
    came: list[int] = []
    left: list[int] = []


class CommitReveal(Struct, frozen=True):
    """The state of a shared deal: the last round, and the devices, starting with number 1.

    `present` lists the devices that the log says are present: each takes part in the next round, unless the log says
    that it left. It is empty in logs of older servers, which don't record who came and left.
    """

    rounds: int = 0
    devices: tuple[Device, ...] = ()
    present: tuple[int, ...] = ()

    def join(self, seat: str, anchor: Any, number: Any = None) -> "CommitReveal":
        """Return the state after a device joins with this anchor.

        With `number` it is present from now on; the number of another device of its seat means that it replaces that
        one. Raises Refused if the anchor is invalid or in use, the number belongs to another seat, or there are too
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
        present = self.present if number is None else tuple(sorted({*self.present, place}))
        return CommitReveal(self.rounds, tuple(devices), present)

    def after(self, line: Line) -> "CommitReveal":
        """Return the state after a line of links.

        Raises Refused if a link doesn't belong to its device's chain, the round isn't a later one, or a device that was
        present is missing and the log doesn't say that it left.
        """
        given = read_round(line)
        if given.round <= self.rounds:
            raise Refused(f"Round {given.round} of links is out of order: the last one was {self.rounds}.")
        devices = list(self.devices)
        for number, link in given.links.items():
            device = self.device(int(number))
            if steps_to(link, device.latest) is None:
                raise Refused(f"links: {link} is no link of device {number}'s hash chain.")
            devices[int(number) - 1] = Device(device.seat, link)
        for other in (*given.away, *given.came, *given.left):
            self.device(other)
        return CommitReveal(given.round, tuple(devices), self._present_after(given))

    def _present_after(self, given: Round) -> tuple[int, ...]:
        before, came, left = set(self.present), set(given.came), set(given.left)
        if not (before or came or left):
            return ()
        took_part = {int(number) for number in given.links}
        asked = took_part | set(given.away)
        if missing := (before | came) - left - asked:
            raise Refused(
                f"Round {given.round} was dealt without device {min(missing)} of {self.device(min(missing)).seat}, "
                "which was there: the log doesn't say that it left.",
                "unfair",
            )
        if wrong := (came & before) | (left - before) | (asked - before - came) | (asked & left):
            raise Refused(
                f"Round {given.round} doesn't fit: the log is wrong about when device {min(wrong)} came or left.",
                "unfair",
            )
        return tuple(sorted(took_part - set(given.away)))

    def device(self, number: int) -> Device:
        """Return the device of this number.

        Raises Refused if there is none.
        """
        if not 1 <= number <= len(self.devices):
            raise Refused(f"There is no device {number} at this table.")
        return self.devices[number - 1]


class NeedsLinks(Exception):
    """An answer needs a draw at a table whose devices must be asked first; `line` is the answer's."""

    line: Line


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

    Raises Refused if one is malformed, or the last one has devices that were away.
    """
    rounds: list[Line] = []
    while given and LINKS in given[0]:
        read_round(given[0])
        rounds.append(given.popleft())
    if rounds and rounds[-1].get("away"):
        raise Refused("After a round with missing devices, the other devices must be asked again.")
    return rounds


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

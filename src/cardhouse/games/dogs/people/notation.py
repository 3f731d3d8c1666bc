"""Handwritten sheets: marks such as `I know the scripture +*`, or dice such as `2d6` (DV-2, DV-5)."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping

import msgspec

from cardhouse.engine.values.errors import CardhouseError
from cardhouse.engine.values.names import clean
from cardhouse.games.dogs.people.sheet import GROUPS, MOST_POINTS, STATS, Group, Kind, Stat, Stats, Thing

LONGEST_SHEET = 10_000
"""The most characters in a sheet."""
LONGEST_LINE = 200
"""The most characters in a line of a sheet; a name has at most 80."""
MOST_DICE = 20
"""More dice than any Stat or thing has; a bound on input."""

KIND_OF_DICE: dict[int, dict[bool, Kind]] = {
    4: {False: "-", True: "-"},
    6: {False: "o", True: "o"},
    8: {False: "o", True: "+"},
    10: {False: "+", True: "+"},
}
"""DV-5: the type for one die of a size (False), and for several (True)."""

_DICE_BACKWARDS = re.compile(r"^\)?(\d+d\d*(?:\s*\+\s*\d+d\d*)*)(\(?)(?:\s|$)", re.IGNORECASE)
"""Dice at the end of a line, backwards: read from its end, a line needs no search for the place where they begin."""
_BROKEN = re.compile(r"^\W*(?:\d+d|d\d)", re.IGNORECASE)
"""A word like dice."""
_MARK = re.compile(r"\s([-+o]?)(\*?)$")
_GUN = "(gun)"
_STAT = re.compile(rf"({'|'.join(STATS)})\W*(\d*)(d\d+)?$", re.IGNORECASE)


_DASHES = r"\-\u2013\u2014\u2212"
_BULLET = re.compile(
    rf"^(\s*(?:[{_DASHES}*•·\u2023◦▪▫●○■□➤►>#+_]\s*|\d{{1,2}}[.)]\s+)+)[\w\"'\u201c(]",
)
_ROLLED_BACKWARDS = r"(?:\d+\s*[dw]\s*\d+|\d+d)"
_APART_BACKWARDS = re.compile(
    rf"^[.,]?(\)?\s*{_ROLLED_BACKWARDS}(?:\s*\+\s*{_ROLLED_BACKWARDS})*\(?)(?:[\s:,{_DASHES}]+|$)", re.IGNORECASE
)
"""The same for dice with blanks in them, and for those of German tables."""


class ReadSheet(msgspec.Struct, frozen=True):
    """A sheet as read. `one_die` lists things of a single die, which the player may want to combine.

    `scaled` means that the Stats were given in dice and are a proposal (DV-5).
    """

    stats: Stats
    things: list[Thing]
    one_die: list[str]
    scaled: bool


def read_dice(dice: str) -> tuple[Kind, bool, int]:
    """Return the type, significance and number of dice for a text such as `2d6` or `1d6+1d4` (DV-5).

    Raises CardhouseError if the text isn't dice.
    """
    of_size: Counter[int] = Counter()
    for part in map(str.strip, dice.lower().split("+")):
        number, _, size = part.partition("d")
        if not size.isdecimal() or not (number == "" or number.isdecimal()):
            raise CardhouseError(f'"{part[:40]}" isn\'t dice. Write them like 2d6.')
        if int(size[:6]) not in KIND_OF_DICE:
            raise CardhouseError(f"{part[:40]}: there are d4, d6, d8 and d10, and no d{size[:6]}.")
        if number and not 1 <= int(number[:6]) <= MOST_DICE:
            raise CardhouseError(f"{part[:40]}: a thing has 1 to {MOST_DICE} dice.")
        of_size[int(size)] += int(number or 1)
    _, most = max((count, faces) for faces, count in of_size.items())
    total = of_size.total()
    return KIND_OF_DICE[most][total > 1], total > 2, total


def tidied(line: str) -> str:
    """Return a line without bullets and dashes around it, its dice written like 4d6.

    Tables don't call this when reading sheets: in a saved game a name keeps its bullet.
    """
    line = "".join(" " if unicodedata.category(letter) == "Zs" else letter for letter in clean(line)).strip()
    if bullet := _BULLET.match(line):
        line = line[bullet.end(1) :]
    found = _APART_BACKWARDS.match(line[::-1])
    if found is None:
        return line
    dice = "".join(found[1][::-1].split()).lower().replace("w", "d")
    return f"{line[: -found.end()]} {dice}"


def written(thing: Thing) -> str:
    """Return a thing as written on a sheet (DV-2): name, "(gun)", type unless regular, star if significant."""
    name, mark = thing.name + " (gun)" * thing.gun, thing.mark.removeprefix("o")
    return f"{name} {mark}" if mark else name


def read_sheet(text: str) -> ReadSheet:
    """Read a whole sheet, with a line for each Stat and thing, such as `Acuity 3d6` and `I'm a good shot 2d6`.

    Headings (Traits, Relationships, Belongings) set the group of the lines below them; a gun has "(gun)" after its
    name. Marks and points may replace the dice.

    Raises CardhouseError, naming the line.
    """
    if len(text) > LONGEST_SHEET:
        raise CardhouseError(f"The sheet has {len(text)} characters; {LONGEST_SHEET} is the most.")
    reading = _Reading()
    for number, line in enumerate(re.split(r"[\n;]", text), start=1):
        try:
            reading.read(line.strip())
        except CardhouseError as error:
            raise CardhouseError(f"line {number}: {error}") from None
    return reading.done()


class _Reading:
    """A sheet being read."""

    def __init__(self) -> None:
        self.group: Group = "trait"
        self.points: dict[Stat, int] = {}
        self.dice: dict[Stat, int] = {}
        self.things: list[Thing] = []
        self.one_die: list[str] = []

    def read(self, line: str) -> None:
        """Read one line."""
        if len(line) > LONGEST_LINE:
            raise CardhouseError(f"this has {len(line)} characters; {LONGEST_LINE} is the most in a line.")
        heading = line.rstrip(":").strip().lower()
        if not line:
            return
        group = next((group for group in GROUPS if heading in (group, f"{group}s")), None)
        if group is not None:
            self.group = group
        elif heading not in ("stats", "things") and not self.read_stat(line):
            self.read_thing(line)

    def read_stat(self, line: str) -> bool:
        """Read the line if it is a Stat; return whether it was."""
        found = _STAT.fullmatch(line)
        stat = next((stat for stat in STATS if found and found[1].lower() == stat), None)
        if found is None or stat is None or not (found[2] or found[3]):
            return False
        if stat in self.points or stat in self.dice:
            raise CardhouseError(f"{stat.capitalize()} is here twice.")
        if found[3] and found[3].lower() != "d6":
            raise CardhouseError(f"Stats are d6, and {stat.capitalize()} is {found[3].lower()} here.")
        number = int((found[2] or "1")[:6])
        if found[3] and not 1 <= number <= MOST_DICE:
            raise CardhouseError(f"{stat.capitalize()} has {number} dice. Write 1 to {MOST_DICE}.")
        (self.dice if found[3] else self.points)[stat] = number
        return True

    def read_thing(self, line: str) -> None:
        """Read a trait, relationship or belonging."""
        name, kind, significant, count = _with_dice(line) or _with_mark(line)
        if re.search(r"\b\d+d\d", name, re.IGNORECASE):
            raise CardhouseError("write the dice at the end of the line, after the name, and without a mark.")
        name = name.strip(" \t:,-").strip()
        gun = name[-len(_GUN) :].lower() == _GUN
        name = name[: -len(_GUN)].rstrip() if gun else name
        if not name:
            raise CardhouseError("the dice have no name before them.")
        if count == 1:
            self.one_die.append(name)
        self.things.append(Thing(name, self.group, kind, significant, gun))

    def done(self) -> ReadSheet:
        """Return the whole sheet. Raises CardhouseError if Stats are missing or mixed."""
        missing = [stat.capitalize() for stat in STATS if stat not in self.points and stat not in self.dice]
        if missing:
            raise CardhouseError(f"the sheet lacks {', '.join(missing)}. Write a Stat like Acuity 3d6.")
        if self.points and self.dice:
            raise CardhouseError("some Stats are dice and some are points. Use one or the other for all.")
        stats = scaled(self.dice) if self.dice else Stats(**self.points)
        return ReadSheet(stats, self.things, self.one_die, bool(self.dice))


def _with_dice(line: str) -> tuple[str, Kind, bool, int] | None:
    """Return the name before the dice at a line's end, and their meaning; None if there are none.

    Raises CardhouseError if the dice can't be read.
    """
    found = _DICE_BACKWARDS.match(line[::-1])
    if found is None:
        last = line.split()[-1]
        if _BROKEN.match(last):
            raise CardhouseError(f'"{last[:40]}" isn\'t dice. Write them like 2d6.')
        return None
    name, dice = line[: len(line) - found.end(2)], found[1][::-1]
    if name != name.rstrip() and name.rstrip()[-1:].isdecimal() and dice[0] in "dD":
        raise CardhouseError(f"there is a space in the dice {dice[:40]}. Write dice like 2d6.")
    return (name, *read_dice(dice))


def _with_mark(line: str) -> tuple[str, Kind, bool, int]:
    """Return the name before the mark at a line's end, and the mark's meaning, with 0 dice."""
    mark = _MARK.search(line)
    return (line[: mark.start()], _kind(mark[1]), bool(mark[2]), 0) if mark else (line, "o", False, 0)


def _kind(mark: str) -> Kind:
    return "-" if mark == "-" else "+" if mark == "+" else "o"


def scaled(dice: Mapping[Stat, int]) -> Stats:
    """Return Stats in proportion to dice: 9 points, at least 1 each, the rest to the largest remainders (DV-5)."""
    total = sum(dice.values())
    points = {stat: max(1, MOST_POINTS * dice[stat] // total) for stat in STATS}
    left = {stat: MOST_POINTS * dice[stat] - total * points[stat] for stat in STATS}
    while (missing := MOST_POINTS - sum(points.values())) != 0:
        step = 1 if missing > 0 else -1
        may = [stat for stat in STATS if step > 0 or points[stat] > 1]
        stat = max(may, key=lambda stat: step * left[stat])
        points[stat] += step
        left[stat] -= step * total
    return Stats(**points)

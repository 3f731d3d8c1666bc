"""The table's invite: one link for everyone, whose holder takes an open seat and gets that seat's own link."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from cardhouse.engine import GM, SCREEN, CardhouseError
from cardhouse.server.core.name_rules import read_name
from cardhouse.server.core.tokens import hash_of, new_token
from cardhouse.server.table.parts import TableParts


class CodeTyped(Struct, frozen=True, forbid_unknown_fields=True):
    """A table's join code, as typed."""

    code: Annotated[str, Meta(max_length=40)]


class SeatRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Take an open seat, under this name."""

    seat: str
    name: str


class PlayerSeat(Struct, frozen=True, omit_defaults=True):
    """A player's seat: the player's name, the bot that plays it, if one does, and whether it can be taken.

    A player who takes a bot's seat takes over from the bot. `here`: a device is connected. `characters` are those
    played from the seat that everyone may see.
    """

    seat: str
    name: str
    free: bool
    bot: str = ""
    here: bool = False
    characters: list[str] = []


class PlayerSeats(Struct, frozen=True, omit_defaults=True):
    """The answer to a holder of the join link: the game, the table's name, and its players' seats.

    `gm` is the game master's name, and `gm_here` whether they are connected; `round` is the current round, 0 for none
    or for a game without rounds. `faces` are the chosen portraits, by the name in lower case. `mark` is the join code's
    (`About.door`).
    """

    game: str
    name: str
    seats: list[PlayerSeat]
    gm: str = ""
    gm_here: bool = False
    round: int = 0
    faces: dict[str, int] = {}
    mark: str = ""


class SeatTaken(Struct, frozen=True):
    """A seat taken with the invite, and the secret of its own link."""

    seat: str
    token: str


class TableOfCode(Struct, frozen=True):
    """The table that a join code opens; the code is the secret of its invite."""

    table: str


class Invite:
    """The invite of an open table."""

    def __init__(self, parts: TableParts) -> None:
        self._parts = parts
        self._record = parts.record

    async def seats(self, token: str) -> PlayerSeats:
        """Return the players' seats, given the invite's secret.

        Raises CardhouseError if the secret is wrong, or the table has ended; NotSaved.
        """
        hashed = await self._hash_of(token)
        await self._record.compare()  # another server may have closed or replaced the invite
        self._check(hashed)
        async with self._parts.lock:
            table = await self._parts.cache.playing()
            await self._record.confirm()
            self._check(hashed)
            if table.ended:
                raise CardhouseError("This table has ended, so no one can join it.", "ended")
            header = table.header
            everybody = self._parts.seated()
            shown = table.view(SCREEN)  # everyone may see what the table screen shows
        seated = [one for one in everybody if one.seat not in (GM, SCREEN)]
        free = {record.seat for record in self._record.now.seats if record.claimed is None}
        free.difference_update(one.seat for one in seated if one.name or one.here)
        seats = [
            PlayerSeat(one.seat, one.name, one.seat in free, one.bot, one.here, played_from(one.seat, shown))
            for one in seated
        ]
        gm = next(one for one in everybody if one.seat == GM)
        record = self._record.now
        return PlayerSeats(
            header.game,
            header.name,
            seats,
            gm.name,
            gm.here,
            round_of(shown),
            record.faces_chosen,
            record.door_mark,
        )

    async def take(self, token: str, seat: str, name: str) -> SeatTaken:
        """Take an open seat under this name, possibly from a bot, given the invite's secret.

        The database decides which of two players was first. Raises CardhouseError as `seats` does, for a name that
        can't be displayed, and if there is no such seat or it is taken; NotSaved.
        """
        name = read_name(name)
        _check_free(await self.seats(token), seat)
        own, hashed = new_token(), await self._hash_of(token)
        if not await self._record.change(self._parts.saver.store.claim, hashed, seat, hash_of(own), name):
            seats = await self.seats(token)  # raises if the invite was closed meanwhile
            raise _taken(seats, seat)
        return SeatTaken(seat, own)

    async def _hash_of(self, token: str) -> str:
        return await self._parts.saver.store.codes.hash_of(token)

    def _check(self, hashed: str) -> None:
        """Raises CardhouseError unless the invite's secret has this hash."""
        if hashed != self._record.now.door:
            raise CardhouseError(
                "This join code no longer works. The game master has closed or replaced it. Ask for the new "
                "code, or for an invite link.",
                "old_link",
            )


def played_from(seat: str, shown: Mapping[str, Any]) -> list[str]:
    """Return the characters of a seat, if the game's public view lists `characters` with a `name` and a `controller`.

    Such a list may also be in a part of the view, if the game combines others. Any package may provide a game, so
    `characters` may be something else entirely.
    """
    found = (who["name"] for who in _listed(shown) if who.get("controller") == seat and not who.get("hidden"))
    return list(dict.fromkeys(found))


def characters_in(view: Mapping[str, Any]) -> set[str]:
    """Return the names of all characters in a view."""
    return {who["name"] for who in _listed(view)}


def _listed(view: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for part in (view, *(part for part in view.values() if isinstance(part, dict))):
        characters = part.get("characters")
        for who in characters if isinstance(characters, list) else ():
            if isinstance(who, dict) and isinstance(who.get("name"), str):
                yield who


def round_of(shown: Mapping[str, Any]) -> int:
    """Return the round if the game's public view has one as a number, otherwise 0."""
    number = shown.get("round")
    return number if type(number) is int else 0


def _check_free(seats: PlayerSeats, wanted: str) -> None:
    """Raises CardhouseError if there is no such seat, or it is taken."""
    found = next((one for one in seats.seats if one.seat == wanted), None)
    if found is None:
        known = ", ".join(one.seat for one in seats.seats)
        raise CardhouseError(f'There is no player\'s seat "{wanted[:40]}"; there are {known}.', "no_such_seat")
    if not found.free:
        raise _taken(seats, wanted)


def _taken(seats: PlayerSeats, wanted: str) -> CardhouseError:
    left = ", ".join(one.seat for one in seats.seats if one.free)
    remaining = f"these are left: {left}" if left else "none is left; ask the game master for one"
    return CardhouseError(f'The seat "{wanted}" was just taken; {remaining}.', "taken")

"""What a campaign's page shows: its notes, its sessions, and what is prepared for the next one."""

from typing import Any

import msgspec
from msgspec import Struct

from cardhouse.engine import CardhouseError, catalogue_of, find_game
from cardhouse.server.persistence import campaign_repository
from cardhouse.server.persistence.campaign_repository import CampaignRecord, EveningRecord
from cardhouse.server.table.encounters import FoeForm, form_of
from cardhouse.server.table.transcript_export import store_to_read
from cardhouse.server.wire.requests import Encounter


class EveningListed(Struct, frozen=True):
    """A session: its table, what that is called, which game it is, when it began (Unix seconds), and who was there.

    `entries` is how much was said; `goes_on` says that no other table follows it.
    """

    table: str
    name: str
    game: str
    at: int
    people: list[str]
    entries: int
    goes_on: bool


class Campaign(Struct, frozen=True):
    """All that a campaign keeps; the sessions, the latest first. Its secret opens the game master's seat at each.

    `form` is what is said of a foe in the game of the last one; null where none can be prepared. `faces` are those that
    were chosen there, by the name in small letters.
    """

    name: str
    notes: str
    evenings: list[EveningListed]
    encounters: list[Encounter]
    form: FoeForm | None
    faces: dict[str, int]


class SavedCharacter(Struct, frozen=True):
    """A character as it was left: the answer that brings it to the next session, and the seat it is played from.

    `player` is the name given in that seat, `bot` the bot that plays it; both may be empty.
    """

    answer: dict[str, Any]
    seat: str
    player: str
    bot: str


class Characters(Struct, frozen=True):
    """All who come to the next session, as they were left, and the options of the table they come from."""

    options: dict[str, Any]
    characters: list[SavedCharacter]


class _Named(Struct, frozen=True):
    """What is read of a table's header here. The options in it may be long."""

    game: str
    name: str = ""


def view_campaign(database: str, record: CampaignRecord) -> Campaign:
    """What a campaign keeps, from the database at this URL.

    Raises NotSaved.
    """
    with store_to_read(database) as store:
        return view_of(record, campaign_repository.evenings(store, record.id))


def view_of(record: CampaignRecord, sessions: list[EveningRecord]) -> Campaign:
    """What a campaign keeps whose sessions are these, the latest first."""
    encounters = msgspec.json.decode(record.encounters, type=list[Encounter])
    listed = [_listed(one) for one in sessions]
    faces = msgspec.json.decode(sessions[0].faces, type=dict[str, int])
    return Campaign(record.name, record.notes, listed, encounters, form_of(sessions[0].header), faces)


def _listed(one: EveningRecord) -> EveningListed:
    header = msgspec.json.decode(one.header, type=_Named)
    name = header.name or _title(header.game)
    return EveningListed(one.table, name, header.game, one.made_at, one.people, one.entries, one.goes_on)


def _title(game: str) -> str:
    """What a game is called, which may not be installed any more."""
    try:
        return catalogue_of(find_game(game)).words.title
    except CardhouseError:
        return game

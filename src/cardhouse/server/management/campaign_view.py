"""The content of a campaign's page: its notes, its sessions, and its encounters."""

from typing import Any

import msgspec
from msgspec import Struct

from cardhouse.engine import CardhouseError, catalogue_of, find_game
from cardhouse.server.persistence import campaign_repository
from cardhouse.server.persistence.campaign_repository import CampaignRecord, EveningRecord
from cardhouse.server.table.encounters import Encounter, FoeForm, form_of
from cardhouse.server.transcripts.transcript_export import store_to_read


class SessionSummary(Struct, frozen=True):
    """A session: its table, the table's name and game, when it began (Unix seconds), and its players.

    `entries` is the length of its log; `goes_on` means that no other table follows it.
    """

    table: str
    name: str
    game: str
    at: int
    people: list[str]
    entries: int
    goes_on: bool


class Campaign(Struct, frozen=True):
    """Everything in a campaign, with the latest session first. Its secret opens the game master's seat at each session.

    `form` describes the form for an NPC in the last session's game; null if that game has none. `faces` are the
    portraits chosen there, by the name in lower case.
    """

    name: str
    notes: str
    evenings: list[SessionSummary]
    encounters: list[Encounter]
    form: FoeForm | None
    faces: dict[str, int]


class SavedCharacter(Struct, frozen=True):
    """A character as it was left: the answer that adds it to the next session, and the seat that plays it.

    `player` is the name given in that seat, `bot` the bot that plays it; both may be empty.
    """

    answer: dict[str, Any]
    seat: str
    player: str
    bot: str


class Characters(Struct, frozen=True):
    """All characters that continue in the next session, as they were left, and the options of their table."""

    options: dict[str, Any]
    characters: list[SavedCharacter]


class _Named(Struct, frozen=True):
    """The parts of a table's header needed here; its options, which may be long, are skipped."""

    game: str
    name: str = ""


def view_campaign(database: str, record: CampaignRecord) -> Campaign:
    """Return everything in a campaign, from the database at this URL.

    Raises NotSaved.
    """
    with store_to_read(database) as store:
        return view_of(record, campaign_repository.evenings(store, record.id))


def view_of(record: CampaignRecord, sessions: list[EveningRecord]) -> Campaign:
    """Return everything in a campaign with these sessions, the latest first."""
    encounters = msgspec.json.decode(record.encounters, type=list[Encounter])
    listed = [_summary_of(one) for one in sessions]
    faces = msgspec.json.decode(sessions[0].faces, type=dict[str, int])
    return Campaign(record.name, record.notes, listed, encounters, form_of(sessions[0].header), faces)


def _summary_of(one: EveningRecord) -> SessionSummary:
    header = msgspec.json.decode(one.header, type=_Named)
    name = header.name or _title(header.game)
    return SessionSummary(one.table, name, header.game, one.made_at, one.people, one.entries, one.goes_on)


def _title(game: str) -> str:
    """Return the title of a game, or its name if it isn't installed any more."""
    try:
        return catalogue_of(find_game(game)).words.title
    except CardhouseError:
        return game

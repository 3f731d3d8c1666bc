"""A campaign as one file: its notes, and the transcript of each session, in order."""

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from cardhouse.engine import CardhouseError
from cardhouse.engine.values.portraits import Faces
from cardhouse.engine.values.whole_numbers import Count, Ordinal
from cardhouse.server.persistence import campaign_repository
from cardhouse.server.persistence.campaign_repository import CampaignRecord
from cardhouse.server.table.encounters import Encounter, check_encounters
from cardhouse.server.table.factory import BuiltTable
from cardhouse.server.transcripts.transcript_export import store_to_read, transcript_of
from cardhouse.server.transcripts.transcript_import import read_in

FORMAT = 1
MOST_EVENINGS = 100


class EveningKept(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A session: its start in Unix seconds, its transcript, and the chosen portraits."""

    at: Count
    transcript: str
    faces: Faces = {}


class CampaignFile(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A campaign's file (JSON): format version, name, notes, sessions, and encounters."""

    cardhouse_campaign: Ordinal
    name: str
    notes: str
    evenings: Annotated[list[EveningKept], Meta(min_length=1, max_length=MOST_EVENINGS)]
    encounters: list[Encounter] = []


class CampaignRead(Struct, frozen=True):
    """A campaign read from a file; its tables have yet to be created, with the start times in `at`."""

    name: str
    notes: str
    tables: list[BuiltTable]
    at: list[int]
    encounters: list[Encounter]


def write_campaign(database: str, record: CampaignRecord) -> bytes:
    """Return the file of a campaign, from the database at this URL.

    Raises NotSaved.
    """
    with store_to_read(database) as store:
        tables = [(one.made_at, store.table(one.table)) for one in campaign_repository.evenings(store, record.id)]
        kept = [
            EveningKept(at, transcript_of(store, table).decode(), table.faces_drawn)
            for at, table in reversed(tables)
            if table
        ]
    encounters = msgspec.json.decode(record.encounters, type=list[Encounter])
    file = CampaignFile(FORMAT, record.name, record.notes, kept, encounters)
    return msgspec.json.format(msgspec.json.encode(file), indent=1) + b"\n"


def read_campaign(text: bytes) -> CampaignRead:
    """Read a campaign's file, replaying its sessions.

    Raises CardhouseError, naming the session, if it can't be used.
    """
    file = _file(text)
    tables = []
    for number, evening in enumerate(file.evenings, start=1):
        try:
            made = read_in(evening.transcript.encode())
            tables.append(msgspec.structs.replace(made, faces=evening.faces))
        except CardhouseError as error:
            raise CardhouseError(f"Session {number} of this campaign can't be used. {error.message}") from None
    encounters = check_encounters(tables[-1].header, file.encounters)
    return CampaignRead(file.name, file.notes, tables, [evening.at for evening in file.evenings], encounters)


def _file(text: bytes) -> CampaignFile:
    try:
        value = msgspec.json.decode(text)
        if not isinstance(value, dict) or type(value.get("cardhouse_campaign")) is not int:
            raise CardhouseError('This file isn\'t a campaign. Such a file begins with {"cardhouse_campaign": 1, …}.')
        if value["cardhouse_campaign"] != FORMAT:
            raise CardhouseError("This campaign was saved by a newer Cardhouse, which can read it.", "newer")
        return msgspec.convert(value, CampaignFile)
    except msgspec.ValidationError as error:
        raise CardhouseError(f"This campaign can't be used: {error}.") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CardhouseError(f"This file isn't a campaign. It isn't valid JSON: {error}.") from None

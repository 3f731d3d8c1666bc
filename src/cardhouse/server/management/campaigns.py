"""Campaigns: a link that preserves a group's characters and notes, and leads from one session to the next."""

import asyncio
import hmac
import time
from collections.abc import Callable

import msgspec
from msgspec import Struct

from cardhouse.engine import GM, CardhouseError, Text
from cardhouse.server.cluster import lease
from cardhouse.server.core.name_rules import read_name
from cardhouse.server.core.tokens import hash_of, is_table_id, new_table_id, new_token
from cardhouse.server.management.campaign_archive import CampaignRead, read_campaign
from cardhouse.server.management.campaign_view import Campaign, Characters, view_of
from cardhouse.server.management.rematch import NextTable, rematch
from cardhouse.server.management.table_manager import TableManager
from cardhouse.server.persistence import campaign_repository
from cardhouse.server.persistence.campaign_repository import CampaignRecord, EveningRecord, no_campaign
from cardhouse.server.table.encounters import Brought, Encounter, check_encounters
from cardhouse.server.transcripts.transcript_import import IMPORT_SECONDS
from cardhouse.server.wire import requests
from cardhouse.server.wire.requests import SHORT_BYTES

MOST_NOTES = 20_000
"""Longest notes of a campaign, in characters."""


class CampaignNoted(Struct, frozen=True, forbid_unknown_fields=True):
    """Set a campaign's name and notes."""

    name: str
    notes: str = ""


class NextSessionRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Create the campaign's next session, following the table `after`; by default following the last one."""

    after: str = ""


class EncountersRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Set all encounters of a campaign."""

    encounters: list[Encounter]


class EncounterRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Bring an encounter to the table; `hidden` overrides how it was prepared."""

    encounter: str
    hidden: bool | None = None


class CreateCampaignResponse(Struct, frozen=True):
    """A new campaign: its id, and the secret of its link, `/c/{campaign}#{token}`."""

    campaign: str
    token: str


class CampaignBack(Struct, frozen=True):
    """A restored campaign: as `CreateCampaignResponse`, and the last of its tables with all its links and its mark."""

    campaign: str
    token: str
    table: str
    links: dict[str, str]
    mark: str = ""


async def begin(manager: TableManager, id: str, token: str, body: bytes) -> CreateCampaignResponse:
    """Create a campaign with this table as its first session; for the game master.

    Raises CardhouseError for anyone else, if the table already belongs to a campaign, or for an invalid name.
    """
    noted = _read(requests.read(body, CampaignNoted))
    table = await manager.table(id)
    if await table.record.seat_by(token) != GM:
        raise CardhouseError("Only the game master can save a table as a campaign.", "not_yours")
    secret, campaign = new_token(), new_table_id()
    record = CampaignRecord(campaign, hash_of(secret), noted.name, noted.notes)
    change = table.record.change(lambda table_id: campaign_repository.create(manager.store, table_id, record))
    if not await asyncio.shield(asyncio.ensure_future(change)):
        raise CardhouseError("This table already belongs to a campaign. Open the campaign by its link.", "taken")
    return CreateCampaignResponse(campaign, secret)


def _read(noted: CampaignNoted) -> CampaignNoted:
    """Return the note with a clean name. Raises CardhouseError if the name or the notes can't be displayed."""
    if noted.notes and (problem := Text(most=MOST_NOTES, lines=True).wrong(noted.notes)):
        raise CardhouseError(f"The notes: this text {problem}.")
    return msgspec.structs.replace(noted, name=read_name(noted.name, "The campaign's name"))


async def show(manager: TableManager, visitor: str, id: str, token: str) -> Campaign:
    """Return everything in a campaign.

    Raises CardhouseError for a link that isn't the campaign's; NotSaved.
    """
    record = await _opened(manager, id, token)
    if await manager.saver.read(campaign_repository.longest_header, manager.store, id) > SHORT_BYTES:
        return await manager.documents.view_campaign(visitor, record)
    return view_of(record, await manager.saver.read(campaign_repository.evenings, manager.store, id))


async def characters(manager: TableManager, visitor: str, id: str, token: str) -> Characters:
    """Return every character as the last session left it.

    Raises CardhouseError as `show` does, and while anything at the last table is hidden from the game master.
    """
    await _opened(manager, id, token)
    return await manager.documents.continuing_characters(visitor, (await _last(manager, id)).table, token)


async def note(manager: TableManager, visitor: str, id: str, token: str, body: bytes) -> Campaign:
    """Set a campaign's name and notes.

    Raises CardhouseError as `show` does, and for a name or notes that can't be displayed.
    """
    noted = _read(requests.read(body, CampaignNoted))
    await _opened(manager, id, token)
    await manager.saver.write(campaign_repository.set_notes, manager.store, id, noted.name, noted.notes)
    return await show(manager, visitor, id, token)


def _prepared(record: CampaignRecord) -> list[Encounter]:
    return msgspec.json.decode(record.encounters, type=list[Encounter])


async def prepare(manager: TableManager, visitor: str, id: str, token: str, body: bytes) -> Campaign:
    """Replace a campaign's encounters.

    Raises CardhouseError as `show` does, and, naming encounter and NPC, for one that can't join a table.
    """
    request = requests.read(body, EncountersRequest)
    await _opened(manager, id, token)
    last = await _last(manager, id)
    encounters = await manager.workers.run(visitor, check_encounters, last.header, request.encounters)
    text = msgspec.json.encode(encounters).decode()
    await manager.saver.write(campaign_repository.set_encounters, manager.store, id, text)
    return await show(manager, visitor, id, token)


async def bring_in(manager: TableManager, id: str, token: str, body: bytes, charge: Callable[[int], None]) -> Brought:
    """Bring the NPCs of an encounter to the last table, as the game master.

    `charge` is called with their number before any joins. Raises CardhouseError as `show` does, and if there is no such
    encounter; and what `charge` raises.
    """
    request = requests.read(body, EncounterRequest)
    record = await _opened(manager, id, token)
    encounter = next((one for one in _prepared(record) if one.name == request.encounter), None)
    if encounter is None:
        raise CardhouseError(f"There is no encounter called {request.encounter[:40]} in this campaign.", "not_found")
    charge(sum(foe.count for foe in encounter.foes))
    table = await manager.table((await _last(manager, id)).table)
    hidden = encounter.hidden if request.hidden is None else request.hidden
    return await table.bring_in(encounter, hidden=hidden)


async def next_evening(manager: TableManager, visitor: str, id: str, token: str, body: bytes = b"{}") -> NextTable:
    """Create the next session's table: the same people, seats and rules, and every character as it was left.

    The last table is ended and leads there. If the table `wanted.after` already has a successor, because of a repeated
    or concurrent request, the last table is returned. Raises CardhouseError as `show` does; NotSaved.
    """
    request = requests.read(body, NextSessionRequest)
    await _opened(manager, id, token)
    kept = await _last(manager, id)
    # the last table is unused, or already follows that one
    if not kept.entries or request.after not in ("", kept.table):
        return NextTable(kept.table)
    last = await manager.table(kept.table)
    return await rematch(last, manager.workers, visitor, token, b"{}", ends=True)


async def _opened(manager: TableManager, id: str, token: str) -> CampaignRecord:
    record = await manager.saver.read(campaign_repository.campaign, manager.store, id) if is_table_id(id) else None
    if record is None or not hmac.compare_digest(record.token, hash_of(token)):
        raise no_campaign()
    return record


async def renew(manager: TableManager, id: str, token: str) -> CreateCampaignResponse:
    """Replace the campaign's link; when this returns, the old one is invalid at all of its tables.

    Raises CardhouseError as `show` does.
    """
    record = await _opened(manager, id, token)
    new = new_token()
    await manager.refresh(
        await manager.saver.write(campaign_repository.set_token, manager.store, id, record.token, hash_of(new))
    )
    if manager.store.shared:
        await lease.outlast()
    return CreateCampaignResponse(id, new)


async def _last(manager: TableManager, id: str) -> EveningRecord:
    return await manager.saver.read(campaign_repository.last_evening, manager.store, id)


# As a file.


async def save(manager: TableManager, visitor: str, id: str, token: str) -> bytes:
    """Return a campaign's file, gzipped.

    Raises CardhouseError as `show` does, and while anything at its last table is hidden from the game master; NotSaved.
    """
    record = await _opened(manager, id, token)
    last = (await _last(manager, id)).table
    await _check_open(manager, last)
    text = await manager.documents.write_campaign(visitor, record)
    await _check_open(manager, last)
    return text


async def _check_open(manager: TableManager, table: str) -> None:
    await (await manager.table(table)).check_open(GM, "The file shows hidden cards of the last table")


async def bring_back(manager: TableManager, visitor: str, text: bytes, charge: Callable[[int], None]) -> CampaignBack:
    """Create a campaign from its file, with new links.

    `charge` is called with the number of tables beyond the first, before any is created. Once the first is created, all
    are, even if the request is cancelled. Raises CardhouseError, naming the session, if the file can't be used; what
    `charge` raises; NotSaved.
    """
    read = await manager.workers.run(visitor, read_campaign, text, seconds=IMPORT_SECONDS)
    noted = _read(CampaignNoted(read.name, read.notes))
    charge(len(read.tables) - 1)
    return await asyncio.shield(asyncio.ensure_future(_create(manager, read, noted)))


async def _create(manager: TableManager, read: CampaignRead, noted: CampaignNoted) -> CampaignBack:
    tables = [await manager.add(made) for made in read.tables]
    secret, campaign = new_token(), new_table_id()
    encounters = msgspec.json.encode(read.encounters).decode()
    record = CampaignRecord(campaign, hash_of(secret), noted.name, noted.notes, encounters)
    now = int(time.time())  # a date in the future would keep a table forever
    kept = [(table.table, min(at, now)) for table, at in zip(tables, read.at, strict=True)]
    await manager.saver.write(campaign_repository.restore, manager.store, record, kept)
    return CampaignBack(campaign, secret, tables[-1].table, tables[-1].links, tables[-1].mark)

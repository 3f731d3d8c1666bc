"""Draws into a hand: Stats, things, lines of Fast NPCs, Demonic Influence (DV-6 to DV-12, DV-31 to DV-35)."""

from __future__ import annotations

from typing import Any

from cardhouse.engine import Rules
from cardhouse.games.dogs.people.fast import DEMONIC_DRAWS, FAST, Draws
from cardhouse.games.dogs.people.sheet import Character, Thing
from cardhouse.games.dogs.state import DEMONIC, Participant, stats_of
from cardhouse.games.dogs.table import DogsTable

ASKS = {
    "draws_stat": "draw_stat",
    "draws_line": "draw_line",
    "draws_members": "draw_members",
    "draws_more": "draw_more",
    "draws_own_acuity": "draw_own_acuity",
    "draws_body_of": "draw_body_of",
}
"""The question to a player with a real deck, for the event that reports the draw."""


def draw_into(game: DogsTable, one: Participant, number: int, rule: str, key: str, **about: Any) -> Rules[None]:
    """Draw cards into a hand, keeping all of them."""
    drawn = yield from game.draw_cards(number, game.controller(one), ASKS[key], rule, name=one.name, **about)
    one.hand += drawn
    if drawn:
        game.tell_hand(one, rule, key, "draws_hidden", len(drawn), cards=drawn, **about)
    else:
        game.tell(rule, "draws_nothing", name=one.name)


def draw_for(game: DogsTable, one: Participant, draws: Draws | Thing, rule: str, thing: str = "") -> Rules[None]:
    """Draw for a `thing`, or for a mark alone; the event shows all cards drawn and those kept (DV-6, DV-7)."""
    thing = thing or draws.mark
    drawn, kept = yield from game.draw_kept(
        draws.kind, game.controller(one), rule, significant=draws.significant, name=one.name, thing=thing
    )
    one.hand += kept
    if drawn:
        shown = {"thing": thing}
        game.tell_hand(one, rule, "draws_for", "draws_for_hidden", len(kept), shown, drawn=drawn, cards=kept)
    else:
        game.tell(rule, "draws_nothing", name=one.name)


def draw_arena(game: DogsTable, one: Participant, fewer: int = 0) -> Rules[None]:
    """Draw an arena's Stats, each once per conflict, one card per point (DV-9, DV-12); a Fast NPC draws a line."""
    who = game.named(one.name)
    if who.fast is not None:
        yield from draw_line(game, one, who, fewer)
        return
    for stat in stats_of(one.arena):
        if stat not in one.stats_drawn:
            one.stats_drawn.append(stat)
            spared = min(fewer, who.stats.of(stat))
            fewer -= spared
            yield from draw_into(game, one, who.stats.of(stat) - spared, "DV-9", "draws_stat", stat=stat)


def draw_line(game: DogsTable, one: Participant, who: Character, fewer: int) -> Rules[None]:
    """Draw a Fast NPC's next line in any arena (DV-34), plus a card per member with the first or each line (DV-35)."""
    lines = FAST[who.fast] if who.fast is not None else ()
    if one.lines == len(lines):
        game.tell("DV-34", "no_line_left", name=one.name)
        return
    line, one.lines = lines[one.lines], one.lines + 1
    if line.cards:
        yield from draw_into(game, one, max(0, line.cards - fewer), "DV-34", "draws_line", line=one.lines)
    for draws in line.things:
        yield from draw_for(game, one, draws, "DV-34")
    if who.members and (one.lines == 1 or game.options.group_cards == "each_line"):
        yield from draw_into(game, one, who.members, "DV-35", "draws_members")


def draw_demonic(game: DogsTable, one: Participant) -> Rules[None]:
    """Draw Demonic Influence for a side, once per conflict (DV-31)."""
    assert game.contested.demonic is not None
    game.contested.demonic_drawn = True
    line = DEMONIC_DRAWS[game.contested.demonic.dice]
    for draws in line.things:
        yield from draw_for(game, one, draws, "DV-31", DEMONIC)
    if line.cards:
        yield from draw_into(game, one, line.cards, "DV-31", "draws_more")

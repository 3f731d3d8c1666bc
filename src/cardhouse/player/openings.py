"""Scenes up to the player's first decision: bots play the other seats until then."""

from __future__ import annotations

from random import Random

from cardhouse.engine import GM, HOUSE, Ask, BadGame, Game, Table
from cardhouse.engine.table.scenes import OpeningScene, SceneOpening, open_scene
from cardhouse.player.selfplay import NO_CLOCK, Player, find_player, own_offers

TRIES = 20
"""How often a scene is dealt anew if its player has nothing to decide."""
ANSWERS = 12
"""The most answers of bots before the player's first decision."""


def opening_of(game: type[Game], scene: OpeningScene, rng: Random) -> SceneOpening:
    """Return a scene at the first question to its player.

    Raises BadGame if it never comes to one.
    """
    for _ in range(TRIES):
        opening = open_scene(game, scene, rng)
        if _comes_to(opening.table, scene, rng):
            return opening
    raise BadGame(f"The scene {scene.key} of {game.name} never asks its player, {scene.you}, anything.")


def bots_of(game: type[Game], scene: OpeningScene) -> dict[str, str]:
    """Return the bot for each seat but the player's: the scene's choice, otherwise the usual one."""
    usual = usual_bots(game, [GM, *scene.people], scene.you)
    return {seat: scene.bots.get(seat, bot) for seat, bot in usual.items()}


def usual_bots(kind: type[Game], seats: list[str], you: str) -> dict[str, str]:
    """Return the bot for each seat but one's own: the game's first, or the general bot for an all-seeing GM."""
    first = next(iter(kind.bots), HOUSE)
    return {seat: HOUSE if seat == GM and kind.open_to_gm else first for seat in seats if seat != you}


def _comes_to(table: Table, scene: OpeningScene, rng: Random) -> bool:
    """Let bots play until the player decides; return whether that happens."""
    players = {seat: find_player(table.kind, bot, 1) for seat, bot in bots_of(table.kind, scene).items()}
    for _ in range(ANSWERS):
        if not isinstance(table.question, Ask):
            return False
        if _is_asked(table, scene.you):
            return True
        if not _answered(table, players, rng):
            return False
    return False


def _is_asked(table: Table, seat: str) -> bool:
    """Return whether a seat itself has to decide; the game master decides when to go on."""
    asks = table.asks()
    waits = asks.get("waits_for") or asks["seats"]
    if asks.get("together") and not asks.get("waits_for") and GM in waits and seat != GM:
        return False
    return seat in waits and bool(own_offers(table, seat))


def _answered(table: Table, players: dict[str, Player], rng: Random) -> bool:
    """Give the answer of the first bot that has one; return whether there was one."""
    asks = table.asks()
    for seat in asks.get("waits_for") or asks["seats"]:
        if seat in players and (answer := players[seat](table, seat, rng)) is not None:
            table.answer(seat, answer, time=NO_CLOCK)
            return True
    return False

"""Resampled games that fit what one player knows, for agents that search (such as ISMCTS)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from random import Random

from cardhouse.agents.playing import Playing
from cardhouse.agents.scene import TreeScene
from cardhouse.cards import Card
from cardhouse.engine import GM, CardhouseError, Table
from cardhouse.engine.values.transcript import body_of
from cardhouse.player.determinization import Worlds

TRIES = 200
"""The worlds that are tried for one that the player can't distinguish."""
Move = int | Card


class Resampling:
    """One seat's knowledge of a game after `move_count` moves."""

    def __init__(self, playing: Playing, seat: str) -> None:
        self.playing, self.seat, self.move_count = playing, seat, len(playing.moves)
        # If the scene prescribes the cards, only those are possible; otherwise anything that could be in the decks.
        self._worlds = None if self._dealt else Worlds(Table.read(playing.transcript().splitlines()), seat)

    @property
    def _dealt(self) -> Sequence[Collection[Card]]:
        scene = self.playing.scene
        return scene.dealt if isinstance(scene, TreeScene) else ()

    def moves(self, sampler: Callable[[], float]) -> list[Move]:
        """Return the numbers chosen and cards drawn in another game with the same information for the player.

        Each try depends on one number of the sampler, from 0 to 1. Raises CardhouseError if none was found.
        """
        for _ in range(TRIES):
            again = self._replay(Random(sampler()))
            if again is not None and again.memory[self.seat] == self.playing.memory[self.seat]:
                return [move for move in again.moves if isinstance(move, int | str)]
        raise CardhouseError(f"Found no other game that {self.seat} can't tell from this one.")

    def _replay(self, rng: Random) -> Playing | None:
        """Replay the game with other cards; None if that is impossible."""
        again = Playing(self.playing.scene, paper=True, remembers=True)
        if self._worlds is None:
            moves = self._with_dealt(rng)
        elif (world := self._worlds.sample(rng)) is not None:
            moves = self._as_in(world, again)
        else:
            return None
        try:
            for move in moves:
                if isinstance(move, str):
                    again.name_card(move)
                else:
                    again.choose(move)
        except CardhouseError:
            return None
        return again

    def _with_dealt(self, rng: Random) -> Iterator[Move]:
        """Yield the same choices, with random cards among those that the scene deals."""
        draws = iter(self._dealt)
        for move in self.playing.moves:
            if isinstance(move, str):
                yield rng.choice(sorted(next(draws)))
            elif isinstance(move, int):
                yield move

    def _as_in(self, world: Table, again: Playing) -> Iterator[Move]:
        """Yield the moves of this world, without the game master's answers, which are automatic."""
        for entry in world.entries:
            body = body_of(entry.lines[0])
            if entry.kind == "draw":
                yield body["card"]
            elif entry.by != GM:
                assert again.seat is not None
                yield from again.scene.numbers(again.table.seen(again.seat), body)
        if self.playing.seat == self.seat:
            yield from self.playing.picked

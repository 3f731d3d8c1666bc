"""Cardhouse's games for OpenSpiel: import this, then `pyspiel.load_game("cardhouse_dogpile")` (docs/agents.md).

Each card and each die has a chance node of its own, so a state is fully determined by its history.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from inspect import signature
from typing import Any, ClassVar

try:
    import numpy as np
    import pyspiel
except ImportError as error:
    raise ImportError(f"OpenSpiel's games need more packages ({error}): pip install 'cardhouse[agents]'") from error

import msgspec

from cardhouse.agents.memories import Memories
from cardhouse.agents.playing import Playing
from cardhouse.agents.registry import class_for, scenes
from cardhouse.agents.resampling import Resampling
from cardhouse.agents.scene import TreeScene, make_scene
from cardhouse.cards import Card
from cardhouse.engine import CardhouseError, Roll

_TYPE = pyspiel.GameType
_UTILITY = {True: _TYPE.Utility.ZERO_SUM, False: _TYPE.Utility.IDENTICAL, None: _TYPE.Utility.GENERAL_SUM}


def _type_of(kind: type[TreeScene], *, hides: bool) -> Any:
    """Return OpenSpiel's description of a scene class; its parameters are the scene's int and str ones."""
    known = {name: parameter.default for name, parameter in signature(kind.__init__).parameters.items()}
    return pyspiel.GameType(
        short_name=f"cardhouse_{kind.game}",
        long_name=f"Cardhouse: {kind.game}",
        dynamics=_TYPE.Dynamics.SEQUENTIAL,
        chance_mode=_TYPE.ChanceMode.EXPLICIT_STOCHASTIC,
        information=_TYPE.Information.IMPERFECT_INFORMATION if hides else _TYPE.Information.PERFECT_INFORMATION,
        utility=_UTILITY[kind.zero_sum],
        reward_model=_TYPE.RewardModel.TERMINAL,
        max_num_players=kind.most_players,
        min_num_players=kind.least_players,
        provides_information_state_string=True,
        provides_information_state_tensor=kind.remembers,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={name: value for name, value in known.items() if isinstance(value, (int, str))},
    )


class CardhouseGame(pyspiel.Game):
    """A scene as an OpenSpiel game."""

    kind: ClassVar[type[TreeScene]]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Raises CardhouseError if the scene's parameters are invalid."""
        parameters = dict(params or {})
        scene = make_scene(self.kind, parameters)
        assert isinstance(scene, TreeScene)
        self.scene = scene
        self.memories = Memories(scene.game, scene.cards, scene.players, scene.most_remembered)
        self.card_number = {card: number for number, card in enumerate(scene.cards)}
        least, most = scene.worth
        info = pyspiel.GameInfo(
            num_distinct_actions=len(scene.words),
            max_chance_outcomes=len(scene.cards) + scene.most_sides,
            num_players=len(scene.players),
            min_utility=least,
            max_utility=most,
            utility_sum=0.0 if scene.zero_sum else None,
            max_game_length=scene.most_said,
        )
        super().__init__(_type_of(self.kind, hides=scene.hides), info, parameters)

    def new_initial_state(self) -> CardhouseState:
        """Return a game at its beginning."""
        return CardhouseState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return the most cards and dice of a game."""
        return self.scene.most_drawn

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> CardhouseObserver:
        """Return an observer of what a player sees now, and, with perfect recall, has seen so far.

        Raises CardhouseError for any parameters, and for any knowledge but the player's own.
        """
        return CardhouseObserver(self.scene, self.memories, iig_obs_type, params)


class CardhouseState(pyspiel.State):
    """A game in progress; its table is made on first use."""

    def __init__(self, game: CardhouseGame) -> None:
        super().__init__(game)
        self._playing: Playing | None = None
        self._resampling: Resampling | None = None

    @property
    def playing(self) -> Playing:
        """The game itself, with its table."""
        if self._playing is None:
            self._playing = Playing(self.get_game().scene, paper=True, remembers=True)
        return self._playing

    def current_player(self) -> int:
        """Return the player to move, chance, or the terminal id."""
        playing = self.playing
        if playing.seat is not None:
            return playing.scene.players.index(playing.seat)
        is_chance = playing.drawing or playing.rolling
        return int(pyspiel.PlayerId.CHANCE if is_chance else pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.playing.open)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the cards that may be drawn, or the faces of a die, as numbers with their probabilities."""
        if self.playing.rolling is not None:
            return self._faces(self.playing.rolling)
        drawing, numbers = self.playing.drawing, self.get_game().card_number
        assert drawing is not None
        cards = self._may_come(drawing.cards)
        if unknown := set(cards) - set(numbers):
            raise CardhouseError(
                f"{min(unknown)} is drawn, but it has no number: it was in no deck when the game began."
            )
        counted = sorted(Counter(map(numbers.__getitem__, cards)).items())
        return [(number, count / len(cards)) for number, count in counted]

    def _may_come(self, cards: Sequence[Card]) -> Sequence[Card]:
        """Return the cards of a deck that may be drawn here."""
        dealt = self.get_game().scene.dealt
        if not dealt:
            return cards
        drawn = sum(isinstance(move, str) for move in self.playing.moves)
        found = [card for card in cards if drawn < len(dealt) and card in dealt[drawn]]
        if not found:
            raise CardhouseError(f"The parameter dealt names no remaining card for draw {drawn + 1}.")
        return found

    def _faces(self, rolling: Roll) -> list[tuple[int, float]]:
        """Return the faces of the next die, numbered after the cards."""
        scene, (_, sides) = self.get_game().scene, rolling.count_and_sides()
        if sides > scene.most_sides:
            raise CardhouseError(
                f"{rolling.dice} is rolled, but agents can play with dice of at most {scene.most_sides} sides."
            )
        return [(len(scene.cards) + face, 1 / sides) for face in range(sides)]

    def _apply_action(self, action: int) -> None:
        cards = self.get_game().scene.cards
        if self.playing.rolling is not None:
            self.playing.name_face(action - len(cards) + 1)
        elif self.playing.drawing is not None:
            self.playing.name_card(cards[action])
        else:
            self.playing.choose(action)

    def _action_to_string(self, player: int, action: int) -> str:
        scene = self.get_game().scene
        if player != pyspiel.PlayerId.CHANCE:
            return str(scene.words[action])
        cards = scene.cards
        return str(cards[action] if action < len(cards) else action - len(cards) + 1)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.playing.is_over

    def returns(self) -> list[float]:
        """Return each player's winnings; 0 before the end."""
        scores = self.playing.scores.values()
        return list(scores) if self.playing.is_over else [0.0] * len(scores)

    def resample_from_infostate(self, player: int, sampler: Any) -> CardhouseState:
        """Return a state that this player can't distinguish from this one, with everything hidden sampled again.

        `sampler` returns numbers from 0 to 1. Raises CardhouseError if no such state was found.
        """
        seat = self.get_game().scene.players[player]
        if (
            self._resampling is None
            or self._resampling.seat != seat
            or self._resampling.move_count != len(self.playing.moves)
        ):
            self._resampling = Resampling(self.playing, seat)
        state: CardhouseState = self.get_game().new_initial_state()
        for move in self._resampling.moves(sampler):
            state.apply_action(self.get_game().card_number[move] if isinstance(move, str) else move)
        return state

    def __str__(self) -> str:
        playing = self.playing
        picked = "".join(f"\n{playing.scene.words[number]} ..." for number in playing.picked)
        rolled = "".join(f"\n{face} ..." for face in playing.faces)
        return playing.transcript().rstrip("\n") + picked + rolled


class CardhouseObserver:
    """A player's observation of a state: `tensor`, and by blocks `dict`, both overwritten by each `set_from`.

    With perfect recall, the block `memory` follows the others (cardhouse.agents.memories).
    """

    def __init__(self, scene: TreeScene, memories: Memories, iig_obs_type: Any, params: dict[str, Any] | None) -> None:
        if params:
            raise CardhouseError(f"Observers take no parameters here, but got {', '.join(map(str, params))}.")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise CardhouseError("An observer must show public information and that of a single player.")
        self.scene, self.memories, self.recalls = scene, memories, kind.perfect_recall
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        if not self.recalls or scene.remembers:
            pieces = list(scene.layout.slices())
            size = scene.layout.size
            self.tensor = np.zeros(size + (memories.size if self.recalls else 0), np.float32)
            self.dict = {piece.name: self.tensor[at].reshape(piece.shape) for piece, at in pieces}
            if self.recalls:
                self.dict["memory"] = self.tensor[size:]

    def set_from(self, state: CardhouseState, player: int) -> None:
        """Observe this state as this player."""
        if self.tensor is None:
            return
        seat = self.scene.players[player]
        size = self.scene.layout.size
        self.tensor[:size] = state.playing.observation(seat)
        if self.recalls:
            self.tensor[size:] = self.memories.row(state.playing.memory[seat])

    def string_from(self, state: CardhouseState, player: int) -> str:
        """Return the observation as text: JSON of everything the player has seen and chosen, or of its present view."""
        playing, seat = state.playing, self.scene.players[player]
        picked = playing.picked if seat == playing.seat else ()
        seen = playing.memory[seat] if self.recalls else playing.table.view(seat)
        return msgspec.json.encode([seat, seat == playing.seat, seen, picked]).decode()


def register(kind: type[TreeScene]) -> type[CardhouseGame]:
    """Register a scene with OpenSpiel as `cardhouse_` and the name of its game."""
    game = class_for(kind, CardhouseGame, "Game")
    globals()[game.__name__] = game  # where pickle looks for it
    pyspiel.register_game(_type_of(kind, hides=True), game)
    return game


GAMES: dict[str, type[CardhouseGame]] = {
    game: register(kind) for game, kind in scenes().items() if issubclass(kind, TreeScene)
}
"""The games whose whole tree can be walked, by name."""

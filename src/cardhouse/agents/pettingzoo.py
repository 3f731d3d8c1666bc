"""PettingZoo's environments of our games: `env("dogpile")`, or DogpileEnv and the others (docs/agents.md)."""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from random import Random
from typing import Any, ClassVar

try:
    import numpy as np
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import AECEnv
    from pettingzoo.utils import OrderEnforcingWrapper
except ImportError as error:
    raise ImportError(f"PettingZoo's environments need more ({error}): pip install 'cardhouse[agents]'") from error

from cardhouse.agents.playing import Playing
from cardhouse.agents.registry import class_for, scenes
from cardhouse.agents.scene import Scene, make_scene
from cardhouse.engine import SCREEN, CardhouseError, SeededDealer, catalogue_of, fill, find_game

Observation = dict[str, Any]
"""`observation`, a row of float32, and `action_mask`, an int8 for each action: 1 if it is open, all 0 if not asked."""

RENDER_MODES = ("ansi",)
MOST_DEALS = 100
"""So many deals are tried for one in which anybody has anything to choose; nearly every one is."""


class CardhouseEnv(AECEnv[str, Observation, int]):
    """A scene as an environment; its agents are `player_0` and so on, and what it takes are the scene's parameters.

    What agents do not choose the game master says and a seeded dealer deals. All agents end together. An action that
    is not open is refused with a CardhouseError, and nothing has changed.
    """

    kind: ClassVar[type[Scene]]
    metadata: ClassVar[dict[str, Any]]

    def __init__(self, render_mode: str | None = None, **parameters: Any) -> None:
        """Raises CardhouseError if there can be no such scene, or it can't be shown so."""
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise CardhouseError(f'render_mode can be "ansi", or left out, not "{str(render_mode)[:20]}".')
        self.render_mode = render_mode
        self.scene = make_scene(self.kind, parameters)
        self.possible_agents = list(self.scene.players)
        self.agents: list[str] = []
        self._random = Random()
        self._playing: Playing | None = None
        high = np.array(self.scene.layout.most(), np.float32)
        rows = {agent: Box(np.zeros_like(high), high, dtype=np.float32) for agent in self.possible_agents}
        masks = {agent: Box(0, 1, (len(self.scene.words),), np.int8) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: Dict({"observation": rows[agent], "action_mask": masks[agent]}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(len(self.scene.words)) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    # Playing.

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """A new game; the same `seed` is the same game. Without one it follows from the seed before. No options."""
        if seed is not None:
            self._random = Random(index(seed))
        self._playing = self._deal()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._show_next()

    @property
    def playing(self) -> Playing:
        """The game behind it, with its table.

        Raises CardhouseError before the first.
        """
        if self._playing is None:
            raise CardhouseError("There is no game yet: begin one with reset().")
        return self._playing

    def _deal(self) -> Playing:
        """A game in which somebody is asked something; one that nobody could change is no game."""
        for _ in range(MOST_DEALS):
            playing = Playing(self.scene, SeededDealer(self._random.getrandbits(64)))
            if playing.seat is not None:
                return playing
        raise CardhouseError(f"In {MOST_DEALS} deals nobody had anything to choose; give the agents more to do.")

    def _show_next(self) -> None:
        if self.playing.seat is not None:
            self.agent_selection = self.playing.seat

    def step(self, action: int | None) -> None:
        """The agent whose turn it is chooses; one whose game is over can only say None.

        Raises CardhouseError, and nothing has changed, if the action isn't open.
        """
        playing = self.playing
        if not self.agents:
            raise CardhouseError("The game is over: begin another with reset().")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise CardhouseError(f"{agent} is asked for an action; None is for those whose game is over.")
        before = dict(playing.scores)
        playing.choose(index(action))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = {agent: score - before[agent] for agent, score in playing.scores.items()}
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, playing.is_over and not playing.is_cut_off)
        self.truncations = dict.fromkeys(self.agents, playing.is_cut_off)
        self._show_next()
        self._deads_step_first()

    # Seeing.

    def observe(self, agent: str) -> Observation:
        """What an agent's seat is shown, and what is open to it: nothing, unless it is the one that is asked."""
        mask = np.zeros(len(self.scene.words), np.int8)
        if agent == self.playing.seat:
            mask[self.playing.open] = 1
        return {"observation": np.array(self.playing.observation(agent), np.float32), "action_mask": mask}

    def render(self) -> str | None:
        """What everybody at the table has been told up to now, a line for each event; None without a render mode."""
        if self.render_mode is None:
            return None
        table, words = self.playing.table, catalogue_of(find_game(self.scene.game)).words
        told = (event for entry in self.playing.log for event in table.story(entry, SCREEN)["events"])
        return "\n".join(
            fill(words.events[event["key"]], event, values=words.values, fields=words.fields) for event in told
        )

    def close(self) -> None:
        """There is nothing to close."""


def environment_of(kind: type[Scene]) -> type[CardhouseEnv]:
    """The environment of a scene; what it says of itself is what the scene does."""
    about = {"name": f"cardhouse_{kind.game}_v1", "render_modes": RENDER_MODES, "is_parallelizable": False}
    return class_for(kind, CardhouseEnv, "Env", metadata=about)


ENVIRONMENTS: dict[str, type[CardhouseEnv]] = {game: environment_of(kind) for game, kind in scenes().items()}
"""The environments there are, by the names of their games."""
_named = {kind.__name__: kind for kind in ENVIRONMENTS.values()}
globals().update(_named)  # where pickle and people look for them


def __getattr__(name: str) -> Any:
    """Environments stand here by their own names, DogpileEnv; there is nothing else that isn't written above."""
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; its environments are {', '.join(_named)}")


def env(game: str, render_mode: str | None = None, **parameters: Any) -> AECEnv[str, Observation, int]:
    """The environment of a game by its name, with PettingZoo's own check that it is used in order.

    Raises CardhouseError if there is none, or there can be no such scene.
    """
    if game not in ENVIRONMENTS:
        raise CardhouseError(f'There is no environment "{game[:40]}"; there are {", ".join(ENVIRONMENTS)}.')
    return OrderEnforcingWrapper(ENVIRONMENTS[game](render_mode, **parameters))

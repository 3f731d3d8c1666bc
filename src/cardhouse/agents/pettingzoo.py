"""PettingZoo environments of Cardhouse's games: `env("dogpile")`, or DogpileEnv and the others (docs/agents.md)."""

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
    raise ImportError(
        f"PettingZoo's environments need more packages ({error}): pip install 'cardhouse[agents]'"
    ) from error

from cardhouse.agents.playing import Playing
from cardhouse.agents.registry import class_for, scenes
from cardhouse.agents.scene import Scene, make_scene
from cardhouse.engine import SCREEN, CardhouseError, SeededDealer, catalogue_of, fill, find_game

Observation = dict[str, Any]
"""`observation`, a row of float32, and `action_mask`, an int8 for each action: 1 if open, all 0 if it isn't asked."""

RENDER_MODES = ("ansi",)
MOST_DEALS = 100
"""The deals that are tried for one in which an agent has a choice; nearly every deal has one."""


class CardhouseEnv(AECEnv[str, Observation, int]):
    """A scene as an environment: its agents are `player_0` and so on, its arguments the scene's parameters.

    The game master's actions are automatic, and a seeded dealer deals. All agents end together. An action that isn't
    open raises CardhouseError and changes nothing.
    """

    kind: ClassVar[type[Scene]]
    metadata: ClassVar[dict[str, Any]]

    def __init__(self, render_mode: str | None = None, **parameters: Any) -> None:
        """Raises CardhouseError if the parameters or the render mode are invalid."""
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
        """Start a new game; the same `seed` gives the same game.

        Without a seed, the game follows from the previous one. There are no options.
        """
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
            raise CardhouseError("There is no game yet: call reset() first.")
        return self._playing

    def _deal(self) -> Playing:
        """Deal a game in which some agent is asked; without any choice it would be no game."""
        for _ in range(MOST_DEALS):
            playing = Playing(self.scene, SeededDealer(self._random.getrandbits(64)))
            if playing.seat is not None:
                return playing
        raise CardhouseError(
            f"In {MOST_DEALS} deals no agent had a choice: change the parameters so that agents have one."
        )

    def _show_next(self) -> None:
        if self.playing.seat is not None:
            self.agent_selection = self.playing.seat

    def step(self, action: int | None) -> None:
        """Apply the action of the agent to move; an agent whose game is over can only pass None.

        Raises CardhouseError, changing nothing, if the action isn't open.
        """
        playing = self.playing
        if not self.agents:
            raise CardhouseError("The game is over: call reset() for another.")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise CardhouseError(f"{agent} must choose an action: None is only for agents whose game is over.")
        before = dict(playing.scores)
        playing.choose(index(action))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = {agent: score - before[agent] for agent, score in playing.scores.items()}
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, playing.is_over and not playing.is_cut_off)
        self.truncations = dict.fromkeys(self.agents, playing.is_cut_off)
        self._show_next()
        self._deads_step_first()

    # Observing.

    def observe(self, agent: str) -> Observation:
        """Return what an agent's seat sees, and its open actions: none unless it is the one to move."""
        mask = np.zeros(len(self.scene.words), np.int8)
        if agent == self.playing.seat:
            mask[self.playing.open] = 1
        return {"observation": np.array(self.playing.observation(agent), np.float32), "action_mask": mask}

    def render(self) -> str | None:
        """Return all public events so far, a line each; None without a render mode."""
        if self.render_mode is None:
            return None
        table, words = self.playing.table, catalogue_of(find_game(self.scene.game)).words
        events = (event for entry in self.playing.log for event in table.story(entry, SCREEN)["events"])
        return "\n".join(
            fill(words.events[event["key"]], event, values=words.values, fields=words.fields) for event in events
        )

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


def environment_of(kind: type[Scene]) -> type[CardhouseEnv]:
    """Return the environment class of a scene."""
    about = {"name": f"cardhouse_{kind.game}_v1", "render_modes": RENDER_MODES, "is_parallelizable": False}
    return class_for(kind, CardhouseEnv, "Env", metadata=about)


ENVIRONMENTS: dict[str, type[CardhouseEnv]] = {game: environment_of(kind) for game, kind in scenes().items()}
"""The environments, by the names of their games."""
_named = {kind.__name__: kind for kind in ENVIRONMENTS.values()}
globals().update(_named)  # where pickle and people look for them


def __getattr__(name: str) -> Any:
    """Explain which environments this module has, for any name that it lacks."""
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; its environments are {', '.join(_named)}")


def env(game: str, render_mode: str | None = None, **parameters: Any) -> AECEnv[str, Observation, int]:
    """Return a game's environment by its name, with PettingZoo's check of the order of calls.

    Raises CardhouseError for an unknown game or invalid parameters.
    """
    if game not in ENVIRONMENTS:
        raise CardhouseError(f'There is no environment "{game[:40]}"; there are {", ".join(ENVIRONMENTS)}.')
    return OrderEnforcingWrapper(ENVIRONMENTS[game](render_mode, **parameters))

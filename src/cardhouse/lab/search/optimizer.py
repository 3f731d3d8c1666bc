"""The search for choices: all, if they are few, otherwise those that Optuna proposes, in several searches."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from math import inf
from random import Random
from typing import TYPE_CHECKING, Any, Final

import msgspec

from cardhouse.engine import CardhouseError
from cardhouse.lab.questions.cell import Cell
from cardhouse.lab.running.study import Progress
from cardhouse.lab.search.elimination import SURE, Contender, Race, front
from cardhouse.lab.search.space import Choice, Space
from cardhouse.lab.statistics.estimate import Estimate

if TYPE_CHECKING:
    import optuna

GENTLE: Final = 0.05
"""The cost of a change, in steps of missing a target: among choices that meet all, fewer changes are better."""
ALL_OF_IT: Final = 0.1
"""The weight of the other targets relative to the one that is missed furthest."""
SCATTERED: Final = 30
"""The number of random choices at the start of a search; the first search starts with single changes."""
HOPELESS: Final = 1e6
"""The loss of incompatible settings."""
EVERY: Final = 5.0
"""The minimum number of seconds between stores of the counts."""


class Start(msgspec.Struct, frozen=True):
    """A search: how many choices it tried, and the best distance from the targets, in steps; 0 meets all."""

    tried: int
    best: float


class Search:
    """A search for choices that meet the targets of a race, in `starts` runs of `tries` choices.

    `tell` receives the progress, with the estimate of the best choice so far; `keep` may store the counts.
    """

    def __init__(
        self,
        space: Space,
        race: Race,
        tries: int,
        starts: int,
        tell: Callable[[Progress], None],
        keep: Callable[[], None],
    ) -> None:
        self.space = space
        self.race = race
        self.is_whole = space.size <= tries * starts
        self.starts: list[Start] = []
        self._tries = tries
        self._number = 1 if self.is_whole else starts
        self._done = 0
        self._of = 0
        self._nearest: tuple[float, Choice] | None = None
        self._tell = tell
        self._keep = keep
        self._kept_at = time.monotonic()
        if not self.is_whole and find_spec("optuna") is None:
            raise CardhouseError(
                f"These are {space.size:.3g} choices, more than {tries * starts:,} tries. To search them, "
                "install more packages: pip install 'cardhouse[lab]'."
            )

    def run(self) -> None:
        """Try the choices."""
        if self.is_whole:
            questions = (
                (choice, self.space.chosen(choice)) for choice in sorted(self.space.every(), key=self.space.cost)
            )
            entries = [(choice, question) for choice, question in questions if question is not None]
            self._of = len(entries) * len(self.race.ends)
            self.race.run(entries, self._moved)
        else:
            self._of = 2 * self._tries * self._number
            for start in range(self._number):
                self.starts.append(self._search(start))

    def _search(self, start: int) -> Start:
        """Run one search, with its own random numbers."""
        import optuna

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        rng = Random(f"{self.race.seed} {start}")
        weights = [1.0 if start == 0 else rng.gammavariate(1, 1) + 0.1 for _ in self.race.targets]
        heaviest = max(weights)
        weights = [weight / heaviest for weight in weights]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            sampler = optuna.samplers.TPESampler(seed=rng.randrange(1 << 31), multivariate=True, n_startup_trials=1)
        study = optuna.create_study(sampler=sampler)
        for choice in self._beginning(start, rng):
            study.enqueue_trial(dict(zip(self._names, choice, strict=True)), skip_if_exists=True)
        tried: dict[Choice, float] = {}
        for _ in range(2 * self._tries):  # earlier choices are proposed again now and then
            trial = study.ask()
            choice = self._suggested(trial)
            loss = self._loss(choice, weights)
            study.tell(trial, loss)
            tried[choice] = loss
            self._moved(choice, 1)
            if len(tried) >= self._tries:
                break
        self._done = 2 * self._tries * (start + 1)
        best = self._polished(min(tried, key=lambda choice: tried[choice]), weights, rng)
        runner = self.race.runners.get(best)
        return Start(len(tried), inf if runner is None else max(runner.misses(self.race.targets)))

    def _polished(self, choice: Choice, weights: Sequence[float], rng: Random) -> Choice:
        """Improve a choice by single steps, each of which is better, or changes less."""
        loss, left = self._loss(choice, weights), self._tries
        steps = self.space.near(choice)
        rng.shuffle(steps)
        while steps:
            step = steps.pop()
            more = self.space.cost(step) >= self.space.cost(choice)
            if GENTLE * self.space.cost(step) >= loss or (more and not left):
                continue  # nothing beats meeting all targets; and steps that change less are always tried
            left -= more and step not in self.race.runners
            other = self._loss(step, weights)
            if other < loss:
                choice, loss, steps = step, other, self.space.near(step)
                rng.shuffle(steps)
        return choice

    def _beginning(self, start: int, rng: Random) -> Iterator[Choice]:
        """Yield a search's initial choices: single changes, or a few at once, near the present settings."""
        single = list(self.space.single())
        if start == 0:
            yield from single[: max(1, self._tries // 2)]
            return
        most = max(2, len(self.space.dimensions) // 4)
        for _ in range(min(SCATTERED, self._tries // 3)):
            choice = list(self.space.start)
            for place in rng.sample(range(len(choice)), min(len(choice), rng.randint(1, most))):
                choice[place] = rng.randrange(len(self.space.dimensions[place].values))
            yield tuple(choice)

    @property
    def _names(self) -> list[str]:
        return [f"{one.setting} {one.key}".strip() for one in self.space.dimensions]

    def _suggested(self, trial: optuna.Trial) -> Choice:
        """Return Optuna's proposal."""
        places = []
        for name, one in zip(self._names, self.space.dimensions, strict=True):
            many = len(one.values)
            place: Any = (
                trial.suggest_int(name, 0, many - 1)
                if one.is_ordered
                else trial.suggest_categorical(name, list(range(many)))
            )
            places.append(int(place))
        return tuple(places)

    def _loss(self, choice: Choice, weights: Sequence[float]) -> float:
        """Return the loss of a choice: the largest miss, a little of the others, and a little for every change."""
        if choice not in self.race.runners:
            question = self.space.chosen(choice)
            if question is None:
                return HOPELESS
            self.race.run([(choice, question)], lambda name, rounds: self._moved(name, 0))
        misses = self.race.runners[choice].misses(self.race.targets)
        weighed = [min(weight * miss, HOPELESS) for weight, miss in zip(weights, misses, strict=True)]
        return max(weighed) + ALL_OF_IT * sum(weighed) + GENTLE * self.space.cost(choice)

    def _moved(self, choice: Choice, steps: int) -> None:
        """Report that `steps` more are done, the last of them about this choice."""
        self._done = min(self._done + steps, self._of)
        runners = self.race.runners
        if choice in runners and runners[choice].rounds:
            near = max(runners[choice].misses(self.race.targets)), choice
            self._nearest = near if self._nearest is None else min(near, self._nearest)
        elif choice not in runners:  # incompatible settings
            return
        _, nearest = self._nearest or (inf, choice)
        target = self.race.targets[0]
        number = runners[nearest].estimate_so_far(target, SURE)
        cell = Cell(runners[nearest].question, None, self.space.differs(nearest))
        self._tell(Progress(self._done, self._of, cell, target.finding, number, self.race.players.compiling))
        if time.monotonic() - self._kept_at > EVERY:
            self._keep()
            self._kept_at = time.monotonic()

    def best(self, most: int) -> list[Choice]:
        """Return the best choices so far: those that meet all targets, fewest changes first.

        Otherwise the Pareto front.
        """
        runners = self._apart()
        misses = {name: one.misses(self.race.targets) for name, one in runners.items()}
        meeting = [name for name, missed in misses.items() if not any(missed)]
        if meeting:
            # The least changed often just meet them; those that meet them for certain will hardly disappoint.
            meeting.sort(key=self.space.cost)
            sure = [name for name in meeting if not any(runners[name].bounds(self.race.targets)[1])]
            return list(dict.fromkeys((*meeting[: most // 2], *sure, *meeting)))[:most]
        names = list(misses)
        ahead = sorted((names[place] for place in front(list(misses.values()))), key=lambda name: misses[name])
        if len(ahead) > most:
            ahead = [ahead[round(place * (len(ahead) - 1) / (most - 1))] for place in range(most)]
        return ahead

    def _apart(self) -> dict[Choice, Contender]:
        """Return the choices with the most trials; of several with equal results, the least changed."""
        runners = {name: one for name, one in self.race.runners.items() if one.rounds}
        furthest = max((one.trials for one in runners.values()), default=0)
        found: dict[tuple[Estimate, ...], Choice] = {}
        for name in sorted(runners, key=self.space.cost):
            if runners[name].trials == furthest:
                found.setdefault(runners[name].estimates(self.race.targets, SURE), name)
        return {name: runners[name] for name in found.values()}

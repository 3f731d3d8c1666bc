"""How near Hackjack's best policy is to an upper bound: `python -m benchmarks.ceiling`."""

from __future__ import annotations

from math import sqrt

import typer

from cardhouse.games.hackjack.lab.ceiling import bounds


def main(trials: int = 100_000, seed: int = 0) -> None:
    """Print what `best` survives, an upper bound, and the difference, with 95 % intervals."""
    bound, best = bounds(trials, seed)
    for text, hits in (("best play survives", best), ("nobody can survive more than", bound), ("apart", bound - best)):
        print(f"{text:30} {hits.mean():.4f} ±{1.96 * hits.std() / sqrt(trials):.4f} hits")


if __name__ == "__main__":
    typer.run(main)

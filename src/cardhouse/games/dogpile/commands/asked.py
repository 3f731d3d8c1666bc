"""What one types for a deck that is to be designed, and what it is if one doesn't."""

from __future__ import annotations

from typing import NamedTuple


class Asked(NamedTuple):
    """The options as they were typed."""

    cards: int
    pairs: str = ""
    stack: str = ""
    mean_pack: float | None = None
    hardest: str = ""
    players: str = "4"
    hand_size: int = 5
    passing: str = "ends_laying"
    bot: str = "sure"
    wild: int = 2
    numbers: str = "5-40"
    suits: str = "3-8"
    two_numbers: str = "0-50%"
    two_suits: str = "0-50%"
    alike: int = 1
    starts: int = 8
    seed: int = 0

    def command(self) -> str:
        """The command that designs the same deck again."""
        usual = self._field_defaults
        given = {name: value for name, value in self._asdict().items() if name not in usual or value != usual[name]}
        options = [f"--{name.replace('_', '-')} {self._shown(value)}" for name, value in given.items()]
        return " ".join(["cardhouse lab dogpile design", *options])

    @staticmethod
    def _shown(value: object) -> str:
        return f"{value:g}" if isinstance(value, float) else str(value)

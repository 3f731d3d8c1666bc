"""The lab: simulations of whole games by the games' own bots, and exact odds, to see how rules behave.

>>> from cardhouse import lab
>>> lab.ask("initiative", "order", mine=2, theirs=2, trials=1000).study.trials
1000
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardhouse.lab.reports.api import ask as ask
    from cardhouse.lab.reports.api import find_settings as find_settings
    from cardhouse.lab.reports.api import what_matters as what_matters

__all__ = ["ask", "find_settings", "what_matters"]


def __getattr__(name: str) -> Any:
    """Import the lab's functions on first use: a table doesn't need them."""
    if name in __all__:
        from cardhouse.lab.reports import api

        return getattr(api, name)
    raise AttributeError(f"module 'cardhouse.lab' has no attribute {name!r}")

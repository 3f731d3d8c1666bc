"""What a bot chooses of the lists for fallout and experience (DV-32): of fallout, what hurts least."""

from __future__ import annotations

from itertools import count
from typing import Any, Final

from cardhouse.engine import Seen

FALLOUT: Final = (
    "leave_scene",
    "make_significant",
    "make_troublesome",
    "counts_troublesome",
    "fewer_cards",
    "lose_belonging",
    "lower_stat",
    "troublesome_trait",
    "new_troublesome",
)
"""Choices for fallout; those that hurt least come first, those that somebody must find a name for last."""
EXPERIENCE: Final = (
    "raise_stat",
    "make_significant",
    "change_kind",
    "new_regular",
    "new_belonging",
    "new_troublesome",
)
"""Choices for experience, the best first."""
NAMES: Final = {"troublesome_trait": "Shaken", "new_troublesome": "A scar", "new_regular": "Knows better now"}
"""What something new is called, if it comes to that."""
SOMETHING: Final = "Something new"


def choose(seen: Seen) -> dict[str, Any] | None:
    """The choice for one of the seat's characters; None if it has none to make."""
    own = {who["name"] for who in seen.view["characters"] if who["controller"] == seen.seat}
    for word, best_first in (("fallout_choice", FALLOUT), ("experience_choice", EXPERIENCE)):
        offers = [offer for offer in seen.offers if offer["do"] == word and offer["fields"]["name"]["const"] in own]
        if offers:
            return _answer(min(offers, key=lambda offer: _place(offer["fields"], best_first)))
    return None


def _place(fields: dict[str, Any], best_first: tuple[str, ...]) -> tuple[bool, int, int]:
    """Where a choice comes: what lowers a Stat to raise another last, and of new kinds the strong one first."""
    kind = "+o-".index(fields["kind"]["const"]) if "kind" in fields else 0
    return "lower" in fields, best_first.index(fields["choice"]["const"]), kind


def _answer(offer: dict[str, Any]) -> dict[str, Any]:
    """The offer as it is answered, with the first that each field may be."""
    return {"do": offer["do"], **{name: _first(field, offer) for name, field in offer["fields"].items()}}


def _first(field: dict[str, Any], offer: dict[str, Any]) -> Any:
    if "const" in field or "enum" in field:
        return field.get("const", field.get("enum", [None])[0])
    wanted = NAMES.get(offer["fields"]["choice"]["const"], SOMETHING)
    taken = field.get("not", {}).get("enum", ())
    return next(free for n in count(1) if (free := wanted if n == 1 else f"{wanted} {n}") not in taken)

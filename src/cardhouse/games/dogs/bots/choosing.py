"""Bots' choices from the fallout and experience lists (DV-32): the fallout option that hurts least."""

from __future__ import annotations

from itertools import count
from typing import Any, Final

from cardhouse.engine import Seen
from cardhouse.engine.values.documents import OfferDoc

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
"""Fallout options, least painful first; those that need a new name come last."""
EXPERIENCE: Final = (
    "raise_stat",
    "make_significant",
    "change_kind",
    "new_regular",
    "new_belonging",
    "new_troublesome",
)
"""Experience options, best first."""
NAMES: Final = {"troublesome_trait": "Shaken", "new_troublesome": "A scar", "new_regular": "Knows better now"}
"""Names for new things."""
SOMETHING: Final = "Something new"


def choose(seen: Seen) -> dict[str, Any] | None:
    """Return the choice for a character of this seat; None if it owes none."""
    own = {who["name"] for who in seen.view["characters"] if who["controller"] == seen.seat}
    for word, best_first in (("fallout_choice", FALLOUT), ("experience_choice", EXPERIENCE)):
        offers = [offer for offer in seen.offers if offer["do"] == word and offer["fields"]["name"]["const"] in own]
        if offers:
            return _answer(min(offers, key=lambda offer: _preference(offer["fields"], best_first)))
    return None


def _preference(fields: dict[str, Any], best_first: tuple[str, ...]) -> tuple[bool, int, int]:
    """Return the sort key of a choice: trading Stats last, strong before other types."""
    kind = "+o-".index(fields["kind"]["const"]) if "kind" in fields else 0
    return "lower" in fields, best_first.index(fields["choice"]["const"]), kind


def _answer(offer: OfferDoc) -> dict[str, Any]:
    """Return the answer to an offer, with the first allowed value of each field."""
    return {"do": offer["do"], **{name: _first(field, offer) for name, field in offer["fields"].items()}}


def _first(field: dict[str, Any], offer: OfferDoc) -> Any:
    if "const" in field or "enum" in field:
        return field.get("const", field.get("enum", [None])[0])
    wanted = NAMES.get(offer["fields"]["choice"]["const"], SOMETHING)
    taken = field.get("not", {}).get("enum", ())
    return next(free for n in count(1) if (free := wanted if n == 1 else f"{wanted} {n}") not in taken)

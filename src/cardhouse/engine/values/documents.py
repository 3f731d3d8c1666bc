"""The types of what a seat receives, as the protocol writes it: the open question, and its possible answers."""

from typing import Any, Literal, NotRequired, TypedDict

Kind = Literal["ask", "step", "draw", "roll", "over"]

Prompt = TypedDict("Prompt", {"key": str, "with": dict[str, Any]})
"""The key of the text that asks for a card of a real deck, and the values for its blanks."""

QuestionDoc = TypedDict(
    "QuestionDoc",
    {
        "key": str,
        "kind": Kind,
        "seats": list[str],
        "with": dict[str, Any],
        "rule": NotRequired[str],
        "together": NotRequired[bool],
        "waits_for": NotRequired[list[str]],
        "secret": NotRequired[bool],
        "prompt": NotRequired[Prompt],
    },
)
"""The open question: its key in the game's words, who may answer, the values for its blanks, and the rule."""

OfferDoc = TypedDict(
    "OfferDoc",
    {
        "do": NotRequired[str],
        "draw": NotRequired[str],
        "roll": NotRequired[str],
        "fields": dict[str, dict[str, Any]],
        "optional": NotRequired[list[str]],
        "examples": NotRequired[list[dict[str, Any]]],
        "for": NotRequired[str],
        "anytime": NotRequired[bool],
        "host": NotRequired[bool],
        "certain": NotRequired[bool],
    },
)
"""One way to answer: an action (`do`), a card of a deck (`draw`) or dice (`roll`); a JSON Schema for each field."""

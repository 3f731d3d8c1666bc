"""A game's actions, read from answers and matched with what is offered."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Union

import msgspec

from cardhouse.engine.game.game import Game
from cardhouse.engine.values.errors import Refused
from cardhouse.engine.values.questions import Action, Ask, Meanwhile, Offer, Over, Question, Step


class ActionReader:
    """Reads the actions of a game. `type` is their union."""

    def __init__(self, kind: type[Game]) -> None:
        self.type: Any = Union[(Step, *kind.actions)]
        self._words = [Step.word(), *(action.word() for action in kind.actions)]
        self._read_text = msgspec.json.Decoder(self.type).decode

    def read_text(self, text: bytes) -> Mapping[str, Any] | Action:
        """Read an answer from its JSON text: the action, if it is one, otherwise the object.

        Raises Refused if it is neither.
        """
        try:
            action: Action = self._read_text(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            try:
                return msgspec.json.decode(text, type=dict[str, Any])
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                raise Refused(f"The answer is not a JSON object: {error}.", "malformed") from None
        return action

    def read_line(self, line: Mapping[str, Any]) -> Action:
        """Read the action in a line of a transcript. Raises Refused if it isn't one of the game's."""
        if line["do"] not in self._words:
            raise Refused(f'There is no "{line["do"]}" in this game.')
        try:
            return msgspec.convert(line, self.type)  # type: ignore[no-any-return]
        except msgspec.ValidationError as error:
            raise Refused(f'"{line["do"]}" doesn\'t fit: {error}.') from None


def match_action(
    game: Game,
    question: Question | Over,
    always: Callable[[], Sequence[Offer]],
    by: str,
    action: Action,
    *,
    as_logged: bool,
) -> Action | Meanwhile:
    """Return what to send the rules for a seat's action, with names as stored; a Meanwhile if it answers no question.

    `always` returns what is offered at any time. With `as_logged`, an action that fits as it is stays unchanged.

    Raises Refused, with the field that is wrong if one is, if the action isn't offered.
    """
    kind = type(action)
    near: list[Offer] = []
    for offer in question.offers if type(question) is Ask else ():
        if offer.do is kind and by in offer.by:
            if (fitting := _fitting(offer, action, as_logged)) is not None:
                return fitting
            near.append(offer)
    for offer in () if type(question) is Over else always():
        if offer.do is kind and by in offer.by:
            if (fitting := _fitting(offer, action, as_logged)) is not None:
                return Meanwhile(fitting)
            near.append(offer)
    if (why := game.why_not(by, action)) is not None:
        raise Refused(f'"{action.word()}" was refused: {why}.')
    if not near:
        raise Refused(f'"{action.word()}" is not open to {by} now.')
    nearest = min(near, key=lambda offer: offer.distance(action))
    field, fault = nearest.faults(nearest.meant(action))[0]
    refused = Refused(f'"{action.word()}" was refused: {f"{field} {fault}".lstrip()}.')
    refused.field, refused.fault = field, fault
    raise refused


def _fitting(offer: Offer, action: Action, as_logged: bool) -> Action | None:
    """Return the action that is meant, if it fits an offer, otherwise None."""
    if as_logged and not offer.problems(action):
        return action
    meant = offer.meant(action)
    return None if offer.problems(meant) else meant

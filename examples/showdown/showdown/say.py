"""The actions of a showdown, in addition to those of any table with characters."""

from cardhouse.engine import GM, Action, NamedAction


class AddCharacter(NamedAction, frozen=True):
    """Add a character, or `many` extras (SD-1, SD-9)."""

    nerve: str = "d6"
    many: int = 1
    controller: str = GM
    hidden: bool = False


class Award(NamedAction, frozen=True):
    """Award a token for something well done (SD-5)."""


class Deal(Action, frozen=True):
    """Deal a card to everyone (SD-2)."""


class Redraw(NamedAction, frozen=True):
    """Spend a token on another card (SD-5)."""


class Begin(Action, frozen=True):
    """End the redraws: the highest card acts (SD-6)."""


class Done(NamedAction, frozen=True):
    """End the turn (SD-6)."""


class Hold(NamedAction, frozen=True):
    """Wait, to act later in the round (SD-7)."""


class CutIn(NamedAction, frozen=True):
    """Act now, `against` the character who is acting, if any (SD-8)."""

    against: str | None = None


class EndRound(Action, frozen=True):
    """End the round; characters who hold keep holding (SD-7)."""

"""What people may say in a showdown, beside what is said at any table with characters."""

from cardhouse.engine import GM, Action, NamedAction


class AddCharacter(NamedAction, frozen=True):
    """Somebody comes, or so `many` extras (SD-1, SD-9)."""

    nerve: str = "d6"
    many: int = 1
    controller: str = GM
    hidden: bool = False


class Award(NamedAction, frozen=True):
    """A token for something well done (SD-5)."""


class Deal(Action, frozen=True):
    """A card for everybody (SD-2)."""


class Redraw(NamedAction, frozen=True):
    """A token for another card (SD-5)."""


class Begin(Action, frozen=True):
    """No more redraws: the highest card acts (SD-6)."""


class Done(NamedAction, frozen=True):
    """The turn is over (SD-6)."""


class Hold(NamedAction, frozen=True):
    """Wait, and act at a moment of one's own (SD-7)."""


class CutIn(NamedAction, frozen=True):
    """Act now, `against` whoever is acting; when nobody is, against nobody (SD-8)."""

    against: str | None = None


class EndRound(Action, frozen=True):
    """Whoever holds goes on holding (SD-7)."""

"""The options of a game, and those of a game that consists of others."""

from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar, cast

import msgspec

Some = TypeVar("Some", bound="Options")


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game, each with its default; a game subclasses it."""

    once_yes_no: ClassVar[Mapping[str, tuple[str, str]]] = {}
    """Options that used to be booleans, and the present values for no and yes."""

    @classmethod
    def as_now(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        """Convert the options of an older table to the current format."""
        words = cls.once_yes_no
        return {name: words[name][it] if isinstance(it, bool) and name in words else it for name, it in given.items()}

    def those_of(self, part: Some) -> Some:
        """Return a part's options with the values they have here; those that aren't here keep theirs."""
        shared = set(self.__struct_fields__) & set(part.__struct_fields__)
        return msgspec.structs.replace(part, **{name: getattr(self, name) for name in shared})


def options_of_all(*kinds: type[Options]) -> type[Options]:
    """Return a base class for the options of a game that consists of others: all options of all of these.

    Raises TypeError if two of them share a name.
    """
    found: dict[str, tuple[str, Any, Any]] = {}
    once: dict[str, tuple[str, str]] = {}
    for kind in kinds:
        once |= kind.once_yes_no
        for field in msgspec.structs.fields(kind):
            if field.name in found:
                raise TypeError(f"two parts have an option {field.name}")
            default: dict[str, Any] = {"default": field.default, "default_factory": field.default_factory}
            found[field.name] = field.name, field.type, msgspec.field(**default)
    made = msgspec.defstruct(
        "Options", found.values(), bases=(Options,), namespace={"once_yes_no": once}, module=__name__, frozen=True
    )
    return cast("type[Options]", made)

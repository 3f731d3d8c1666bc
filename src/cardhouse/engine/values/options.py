"""The switches of a game, and those of a game that consists of others."""

from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar, cast

import msgspec

Some = TypeVar("Some", bound="Options")


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The switches of a game, each with its default; a game subclasses it."""

    once_yes_no: ClassVar[Mapping[str, tuple[str, str]]] = {}
    """Switches that once were only on or off, and what no and yes are called now."""

    @classmethod
    def as_now(cls, said: Mapping[str, Any]) -> dict[str, Any]:
        """Options as older tables have them, as they are written now."""
        words = cls.once_yes_no
        return {name: words[name][it] if isinstance(it, bool) and name in words else it for name, it in said.items()}

    def those_of(self, part: Some) -> Some:
        """A part's switches, as they stand here; those that don't stand here as they are."""
        shared = set(self.__struct_fields__) & set(part.__struct_fields__)
        return msgspec.structs.replace(part, **{name: getattr(self, name) for name in shared})


def options_of_all(*kinds: type[Options]) -> type[Options]:
    """What the options of a game may be a subclass of that consists of others: all switches of all of these.

    Raises TypeError if two of them have one of the same name.
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

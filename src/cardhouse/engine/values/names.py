"""Names: how a new one is stored, and which names are the same although they are written differently.

`clean` is applied where a name enters, `find` where one is looked up, `twins` where it has to differ from others. The
names in a log that is replayed stay as they are.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""Letters and marks without a picture, beside the format characters (category Cf) and the variation selectors."""
_JOINERS = frozenset("\u200c\u200d")
"""Format characters that change how their neighbours look: Persian and Indian letters, emoji of several parts."""
_LOOKALIKES = str.maketrans(
    "авекмнорстухіјѕԁԛԝһ" + "αβεζηικμνορτυχϲ",
    "abekmhopctyxijsdqwh" + "abezhikmnoptyxc",
)
"""Cyrillic and Greek letters, folded to lower case, that have a Latin twin in lower or upper case."""


def clean(text: str) -> str:
    """A new name as it is stored: composed letters (NFC), ordinary spaces, no invisible characters, no direction marks.

    Joiners and variation selectors stay where they belong to something visible; of nothing visible, nothing is left.
    """
    if text.isascii():
        return text
    if not key(text):
        return ""
    letters = unicodedata.normalize("NFC", text)
    return "".join(
        " " if unicodedata.category(letter) == "Zs" else letter
        for letter in letters
        if letter in _JOINERS or _is_selector(letter) or not _is_invisible(letter)
    )


def key(text: str) -> str:
    """What is the same for names that look the same.

    Case, width, composition, blanks, invisible characters and Latin twins make no difference.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        text = "".join(letter for letter in text if not _is_invisible(letter))
        text = unicodedata.normalize("NFKC", text.casefold()).translate(_LOOKALIKES)
    return " ".join(text.casefold().split())


def folded(value: Any) -> Any:
    """Plain data with the key of each text: what is the same for data that differ only in how names are written."""
    if isinstance(value, str):
        return key(value)
    if isinstance(value, Mapping):
        return {name: folded(one) for name, one in value.items()}
    return [folded(one) for one in value] if isinstance(value, list | tuple) else value


def twins(name: str, names: Iterable[Any]) -> list[str]:
    """Those of these that are this name, or look the same."""
    wanted = key(name)
    return [one for one in names if isinstance(one, str) and key(one) == wanted]


def find(name: str, names: Sequence[Any]) -> str | None:
    """The one of these that is this name, letter by letter or else by its looks; None if there is none, or several."""
    if name in names:
        return name
    found = twins(name, names)
    return found[0] if len(found) == 1 else None


def _is_selector(letter: str) -> bool:
    return "\ufe00" <= letter <= "\ufe0f" or "\U000e0020" <= letter <= "\U000e01ef"


def _is_invisible(letter: str) -> bool:
    return letter in _INVISIBLE or _is_selector(letter) or unicodedata.category(letter) == "Cf"

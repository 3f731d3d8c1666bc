"""Names: how new ones are stored, and which names count as equal despite different spelling.

`clean` is applied where a name enters, `find` where one is looked up, `twins` where it must differ from others. Names
in a replayed log stay unchanged.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""Invisible letters and marks, in addition to format characters (category Cf) and variation selectors."""
_JOINERS = frozenset("\u200c\u200d")
"""Format characters that change their neighbours' shape: Persian and Indian letters, emoji of several parts."""
_PIECES = re.compile(r"[\s\S]{1,99}(?:\s|$)|[\s\S]{1,99}")
"""Up to a hundred characters, if possible with whole words."""
_LOOKALIKES = str.maketrans(
    "авекмнорстухіјѕԁԛԝһ" + "αβεζηικμνορτυχϲ",
    "abekmhopctyxijsdqwh" + "abezhikmnoptyxc",
)
"""Cyrillic and Greek letters, case-folded, that look like a Latin letter in lower or upper case."""


def clean(text: str) -> str:
    """Return a new name as it is stored: NFC, ordinary spaces, no invisible characters and no direction marks.

    Joiners and variation selectors stay if the name has visible characters; otherwise the result is empty.
    """
    if text.isascii():
        return text
    if not key(text):
        return ""
    text = _normalized("NFC", text)
    stored: dict[str, int | str | None] = {
        letter: "" for letter in {*text} if _is_invisible(letter) and not _is_selector(letter)
    }
    stored |= {letter: " " for letter in {*text} if unicodedata.category(letter) == "Zs"}
    stored |= {letter: letter for letter in _JOINERS}
    return text.translate(str.maketrans(stored))


def key(text: str) -> str:
    """Return a key that is equal for names that look the same.

    Case, width, composition, blanks, invisible characters and Latin lookalikes make no difference.
    """
    if not text.isascii():
        text = _normalized("NFKC", text)
        text = text.translate(str.maketrans("", "", "".join(filter(_is_invisible, {*text}))))
        text = _normalized("NFKC", text.casefold()).translate(_LOOKALIKES)
    return " ".join(text.casefold().split())


def folded(value: Any) -> Any:
    """Replace each text in plain data with its key, so that data differing only in spelling become equal."""
    if isinstance(value, str):
        return key(value)
    if isinstance(value, Mapping):
        return {name: folded(one) for name, one in value.items()}
    return [folded(one) for one in value] if isinstance(value, list | tuple) else value


def twins(name: str, names: Iterable[Any]) -> list[str]:
    """Return those of these names that equal this one or look the same."""
    wanted = key(name)
    return [one for one in names if isinstance(one, str) and key(one) == wanted]


def find(name: str, names: Sequence[Any]) -> str | None:
    """Return the one of these names that equals this one, or looks the same; None if there is none, or several."""
    if name in names:
        return name
    found = twins(name, names)
    return found[0] if len(found) == 1 else None


def _normalized(form: Literal["NFC", "NFKC"], text: str) -> str:
    """Normalise a text piece by piece, because a run of combining marks takes time by the square of its length."""
    return "".join(unicodedata.normalize(form, piece) for piece in _PIECES.findall(text))


def _is_selector(letter: str) -> bool:
    return "\ufe00" <= letter <= "\ufe0f" or "\U000e0020" <= letter <= "\U000e01ef"


def _is_invisible(letter: str) -> bool:
    return letter in _INVISIBLE or _is_selector(letter) or unicodedata.category(letter) == "Cf"

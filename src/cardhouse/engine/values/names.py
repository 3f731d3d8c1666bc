"""Names: how new ones are stored, and which names count as equal despite different spelling.

`clean` is applied where a name enters, `find` where one is looked up, `twins` where it must differ from others. Names
in a replayed log stay unchanged.
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby, islice
from typing import Any

MOST_MARKS = 30
"""The combining marks that stay in a row, as in Unicode's stream-safe format: sorting n of them takes n² steps."""

_LONGEST = 400
"""Twice the letters of the longest name, so that it may have invisible ones."""
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""Invisible letters and marks, in addition to format characters (category Cf) and variation selectors."""
_JOINERS = frozenset("\u200c\u200d")
"""Format characters that change their neighbours' shape: Persian and Indian letters, emoji of several parts."""
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
    letters = unicodedata.normalize("NFC", _with_few_marks(text))
    return "" if all(map(_is_blank, set(letters))) else _replaced(letters, _clean_letter)


def _clean_letter(letter: str) -> str:
    if unicodedata.category(letter) == "Zs":
        return " "
    return letter if letter in _JOINERS or _is_selector(letter) or not _is_invisible(letter) else ""


def key(text: str) -> str:
    """Return a key that is equal for names that look the same.

    Case, width, composition, blanks, invisible characters and Latin lookalikes make no difference.
    """
    return _known_key(text) if len(text) <= _LONGEST else _key(text)


def _key(text: str) -> str:
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _with_few_marks(text))
        text = _replaced(text, lambda letter: "" if _is_invisible(letter) else letter)
        text = unicodedata.normalize("NFKC", text.casefold()).translate(_LOOKALIKES)
    return " ".join(text.casefold().split())


_known_key = lru_cache(2048)(_key)
"""A new name is compared with all names of its table, several times an answer."""


def folded(value: Any) -> Any:
    """Replace each text in plain data with its key, so that data differing only in spelling become equal."""
    if isinstance(value, str):
        return key(value)
    if isinstance(value, Mapping):
        return {name: folded(one) for name, one in value.items()}
    return [folded(one) for one in value] if isinstance(value, list | tuple) else value


def twins(name: str, names: Iterable[Any]) -> list[str]:
    """Return those of these names that equal this one or look the same; a longer text than any name equals none."""
    if len(name) > _LONGEST:
        return []
    wanted = key(name)
    return [one for one in names if isinstance(one, str) and key(one) == wanted]


def find(name: str, names: Sequence[Any]) -> str | None:
    """Return the one of these names that equals this one, or looks the same; None if there is none, or several."""
    if name in names:
        return name
    found = twins(name, names)
    return found[0] if len(found) == 1 else None


def _with_few_marks(text: str) -> str:
    marks = {letter for letter in {*text} if unicodedata.combining(letter)}
    if not marks:
        return text
    runs = groupby(text, marks.__contains__)
    return "".join("".join(islice(run, MOST_MARKS) if are_marks else run) for are_marks, run in runs)


def _replaced(text: str, new: Callable[[str], str]) -> str:
    """Replace each letter by what `new` returns, which is called once for all letters that are equal."""
    return text.translate({ord(letter): new(letter) for letter in set(text)})


def _is_blank(letter: str) -> bool:
    return all(part.isspace() or _is_invisible(part) for part in unicodedata.normalize("NFKC", letter))


def _is_selector(letter: str) -> bool:
    return "\ufe00" <= letter <= "\ufe0f" or "\U000e0020" <= letter <= "\U000e01ef"


def _is_invisible(letter: str) -> bool:
    return letter in _INVISIBLE or _is_selector(letter) or unicodedata.category(letter) == "Cf"

"""Text files from users: read as UTF-8, or refused with the reason and the remedy."""

from __future__ import annotations

import json
from typing import Any

from cardhouse.engine.values.errors import CardhouseError

UTF_16 = (b"\xff\xfe", b"\xfe\xff")
"""The byte order marks of UTF-16."""
_OTHER = {b"PK\x03\x04": "a zip file or a workbook", b"\x1f\x8b": "a gzip file", b"%PDF": "a PDF"}


def utf8(data: bytes, name: str) -> bytes:
    """Return a file's text as UTF-8 without a byte order mark; UTF-16 with its mark is converted.

    `name` names the file in messages. Raises CardhouseError for an empty file, another encoding, or a file that isn't
    text.
    """
    if data.startswith(UTF_16):
        try:
            data = data.decode("utf-16").encode()
        except UnicodeDecodeError:
            raise CardhouseError(f"{name} is damaged: it isn't all UTF-16. Save it as UTF-8.") from None
    data = data.removeprefix(b"\xef\xbb\xbf")
    if not data.strip():
        raise CardhouseError(f"{name} is empty.")
    if kind := next((kind for begins, kind in _OTHER.items() if data.startswith(begins)), None):
        raise CardhouseError(f"{name} is {kind}, not a text file.")
    if b"\0" in data:
        raise CardhouseError(f"{name} isn't a text file.")
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CardhouseError(
            f"{name} isn't UTF-8: line {line} has a letter that can't be read. Save the file as UTF-8."
        ) from None
    return data


def check_keys(text: str | bytes) -> None:
    """Raise CardhouseError if an object of an otherwise valid JSON text has a key twice."""
    json.loads(text, object_pairs_hook=_once)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise CardhouseError(f'"{key[:40]}" is here twice. Remove one of the two.')
        found[key] = value
    return found

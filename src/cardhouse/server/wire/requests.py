"""Decoding of HTTP request bodies; the type of each body is in the module that handles the request."""

import re
from typing import Any, TypeVar

import msgspec

from cardhouse.engine import CardhouseError

FILE_BYTES = 500_000
"""Size limit of a file that a person wrote, such as an option's file or a roster."""
REQUEST_BYTES = 2 * FILE_BYTES
"""Options come from files, and are longer as JSON."""

SHORT_BYTES = 16_384
"""Bodies up to this size are validated in the event loop; that takes a few milliseconds at most."""

Json = dict[str, Any]
T = TypeVar("T")


def read(body: bytes, kind: type[T]) -> T:
    """Decode a request's body.

    Raises CardhouseError, naming the place, if it doesn't fit `kind`.
    """
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at ")
        where = re.sub(r"^\$\.?", "", where.strip("`"))
        problem = f"The request doesn't fit. {where}: {what}." if where else f"The request doesn't fit: {what}."
    except msgspec.DecodeError as error:
        problem = f"The request isn't valid JSON: {error}."
    except RecursionError:
        problem = "The request is nested too deeply."
    except UnicodeDecodeError:
        problem = "The request isn't UTF-8."
    raise CardhouseError(problem, "malformed")

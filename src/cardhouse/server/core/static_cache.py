"""A cache of responses that don't change while the server runs, each with its compressed copies.

It holds the files of the built page and the descriptions of games.
"""

import asyncio
import gzip
import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from litestar import Request, Response

FOLDER = Path(__file__).parent.parent / "page"
INDEX = "index.html"
_ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".ico": "image/x-icon",
    ".js": "text/javascript",
    ".json": "application/json; charset=utf-8",
    ".map": "application/json; charset=utf-8",
    ".mjs": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml; charset=utf-8",
    ".txt": "text/plain",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json; charset=utf-8",
    ".webp": "image/webp",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
}
"""Media types of the page's files, by file ending.

The system's own table isn't reliable: on Windows any program can change it, and browsers don't run a script served as
plain text. For text/… the framework adds the charset.
"""
_UNKNOWN = "application/octet-stream"
_FOR_EVER = "public, max-age=31536000, immutable"
_ASK_ANEW = "no-cache"

NOT_BUILT = "The page has not been built. In a checkout of Cardhouse, `make page` builds it.\n"


class File(msgspec.Struct, frozen=True):
    """A file. `copies` has its bytes by content encoding, including `identity`."""

    media_type: str
    caching: str
    tag: str
    copies: dict[str, bytes]

    def best(self, accepted: str) -> str:
        """Return the smallest available encoding that an Accept-Encoding header admits."""
        parts = [part.replace(" ", "") for part in accepted.split(",")]
        names = {part.partition(";")[0] for part in parts if not part.endswith(";q=0")}
        return next((name for name, _ in _ENCODINGS if name in names and name in self.copies), "identity")


_CACHE: dict[tuple[Any, ...], File] = {}


async def cached(make: Callable[..., File], *given: Any) -> File:
    """Return a file from the cache; the first request creates it in a thread."""
    if (make, *given) not in _CACHE:
        await asyncio.to_thread(preload, make, *given)
    return _CACHE[make, *given]


def preload(make: Callable[..., File], *given: Any) -> None:
    """Add a file to the cache unless it is there."""
    if (make, *given) not in _CACHE:
        _CACHE[make, *given] = make(*given)


def computed_file(content: bytes, media_type: str) -> File:
    """Return a file with computed content; browsers revalidate it."""
    copies = {"identity": content, "gzip": gzip.compress(content, mtime=0)}
    return File(media_type, _ASK_ANEW, _tag_of(content), copies)


def immutable_file(name: str, content: bytes) -> File:
    """Return a file whose address changes with its content; browsers cache it forever."""
    copies = {"identity": content, "gzip": gzip.compress(content, mtime=0)}
    return File(type_of(name) or _UNKNOWN, _FOR_EVER, _tag_of(content), copies)


def type_of(name: str) -> str | None:
    """Return the media type for a file name; None for an ending that the page doesn't use."""
    return _TYPES.get(Path(name).suffix.lower())


def answer(file: File, request: Request[Any, Any, Any]) -> Response[Any]:
    """Return the file, or 304 if the client's copy is current. The route must have the option `compressed_already`."""
    headers = {"Cache-Control": file.caching, "ETag": file.tag, "Vary": "Accept-Encoding"}
    if _is_named(file.tag, request.headers.get("if-none-match", "")):
        return Response(None, status_code=304, headers=headers)
    encoding = file.best(request.headers.get("accept-encoding", ""))
    if encoding != "identity":
        headers["Content-Encoding"] = encoding
    return Response(file.copies[encoding], media_type=file.media_type, headers=headers)


def _is_named(tag: str, parts: str) -> bool:
    """Return whether an If-None-Match header contains the tag, weak or strong."""
    tags = (tag.removeprefix("W/"), "*")
    return any(name.strip().removeprefix("W/") in tags for name in parts.split(","))


def _tag_of(content: bytes) -> str:
    """Return a weak tag, because copies with the same tag differ in their bytes."""
    return f'W/"{hashlib.sha256(content).hexdigest()[:20]}"'


def read_page(folder: Path = FOLDER, prefix: str = "") -> dict[str, File]:
    """Return all files of the built page by path below the root; empty if it isn't built.

    `prefix` is the path under which the page is opened.
    """
    if not (folder / INDEX).is_file():
        return {}
    endings = tuple(ending for _, ending in _ENCODINGS)
    paths = [path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".")]
    files = {
        path.relative_to(folder).as_posix(): _read(path, folder) for path in paths if not path.name.endswith(endings)
    }
    if prefix:
        files[INDEX] = _under(prefix, files[INDEX])
    return files


def _under(prefix: str, index: File) -> File:
    """Return the index with addresses below the prefix; all other files refer to each other by relative paths."""
    content = index.copies["identity"].replace(b'="/', f'="{prefix}/'.encode())
    return msgspec.structs.replace(computed_file(content, index.media_type), caching=index.caching)


@cache
def script_of_page(folder: Path = FOLDER) -> str:
    """Return the path of the page's main script, which identifies the build; empty if the page isn't built."""
    index = folder / INDEX
    text = index.read_text("utf-8") if index.is_file() else ""
    tag = text.partition('<script type="module"')[2].partition(">")[0]
    return tag.partition(' src="')[2].partition('"')[0]


def _read(path: Path, folder: Path) -> File:
    content = path.read_bytes()
    copies = {"identity": content}
    for name, ending in _ENCODINGS:
        if (copy := path.with_name(path.name + ending)).is_file():
            copies[name] = copy.read_bytes()
    kind = type_of(path.name) or _UNKNOWN
    hashed = path.relative_to(folder).parts[0] == "assets"  # their names change with their content
    return File(kind, _FOR_EVER if hashed else _ASK_ANEW, _tag_of(content), copies)

"""A cache of what stays as it is while the server runs: files, each with its compressed copies.

They are those of the built page, and what the server says of its games.
"""

import asyncio
import gzip
import hashlib
import re
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
"""What a file of the page is, by its ending. The machine's own table may say otherwise: on Windows any program can have
changed it, and a script that is served as plain text is not run. Of text/… the framework adds the charset itself."""
_UNKNOWN = "application/octet-stream"
_FOR_EVER = "public, max-age=31536000, immutable"
_ASK_ANEW = "no-cache"

NOT_BUILT = "The page has not been built. In a checkout of Cardhouse, `make page` builds it.\n"


class File(msgspec.Struct, frozen=True):
    """A file. `copies` are its bytes by content encoding, `identity` among them."""

    media_type: str
    caching: str
    tag: str
    copies: dict[str, bytes]

    def best(self, accepted: str) -> str:
        """The smallest encoding that an Accept-Encoding header admits."""
        wanted = [part.replace(" ", "") for part in accepted.split(",")]
        names = {part.partition(";")[0] for part in wanted if not part.endswith(";q=0")}
        return next((name for name, _ in _ENCODINGS if name in names and name in self.copies), "identity")


_CACHE: dict[tuple[Any, ...], File] = {}


async def once(make: Callable[..., File], *given: Any) -> File:
    """A file of the cache, made when it is first asked for."""
    if (make, *given) not in _CACHE:
        await asyncio.to_thread(hold, make, *given)
    return _CACHE[make, *given]


def hold(make: Callable[..., File], *given: Any) -> None:
    """Make a file before anybody asks for it, unless it is there."""
    if (make, *given) not in _CACHE:
        _CACHE[make, *given] = make(*given)


def held(content: bytes, media_type: str) -> File:
    """A file made of what was worked out once."""
    copies = {"identity": content, "gzip": gzip.compress(content, mtime=0)}
    return File(media_type, _ASK_ANEW, _tag_of(content), copies)


def kept_for_ever(name: str, content: bytes) -> File:
    """A file whose address changes with its content."""
    copies = {"identity": content, "gzip": gzip.compress(content, mtime=0)}
    return File(type_of(name) or _UNKNOWN, _FOR_EVER, _tag_of(content), copies)


def type_of(name: str) -> str | None:
    """What a file of the page is, by its name's ending; None if it is of no kind that a page has."""
    return _TYPES.get(Path(name).suffix.lower())


def answer(file: File, request: Request[Any, Any, Any]) -> Response[Any]:
    """The file, or that nothing has changed. The route has the option `compressed_already`."""
    headers = {"Cache-Control": file.caching, "ETag": file.tag, "Vary": "Accept-Encoding"}
    if _is_named(file.tag, request.headers.get("if-none-match", "")):
        return Response(None, status_code=304, headers=headers)
    encoding = file.best(request.headers.get("accept-encoding", ""))
    if encoding != "identity":
        headers["Content-Encoding"] = encoding
    return Response(file.copies[encoding], media_type=file.media_type, headers=headers)


def _is_named(tag: str, wanted: str) -> bool:
    """Whether an If-None-Match header names a tag, be it as a weak one or not."""
    tags = (tag.removeprefix("W/"), "*")
    return any(name.strip().removeprefix("W/") in tags for name in wanted.split(","))


def _tag_of(content: bytes) -> str:
    """A weak tag: it is the same for all copies, whose bytes differ."""
    return f'W/"{hashlib.sha256(content).hexdigest()[:20]}"'


def read_page(folder: Path = FOLDER, prefix: str = "") -> dict[str, File]:
    """All files by their path below the root; empty if the page isn't built. The page is opened under this prefix."""
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
    """The page with what its head names where it is; other files name each other by where they are themselves."""
    content = index.copies["identity"].replace(b'="/', f'="{prefix}/'.encode())
    return msgspec.structs.replace(held(content, index.media_type), caching=index.caching)


@cache
def script_of_page(folder: Path = FOLDER) -> str:
    """The path of the script that the page is made of, which is another for another page; empty if it isn't built."""
    index = folder / INDEX
    found = (
        re.search(r'<script type="module"[^>]* src="([^"]+)"', index.read_text("utf-8")) if index.is_file() else None
    )
    return found[1] if found else ""


def _read(path: Path, folder: Path) -> File:
    content = path.read_bytes()
    copies = {"identity": content}
    for name, ending in _ENCODINGS:
        if (copy := path.with_name(path.name + ending)).is_file():
            copies[name] = copy.read_bytes()
    kind = type_of(path.name) or _UNKNOWN
    hashed = path.relative_to(folder).parts[0] == "assets"  # their names change with their content
    return File(kind, _FOR_EVER if hashed else _ASK_ANEW, _tag_of(content), copies)

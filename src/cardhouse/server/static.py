"""The built page, as files held in memory, each with its compressed copies."""

import hashlib
import mimetypes
from pathlib import Path

import msgspec

FOLDER = Path(__file__).with_name("page")
INDEX = "index.html"
_ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
_FOR_EVER = "public, max-age=31536000, immutable"
_ASK_ANEW = "no-cache"

NOT_BUILT = "The page has not been built. In a checkout of Cardhouse, `make page` builds it.\n"


class File(msgspec.Struct, frozen=True):
    """A file of the page. `copies` are its bytes by content encoding, `identity` among them."""

    media_type: str
    caching: str
    tag: str
    copies: dict[str, bytes]

    def best(self, accepted: str) -> str:
        """The smallest encoding that an Accept-Encoding header admits."""
        wanted = [part.replace(" ", "") for part in accepted.split(",")]
        names = {part.partition(";")[0] for part in wanted if not part.endswith(";q=0")}
        return next((name for name, _ in _ENCODINGS if name in names and name in self.copies), "identity")


def read_page(folder: Path = FOLDER) -> dict[str, File]:
    """All files by their path below the root; empty if the page isn't built."""
    if not (folder / INDEX).is_file():
        return {}
    endings = tuple(ending for _, ending in _ENCODINGS)
    paths = [path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".")]
    return {
        path.relative_to(folder).as_posix(): _read(path, folder) for path in paths if not path.name.endswith(endings)
    }


def _read(path: Path, folder: Path) -> File:
    content = path.read_bytes()
    copies = {"identity": content}
    for name, ending in _ENCODINGS:
        if (copy := path.with_name(path.name + ending)).is_file():
            copies[name] = copy.read_bytes()
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    if kind.endswith(("json", "svg+xml")):  # of text/… the framework says so itself
        kind += "; charset=utf-8"
    hashed = path.relative_to(folder).parts[0] == "assets"  # their names change with their content
    return File(kind, _FOR_EVER if hashed else _ASK_ANEW, f'"{hashlib.sha256(content).hexdigest()[:20]}"', copies)

"""The typefaces of reports: they come with Cardhouse, and reports embed the letters they need."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib.resources import as_file, files
from io import BytesIO
from typing import Final, NamedTuple

import vl_convert
from fontTools import subset

from cardhouse.lab.words.theme import SYSTEM_FONTS

SANS: Final = f"'Source Sans Pro', {SYSTEM_FONTS}"
SERIF: Final = "'Source Serif Pro', Georgia, 'DejaVu Serif', serif"


USUAL: Final = "".join(map(chr, range(0x20, 0x7F))) + "±\N{MINUS SIGN}\N{EN DASH}…äöüéè"
"""The letters that nearly all reports use."""


class FontFile(NamedTuple):
    """A typeface and its file."""

    family: str
    weight: int
    file: str


FACES: Final = (
    FontFile("Source Sans Pro", 400, "SourceSansPro-Regular"),
    FontFile("Source Sans Pro", 600, "SourceSansPro-Semibold"),
    FontFile("Source Serif Pro", 600, "SourceSerifPro-Semibold"),
)


@cache
def make_known() -> None:
    """Register the typefaces for plots, whatever this machine has."""
    with as_file(files("cardhouse") / "faces") as folder:
        vl_convert.register_font_directory(str(folder))


def style_of(letters: Iterable[str]) -> str:
    """Return a style sheet that embeds these letters of each typeface, and the usual ones."""
    text = "".join(sorted({*letters, *USUAL}))
    return "".join(_face(face, text) for face in FACES)


@lru_cache(maxsize=30)
def _face(face: FontFile, text: str) -> str:
    options = subset.Options(flavor="woff", hinting=False, layout_features=["kern", "mark", "tnum"])
    with as_file(files("cardhouse") / "faces" / f"{face.file}.ttf") as file:
        font = subset.load_font(str(file), options)
    chosen = subset.Subsetter(options)
    chosen.populate(text=text)
    chosen.subset(font)
    made = BytesIO()
    subset.save_font(font, made, options)
    font.close()
    data = b64encode(made.getvalue()).decode()
    css = f"font-family:'{face.family}';font-weight:{face.weight};font-display:block"
    return f"@font-face{{{css};src:url(data:font/woff;base64,{data}) format('woff')}}"

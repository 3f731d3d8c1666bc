"""Prints for a real table: cards to cut out and sheets to fill in, as PDF.

`pen` draws on pages, `text` measures and fits type, `suits` and `back` have our own drawings, `pages` arranges cards
for cutting, and `forms` has the elements of sheets. None of them knows a game; each game's cards and sheets are in its
own package.
"""

from importlib.util import find_spec

from cardhouse.engine import CardhouseError

if find_spec("fpdf") is None:
    raise CardhouseError("Printing needs more packages: pip install 'cardhouse[print]'.", "not_installed")

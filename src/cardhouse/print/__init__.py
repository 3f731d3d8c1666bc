"""Things for a table of wood: cards to cut out and sheets to write on, as PDF.

`pen` draws on pages, `text` says what can be set, `suits` and `back` are drawn in our own hand, `pages` lays cards out
for cutting, `forms` has what sheets are made of. None of them knows a game; what a game's cards and sheets look like
stands in a package of its own.
"""

from importlib.util import find_spec

from cardhouse.engine import CardhouseError

if find_spec("fpdf") is None:
    raise CardhouseError("Printing takes more than is installed: pip install 'cardhouse[print]'.", "not_installed")

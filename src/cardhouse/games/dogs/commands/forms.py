"""The form for characters on the page, each shown as the printed sheet (DV-1 to DV-5).

Drawing code is imported only when something is drawn: a server that only describes the form doesn't need it.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct, convert

from cardhouse.engine.authoring.forms import FileForm
from cardhouse.games.dogs.people.sheet import MOST_POINTS, Sheet, Thing

Points = Annotated[int, Meta(ge=0, le=MOST_POINTS)]


class Four(Struct):
    """The four Stats (DV-1)."""

    acuity: Points
    body: Points
    heart: Points
    will: Points


class Member(Struct, kw_only=True):
    """The part of a sheet that exists before play; everything else about a character comes from play."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    stats: Four
    things: list[Thing] = []
    npc: bool = False


def _starts() -> dict[str, dict[str, Any]]:
    things = [{"name": "I know the scripture"}, {"name": "My sister, whom I left", "group": "relationship"}]
    stats = {"acuity": 2, "body": 2, "heart": 3, "will": 2}
    return {"posse": {"ruth": {"name": "Ruth", "stats": stats, "things": things}}}


def _draw(value: dict[str, Any], who: str) -> str:
    from cardhouse.games.dogs.print.sheets import draw_sheet
    from cardhouse.print.pen import PAPERS
    from cardhouse.print.svg import page_svg

    sheet = convert(value[who], Sheet)
    return page_svg(PAPERS["a4"].on_its_side, lambda pen: draw_sheet(pen, sheet))


FORMS = (
    FileForm(
        option="posse",
        card=Member,
        starts=_starts,
        draw=_draw,
        roster="bring_character",
        prints="dogs",
        prints_by="sheets",
        prints_with={"no_aid": "yes"},
    ),
)

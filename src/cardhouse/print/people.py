"""Portraits from names: the same name at the same kind of table always has the same face, in print and on screen.

The page has the same code in `web/src/art/people.ts`; `tests/print/portraits.json` keeps both equal.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple, get_args

import msgspec

from cardhouse.engine.values.portraits import Portraits
from cardhouse.print.drawings import symbols
from cardhouse.print.pen import FAINT, Pen
from cardhouse.print.pen import INK as LINE
from cardhouse.print.seeded import fnv, numbers

People = Literal["west", "crypt", "faith"]
"""The styles of portraits."""
State = Literal["up", "down", "dead", "hidden"]
"""Standing, lying on the ground, dead, or hidden."""


class Place(NamedTuple):
    """The place of a portrait: its upper left corner, and the length of its side."""

    x: float
    y: float
    size: float


Look = dict[str, Any]
"""The parts of a face by name, and its colours."""

INK = "#1d130c"


@cache
def _lists() -> dict[str, Any]:
    file = files("cardhouse") / "drawings" / "people.json"
    return msgspec.json.decode(file.read_bytes(), type=dict[str, Any])


def _words(name: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", name.lower())


def _kind(name: str, kinds: Mapping[str, Any]) -> str | None:
    """Return the first of a name's words, in the singular, that is the name of a kind."""
    return next((word for word in (word.removesuffix("s") for word in _words(name)) if word in kinds), None)


def person(name: str, people: People, chosen: Look | None = None) -> Look:
    """Return the parts and colours of a face. Every pick uses up its number, whether it applies or not."""
    following = numbers(fnv(f"{people}/{name.strip().lower()}"))
    lists = _lists()

    def pick(all_: Sequence[str]) -> str:
        return all_[following() * len(all_) >> 32]

    world = lists["worlds"][people]
    first = next(iter(_words(name)), "")
    own = {**lists["kinds"].get(_kind(name, lists["kinds"]), {}), **(chosen or {})}
    coin = bool(following() & 1)
    named = first in lists["women"].split(" ") or (coin and first not in lists["men"].split(" "))
    woman = own.get("woman", named)
    aged = pick(["young", "mid", "mid", "old"])
    skin, dark, ground, coat = pick(lists["skin"]), pick(lists["hair"][:7]), pick(world["ground"]), pick(world["coat"])
    hat, trim = pick(world["hat"]), pick(world["trim"])
    age = own.get("age", aged)
    white = pick(lists["hair"][7:])
    headwear = pick(world["hats_w" if woman else "hats_m"])
    head = pick(["mid", "narrow", "mid"] if woman else ["mid", "broad", "narrow"])
    hat, trim = _hat_colours(headwear, people, hat, trim)
    folk, green = pick(["", "", "", "elf", "orc"]), pick(["#8fa070", "#9a9a6a"])
    odd = folk if people == "crypt" else ""
    old = age == "old"
    fronts_m = ["bald", "short", "part"] if old else ["short", "part", "curl", "crop", "bald", "spike"]
    fronts_w = ["part", "middle", "short", "curl", "fringe", "braidcrown"]
    backs = ["long", "bob", "braids", "afro", "bun", "tail", "mane"] if woman else ["", "", "", "", "mane", "tail"]
    longest = "full" if people == "west" else "long"
    look = {
        "woman": woman,
        "age": age,
        "skin": green if odd == "orc" else skin,
        "hair": white if old else dark,
        "ground": ground,
        "coat": coat,
        "hat": hat,
        "trim": trim,
        "headwear": headwear,
        "head": odd or head,
        "front": pick(fronts_w if woman else fronts_m),
        "back": pick(backs),
        "beard": pick(["", "", "stubble", "mous", "walrus", "goat", "full", "chops", "chin", longest]),
        "brow": pick(["calm", "sad", "stern", "calm"] if woman else ["calm", "stern", "bushy", "stern"]),
        "nose": pick(["straight", "hook", "broad"]),
        "mouth": pick(["lips", "lips", "smile"] if woman else ["flat", "smile", "grim", "grin"]),
        "cloth": pick(world["cloth_w" if woman else "cloth_m"]),
        "mark": pick(world["mark"]),
        "eyes": pick(["open", "open", "narrow"]),
    }
    if woman:
        look |= {"beard": "", "eyes": "lash"}
    look |= own
    if look["mark"] == "mask":
        look["beard"] = ""
    if look["back"] == "afro" and look["headwear"] not in ("", "kerchief", "circlet", "crown"):
        look["back"] = "bob"
    if (look["back"] == "bun" and look["headwear"]) or look["headwear"] in ("hood", "scarf", "coif"):
        look["back"] = ""
    if look["back"] == "afro":
        look["front"] = "curl"
    return look


def _hat_colours(headwear: str, people: People, hat: str, trim: str) -> tuple[str, str]:
    """Return the colours of a hat and its ribbon; straw and iron have fixed colours."""
    if trim == hat:
        trim = "#d9cdb0"
    if headwear in ("helm", "kettle", "coif"):
        return "#7a7d86", "#5b5a60"
    if headwear == "crown":
        return hat, "#d9a441"
    if headwear == "bonnet" and people == "faith":
        return "#efe6d2", trim
    return {"straw": "#c9a86a", "visor": "#3f7a4c"}.get(headwear, hat), trim


def _order(look: Look, eyes: str = "", hat: str | None = None, *, body: bool = True) -> list[str]:
    """Return the names of its parts, back to front: with other eyes, bareheaded, or the head alone."""
    hat = look["headwear"] if hat is None else hat
    back, mark, woman, old = look["back"], look["mark"], look["woman"], look["age"] == "old"
    sides = not woman and hat and look["front"] != "bald" and hat not in ("helm", "hood", "coif", "scarf")
    parts = [
        (back and back != "braids", f"back-{back}"),
        (body, "coat"),
        (True, f"head-{look['head']}"),
        (True, f"eyes-{eyes or look['eyes']}"),
        (True, f"brow-{look['brow']}"),
        (True, f"nose-{look['nose']}"),
        (True, f"mouth-{look['mouth']}"),
        (old, "mark-lines"),
        (woman and not old and mark != "mask", "mark-blush"),
        (mark and mark not in ("mask", "patch"), f"mark-{mark}"),
        (look["head"] == "orc", "tusks"),
        (look["beard"], f"beard-{look['beard']}"),
        (mark == "patch" and not eyes, "mark-patch"),
        (sides, "sides"),
        (body, f"cloth-{look['cloth']}"),
        (mark == "mask", "mark-mask"),
        (back == "braids", "over-braids"),
        (hat in ("", "visor", "circlet", "crown"), f"front-{look['front']}"),
        (hat, f"hat-{hat}"),
    ]
    return [name for shown, name in parts if shown]


def _draw(parts: Sequence[str]) -> str:
    drawn = symbols("people") | symbols("monsters")
    return "".join(drawn[part] for part in parts)


def _moved(transform: str, inner: str) -> str:
    return f'<g transform="{transform}">{inner}</g>'


def draw_portrait(pen: Pen, at: Place, who: tuple[str, State] | None, portraits: Portraits, usual: People) -> None:
    """Draw a framed portrait of a name in a state; an empty frame for None. `usual` is the default style."""
    x, y, size = at
    if who is None:
        pen.box(x, y, size, size, line=FAINT, thick=0.25, dash=1.2)
        return
    name, state = who
    people = next((one for one in get_args(People) if one == portraits.people), usual)
    with pen.clipped(x, y, size, size):
        pen.drawing(portrait(name, people, state, portraits.face_of(name)), x, y, size / 100)
    pen.box(x, y, size, size, line=LINE, thick=0.3)


def portrait(name: str, people: People, state: State = "up", face: int = 0, chosen: Look | None = None) -> str:
    """Return a portrait as the SVG inside a view box of 100 by 100; `face` is its number among the name's."""
    if state == "hidden":
        return _draw([f"hidden-{people}"])
    monster = _monster_in(name, face) if people == "crypt" else None
    if monster is not None:
        kind, ground = monster
        return _painted(_of_monster(kind, state), {"ground": ground}, state)
    look = person(f"{name} {face}" if face else name, people, chosen)
    colours = {**look, "collar": _lists()["collar"].get(look["cloth"], look["trim"])}
    standing = ["ground", *_order(look, "x" if state == "dead" else "")]
    return _painted(_lying(look) if state == "down" else _draw(standing), colours, state)


def _monster_in(name: str, face: int) -> tuple[str, str] | None:
    """Return the kind and background of a name's monster; None if the name isn't a monster's.

    Its faces are those of all monsters, its own first, then the same ones on other backgrounds.
    """
    monsters = _lists()["monsters"]
    if (own := _kind(name, monsters)) is None:
        return None
    kinds = list(monsters)
    at = kinds.index(own) + face
    return kinds[at % len(kinds)], monsters[kinds[(at + face // len(kinds)) % len(kinds)]]


def _lying(look: Look) -> str:
    """Draw a character on the ground with shut eyes, the hat next to it unless it is tied on."""
    lying, hat = _lists()["lying"], look["headwear"]
    keeps = hat in _lists()["keeps"]
    head = _draw(_order(look, "closed", hat if keeps else "", body=False))
    beside = _moved(lying["hat"], _draw([f"hat-{hat}"])) if hat and not keeps else ""
    return _draw(["lie-ground"]) + _moved(lying["all"], _draw(["lie-body"]) + _moved(lying["head"], head) + beside)


def _of_monster(kind: str, state: State) -> str:
    drawn = _draw([kind, f"{kind}-{'open' if state == 'up' else 'shut'}"])
    if state == "down":
        return _draw(["lie-monster"]) + _moved(_lists()["lying"]["monster"], drawn)
    return _draw(["ground"]) + drawn


def _painted(svg: str, colours: Mapping[str, Any], state: State) -> str:
    """Fill in the colours; the dead are grey."""
    if state != "dead":
        return re.sub(r"var\(--(\w+)\)", lambda found: str(colours[found[1]]), svg)
    colours = {name: _pale(colour) if name == "skin" else colour for name, colour in colours.items()}
    filled = re.sub(r"var\(--(\w+)\)", lambda found: str(colours[found[1]]), svg)
    return re.sub(r"#[0-9a-f]{6}\b|#[0-9a-f]{3}\b", lambda found: _grey(found[0]), filled)


def _hex(value: int) -> str:
    return f"#{value:02x}{value:02x}{value:02x}"


def _grey(colour: str) -> str:
    """Return a colour's grey, duller than the colour; ink stays ink."""
    if colour == INK:
        return colour
    digits = "".join(digit * 2 for digit in colour[1:]) if len(colour) == 4 else colour[1:]
    r, g, b = bytes.fromhex(digits)
    return _hex((30 * r + 59 * g + 11 * b) * 68 // 10000 + 40)


def _pale(skin: str) -> str:
    """Return the skin colour of the dead, light enough for crosses to be visible; `_grey` is applied afterwards."""
    return _hex(int(_grey(skin)[1:3], 16) * 3 // 4 + 66)

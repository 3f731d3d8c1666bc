"""The lines of places in a TOML text."""

import tomllib

from cardhouse.engine.values.toml_lines import TomlLines


def test_places_have_their_lines():
    text = (
        'a = 1 # [not = "this"]\n'
        "\n"
        '"b.c"."d" = """\n[no]\nx = 1 \\"""" \n'
        "e = [ # {\n 1,\n [2,\n 3], { f = '''\n''', g.h = [\n 4] } ]\n"
        "[t.u] # [v]\n"
        "w = ']'\n"
        "[[t.l]]\nx = 1\n"
        "[[t.l]]\nx = 2\n"
        "[t.l.m]\ny = 3\n"
    )
    lines = TomlLines(text)
    assert tomllib.loads(text)["t"]["l"][1]["m"] == {"y": 3}
    places: dict[tuple[str | int, ...], int] = {
        (): 1,
        ("a",): 1,
        ("b.c",): 3,
        ("b.c", "d"): 3,
        ("e",): 6,
        ("e", 0): 7,
        ("e", 1): 8,
        ("e", 1, 1): 9,
        ("e", 2): 9,
        ("e", 2, "f"): 9,
        ("e", 2, "g", "h"): 10,
        ("e", 2, "g", "h", 0): 11,
        ("t",): 12,
        ("t", "u"): 12,
        ("t", "u", "w"): 13,
        ("t", "l", 0): 14,
        ("t", "l", 0, "x"): 15,
        ("t", "l", 1): 16,
        ("t", "l", 1, "x"): 17,
        ("t", "l", 1, "m"): 18,
        ("t", "l", 1, "m", "y"): 19,
        ("t", "l", 1, "m", "z"): 18,
        ("z", "z"): 1,
    }
    assert {place: lines.of(place) for place in places} == places
    assert lines.twice == []
    assert lines.without_twice() == text

"""The standard wounds, compared with the rules' tables; errors of an invalid wounds file (HJ-30)."""

import re
import tomllib
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cardhouse.cards import STANDARD
from cardhouse.engine import CardhouseError, Mistake
from cardhouse.engine.authoring.toml_file import LARGEST_FILE
from cardhouse.games.hackjack.wounds.data import (
    WOUNDS_FILE,
    WoundsFileError,
    read_wounds,
    rewritten,
    standard_wounds,
    wounds_from,
)
from cardhouse.games.hackjack.wounds.schema import (
    MAX_ANOTHER,
    Ability,
    Check,
    Condition,
    Detail,
    Ends,
    Lasting,
    Special,
    Wound,
)
from tests.thorough import many

# Card, Blood, Trauma, how it ends, then what it changes: a score and by how much (/2 is half of it), what falls at once
# by dice (v), all rolls, rolls to hit, the maximum HP, the check and what failing it means.
FACTS = """
CA  0   0 round
C2  0   0 check     check:dazed:each_round
C3  0   0 rest
C4  0   1 recovery
C5  0   1 recovery
C6  1   0 healed
C7  0   0 round     =choose
C8  2   0 healed
C9  0   0 permanent =chronic
C10 1d4 0 healed
CJ  0   0 round     =both
CQ  0   0 permanent =first_card
CK  2   3 recovery  rolls-3
SA  0   0 round
S2  1   0 round
S3  0   3 recovery  STR-2 DEX-2
S4  0   1 recovery  INT-1 WIS-1 INTv1d4 WISv1d4
S5  0   3 recovery  DEX-3
S6  0   3 recovery  rolls-1
S7  0   2 recovery  rolls-1 max_hp:1d2
S8  0   0 permanent
S9  2d6 4 recovery  STR-4 DEX-4 CON-4 INT-4 WIS-4 CHA-4
S10 0   4 recovery  STR-3 CON-3 after:STR-1
SJ  3   2 recovery
SQ  0   4 recovery  =another check:unconscious
SK  6   5 recovery
DA  0   0 permanent
D2  0   0 cleared
D3  1   0 permanent
D4  0   0 comfort
D5  1   1 recovery
D6  0   0 permanent CHA-1
D7  0   0 permanent
D8  0   0 week
D9  0   1 recovery  STR-1 DEX-1 CON-1 INT-1 WIS-1 CHA-1
D10 1   1 recovery  STR-1 CON-1
DJ  1   1 recovery  to_hit-2 after:to_hit_ranged-2
DQ  0   0 permanent
DK  0   4 recovery  CHA/2
HA  0   0 round     =peek
H2  0   0 rest
H3  0   0 hours     CON-3
H4  0   0 check     check:staggers
H5  0   0 check     check:unconscious
H6  0   0 healed    =again
H7  0   1 recovery  INT-1 WIS-1 CHA-1
H8  2   3 recovery
H9  0   2 recovery  CON-2
H10 0   3 recovery  =red_cards rolls-1
HJ  1d6 1 recovery  INT-1 WIS-1
HQ  1   4 recovery  CON/2
HK  6   6 recovery
"""

CONDITIONS = {
    "CA": {"knocked_back"},
    "C2": {"confused"},
    "C3": {"blind"},
    "C4": {"arms_useless", "drops_held"},
    "C5": {"prone", "legs_useless"},
    "SA": {"prone"},
    "S2": {"prone"},
    "S3": {"arm_useless", "drops_held"},
    "S5": {"prone", "slow"},
    "S8": {"blind"},
    "SJ": {"limb_lost"},
    "SK": {"prone", "helpless"},
    "DA": {"scar"},
    "D2": {"blind"},
    "D3": {"finger_lost"},
    "D4": {"no_smell"},
    "D5": {"mute", "scar"},
    "D7": {"limps"},
    "D8": {"marked"},
    "D9": {"no_peaceful_rest"},
    "D10": {"scar"},
    "DJ": {"eye_lost"},
    "DQ": {"fear"},
    "DK": {"unless_masked"},
    "H2": {"mute"},
    "H3": {"no_food"},
    "HJ": {"woozy"},
}
STAYS = {
    "SJ": {"limb_lost"},
    "D5": {"scar"},
    "D9": {"no_peaceful_rest"},
    "D10": {"scar"},
    "DJ": {"eye_lost"},
    "S10": set(),
}
ROLLED = {"S3": ["1d2"], "S5": ["1d2"], "SJ": ["1d4", "1d4"], "D3": ["1d10"], "H3": ["1d12"]}


def facts_of(card: str, wound: Wound) -> str:
    """A wound as a line of the table above."""
    said = [card, str(wound.blood), str(wound.trauma), wound.ends]
    said += [f"={wound.special}"] if wound.special else []
    said += [change(ability, by) for ability, by in wound.abilities.items()]
    said += [f"{ability}v{dice}" for ability, dice in wound.drops.items()]
    said += [f"{name}{getattr(wound, name):+}" for name in ("rolls", "to_hit") if getattr(wound, name)]
    said += [f"max_hp:{wound.max_hp}"] if wound.max_hp else []
    if wound.check:
        said.append(f"check:{wound.check.failed}" + ":each_round" * wound.check.each_round)
    if wound.lasting:
        said += [f"after:{change(ability, by)}" for ability, by in wound.lasting.abilities.items()]
        names = ("to_hit", "to_hit_ranged")
        said += [f"after:{name}{getattr(wound.lasting, name):+}" for name in names if getattr(wound.lasting, name)]
    return " ".join(said)


def change(ability: str, by: int | str) -> str:
    return f"{ability}/2" if by == "half" else f"{ability}{by:+}"


LINES = [" ".join(line.split()) for line in FACTS.split("\n") if line]


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.split()[0])
def test_its_facts_are_the_rules(line: str):
    card = line.split()[0]
    wound = standard_wounds()[card]
    assert facts_of(card, wound) == line
    assert set(wound.conditions) == CONDITIONS.get(card, set())
    assert (None if wound.lasting is None else set(wound.lasting.conditions)) == STAYS.get(card)
    assert [detail.dice for detail in wound.details] == ROLLED.get(card, [])


def test_every_card_has_its_wound():
    assert list(standard_wounds()) == list(STANDARD)
    assert {line.split()[0] for line in LINES} == set(STANDARD)
    assert set(tomllib.loads(WOUNDS_FILE)) == set(STANDARD)
    names = [wound.name for wound in standard_wounds().values()]
    assert len(set(names)) == len(names)


HOW_IT_ENDS = {
    "round": ("next round begins", "no other effect", "does nothing else"),
    "check": ("Roll a d20 over your death-score",),
    "hours": ("1d12 hours",),
    "week": ("after a week",),
    "cleared": ("as soon as",),
    "healed": ("once you have 1 HP or more",),
    "rest": ("after eight hours of rest",),
    "comfort": ("eight hours in comfort",),
    "recovery": ("recovery time",),
    "permanent": ("for good",),
}


@pytest.mark.parametrize("card", STANDARD)
def test_its_text_tells_what_a_player_must_know(card: str):
    wound = standard_wounds()[card]
    assert any(words in wound.text for words in HOW_IT_ENDS[wound.ends])
    dice = [str(amount) for amount in (wound.blood, wound.max_hp, *wound.drops.values()) if isinstance(amount, str)]
    assert [amount for amount in dice if amount not in wound.text] == []
    assert (wound.lasting is None) or "for good" in wound.text


def test_the_first_lines_of_the_file_explain_every_word():
    explained = set(re.findall(r"\w+", "".join(re.findall(r"^#.*\n", WOUNDS_FILE, re.MULTILINE))))
    words = {word for kind in (Ability, Ends, Special, Condition) for word in get_args(kind)}
    fields = {name for kind in (Wound, Check, Detail, Lasting) for name in kind.__struct_fields__}
    assert words | fields - explained == words
    assert words <= explained
    assert {str(MAX_ANOTHER), "40", "400", "20", "6"} <= explained


# Reading.

RIGHT = '[C4]\nname = "Sprained arms"\ntext = "They hurt for a week."\nends = "week"\n'


def test_the_standard_file_reads_as_the_standard():
    assert read_wounds(WOUNDS_FILE) == standard_wounds()
    assert read_wounds(WOUNDS_FILE.encode()) == standard_wounds()
    assert rewritten(standard_wounds()) == []


def test_there_and_back():
    plain = {card: wound.as_json() for card, wound in standard_wounds().items()}
    assert wounds_from(plain) == standard_wounds()
    assert wounds_from(msgspec.json.decode(msgspec.json.encode(plain))) == standard_wounds()
    assert wounds_from({}) is standard_wounds()


def test_a_rewritten_card_loses_all_of_its_wound_and_the_others_keep_theirs():
    wounds = read_wounds(RIGHT)
    assert wounds["C4"] == Wound("Sprained arms", "They hurt for a week.", "week")
    assert rewritten(wounds) == ["C4"]
    assert list(wounds) == list(STANDARD)
    assert wounds_from({"C4": wounds["C4"].as_json()}) == wounds


@pytest.mark.parametrize("text", ["", "\n", "# nothing\n", "\ufeff", "\ufeff" + WOUNDS_FILE.replace("\n", "\r\n")])
def test_a_file_may_leave_everything_out(text: str):
    assert read_wounds(text) == read_wounds(text.encode()) == standard_wounds()


def test_every_field_may_be_written():
    wounds = read_wounds(
        RIGHT + 'blood = "9d20"\ntrauma = 6\nspecial = "peek"\nconditions = []\nrolls = -20\nto_hit = 20\nmax_hp = 20\n'
        "check.failed = 'prone'\n"
        "lasting = { text = 'x', to_hit = 1, to_hit_ranged = 2, abilities.CHA = 'half', conditions = ['scar'] }\n"
        '[C4.abilities]\nSTR = 20\n[C4.drops]\nSTR = "1d2"\n[[C4.details]]\nwhat = "x"\ndice = "2d6"\n'
    )
    assert wounds["C4"] == Wound(
        "Sprained arms",
        "They hurt for a week.",
        "week",
        blood="9d20",
        trauma=6,
        special="peek",
        rolls=-20,
        to_hit=20,
        max_hp=20,
        check=Check("prone"),
        lasting=Lasting("x", {"CHA": "half"}, 1, 2, ("scar",)),
        abilities={"STR": 20},
        drops={"STR": "1d2"},
        details=(Detail("x", "2d6"),),
    )


# Mistakes.


def mistakes(text: str | bytes, where: str = "mine.toml") -> list[Mistake]:
    with pytest.raises(WoundsFileError) as caught:
        read_wounds(text, where)
    error = caught.value
    assert [mistake.line for mistake in error.mistakes] == sorted(mistake.line for mistake in error.mistakes)
    assert error.message.splitlines()[1:] == [f"{where}:{one.line}: {one.message}" for one in error.mistakes]
    for mistake in error.mistakes:
        assert mistake.message.startswith(mistake.field)
        assert mistake.message.endswith((".", "?"))
    return error.mistakes


def below(line: str) -> str:
    """A right wound with a line more, the fifth."""
    return RIGHT + line


def instead(name: str, value: str) -> str:
    """A right wound with another value for a field that it has."""
    return re.sub(rf"^{name} = .*$", lambda _: f"{name} = {value}", RIGHT, flags=re.MULTILINE)


A_NUMBER = "a whole number from 0 to 20 or dice such as"
ONE_MISTAKE = [
    # text, line, field, what is said
    ("[C1]\n", 1, "C1", "isn't a card. Write the suit"),
    ("\n[RJ]\n", 2, "RJ", "is a joker"),
    ("[c7]\n", 1, "c7", "did you mean C7?"),
    ("[10H]\n", 1, "10H", "did you mean H10?"),
    ('["C4 "]\n', 1, '"C4 "', "isn't a card"),
    ("blood = 1\n", 1, "blood", "below their card, such as [C7]"),
    ("\nC4 = 1\n", 2, "C4", "must be one table that begins with [C4], not 1."),
    ("[[C4]]\n", 1, "C4", "not a list."),
    (instead("name", "3"), 2, "C4.name", "must be a text, in quotation marks, not 3."),
    (instead("name", '" "'), 2, "C4.name", "is empty"),
    (instead("name", f'"{"x" * 41}"'), 2, "C4.name", "40 characters at most; this has 41"),
    (instead("text", '""'), 3, "C4.text", "is empty"),
    (instead("text", f'"{"x" * 401}"'), 3, "C4.text", "400 characters at most; this has 401"),
    (instead("text", '"a\\u0007"'), 3, "C4.text", "without control characters"),
    (instead("text", '"""a\nb"""'), 3, "C4.text", "single line"),
    (RIGHT.replace('name = "Sprained arms"\n', ""), 1, "C4.name", "is missing."),
    (RIGHT.replace('text = "They hurt for a week."\n', ""), 1, "C4.text", "is missing."),
    (RIGHT.replace('ends = "week"\n', ""), 1, "C4.ends", "is missing."),
    (instead("ends", '"weak"'), 4, "C4.ends", "healed, hours, permanent"),
    (instead("ends", '"weak"'), 4, "C4.ends", 'not "weak"; did you mean week?'),
    (instead("ends", '"check"'), 4, "C4.ends", "such as check = {"),
    (instead("ends", '"hours"'), 4, "C4.ends", "such as details = ["),
    (below("blood = 21"), 5, "C4.blood", f"must be {A_NUMBER}"),
    (below("blood = -1"), 5, "C4.blood", "not -1."),
    (below("blood = 1.0"), 5, "C4.blood", "not 1.0."),
    (below("blood = true"), 5, "C4.blood", "not true."),
    (below("blood = 1979-05-27"), 5, "C4.blood", "not a date or time."),
    (below("blood = 0x1" + "0" * 20), 5, "C4.blood", "not a number that long."),
    (below('blood = "11d6"'), 5, "C4.blood", 'not "11d6".'),
    (below('blood = "1d7"'), 5, "C4.blood", "of 2, 3, 4, 6, 8, 10, 12 or 20 sides"),
    (below('blood = "1d6\\n"'), 5, "C4.blood", "dice such as"),
    (below('blood = "d6"'), 5, "C4.blood", "dice such as"),
    (below("trauma = 7"), 5, "C4.trauma", "must be a whole number from 0 to 6, not 7."),
    (below('trauma = "1d4"'), 5, "C4.trauma", 'not "1d4".'),
    (below("trama = 1"), 5, "C4.trama", "is an unknown field; did you mean trauma?"),
    (below("Blood = 1"), 5, "C4.Blood", "did you mean blood?"),
    (below("zzz = 1"), 5, "C4.zzz", "there are name, text, ends, blood, trauma"),
    (below('"a.b" = 1'), 5, 'C4."a.b"', "is an unknown field"),
    (below('special = "pick"'), 5, "C4.special", "one of again, another, both, choose"),
    (below('conditions = "prone"'), 5, "C4.conditions", "must be a list, in brackets"),
    (below('conditions = ["prone", "blnd"]'), 5, "C4.conditions[2]", "did you mean blind?"),
    (below('conditions = ["prone", "prone"]'), 5, "C4.conditions[2]", "use each once"),
    (below('conditions = [\n  "prone", # so [it is\n\n  3,\n]'), 8, "C4.conditions[2]", "one of arm_useless"),
    (below("abilities = 3"), 5, "C4.abilities", "must be a table, in braces, not 3."),
    (below("abilities = { STRENGTH = 1 }"), 5, "C4.abilities.STRENGTH", "CHA, CON, DEX, INT, STR, WIS"),
    (below("abilities = { STR = -21 }"), 5, "C4.abilities.STR", "from -20 to 20"),
    (below('abilities.STR = "haf"'), 5, "C4.abilities.STR", "did you mean half?"),
    (below("rolls = 21"), 5, "C4.rolls", "from -20 to 20, not 21."),
    (below("to_hit = -21"), 5, "C4.to_hit", "from -20 to 20, not -21."),
    (below("drops = { STR = 1 }"), 5, "C4.drops.STR", "must be dice such as"),
    (below("max_hp = 21"), 5, "C4.max_hp", A_NUMBER),
    (below("check = true"), 5, "C4.check", "must be a table, in braces, not true."),
    (below("check = {}"), 5, "C4.check.failed", "is missing."),
    (below('check.failed = "dizzy"'), 5, "C4.check.failed", "one of arm_useless"),
    (
        below('\n[C4.check]\nfailed = "prone"\neach_round = 1'),
        8,
        "C4.check.each_round",
        "must be true or false, not 1.",
    ),
    (below("\n[C4.check]\n\neach_round = true"), 6, "C4.check.failed", "is missing."),
    (below("details = {}"), 5, "C4.details", "must be a list"),
    (below("details = [1]"), 5, "C4.details[1]", "must be a table, in braces, not 1."),
    (below('details = [{ what = "a", dice = "1d2" }, { what = "b" }]'), 5, "C4.details[2].dice", "is missing."),
    (below('details = [\n{what="a",dice="1d2"},\n{what="b",dice="1d5"}]'), 7, "C4.details[2].dice", "1d5"),
    (
        below('[[C4.details]]\nwhat="a"\ndice="1d2"\n[[C4.details]]\nwhat="b"\ndice=2'),
        10,
        "C4.details[2].dice",
        "not 2.",
    ),
    (below('details = [{ what = "a", dice = "1d2", means = ["b"] }]'), 5, "C4.details[1].means", "the 2 faces, not 1"),
    (
        below('details = [{ what = "a", dice = "2d2", means = ["b"] }]'),
        5,
        "C4.details[1].dice",
        "must be one die, not 2",
    ),
    (
        below('details = [{ what = "a", dice = "1d2", means = [\n  "left",\n  "" ] }]'),
        7,
        "C4.details[1].means[2]",
        "is empty",
    ),
    (
        below("details = [" + '{ what = "a", dice = "1d2" },' * 5 + "]"),
        5,
        "C4.details",
        "at most; this has 5",
    ),
    (below("lasting = {}"), 5, "C4.lasting.text", "is missing."),
    (below('lasting = { text = "x", to_hit = 21 }'), 5, "C4.lasting.to_hit", "from -20 to 20"),
    (below('lasting = { text = "x", blood = 1 }'), 5, "C4.lasting.blood", "there are text, abilities"),
    (below('lasting.text = "x"\nlasting.conditions = ["x"]'), 6, "C4.lasting.conditions[1]", "one of arm_useless"),
    (below('special = "choose"\nblood = 1'), 6, "C4.blood", 'doesn\'t fit special = "choose"'),
    (below('name = "again"'), 5, "C4.name", "is here twice; the first is in line 2."),
    (below(f"[D4]\n{RIGHT[5:]}[C4]\nends = 3\n"), 9, "C4", "is here twice; the first is in line 1."),
    (below('check = { failed = "prone" }\n[C4.check]\nfailed = 3'), 6, "C4.check", "the first is in line 5."),
    (below("blood = many\n"), 5, "", "This is not TOML: Invalid value (column 9)."),
    ("#" + "é" * (LARGEST_FILE // 2), 1, "", f"a wounds file may have {LARGEST_FILE} at most."),
]


@pytest.mark.parametrize(("text", "line", "field", "said"), ONE_MISTAKE)
def test_a_mistake_names_its_line_and_field(text: str, line: int, field: str, said: str):
    found = mistakes(text)
    assert [(mistake.line, mistake.field) for mistake in found] == [(line, field)]
    assert said in found[0].message


def test_all_mistakes_are_listed_at_once():
    text = (
        "[C1]\n"
        "[C4]\n"
        'name = "One"\n'
        'name = "Two"\n'
        'ends = "hours"\n'
        "trama = 3\n"
        'conditions = [\n  "prone",\n  "blnd",\n]\n'
        "check = { failed = 1, each_round = 1 }\n"
        "[D4]\n"
        "[C4]\n"
    )
    assert [(mistake.line, mistake.field) for mistake in mistakes(text)] == [
        (1, "C1"),
        (2, "C4.text"),
        (4, "C4.name"),
        (5, "C4.ends"),
        (6, "C4.trama"),
        (9, "C4.conditions[2]"),
        (11, "C4.check.failed"),
        (11, "C4.check.each_round"),
        (12, "D4.name"),
        (12, "D4.text"),
        (12, "D4.ends"),
        (13, "C4"),
    ]


def test_duplicates_and_invalid_toml_are_reported_together():
    found = mistakes(below("name = 'again'\nblood = ?\nrolls = 1\n"))
    assert [(mistake.line, mistake.field) for mistake in found] == [(5, "C4.name"), (6, "")]


def test_no_more_than_eight_wounds_draw_another_card_hj24():
    def drawing(cards: list[str]) -> str:
        return "".join(RIGHT.replace("C4", card) + 'special = "another"\n' for card in cards)

    cards = [card for card in STANDARD if card != "SQ"]
    seven, ten = drawing(cards[: MAX_ANOTHER - 1]), drawing(cards[: MAX_ANOTHER + 1])
    assert read_wounds(seven)["SQ"].special == "another"
    assert [(mistake.line, mistake.field) for mistake in mistakes(ten)] == [
        (5 * MAX_ANOTHER, f"{cards[MAX_ANOTHER - 1]}.special"),
        (5 * MAX_ANOTHER + 5, f"{cards[MAX_ANOTHER]}.special"),
    ]
    without_the_queen = drawing(cards[:MAX_ANOTHER]) + RIGHT.replace("C4", "SQ")
    assert read_wounds(without_the_queen)["SQ"].special is None


def test_plain_data_that_does_not_fit():
    arms = standard_wounds()["C4"].as_json()
    with pytest.raises(CardhouseError, match=r"^wounds: C4\.blood must be .*, not 21\. C5\.name is missing\.$"):
        wounds_from({"C4": {**arms, "blood": 21}, "C5": {"text": "x", "ends": "round"}})
    with pytest.raises(CardhouseError, match=r"^wounds: C4\.special must be one of .*, not null\.$"):
        wounds_from({"C4": {**arms, "special": None}})
    with pytest.raises(CardhouseError, match=r"^wounds must be a table"):
        wounds_from(["C4"])  # type: ignore[arg-type]
    with pytest.raises(CardhouseError, match=r"^wounds must be plain data"):
        wounds_from({"C4": object()})


# Anything at all.

MARKS = st.sampled_from(
    ["[", "]", "[[", "]]", "{", "}", "=", ",", ".", "\n", " ", '"', "'", '"""', "'''", "\\", "#", "\t", "\r", "\0", "é"]
)
WORDS = st.sampled_from(
    ["C4", "S10", "RJ", "name", "text", "ends", "check", "details", "failed", "what", "dice", '"1d4"', '"round"', "7"]
)
LIKE_TOML = st.lists(MARKS | WORDS | st.text(max_size=3), max_size=40).map("".join)
STANDARD_LINES = WOUNDS_FILE.splitlines()


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """The standard file with a few of its lines lost, doubled or cut off."""
    lines = list(STANDARD_LINES)
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(lines) - 1))
        cut = draw(st.integers(0, len(lines[place])))
        lines[place : place + 1] = draw(st.sampled_from([[], [lines[place]] * 2, [lines[place][:cut]]]))
    return "\n".join(lines)


@settings(max_examples=many(300, 30), deadline=None)
@given(st.text() | LIKE_TOML | damaged() | st.binary(max_size=50))
@example("[C4]\n" + "a.b." * 900 + "c = 1")
@example("a = '\ud800'")
@example('"' * 3000)
@example('"""' + '\\"""' * 900)
def test_any_text_is_read_or_its_mistakes_are_listed(text: str | bytes):
    try:
        wounds, found = read_wounds(text), [1]
    except WoundsFileError as error:
        wounds, found = standard_wounds(), [mistake.line for mistake in error.mistakes]
    assert list(wounds) == list(STANDARD)
    lines = text.split(b"\n") if isinstance(text, bytes) else text.split("\n")
    assert 1 <= found[0] <= found[-1] <= len(lines)


PLAIN: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS | st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)
FIELDS = st.sampled_from([*Wound.__struct_fields__, "other"])


@settings(max_examples=many(100, 20), deadline=None)
@given(st.dictionaries(st.sampled_from(STANDARD) | st.text(max_size=3), st.dictionaries(FIELDS, PLAIN) | PLAIN))
def test_any_data_is_accepted_or_its_mistakes_are_listed(data: dict[str, Any]):
    try:
        wounds, said = wounds_from(data), "wounds"
    except CardhouseError as error:
        wounds, said = standard_wounds(), error.message
    assert list(wounds) == list(STANDARD)
    assert said.startswith("wounds")


@settings(max_examples=many(200, 40), deadline=None)
@given(st.data())
def test_a_mistake_planted_anywhere_in_the_standard_file_is_found_there(data: st.DataObject):
    places = [number for number, line in enumerate(STANDARD_LINES) if re.match(r"\w+ = (?!\[$)", line)]
    planted = sorted(data.draw(st.sets(st.sampled_from(places), min_size=1, max_size=5)))
    lines = list(STANDARD_LINES)
    expected = []
    for number in planted:
        name = lines[number].partition(" = ")[0]
        table = next(line for line in reversed(lines[:number]) if line.startswith("["))
        listed = sum(line == table for line in lines[:number]) if table.startswith("[[") else 0
        lines[number] = f"{name} = 07:32:00"
        expected.append((number + 1, f"{table.strip('[]')}{f'[{listed}]' if listed else ''}.{name}"))
    found = [(mistake.line, mistake.field) for mistake in mistakes("\n".join(lines)) if "a date" in mistake.message]
    assert found == expected

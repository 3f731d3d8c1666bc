"""Reports: plots that fit the question, tables that other programs read, a self-contained page."""

import json
import re
from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import polars as pl
import pytest

from cardhouse.engine import CardhouseError
from cardhouse.lab.plots.charts import BarOf, DotRow, Point, Unit, columns, dots
from cardhouse.lab.plots.plots import MOST_PLOTS, Plot, plots, rows_of
from cardhouse.lab.questions.cell import Cell
from cardhouse.lab.questions.question import Question
from cardhouse.lab.questions.settings import cells
from cardhouse.lab.reports.html import _facts
from cardhouse.lab.reports.images import _all, poster
from cardhouse.lab.reports.report import KINDS, check_target, render, write
from cardhouse.lab.reports.summary import asked, command_of, headline, stopped
from cardhouse.lab.running.study import Progress, Result, Study, ask
from cardhouse.lab.statistics.estimate import Estimate
from cardhouse.lab.words.distribution import bars
from cardhouse.lab.words.labels import common_text, short_names
from cardhouse.lab.words.numbers import ALONE, how_many, number_shown
from cardhouse.lab.words.theme import DARK, LIGHT
from tests.lab.dice import Dice

STRANGE = '<b>"it\'s" & {{ 1 }}</b> עברית 🎲'
"""What somebody's file may be called."""


@cache
def _asked(trials: int, versus: tuple[tuple[str, str], ...], texts: tuple[tuple[str, str], ...]) -> Result:
    return ask(Study(cells=cells(Dice, dict(texts), dict(versus)), trials=trials), workers=1)


def result_of(versus: dict[str, str] | None = None, trials: int = 300, **texts: str) -> Result:
    return _asked(trials, tuple((versus or {}).items()), tuple(texts.items()))


@cache
def of_strange_names() -> Result:
    names = (STRANGE, "=1+1", "standard")
    return ask(Study(cells=tuple(Cell(Dice(), None, {"marks": name}) for name in names), trials=50), workers=1)


def nothing_played() -> Result:
    return Result(Study(cells=(Cell(Dice()),), trials=10), (), 0.1, 0.0, 1, stopped=True)


ASKED: dict[str, tuple[Callable[[], Result], list[str]]] = {
    "one": (result_of, ["At least so much", "On average", "The mean", "The mean of those up to 6"]),
    "a comparison": (
        lambda: result_of({"sides": "8"}),
        [
            "At least so much",
            "Differences between chances",
            "Differences on average",
            "On average",
            "The mean",
            "The mean of those up to 6",
        ],
    ),
    "a number": (
        lambda: result_of(dice="1-4"),
        ["More than 6, by dice", "The mean, by dice", "The mean of those up to 6, by dice", "At least so much"],
    ),
    "a number, compared": (
        lambda: result_of({"luck": "better"}, dice="1-3"),
        [
            "The mean, by dice",
            "The mean: the difference, by dice",
            "More than 6, by dice",
            "More than 6: the difference, by dice",
            "The mean of those up to 6, by dice",
            "The mean of those up to 6: the difference, by dice",
        ],
    ),
    "a choice": (lambda: result_of(luck="plain,better"), ["The mean", "At least so much"]),
    "a choice, compared": (
        lambda: result_of({"dice": "3"}, luck="plain,better"),
        ["The mean", "The mean: the difference", "At least so much"],
    ),
    "two": (
        lambda: result_of(dice="1-3", sides="4,6,8,10"),
        [
            "More than 6, by sides and dice",
            "The mean, by sides and dice",
            "The mean of those up to 6, by sides and dice",
            "At least so much",
        ],
    ),
    "three": (lambda: result_of(dice="1,2", sides="4,6", luck="plain,better"), ["The mean", "At least so much"]),
    "strange names": (of_strange_names, ["More than 6", "At least so much"]),
    "nothing": (nothing_played, []),
}


@pytest.fixture(params=ASKED)
def reported(request: pytest.FixtureRequest) -> tuple[Result, list[str]]:
    result, titles = ASKED[request.param]
    return result(), titles


# Plots.


def test_the_plots_are_those_that_fit_what_was_asked(reported: tuple[Result, list[str]]):
    result, titles = reported
    drawn = plots(result)
    assert [plot.title for plot in drawn] == titles
    assert len(drawn) <= MOST_PLOTS
    for plot in drawn:
        written = json.dumps(plot.vega_lite_spec)
        assert '"url"' not in written
        assert not re.search(r"#[0-9a-f]{3}", written), "colours are the business of the look"
        assert "config" not in plot.vega_lite_spec


@pytest.mark.soak
@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("a comparison", [[0, 1], [2, 3], [4, 5]]),
        ("a number, compared", [[0, 1], [2, 3], [4, 5]]),
        ("a choice, compared", [[0, 1], [2]]),
        ("a number", [[0, 1], [2, 3]]),
    ],
)
def test_a_difference_is_next_to_its_number(kind: str, expected: list[list[int]]):
    """In rows of two, in the page and in the picture."""
    result, titles = ASKED[kind][0](), ASKED[kind][1]
    rows = [[titles.index(plot.title) for plot in row] for row in rows_of(plots(result))]
    assert rows == expected
    _, drawn = _all(poster(result))["vconcat"]
    assert drawn["columns"] == 2
    placed = [titles.index(" ".join(plot["title"]["text"])) if "title" in plot else None for plot in drawn["concat"]]
    assert placed == [place for row in expected for place in (*row, None)[:2]]
    page = written(kind)
    assert [row.count("<figure>") for row in page.split('<div class="row">')[1:]] == [len(row) for row in expected]


def test_what_stands_alone_is_not_between_a_pair():
    def plot(title: str, beside: bool = False) -> Plot:
        return Plot(title, "", {}, beside)

    some = [plot("a"), plot("b"), plot("b more", True), plot("c"), plot("d"), plot("d more", True), plot("e")]
    assert [[one.title for one in row] for row in rows_of(some)] == [
        ["a", "c"],
        ["b", "b more"],
        ["d", "d more"],
        ["e"],
    ]


def test_a_line_has_its_points_intervals_and_exact_numbers():
    result = result_of(dice="1-4")
    data = plots(result)[0].vega_lite_spec["data"]["values"]
    found = [answer.found[0] for answer in result.answers]
    assert [row["x"] for row in data] == [1, 2, 3, 4]
    assert [(row["y"], row["low"], row["high"]) for row in data] == [
        (one.estimate.value, one.estimate.low, one.estimate.high) for one in found
    ]
    assert [row.get("exact") for row in data] == [one.exact for one in found]


def test_a_constant_number_has_no_plot():
    assert "More than 6, by bonus" in [plot.title for plot in plots(result_of(bonus="0,1,2"))], "it was asked"
    assert not [plot for plot in plots(result_of(bonus="0,1,2")) if plot.title.startswith("The mean")]


def test_differences_of_shares_are_in_points():
    result = result_of({"sides": "8"})
    (row,) = [row for row in plots(result)[1].vega_lite_spec["data"]["values"] if "y" in row]
    more = result.answers[0].found[0].more
    assert more is not None
    assert more.value is not None
    assert row["y"] == pytest.approx(100 * more.value)


@pytest.mark.parametrize("number", ["", "8.70 ±0.90%", "100.00000 ±0.00038%"])
def test_the_words_of_a_row_leave_room_for_its_number(number: str):
    point = Point(0, "", Estimate(0.5, 0.4, 0.6, 100))
    row = DotRow("the largest pack is proved than this", number, [point])
    first, *_ = dots("Chances", Unit("share"), [row]).vega_lite_spec["data"]["values"]
    assert " ".join(first["text"]) == row.text
    assert all(len(line) + 1.2 * len(number) < 56 for line in first["text"])


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (
            (0, None, 1.0, [5, 3, 2], None),
            [(-0.5, 0.5, False, (0.5,)), (0.5, 1.5, False, (0.3,)), (1.5, 2.5, True, (0.2,))],
        ),
        ((0, 1, 1.0, [5, 3, 2], None), [(-0.5, 0.5, False, (0.625,)), (0.5, 1.5, False, (0.375,))]),
        ((1, 1, 2.0, [5, 3, 2], [0, 1]), [(1.0, 3.0, False, (1.0, 1.0))]),
        ((0, None, 1.0, [0, 0], None), []),
    ],
)
def test_bars_are_shares_of_the_values_asked_for(asked, expected):
    assert [tuple(bar) for bar in bars(*asked)] == expected


def test_many_values_share_bars_and_those_far_out_the_last_one():
    counts = [100] * 200 + [0] * 700 + [1]
    made = bars(0, None, 1.0, counts, None)
    assert len(made) == 40
    assert sum(bar.shares[0] for bar in made) == pytest.approx(1)
    assert made[-1].right == 199.5
    assert made[-1].more


def test_long_names_are_short_and_still_not_the_same():
    names = ["a" * 60 + end for end in "bcd"]
    short = short_names([*names, "e"])
    assert len(set(short.values())) == 4
    assert all(len(name) < 50 for name in short.values())
    study = Study(cells=tuple(Cell(Dice(), None, {"marks": name}) for name in names), trials=20)
    line = plots(ask(study, workers=1))[-1].vega_lite_spec
    assert len({row["who"] for row in line["data"]["values"]}) == 3


# Tables.


def test_a_table_has_every_finding_of_every_combination(tmp_path: Path):
    result = result_of({"luck": "better"}, dice="1-3")
    file = tmp_path / "dice.parquet"
    assert write(result, file) == [file, tmp_path / "dice-counts.parquet"]
    table = pl.read_parquet(file)
    assert table.schema["dice"] == pl.Int64
    assert table.height == sum(len(answer.found) for answer in result.answers)
    (row,) = table.filter(pl.col("dice") == 2, pl.col("key") == "high").to_dicts()
    one = result.answers[1].found[0]
    assert one.versus is not None
    assert one.more is not None
    assert [row[name] for name in ("value", "low", "high", "trials")] == [
        getattr(one.estimate, name) for name in ("value", "low", "high", "trials")
    ]
    assert [row[name] for name in ("exact", "text", "kind", "series", "x")] == [
        15 / 36 + 6 / 36,
        "more than 6",
        "share",
        "",
        None,
    ]
    assert [row[f"versus{end}"] for end in ("", "_low", "_high")] == list(msgspec.structs.astuple(one.versus))[:3]
    assert [row[f"difference{end}"] for end in ("", "_low", "_high")] == list(msgspec.structs.astuple(one.more))[:3]


def test_a_table_of_counts_has_every_trial(tmp_path: Path):
    result = result_of({"luck": "better"}, dice="1-3")
    write(result, tmp_path / "dice.parquet")
    counts = pl.read_parquet(tmp_path / "dice-counts.parquet")
    totals = counts.group_by("dice", "measure").agg(pl.col("count").sum(), pl.col("versus_count").sum())
    assert totals.height == 6
    assert totals.select(pl.col("count", "versus_count").unique()).rows() == [(300, 300)]


def test_names_and_numbers_come_back_from_csv(tmp_path: Path):
    result = of_strange_names()
    write(result, tmp_path / "dice.csv")
    table = pl.read_csv(tmp_path / "dice.csv")
    assert table["marks"].unique(maintain_order=True).to_list() == [STRANGE, "=1+1", "standard"]
    assert table.filter(pl.col("key") == "mean")["value"].to_list() == [
        answer.found[1].estimate.value for answer in result.answers
    ]


def test_a_setting_is_no_other_column():
    class Clash(Dice, frozen=True, kw_only=True):
        trials: int = 1

    study = Study(cells=tuple(Cell(Clash(), None, {"trials": text}) for text in ("1", "2.5")), trials=20)
    table = pl.read_csv(render(ask(study, workers=1), ".csv"))
    assert table["setting_trials"].unique().sort().to_list() == [1.0, 2.5]
    assert table["trials"].max() == 20


def test_json_has_all_and_the_command():
    told = json.loads(render(result_of(dice="1-3"), ".json", "cardhouse lab x"))
    assert told["command"] == "cardhouse lab x"
    assert [answer["settings"]["dice"] for answer in told["answers"]] == [1, 2, 3]


# Pages and pictures.


@cache
def written(kind: str, suffix: str = ".html") -> str:
    """A report on what was asked."""
    return render(ASKED[kind][0](), suffix).decode()


class Page(HTMLParser):
    """The tags of a page, what they name, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("kind", ["one", "a number, compared", "two", "strange names", "nothing"])
def test_a_page_needs_nothing_and_nobody_else(kind: str):
    text, titles = written(kind), ASKED[kind][1]
    page = Page(text)
    assert not {"script", "link", "img", "iframe", "object", "b"} & set(page.tags)
    assert not {"src", "href", "xlink:href", "srcset", "style"} & {name for name, _ in page.attributes}
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert text.count("url(") == text.count("url(data:font/woff;base64,") == 3
    assert "://" not in text
    assert page.tags.count("svg") == len(titles)
    labels = [value or "" for name, value in page.attributes if name == "aria-label"]
    for title in titles:
        assert title in page.text
        assert any(label.startswith(f"{title}. ") for label in labels)


def test_strange_names_are_only_names():
    page = Page(written("strange names"))
    assert page.text.count(STRANGE) >= 4, "in two tables and two plots"
    assert page.tags.count("b") == 0
    picture = written("strange names", ".svg")
    assert "&lt;b&gt;" in picture
    assert "<b>" not in picture


def test_a_page_is_for_day_and_night():
    text = written("one")
    day, night = text.index(f"--ground:{LIGHT.ground}"), text.index(f"--ground:{DARK.ground}")
    assert day < text.index("prefers-color-scheme: dark") < night
    drawn = "".join(re.findall(r"<svg.*?</svg>", text, re.DOTALL))
    assert "var(--line-0)" in drawn
    assert not re.search(r"#[0-9a-f]{3,6}\b", drawn), "no plot has a colour of its own"


@pytest.mark.parametrize("kind", ["a number, compared", "nothing"])
def test_pictures_show_question_and_answer(kind: str):
    picture, titles = written(kind, ".svg"), ASKED[kind][1]
    assert picture.startswith("<svg")
    assert "What do dice come to?" in picture
    assert "font/woff" in picture
    if titles:
        assert titles[0].split(",")[0] in picture
        head = headline(ASKED[kind][0]())
        assert head is not None
        assert head.number in picture


def test_bars_of_shares_have_one_scale():
    def scale(kind: str, share: float) -> dict[str, object]:
        bar = BarOf("9", Point(1, "", Estimate(share, share, share, 100)))
        (layer, *_) = columns("", "", Unit(kind), [bar]).vega_lite_spec["layer"]
        found: dict[str, object] = layer["encoding"]["y"]["scale"]
        return found

    assert scale("share", 0.1) == scale("share", 0.9) == {"domain": [0, 1]}
    assert scale("mean", 0.1) == {"zero": True}


def test_histograms_of_one_answer_have_one_scale():
    drawn = [plot.vega_lite_spec for plot in plots(result_of({"sides": "8"})) if plot.title.startswith("The mean")]
    highest = [max(bar["y"] for bar in spec["data"]["values"]) for spec in drawn]
    assert len({*highest}) == 2
    assert [spec["encoding"]["y"]["scale"]["domain"] for spec in drawn] == [[0, max(highest)]] * 2


def test_a_png_is_one_tall_picture():
    made = render(result_of(), ".png")
    assert made.startswith(b"\x89PNG")
    wide, tall = (int.from_bytes(made[at : at + 4]) for at in (16, 20))
    assert 1500 < wide < 2000
    assert tall > 1000


# What is said.


def test_the_headline_is_the_exact_number_where_there_is_one():
    head = headline(result_of())
    assert head is not None
    assert (head.number, head.text) == ("58.3333%", "more than 6")
    assert head.sure.startswith("Counted exactly; 300 rolls came to 62.0 ")
    head = headline(result_of(luck="better"))
    assert head is not None
    assert re.fullmatch(r"\d\d\.\d%", head.number)
    assert re.fullmatch(r"The true number lies between \d\d\.\d and \d\d\.\d%, with 95% confidence\.", head.sure)


def test_of_a_comparison_it_is_the_difference_of_a_sweep_the_ends():
    head = headline(result_of({"sides": "8"}))
    assert head is not None
    assert re.fullmatch(r"\+\d\.\d\d", head.number)
    assert re.fullmatch(r"the mean: 7\.\d\d with sides 6, 9\.\d\d with sides 8", head.text)
    head = headline(result_of(dice="1-3"))
    assert head is not None
    assert re.fullmatch(r"0\.0 to 9\d\.\d%", head.number.replace("0.00 to", "0.0 to"))
    assert head.text == "more than 6: the least with dice 1, the most with dice 3"
    picture = poster(result_of(dice="1-3")).headline
    assert picture is not None
    assert re.fullmatch(r"“More than 6” rises from 0% with dice 1 to \d\d% with dice 3", picture.text)


@pytest.mark.parametrize(("here", "there", "sign"), [("plain", "better", "\\+"), ("better", "plain", "\N{MINUS SIGN}")])
def test_a_difference_has_its_sign_and_no_word_that_turns_it_round(here: str, there: str, sign: str):
    head = headline(result_of({"luck": there}, dice="2,3", luck=here))
    assert head is not None
    assert re.fullmatch(rf"{sign}[\d.]+ to {sign}[\d.]+", head.number)
    least, most = ("2", "3") if there == "better" else ("3", "2")
    expected = f"with luck {there} instead of luck {here}: the least with dice {least}, the most with dice {most}"
    assert head.text == f"the mean, {expected}"


def test_a_report_has_the_question_and_its_command():
    result = result_of({"luck": "better"}, dice="1-3", sides="4,8", loaded="yes")
    assert asked(result) == "With loaded yes, dice 1-3, sides 4, 8: 300 rolls each, seed 0."
    command = "cardhouse lab initiative dice --dice 1-3 --sides 4,8 --loaded yes --vs luck=better --trials 300"
    assert command_of(result.study) == f"{command} --confidence 95 --seed 0"


def test_what_only_some_combinations_find_is_in_the_tables_and_words_fit_all():
    assert common_text(["dead within 2 hits", "dead within 13 hits"]) == "dead within n hits"
    assert common_text(["sure leads at the end", "bold leads at the end"]) == "sure/bold leads at the end"
    assert common_text(["dead", "dead at once"]) == "dead"
    page = Page(render(result_of(dice="1-3", sides="4"), ".html").decode())
    assert "At least 12" in page.text, "one die never comes to that"


def test_a_study_that_was_stopped_says_on_what_it_rests():
    done: list[Progress] = []
    study = Study(cells=cells(Dice, {"dice": "1-3"}), trials=2_000)
    result = ask(study, workers=1, tell=done.append, halt=lambda: len(done) == 5)
    assert stopped(result) == (
        "It was stopped early: of 3 combinations of settings 2 were begun, "
        "and the last, dice 2, rests on 500 of 2,000 rolls."
    )
    page = Page(render(result, ".html").decode())
    assert stopped(result) in page.text
    assert "2,500" in page.text
    nothing = "It was stopped before the first roll had been counted, so there are no numbers."
    assert nothing in Page(written("nothing")).text
    assert not headline(nothing_played())


# Where they are written.


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("report.pdf", r"A report is a file ending in \.html, .* or \.json, not report\.pdf\."),
        ("report", r"A report is a file ending in \.html"),
        ("nowhere/report.html", r"There is no folder .*nowhere to write report\.html in\."),
        ("taken.html", r"taken\.html is a folder; a report is a file\."),
        ("a.txt/report.html", r"There is no folder .*a\.txt to write"),
        ("x" * 250 + ".html", r"x\.html can't be written: File name too long\."),
    ],
)
def test_an_unwritable_report_is_refused_before_playing(tmp_path: Path, name: str, wrong: str):
    (tmp_path / "taken.html").mkdir()
    (tmp_path / "a.txt").touch()
    before = sorted(tmp_path.iterdir())
    with pytest.raises(CardhouseError, match=wrong):
        check_target(tmp_path / name)
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("suffix", KINDS)
def test_a_report_is_there_whole_or_not_at_all(tmp_path: Path, suffix: str):
    file = tmp_path / f"report{suffix.upper()}"
    check_target(file)
    assert not list(tmp_path.iterdir())
    written = write(nothing_played(), file)
    assert sorted(tmp_path.iterdir()) == sorted(written)
    assert all(file.stat().st_size for file in written)
    taken = tmp_path / f"taken{suffix}"
    taken.mkdir()
    with pytest.raises(CardhouseError, match="can't be written"):
        write(nothing_played(), taken)
    assert sorted(tmp_path.iterdir()) == sorted([*written, taken])


def test_a_report_takes_the_place_of_an_older_one(tmp_path: Path):
    file = tmp_path / "report.json"
    file.write_text("old")
    write(nothing_played(), file)
    assert json.loads(file.read_text())["answers"] == []


def test_a_question_of_no_numbers_is_a_sentence():
    class Never(Dice, frozen=True, kw_only=True):
        def findings(self):
            return [msgspec.structs.replace(super().findings()[0], given_least=13, measure="total")]

        def exact(self):
            return {}

    question: Question = Never()
    result = ask(Study(cells=(Cell(question),), trials=20), workers=1)
    assert plots(result) == []
    assert "Nothing came up" in Page(render(result, ".html").decode()).text


def test_one_of_something_is_one():
    """`1 roll`, wherever it is said."""
    result = result_of(trials=1)
    (answer,) = result.answers
    said = [asked(result), *(plot.caption for plot in plots(result)), Page(render(result, ".html").decode()).text]
    head = headline(result)
    assert head is not None
    said += [head.sure, *(f"{name} {value}" for name, value in _facts(result))]
    assert how_many(answer.trials, "roll") == "1 roll"
    assert asked(result) == "With the usual settings: 1 roll, seed 0."
    assert not [text for text in said if re.search(r"\b1 rolls\b", text)]
    assert sum("1 roll" in text for text in said) >= 4


def test_a_mean_of_one_value_says_that_it_has_no_interval():
    result = result_of(trials=1)
    assert Page(render(result, ".html").decode()).text.count(ALONE) >= 1
    (value,) = (one for one in result.answers[0].found if one.finding.key == "mean")
    assert number_shown(value.finding, value.estimate) == f"{value.estimate.value:.2f} (a single trial: no interval)"


@pytest.mark.soak
def test_a_report_is_the_same_however_long_it_took():
    """Warm machine code is ready sooner than cold."""
    result = result_of()
    slower = msgspec.structs.replace(result, ready=result.ready + 20, seconds=result.seconds + 7, workers=9)
    for suffix in (".html", ".json", ".csv", ".svg"):
        assert render(slower, suffix) == render(result, suffix)

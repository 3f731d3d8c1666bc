import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import FIGHT, Run
from tests.walkthrough import TRANSCRIPTS

GOLDEN = Path(__file__).with_name("replay.txt")


def test_the_table_as_the_game_master_sees_it(run: Run, fight: Path):
    status, out, err = run("replay", fight)
    assert (status, err) == (0, "")
    assert [line.rstrip() for line in out.splitlines()] == GOLDEN.read_text("utf-8").splitlines()


def test_a_seat_sees_its_own_table(run: Run, fight: Path):
    _, out, _ = run("replay", fight, "--seat", "ben")
    assert "Mole" not in out
    assert "S5" not in out
    assert "A character is hiding." in out
    assert "waiting for Ada L." in out


def test_the_asked_seat_sees_its_offers(run: Run, fight: Path):
    _, out, _ = run("replay", fight, "--seat", "ada")
    assert "outranks Doc with S10. Act now and let Doc wait, or wait? (IN-10)" in " ".join(out.split())
    assert "  act: name Nan\n  wait: name Nan\n" in out


def test_values_are_shown_as_words(run: Run):
    _, out, _ = run("replay", TRANSCRIPTS / "dogs" / "DV-12-coming-down.jsonl")
    assert "Ada draws for Heart: C9." in out
    assert "Ada escalates: Talking!" in out


def test_for_programs(run: Run, fight: Path):
    status, out, _ = run("replay", fight, "--seat", "screen", "--json")
    told = json.loads(out)
    assert status == 0
    assert out.count("\n") == 1
    assert list(told) == ["game", "seat", "number", "asks", "offers", "state", "story"]
    assert (told["game"], told["seat"], told["number"]) == ("initiative", "screen", 7)
    assert told["asks"]["key"] == "either"
    assert told["offers"] == []
    assert (told["state"]["round"], told["state"]["waiting"], told["state"]["deck_left"]) == (1, "S10", 3)
    assert [entry["n"] for entry in told["story"]] == [1, 2, 3, 4, 5, 6, 7]
    assert told["story"][-1]["undo"] == [6]
    assert "Mole" not in out


def test_json_has_the_offers_at_any_time(run: Run, fight: Path):
    told = json.loads(run("replay", fight, "--json").out)
    assert {offer["do"] for offer in told["offers"] if "anytime" in offer} >= {"add_character", "remove_character"}


def test_draws_left_out_are_dealt_from_the_seed(run: Run, tmp_path: Path):
    file = tmp_path / "short.jsonl"
    file.write_text("".join(line for line in FIGHT.splitlines(keepends=True)[:5]), "utf-8")
    first = run("replay", file, "--json").out
    assert first == run("replay", file, "--json", "--seed", 0).out
    assert any(run("replay", file, "--json", "--seed", seed).out != first for seed in range(1, 9))


def test_from_standard_input():
    done = subprocess.run(
        [sys.executable, "-c", "import sys; from cardhouse.cli import main; sys.exit(main())", "replay", "-", "--json"],
        input=FIGHT.encode(),
        capture_output=True,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["number"] == 7


def test_a_reader_that_goes_away_is_no_error(fight: Path):
    reader = subprocess.Popen(
        [sys.executable, "-c", "import sys; from cardhouse.cli import main; sys.exit(main())", "replay", str(fight)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert reader.stdout is not None
    assert reader.stderr is not None
    reader.stdout.close()
    assert reader.stderr.read() == b""
    assert reader.wait() == 1
    reader.stderr.close()


HEADER = '{"cardhouse":1,"game":"initiative","seats":["gm"]}\n'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("\n{}", "Line 1: This file isn't a transcript. Its first line is empty."),
        (
            HEADER + '{"by":"gm","do":"start_round","do":"end"}',
            'Line 2: "do" is here twice. Remove one of the two.',
        ),
        (HEADER.replace('"seats"', '"game":"dogs","seats"'), 'Line 1: "game" is here twice.'),
        (HEADER + '{"by":"gm","do":"x","a":[{"b":1,"b":2}]}', 'Line 2: "b" is here twice.'),
        (
            "hello\n",
            'Line 1: This file isn\'t a transcript. Its first line must begin with {"cardhouse": 1, "game": …}.',
        ),
        ('{"cardhouse":1,', "Line 1: This is not a JSON object: Input data was truncated."),
        (
            '{"by":"gm"}\n',
            'Line 1: This file isn\'t a transcript. Its first line must begin with {"cardhouse": 1, "game": …}.',
        ),
        ('{"cardhouse":2}', "Line 1: This transcript has format 2; "),
        ('{"cardhouse":1,"game":"chess","seats":["gm"]}', "Line 1: There is no game called chess. Installed: "),
        ('{"cardhouse":1,"game":"initiative","seats":["ada"]}', 'Line 1: The seats must include "gm"'),
        (
            '{"cardhouse":1,"game":"initiative","seats":["gm"],"version":99}',
            "Line 1: This table was played by version 99",
        ),
        ('{"cardhouse":1,"game":"initiative","seats":["gm"],"options":{"x":1}}', "Line 1: options: "),
        ('{"cardhouse":1,"game":"initiative","seats":["gm"],"names":{"gm":"\\u001b[2J"}}', "Line 1: A name must be a "),
        (HEADER + "\n{]\n", "Line 3: This is not a JSON object: "),
        (HEADER + '{"draw":"initiative","card":"HA"}', 'Line 2: This line doesn\'t say whose answer it is: "by" is '),
        (HEADER + '{"by":"zoe","do":"start_round"}', 'Line 2: There is no seat "zoe" at this table; there are gm.'),
        (HEADER + '{"by":"gm","do":"start_round"}', 'Line 2: "start_round" is not open to gm now. Offered now: ad'),
        (HEADER + '{"by":"gm","do":"fly"}', 'Line 2: There is no "fly" in this game. Offered now: add_character.'),
        (HEADER + '{"by":"gm","do":"start_round","id":7}', "Line 2: An id is a text."),
        (HEADER + '{"by":"gm","end":true}\n{"by":"gm","undo":1}', "Line 3: The table has ended; nothing more can be "),
        (
            FIGHT.replace('"draw":"initiative","card":"S10"', '"draw":"initiative","card":"C9"'),
            "Line 6: C9 can't be the ",
        ),
        (FIGHT + '{"draw":"initiative","card":"S5"}', "Line 11: Nothing asks for "),
    ],
)
def test_a_line_that_cannot_be_applied_stops_it(run: Run, tmp_path: Path, text: str, sentence: str):
    file = tmp_path / "wrong.jsonl"
    file.write_text(text, "utf-8")
    status, out, err = run("replay", file)
    assert (status, out) == (2, "")
    assert err.startswith(f"cardhouse: {file}: {sentence}")
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "is empty."),
        (b"\xef\xbb\xbf \n", "is empty."),
        (FIGHT.replace("Nan", "Jos\u00e9").encode("cp1252"), "isn't UTF-8: line 2 has a letter that can't be read."),
        (b"\x7fELF\0\0", "isn't a text file."),
        (b"PK\x03\x04", "is a zip file or a workbook, not a text file."),
        (b"\xff\xfe\0\xd8{\0", "is damaged: it isn't all UTF-16. Save it as UTF-8."),
    ],
)
def test_a_file_that_is_no_text_is_refused_by_its_name(run: Run, tmp_path: Path, data: bytes, sentence: str):
    file = tmp_path / "evening.jsonl"
    file.write_bytes(data)
    for command in ("replay", "odds", "verify", "roster"):
        status, out, err = run(command, file)
        assert (status, out) == (2, ""), command
        assert err.startswith(f"cardhouse: {file} {sentence}"), command


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_transcript_in_another_unicode_is_read(run: Run, tmp_path: Path, encoding: str):
    file = tmp_path / "evening.jsonl"
    file.write_text(FIGHT.replace("Nan", "Jos\u00e9"), encoding)
    status, out, _ = run("replay", file)
    assert status == 0
    assert "Jos\u00e9" in out


def test_an_error_lists_the_offers(run: Run, tmp_path: Path):
    file = tmp_path / "wrong.jsonl"
    file.write_text(FIGHT.replace('"do":"wait","name":"Nan"', '"do":"done","name":"Nan"'), "utf-8")
    _, _, err = run("replay", file)
    assert err.splitlines() == [
        f'cardhouse: {file}: Line 9: "done" is not open to ada now. Offered now: act (Nan), wait (Nan).',
        "Offered there:",
        "  act: name Nan",
        "  wait: name Nan",
    ]
    file.write_text(FIGHT.replace('"draw":"initiative","card":"HA"', '"draw":"initiative","card":"H9"'), "utf-8")
    _, _, err = run("replay", file)
    assert err.splitlines()[1:] == ["Offered there:", "  draw initiative: card HA | S5 | RJ | BJ"]


def test_json_has_the_error(run: Run, tmp_path: Path):
    file = tmp_path / "wrong.jsonl"
    file.write_text(FIGHT.replace('"do":"wait","name":"Nan"', '"do":"done","name":"Nan"'), "utf-8")
    status, out, err = run("replay", file, "--json")
    error = json.loads(out)["error"]
    assert status == 2
    assert (error["line"], error["code"]) == (9, "not_offered")
    assert [offer["do"] for offer in error["offers"]] == ["act", "wait"]
    assert err.startswith(f"cardhouse: {file}: {error['message']}")


def test_nothing_in_a_file_moves_the_cursor(run: Run, tmp_path: Path):
    file = tmp_path / "wrong.jsonl"
    file.write_text(HEADER + '{"by":"gm","do":"\\u001b[2J"}', "utf-8")
    assert "\x1b" not in run("replay", file).err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["replay", "nowhere.jsonl"], "File not found: nowhere.jsonl"),
        (["replay", "/"], "/ can't be read: Is a directory."),
        (["replay"], "Missing argument 'FILE'. (See cardhouse replay --help.)"),
        (["replay", "x", "--seed", "y"], "Invalid value for '--seed': "),
        (["replay", "x", "--seed"], "Option '--seed' requires an argument. (See cardhouse --help.)"),
        (["replay", "x", "--sead", "y"], "No such option"),
        (["repla"], "No such command 'repla'. Did you mean 'replay'? (See cardhouse --help.)"),
    ],
)
def test_a_mistake_is_one_sentence(run: Run, arguments: list[str], sentence: str):
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith(f"cardhouse: {sentence}")
    assert err.count("\n") == 1


def test_a_seat_that_is_not_there(run: Run, fight: Path):
    status, _, err = run("replay", fight, "--seat", "zoe")
    assert (status, err) == (
        2,
        "cardhouse: There is no seat zoe at this table; there are gm, ada, ben, screen.\n",
    )

"""Files that people write, and the mistakes in them; here a list of dogs and their ages."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec import Meta, inspect

from cardhouse.engine import BadFile, CardhouseError, Mistake
from cardhouse.engine.authoring.toml_file import (
    LARGEST_FILE,
    LONGEST_LINE,
    TomlFileError,
    check_option,
    option_as_json,
    read_toml,
)
from cardhouse.engine.values.schema_errors import Wrong, unfit
from tests.thorough import many


class Dog(msgspec.Struct):
    """What the file has of each dog."""

    name: Annotated[str, Meta(min_length=1, max_length=10)]
    age: Annotated[int, Meta(ge=0, le=20)] | None = None
    story: Annotated[str, Meta(max_length=10)] = ""
    likes: tuple[Literal["balls", "bones"], ...] = ()
    anything: Any = None


DOG = inspect.type_info(Dog)


class DogsFileError(TomlFileError):
    """A file that can't be used."""

    of = "dogs"


def wrong_dogs(data: dict[str, Any]) -> Iterator[Wrong]:
    for name, dog in data.items():
        yield from unfit(dog, DOG, (name,))


def read(text: str | bytes) -> dict[str, Any]:
    return read_toml(text, "dogs.toml", wrong_dogs, DogsFileError)


def mistakes(text: str | bytes) -> list[Mistake]:
    with pytest.raises(DogsFileError) as caught:
        read(text)
    error = caught.value
    assert isinstance(error, BadFile)
    assert [one.line for one in error.mistakes] == sorted(one.line for one in error.mistakes)
    assert error.message.splitlines()[1:] == [f"dogs.toml:{one.line}: {one.message}" for one in error.mistakes]
    return error.mistakes


RIGHT = '[rex]\nname = "Rex"\nage = 3\n'


@pytest.mark.parametrize("text", [RIGHT, "\ufeff" + RIGHT, RIGHT.replace("\n", "\r\n")])
def test_a_right_file(text: str):
    assert read(text) == read(text.encode()) == {"rex": {"name": "Rex", "age": 3}}
    assert read("") == {}


ONE_MISTAKE = [
    # text, line, field, what is said
    (RIGHT.replace("3", "21"), 3, "rex.age", "rex.age must be a whole number from 0 to 20, not 21."),
    (RIGHT + 'story = ""\nlikes = ["balls",\n"balls"]\n', 6, "rex.likes[2]", 'is "balls" a second time'),
    (RIGHT + 'anything = [1, { a = 2 }]\nlikes = ["bone"]\n', 5, "rex.likes[1]", "did you mean bones?"),
    (RIGHT + 'story = " "\n', 4, "rex.story", "is empty; it must say something."),
    (RIGHT + 'nam = "Max"\n', 4, "rex.nam", "is an unknown field; did you mean name?"),
    (RIGHT + 'name = "Max"\n', 4, "rex.name", "is here twice; the first is in line 2."),
    (RIGHT + "[rex]\nage = 99\n", 4, "rex", "is here twice; the first is in line 1."),
    (RIGHT + "story =", 4, "", "This is not TOML: Invalid value (at the end of the file)."),
    (RIGHT + "story = many\n", 4, "", "This is not TOML: Invalid value (column 9)."),
    (RIGHT + "anything = { a = 1, a = 2 }\n", 4, "", "This is not TOML: Duplicate inline table key"),
    (RIGHT + 'likes = ["balls"', 4, "", "This is not TOML: Unclosed array (at the end of the file)."),
    (RIGHT + 'story = """', 4, "", "This is not TOML: "),
    (RIGHT + "anything = " + "[\n" * 90_000, 1, "", "nested too deep"),
    ("age\0 = 1", 1, "", "This is not TOML: "),
    ("rex = " + "[" * 3000, 1, "", "nested too deep"),
    ("age = " + "1" * LONGEST_LINE, 1, "", f"This line has {LONGEST_LINE + 6} characters; a line may have"),
    ("\n\n#" + "é" * (LARGEST_FILE // 2), 1, "", f"a dogs file may have {LARGEST_FILE} at most."),
]


@pytest.mark.parametrize(("text", "line", "field", "said"), ONE_MISTAKE)
def test_a_mistake_names_its_line_and_field(text: str, line: int, field: str, said: str):
    found = mistakes(text)
    assert [(one.line, one.field) for one in found] == [(line, field)]
    assert said in found[0].message


def test_a_file_in_another_encoding():
    found = mistakes('[rex]\nname = "M\xfcde"\n'.encode("latin-1"))
    assert found == [Mistake(2, "", "The file must be UTF-8, and the byte 0xfc in this line is not.")]


def test_all_mistakes_are_listed_in_order():
    text = RIGHT + "name = 5\n[max]\nage = 1.5\n"
    with pytest.raises(DogsFileError) as caught:
        read(text)
    assert caught.value.message == (
        "The dogs in dogs.toml can't be used because of 3 mistakes:\n"
        "dogs.toml:4: rex.name is here twice; the first is in line 2.\n"
        "dogs.toml:5: max.name is missing.\n"
        "dogs.toml:6: max.age must be a whole number from 0 to 20, not 1.5."
    )


def test_duplicates_and_invalid_toml_are_reported_together():
    assert [(one.line, one.field) for one in mistakes(RIGHT + "name = 'Max'\nstory = ?\n")] == [
        (4, "rex.name"),
        (5, ""),
    ]


@settings(max_examples=many(100, 20), deadline=None)
@given(st.text() | st.binary(max_size=50))
@example("a = '\ud800'")
@example('"""' + '\\"""' * 900)
def test_any_text_is_read_or_its_mistakes_are_listed(text: str | bytes):
    try:
        found = [1] if read(text) is not None else []
    except DogsFileError as error:
        found = [one.line for one in error.mistakes]
    assert (
        1
        <= found[0]
        <= found[-1]
        <= (text.encode("utf-8", "replace") if isinstance(text, str) else text).count(b"\n") + 1
    )


def test_an_option_with_the_data_of_a_file():
    data = {"rex": {"name": "Rex", "age": 30}}
    assert option_as_json(data, "dogs") == option_as_json({"rex": dict(data["rex"])}, "dogs")
    check_option([], "dogs")
    with pytest.raises(CardhouseError, match=r"^dogs: rex\.age must be a whole number from 0 to 20, not 30\.$"):
        check_option(wrong_dogs(data), "dogs")
    with pytest.raises(CardhouseError, match=r"^dogs must be plain data: "):
        option_as_json({"rex": object()}, "dogs")


@pytest.mark.parametrize("as_read", [bytes, lambda data: data.decode("utf-8", "replace")], ids=["file", "browser"])
@pytest.mark.parametrize(
    ("data", "line", "said"),
    [
        (b"PK\x03\x04\x14\0xl/workbook\xff", 1, "This is a workbook or a zip file. Save the sheet as “CSV UTF-8”."),
        (b"%PDF-1.4\n%\xe2\xe3", 1, "This is a PDF. Export the table or text that it was made from."),
        (b"{\\rtf1\\ansi [Rex]", 1, "This is a formatted document (RTF). Save it as plain text."),
        (b"\n<!DOCTYPE html>", 1, "This is a web page. Save it as plain text."),
        (b"```toml\n[Rex]\n```\n", 1, "Remove the lines ``` before and after the text: only the text between them is"),
        ("[Rex]\nname = “Rex”\n".encode(), 2, 'Write straight quotes (") around values, not “.'),
        ('[Rex]\nname = "“Rex”"!\n'.encode(), 2, "This is not TOML:"),
    ],
)
def test_another_kind_of_file_is_named_with_what_to_do(as_read, data: bytes, line: int, said: str):
    (found,) = mistakes(as_read(data))
    assert (found.line, found.message[: len(said)]) == (line, said)

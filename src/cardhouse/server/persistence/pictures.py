"""Portraits in SQL. Uploaded pictures are portraits, too, with numbers above those of the drawn ones."""

import json

from sqlalchemy import Connection, delete, func, insert, select, update

from cardhouse.engine import CardhouseError
from cardhouse.engine.values.portraits import FACES, MOST_FACES
from cardhouse.server.persistence import schema
from cardhouse.server.persistence.repository import Store

MOST_PICTURES = 40
"""The pictures that a table can keep."""


def set_face(store: Store, table: str, name: str, face: int, image: bytes | None = None) -> None:
    """Set a name's portrait: 0 for the one that follows from the name, a number above `FACES` for this image.

    Pictures that are no longer used are deleted. Raises CardhouseError if there are too many.
    """
    faces, is_it = schema.tables.c.faces, schema.tables.c.id == table
    with store.changing() as connection:
        chosen = json.loads(connection.scalar(select(faces).where(is_it).with_for_update()) or "{}")
        chosen.pop(name, None)
        chosen = dict([*chosen.items(), (name, face)][-MOST_FACES:]) if face else chosen
        _sweep(connection, table, [one for one in chosen.values() if one >= FACES])
        if image is not None:
            _add(connection, table, name, face, image)
        connection.execute(
            update(schema.tables).where(is_it).values(faces=json.dumps(chosen), changed=schema.tables.c.changed + 1)
        )


def _sweep(connection: Connection, table: str, kept: list[int]) -> None:
    pictures = schema.pictures.c
    connection.execute(delete(schema.pictures).where(pictures.table_id == table, pictures.face.not_in(kept)))


def _add(connection: Connection, table: str, name: str, face: int, image: bytes) -> None:
    pictures = schema.pictures.c
    count = connection.scalar(select(func.count()).select_from(schema.pictures).where(pictures.table_id == table))
    if (count or 0) >= MOST_PICTURES:
        raise CardhouseError(
            f"This table has reached its limit of {MOST_PICTURES} pictures. Choose a drawn portrait for someone first.",
            "full",
        )
    connection.execute(insert(schema.pictures).values(table_id=table, face=face, name=name, image=image))


def picture(store: Store, table: str, face: int) -> tuple[str, bytes] | None:
    """Return the name, in lower case, and the image of a picture; None if there is none with this number."""
    pictures = schema.pictures.c
    which = select(pictures.name, pictures.image).where(pictures.table_id == table, pictures.face == face)
    with store.engine.connect() as connection:
        found = connection.execute(which).one_or_none()
        return None if found is None else (found.name, found.image)

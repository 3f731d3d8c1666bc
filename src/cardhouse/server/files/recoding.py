"""Uploaded pictures, decoded and encoded again by a worker process: nothing of the file itself is kept."""

from importlib.util import find_spec
from io import BytesIO

from cardhouse.engine import CardhouseError

SIDE = 256
"""The pixels along a side of the square that is kept."""
MOST_PIXELS = 4_000_000
"""Larger pictures are refused before they are decoded; the page sends 512 by 512. A WebP takes 16 bytes for each."""
FORMATS = ("PNG", "JPEG", "WEBP")
PAPER = (42, 32, 24)
"""The colour behind transparent pixels."""


def can_recode() -> bool:
    """Return whether Pillow is installed."""
    return find_spec("PIL") is not None


def recoded(file: bytes) -> bytes:
    """Return the middle of a picture as a small square JPEG without metadata.

    Raises CardhouseError if the file isn't a picture in one of these formats, is damaged, or has too many pixels, and
    if Pillow isn't installed.
    """
    if not can_recode():
        raise CardhouseError("Pictures need more packages: pip install 'cardhouse[pictures]'.", "not_installed")
    from PIL import Image, ImageOps

    try:
        with Image.open(BytesIO(file), formats=FORMATS) as image:
            if image.width * image.height > MOST_PIXELS:
                raise CardhouseError(f"This picture has over {MOST_PIXELS // 10**6} million pixels. Make it smaller.")
            image.draft("RGB", (2 * SIDE, 2 * SIDE))  # a JPEG is decoded at about the size that is needed
            whole = image if image.mode in ("RGB", "RGBA") else image.convert("RGBA")
            seen = ImageOps.exif_transpose(ImageOps.fit(whole, (SIDE, SIDE))).convert("RGBA")
    except CardhouseError:
        raise
    except Exception:  # noqa: BLE001 - a damaged file can raise nearly anything in a decoder
        raise CardhouseError("This file isn't a picture in PNG, JPEG or WebP, or it is damaged.") from None
    flat = Image.new("RGB", seen.size, PAPER)
    flat.paste(seen, mask=seen.getchannel("A"))
    made = BytesIO()
    flat.save(made, "JPEG", quality=82)
    return made.getvalue()

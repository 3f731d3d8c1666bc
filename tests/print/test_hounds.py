"""Dogs on paper: the same as on the page, which `web/src/art/hounds.test.ts` sees to."""

import json
from hashlib import sha256
from pathlib import Path
from xml.etree import ElementTree as ET

from cardhouse.print.hounds import dog, dog_of


def test_a_dog_is_the_same_as_on_the_page():
    vectors = json.loads(Path(__file__).with_name("hounds.json").read_text("utf-8"))
    assert len(vectors) > 12
    for of, known, digest in vectors:
        drawn = dog(dog_of(of, known))
        assert sha256(drawn.encode()).hexdigest()[:12] == digest, of
        ET.fromstring(f"<g>{drawn}</g>")
    assert len({digest for *_, digest in vectors}) > 15

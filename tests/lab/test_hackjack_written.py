"""Written policies of Hackjack: the kernel and the rules follow them."""

from __future__ import annotations

import numpy as np
import pytest

from cardhouse.engine import CardhouseError
from cardhouse.games.hackjack.lab.questions import Deadly
from cardhouse.lab.questions.proof import check_trial
from tests.thorough import many

ODD = "hold if score % 3 != 1 and pool < 5 or score + 2*pool > 17"


def test_what_has_a_word_may_be_written():
    for written, word in (
        ("hold if score + pool >= 15", "at 15"),
        ("hold if score + pool != 11", "unless 11"),
        ("hold if 1", "always"),
        ("hold if 0", "never"),
    ):
        one, other = (Deadly(prevent=prevent).rows(4, 0, 400) for prevent in (written, word))
        assert np.array_equal(one, other)


@pytest.mark.soak
def test_the_rules_go_the_same_way():
    asked = Deadly(prevent=ODD)
    for trial in range(many(400, 25)):
        check_trial(asked, 5, trial)
    assert not np.array_equal(asked.rows(5, 0, 200), Deadly(prevent="at 15").rows(5, 0, 200))
    assert asked.exact() == Deadly(prevent="best").exact()


def test_unreadable_policies_are_refused_with_a_reason():
    with pytest.raises(CardhouseError, match=r"has pol, which is not known here; known are score \(the death-score\)"):
        Deadly(prevent="hold if pol > 3").check_settings()
    with pytest.raises(CardhouseError, match="prevent is never, always, at 15"):
        Deadly(prevent="sometimes").check_settings()

"""How alike two documents are in what a translation leaves, against values worked out by hand."""

from __future__ import annotations

import pytest

from polyrag_cli.scoring.versions import counterpart, resemblance, version_likeness


def test_structure_alone_where_there_are_few_marks() -> None:
    # Three of four signs match in order: 2 · 3 / (4 + 4).
    assert version_likeness(("1p2p", (1, 2)), ("1p2c", (1, 2))) == 0.75


def test_the_mean_of_structure_and_marks() -> None:
    # Structure 2 · 3 / 8 = .75; of the three smallest marks of {1, 2, 3, 4} both have 2 and 3: 2/3.
    a, b = ("1p2p", (1, 2, 3)), ("1p2c", (2, 3, 4))
    assert version_likeness(a, b) == version_likeness(b, a) == round((0.75 + 2 / 3) / 2, 6)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ((), (1,), 0.0),
        ((1, 2), (1, 2), 1.0),
        # The three smallest of {1, 2, 3, 4} are 1, 2, 3; both have 2 and 3.
        ((1, 2, 3), (2, 3, 4), 2 / 3),
        ((1, 3), (2, 4), 0.0),
    ],
)
def test_resemblance_of_sketches(a: tuple[int, ...], b: tuple[int, ...], expected: float) -> None:
    assert resemblance(a, b) == pytest.approx(expected)


def test_marks_do_not_stand_in_for_structure() -> None:
    # Structure 2 · 1 / 8 = .25, and all marks.
    assert version_likeness(("1ppp", (1, 2, 3)), ("cct1", (1, 2, 3))) == 0.25


def test_no_structure_is_like_nothing() -> None:
    assert version_likeness(("", ()), ("", ())) == 0.0


def test_the_counterpart_is_alike_and_near() -> None:
    # .9 - .5 = .4, .8 - .1 = .7, .6 - 0 = .6
    assert counterpart((0.9, 0.8, 0.6), (0.9, 0.5, 0.4), 0.4) == 1
    # Without vectors the nearest place, the first of equals.
    assert counterpart((0.0, 0.0, 0.0), (0.1, 0.3, 0.5), 0.4) == 1
    assert counterpart((), (), 0.4) is None

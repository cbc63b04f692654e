"""How alike two documents are in what a translation leaves, against values worked out by hand."""

from __future__ import annotations

import pytest

from polyrag_cli.scoring.versions import counterpart, resemblance, version_likeness


@pytest.mark.parametrize(
    ("a", "b", "likeness"),
    [
        (("1p2p", (1, 2)), ("1p2p", (1, 2)), 1.0),
        (("1p2p", (1, 2)), ("1p2c", (1, 2)), 0.0),
        (("1p2p", (1,)), ("1p2p", (1,)), 0.0),
        (("1p2p", (28,)), ("1p2p", (22,)), 0.0),
        (("1p2p1p2p", ()), ("1p2p1p2p", ()), 1.0),
        (("1p2p", ()), ("1p2p", ()), 0.0),
    ],
)
def test_few_marks_have_to_be_the_same(
    a: tuple[str, tuple[int, ...]], b: tuple[str, tuple[int, ...]], likeness: float
) -> None:
    assert version_likeness(a, b) == likeness


def test_the_less_of_structure_and_marks() -> None:
    # Structure 2 · 3 / 8 = .75; of the three smallest marks of {1, 2, 3, 4} both have 2 and 3: 2/3.
    a, b = ("1p2p", (1, 2, 3)), ("1p2c", (2, 3, 4))
    assert version_likeness(a, b) == version_likeness(b, a) == round(2 / 3, 6)


def test_long_structures_are_compared_by_their_beginning() -> None:
    assert version_likeness(("1" + "p" * 2000, (1, 2, 3)), ("1" + "p" * 1999 + "c", (1, 2, 3))) == 1.0


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

"""The quick way to read a column of numbers reads what the thorough one reads."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from polyrag_cli.tables.quantities import numeric_cells, plain_quantities, quantities

_plain = st.one_of(
    st.integers(-(10**6), 10**9).map(str),
    st.decimals(-9999, 99999, places=2).map(str),
    st.from_regex(r"-?[0-9]{1,4}\.[0-9]{1,4}", fullmatch=True),
    st.sampled_from(["", "NA", "0", "-0", "0.125", "1.234"]),
)
_odd = st.sampled_from(["-", "n/a", "007", "1,5", "12 kg", "x", "1.234.567", "(3)"])


@given(st.one_of(st.lists(_plain, min_size=1, max_size=9), st.lists(st.one_of(_plain, _odd), min_size=1, max_size=9)))
def test_both_ways_agree(texts: list[str]) -> None:
    counts = Counter(texts)
    quick = plain_quantities(counts)
    if quick is None:
        return
    cells = numeric_cells(counts, {}, "en")
    assert cells is not None
    thorough = quantities(counts, cells, None, "en")
    assert quick == thorough
    assert [type(value) for value in quick.read.values()] == [type(value) for value in thorough.read.values()]


def test_what_the_quick_way_leaves_to_the_thorough_one() -> None:
    for texts in (["1.234", "15.000"], ["007"], ["1,5"], ["12 kg"], ["x"], ["", "-"], ["1" * 16]):
        assert plain_quantities(Counter(texts)) is None
    found = plain_quantities(Counter(["3", "", "-7", "N/A"]))
    assert found is not None
    assert (found.type, tuple(found.read.values())) == ("integer", (3, None, -7, None))
    found = plain_quantities(Counter(["3", "1.250", "0.5"]))
    assert found is not None
    assert (found.type, tuple(found.read.values()), found.decimal, found.decimals) == (
        "number",
        (3.0, 1.25, 0.5),
        ".",
        3,
    )

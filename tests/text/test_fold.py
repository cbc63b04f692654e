"""Folding: what becomes equal, what survives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyrag_cli.text.fold import fold, fold_word


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Produção  ANUAL\n", "producao anual"),
        ("produc\u0327a\u0303o", "producao"),
        ("Straße ŁÓDŹ Æther", "strasse lodz aether"),
        ("Ёлка Άλφα", "елка αλφα"),
        ("हिन्दी", "हिन्दी"),
        ("한국어", "한국어"),
        ("が", "が"),
        ("a\x00b\ud800c\ufeff", "a b c"),
        ("KR\u201107 d\u2019água", "kr-07 d'agua"),
        ("ﬁm ２０", "fim 20"),
        ("co\u00adoperar", "cooperar"),
        ("", ""),
    ],
)
def test_folds(text: str, folded: str) -> None:
    assert fold(text) == folded
    assert fold_word(text) == folded


@given(st.text(st.characters(codec=None)))
def test_folding_is_idempotent_and_clean(text: str) -> None:
    folded = fold(text)
    assert fold(folded) == folded
    assert folded == " ".join(folded.split())
    assert not any(0xD800 <= ord(c) <= 0xDFFF or c == "\x00" for c in folded)

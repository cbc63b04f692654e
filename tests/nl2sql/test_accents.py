from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.accents import accented


@pytest.mark.parametrize(
    ("folded", "expected"),
    [
        ("espetaculo", "espetáculo"),
        ("sessoes", "sessões"),
        ("manutencao", "manutenção"),
        ("manutencoes", "manutenções"),
        ("salarios", "salários"),
        ("inicio", "início"),
        ("tecnicas", "técnicas"),
        ("ocorrencia", "ocorrência"),
        ("valor", "valor"),
        ("sao", "são"),
        ("revenue", "revenue"),
    ],
)
def test_accented(folded: str, expected: str) -> None:
    assert accented(folded, "pt") == accented(folded, "und") == expected

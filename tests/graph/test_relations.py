import pytest

from polyrag_cli.graph.mentions import passage_graph
from polyrag_cli.types import Chunk


def _said(text: str, language: str) -> list[tuple[str, str, str]]:
    chunk = Chunk("c" * 16, "d.md", 0, 0, len(text), text, language=language)
    return [(r.subject_name, r.verb, r.object_name) for r in passage_graph(chunk).relations]


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [
        ("Rule K-7 depends on Orla Gate.", "en", [("Rule K-7", "depends on", "Orla Gate")]),
        ("Tove Aldgate owns Mill Brindle.", "en", [("Tove Aldgate", "owns", "Mill Brindle")]),
        ("O Portal Azul depende do Cofre Norte.", "pt", [("Portal Azul", "depende do", "Cofre Norte")]),
        (
            "A Usina Branca foi comprada pelo Grupo Lontra.",
            "pt",
            [("Usina Branca", "foi comprada pelo", "Grupo Lontra")],
        ),
        ("El Taller Azul depende del Cofre Norte.", "es", [("Taller Azul", "depende del", "Cofre Norte")]),
        ("Hanna Brandt gründete Werft Nord.", "de", [("Hanna Brandt", "gründete", "Werft Nord")]),
        ("Mill Brindle and Mill Harrow closed.", "en", []),
        ("Ana Reis, whose cousin owns boats near Porto Alto, left.", "en", []),
        ("Ana Reis saw Ana Reis.", "en", []),
        ("Ana Reis is Ana Reis.", "en", []),
    ],
)
def test_relations(text: str, language: str, said: list[tuple[str, str, str]]) -> None:
    assert _said(text, language) == said

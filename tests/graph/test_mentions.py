import pytest

from polyrag_cli.graph.mentions import passage_graph
from polyrag_cli.types import BlockKind, Chunk


def _chunk(
    text: str, language: str = "en", title: str = "", heading: str = "", start: int = 0, kind: BlockKind = "paragraph"
) -> Chunk:
    return Chunk("c" * 16, "d.md", 0, start, start + len(text), text, heading, title, None, kind, language)


def _names(text: str, language: str = "en") -> list[tuple[str, str]]:
    return [(m.name, m.kind) for m in passage_graph(_chunk(text, language)).mentions]


@pytest.mark.parametrize(
    ("text", "language", "names"),
    [
        ("We met Ana Paula Reis in Porto.", "en", [("Ana Paula Reis", "name"), ("Porto", "name")]),
        ("The University of Oster opened.", "en", [("University of Oster", "name")]),
        ("Ontem a Fundição da Serra Alta fechou.", "pt", [("Ontem", "initial"), ("Fundição da Serra Alta", "name")]),
        ("Rain fell on John F. Kent.", "en", [("Rain", "initial"), ("John F. Kent", "name")]),
        ("He saw IBQ and K-7 there.", "en", [("IBQ", "acronym"), ("K-7", "identifier")]),
        ("O app_v2 chama o KR-07.", "pt", [("KR-07", "identifier"), ("app_v2", "identifier")]),
        ("Read Rule K-7 now.", "en", [("Read Rule K-7", "name"), ("K-7", "identifier")]),
        ("They like Rosa's boats.", "en", [("Rosa", "name")]),
        ("the Apollo 11 crew left in May 1969.", "en", [("Apollo 11", "name"), ("May", "name")]),
        ("ATENÇÃO: TODOS OS SETORES DEVEM SAIR DO KR-07.", "pt", [("KR-07", "identifier")]),
        ("Ana, Rui and Eva came.", "en", [("Ana", "initial"), ("Rui", "name"), ("Eva", "name")]),
        (
            "Die Werft in Bremen leitet Jonas Petersen.",
            "de",
            [("Bremen", "name"), ("Jonas Petersen", "name"), ("Werft", "noun")],
        ),
        ("Neue Maschinen prüft Wiese.", "de", [("Neue Maschinen", "initial"), ("Wiese", "name")]),
        ("Weber und Lang prüfen jede Rechnung.", "de", [("Weber", "initial"), ("Lang", "name"), ("Rechnung", "noun")]),
        ("これは東京です。", "und", []),
        ("", "und", []),
    ],
)
def test_capital_spans(text: str, language: str, names: list[tuple[str, str]]) -> None:
    assert _names(text, language) == names


def test_offsets_are_the_documents() -> None:
    chunk = _chunk("Fog came. Later Ana Reis left.", start=100)
    graph = passage_graph(chunk)
    assert [(s.start, s.end) for s in graph.sentences] == [(100, 109), (110, 130)]
    ana = next(m for m in graph.mentions if m.key == "ana reis" or m.key == "later ana reis")
    assert chunk.text[ana.start - 100 : ana.end - 100] == ana.name
    assert ana.sentence == 1


def test_the_most_specific_heading_weighs_most() -> None:
    graph = passage_graph(_chunk("Text.", title="Manual", heading="Suppliers › Supplier Kestrel"))
    assert {t.key: t.weight for t in graph.titles} == {"supplier kestrel": 1.0, "suppliers": 0.6, "manual": 0.6}
    assert graph.title_words == ("manual", "suppliers", "supplier", "kestrel")


def test_lines_of_a_table_are_its_sentences() -> None:
    graph = passage_graph(_chunk("| a. b | c |\n\n| d | e |", kind="table"))
    assert [(s.start, s.end) for s in graph.sentences] == [(0, 12), (14, 23)]


def test_a_passage_depends_on_nothing_but_itself() -> None:
    chunk = _chunk("Tove Aldgate owns Mill Brindle.")
    first = passage_graph(chunk)
    passage_graph(_chunk("Aldgate Mill. Tove."))
    assert passage_graph(chunk) == first


def test_words_and_stems_of_a_sentence() -> None:
    sentence = passage_graph(_chunk("As reuniões de Ávila.", "pt")).sentences[0]
    assert sentence.words == ("as", "reunioes", "de", "avila")
    assert sentence.stems == tuple(sorted(sentence.stems))
    assert len(sentence.stems) == 2

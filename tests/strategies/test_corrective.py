from __future__ import annotations

from polyrag_cli.strategies.corrective import INSUFFICIENT, CorrectiveStrategy, around_names
from polyrag_cli.text.utterance import read
from tests.strategies.library import Library, decision


def test_a_confirmed_statement_keeps_its_salient_sentences(library: Library) -> None:
    with library.context() as context:
        query = library.query("Marta Quill keeps the bees calm with smoke.")
        retrieval = CorrectiveStrategy().retrieve(query, decision(), context)
    assert [hit.heading for hit in retrieval.hits] == ["Hives"]
    assert retrieval.warnings == ()
    assert retrieval.hits[0].score >= 0.6
    (span,) = retrieval.hits[0].quotes
    assert library.texts["bees.md"][slice(*span)] == "Marta Quill keeps the bees calm with smoke."


def test_without_support_nothing_is_returned_but_a_warning(library: Library) -> None:
    with library.context() as context:
        retrieval = CorrectiveStrategy().retrieve(library.query("Volcanoes erupt on Jupiter"), decision(), context)
    assert retrieval.hits == ()
    assert retrieval.warnings == (INSUFFICIENT,)


def test_ambiguous_evidence_is_searched_again(library: Library) -> None:
    with library.context() as context:
        query = library.query("pears ripen in jars")
        retrieval = CorrectiveStrategy().retrieve(query, decision(), context)
    assert retrieval.warnings == ("evidence is ambiguous; searched again",)
    assert retrieval.hits[0].heading == "Pears"
    assert all(hit.score >= 0.4 for hit in retrieval.hits)


def test_reformulation_puts_names_first() -> None:
    assert around_names(read("Is it true that the rule covers Marta Quill?", "en")) == "Marta Quill true rule covers"

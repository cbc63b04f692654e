import math
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest
from memory_corpus import HONEY, PASSAGES, MemoryCorpus, TopicEmbedder, column, default_routes

from polyrag_cli.config.sections import Route, RoutingSettings
from polyrag_cli.routing.evidence.reader import EvidenceReader
from polyrag_cli.routing.inputs import ClauseEvidence
from polyrag_cli.text.utterance import read
from polyrag_cli.types import Evidence, TableSchema

PLAIN = RoutingSettings(heading_weight=0.0, entity_weight=0.0)


def evidence(
    corpus: MemoryCorpus, text: str, settings: RoutingSettings = PLAIN, routes: list[Route] | None = None,
    vector: bool = True,
) -> ClauseEvidence:  # fmt: skip
    reader = EvidenceReader(routes or default_routes(), settings)
    asked = corpus.embedder.embed_query(text) if vector else None
    return reader.read(read(text), asked, corpus.snapshot(), corpus.stores, corpus)


def test_text_evidence_by_hand() -> None:
    corpus = MemoryCorpus([("", "kettle lamp", "vectorial", ()), ("", "ladder", "graph", ())])
    found = evidence(corpus, "kettle ladder")
    # Each term is in one of two chunks: idf = ln(1.5 / 1.5 + 1) = ln 2, so each chunk covers half.
    # Lengths 2 and 1, average 1.5: BM25 of "kettle" = ln 2 · 2.5 / (1 + 1.5·(.25 + .75·2/1.5)) = ln 2 · 2.5 / 2.875.
    # All words fall on the same axis: the cosines are 1.
    expected = 0.5 * 0.5 + 0.25 * (2.5 / 2.875) / 2 + 0.25 * 1.0
    assert found.routes["vectorial"].score == pytest.approx(expected, abs=1e-6)
    assert found.known == 1.0


def test_evidence_is_split_into_its_parts() -> None:
    corpus = MemoryCorpus(
        [("Kettle", "kettle lamp", "vectorial", ()), ("", "ladder", "graph", ())], entities=("Kettle",)
    )
    settings = RoutingSettings(heading_weight=0.1, entity_weight=0.2)
    found = evidence(corpus, "kettle ladder", settings).routes["vectorial"]
    # As above, but with lengths 3 and 1: "kettle" is met twice, ln 2 · 2 · 2.5 / (2 + 1.5·(.25 + .75·3/2)).
    assert {term.name: term.value for term in found.terms} == {
        "coverage": 0.25,
        "bm25": pytest.approx(0.25 * 5 / (2 + 1.5 * (0.25 + 0.75 * 1.5)) / 2, abs=1e-6),
        "cosine": 0.25,
        "heading": 0.05,
        "entity": 0.2,
    }
    assert added(found) == Decimal(str(found.score))


def test_parts_add_up_to_the_last_digit(corpus: MemoryCorpus) -> None:
    for question in ("Who may approve a new hive?", "steam from Wells", "advice on a swarm", "litres", "orchard hive"):
        for vector in (True, False):
            for found in evidence(corpus, question, RoutingSettings(), vector=vector).routes.values():
                assert added(found) == Decimal(str(found.score))


def added(found: Evidence) -> Decimal:
    return sum((Decimal(str(term.value)) for term in found.terms), Decimal(0))


def test_words_that_no_store_holds_leave_the_rest_to_the_cosine() -> None:
    corpus = MemoryCorpus([("", "kettle", "vectorial", ())])
    found = evidence(corpus, "kettle chaleira")
    # idf: ln(2 / 1.5) for the known word, ln(2 / .5) for the other.
    known = math.log(2 / 1.5) / (math.log(2 / 1.5) + math.log(4))
    assert found.known == pytest.approx(known, abs=1e-6)
    idf_known, idf_other = math.log(0.5 / 1.5 + 1), math.log(1.5 / 0.5 + 1)
    share = idf_known / (idf_known + idf_other)
    by_words = 0.5 * share + 0.25 * share * 1.0 + 0.25
    assert found.routes["vectorial"].score == pytest.approx(known * by_words + (1 - known) * 1.0, abs=1e-6)


def test_each_route_hears_its_own_homes(corpus: MemoryCorpus) -> None:
    found = evidence(corpus, "Who may approve a new hive?")
    assert found.routes["graph"].score > found.routes["vectorial"].score
    assert found.text == found.routes["graph"].score


def test_a_passage_with_two_homes_speaks_for_both() -> None:
    corpus = MemoryCorpus([("", "kettle", "vectorial", ("graph",))])
    found = evidence(corpus, "kettle")
    assert found.routes["graph"] == found.routes["vectorial"]


def test_a_route_without_chunk_anchors_hears_its_whole_store(corpus: MemoryCorpus) -> None:
    added = Route("care", "vector", "auto", 0.9, 0.1, 0.5, question_anchors=("swarm",))
    found = evidence(corpus, "advice on a swarm", routes=[*default_routes(), added])
    assert found.routes["care"] == found.routes["vectorial"]
    chosen = replace(added, chunk_anchors=("a swarm hangs in a tree",))
    assert "care" not in evidence(corpus, "advice on a swarm", routes=[*default_routes(), chosen]).routes


def test_a_home_that_is_configured_away_is_plain_text() -> None:
    corpus = MemoryCorpus([("", "kettle", "gone", ())])
    assert set(evidence(corpus, "kettle").routes) == {"vectorial"}


def test_headings_and_entities_add_and_give_the_name(corpus: MemoryCorpus) -> None:
    settings = RoutingSettings(heading_weight=0.1, entity_weight=0.2)
    bare = evidence(corpus, "Extractor steam")
    rich = evidence(corpus, "Extractor steam", settings)
    idf = math.log(5 / 1.5)
    assert rich.routes["graph"].kind == "entity"
    assert rich.routes["graph"].name == "Extractor"
    assert rich.routes["graph"].score - bare.routes["graph"].score == pytest.approx(
        0.1 * idf / (2 * idf) + 0.2, abs=2e-6
    )
    swarms = evidence(corpus, "swarm", settings).routes["vectorial"]
    assert (swarms.kind, swarms.name) == ("heading", "Swarms")


def test_an_entity_is_met_as_whole_words_only() -> None:
    corpus = MemoryCorpus([("", "The banana split.", "graph", ())], entities=("Ana",))
    assert evidence(corpus, "Ana banana", RoutingSettings()).routes["graph"].kind == "text"


def test_table_evidence_names_what_was_met(corpus: MemoryCorpus) -> None:
    found = evidence(corpus, "total litres from Orchard")
    assert found.table == pytest.approx(1.0)
    assert found.routes["relational"].name in {"Orchard", "litres"}


def test_a_lone_value_counts_half() -> None:
    corpus = MemoryCorpus(PASSAGES, [HONEY])
    whole = evidence(corpus, "stroll orchard meadow", replace(PLAIN, lone_value_factor=1.0))
    half = evidence(corpus, "stroll orchard meadow")
    assert whole.routes["relational"].kind == "value"
    assert half.table == pytest.approx(whole.table / 2, abs=1e-6)
    assert [term.name for term in whole.routes["relational"].terms] == ["coverage"]
    assert [(term.name, term.value) for term in half.routes["relational"].terms] == [
        ("coverage", whole.table),
        ("lone_value", pytest.approx(-whole.table / 2, abs=1e-6)),
    ]


def test_without_a_vector_words_carry_the_full_scale() -> None:
    corpus = MemoryCorpus([("", "kettle", "vectorial", ())])
    found = evidence(corpus, "kettle", vector=False)
    # Coverage 1 and BM25 over Σidf 1 (one term, average length): (.5 + .25) / .75.
    assert found.routes["vectorial"].score == pytest.approx(1.0, abs=1e-6)


def test_no_evidence_at_all() -> None:
    found = evidence(MemoryCorpus([]), "kettle")
    assert (dict(found.routes), found.table, found.text, found.known, found.ingested) == ({}, 0.0, 0.0, 0.0, False)
    assert evidence(MemoryCorpus([("", "lamp", "vectorial", ())]), "kettle").ingested
    assert evidence(MemoryCorpus([], (HONEY,)), "kettle").ingested


def test_what_depends_on_the_generation_is_read_once(corpus: MemoryCorpus) -> None:
    reader = EvidenceReader(default_routes(), PLAIN)

    def ask(generation: int) -> float:
        vector = np.zeros(TopicEmbedder.dimension, dtype=np.float32)
        return reader.read(read("litres"), vector, corpus.snapshot(generation), corpus.stores, corpus).table

    assert [ask(1), ask(1)] == [1.0, 1.0]
    assert corpus.schema_reads == 2
    corpus.tables = (TableSchema("jars", "jars.csv", "jars", (column("lids"),), 3),)
    assert ask(2) == 0.0
    corpus.tables, corpus.token = (HONEY,), "another"
    assert ask(2) == 1.0
    assert corpus.schema_reads == 6


def test_names_that_no_store_holds_are_told() -> None:
    corpus = MemoryCorpus([("", "the kettle of Évora", "vectorial", ())])
    assert evidence(corpus, "Who mended the kettle of Evora?").unknown_names == ()
    assert evidence(corpus, "Who mended the kettle of Wells?").unknown_names == ("Wells",)
    assert evidence(corpus, "Who mended the kettle of wells?").unknown_names == ()

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.nl2sql.evidence import table_evidence
from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.text.utterance import read
from tests.nl2sql.tables import MemoryStore, typed

INDEX = SchemaIndex(MemoryStore(typed()).schemas(None))


def test_a_question_of_a_table_is_explained_by_it() -> None:
    best = table_evidence(read("Qual o valor dos pedidos de Natal?", "pt"), INDEX)[0]
    assert (best.table, best.coverage, best.kind, best.name) == ("pedidos", 1.0, "value", "Natal")


def test_operation_words_and_numbers_are_left_out() -> None:
    best = table_evidence(read("Qual a média e a soma total acima de 300 em Leeds?", "pt"), INDEX)[0]
    assert (best.table, best.words, best.coverage) == ("staff", ("leeds",), 1.0)


def test_a_word_that_no_table_knows_weighs_most() -> None:
    best = table_evidence(read("Qual a política de entrega de pedidos?", "pt"), INDEX)[0]
    assert best.table == "pedidos"
    assert best.coverage < 0.7


def test_nothing_in_common_gives_nothing() -> None:
    assert table_evidence(read("Quem descobriu a penicilina?", "pt"), INDEX) == []
    assert table_evidence(read("", "und"), INDEX) == []
    assert table_evidence(read("Qual o valor?", "und"), SchemaIndex(())) == []


def test_a_near_label_counts_its_cosine() -> None:
    def similar(words: Sequence[str], labels: Sequence[str]) -> NDArray[np.float32]:
        return np.array([[0.6 if label == "usina" else 0.1 for label in labels] for _ in words], dtype=np.float32)

    best = table_evidence(read("plant", "en"), INDEX, similar)[0]
    assert (best.table, best.kind, best.name, best.coverage) == ("energia_2024", "column", "usina", 0.6)


def test_a_far_label_counts_nothing() -> None:
    def similar(words: Sequence[str], labels: Sequence[str]) -> NDArray[np.float32]:
        return np.full((len(words), len(labels)), 0.49, dtype=np.float32)

    assert table_evidence(read("plant", "en"), INDEX, similar) == []

import random

import numpy as np
import pytest

from polyrag_cli.graph.arrays import GraphArrays, Matrix
from polyrag_cli.graph.mentions import passage_graph
from polyrag_cli.text.utterance import read
from polyrag_cli.types import Chunk
from tests.graph import corpus
from tests.graph.corpus import build_arrays


def _arrays() -> GraphArrays:
    return build_arrays([passage_graph(chunk) for chunk in corpus.chunks()], 3)


def _small(*entries: tuple[str, str], language: str = "en") -> GraphArrays:
    chunks = [
        Chunk(f"{i:016x}", "d.md", i, 0, len(text), text, title=title, language=language)
        for i, (title, text) in enumerate(entries)
    ]
    return build_arrays([passage_graph(chunk) for chunk in chunks], 1)


def _row(arrays: GraphArrays, matrix: Matrix, key: str) -> dict[int, float]:
    columns, values = matrix.row(arrays.entity_keys.index[key])
    return dict(zip(columns.tolist(), np.round(values.astype(float), 6).tolist(), strict=True))


def test_mention_weights() -> None:
    arrays = _small(
        ("Tove Aldgate", "She mills. Rain fell."),
        ("Oster", "The miller Aldgate met Tove Aldgate. A tove aldgate is rare."),
        ("", "In May Aldgate spoke."),
    )
    # Sentences: 0, 1 of the first passage; 2, 3 of the second; 4 of the third.
    assert _row(arrays, arrays.mentions, "tove aldgate") == {0: 1.0, 1: 1.0, 2: 1.0, 3: 0.5}
    # "Aldgate" is a name elsewhere: .6 inside the title, 1 where it stands alone, .5 nested in lower case.
    assert _row(arrays, arrays.mentions, "aldgate")[0] == 0.6
    assert _row(arrays, arrays.mentions, "aldgate")[3] == 0.5


def test_where_nouns_have_capitals_most_uses_say_what_is_a_name() -> None:
    arrays = _small(
        ("", "Gebaut wird mit Holz aus Bremen. Jedes Holz wird geprüft, das Holz liegt im Lager."),
        ("", "In Bremen lagert Mehl."),
        ("Werft", "Heute gehört die Werft niemandem. Wer kennt die Werft?"),
        language="de",
    )
    # "Holz" is once used as a name would be, and twice as a noun; "Mehl" never as a noun; what titles a passage is one.
    assert sorted(arrays.entity_keys) == ["bremen", "mehl", "werft"]


def test_a_name_is_shown_as_it_is_mostly_written() -> None:
    arrays = _small(
        ("", "We met Tove Aldgate. So TOVE ALDGATE spoke of rye."), ("", "He saw Tove Aldgate. Then Sund-Oster.")
    )
    assert arrays.entity_names[arrays.entity_keys.index["tove aldgate"]] == "Tove Aldgate"
    tied = _small(("", "We met Lund."), ("", "They met LUND."))
    assert tied.entity_names[tied.entity_keys.index["lund"]] == "LUND"


def test_entity_idf_counts_passages() -> None:
    arrays = _small(("Oster", "Kestrel. It is Kestrel."), ("Sund", "The Kestrel flew."), ("Lund", "Nothing."))
    idf = arrays.entity_idf[arrays.entity_keys.index["kestrel"]]
    assert idf == pytest.approx(np.log(1 + 3 / 2), abs=1e-6)


def test_a_sentence_start_is_a_name_only_when_met_elsewhere() -> None:
    arrays = _small(("", "Harbour walls fell."), ("", "Millers sang. They met the Millers."))
    assert "harbour" not in arrays.entity_keys.index
    assert _row(arrays, arrays.mentions, "millers") == {1: 1.0, 2: 1.0}


def test_an_acronym_links_to_its_name() -> None:
    arrays = _small(("", "He joined the Oster Rye Board."), ("", "The ORB met."))
    assert _row(arrays, arrays.mentions, "orb") == {0: pytest.approx(0.7), 1: 1.0}
    assert _row(arrays, arrays.mentions, "oster rye board") == {0: 1.0, 1: pytest.approx(0.7)}


def test_link_strength_of_one_rare_name() -> None:
    arrays = _small(("", "He saw Kestrel."), ("", "No one."), ("", "Nothing."), ("", "We met Kestrel."))
    walk = arrays.walk
    expected = (np.log(1 + 4 / 2) / np.log(1 + 4)) ** 1.3
    assert walk.link_indptr.tolist() == [0, 1, 1, 1, 2]
    assert walk.link_strengths.tolist() == pytest.approx([expected, expected], abs=1e-6)
    assert walk.bearer_sentences.tolist() == [0, 3]
    assert walk.bearer_bonus.tolist() == [1.0, 1.0]


def test_a_name_in_too_many_passages_links_nothing() -> None:
    arrays = _small(*(("", f"He saw Kestrel number {i}.") for i in range(21)))
    assert len(arrays.walk.link_entities) == 0
    assert len(_row(arrays, arrays.mentions, "kestrel")) == 21


def test_passages_of_one_title_are_one_article() -> None:
    arrays = _small(("Oster", "A."), ("Sund", "B."), ("Oster", "C."))
    assert arrays.walk.article.tolist() == [0, 1, 0]


def test_order_of_the_passages_changes_no_bit() -> None:
    passages = [passage_graph(chunk) for chunk in corpus.chunks()]
    first = build_arrays(passages, 3)
    random.Random(5).shuffle(passages)
    second = build_arrays(passages, 3)
    assert [first.chunk_ids[i] for i in range(first.passages)] == [second.chunk_ids[i] for i in range(second.passages)]
    for name in ("node_indptr", "node_targets", "node_weights", "link_entities", "link_strengths", "bearer_weights"):
        assert getattr(first.walk, name).tobytes() == getattr(second.walk, name).tobytes()
    assert first.postings.data.tobytes() == second.postings.data.tobytes()


def test_blocks_of_passages_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = _arrays()
    for size in (1, 2, 5):
        monkeypatch.setattr("polyrag_cli.graph.build.BLOCK_PASSAGES", size)
        parts = _arrays()
        assert parts.term_idf.tobytes() == whole.term_idf.tobytes()
        for name in ("indptr", "indices", "data"):
            assert getattr(parts.postings, name).tobytes() == getattr(whole.postings, name).tobytes()
            assert getattr(parts.postings, name).dtype == getattr(whole.postings, name).dtype


def test_the_graph_of_nodes_is_symmetric() -> None:
    walk = _arrays().walk
    sources = np.repeat(np.arange(len(walk.node_indptr) - 1), np.diff(walk.node_indptr))
    edges = {(int(a), int(b)): float(w) for a, b, w in zip(sources, walk.node_targets, walk.node_weights, strict=True)}
    assert edges
    assert all(edges[b, a] == weight for (a, b), weight in edges.items())


def test_no_passages_give_empty_arrays() -> None:
    arrays = build_arrays([], 1)
    assert (arrays.passages, arrays.sentences, len(arrays.entity_keys)) == (0, 0, 0)
    assert arrays.match(read("Where is Kestrel?")) == []


def test_a_passage_without_words() -> None:
    arrays = _small(("", "!!!"), ("", ""))
    assert arrays.passages == 2
    assert len(arrays.terms) == 0


def test_a_word_of_the_title_counts_a_little_less_than_one_in_the_sentence() -> None:
    arrays = _small(("Harbour", "It froze. The harbour closed."))
    sentences, values = arrays.postings.row(arrays.terms.index["harbour"])
    assert sentences.tolist() == [0, 1]
    assert values.tolist() == pytest.approx([0.9, 1.0], abs=1e-6)


def test_an_edge_to_a_title_weighs_three_times_the_idf() -> None:
    walk = _small(("Kestrel", "It flew."), ("", "We saw Kestrel.")).walk
    # Nodes: two passages, then Kestrel, in both of them: idf ln 2.
    assert walk.node_targets.tolist() == [2, 2, 0, 1]
    assert walk.node_weights.tolist() == pytest.approx([3 * np.log(2), np.log(2), 3 * np.log(2), np.log(2)], abs=1e-6)

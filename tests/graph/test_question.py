import numpy as np
import pytest

from polyrag_cli.graph.arrays import GraphArrays
from polyrag_cli.graph.mentions import passage_graph
from polyrag_cli.graph.question import anchors, question_on, trigram_codes, trigrams_of
from polyrag_cli.text.utterance import read
from polyrag_cli.types import Chunk
from tests.graph import corpus
from tests.graph.corpus import build_arrays


@pytest.fixture(scope="module")
def arrays() -> GraphArrays:
    return build_arrays([passage_graph(chunk) for chunk in corpus.chunks()], 1)


def test_weights_sum_to_one_and_coverage_is_a_share(arrays: GraphArrays) -> None:
    question = question_on(arrays, read("Where was the owner of Mill Brindle born?", "en"))
    assert question.coverage.shape == (arrays.sentences, len(question.weights))
    assert float(question.weights.sum()) == pytest.approx(1.0, abs=1e-6)
    assert question.coverage.min() >= 0.0
    assert question.coverage.max() <= 1.0


def test_anchor_offsets(arrays: GraphArrays) -> None:
    text = "Onde fica o Moinho Pedral?"
    (anchor,) = anchors(arrays, read(text))
    assert text[anchor.start : anchor.end] == "Moinho Pedral"
    assert arrays.entity_names[anchor.entity] == "Moinho Pedral"


def test_a_title_covers_all_sentences_of_its_passage(arrays: GraphArrays) -> None:
    question = question_on(arrays, read("Mill Brindle", "en"))
    within = arrays.sentences_of(corpus.number("Mill Brindle"))
    assert (question.coverage[within.start : within.stop].max(axis=1) >= 0.9).all()


def test_stems_of_the_other_language_are_tried(arrays: GraphArrays) -> None:
    # "chapels" is English in a question that is said to be Portuguese.
    question = question_on(arrays, read("chapels", "pt"))
    holding = {
        arrays.chunk_ids[int(arrays.walk.sentence_passage[s])] for s in np.flatnonzero(question.coverage.max(axis=1))
    }
    assert f"{corpus.number('Quarnby'):016x}" in holding


def test_a_misspelt_word_meets_its_nearest_term(arrays: GraphArrays) -> None:
    question = question_on(arrays, read("chemistri lessons", "en"))
    assert len(question.weights) == 1
    passages = set(arrays.walk.sentence_passage[np.flatnonzero(question.coverage[:, 0])].tolist())
    assert passages == {corpus.number("Tove Aldgate")}


def test_a_word_that_is_only_a_little_alike_meets_nothing(arrays: GraphArrays) -> None:
    # "chestnut" shares " ch", "che" and no more with "chemistri".
    assert question_on(arrays, read("chestnut", "en")).coverage.shape[1] == 0


def test_one_common_word_in_lower_case_is_no_name() -> None:
    texts = ["We saw Kestrel.", "He met Kestrel.", "It is Kestrel.", "Rain.", "She saw Lodestar."]
    chunks = [Chunk(f"{i:016x}", "d.md", i, 0, len(text), text, language="en") for i, text in enumerate(texts)]
    arrays = build_arrays([passage_graph(chunk) for chunk in chunks], 1)
    named = [arrays.entity_names[a.entity] for a in anchors(arrays, read("is kestrel or lodestar here"))]
    assert named == ["Lodestar"]
    assert [arrays.entity_names[a.entity] for a in anchors(arrays, read("is Kestrel here"))] == ["Kestrel"]


def test_a_question_of_unknown_words_covers_nothing(arrays: GraphArrays) -> None:
    question = question_on(arrays, read("zyxwvut?", "en"))
    assert question.coverage.shape == (arrays.sentences, 0)
    assert len(question.anchors) == 0


@pytest.mark.parametrize("text", ["", "?!", "東京", "\ud800", "the of de"])
def test_questions_without_content(arrays: GraphArrays, text: str) -> None:
    assert len(question_on(arrays, read(text, "und")).weights) == 0


def test_a_question_as_long_as_a_book_is_cut(arrays: GraphArrays) -> None:
    text = "Mill Brindle " + "rye wheat grain coast village chapel " * 3000 + "Vestrey"
    question = question_on(arrays, read(text, "en"))
    names = [arrays.entity_names[e] for e in question.anchors.tolist()]
    assert "Mill Brindle" in names
    assert "Vestrey" not in names


def test_trigram_codes() -> None:
    assert trigram_codes("a") == [ord(" ") << 42 | ord("a") << 21 | ord(" ")]
    assert len(trigram_codes("aaaa")) == 3


def test_trigrams_of_many_terms_are_those_of_each() -> None:
    terms = ["rye", "", "aaaa", "ação", "\U0001f33e"]
    codes, owner = trigrams_of(terms)
    assert sorted(set(zip(owner.tolist(), codes.tolist(), strict=True))) == [
        (i, code) for i, term in enumerate(terms) for code in trigram_codes(term)
    ]
    assert [len(found) for found in trigrams_of([])] == [0, 0]


def test_weights_of_a_named_title_by_hand() -> None:
    texts = [("Oster", "It flows."), ("", "We saw Oster."), ("", "Rain."), ("", "Fog.")]
    chunks = [
        Chunk(f"{i:016x}", "d.md", i, 0, len(t), t, title=name, language="en") for i, (name, t) in enumerate(texts)
    ]
    weights = question_on(build_arrays([passage_graph(c) for c in chunks], 1), read("Oster?", "en")).weights
    # The word in 2 of 4 passages (BM25's idf), the name in the same 2, and its title over 1 of 4.
    parts = np.array([np.log(2.5 / 2.5 + 1), np.log(1 + 4 / 2), 0.6 * np.log(1 + 4 / 1)])
    assert weights.tolist() == pytest.approx((parts / parts.sum()).tolist(), abs=1e-6)


def test_the_touched_sentences_are_those_that_cover_anything(arrays: GraphArrays) -> None:
    for text in ("Where was the owner of Mill Brindle born?", "chapels", "zyxwvut?"):
        question = question_on(arrays, read(text, "en"))
        assert question.touched is not None
        assert question.touched.tolist() == np.flatnonzero((question.coverage > 0.0).any(axis=1)).tolist()
    touched = question_on(arrays, read("Mill Brindle", "en")).touched
    assert touched is not None
    assert 0 < len(touched) < arrays.sentences

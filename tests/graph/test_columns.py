import numpy as np

from polyrag_cli.graph.columns import Columns, Lists, PassageRows, Vocabulary, numbers, ranks


def _passage(chunk_id: str, document: str, title: str = "", heading: str = "") -> PassageRows:
    return PassageRows(chunk_id, document, title, heading, "", "", (), (), (), ())


def test_lists_that_share_a_vocabulary_share_its_numbers() -> None:
    vocabulary = Vocabulary()
    texts, titles = Lists(vocabulary), Lists(vocabulary)
    texts.append(["rye", "mill", "rye"])
    titles.append(["mill", "oster"])
    texts.append([])
    assert (texts.flat.tolist(), texts.lengths.tolist()) == ([0, 1, 0], [3, 0])
    assert (titles.flat.tolist(), titles.lengths.tolist()) == ([1, 2], [2])
    assert vocabulary == {"rye": 0, "mill": 1, "oster": 2}


def test_passages_are_taken_in_one_after_the_other() -> None:
    first = PassageRows(
        chunk_id="a",
        document="a.md",
        title="Mill",
        heading="",
        title_words="mill",
        title_stems="mill",
        sentences=[(0, 9, "he met ada", "ada met"), (10, 19, "ada left", "ada left")],
        mentions=[(0, "ada", "Ada", "name"), (1, "ada", "Ada", "initial"), (1, "7", "7", "name")],
        titles=[("mill", "Mill", 1.0)],
        relations=[("ada", "mill", "left")],
    )
    second = first._replace(chunk_id="b", document="b.md", sentences=[(5, 6, "ada", "ada")], mentions=[])
    columns = Columns.of(iter([first, second]))
    assert columns.chunk_ids == ["a", "b"]
    assert columns.documents == ["a.md", "b.md"]
    assert list(columns.held) == [2, 1]
    assert (list(columns.starts), list(columns.ends)) == ([0, 10, 5], [9, 19, 6])
    assert columns.words.lengths.tolist() == [3, 2, 1]
    # Mentions name their sentence among all; a lone initial and a bare figure name nothing, but are met.
    assert (list(columns.mention_sentence), list(columns.mention_key)) == ([0, 1, 1], [0, 0, 1])
    assert columns.keys == {"ada": 0, "7": 1, "mill": 2}
    assert columns.spelled == {("ada", "Ada"): 1, ("mill", "Mill"): 2}
    assert (list(columns.title_passage), list(columns.title_key)) == ([0, 1], [2, 2])
    assert list(columns.title_weight) == [1.0, 1.0]
    assert (list(columns.relation_subject), list(columns.relation_object)) == ([0, 0], [2, 2])
    assert (list(columns.relation_passage), list(columns.relation_verb)) == ([0, 1], [0, 0])


def test_an_article_is_a_title_and_heading_or_a_document() -> None:
    columns = Columns.of(
        [
            _passage("a", "one.md", "Oster"),
            _passage("b", "two.md", "Oster"),
            _passage("c", "two.md", "Oster", "Banks"),
            _passage("d", "two.md"),
            _passage("e", "two.md"),
            _passage("f", "six.md"),
        ]
    )
    assert list(columns.article) == [0, 0, 1, 2, 2, 3]


def test_numbers_of_an_empty_column() -> None:
    empty = numbers(Columns().held)
    assert (empty.dtype, empty.shape) == (np.dtype(np.int32), (0,))


def test_ranks_are_places_in_an_order_and_minus_one_outside_it() -> None:
    vocabulary = Vocabulary()
    for string in ("c", "a", "b"):
        vocabulary[string]
    assert ranks(vocabulary, ["a", "c"]).tolist() == [1, 0, -1]
    assert ranks(Vocabulary(), []).tolist() == []

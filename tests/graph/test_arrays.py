from pathlib import Path

import numpy as np
import pytest

from polyrag_cli.errors import StoreError
from polyrag_cli.graph.arrays import GraphArrays, Strings
from polyrag_cli.graph.arrays_file import load, save
from polyrag_cli.graph.base import Neighbour
from polyrag_cli.graph.mentions import passage_graph
from polyrag_cli.text.utterance import read
from tests.graph import corpus
from tests.graph.corpus import build_arrays


@pytest.fixture(scope="module")
def arrays() -> GraphArrays:
    return build_arrays([passage_graph(chunk) for chunk in corpus.chunks()], 7)


def test_strings() -> None:
    strings = Strings.of(["", "ação", "東京", "\ud800x"])
    assert [strings[i] for i in range(len(strings))] == ["", "ação", "東京", "?x"]
    assert strings.index["東京"] == 2


@pytest.mark.parametrize(
    "question",
    ["Who owns Mill Brindle?", "who owns mill brindle", "QUEM É O DONO DO MILL BRINDLE?", "Mill Brindle's owner?"],
)
def test_match_ignores_case_accents_and_language(arrays: GraphArrays, question: str) -> None:
    assert arrays.match(read(question))[0][0] == "Mill Brindle"


def test_match_takes_the_longest_name(arrays: GraphArrays) -> None:
    found = arrays.match(read("Was Tove Aldgate born in Acafrais?"))
    assert [name for name, _ in found] == [
        "Açafrais",
        "Tove Aldgate",
    ]


def test_match_strength_is_the_share_of_the_largest_idf(arrays: GraphArrays) -> None:
    (name, strength), *_ = arrays.match(read("Where is Vestrey?"))
    assert (name, strength) == ("Vestrey", 1.0)
    assert arrays.match(read("how does it grow when the days are cold?")) == []


def test_neighbours_hold_relations_first(arrays: GraphArrays) -> None:
    found = arrays.neighbours("regra k-7")
    assert found[0] == Neighbour("depende do sistema", "Orvalho", 1.0, True)
    assert all(neighbour.relation == "" and neighbour.name != "Orvalho" for neighbour in found[1:])


def test_neighbours_from_the_other_side(arrays: GraphArrays) -> None:
    assert arrays.neighbours("Orvalho")[0] == Neighbour("depende do sistema", "Regra K-7", 1.0, False)


def test_co_mentions_weigh_by_rarity(arrays: GraphArrays) -> None:
    # Mill Brindle is in one passage of twelve, Quarnby in two.
    found = arrays.neighbours("Tove Aldgate")
    assert [n.name for n in found] == ["Mill Brindle", "Quarnby"]
    assert [n.weight for n in found] == pytest.approx([np.log(13), np.log(7)], abs=1e-5)
    assert len(arrays.neighbours("Tove Aldgate", k=1)) == 1
    assert arrays.neighbours("Nobody Known") == []


def test_save_and_load_keep_every_bit(arrays: GraphArrays, tmp_path: Path) -> None:
    save(arrays, tmp_path / "one.arrays")
    again = load(tmp_path / "one.arrays")
    assert again.generation == 7
    assert again.walk.node_weights.tobytes() == arrays.walk.node_weights.tobytes()
    assert again.trigram_codes.dtype == np.int64
    assert [again.documents[i] for i in range(again.passages)] == [chunk.document for chunk in corpus.chunks()]
    assert again.match(read("Who owns Mill Brindle?")) == arrays.match(read("Who owns Mill Brindle?"))
    save(again, tmp_path / "two.arrays")
    assert (tmp_path / "one.arrays").read_bytes() == (tmp_path / "two.arrays").read_bytes()


def _with_header(data: bytes, header: bytes) -> bytes:
    start = data.index(b"{") - 8
    return data[:start] + len(header).to_bytes(8, "little") + header


@pytest.mark.parametrize("damage", ["cut", "magic", "header", "empty", "nested", "endless", "list"])
def test_damaged_files_are_refused(arrays: GraphArrays, tmp_path: Path, damage: str) -> None:
    path = tmp_path / "graph.arrays"
    save(arrays, path)
    data = path.read_bytes()
    path.write_bytes(
        {
            "cut": data[:-100],
            "magic": b"x" + data[1:],
            "header": data[:20] + b"\xff" * 40 + data[60:],
            "empty": b"",
            "nested": _with_header(data, b"[" * 100_000),
            "endless": _with_header(data, b'{"arrays": {}, "size": 0, "generation": Infinity}'),
            "list": _with_header(data, b'{"arrays": [1], "size": 0, "generation": 1}'),
        }[damage]
    )
    with pytest.raises((StoreError, ValueError)):
        load(path)

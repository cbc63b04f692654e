"""The graph leaves as networkx and as GraphML, with names, passages and what is said between them."""

import io

import networkx

from polyrag_cli.graph.export import as_networkx, content_of, graphml
from polyrag_cli.graph.mentions import passage_graph
from polyrag_cli.types import Chunk
from tests.graph.corpus import build_arrays

TEXTS = ("Mill Brindle depends on Weir Osk.", "Weir Osk is kept by Anna Lund. Anna Lund lives beside Weir Osk.")


def content():  # type: ignore[no-untyped-def]
    chunks = [Chunk(f"c{i}", f"d{i}.md", 0, 0, len(t), t, language="en") for i, t in enumerate(TEXTS)]
    return content_of(build_arrays([passage_graph(chunk) for chunk in chunks], 1))


def test_names_and_passages_are_nodes_and_mentions_and_relations_are_edges() -> None:
    graph = as_networkx(content())
    labels = {data["label"] for _, data in graph.nodes(data=True)}
    assert {"Mill Brindle", "Weir Osk", "Anna Lund", "d0.md", "d1.md"} <= labels
    by_label = {data["label"]: node for node, data in graph.nodes(data=True)}
    relations = {
        data["relation"] for data in graph.get_edge_data(by_label["Mill Brindle"], by_label["Weir Osk"]).values()
    }
    assert relations == {"depends on"}
    assert graph.has_edge(by_label["Anna Lund"], "passage:c1")
    assert not graph.has_edge(by_label["Anna Lund"], "passage:c0")


def test_graphml_reads_back_as_the_same_graph() -> None:
    text = graphml(content())
    again = networkx.read_graphml(io.BytesIO(text.encode()), force_multigraph=True)
    graph = as_networkx(content())
    assert set(again.nodes) == set(graph.nodes)
    assert again.number_of_edges() == graph.number_of_edges()
    assert text == graphml(content())

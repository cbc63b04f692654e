"""The graph as people and other tools look at it: a networkx graph, and GraphML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from polyrag_cli.graph.arrays import GraphArrays

if TYPE_CHECKING:
    import networkx


def as_networkx(arrays: GraphArrays) -> networkx.MultiDiGraph[Any]:
    """Names and passages as nodes; what a sentence says between two names, and which passage holds which name, as
    edges.

    Nodes are `entity:<key>` and `passage:<chunk id>`, with `kind`, `label` and, for names, `idf`. Edges have
    `relation`.
    """
    import networkx

    graph: networkx.MultiDiGraph[Any] = networkx.MultiDiGraph()
    keys = [arrays.entity_keys[entity] for entity in range(len(arrays.entity_keys))]
    for entity, key in enumerate(keys):
        idf = round(float(arrays.entity_idf[entity]), 6)
        graph.add_node(f"entity:{key}", kind="entity", label=arrays.entity_names[entity], idf=idf)
    for passage in range(arrays.passages):
        graph.add_node(f"passage:{arrays.chunk_ids[passage]}", kind="passage", label=arrays.documents[passage], idf=0.0)
    owner = arrays.walk.sentence_passage
    for entity, key in enumerate(keys):
        sentences, _ = arrays.mentions.row(entity)
        for passage in sorted({int(owner[s]) for s in sentences.tolist()}):
            graph.add_edge(f"entity:{key}", f"passage:{arrays.chunk_ids[passage]}", relation="mentioned in")
    said = arrays.relations
    for i in range(len(said.subject)):
        subject, other = keys[int(said.subject[i])], keys[int(said.object[i])]
        graph.add_edge(f"entity:{subject}", f"entity:{other}", relation=said.verb[i])
    return graph


def graphml(arrays: GraphArrays) -> str:
    """The graph as GraphML, the same text for the same graph."""
    import networkx

    return "\n".join(networkx.generate_graphml(as_networkx(arrays))) + "\n"

"""The graph as people and other tools look at it: a networkx graph, and GraphML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from polyrag_cli.graph.base import GraphContent, GraphName

if TYPE_CHECKING:
    import networkx

    from polyrag_cli.graph.arrays import GraphArrays


def content_of(arrays: GraphArrays) -> GraphContent:
    """Everything that the arrays hold of a graph, without what is only there for searching it."""
    entities = range(len(arrays.entity_keys))
    keys = [arrays.entity_keys[entity] for entity in entities]
    chunks = [arrays.chunk_ids[passage] for passage in range(arrays.passages)]
    owner, said = arrays.walk.sentence_passage, arrays.relations
    return GraphContent(
        names=tuple(
            GraphName(keys[entity], arrays.entity_names[entity], round(float(arrays.entity_idf[entity]), 6))
            for entity in entities
        ),
        passages=tuple((chunk_id, arrays.documents[passage]) for passage, chunk_id in enumerate(chunks)),
        mentions=tuple(
            (keys[entity], chunks[passage])
            for entity in entities
            for passage in sorted({int(owner[s]) for s in arrays.mentions.row(entity)[0].tolist()})
        ),
        relations=tuple(
            (keys[int(said.subject[i])], said.verb[i], keys[int(said.object[i])]) for i in range(len(said.subject))
        ),
    )


def as_networkx(content: GraphContent) -> networkx.MultiDiGraph[Any]:
    """Names and passages as nodes; what a sentence says between two names, and which passage holds which name, as
    edges.

    Nodes are `entity:<key>` and `passage:<chunk id>`, with `kind`, `label` and, for names, `idf`. Edges have
    `relation`.
    """
    import networkx

    graph: networkx.MultiDiGraph[Any] = networkx.MultiDiGraph()
    for name in content.names:
        graph.add_node(f"entity:{name.key}", kind="entity", label=name.name, idf=name.idf)
    for chunk_id, document in content.passages:
        graph.add_node(f"passage:{chunk_id}", kind="passage", label=document, idf=0.0)
    for key, chunk_id in content.mentions:
        graph.add_edge(f"entity:{key}", f"passage:{chunk_id}", relation="mentioned in")
    for subject, verb, other in content.relations:
        graph.add_edge(f"entity:{subject}", f"entity:{other}", relation=verb)
    return graph


def graphml(content: GraphContent) -> str:
    """The graph as GraphML, the same text for the same graph."""
    import networkx

    return "\n".join(networkx.generate_graphml(as_networkx(content))) + "\n"

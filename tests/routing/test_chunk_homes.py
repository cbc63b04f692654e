import numpy as np
import pytest
from memory_corpus import TopicEmbedder, default_routes

from polyrag_cli.config.sections import Route, RoutingSettings
from polyrag_cli.routing.anchors import AnchorMatrix
from polyrag_cli.routing.chunk_homes import chunk_homes
from polyrag_cli.types import Chunk, ChunkRoute

ROUTES = [
    Route("graph", "graph", "graph_walk", 0.9, 0.1, 0.5, chunk_anchors=("rule",)),
    Route("relational", "relational", "text_to_sql", 0.9, 0.1, 0.5),
    Route("vectorial", "vector", "auto", 0.9, 0.1, 0.5, chunk_anchors=("story",)),
]
ANCHORS = AnchorMatrix([r.chunk_anchors for r in ROUTES], np.array([[1, 0], [0, 1]], dtype=np.float32))


def chunk(number: int, text: str = "Some words in a row.", kind: str = "paragraph") -> Chunk:
    return Chunk(f"c{number}", "d.md", number, 0, len(text), text, kind=kind)  # type: ignore[arg-type]


def homes(
    rows: list[list[list[float]]], named: list[list[bool]], settings: RoutingSettings | None = None
) -> list[ChunkRoute]:
    vectors = [np.array(row, dtype=np.float32).reshape(-1, 2) for row in rows]
    chunks = [chunk(i) for i in range(len(rows))]
    return chunk_homes(chunks, vectors, named, ROUTES, ANCHORS, settings or RoutingSettings())


def test_a_home_is_worked_out_from_cosines_names_and_the_document() -> None:
    settings = RoutingSettings(named_weight=0.5, named_center=0.5, document_weight=0.5)
    # Chunk 0: graph (1 + 0) / 2 + .5·(1 - .5) = .75 from sentences [1,0],[0,1]: mean .5 + .25; vectorial .5.
    # Chunk 1: graph 0 + .5·(0 - .5) = -.25, vectorial 1. Document means: graph .25, vectorial .75.
    first, second = homes([[[1, 0], [0, 1]], [[0, 1]]], [[True, True], [False]], settings)
    assert dict(first.scores) == pytest.approx({"graph": 0.5, "vectorial": 0.625})
    assert dict(second.scores) == pytest.approx({"graph": 0.0, "vectorial": 0.875})
    assert (first.home, second.home) == ("vectorial", "vectorial")
    assert second.margin == pytest.approx(0.875)


def test_inside_the_margin_a_chunk_has_two_homes() -> None:
    near = [[float(np.cos(0.79)), float(np.sin(0.79))]]
    (found,) = homes([near], [[]], RoutingSettings(named_weight=0.0, chunk_margin=0.03))
    assert (found.home, found.also) == ("vectorial", ("graph",))
    (clear,) = homes([[[0.0, 1.0]]], [[]], RoutingSettings(named_weight=0.0))
    assert clear.also == ()


def test_tables_go_to_the_relational_route_by_their_shape() -> None:
    rows = "apiary;litres\n" + "\n".join(f"Ridge;{n}" for n in range(9))
    vectors = [np.zeros((1, 2), dtype=np.float32)] * 3
    chunks = [chunk(0, rows), chunk(1, "| a | b |", "table"), chunk(2)]
    found = chunk_homes(chunks, vectors, [[False]] * 3, ROUTES, ANCHORS, RoutingSettings())
    assert [one.home for one in found][:2] == ["relational", "relational"]
    assert found[2].home != "relational"
    assert "tabularity" in found[0].reason
    assert found[0].also == ("vectorial",)
    assert found[1].also == ()


def test_without_an_embedder_names_decide() -> None:
    empty = np.zeros((1, 0), dtype=np.float32)
    found = chunk_homes(
        [chunk(0), chunk(1)], [empty, empty], [[True], [False]], ROUTES, ANCHORS, RoutingSettings(document_weight=0.0)
    )
    assert [one.home for one in found] == ["graph", "vectorial"]


def test_no_chunks_and_no_text_routes() -> None:
    assert chunk_homes([], [], [], ROUTES, ANCHORS, RoutingSettings()) == []
    only = [ROUTES[1]]
    anchors = AnchorMatrix([()], np.zeros((0, 2), dtype=np.float32))
    (found,) = chunk_homes([chunk(0)], [np.ones((1, 2), np.float32)], [[True]], only, anchors, RoutingSettings())
    assert found.home == ""


def test_equal_scores_go_by_name() -> None:
    embedder = TopicEmbedder()
    routes = sorted(default_routes(), key=lambda route: route.name)
    anchors = AnchorMatrix([()] * 3, np.zeros((0, embedder.dimension), dtype=np.float32))
    settings = RoutingSettings(named_weight=0.0)
    (found,) = chunk_homes([chunk(0)], [embedder.embed(["x"])], [[True]], routes, anchors, settings)
    assert (found.home, found.also, found.margin) == ("graph", ("vectorial",), 0.0)

import numpy as np

from polyrag_cli.providers.none import NullEmbedder


def test_it_has_no_dimension() -> None:
    embedder = NullEmbedder()
    assert (embedder.name, embedder.dimension) == ("none", 0)
    assert embedder.embed(["a", "b"]).shape == (2, 0)
    assert embedder.embed_windows(["a", "b", "c"], [(0, 2)]).shape == (1, 0)
    assert embedder.embed_query("a").shape == (0,)
    assert embedder.embed(["a"]).dtype == np.float32

"""Names resolve to classes, own ones and other packages'; unknown, broken and clashing ones are refused."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from polyrag_cli import Engine, registry
from polyrag_cli.errors import ConfigError
from polyrag_cli.registry import LOADER_SUFFIXES, known, names, resolve

KINDS = (
    *("catalog", "relational", "vector", "lexical", "graph", "terms", "labels"),
    *("embedder", "loader", "strategy"),
)
CODE = """
import numpy as np
from polyrag_cli.providers.hashing import HashingEmbedder
from polyrag_cli.stores.vector_numpy import NumpyVectorStore
from polyrag_cli.strategies.lexical import LexicalStrategy
from polyrag_cli.types import Block, LoadedDocument

class ShelfVectorStore(NumpyVectorStore):
    "A vector store of another package."

class NoteLoader:
    name, version, suffixes = "note", "1", (".note", ".memo")
    def load(self, path):
        text = path.read_text()
        return (LoadedDocument(text, (Block("paragraph", 0, len(text)),), title="A note"),)

class LetterEmbedder(HashingEmbedder):
    @classmethod
    def from_options(cls, cache_dir, threads):
        return cls(32)

class PlainStrategy(LexicalStrategy):
    name = "plain"
"""
ENTRIES = """
[polyrag.stores]
vector.shelf = outside:ShelfVectorStore
[polyrag.loaders]
note = outside:NoteLoader
[polyrag.embedders]
letters = outside:LetterEmbedder
[polyrag.strategies]
plain = outside:PlainStrategy
"""

Install = Callable[..., Path]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Puts a package with entry points where Python finds it."""

    def put(entries: str, code: str = "", name: str = "outside") -> Path:
        site = tmp_path / f"site of {name}"
        info = site / f"{name}-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(entries)
        (site / f"{name}.py").write_text(code)
        monkeypatch.syspath_prepend(str(site))
        _forget()
        return site

    yield put
    for name in [name for name in sys.modules if name.startswith("outside")]:
        del sys.modules[name]
    _forget()


def _forget() -> None:
    registry._foreign.cache_clear()
    registry._foreign_suffixes.cache_clear()


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in KINDS for name in names(kind)])
def test_every_entry_resolves_to_a_class(kind: str, name: str) -> None:
    assert isinstance(resolve(kind, name), type)


def test_every_suffix_names_a_loader() -> None:
    assert set(LOADER_SUFFIXES.values()) <= set(names("loader"))
    assert len(LOADER_SUFFIXES) == len(set(LOADER_SUFFIXES)) > 5
    assert "" not in LOADER_SUFFIXES and ".unknown" not in LOADER_SUFFIXES


def test_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(ConfigError, match=r"'bogus' is no embedder.*use-m3"):
        resolve("embedder", "bogus")


def test_a_package_adds_a_store_a_loader_an_embedder_and_a_strategy(install: Install, tmp_path: Path) -> None:
    install(ENTRIES, CODE)
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "harbour.note").write_text("The bell in the harbour office came from a ship.")
    (folder / "river.memo").write_text("Fog closes the river in winter.")
    (folder / "town.md").write_text("# Town\n\nThe market is held on Mondays.\n")
    settings = {"stores.vector": "shelf", "embedder.name": "letters", "routes.vectorial.strategy": "plain"}
    with Engine.open(data_dir=tmp_path / "data", overrides=settings) as engine:
        report = engine.ingest([folder])
        assert [(file.document, file.status) for file in report.files] == [
            ("harbour.note", "added"),
            ("river.memo", "added"),
            ("town.md", "added"),
        ]
        answer = engine.ask("Where did the bell in the harbour office come from?", use_cache=False)
        assert answer.answer is not None and "from a ship" in answer.answer
        assert (answer.strategy, engine.embedder.dimension) == ("plain", 32)
        assert type(engine.stores.vector).__name__ == "ShelfVectorStore"
        assert engine.search("market", strategy="plain").hits[0].document == "town.md"
        assert [file.status for file in engine.ingest([folder]).files] == ["unchanged"] * 3
    assert known("vector")[-1] == "shelf" and "shelf" not in names("vector")


def test_what_is_nobodys_name_is_refused_with_all_names(install: Install, tmp_path: Path) -> None:
    install(ENTRIES, CODE)
    for key, kind in (("stores.vector", "faiss.*shelf"), ("embedder.name", "hashing.*letters")):
        with pytest.raises(ConfigError, match="bogus") as refused:
            Engine.open(data_dir=tmp_path, overrides={key: "bogus"})
        first, second = kind.split(".*")
        assert first in refused.value.hint and second in refused.value.hint
    with pytest.raises(ConfigError):
        Engine.open(data_dir=tmp_path, overrides={"stores.graph": "shelf"})


@pytest.mark.parametrize(
    ("code", "target", "what"),
    [
        ("import not_there_at_all", "outside:Store", "No module named 'not_there_at_all'"),
        ("x = 1 / 0", "outside:Store", "division by zero"),
        ("def", "outside:Store", "invalid syntax"),
        ("", "outside:Store", "Store"),
        ("", "outside_nowhere:Store", "No module named 'outside_nowhere'"),
        ("raise RuntimeError", "outside:Store", "RuntimeError"),
        ("raise RuntimeError('two\\nlines')", "outside:Store", "two"),
    ],
)
def test_a_broken_package_is_named_in_one_line(install: Install, code: str, target: str, what: str) -> None:
    install(f"[polyrag.stores]\ngraph.torn = {target}\n", code)
    with pytest.raises(ConfigError, match=r"The graph 'torn' of the package outside can't be loaded") as refused:
        resolve("graph", "torn")
    assert what in refused.value.message and "\n" not in refused.value.message
    assert "uninstall" in refused.value.hint


def test_two_packages_with_one_name_are_refused_and_so_is_one_with_ours(install: Install) -> None:
    install("[polyrag.strategies]\nplain = outside:PlainStrategy\n", CODE)
    install("[polyrag.strategies]\nplain = outside_too:PlainStrategy\n", CODE, name="outside_too")
    with pytest.raises(ConfigError, match=r"outside.* and outside.too both register the strategy 'plain'"):
        resolve("strategy", "plain")
    install("[polyrag.embedders]\nhashing = outside_more:LetterEmbedder\n", CODE, name="outside_more")
    with pytest.raises(ConfigError, match=r"outside.more registers the embedder 'hashing', which PolyRAG has itself"):
        resolve("embedder", "other")
    assert resolve("embedder", "hashing").__name__ == "HashingEmbedder"


@pytest.mark.parametrize("name", ["qdrant", "vectr.qdrant", "vector.", ".qdrant"])
def test_a_store_says_its_kind(install: Install, name: str) -> None:
    install(f"[polyrag.stores]\n{name} = outside:ShelfVectorStore\n", CODE)
    with pytest.raises(ConfigError, match=r"outside registers the store .*doesn't say its kind"):
        resolve("vector", "qdrant")


@pytest.mark.parametrize(
    ("suffixes", "what"),
    [
        ("()", "doesn't say which files it reads"),
        ("('note',)", "doesn't say which files it reads"),
        ("('.NOTE',)", "doesn't say which files it reads"),
        ("(7,)", "doesn't say which files it reads"),
        ("('.new', '.md')", "reads .md, which the loader 'markdown' reads"),
        ("('.new', '.new')", "reads .new, which the loader 'note' reads"),
    ],
)
def test_a_loader_says_which_files_are_its_own(install: Install, tmp_path: Path, suffixes: str, what: str) -> None:
    install("[polyrag.loaders]\nnote = outside:NoteLoader\n", f"class NoteLoader:\n    suffixes = {suffixes}\n")
    (tmp_path / "a.other").write_text("text")
    with Engine.open(data_dir=tmp_path / "data", overrides={"embedder.name": "hashing"}) as engine:
        with pytest.raises(ConfigError) as refused:
            engine.ingest([tmp_path / "a.other"])
        assert what in refused.value.message
        (tmp_path / "a.md").write_text("# Text\n\nOnly own loaders are needed.\n")
        assert [file.status for file in engine.ingest([tmp_path / "a.md"]).files] == ["added"]


def test_own_names_need_no_look_at_installed_packages(small_folder: Path, tmp_path: Path) -> None:
    code = f"""
import importlib.metadata, sys
real = importlib.metadata.entry_points
def refuse(**asked):
    assert not str(asked.get("group", "")).startswith("polyrag."), asked
    return real(**asked)
importlib.metadata.entry_points = refuse
from polyrag_cli import Engine
with Engine.open(data_dir={str(tmp_path / "data")!r}, overrides={{"embedder.name": "hashing"}}) as engine:
    engine.ingest([{str(small_folder)!r}])
    print(engine.ask("Qual foi a receita total?").answer)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip()

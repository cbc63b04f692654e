"""What every registered store of what documents share promises."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from polyrag_cli import registry
from polyrag_cli.stores.catalog_sqlite import SQLiteCatalog
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.shared import SharedStore
from polyrag_cli.text.blocks import text_blocks
from polyrag_cli.types import DocumentShape

MARKS = (1, 2, 3, 4)
ENGLISH = DocumentShape("1pp2pc", MARKS, "en")
PORTUGUESE = DocumentShape("1pp2pc", MARKS, "pt")
LICENCE = "This file may be copied."


class Opened:
    def __init__(self, root: Path, name: str) -> None:
        self.catalog = SQLiteCatalog.open(DataPaths(root), create=True)
        self.store: SharedStore = registry.resolve("shared", name)(self.catalog.paths)

    def put(self, document: str, shape: DocumentShape | None, *texts: str) -> None:
        with self.catalog.writer() as writer:
            self.store.add(writer, document, shape, texts)

    def remove(self, document: str) -> None:
        with self.catalog.writer() as writer:
            self.store.remove(writer, document)

    def versions(self, document: str) -> list[tuple[str, str]]:
        with self.catalog.snapshot() as snapshot:
            found = self.store.versions(snapshot, [document, "unknown.md"])
            assert set(found) <= {document}
            return [(version.document, version.language) for version in found.get(document, ())]

    def spread(self, *texts: str) -> list[int]:
        with self.catalog.snapshot() as snapshot:
            spread = self.store.spread(snapshot)
            return [spread.of_block.get(block.key, 0) for text in texts for block in text_blocks(text)]

    def fingerprint(self) -> str:
        with self.catalog.snapshot() as snapshot:
            return self.catalog.fingerprint(snapshot)


@pytest.fixture(params=registry.names("shared"))
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    made = Opened(tmp_path, request.param)
    yield made
    made.catalog.close()


def test_an_empty_corpus_shares_nothing(opened: Opened) -> None:
    assert opened.versions("x.md") == []
    assert opened.spread(LICENCE) == [0]
    opened.remove("x.md")
    with opened.catalog.snapshot() as snapshot:
        assert opened.store.languages(snapshot, ["x.md"]) == {}
        assert "nothing yet" in opened.store.check(snapshot)


@pytest.mark.parametrize("other", ["docs/pt/x.md", "docs/en/x.pt.md", "docs/en/x_pt-BR.md"])
def test_versions_of_one_path_in_two_languages(opened: Opened, other: str) -> None:
    opened.put("docs/en/x.md", ENGLISH)
    assert opened.versions("docs/en/x.md") == []
    opened.put(other, PORTUGUESE)
    assert opened.versions("docs/en/x.md") == [(other, "pt")]
    assert opened.versions(other) == [("docs/en/x.md", "en")]
    with opened.catalog.snapshot() as snapshot:
        assert opened.store.languages(snapshot, ["docs/en/x.md", other, "y"]) == {"docs/en/x.md": "en", other: "pt"}
        assert opened.store.check(snapshot) == "0 repeated blocks, 2 translated documents"


@pytest.mark.parametrize(
    ("one", "other", "shape"),
    [
        # Another path; the same language; another structure; another content; one code in both paths.
        ("en/x.md", "pt/y.md", PORTUGUESE),
        ("en/x.md", "pt/x.md", ENGLISH),
        ("en/x.md", "pt/x.md", DocumentShape("lllltttt", MARKS, "pt")),
        ("en/x.md", "pt/x.md", DocumentShape("1p22p2", (5, 6, 7, 8), "pt")),
        ("mc-card/x.md", "mc-tabs/x.md", PORTUGUESE),
        ("en/x.md", "pt/x.md", DocumentShape("", (), "pt")),
    ],
)
def test_what_is_no_version(opened: Opened, one: str, other: str, shape: DocumentShape) -> None:
    opened.put(one, ENGLISH)
    opened.put(other, shape)
    opened.put("pt/x.md#1", None)
    assert opened.versions(one) == []


def test_a_text_whose_language_cannot_be_told_is_no_version(opened: Opened) -> None:
    unknown = DocumentShape(ENGLISH.structure, MARKS)
    opened.put("x.md", ENGLISH)
    opened.put("x.ar.md", unknown)
    # Two letters may be those of a country.
    opened.put("us/fee.md", unknown)
    opened.put("uk/fee.md", unknown)
    assert opened.versions("x.md") == opened.versions("us/fee.md") == []


def test_versions_come_and_go_with_their_documents(opened: Opened) -> None:
    opened.put("x.md", ENGLISH)
    opened.put("x.pt.md", PORTUGUESE)
    opened.put("x.de.md", DocumentShape(ENGLISH.structure, MARKS, "de"))
    assert [code for _, code in opened.versions("x.md")] == ["de", "pt"]
    opened.remove("x.de.md")
    opened.put("x.pt.md", ENGLISH)
    assert opened.versions("x.md") == []
    opened.put("x.pt.md", PORTUGUESE)
    assert opened.versions("x.md") == [("x.pt.md", "pt")]


def test_blocks_count_once_a_document_from_three_documents_on(opened: Opened) -> None:
    for name in "abc":
        assert opened.spread(LICENCE) == [0]
        opened.put(name, None, f"{LICENCE}\n\nOnly in {name}.", LICENCE)
    assert opened.spread(LICENCE, "this  file\nmay be COPIED.", "Only in a.") == [3, 3, 0]
    opened.put("c", None, "Something else.")
    assert opened.spread(LICENCE) == [0]
    opened.put("d", None, LICENCE)
    assert opened.spread(LICENCE) == [3]
    opened.remove("d")
    assert opened.spread(LICENCE) == [0]


def test_versions_of_a_document_count_once(opened: Opened) -> None:
    for name, code in (("x.md", "en"), ("x.pt.md", "pt"), ("x.de.md", "de")):
        opened.put(name, DocumentShape(ENGLISH.structure, MARKS, code), LICENCE)
    assert opened.spread(LICENCE) == [0]
    for name in "ab":
        opened.put(name, None, LICENCE)
    assert opened.spread(LICENCE) == [3]
    with opened.catalog.snapshot() as snapshot:
        assert opened.store.spread(snapshot).documents == 3


def test_order_and_history_do_not_matter(tmp_path: Path) -> None:
    (name,) = registry.names("shared")
    one, other = Opened(tmp_path / "one", name), Opened(tmp_path / "other", name)
    documents = {"x.md": (ENGLISH, LICENCE), "x.pt.md": (PORTUGUESE, "Outro texto."), "y.md": (ENGLISH, LICENCE)}
    for document, content in documents.items():
        one.put(document, *content)
    other.put("y.md", PORTUGUESE, "An earlier one.")
    other.put("x.es.md", DocumentShape(ENGLISH.structure, MARKS, "es"), LICENCE)
    for document, content in reversed(documents.items()):
        other.put(document, *content)
    assert one.fingerprint() != other.fingerprint()
    other.remove("x.es.md")
    assert one.fingerprint() == other.fingerprint()

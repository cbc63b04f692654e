"""What documents share follows the files, whatever happens to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ingest.conftest import Corpus

ENGLISH = "# Gate\n\nThe gate is open from 08:15 on, and it is closed at 17:45.\n\n- It is made of oak.\n"
PORTUGUESE = "# Portão\n\nO portão abre às 08:15, e fecha de novo às 17:45.\n\n- Ele não é de ferro.\n"


def _versions(corpus: Corpus, document: str) -> list[str]:
    assert corpus.stores.shared is not None
    with corpus.catalog.snapshot() as snapshot:
        return [one.document for one in corpus.stores.shared.versions(snapshot, [document]).get(document, ())]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "docs"
    made.mkdir()
    (made / "gate.md").write_text(ENGLISH, encoding="utf-8")
    return made


def test_a_version_that_is_added_changed_or_gone_is_followed(corpus: Corpus, folder: Path) -> None:
    corpus.ingest(folder)
    assert _versions(corpus, "gate.md") == []
    translation = folder / "gate.pt.md"
    translation.write_text(PORTUGUESE, encoding="utf-8")
    corpus.ingest(folder)
    assert _versions(corpus, "gate.md") == ["gate.pt.md"]
    assert _versions(corpus, "gate.pt.md") == ["gate.md"]
    translation.write_text("# Outra coisa\n\n## Um\n\n## Dois\n\n```\ncode\n```\n", encoding="utf-8")
    corpus.ingest(folder)
    assert _versions(corpus, "gate.md") == []
    translation.write_text(PORTUGUESE, encoding="utf-8")
    corpus.ingest(folder)
    translation.unlink()
    corpus.ingest(folder)
    assert _versions(corpus, "gate.md") == []


def test_history_leaves_nothing(tmp_path: Path, corpus: Corpus, folder: Path) -> None:
    (folder / "gate.pt.md").write_text(PORTUGUESE, encoding="utf-8")
    corpus.ingest(folder)
    (folder / "gate.pt.md").unlink()
    corpus.ingest(folder)
    fresh = Corpus(tmp_path / "fresh")
    fresh.ingest(folder)
    assert corpus.fingerprint() == fresh.fingerprint()
    fresh.catalog.close()


def test_records_inside_a_file_are_no_versions(corpus: Corpus, folder: Path) -> None:
    rows = ('{"id": "a.en", "text": "The gate is open at 08:15."}', '{"id": "a.pt", "text": "O portão abre às 08:15."}')
    (folder / "notes.jsonl").write_text("\n".join(rows), encoding="utf-8")
    corpus.ingest(folder)
    assert _versions(corpus, "notes.jsonl#a.en") == _versions(corpus, "notes.jsonl#a.pt") == []

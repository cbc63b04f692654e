"""Paths to files with an identity."""

import os
import socket
import unicodedata
from pathlib import Path

import pytest

from polyrag_cli.errors import UsageError
from polyrag_cli.ingest.sources import Sources, expand, public_name
from polyrag_cli.stores.records import SourceRecord

SUFFIXES = {".md", ".txt", ".csv"}


def touch(*paths: Path) -> None:
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")


def known(root: Path, *names: str) -> list[SourceRecord]:
    return [SourceRecord(str(root), name, name, "", 0, 0, "") for name in names]


def named(sources: Sources) -> list[str]:
    return [file.document for file in sources.files]


def reasons(sources: Sources) -> dict[str, tuple[str, str]]:
    return {report.document: (report.status, report.reason) for report in sources.rejected}


def test_folders_are_walked_to_the_bottom_and_sorted(tmp_path: Path) -> None:
    touch(tmp_path / "b.md", tmp_path / "a" / "z.txt", tmp_path / "a" / "deep" / "c.CSV")
    sources = expand([tmp_path], [], SUFFIXES)
    assert named(sources) == ["a/deep/c.CSV", "a/z.txt", "b.md"]
    assert {file.root for file in sources.files} == {str(tmp_path)}


def test_what_is_skipped_and_why(tmp_path: Path) -> None:
    touch(*(tmp_path / name for name in (".hidden.md", ".git/a.md", "a.xyz", "noext", "~$a.md", "ok.md")))
    os.mkfifo(tmp_path / "pipe.md")
    sources = expand([tmp_path], [], SUFFIXES)
    assert named(sources) == ["ok.md"]
    assert reasons(sources) == {
        ".git": ("skipped", "hidden"),
        ".hidden.md": ("skipped", "hidden"),
        "a.xyz": ("skipped", "no loader for .xyz"),
        "noext": ("skipped", "no suffix, so no loader"),
        "pipe.md": ("skipped", "no regular file"),
        "~$a.md": ("skipped", "a lock file of an office program"),
    }


def test_sockets_are_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s.md")
        assert reasons(expand([tmp_path], [], SUFFIXES))["s.md"] == ("skipped", "no regular file")


def test_missing_path(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nowhere\.md: no such file or folder"):
        expand([tmp_path, tmp_path / "nowhere.md"], [], SUFFIXES)


def test_the_data_directory_is_never_ingested(tmp_path: Path) -> None:
    touch(tmp_path / "data" / "a.md", tmp_path / ".data" / "a.md", tmp_path / "b.md")
    assert named(expand([tmp_path], [], SUFFIXES, tmp_path / "data")) == ["b.md"]
    assert reasons(expand([tmp_path], [], SUFFIXES, tmp_path / ".data")) == {}


def test_links(tmp_path: Path) -> None:
    folder, outside = tmp_path / "in", tmp_path / "out"
    touch(folder / "a.md", folder / "sub" / "b.md", outside / "c.md")
    (folder / "loop").symlink_to(folder)
    (folder / "sub" / "up").symlink_to(folder.parent)
    (folder / "self.md").symlink_to(folder / "self.md")
    (folder / "broken.md").symlink_to(folder / "gone.md")
    (folder / "twin.md").symlink_to(folder / "a.md")
    (folder / "there").symlink_to(outside)
    (folder / "again").symlink_to(outside)
    sources = expand([folder], [], SUFFIXES)
    assert sorted(name.split("/")[-1] for name in named(sources)) == ["a.md", "b.md", "c.md"]
    assert reasons(sources) == {
        "broken.md": ("skipped", "a link to nothing, or to itself"),
        "self.md": ("skipped", "a link to nothing, or to itself"),
        "twin.md": ("skipped", "a link to a.md"),
    }


def test_names_of_all_kinds(tmp_path: Path) -> None:
    names = ["with space.md", "açaí.md", unicodedata.normalize("NFD", "café.md"), "🚢.md", "-leading.md", "a'b\"c.md"]
    touch(*(tmp_path / name for name in names))
    sources = expand([tmp_path], [], SUFFIXES)
    assert named(sources) == sorted(unicodedata.normalize("NFC", name) for name in names)
    assert all(file.location.exists() for file in sources.files)


def test_a_name_in_another_unicode_form_is_found(tmp_path: Path) -> None:
    touch(tmp_path / unicodedata.normalize("NFD", "café.md"))
    assert named(expand([tmp_path / unicodedata.normalize("NFC", "café.md")], [], SUFFIXES)) == ["café.md"]


def test_two_unicode_forms_of_one_name_are_two_documents(tmp_path: Path) -> None:
    touch(tmp_path / unicodedata.normalize("NFD", "café.md"), tmp_path / unicodedata.normalize("NFC", "café.md"))
    assert named(expand([tmp_path], [], SUFFIXES)) == ["café.md", "café.md~2"]


def test_undecodable_names(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.md")).write_text("x")
    (file,) = expand([tmp_path], [], SUFFIXES).files
    assert file.document == "caf\ufffd.md"
    assert file.location.read_text() == "x"


def test_a_file_has_one_identity_however_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    touch(tmp_path / "docs" / "sub" / "a.md")
    (tmp_path / "link").symlink_to(tmp_path / "docs")
    records = known(tmp_path / "docs", "sub/a.md")
    monkeypatch.chdir(tmp_path / "docs" / "sub")
    for path in ("a.md", "./../sub/a.md", "..", tmp_path / "link" / "sub" / "a.md", tmp_path / "docs" / "sub"):
        (file,) = expand([path], records, SUFFIXES).files
        assert (file.root, file.path, file.document) == (str(tmp_path / "docs"), "sub/a.md", "sub/a.md")


def test_a_single_file_belongs_to_its_folder(tmp_path: Path) -> None:
    touch(tmp_path / "docs" / "a.md")
    (file,) = expand([tmp_path / "docs" / "a.md"], [], SUFFIXES).files
    assert (file.root, file.document) == (str(tmp_path / "docs"), "a.md")


def test_roots_of_one_call_are_the_outermost_in_any_order(tmp_path: Path) -> None:
    touch(tmp_path / "a.md", tmp_path / "sub" / "b.md")
    for paths in ([tmp_path, tmp_path / "sub" / "b.md"], [tmp_path / "sub", tmp_path / "a.md"]):
        assert named(expand(paths, [], SUFFIXES)) in (["a.md", "sub/b.md"],)


def test_two_roots_that_share_a_path(tmp_path: Path) -> None:
    touch(tmp_path / "one" / "a.md", tmp_path / "two" / "a.md", tmp_path / "x" / "two" / "a.md")
    roots = [tmp_path / "one", tmp_path / "two", tmp_path / "x" / "two"]
    assert named(expand(roots, [], SUFFIXES)) == ["a.md", "two/a.md", "two/a.md~2"]
    assert named(expand([roots[1]], known(roots[0], "a.md"), SUFFIXES)) == ["two/a.md"]
    assert public_name("/", "a.md", {"a.md"}) == "root/a.md"


def test_vanished_files(tmp_path: Path) -> None:
    touch(tmp_path / "docs" / "sub" / "a.md")
    records = known(tmp_path / "docs", "sub/a.md", "sub/gone.md", "gone.md") + known(tmp_path / "other", "b.md")
    records += [SourceRecord("text", "note", "note", "", 0, 0, "")]

    def vanished(path: Path) -> list[str]:
        return [record.document for record in expand([path], records, SUFFIXES).vanished]

    assert vanished(tmp_path / "docs") == ["gone.md", "sub/gone.md"]
    assert vanished(tmp_path / "docs" / "sub") == ["sub/gone.md"]
    assert vanished(tmp_path / "docs" / "sub" / "a.md") == []


def test_an_empty_path_is_not_the_current_folder() -> None:
    with pytest.raises(UsageError, match="an empty path"):
        expand([""], [], {".txt"})

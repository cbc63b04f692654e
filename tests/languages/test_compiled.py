"""The compiled form of the language files is never stale, survives damage and needs no folder that can be written."""

from __future__ import annotations

import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from polyrag_cli.errors import ConfigError
from polyrag_cli.languages import compiled
from polyrag_cli.languages.compiled import COMPILED, FOLDER, compile_folder, load
from tests.sampling import only_long


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for file in FOLDER.glob("*.toml"):
        shutil.copy(file, tmp_path)
    return tmp_path


def said(folder: Path) -> list[tuple[str, frozenset[str]]]:
    return [(each.code, each.function_words.words) for each in load(folder)]


def count_reads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    reads: list[Path] = []

    def compile_counted(folder: Path) -> bytes:
        reads.append(folder)
        return compile_folder(folder)

    monkeypatch.setattr(compiled, "compile_folder", compile_counted)
    return reads


def test_files_are_read_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reads = count_reads(monkeypatch)
    first = said(folder)
    assert said(folder) == first
    assert reads == [folder]


def test_a_changed_or_added_file_is_read(folder: Path) -> None:
    load(folder)
    spanish = (folder / "es.toml").read_text(encoding="utf-8")
    (folder / "es.toml").write_text(spanish.replace('words = """', 'words = """ neu'), encoding="utf-8")
    (folder / "gl.toml").write_text(spanish, encoding="utf-8")
    words = dict(said(folder))
    assert "neu" in words["es"] and "neu" not in words["gl"]


@pytest.mark.parametrize("damage", [b"{}", *only_long(b"", b"\xff\n\xff\n\xff", b"a\nb\nc")])
def test_a_damaged_form_is_made_anew(folder: Path, damage: bytes) -> None:
    before = said(folder)
    (folder / COMPILED).write_bytes(damage)
    assert said(folder) == before
    assert (folder / COMPILED).read_bytes() == compile_folder(folder)


def test_a_changed_word_in_the_compiled_form_is_noticed(folder: Path) -> None:
    before = said(folder)
    file = folder / COMPILED
    file.write_bytes(file.read_bytes().replace(b'"the"', b'"thy"'))
    assert said(folder) == before


def test_a_form_that_cannot_be_written_costs_nothing_but_time(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "write_bytes", refuse)
    assert said(folder) == said(FOLDER)
    assert not (folder / COMPILED).exists()
    assert list(folder.glob(".*")) == []


def test_several_at_once_read_the_same(folder: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: said(folder), range(16)))
    assert all(each == found[0] for each in found)
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        [COMPILED, *(file.name for file in FOLDER.glob("*.toml"))]
    )


def test_an_empty_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no language file"):
        load(tmp_path)


def test_a_start_that_finds_the_compiled_form_reads_no_toml() -> None:
    load()
    code = (
        "import sys; from polyrag_cli.languages import all_languages; all_languages(); print('tomllib' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_help_loads_no_language() -> None:
    code = """if True:
        import sys
        from contextlib import suppress
        from polyrag_cli.__main__ import main
        sys.argv = ["polyrag", "--help"]
        with suppress(SystemExit):
            main()
        print(sorted(name for name in sys.modules if name.startswith("polyrag_cli.languages")))
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"

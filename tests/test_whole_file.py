"""A file is replaced as a whole, keeps its kind and rights, and nothing is left of a failed attempt."""

import os
import time
from pathlib import Path

import pytest

from polyrag_cli.errors import StoreError
from polyrag_cli.whole_file import drop_left, replacing, write_whole


def test_an_existing_file_keeps_its_rights_and_line_ends_stay(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("old")
    file.chmod(0o640)
    write_whole(file, "a\r\nb\n")
    assert file.read_bytes() == b"a\r\nb\n"
    assert file.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [file]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    target.write_text("old")
    link.symlink_to(target)
    write_whole(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_pipe_is_written_to_and_stays(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_whole(pipe, "through")
        assert os.read(reader, 100) == b"through"
    finally:
        os.close(reader)
    assert pipe.is_fifo()


def test_a_lone_surrogate_is_escaped(tmp_path: Path) -> None:
    write_whole(tmp_path / "a", "q\udcff")
    assert (tmp_path / "a").read_text() == "q\\udcff"


def test_a_failed_attempt_leaves_the_old_content_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.txt"
    file.write_text("old")

    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(StoreError, match=r"a\.txt: can't be written: No space left"):
        write_whole(file, "new")
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_new_file_has_the_rights_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "any").write_text("")
    write_whole(tmp_path / "report.md", "text")
    with replacing(tmp_path / "segment.npy") as new:
        new.write_bytes(b"rows")
    assert len({file.stat().st_mode for file in tmp_path.iterdir()}) == 1
    assert sorted(file.name for file in tmp_path.iterdir()) == ["any", "report.md", "segment.npy"]


def test_a_block_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / ("é" * 120)
    file.write_text("old")
    with pytest.raises(KeyboardInterrupt), replacing(file) as new:
        new.write_text("half of the n")
        assert new.name.startswith(".") and new.suffix == ".tmp"
        raise KeyboardInterrupt
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("durable", [True, False])
def test_bytes_are_on_the_disk_before_they_have_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, durable: bool
) -> None:
    done: list[str] = []
    replace, fsync = Path.replace, os.fsync
    monkeypatch.setattr(os, "fsync", lambda number: (done.append("fsync"), fsync(number))[1])
    monkeypatch.setattr(Path, "replace", lambda self, target: (done.append("replace"), replace(self, target))[1])
    write_whole(tmp_path / "a", "text", durable)
    assert done == (["fsync"] if durable else []) + ["replace"]


def test_a_name_that_no_file_can_have_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="can't be written"):
        write_whole(tmp_path / "a\0b", "text")


def test_a_protected_file_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.txt"
    file.write_text("old")
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != file)
    with pytest.raises(StoreError, match="write-protected"):
        write_whole(file, "new")
    assert file.read_text() == "old"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives files away")
def test_an_existing_file_keeps_its_owner_and_group(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("old")
    os.chown(file, 1234, 4321)
    file.chmod(0o600)
    write_whole(file, "new")
    found = file.stat()
    assert (found.st_uid, found.st_gid, found.st_mode & 0o777) == (1234, 4321, 0o600)
    assert file.read_text() == "new"


def test_where_the_owner_cannot_be_kept_the_file_itself_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.txt"
    file.write_text("old")
    inode, own = file.stat().st_ino, os.stat_result
    real = Path.stat

    def of_others(self: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        found = real(self, follow_symlinks=follow_symlinks)
        values = list(found)
        values[5] += self == file
        return own(values)

    def refused(path: Path, uid: int, gid: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "stat", of_others)
    monkeypatch.setattr(os, "chown", refused)
    write_whole(file, "new")
    monkeypatch.undo()
    assert (file.read_text(), file.stat().st_ino) == ("new", inode)
    assert list(tmp_path.iterdir()) == [file]


def test_what_killed_writers_left_goes_after_a_while(tmp_path: Path) -> None:
    file = tmp_path / ("n" * 60)
    stem = f".{'n' * 40}"
    old, young = tmp_path / f"{stem}-0123abcd.tmp", tmp_path / f"{stem}-0123abce.tmp"
    others = [tmp_path / name for name in (".m-0123abcd.tmp", f"{stem}.tmp", "a-0123abcd.tmp", f"{stem}-0123abcd.txt")]
    past = time.time() - 3600
    for left in (old, young, *others):
        left.touch()
    for left in (old, *others):
        os.utime(left, (past, past))
    write_whole(file, "new")
    assert sorted(tmp_path.iterdir()) == sorted([file, young, *others])
    drop_left(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted([file, young, *others[1:]])
    drop_left(tmp_path / "none")

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from polyrag_cli.errors import LockTimeout, StoreError
from polyrag_cli.stores.lock import WriterLock

HOLD = """
import sys
from pathlib import Path
from polyrag_cli.stores.lock import WriterLock
with WriterLock(Path(sys.argv[1])).held(5):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_another_process_holds_it_until_it_dies(tmp_path: Path) -> None:
    path = tmp_path / "writer.lock"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "held\n"
        messages: list[str] = []
        with pytest.raises(LockTimeout, match=f"process {child.pid} "), WriterLock(path).held(0.1, messages.append):
            pass
        assert len(messages) == 1
        child.kill()
        child.wait()
        # The dead process left its signature; the system freed the lock all the same.
        with WriterLock(path).held(60, messages.append):
            assert len(messages) == 1


def test_threads_exclude_each_other(tmp_path: Path) -> None:
    lock = WriterLock(tmp_path / "writer.lock")
    inside: list[int] = []
    seen: list[int] = []

    def work() -> None:
        for _ in range(20):
            with lock.held(60):
                inside.append(1)
                seen.append(len(inside))
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [1] * 60
    with lock.held(1), pytest.raises(LockTimeout), lock.held(0.01):
        pass


def test_the_holder_is_told_in_words_whatever_the_file_holds(tmp_path: Path) -> None:
    lock = WriterLock(tmp_path / "writer.lock")
    assert lock.holder() == "another process"
    (tmp_path / "writer.lock.owner").write_text("[1]", encoding="utf-8")
    assert lock.holder() == "another process"
    with lock.held(1):
        assert lock.holder().startswith("process ")
    assert lock.holder() == "another process"


def test_a_folder_that_takes_no_file_fails_at_once(tmp_path: Path) -> None:
    path = tmp_path / "writer.lock"
    path.mkdir()
    began = time.monotonic()
    with pytest.raises(StoreError) as raised, WriterLock(path).held(600):
        pass
    assert not isinstance(raised.value, LockTimeout)
    assert time.monotonic() - began < 60

"""What work is going on, told between processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from polyrag_cli.stores import jobs
from polyrag_cli.stores.jobs import Jobs


def test_a_job_is_seen_while_it_runs_with_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "_EVERY_S", 0.0)
    board = Jobs(tmp_path / "jobs")
    assert board.running() == ()
    with board.tracked("ingest") as update, board.tracked("reembed"):
        update(3, 10, "política.md", 42)
        first, second = Jobs(tmp_path / "jobs").running()
        assert (first.kind, first.pid, first.done, first.total, first.current, first.chunks) == (
            *("ingest", os.getpid()),
            *(3, 10, "política.md", 42),
        )
        assert (second.kind, second.done) == ("reembed", 0)
    assert board.running() == () and list((tmp_path / "jobs").iterdir()) == []


def test_a_job_that_fails_is_gone_as_well(tmp_path: Path) -> None:
    board = Jobs(tmp_path)
    with pytest.raises(ValueError, match="broken"), board.tracked("ingest"):
        raise ValueError("broken")
    assert board.running() == ()


def test_a_killed_process_is_not_running_and_is_swept_by_the_next_job(tmp_path: Path) -> None:
    script = (
        "import os, signal, sys; from pathlib import Path; from polyrag_cli.stores.jobs import Jobs\n"
        "with Jobs(Path(sys.argv[1])).tracked('ingest'): os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=False)
    assert len(list(tmp_path.iterdir())) == 1
    board = Jobs(tmp_path)
    assert board.running() == ()
    with board.tracked("ingest"):
        assert [job.pid for job in board.running()] == [os.getpid()]
        assert len(list(tmp_path.iterdir())) == 1


def test_a_silent_job_of_another_machine_counts_as_gone(tmp_path: Path) -> None:
    values = {"kind": "ingest", "pid": 1, "host": "elsewhere", "started": 1.0, "done": 0, "total": 0}
    values |= {"current": "", "chunks": 0}
    (tmp_path / "1-0.json").write_text(json.dumps({**values, "updated": time.time()}))
    (tmp_path / "2-0.json").write_text(json.dumps({**values, "updated": time.time() - 3600}))
    assert len(Jobs(tmp_path).running()) == 1


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"kind": 1, "pid": "x"}', "\x00\xff"])
def test_a_damaged_file_is_no_job(tmp_path: Path, content: str) -> None:
    (tmp_path / "1-0.json").write_text(content)
    assert Jobs(tmp_path).running() == ()


def test_where_nothing_can_be_written_the_work_goes_on(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    jobs = Jobs(tmp_path / "file" / "jobs")
    with jobs.tracked("ingest") as update:
        update(1, 2, "a", 3)
        assert jobs.running() == ()
    assert (tmp_path / "file").read_text() == "in the way"

from __future__ import annotations

from polyrag_cli.stores.jobs import Job
from polyrag_cli.tui.corpus.job_line import job_text


def _job(pid: int = 4242, host: str = "here", done: int = 500, total: int = 2000) -> Job:
    return Job("ingest", pid, host, 0.0, 0.0, done, total, "x.md", 830)


def test_a_job_says_who_how_far_and_where_it_is() -> None:
    assert job_text(_job(), 120, 1, "here") == (
        "another process (4242) ingests: ███░░░░░░░░░ 500 of 2,000 files · 830 chunks · at x.md"
    )
    assert job_text(_job(host="there"), 120, 1, "here").startswith("another process (4242 on there) ingests")
    assert job_text(_job(pid=1), 120, 1, "here").startswith("this dashboard ingests: ███")
    assert job_text(_job(total=0), 120, 1, "here") == "another process (4242) ingests: beginning"


def test_a_job_never_takes_more_than_its_line() -> None:
    assert len(job_text(_job(), 40, 1, "here")) <= 40

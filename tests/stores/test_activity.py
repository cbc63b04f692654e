from __future__ import annotations

import sqlite3
import threading
import time
import zlib
from collections.abc import Iterator

import numpy as np
import pytest

from polyrag_cli.errors import StoreError, UsageError
from polyrag_cli.stores.activity import Activity, CacheEntry
from polyrag_cli.stores.data_paths import DataPaths


@pytest.fixture
def activity(paths: DataPaths) -> Iterator[Activity]:
    opened = Activity(paths, max_traces=5, max_entries=3)
    yield opened
    opened.close()


def _trace(activity: Activity, trace_id: str, *routes: str, failed: bool = False) -> None:
    activity.put_trace(
        trace_id, f"Question {trace_id} ção\ud800?", routes or ["graph"], False, failed, 1.5, '{"spans": ["ção"]}'
    )


def _entry(entry_id: str, config: str = "c1") -> CacheEntry:
    vector = np.array([0.6, 0.8], dtype=np.float32)
    return CacheEntry(
        entry_id, f"Question {entry_id}?", vector, '{"n": 1}', '{"answer": "x"}', {"a.md": "ff"}, config, 7
    )


def test_nothing_was_ever_asked(activity: Activity, paths: DataPaths) -> None:
    assert activity.list_traces() == []
    assert activity.entries("c1") == []
    assert activity.version == 0
    with pytest.raises(UsageError, match="no trace"):
        activity.trace("ab")
    assert not paths.activity.exists()


def test_traces_are_found_by_time_and_text(activity: Activity) -> None:
    assert activity.newest_trace() == 0
    for number, (text, ms) in enumerate((("Onde fica a Câmara?", 3.0), ("Quem preside?", 40.0), ("50% de quê?", 9.0))):
        activity.put_trace(f"{number}{number}ab", text, ["graph"], False, False, ms, "{}")

    def found(**filters: object) -> list[str]:
        return [trace.trace_id for trace in activity.list_traces(**filters)]  # type: ignore[arg-type]

    assert found(min_ms=9.0) == ["22ab", "11ab"]
    assert found(text="CAMARA") == ["00ab"]
    # No pattern language: what is typed is what is looked for.
    assert found(text="50%") == ["22ab"] and found(text="_") == []
    assert found(text="11a") == ["11ab"]
    assert found(text="qu", limit=1) == ["22ab"]
    assert found(text="qu", min_ms=10.0) == ["11ab"]
    # A compound question is one of each of its routes.
    activity.put_trace("44ab", "Onde, e quantas?", ["relational", "graph"], False, False, 1.0, "{}")
    assert found(route="relational") == ["44ab"]
    assert found(route="graph") == ["44ab", "22ab", "11ab", "00ab"]
    assert found(route="relation") == found(route="") == found(route="relational\ngraph\nx") == []
    assert activity.trace("44ab").routes == ("relational", "graph")
    newest = activity.newest_trace()
    activity.put_trace("33ab", "?", ["graph"], False, False, 1.0, "{}")
    assert activity.newest_trace() > newest


def test_traces_newest_first_and_bounded(activity: Activity) -> None:
    for number in range(8):
        _trace(activity, f"{number}abc", "relational" if number % 2 else "graph", failed=number == 6)
    assert [trace.trace_id for trace in activity.list_traces()] == ["7abc", "6abc", "5abc", "4abc", "3abc"]
    assert [trace.trace_id for trace in activity.list_traces(2)] == ["7abc", "6abc"]
    assert [trace.trace_id for trace in activity.list_traces(route="graph")] == ["6abc", "4abc"]
    assert [trace.trace_id for trace in activity.list_traces(failed=True)] == ["6abc"]
    assert activity.list_traces(cached=True) == []


def test_a_trace_by_its_id_or_a_unique_prefix(activity: Activity) -> None:
    for trace_id in ("abcd", "abce", "ab"):
        _trace(activity, trace_id)
    assert activity.trace("abcd").payload == '{"spans": ["ção"]}'
    assert activity.trace("abce").question == "Question abce ção\ufffd?"
    assert activity.trace("ab").trace_id == "ab"
    for unknown in ("", "x", "%", "ab_d"):
        with pytest.raises(UsageError, match="no trace"):
            activity.trace(unknown)
    with pytest.raises(UsageError, match="Several"):
        activity.trace("abc")


def test_entries_of_a_configuration(activity: Activity, paths: DataPaths) -> None:
    activity.put_entry(_entry("one"))
    activity.put_entry(_entry("two", "c2"))
    other = Activity(paths)
    (found,) = other.entries("c1")
    assert found.vector.dtype == np.float32
    assert np.array_equal(found.vector, _entry("one").vector)
    assert (found.entry_id, found.question, found.slots_json, found.answer_json) == (
        *("one", "Question one?"),
        *('{"n": 1}', '{"answer": "x"}'),
    )
    assert (found.sources, found.config_hash, found.generation) == ({"a.md": "ff"}, "c1", 7)
    other.close()


def test_entries_are_replaced_bounded_and_forgotten(activity: Activity) -> None:
    for name in ("one", "two", "three", "four", "two"):
        activity.put_entry(_entry(name))
    assert [entry.entry_id for entry in activity.entries("c1")] == ["three", "four", "two"]
    _trace(activity, "ab")
    activity.clear()
    assert activity.entries("c1") == []
    assert len(activity.list_traces()) == 1


def test_the_answers_longest_unused_go_first(activity: Activity, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(100))
    monkeypatch.setattr(time, "time", lambda: float(next(clock)))
    for name in ("one", "two", "three"):
        activity.put_entry(_entry(name), name.encode(), b"s")
    first, *_ = activity.keys("c1")
    assert (first.key, first.sketch) == (b"one", b"s")
    activity.note_use(first.row)
    activity.put_entry(_entry("four"))
    assert [entry.entry_id for entry in activity.kept()] == ["four", "one", "three"]
    assert activity.count("c1") == 3 and activity.count("c2") == 0
    assert activity.rows([first.row])[first.row].entry_id == "one"
    assert list(activity.vectors([first.row, 10_000])) == [first.row]
    assert [key.row for key in activity.keys("c1", first.row)] == [3, 4]
    activity.forget_older(3.0)
    assert [entry.entry_id for entry in activity.kept()] == ["four"]


def test_version_tells_of_another_processes_entries_but_not_of_traces(activity: Activity, paths: DataPaths) -> None:
    other = Activity(paths)
    activity.put_entry(_entry("one"))
    before = other.version
    _trace(activity, "ab")
    assert other.version == before
    activity.put_entry(_entry("two"))
    assert other.version > before
    before = other.version
    activity.clear()
    assert other.version > before
    other.close()


def test_a_file_deleted_underneath_is_made_anew(activity: Activity, paths: DataPaths) -> None:
    _trace(activity, "ab")
    for path in paths.root.glob("activity.sqlite*"):
        path.unlink()
    assert activity.list_traces() == []
    _trace(activity, "cd")
    assert [trace.trace_id for trace in activity.list_traces()] == ["cd"]


def test_many_threads_and_objects_write_at_once(paths: DataPaths) -> None:
    opened = [Activity(paths) for _ in range(3)]

    def work(number: int) -> None:
        for n in range(10):
            _trace(opened[number % 3], f"{number}-{n}")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(opened[0].list_traces(100)) == 60
    for activity in opened:
        activity.close()


def test_where_it_cannot_be_written_it_says_so(paths: DataPaths) -> None:
    paths.root.parent.mkdir(exist_ok=True)
    paths.root.write_text("a file where the folder should be", encoding="utf-8")
    with pytest.raises(StoreError):
        _trace(Activity(paths), "ab")


def test_a_damaged_file_says_so(activity: Activity, paths: DataPaths) -> None:
    paths.root.mkdir()
    paths.activity.write_bytes(b"no database" * 1000)
    with pytest.raises(StoreError, match="damaged"):
        _trace(activity, "ab")
    with pytest.raises(StoreError, match="damaged"):
        activity.list_traces()


@pytest.mark.parametrize("content", [b"junk" * 100, b"SQLite format 3\0" + b"\xd0" * 4096])
def test_a_damaged_file_is_named_with_its_remedy_and_dropped(paths: DataPaths, content: bytes) -> None:
    paths.root.mkdir(parents=True, exist_ok=True)
    activity = Activity(paths)
    assert activity.check() == "traces and cached answers"
    paths.activity.write_bytes(content)
    with pytest.raises(StoreError, match=r"activity\.sqlite is damaged.*doctor --fix"):
        activity.check()
    activity.repair()
    assert not paths.activity.exists()


def test_a_sound_file_is_kept(paths: DataPaths) -> None:
    activity = Activity(paths)
    activity.put_trace("a1", question="q", routes=["graph"], cached=False, failed=False, took_ms=1.0, payload_json="{}")
    activity.close()
    activity.repair()
    assert Activity(paths).trace("a1").question == "q"


@pytest.mark.parametrize("payload", [b"no zlib", zlib.compress(b"\xff"), "text", 7])
def test_a_damaged_trace_is_named(activity: Activity, paths: DataPaths, payload: object) -> None:
    _trace(activity, "abcd")
    connection = sqlite3.connect(paths.activity)
    with connection:
        connection.execute("UPDATE traces SET payload = ?", (payload,))
    connection.close()
    with pytest.raises(StoreError, match="damaged trace abcd"):
        activity.trace("ab")
    assert [trace.trace_id for trace in activity.list_traces()] == ["abcd"]

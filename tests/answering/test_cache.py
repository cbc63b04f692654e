from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from polyrag_cli.answering.cache import AnswerCache, answer_documents
from polyrag_cli.answering.records import answer_from_json, answer_to_json
from polyrag_cli.config.sections import CacheSettings
from polyrag_cli.errors import StoreError
from polyrag_cli.providers.none import NullEmbedder
from polyrag_cli.stores.activity import Activity
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.records import SourceRecord
from polyrag_cli.types import Answer, ClauseDecision, Evidence, Hit, RouteDecision, RouteScore, SpanRecord
from tests.stores.corpus import table
from tests.strategies.library import Library

_HASH = "c" * 16


def _answer(question: str, document: str = "bees.md", sql: str | None = None) -> Answer:
    evidence = Evidence("text", "Hives", 0.3)
    scores = (RouteScore("vectorial", 0.5, 0.75, "anchor", evidence), RouteScore("graph", 0.1, 0.1, ""))
    clause = ClauseDecision(
        question, question, "vectorial", ("graph",), 3, scores, 0.4, 0.65, 0.5, 0.2, 0.1, "hybrid", "why", True, 0, 9
    )
    decision = RouteDecision(question, (clause,), _HASH, 3, 1.25, {"evidence": 0.5})
    hit = Hit(document, "id", "Hives", None, 0, 5, "Forty", 0.123456, "dense+lexical", ((0, 5),))
    spans = (SpanRecord("ask", -1, 0.0, 2.5, {"k": 5}),)
    return Answer(
        question, "Forty hives.[1]", "vectorial", ("vectorial",), "hybrid", False, sql, ("a", "b"),
        ((1, None), (2.5, "x")), (hit,), decision, ("careful",), "t" * 16, 12.5, spans, ("Marta Quill",), hit,
    )  # fmt: skip


@pytest.fixture
def activity(tmp_path: Path) -> Iterator[Activity]:
    (tmp_path / "data").mkdir()
    made = Activity(DataPaths(tmp_path / "data"))
    yield made
    made.close()


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Library]:
    made = Library(tmp_path / "shelf")
    yield made
    made.catalog.close()


class _Asked:
    """A cache over a library, asked through one snapshot a call."""

    def __init__(self, activity: Activity, library: Library) -> None:
        self.library = library
        self.cache = AnswerCache(activity, library.embedder, CacheSettings(), lambda: library.stores)

    def keep(self, answer: Answer, config_hash: str = _HASH) -> tuple[str, ...]:
        vector = self.library.embedder.embed_query(answer.question)
        with self.library.catalog.snapshot() as snapshot:
            return self.cache.remember(answer, vector, config_hash, snapshot)

    def look(self, question: str, config_hash: str = _HASH) -> Answer | None:
        vector = self.library.embedder.embed_query(question)
        with self.library.catalog.snapshot() as snapshot:
            return self.cache.lookup(question, vector, config_hash, snapshot)


def _change(library: Library, document: str) -> None:
    with library.catalog.writer() as writer:
        library.catalog.put_source(writer, SourceRecord("/root", document, document, "another hash", 1, 1, "recipe"))


def test_answers_survive_json_exactly() -> None:
    answer = _answer("How many hives?")
    assert answer_from_json(answer_to_json(answer)) == answer
    empty = replace(answer, closest=None, answer=None, sql=None)
    assert answer_from_json(answer_to_json(empty)) == empty
    assert answer_to_json(answer).isascii()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"question": 1}'])
def test_other_json_is_refused(text: str) -> None:
    with pytest.raises(StoreError):
        answer_from_json(text)


def test_a_repeat_hits_and_says_so(activity: Activity, shelf: Library) -> None:
    asked = _Asked(activity, shelf)
    answer = _answer("How many hives stand behind the cellar?")
    assert asked.keep(answer) == ()
    found = asked.look("how many hives stand behind the cellar")
    assert found is not None
    assert (found.cached, found.matched_question, found.matched_cosine) == (True, answer.question, 1.0)
    assert (found.answer, found.decision, found.sources) == (answer.answer, answer.decision, answer.sources)
    assert (found.trace_id, found.spans, found.took_ms) == ("", (), 0.0)


def test_another_wording_hits_and_another_question_misses(activity: Activity, shelf: Library) -> None:
    asked = _Asked(activity, shelf)
    asked.keep(_answer("How many hives stand behind the cellar?"))
    assert asked.look("Please tell me how many hives stand behind the cellar") is not None
    assert asked.look("How many hives stand before the cellar?") is None
    assert asked.look("How many hives stand behind the orchard?") is None


def test_a_changed_source_misses(activity: Activity, shelf: Library) -> None:
    asked = _Asked(activity, shelf)
    asked.keep(_answer("How many hives?"))
    _change(shelf, "orchard.md")
    assert asked.look("How many hives?") is not None
    _change(shelf, "bees.md")
    assert asked.look("How many hives?") is None


def test_a_removed_source_misses(activity: Activity, shelf: Library) -> None:
    asked = _Asked(activity, shelf)
    asked.keep(_answer("How many hives?"))
    with shelf.catalog.writer() as writer:
        shelf.catalog.remove_source(writer, "bees.md")
    assert asked.look("How many hives?") is None


def test_another_configuration_misses(activity: Activity, shelf: Library) -> None:
    asked = _Asked(activity, shelf)
    asked.keep(_answer("How many hives?"))
    assert asked.look("How many hives?", "d" * 16) is None


def test_the_newest_answer_replaces_the_older_one(activity: Activity, shelf: Library) -> None:
    asked = _Asked(activity, shelf)
    asked.keep(_answer("How many hives?"))
    asked.keep(replace(_answer("how many hives"), answer="Fifty."))
    found = asked.look("How many hives?")
    assert found is not None
    assert found.answer == "Fifty."
    assert len(activity.entries(_HASH)) == 1


def test_an_answer_without_documents_is_not_kept(activity: Activity, shelf: Library) -> None:
    asked = _Asked(activity, shelf)
    assert asked.keep(replace(_answer("2+2"), sources=())) == ()
    assert activity.entries(_HASH) == []


def test_sql_rests_on_every_table(shelf: Library) -> None:
    file = shelf.stores.relational.write(table())
    with shelf.catalog.writer() as writer:
        shelf.stores.relational.add(writer, "orchard.md", [(table(), file)])
    with shelf.catalog.snapshot() as snapshot:
        documents = answer_documents(_answer("sum", sql="SELECT 1"), snapshot, shelf.stores)
    assert documents == ("bees.md", "orchard.md")


def test_without_an_embedder_repeats_alone_hit(activity: Activity, shelf: Library) -> None:
    asked = _Asked(activity, shelf)
    asked.library.embedder = NullEmbedder()
    asked.cache = AnswerCache(activity, NullEmbedder(), CacheSettings(), lambda: shelf.stores)
    asked.keep(_answer("How many hives stand there?"))
    assert asked.look("how many hives stand there") is not None
    assert asked.look("please, how many hives stand there") is None


def test_where_nothing_can_be_written_there_is_a_warning(
    activity: Activity, shelf: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*entry: object) -> None:
        raise StoreError("disk full.")

    monkeypatch.setattr(activity, "put_entry", refuse)
    assert _Asked(activity, shelf).keep(_answer("How many hives?")) == ("answer not cached: disk full.",)


def test_an_entry_that_cannot_be_read_is_a_miss(activity: Activity, shelf: Library) -> None:
    asked = _Asked(activity, shelf)
    asked.keep(_answer("How many hives?"))
    (entry,) = activity.entries(_HASH)
    activity.put_entry(replace(entry, answer_json="{}"))
    assert asked.look("How many hives?") is None


def test_the_nearest_of_many_is_found(activity: Activity, shelf: Library) -> None:
    asked = _Asked(activity, shelf)
    for number in range(90):
        asked.keep(_answer(f"How many hives stand behind cellar {number}?"))
    found = asked.look("Please, how many hives stand behind cellar 7?")
    assert found is not None
    assert found.matched_question == "How many hives stand behind cellar 7?"


def test_another_processes_answers_are_served_and_its_clearing_is_seen(activity: Activity, shelf: Library) -> None:
    asked = _Asked(activity, shelf)
    asked.keep(_answer("How many hives?"))
    assert asked.look("How many queens?") is None
    other = Activity(DataPaths(activity._path.parent))
    _Asked(other, shelf).keep(_answer("How many queens?"))
    assert asked.look("How many queens?") is not None
    assert other.clear() == 2
    assert asked.look("How many queens?") is None
    _Asked(other, shelf).keep(_answer("How many drones?"))
    assert asked.look("How many drones?") is not None
    other.close()


def test_an_answer_grows_too_old(activity: Activity, shelf: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = _Asked(activity, shelf)
    asked.keep(_answer("How many hives?"))
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 29 * 86_400)
    assert asked.look("How many hives?") is not None
    monkeypatch.setattr(time, "time", lambda: now + 31 * 86_400)
    assert asked.look("How many hives?") is None
    asked.keep(_answer("How many queens?"))
    assert [entry.question for entry in activity.kept()] == ["How many queens?"]


def test_being_served_is_noted(activity: Activity, shelf: Library) -> None:
    asked = _Asked(activity, shelf)
    asked.keep(_answer("How many hives?"))
    asked.look("How many hives?")
    asked.look("how many hives")
    (kept,) = activity.kept()
    assert (kept.hits, kept.used >= kept.created) == (2, True)


def test_a_new_table_makes_an_answer_of_tables_stale(activity: Activity, shelf: Library) -> None:
    asked = _Asked(activity, shelf)
    asked.keep(_answer("How many hives?", sql="SELECT 1"))
    assert asked.look("How many hives?") is not None
    file = shelf.stores.relational.write(table())
    with shelf.catalog.writer() as writer:
        shelf.stores.relational.add(writer, "orchard.md", [(table(), file)])
    assert asked.look("How many hives?") is None


def test_match_explains(activity: Activity, shelf: Library) -> None:
    cache = AnswerCache(activity, shelf.embedder, CacheSettings(), lambda: shelf.stores)
    same = cache.match("How many hives?", "how many hives")
    assert (same.hit, same.reason) == (True, "verbatim repeat")
    other = cache.match("How many hives are there in 2023?", "How many hives are there in 2024?")
    assert (other.hit, other.reason) == (False, "dates differ")
    assert (other.slots["dates"], other.cached_slots["dates"]) == (["2023"], ["2024"])
    far = cache.match("How many hives?", "Zebra quagga okapi")
    assert not far.hit
    assert far.reason.startswith("cosine")
    assert -1.0 <= far.cosine < 0.5


def test_vectors_are_compared_as_stored(activity: Activity, shelf: Library) -> None:
    asked = _Asked(activity, shelf)
    asked.keep(_answer("How many hives?"))
    (entry,) = activity.entries(_HASH)
    np.testing.assert_array_equal(entry.vector, shelf.embedder.embed_query("How many hives?"))

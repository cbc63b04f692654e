from __future__ import annotations

from polyrag_cli.tui.chat.history import MAX_KEPT, History


def test_older_and_newer_walk_through_the_questions_and_keep_the_draft() -> None:
    history = History(["first", "second"])
    assert history.newer("draft") is None
    assert history.older("draft") == "second"
    assert history.older("second") == "first"
    assert history.older("first") is None
    assert history.newer("first") == "second"
    assert history.newer("second") == "draft"
    assert history.newer("draft") is None


def test_a_question_that_is_asked_again_at_once_stands_there_once() -> None:
    history = History()
    assert history.older("") is None
    history.add("same")
    history.add("same")
    assert history.questions == ["same"]
    assert history.older("new draft") == "same"
    history.add("other")
    assert history.older("") == "other"


def test_the_oldest_questions_are_forgotten() -> None:
    history = History(str(n) for n in range(MAX_KEPT + 5))
    history.add("newest")
    assert (len(history.questions), history.questions[0], history.questions[-1]) == (MAX_KEPT, "6", "newest")

"""Earlier questions, walked through with the arrow keys."""

from __future__ import annotations

from collections.abc import Iterable

MAX_KEPT = 200
"""Questions that are kept; the oldest are forgotten."""


class History:
    """Questions, oldest first, with a place in them; the place after the newest is the draft that wasn't sent yet."""

    def __init__(self, questions: Iterable[str] = ()) -> None:
        self.questions = list(questions)[-MAX_KEPT:]
        self._at = len(self.questions)
        self._draft = ""

    def add(self, question: str) -> None:
        """A question was asked: it becomes the newest, and the draft is empty again."""
        if not self.questions or self.questions[-1] != question:
            self.questions = [*self.questions, question][-MAX_KEPT:]
        self._at, self._draft = len(self.questions), ""

    def older(self, shown: str) -> str | None:
        """The question before the one shown, None at the oldest; a draft that is left is kept."""
        return self._moved(-1, shown)

    def newer(self, shown: str) -> str | None:
        """The question after the one shown, at last the draft; None when the draft is shown."""
        return self._moved(1, shown)

    def _moved(self, step: int, shown: str) -> str | None:
        at = self._at + step
        if not 0 <= at <= len(self.questions):
            return None
        if self._at == len(self.questions):
            self._draft = shown
        self._at = at
        return self._draft if at == len(self.questions) else self.questions[at]

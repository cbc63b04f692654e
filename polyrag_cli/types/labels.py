"""Labelled questions: what is asked, and what shows that an answer is right."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EvalItem:
    """A question with what a right answer shows.

    routes: the stores that should answer, () when not judged. relevant: markers that a right passage contains.
    gold: document names. facts: whole words and numbers that the answer must contain.
    declines: nothing in the corpus answers it. values: the answer's values, () when not judged.
    """

    question: str
    routes: tuple[str, ...] = ()
    relevant: tuple[str, ...] = ()
    gold: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    declines: bool = False
    values: tuple[str, ...] = ()
    lang: str = ""
    tags: tuple[str, ...] = ()

"""Owns relations for people to look at: name – verb phrase – name inside one sentence.

The walk doesn't need them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from polyrag_cli.languages import UNDETERMINED, all_languages
from polyrag_cli.languages import language as language_of
from polyrag_cli.text.stem import stem
from polyrag_cli.text.words import Word

_MAX_WORDS = 5


@dataclass(frozen=True, slots=True)
class Relation:
    """Subject – verb phrase – object in a passage's sentence; subject and object are keys, with their names."""

    sentence: int
    subject: str
    subject_name: str
    verb: str
    object: str
    object_name: str


def relations(
    sentence: int, parts: Sequence[Word], spans: Sequence[tuple[int, int, str, str]], language: str
) -> tuple[Relation, ...]:
    """Return the relations between neighbouring names of a sentence that only a verb phrase keeps apart.

    Args:
        sentence: the sentence's ordinal.
        parts: the sentence's words.
        spans: (first word, end word, key, name) of its names, in order.
        language: of the sentence.
    """
    found: list[Relation] = []
    for (_, left, subject, subject_name), (right, _, target, target_name) in pairwise(spans):
        between = parts[left:right]
        if subject != target and _is_verb_phrase(between, language):
            verb = " ".join(word.text for word in between)
            found.append(Relation(sentence, subject, subject_name, verb, target, target_name))
    return tuple(found)


def _is_verb_phrase(between: Sequence[Word], language: str) -> bool:
    if not 0 < len(between) <= _MAX_WORDS:
        return False
    names = language_of(language).names
    # Anything but a known verb and small words means that another phrase stands between the names.
    rest = [word.folded for word in between if not _is_verb(word.folded, language)]
    if not all(norm in names.fillers or norm in names.auxiliaries for norm in rest):
        return False
    return len(rest) < len(between) or between[0].folded in names.auxiliaries


def _is_verb(norm: str, language: str) -> bool:
    return any(stem(norm, code) in _verb_stems(code) for code in _codes(language))


def _codes(language: str) -> tuple[str, ...]:
    """The language that a text is in, or all that it may be in."""
    known = language_of(language)
    return (known.code,) if known.code != UNDETERMINED else tuple(each.code for each in all_languages())


@cache
def _verb_stems(code: str) -> frozenset[str]:
    return frozenset(stem(verb, code) for verb in language_of(code).names.verbs)

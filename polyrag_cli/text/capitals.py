"""Owns which capitals are evidence of a name, also in a language that gives every noun one."""

from __future__ import annotations

from collections.abc import Sequence

from polyrag_cli.languages import UNDETERMINED
from polyrag_cli.languages.schema import Language
from polyrag_cli.text.words import Word, empty_words

# An ending tells a noun only behind as many letters.
_STEM_LETTERS = 3


def nouns_have_capitals(known: Language) -> bool:
    """Tell whether a capital inside a sentence says no more than that its word is a noun."""
    return known.code != UNDETERMINED and not known.writing.capitals_mark_names


def capital_names(words: Sequence[Word], known: Language) -> list[bool]:
    """For each word of a sentence whether its capital is evidence of a name.

    Where nouns have capitals, a name is told by what nouns have and names haven't: an article, another determiner, a
    figure or an adjective before them, or a noun's ending. Codes and acronyms are names as they are written. So is a
    word behind another capitalised one ("die Firma Nordlicht"), unless both are counted ("5 Liter Milch"), and both
    are when the first looks like an adjective, which has no capital but in a name ("die Neue Werft").
    """
    if not nouns_have_capitals(known):
        return [word.capital for word in words]
    found: list[bool] = []
    counted = False
    for i, word in enumerate(words):
        if not word.capital:
            counted = _is_figure(word, known)
            found.append(False)
            continue
        before = words[i - 1] if i > 0 else None
        behind = before is not None and before.capital and before.folded not in empty_words(known.code)
        ahead = before is not None and i + 1 < len(words) and words[i + 1].capital
        noun = _has_noun_ending(word.folded, known) or (before is not None and _opens_noun(before, known))
        joined = behind or (ahead and adjectival(word.folded, known))
        found.append(_is_code(word) or (not counted and (joined or not noun)))
    return found


def adjectival(word: str, known: Language) -> bool:
    """Tell whether a folded word ends as an inflected adjective does, and is no function word."""
    names = known.names
    inflected = len(word) > _STEM_LETTERS and word.endswith(tuple(names.adjective_endings))
    return inflected and word not in empty_words(known.code) and not word.endswith(tuple(names.verb_endings))


def _is_code(word: Word) -> bool:
    return word.acronym or any(c.isdigit() or c == "_" for c in word.text)


def _has_noun_ending(word: str, known: Language) -> bool:
    return any(
        word.endswith(ending) and len(word) >= len(ending) + _STEM_LETTERS for ending in known.names.noun_endings
    )


def _is_figure(word: Word, known: Language) -> bool:
    return word.folded[0].isdigit() or word.folded in known.numbers.words


def _opens_noun(word: Word, known: Language) -> bool:
    """Whether a noun follows a word: a determiner, a figure, or what is inflected as an adjective."""
    if word.folded in known.function_words.articles or word.folded in known.names.determiners:
        return True
    return _is_figure(word, known) or (word.text.islower() and adjectival(word.folded, known))

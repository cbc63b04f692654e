"""The content words of a question, each with the part that it plays there.

Owns which words count: what a language calls empty does, where it is a name, a value of the corpus or a particle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from polyrag_cli.answering.slot_figures import Figure
from polyrag_cli.answering.slot_lookup import SlotLookup, slot_lookup
from polyrag_cli.text.capitals import capital_names
from polyrag_cli.text.utterance import Utterance
from polyrag_cli.text.words import Word


@dataclass(frozen=True, slots=True)
class Token:
    """A content word: `marker` is the role that a preposition gives it; `name` whether only equality will do.

    joined: whether a conjunction that allows either order stands before it. axes: the (axis, end) pairs that it names.
    light: whether it hardly narrows a question. degree: "more" or "less" where such a word raises or lowers it, and
    said the word with that. temporal: whether it says when. figure: whether it is a number or a date, `folded` in
    canonical form. counted: whether a number stands before it, so that it may be a unit. group: how many prepositions
    stand before it, so that words of one phrase share it. common: whether it may be left out where a question is put
    in other words. concepts: the meanings under which it may stand for another word.
    """

    text: str
    folded: str
    stems: tuple[str, ...]
    marker: str = ""
    name: bool = False
    joined: bool = False
    axes: tuple[tuple[str, int], ...] = ()
    light: bool = False
    degree: str = ""
    said: str = ""
    temporal: bool = False
    figure: bool = False
    counted: bool = False
    group: int = 0
    common: bool = False
    concepts: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Content:
    """The content words in order, the function words that change what is asked, and whether all of something is."""

    tokens: tuple[Token, ...]
    hard: tuple[str, ...]
    universal: bool


# What an axis of these names says is when.
_WHEN = frozenset(("day", "day_part", "weekday"))
_DEGREES = ("more", "less")
# What a preposition at the end still says: "where does it come from".
_STRANDED = ("from", "to", "with")


def content(asked: Utterance, found: Sequence[Figure], values: frozenset[str], whether: bool) -> Content:
    """What counts of a question.

    found: its figures. values: folded words that are a value or a name somewhere in the corpus.
    whether: whether it asks for yes or no; then "all" at its beginning isn't just "list all".
    """
    reader = _Reader(asked, values, whether)
    starts = {figure.span[0]: figure for figure in found}
    behind = 0
    for i, word in enumerate(asked.words):
        figure = next((starts[at] for at in range(word.start, word.end) if at in starts), None)
        if figure is not None:
            reader.figure(word, figure)
            behind = figure.span[1]
        elif word.start >= behind:
            reader.word(i, word)
    reader.end()
    return Content(tuple(reader.tokens), tuple(sorted(reader.hard)), reader.universal)


class _Reader:
    """Goes over the words once, keeping what the last preposition, conjunction and degree said."""

    def __init__(self, asked: Utterance, values: frozenset[str], whether: bool) -> None:
        self._asked, self._values, self._whether = asked, values, whether
        self._known = asked.known
        self._lookup: SlotLookup = slot_lookup(asked.known)
        self._marked = capital_names(asked.words, asked.known)
        self._mixed = any(c.islower() for c in asked.text)
        self.tokens: list[Token] = []
        self.hard: list[str] = []
        self.universal = False
        self._marker, self._joined, self._counted = "", False, False
        self._open = ""
        self._going = self._out = False
        self._group = 0
        self._degree, self._degree_word = "", ""

    def figure(self, word: Word, figure: Figure) -> None:
        self._drop_degree()
        when = figure.value is None
        self._add(Token(word.text, figure.key, (), self._marker, False, self._joined, temporal=when, figure=True))
        self._counted = not when

    def word(self, i: int, word: Word) -> None:
        folded, slots, small = word.folded, self._known.slots, self._known.function_words
        special = self._is_special(i, word)
        connects = folded in self._known.names.connectors and word.text.islower() and folded not in small.words
        if not special:
            if folded in slots.universal and (self.tokens or self._states(word)):
                self.universal = True
            if folded in self._lookup.markers or connects:
                self._mark(self._lookup.markers.get(folded, "of"), folded)
                return
            if folded in slots.commutative:
                self._joined = True
                if folded in self._lookup.hard:
                    # Either order is the same, but one of two isn't both.
                    self.hard.append(self._lookup.hard[folded])
                return
            if folded in small.articles:
                return
            if folded in self._lookup.hard:
                self._hard(self._lookup.hard[folded], word)
                return
            if self._sets_out(i, folded):
                return
            # Behind what is asked about a request is a word like others: "the state", "trade shows".
            asking = folded in small.requests and not self.tokens
            if asking or folded in small.words or folded in small.interrogatives or folded in slots.empty:
                if folded in small.interrogatives or folded not in slots.empty:
                    self._marker, self._joined = "", False
                return
        light = folded in slots.light and not special
        self._content(word, special or (not light and self._name_like(word, self._mixed and i > 0 and self._marked[i])))

    def end(self) -> None:
        if self._open in _STRANDED:
            self.hard.append(f"{self._open} …")
        self._drop_degree()

    def _sets_out(self, i: int, folded: str) -> bool:
        """Whether a verb only says from or to where: "leaving Alba", "that arrive in Torta"; not "leave on Monday"."""
        role = self._lookup.going.get(folded)
        if role is None:
            return False
        for j, word in enumerate(self._asked.words[i + 1 : i + 4], i + 1):
            if word.folded in self._lookup.markers or word.folded in self._known.function_words.articles:
                continue
            named = self._is_special(j, word) or self._name_like(word, self._mixed and self._marked[j])
            if named and not word.text[0].isdigit() and not self._lookup.axis_ends(word.folded):
                self._marker, self._going = role, True
                self._group += 1
                return True
            return False
        return False

    def _states(self, word: Word) -> bool:
        """Whether "all" at the beginning is asked about ("did all …?") and isn't just "list all …"."""
        before = self._asked.text[: word.start].strip()
        return self._whether or (not before and self._asked.text.rstrip().endswith("?"))

    def _content(self, word: Word, name: bool) -> None:
        ends = self._lookup.axis_ends(word.folded)
        if self._degree == "less":
            # The least expensive is the cheapest.
            two = self._lookup.two_ended
            ends = tuple(sorted((axis, 1 - end if axis in two else end) for axis, end in ends))
        temporal = bool(ends) and all(axis in _WHEN for axis, _ in ends)
        said = f"{self._degree_word} {word.folded}" if self._degree else word.folded
        self._add(
            Token(
                word.text,
                word.folded,
                word.stems,
                self._marker,
                name,
                self._joined,
                ends,
                light=word.folded in self._known.slots.light,
                degree=self._degree,
                said=said,
                temporal=temporal,
                counted=self._counted,
                common=word.folded in self._known.slots.common,
                concepts=self._lookup.concepts(word.folded),
            )
        )
        self._degree, self._degree_word = "", ""

    def _add(self, token: Token) -> None:
        self.tokens.append(replace(token, group=self._group))
        if not token.name and token.marker == "to":
            # "to protect the river" goes nowhere.
            self._marker = ""
        self._joined, self._counted, self._open, self._going, self._out = False, False, "", False, False

    def _mark(self, marker: str, folded: str) -> None:
        self._drop_degree()
        if self._out and folded in self._known.function_words.of:
            # "out of Alba" is from there.
            self.hard.pop()
            marker = "from"
        self._out = False
        # "arriving in Torta" goes to Torta.
        self._marker = self._marker if self._going else marker
        self._joined, self._going = folded in self._known.slots.commutative, False
        self._open = marker
        self._group += 1

    def _hard(self, meaning: str, word: Word) -> None:
        self._drop_degree()
        if meaning in _DEGREES:
            self._degree, self._degree_word = meaning, word.folded
        else:
            self.hard.append(meaning)
            self._out = meaning == "out"
            self._marker, self._joined = "", False

    def _drop_degree(self) -> None:
        """A degree that no word follows counts by itself: "sold the most"."""
        if self._degree:
            self.hard.append(self._degree)
        self._degree, self._degree_word = "", ""

    def _is_special(self, i: int, word: Word) -> bool:
        """Whether a word counts whatever its language says of it: an acronym, a small word in capitals, a value."""
        folded, small = word.folded, self._known.function_words
        if folded in self._values and folded not in small.articles:
            return True
        if not self._mixed:
            return False
        small_name = i > 0 and self._marked[i] and len(folded) > 1 and word.text[0].isupper()
        letter = i > 0 and len(folded) == 1 and folded in small.articles and word.text.isupper()
        return word.acronym or small_name or letter

    def _name_like(self, word: Word, marked: bool) -> bool:
        """Whether only the same word will do; marked: whether its place makes its capital evidence of a name."""
        text = word.text
        if len(text) <= 2 or any(c.isdigit() or c == "_" for c in text) or any(c.isupper() for c in text[1:]):
            return True
        return marked and text[0].isupper()

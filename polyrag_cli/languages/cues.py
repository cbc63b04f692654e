"""Owns cues: phrases of a language file that are looked for in folded text, in a small notation.

=================  ===================================================================================
`how many`         these words in this order; a hyphen may stand for the space
`(kind|sort) of`   one of several, each a word or a phrase
`number [total]`   what may be left out
`compar*`          any ending, or none
`(*ar|*er)`        any beginning, or none
`what _ mean`      any one word
`what !(is|are)`   not before one of these
=================  ===================================================================================

Alternatives and what may be left out nest. At least one word of a cue must be there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_PART = re.compile(r"\s*([\[\](|)!]|[^\s\[\](|)!]+)")
# Two words may be written as one with a hyphen: "trade-off".
_GAP = "[ -]"
_NOTHING = "(?!)"


class Cues:
    """The cues of one key, as regular expressions of folded text, compiled when a text is first searched for them."""

    __slots__ = ("_pattern", "sources")

    def __init__(self, sources: Sequence[str]) -> None:
        self.sources = tuple(sources)
        self._pattern: re.Pattern[str] | None = None

    @property
    def source(self) -> str:
        """One expression for any of the cues, without word borders; with no cue, one that nothing matches."""
        return f"(?:{'|'.join(self.sources)})" if self.sources else _NOTHING

    @property
    def whole(self) -> str:
        """`source` where no word goes on before or behind it."""
        return rf"(?<!\w){self.source}(?!\w)"

    def search(self, folded: str) -> re.Match[str] | None:
        """The first place in a folded text where a cue stands as whole words; there the first cue of the file."""
        return self._compiled().search(folded)

    def match(self, folded: str) -> re.Match[str] | None:
        """As `search`, at the beginning of the text alone."""
        return self._compiled().match(folded)

    def without(self, folded: str) -> str:
        """A folded text with a space in place of each cue."""
        return self._compiled().sub(" ", folded)

    def _compiled(self) -> re.Pattern[str]:
        if self._pattern is None:
            self._pattern = re.compile(self.whole)
        return self._pattern


def expression(cue: str) -> str:
    """The regular expression of one folded cue. Raises ValueError when it isn't written in the notation."""
    reader = _Reader(cue)
    source, certain = reader.sequence()
    if reader.following:
        raise ValueError(f"{cue!r}: {reader.following} stands outside brackets")
    if not certain:
        raise ValueError(f"{cue!r} asks for no word")
    return source


class _Reader:
    """Reads one cue from the left."""

    def __init__(self, cue: str) -> None:
        self._cue = cue
        self._parts = [match[1] for match in _PART.finditer(cue)]
        self._at = 0

    @property
    def following(self) -> str:
        """The next part, "" behind the last."""
        return self._parts[self._at] if self._at < len(self._parts) else ""

    def sequence(self) -> tuple[str, bool]:
        """The expression of what follows up to a border, and whether it asks for a word."""
        source, certain = "", False
        barred: list[str] = []
        while self.following not in ("", "|", ")", "]"):
            sign = self._take()
            if sign == "!":
                barred.append(rf"{self._element(self._take())}(?!\w)")
                continue
            element = "".join(f"(?!{bar})" for bar in barred) + self._element(sign)
            barred.clear()
            if sign == "[":
                source += f"(?:{_GAP}{element})?" if certain else f"(?:{element}{_GAP})?"
            else:
                source += f"{_GAP}{element}" if certain else element
                certain = True
        return source + "".join(f"(?!{_GAP}{bar})" for bar in barred), certain

    def _take(self) -> str:
        part = self.following
        self._at += 1
        return part

    def _element(self, sign: str) -> str:
        """The expression of one word or bracket."""
        if sign in ("[", "("):
            return self._choice("]" if sign == "[" else ")")
        if sign in ("", "|", ")", "]", "!"):
            raise ValueError(f"{self._cue!r} lacks a word")
        if sign == "_":
            return r"\w+"
        word = sign.strip("*")
        if not word or "*" in word:
            raise ValueError(f"{self._cue!r}: * stands at the beginning or end of a word")
        before, behind = (r"\w*" if any_letters else "" for any_letters in (sign[0] == "*", sign[-1] == "*"))
        return before + re.escape(word) + behind

    def _choice(self, closing: str) -> str:
        found = [self.sequence()]
        while self.following == "|":
            self._take()
            found.append(self.sequence())
        if self._take() != closing:
            raise ValueError(f"{self._cue!r} lacks {closing}")
        if not all(certain for _, certain in found):
            raise ValueError(f"{self._cue!r} has a choice of no word")
        return f"(?:{'|'.join(source for source, _ in found)})"

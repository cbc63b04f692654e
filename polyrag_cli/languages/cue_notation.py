"""Owns the notation of cues in a language file, and the regular expressions that it stands for.

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

_PART = re.compile(r"\s*([\[\](|)!]|[^\s\[\](|)!]+)")
# Two words may be written as one with a hyphen: "trade-off".
_GAP = "[ -]"


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

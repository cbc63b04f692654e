"""Owns cues: phrases of a language file that are looked for in folded text, written in `cue_notation`."""

from __future__ import annotations

import re
from collections.abc import Sequence

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

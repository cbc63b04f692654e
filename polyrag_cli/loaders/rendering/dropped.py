"""Owns what a template processor acts on and nobody reads: comments, shortcodes, includes, placeholders."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

# How many lines a directive may take.
_REACH = 60
# A line with more of these signs is no prose, and is taken as it is.
_MOST_SIGNS = 200
_CODE = r"(?<!`)(?P<ticks>`+)(?!`)[^\n]*?(?<!`)(?P=ticks)(?!`)"
_WHOLE = re.compile(
    rf"(?P<code>{_CODE})"
    r"|<!--.{0,4000}?-->|\{\*[^{}\n]{0,600}\*\}|\{![^{}\n]{0,300}!\}|\{/\*.{0,600}?\*/\}|\{\#[^{}\n#]{0,300}\#\}"
    r"|\{\{[<%].{0,600}?[>%]\}\}|\{%.{0,600}?%\}|\{\{[^{}\n]{0,300}\}\}|%%[^%\n]{1,2000}%%"
)
_OPENERS = (("<!--", "-->"), ("{{<", ">}}"), ("{{%", "%}}"), ("{%", "%}"), ("{/*", "*/}"), ("{{", "}}"), ("%%", "%%"))
_SIGNS = ("<!--", "{*", "{!", "{/*", "{#", "{{", "{%", "%%")
_INCLUDE = re.compile(r";?-{1,}8<-{1,}.*$|\{![^{}\n]{1,300}!\}$|\{\*[^{}\n]{1,600}\*\}$")
_OPENS_CODE = re.compile(r"[ \t]*(?:\{\{[<%][ \t]*highlight\b.*[>%]\}\}|\{%-?[ \t]*highlight\b.*%\})[ \t]*$")
_CLOSES_CODE = re.compile(r"\{\{[<%][ \t]*/[ \t]*highlight[ \t]*[>%]\}\}$|\{%-?[ \t]*endhighlight[ \t]*-?%\}$")
_HIGHLIGHT = "\0highlight"


@dataclass(slots=True)
class Dropper:
    """Takes such marks off the lines of one text, in their order; what stands in code is code."""

    _hidden: int = -1
    _resumed: tuple[int, str] = (-1, "")
    _unclosed: set[str] = field(default_factory=set)

    def hides(self, number: int) -> bool:
        """Whether a line belongs to a directive that an earlier one opened."""
        return number <= self._hidden

    def includes(self, bare: str) -> bool:
        """Whether a line, without white space around it, is an include directive."""
        return _INCLUDE.match(bare) is not None

    def opens_code(self, text: str) -> str:
        """The kind of fence that a shortcode for code opens, "" for any other line."""
        return _HIGHLIGHT if _OPENS_CODE.match(text) else ""

    def closes_code(self, fence: str, bare: str) -> bool:
        """Whether a line closes what `opens_code` opened."""
        return fence == _HIGHLIGHT and _CLOSES_CODE.match(bare) is not None

    def without(self, text: str, lines: Sequence[str], number: int) -> str:
        """The line without such marks; those that go on in later lines are hidden there."""
        if self._resumed[0] == number:
            text = text.partition(self._resumed[1])[2]
        if self.includes(text.strip()):
            return ""
        if any(sign in text for sign in _SIGNS) and sum(map(text.count, "{%<")) <= _MOST_SIGNS:
            text = _WHOLE.sub(lambda found: found["code"] or "", text)
            for opener, closer in _OPENERS:
                at = text.find(opener) if opener != "%%" or text.lstrip().startswith(opener) else -1
                if at >= 0 and text.count("`", 0, at) % 2 == 0:
                    text = self._cut(text, at, opener, closer, lines, number)
        return text

    def _cut(self, text: str, at: int, opener: str, closer: str, lines: Sequence[str], number: int) -> str:
        """The line before an opener whose closer stands in a later line; a comment that nothing closes loses its mark
        alone."""
        comment = opener == "<!--"
        last = len(lines) if comment else min(number + _REACH, len(lines))
        if opener not in self._unclosed:
            for later in range(number + 1, last):
                end = lines[later].find(closer)
                if end < 0:
                    continue
                goes_on = bool(lines[later][end + len(closer) :].strip())
                if goes_on:
                    self._resumed = (later, closer)
                self._hidden = max(self._hidden, later - goes_on)
                return text[:at]
            if comment:
                self._unclosed.add(opener)
        return text[:at] + text[at + len(opener) :] if comment else text

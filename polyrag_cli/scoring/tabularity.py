"""Owns tabularity: how much a text looks like a table."""

import re
from collections import Counter

# Characters that separate cells, and how a line of them is counted; commas count in CSV-like lines only.
_DELIMITERS = ("\t", "|", ";", ",")
_SPACED = re.compile(r"\S {2,}(?=\S)")
_RULE = re.compile(r"^[\s|:+=_-]+$")
_TOKEN = re.compile(r"[^\s|;,\t]+")
_FIGURE = re.compile(r"^[^\w]*\d[\d.,:/%-]*[^\w]*$")
_READ_LINES = 200

_DELIMITER_WEIGHT = 0.45
_REGULARITY_WEIGHT = 0.35
_DIGIT_WEIGHT = 0.20


def tabularity(text: str) -> float:
    """Return how table-like `text` is, in [0, 1]: about 0 for prose, above 0.6 for delimited rows.

    The weighted sum of the share of lines with the text's own delimiter, the share of those lines with the usual
    number of cells, and the share of figures among tokens. The first 200 lines count.
    """
    lines = [line for line in text.splitlines() if line.strip() and not _RULE.match(line)][:_READ_LINES]
    delimited, regular = max(_shape(lines, delimiter) for delimiter in (*_DELIMITERS, None))
    tokens = [token for line in lines for token in _TOKEN.findall(line)]
    digits = sum(1 for token in tokens if _FIGURE.match(token)) / len(tokens) if tokens else 0.0
    # One line can't be regular, and figures in prose make no table: both count only as far as lines are delimited.
    value = delimited * (_DELIMITER_WEIGHT + _REGULARITY_WEIGHT * regular) + _DIGIT_WEIGHT * digits
    return round(min(1.0, value), 6)


def _shape(lines: list[str], delimiter: str | None) -> tuple[float, float]:
    """Return (share of lines that are delimited, share of those with the commonest number of cells)."""
    counts = [_cells(line, delimiter) for line in lines]
    rows = [count for count in counts if count]
    if len(rows) < 2:
        return 0.0, 0.0
    usual = max(Counter(rows).values())
    regular = usual / len(rows)
    share = len(rows) / len(lines)
    # Prose has commas as well, in ever other numbers a line.
    return (share * regular if delimiter in {",", ";", None} else share), regular


def _cells(line: str, delimiter: str | None) -> int:
    if delimiter is None:
        return len(_SPACED.findall(line))
    if delimiter == ",":
        # A comma before a space is punctuation, and between digits it may be a decimal sign.
        return len(re.findall(r",(?=\S)(?!(?<=\d,)\d)|,$|(?<=\d),(?=\d)", line))
    return line.strip().strip("|").count(delimiter)

"""A passage found, with what each head says of it, in lines of text."""

from __future__ import annotations

from rich.text import Text

from polyrag_cli.display.answers import place
from polyrag_cli.display.text import bar
from polyrag_cli.tui.widgets.cells import padded, plain, wrapped
from polyrag_cli.types import HeadScore, Hit

HIT_LINES = 4
# Cells of a bar of 1, by the least width for it: the parts of a score are drawn on one scale, so that they add up by
# eye, and those of four heads fit beside each other.
_BARS = ((102, 16), (0, 8))
_PASSAGE_LINES = 2
# What is left of a score beside the heads' parts and is more than rounding: the bonus for the home route.
_BONUS_MIN = 0.005


def hit_lines(hit: Hit, number: int, width: int) -> list[Text]:
    """Place and score, the passage from the sentence that fits best on, and the heads that found it."""
    score = f" {hit.score:.2f}"
    head = padded(f"{number} {place(hit)}", max(8, width - len(score)))
    passage = wrapped(passage_text(hit), max(20, width - 2), _PASSAGE_LINES)
    passage += [""] * (_PASSAGE_LINES - len(passage))
    return [plain((head + score, "bold")), *(plain(f"  {line}") for line in passage), plain(heads_line(hit, width))]


def passage_text(hit: Hit) -> str:
    """The passage, from its best sentence on when that isn't its beginning."""
    start = hit.quotes[0][0] - hit.start if hit.quotes else 0
    return hit.text if not 0 < start < len(hit.text) else f"… {hit.text[start:]}"


def heads_line(hit: Hit, width: int) -> str:
    """Each head with a bar of what it adds to the score, its own score and rank."""
    cells = next(cells for least, cells in _BARS if width >= least)
    parts = [head_text(head, cells) for head in hit.heads]
    bonus = hit.score - sum(head.part for head in hit.heads)
    if len(hit.heads) > 1 and bonus > _BONUS_MIN:
        parts.append(f"home +{bonus:.2f}")
    line = "  " + "  ".join(parts or [hit.source])
    return line if len(line) <= width else line[: max(0, width - 1)].rstrip() + "…"


def head_text(head: HeadScore, cells: int) -> str:
    """One head, a bar of 1 being so many cells: dense ██████▏0.71 #1."""
    return f"{head.head} {bar(head.part, cells) or '·'} {head.score:.2f} #{head.rank}"

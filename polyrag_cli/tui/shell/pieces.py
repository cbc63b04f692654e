"""What of an answer people copy: its text, SQL, passages, trace id."""

from __future__ import annotations

from dataclasses import dataclass

from polyrag_cli.display.answers import cited, place
from polyrag_cli.display.text import cell_text, clip, printable
from polyrag_cli.types import Answer


@dataclass(frozen=True, slots=True)
class Piece:
    """Something to copy. name: what it is, as a notice says it; text: what goes to the clipboard."""

    name: str
    text: str


def pieces(answer: Answer | None) -> tuple[Piece, ...]:
    """An answer's pieces, the likeliest first; none without an answer."""
    if answer is None:
        return ()
    cells = "\n".join("\t".join("" if cell is None else cell_text(cell) for cell in row) for row in answer.rows)
    header = "\t".join(answer.columns)
    found = [
        Piece("answer", answer.answer or ""),
        Piece("SQL", answer.sql or ""),
        Piece("rows", f"{header}\n{cells}" if answer.rows else ""),
    ]
    numbered = cited(answer) or list(enumerate(answer.sources, start=1))
    found += [Piece(f"passage [{n}] {clip(place(hit), 60)}", hit.text) for n, hit in numbered]
    found += [Piece("question", answer.question), Piece("trace id", answer.trace_id)]
    return tuple(Piece(piece.name, _clean(piece.text)) for piece in found if piece.text)


def _clean(text: str) -> str:
    """Without control characters, and without halves of characters, which can't be sent to a terminal."""
    return printable(text).encode("utf-8", "replace").decode("utf-8")

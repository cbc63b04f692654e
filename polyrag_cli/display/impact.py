"""What other settings change, in words: of chunks, of questions, and of an ingest that is about to apply them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from polyrag_cli.display.text import clip, counted
from polyrag_cli.types import ChunkMove, ImpactReport, PendingImpact, QuestionMove
from polyrag_cli.types.impact import NOTHING

SHOWN = 40
"""Moves that a list shows."""
# Before an ingest, which goes on without waiting for a reader.
SHOWN_PENDING = 5
_SHOWN_SETTINGS = 5
_VERDICTS: Mapping[bool | None, str] = {True: "right", False: "wrong", None: ""}


def summary_lines(report: ImpactReport, which: str = "") -> list[str]:
    """What changes, in a line for chunks and one for questions. which: said before how many questions there are."""
    asked = _questions_line(report, which)
    return [_chunks_line(report), asked or "no question to compare: name a set with --set, or ask some first"]


def _chunks_line(report: ImpactReport) -> str:
    moved = counts_by_move(report.changed_chunks)
    ways = ", ".join(f"{old} → {new} {n}" for (old, new), n in moved.items())
    second = len(report.changed_chunks) - sum(moved.values())
    verb = "changes" if sum(moved.values()) == 1 else "change"
    line = f"{sum(moved.values())} of {counted(report.chunks, 'chunk')} {verb} home" + (f" ({ways})" if ways else "")
    return line + (f", {second} more gain or lose a second home" if second else "")


def _questions_line(report: ImpactReport, which: str) -> str:
    """How many questions go elsewhere, are right, and would be declined; "" where none was compared."""
    if not report.questions:
        return ""
    verb = "changes" if len(report.changed_questions) == 1 else "change"
    line = f"{len(report.changed_questions)} of {which}{counted(report.questions, 'question')} {verb} route"
    if report.judged:
        line += f"; right {report.right_before} → {report.right_after} of {report.judged} labelled"
    if report.declined:
        line += f"; {counted(report.declined, 'answerable question')} would be declined"
    return line


def pending_lines(pending: PendingImpact, dry_run: bool) -> list[str]:
    """What is said before an ingest under a configuration that changed; all moves where it is a dry run."""
    if pending.skipped:
        return [f"{_pending_head(pending)}:", f"  {pending.skipped}"]
    report = pending.report
    where = "on today's passages " if pending.recut else ""
    told = pending.unasked or where + _questions_line(report, "" if pending.from_sets else "the last ")
    lines = [f"{_pending_head(pending)}:", f"  {_pending_chunks(pending)}; {told}"]
    shown = SHOWN if dry_run else SHOWN_PENDING
    chunks = report.changed_chunks[:shown] if dry_run else ()
    lines += [f"    {place(move)}, passage {passage(move)}  {way(move.old, move.new)}" for move in chunks]
    for move in report.changed_questions[:shown]:
        lines.append(f"    “{clip(move.question, 60)}”  {way(move.old, move.new)}  {verdict(move)}".rstrip())
    if len(report.changed_chunks) > len(chunks) or len(report.changed_questions) > shown:
        lines.append("  …" if dry_run else "  polyrag ingest --dry-run lists such changes before anything is applied")
    return lines


def _pending_head(pending: PendingImpact) -> str:
    """What is known of what changed."""
    if pending.changes:
        more = len(pending.changes) - _SHOWN_SETTINGS
        shown = ", ".join(pending.changes[:_SHOWN_SETTINGS]) + (f" and {more} more" if more > 0 else "")
        return f"changed since the last ingest: {shown}"
    files = f"{counted(pending.files, 'file')} {'was' if pending.files == 1 else 'were'} ingested"
    if pending.noted:
        return f"{files} under other settings or by another version"
    return f"{files} under other settings or by another version; which wasn't noted"


def _pending_chunks(pending: PendingImpact) -> str:
    if pending.recut:
        verb = "is" if pending.files == 1 else "are"
        return f"{counted(pending.files, 'file')} {verb} cut anew"
    # Another version, or [chunking] that nobody noted, may cut them otherwise.
    known = pending.noted and not any(change.startswith("version ") for change in pending.changes)
    return _chunks_line(pending.report) + ("" if known else " as they are cut now")


def counts_by_move(moves: Sequence[ChunkMove]) -> Mapping[tuple[str, str], int]:
    """(old home, new home) → number of chunks that move so, most first, ties by name."""
    counts: dict[tuple[str, str], int] = {}
    for move in moves:
        if move.changes_home:
            key = (move.old[0], move.new[0])
            counts[key] = counts.get(key, 0) + 1
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def way(old: Sequence[str], new: Sequence[str]) -> str:
    """Old and new places; one of them where they are the same."""
    return "+".join(old) if tuple(old) == tuple(new) else f"{'+'.join(old)} → {'+'.join(new)}"


def place(move: ChunkMove) -> str:
    """Where a moved passage stands: its document and heading."""
    return clip(f"{move.document} › {move.heading}" if move.heading else move.document, 200)


def passage(move: ChunkMove) -> str:
    """Which passage of its document it is, and its lines; the number alone tells passages of one long line apart."""
    lines = f"{move.first_line}–{move.last_line}" if move.last_line > move.first_line else f"{move.first_line}"
    return f"{move.ordinal + 1}, line{'s' if move.last_line > move.first_line else ''} {lines}"


def verdict(move: QuestionMove) -> str:
    """Whether the question goes where its label says, before and after; "lost" when it would be declined instead."""
    before, after = _word(move, move.right_before, move.old), _word(move, move.right_after, move.new)
    if move.lost:
        after = "lost"
    return after if before == after else f"{before} → {after}"


def _word(move: QuestionMove, right: bool | None, places: Sequence[str]) -> str:
    if right is None or move.expected == (NOTHING,):
        return _VERDICTS[right]
    if set(places) == {NOTHING}:
        return "declined"
    return "partly right" if right and NOTHING in places else _VERDICTS[right]

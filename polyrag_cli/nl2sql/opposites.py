"""Owns which words are the opposite of a table's labels or cells by a prefix, by spelling and by meaning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from polyrag_cli.nl2sql.index import ColumnEntry, TableEntry
from polyrag_cli.nl2sql.polarity import bases, polarity, without_prefix
from polyrag_cli.nl2sql.question import Question
from polyrag_cli.nl2sql.similarity import Similar
from polyrag_cli.text.fold import fold

# Where a word without its prefix is as near to a label, the prefix is one: it turns the word round.
_OPPOSED = 0.85


def denied_columns(question: Question, positions: Sequence[int], table: TableEntry) -> Iterator[tuple[int, int]]:
    """Yield (position of a word, position of a column) for words that are the opposite, by a prefix, of the only
    column of yes and no that they may mean.
    """
    for i in positions:
        word = question.tokens[i].folded
        if any(stem in table.by_stem for stem in question.tokens[i].stems):
            continue
        notions = frozenset(c for base, negates in bases(word) if negates for c in question.lexicon.notions(base))
        found = [
            entry.position
            for entry in table.columns
            if (entry.yes_no and notions & entry.concepts)
            or (_says_no(entry) and any(polarity(word, label) == "denied" for label in entry.words))
        ]
        if len(found) == 1:
            yield i, found[0]


def _says_no(entry: ColumnEntry) -> bool:
    """Whether a column says no of some rows: also one that says of the others what it is ("armed": no, knife, gun)."""
    return entry.yes_no or (entry.role == "text" and not entry.denies and len(entry.denials) == 1)


def opposed(text: str, labels: Sequence[str], place: int, cosine: float, table: TableEntry, similar: Similar) -> bool:
    """Tell words from their opposites by a prefix: a text without it is about as near to a label, or the text to the
    label without one.

    Args:
        place: of the label among `labels`. cosine: of the text to it.
    """
    label = labels[place]
    if any(polarity(fold(a), fold(b)) for a in text.split() for b in label.split()):
        return True
    bare = list(without_prefix(text))
    near = [float(row[place]) for row in similar(bare, labels)] if bare else []
    if label in table.bare_meanings:
        near += [float(c) for c in similar([text], table.bare_meanings[label])[0]]
    return any(c >= _OPPOSED * cosine for c in near)


def turned(question: Question, i: int, both: Sequence[int], position: int, table: TableEntry, similar: Similar) -> bool:
    """Tell a word that a prefix turns round ("unpaid" before "invoices"): without it the words are nearer still.

    Args:
        both: positions of the words that name the column at `position`, with the word's own.
    """
    entry = table.columns[position]
    if any(polarity(question.tokens[i].folded, word) for word in entry.words):
        return True
    rest = " ".join(question.tokens[k].text.lower() for k in both if k != i)
    texts = [f"{word} {rest}" for word in (question.tokens[i].text.lower(), *without_prefix(question.tokens[i].folded))]
    near = [round(float(row[table.phrase_position[entry.phrase]]), 6) for row in similar(texts, table.phrases)]
    return len(near) > 1 and max(near[1:]) >= near[0]

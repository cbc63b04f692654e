"""Owns links by meaning: words that nothing else explains, against labels, kinds of rows and the table's own name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from polyrag_cli.nl2sql.index import ColumnEntry, TableEntry
from polyrag_cli.nl2sql.opposites import opposed, turned
from polyrag_cli.nl2sql.polarity import negated_base
from polyrag_cli.nl2sql.question import Question
from polyrag_cli.nl2sql.similarity import Similar

# Within one language an unlinked word rather is another thing; across languages it is the same thing's other name.
_COLUMN = 0.55
_COLUMN_SAME = 0.7
_WORD_OF_PAIR = 0.3
_NEARER = 0.02
_COLUMN_LEAD = 0.05
_VALUE = 0.7
_VALUE_SAME = 0.85
_VALUE_LEAD = 0.1
_TABLE = 0.55
_TABLE_SAME = 0.7
# Two words as near to the table's whole name are that.
_NAME = 0.7
_NAME_SAME = 0.85
# What says yes or no has an opposite, which vectors place beside it.
_YES_NO = 0.7
# A cosine of .5 between a word and a label is as sure a link as a part of a label is.
_OFFSET = 0.15


@dataclass(frozen=True, slots=True)
class NearMeaning:
    """Words near in meaning to a column (`columns`), to cells (`values`, as in a value mention) or to the table.

    denied: to the opposite of the column, one of yes and no.
    """

    tokens: tuple[int, ...]
    columns: tuple[tuple[int, float], ...] = ()
    values: tuple[tuple[int, tuple[str, ...], float], ...] = ()
    table: bool = False
    denied: bool = False


@dataclass(frozen=True, slots=True)
class _Best:
    cosine: float
    lead: float
    position: int


def near_meanings(
    question: Question,
    rest: Sequence[int],
    linked: frozenset[int],
    table: TableEntry,
    similar: Similar,
) -> list[NearMeaning]:
    """Return the links of unexplained words by meaning, for runs of two words before single ones.

    A link needs a cosine of .55 to a column's label or the table's name (.7 where question and table are of one
    language), of .7 (.85) to a cell of a column that sorts the rows, and a lead over the next. Proper names have no
    meaning that could be near.

    Args:
        rest: positions of the words that nothing else explains.
        linked: positions of the columns that other words name: another name for one of them restricts it.
    """
    rest = [i for i in rest if not (question.tokens[i].capital and i > 0)]
    if not rest:
        return []
    runs = list(_runs(question, rest))
    texts = [_text(question, run) for run in runs]
    labels = similar(texts, table.phrases) if table.phrases else None
    kinds = similar(texts, table.kind_texts) if table.kind_texts else None
    nouns = similar(texts, table.nouns) if table.nouns else None
    names = similar(texts, table.spoken_phrases) if table.spoken_phrases else None
    same = table.language in (question.language, "und")
    found: list[NearMeaning] = []
    taken: set[int] = set()
    single = {run[0]: row for row, run in enumerate(runs) if len(run) == 1}
    for row, run in enumerate(runs):
        if taken.intersection(run):
            continue
        column = None
        if labels is not None:
            column = _column(question, run, linked, table, labels[row], _COLUMN_SAME if same else _COLUMN)
            parts = [labels[single[i]] for i in run]
            column = column if column is not None and _as_said(texts[row], parts, column, table, similar) else None
        denied = _denied(question, run, linked, table, similar) if column is None else None
        value = _value(table, kinds[row], _VALUE_SAME if same else _VALUE) if kinds is not None else None
        if value is not None and opposed(texts[row], table.kind_texts, value.position, value.cosine, table, similar):
            value = None
        if denied is not None:
            found.append(NearMeaning(run, columns=((denied.position, _quality(denied.cosine)),), denied=True))
        elif value is not None and (column is None or value.cosine > column.cosine):
            ref = table.kinds[value.position]
            found.append(NearMeaning(run, values=((ref.position, (ref.value,), _quality(value.cosine)),)))
        elif column is not None:
            found.append(NearMeaning(run, columns=((column.position, _quality(column.cosine)),)))
        elif (
            nouns is not None
            and len(run) == 1
            and _names(question, run[0], table, float(nouns[row].max()), same)
            and not opposed(texts[row], table.nouns, int(nouns[row].argmax()), float(nouns[row].max()), table, similar)
        ) or (names is not None and len(run) > 1 and float(names[row].max()) >= (_NAME_SAME if same else _NAME)):
            found.append(NearMeaning(run, table=True))
        else:
            continue
        taken.update(run)
    return found


def _as_said(text: str, parts: Sequence[Sequence[float]], column: _Best, table: TableEntry, similar: Similar) -> bool:
    """Tell words that mean a column from its opposite, and from pairs of which one word means something else.

    Args:
        parts: the cosines of each of the words to the labels.
    """
    place = table.phrase_position[table.columns[column.position].phrase]
    if opposed(text, table.phrases, place, column.cosine, table, similar):
        return False
    return len(parts) == 1 or min(float(cosines[place]) for cosines in parts) >= _WORD_OF_PAIR


def _denied(
    question: Question, run: Sequence[int], linked: frozenset[int], table: TableEntry, similar: Similar
) -> _Best | None:
    """Return the column of yes and no that a word without its negating prefix is near to."""
    base = negated_base(question.tokens[run[0]].folded) if len(run) == 1 else ""
    if not base or not table.phrases:
        return None
    best = _column(question, run, linked, table, similar([base], table.phrases)[0], _YES_NO)
    if best is None or not table.columns[best.position].yes_no:
        return None
    near = similar([_text(question, run)], table.phrases)[0]
    word = float(near[table.phrase_position[table.columns[best.position].phrase]])
    # What is left of "discover" is a word as well, but of another thing.
    return best if word >= _COLUMN else None


def _names(question: Question, i: int, table: TableEntry, cosine: float, same: bool) -> bool:
    notions = question.tokens[i].notions
    other = bool(notions and table.label_concepts and not notions & table.label_concepts)
    return not other and round(cosine, 6) >= (_TABLE_SAME if same else _TABLE)


def _quality(cosine: float) -> float:
    return round(min(0.9, cosine + _OFFSET), 6)


def _runs(question: Question, rest: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield neighbouring pairs of words (with at most one function word between), then single words."""
    left = set(rest)
    for i in rest:
        for j in (i + 1, i + 2):
            if j in left and all(question.tokens[k].empty for k in range(i + 1, j)):
                yield (i, j)
    for i in rest:
        yield (i,)


def _text(question: Question, run: Sequence[int]) -> str:
    *before, last = (token.text.lower() for token in question.tokens[run[0] : run[-1] + 1])
    # A noun is nearer to a label or a cell in the singular.
    return " ".join([*before, question.lexicon.singular(last)])


def widened(
    question: Question,
    mentions: Sequence[tuple[tuple[int, ...], int]],
    rest: Sequence[int],
    table: TableEntry,
    similar: Similar,
) -> dict[int, tuple[int, ...]]:
    """Return, by index of mention, the neighbouring words that bring it nearer to its column's label ("gross" before
    "revenue").

    Args:
        mentions: (tokens, column position) of the words that name columns.
        rest: positions of the words that nothing else explains.
    """
    found: dict[int, tuple[int, ...]] = {}
    for which, (tokens, position) in enumerate(mentions):
        label = table.columns[position].phrase
        for i in rest:
            if i not in (tokens[0] - 1, tokens[-1] + 1) or (question.tokens[i].capital and i > 0) or not label:
                continue
            both = tuple(sorted((*tokens, i)))
            cosines = similar([_text(question, both), _text(question, tokens)], table.phrases)
            near, alone = (round(float(row[table.phrase_position[label]]), 6) for row in cosines)
            if near >= _COLUMN and near > alone + _NEARER and not turned(question, i, both, position, table, similar):
                found[which] = (*found.get(which, ()), i)
    return found


def _column(
    question: Question,
    run: Sequence[int],
    linked: frozenset[int],
    table: TableEntry,
    cosines: Sequence[float],
    floor: float,
) -> _Best | None:
    notions = frozenset(c for i in run for c in question.tokens[i].notions)
    open_to = [c for c in table.columns if c.phrase and not _contradicts(notions, c)]
    scored = sorted((round(float(cosines[table.phrase_position[c.phrase]]), 6), -c.position) for c in open_to)[::-1]
    if not scored:
        return None
    floor = max(floor, _YES_NO) if table.columns[-scored[0][1]].yes_no else floor
    best = _Best(scored[0][0], scored[0][0] - (scored[1][0] if len(scored) > 1 else 0.0), -scored[0][1])
    return best if best.position not in linked and best.cosine >= floor and best.lead >= _COLUMN_LEAD else None


def _contradicts(notions: frozenset[str], entry: ColumnEntry) -> bool:
    """Tell two different notions (profit and revenue), which vectors place side by side."""
    return bool(notions) and bool(entry.concepts) and not notions & entry.concepts


def _value(table: TableEntry, cosines: Sequence[float], floor: float) -> _Best | None:
    scored = sorted(((round(float(cosine), 6), -i) for i, cosine in enumerate(cosines)), reverse=True)
    texts = table.kind_texts
    best = scored[0]
    # The same text may stand in several columns.
    others = [cosine for cosine, i in scored if texts[-i] != texts[-best[1]]]
    found = _Best(best[0], best[0] - (others[0] if others else 0.0), -best[1])
    return found if found.cosine >= floor and found.lead >= _VALUE_LEAD else None

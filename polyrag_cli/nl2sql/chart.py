"""Owns the readings of a question on one table: a beam over restrictions, and what operators make of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise, product
from math import sqrt

from polyrag_cli.nl2sql.asking import asked, in_verb_place, is_plural
from polyrag_cli.nl2sql.bound_items import amounts_like_years, date_items, lack_items, number_items, place_items
from polyrag_cli.nl2sql.column_bounds import column_bounds
from polyrag_cli.nl2sql.column_items import column_items, otherwise_traded
from polyrag_cli.nl2sql.definitions import defined_items, subject_words
from polyrag_cli.nl2sql.index import TableEntry
from polyrag_cli.nl2sql.items import ColumnItem, Restriction
from polyrag_cli.nl2sql.linked_items import linked_items
from polyrag_cli.nl2sql.meant_items import meant_items
from polyrag_cli.nl2sql.notions import MONEY
from polyrag_cli.nl2sql.operators import operators
from polyrag_cli.nl2sql.profile import profile
from polyrag_cli.nl2sql.proposals import Proposal
from polyrag_cli.nl2sql.question import Mark, Question, word_parts
from polyrag_cli.nl2sql.scope import Scope
from polyrag_cli.nl2sql.similarity import Similar
from polyrag_cli.nl2sql.trades import names_trades
from polyrag_cli.nl2sql.value_items import value_items

# Choices that are looked at, and those kept of them.
_CHOICES = 400
_BEAM = 24
_NEGATING = 5
# Words that may stand between two values of a list.
_JOINT = 3
# What sets two values of a column against each other, wherever they stand.
_PAIRING = (
    "than",
    "or",
    "difference",
    "versus",
    "more",
    "less",
    "growth",
    "above",
    "below",
    "share",
    "same",
    "between",
    "before",
    "after",
    "since",
    "until",
)


@dataclass(frozen=True)
class Reading:
    """A proposal for a scope."""

    scope: Scope
    proposal: Proposal


def readings(question: Question, table: TableEntry, similar: Similar | None) -> Iterator[Reading]:
    """Yield what operators propose for each of the best choices of restrictions."""
    ask = asked(question)
    linked, states, label = linked_items(question, table, similar)
    named = _surest([*column_items(question, table, similar), *linked])
    named = _surest([*named, *meant_items(question, table, named), *defined_items(question, table, named)])
    named = [item for item in named if not otherwise_traded(question, table, item)]
    columns = [i for i in named if not _names_rows(question, table, i) and not _within_another(i, named)]
    groups = restriction_groups(question, table, columns, states, ask.focus)
    spoken = spoken_name(question, table)
    if spoken:
        columns, groups = _beside_name(spoken, table, columns, groups)
    about = subject_words(question, table, columns)
    called = tuple(sorted({*_label(question, table, columns, groups), *spoken, *about}))
    meant = tuple(i for i in sorted(set(label).difference(called)) if not _rather_held(question, i, table))
    compared = bool(question.find(*_PAIRING))
    for chosen in _beam(groups):
        if not _together(question, chosen, table, compared):
            continue
        scope = Scope(ask, table, tuple(columns), chosen, called, meant)
        for operator in operators():
            for proposal in operator.propose(scope):
                yield Reading(scope, proposal)


def restriction_groups(
    question: Question,
    table: TableEntry,
    columns: Sequence[ColumnItem],
    states: Sequence[list[Restriction]],
    focus: Sequence[int],
) -> list[list[Restriction]]:
    """Return the options of each span that restricts, best first; spans don't overlap."""
    values = value_items(question, table, profile(table).values)
    amounts = amounts_like_years(question, table, columns)
    dates = date_items(question, table, {i for number in amounts for i in range(number.first, number.last + 1)})
    bounds = number_items(question, table, columns, {i for group in dates for r in group for i in r.tokens}, amounts)
    taken = {i for group in [*values, *dates, *bounds] for r in group for i in r.tokens if r.quality >= 0.6}
    lacks = lack_items(question, columns, table, taken)
    places = place_items(question, table)
    groups = _apart([*values, *dates, *bounds, *places, *lacks, *states, *column_bounds(question, table, columns)])
    sparse = frozenset(entry.position for entry in table.columns if entry.column.nulls)
    judged = [_judged(question, group, columns, focus, sparse) for group in groups]
    return _all_negated(question, [group for group in judged if group])


def _surest(items: Sequence[ColumnItem]) -> list[ColumnItem]:
    """Keep of items of the same words and column the surest."""
    best: dict[tuple[tuple[int, ...], int, str], ColumnItem] = {}
    for item in items:
        key = (item.tokens, item.position, item.part)
        if key not in best or item.quality > best[key].quality:
            best[key] = item
    return sorted(best.values(), key=lambda item: (item.tokens, item.position, item.part))


def _names_rows(question: Question, table: TableEntry, item: ColumnItem) -> bool:
    """Tell a plural that is the table's own name from a quantity that other words call so ("how many visits" of a table
    of visits asks for no visitors).
    """
    token, entry = question.tokens[item.tokens[0]], profile(table).columns[item.position]
    if entry.role != "measure" or len(item.tokens) > 1 or token.trade or not is_plural(question, item.tokens[0]):
        return False
    own = any(token.folded in (word, question.lexicon.plural(word)) for word in table.label_words)
    return own and not any(token.folded in (word, question.lexicon.plural(word)) for word in entry.words)


def _within_another(item: ColumnItem, items: Sequence[ColumnItem]) -> bool:
    """Tell a word that is part of another column's whole label: no units are meant by "the unit cost"."""
    words = set(item.tokens)
    whole = [o.tokens for o in items if o.quality >= 1 and o.position != item.position]
    return any(words < set(tokens) and tokens[-1] - tokens[0] < len(tokens) for tokens in whole)


def _apart(groups: Sequence[list[Restriction]]) -> list[list[Restriction]]:
    """Keep of groups that overlap the stronger; those of the same words are one."""
    together: dict[tuple[int, ...], list[Restriction]] = {}
    for group in groups:
        for restriction in group:
            together.setdefault(restriction.tokens, []).append(restriction)
    together = {tokens: [r for r in group if not _less_than_others(r, group)] for tokens, group in together.items()}
    order = sorted(together, key=lambda tokens: (-_strength(together[tokens]), tokens))
    taken: set[int] = set()
    kept: list[list[Restriction]] = []
    for tokens in order:
        if taken.isdisjoint(tokens):
            taken.update(tokens)
            kept.append(together[tokens])
    return sorted(kept, key=lambda group: group[0].tokens)


def _less_than_others(restriction: Restriction, group: Sequence[Restriction]) -> bool:
    """Tell a link to one cell from another of the same words to all cells of its column that list it ("German" and
    "French, German").
    """
    (held, *more), column = restriction.conditions, restriction.position
    return not more and any(
        other.position == column
        and other.kind == "member"
        and len(other.conditions) == 1
        and set(held.values) < set(other.conditions[0].values)
        for other in group
    )


def _strength(group: Sequence[Restriction]) -> float:
    best = max(group, key=lambda r: r.quality)
    length = len(best.tokens)
    bound = 0.6 if best.kind in ("bound", "date") else 0.0
    return round((best.quality + bound) * sqrt(length) + 0.15 * length, 6)


def _judged(
    question: Question,
    group: Sequence[Restriction],
    columns: Sequence[ColumnItem],
    focus: Sequence[int],
    sparse: frozenset[int],
) -> list[Restriction]:
    """Weigh the options of a span by the columns that words beside it, or its own words, name.

    One word of a longer cell is a weak link where it is the noun that is asked for, or a verb.
    sparse: the columns that say something of some rows alone, such as remarks.
    """
    found: list[Restriction] = []
    for restriction in group:
        quality = restriction.quality
        if restriction.kind not in ("bound", "date"):
            if len(restriction.tokens) == 1 and restriction.kind in ("part", "spelled") and restriction.quality < 0.85:
                first = restriction.tokens[0]
                quality -= 0.45 if first in focus[:2] else 0.2 if in_verb_place(question, first) else 0.0
            elif (
                restriction.tokens == tuple(focus[:1])
                and question.find("count")
                and restriction.position in sparse
                and _only_part(restriction)
            ):
                # "How many pylons" asks of what is counted, whatever cells hold "one pylon".
                quality -= 0.45
            for item in columns:
                alone = len(item.tokens) > len(restriction.tokens)
                if item.tokens == restriction.tokens and item.quality >= 0.85 and restriction.kind != "whole":
                    quality -= 0.35
                elif alone and set(restriction.tokens) <= set(item.tokens) and item.quality >= 0.8:
                    quality -= 0.3
        beside, context = _beside(question, restriction, columns)
        found.append(
            replace(restriction, quality=round(quality, 6), beside=beside, context=(*restriction.context, *context))
        )
    found.sort(key=lambda r: (-r.worth, r.position))
    return [r for r in found if r.worth > 0.3][:3]


def _only_part(restriction: Restriction) -> bool:
    """Tell a word of which every cell that it restricts says more."""
    values = [str(value) for condition in restriction.conditions for value in condition.values]
    return (
        restriction.kind != "bound"
        and bool(values)
        and all(len(word_parts(v)) > len(restriction.tokens) for v in values)
    )


def _small(question: Question, last: int, count: int) -> bool:
    """Tell whether only small words stand behind a place, so many less one."""
    return all(question.tokens[i].empty for i in range(last + 1, last + count))


def _beside(
    question: Question, restriction: Restriction, columns: Sequence[ColumnItem]
) -> tuple[float, tuple[int, ...]]:
    best: tuple[float, tuple[int, ...]] = (0.0, ())
    if restriction.kind == "bound":
        return best
    for item in columns:
        if item.position != restriction.position or item.part or not set(item.tokens).isdisjoint(restriction.tokens):
            continue
        before = restriction.tokens[0] - item.tokens[-1]
        behind = item.tokens[0] - restriction.tokens[-1]
        near = (
            0 < before <= 3 or 0 < behind <= 1 or (0 < behind <= 3 and _small(question, restriction.tokens[-1], behind))
        )
        if near and item.quality > best[0]:
            best = (item.quality, item.tokens)
    return best


def _all_negated(question: Question, groups: Sequence[list[Restriction]]) -> list[list[Restriction]]:
    """Turn round what negations govern, and what "or" joins to it."""
    named = {i for group in groups for r in group for i in r.tokens}
    result = [list(group) for group in groups]
    done: set[int] = set()
    for mark in question.find("not", "except"):
        if mark.first in named:
            continue
        behind = [n for n, group in enumerate(groups) if 0 < group[0].tokens[0] - mark.last <= _NEGATING]
        if not behind or not _governs(question, mark, groups[behind[0]][0]):
            continue
        for n in _joined(question, groups, behind[0]):
            # "Nor" repeats the negation that holds for what it joins.
            turned = [_turned(r, mark) for r in result[n] if _may_turn(r)] if n not in done else result[n]
            result[n] = [replace(r, context=(*r.context, *range(mark.first, mark.last + 1))) for r in turned]
            done.add(n)
    return [group for group in result if group]


def _joined(question: Question, groups: Sequence[Sequence[Restriction]], first: int) -> list[int]:
    """Return a group and those behind it that "and" or "or" joins to it on the same column."""
    found = [first]
    positions = {r.position for r in groups[first]}
    for n in range(first + 1, len(groups)):
        between = range(groups[n - 1][0].tokens[-1] + 1, groups[n][0].tokens[0])
        joining = {question.tokens[i].folded for i in between} <= question.lexicon.grammar.joining
        if not joining or positions.isdisjoint(r.position for r in groups[n]):
            break
        found.append(n)
    return found


def _may_turn(restriction: Restriction) -> bool:
    return len(restriction.conditions) == 1 and restriction.conditions[0].operator not in ("between", "year", "month")


def _turned(restriction: Restriction, mark: Mark) -> Restriction:
    words = (*restriction.context, *range(mark.first, mark.last + 1))
    condition = restriction.conditions[0]
    if condition.values in ((True,), (False,)):
        other = replace(condition, values=(not condition.values[0],))
        return replace(restriction, conditions=(other,), context=words)
    return replace(restriction, negated=not restriction.negated, context=words)


def _governs(question: Question, mark: Mark, restriction: Restriction) -> bool:
    """Tell whether a negation stands at what restricts, and not at a verb ("not sold in Leeds")."""
    between = [i for i in range(mark.last + 1, restriction.tokens[0]) if i not in restriction.context]
    stating = question.lexicon.negation.stating
    bounds = restriction.kind == "bound"
    return all(question.tokens[i].folded in stating for i in between) or mark.operation == "except" or bounds


def _beam(groups: Sequence[list[Restriction]]) -> list[tuple[Restriction, ...]]:
    """Return the best choices of one option, or none, of each group."""
    # A value right beside its column's name is meant.
    options = [[*group] if group[0].quality >= 1 and group[0].beside >= 0.9 else [*group, None] for group in groups]
    choices = islice(product(*options), _CHOICES)
    scored = [
        (-round(sum(r.worth - 0.3 for r in choice if r is not None), 6), place, choice)
        for place, choice in enumerate(choices)
    ]
    scored.sort(key=lambda entry: entry[:2])
    return [tuple(r for r in choice if r is not None) for _, _, choice in scored[:_BEAM]]


def _together(question: Question, chosen: Sequence[Restriction], table: TableEntry, compared: bool) -> bool:
    """Tell whether several values of one column can be meant at once: as a list, or as two that are compared.

    A cell holds one value: words apart that each name another value of a column name different things.
    """
    by_column: dict[int, list[Restriction]] = {}
    for restriction in chosen:
        if restriction.kind not in ("bound", "date") and table.columns[restriction.position : restriction.position + 1]:
            by_column.setdefault(restriction.position, []).append(restriction)
    for group in by_column.values():
        joined = all(_is_joined(question, one, other) for one, other in pairwise(group))
        if len(group) > 1 and not joined and not (compared and len(group) == 2):
            return False
    return True


def _is_joined(question: Question, one: Restriction, other: Restriction) -> bool:
    words = [question.tokens[i] for i in range(one.tokens[-1] + 1, other.tokens[0])]
    alternatives = {i for mark in question.find("or") for i in range(mark.first, mark.last + 1)}
    joining = question.lexicon.grammar.joining
    return len(words) <= _JOINT and all(
        word.folded in joining or one.tokens[-1] + 1 + i in alternatives or word.empty for i, word in enumerate(words)
    )


def spoken_name(question: Question, table: TableEntry) -> frozenset[int]:
    """Return the words that are a whole name of the table, of several words ("fight songs"): its file's, its folder's.

    Nothing else is meant by them then but what is computed: a part of a cell or the half of a label is there by chance.
    """
    found: set[int] = set()
    for name in table.spoken_names:
        for first in range(len(question.tokens) - len(name) + 1):
            span = range(first, first + len(name))
            if all(stems.intersection(question.tokens[i].stems) for stems, i in zip(name, span, strict=True)):
                found.update(span)
    return frozenset(found)


def _beside_name(
    named: frozenset[int],
    table: TableEntry,
    columns: Sequence[ColumnItem],
    groups: Sequence[list[Restriction]],
) -> tuple[list[ColumnItem], list[list[Restriction]]]:
    """Return what is left of links where some words are the table's name: quantities, and what has other words too."""
    entries = profile(table).columns
    kept = [item for item in columns if not named.issuperset(item.tokens) or entries[item.position].numeric]
    left = [[r for r in group if not named.issuperset(r.tokens)] for group in groups]
    return kept, [group for group in left if group]


def _rather_held(question: Question, i: int, table: TableEntry) -> bool:
    """Tell a noun that cells hold from one that only shares its stem with the table's name ("falcons", of a table
    "falconry" that has other birds as well).
    """
    token, words_of = question.tokens[i], question.lexicon
    forms = {token.folded, words_of.singular(token.folded), words_of.plural(token.folded)}
    own = any(word in forms or words_of.singular(word) in forms for word in table.label_words)
    meant = bool(table.label_concepts & token.notions)
    return (
        not own and not meant and not token.trade and bool(profile(table).values.inflected(token.folded, token.stems))
    )


def _label(
    question: Question, table: TableEntry, columns: Sequence[ColumnItem], groups: Sequence[Sequence[Restriction]]
) -> tuple[int, ...]:
    """The words that name the table itself or its rows."""
    taken = {i for item in columns if item.quality >= 0.9 for i in item.tokens}
    taken |= {i for group in groups for r in group if r.quality >= 0.9 for i in r.tokens}
    found: list[int] = []
    timed = any(entry.role in ("date", "year") for entry in table.columns)
    for date in question.dates:
        # "In 2025", of the file of that year.
        if date.precision == "year" and not timed and str(date.year) in table.label_words:
            found += range(date.first, date.last + 1)
    for i in question.content():
        token = question.tokens[i]
        # The takings of a table of sales are money, and no rows.
        named = (table.label_concepts & token.notions) - MONEY or table.label_stems.intersection(token.stems)
        if i not in taken and (named or names_trades(token, table)) and not _rather_held(question, i, table):
            found.append(i)
    return tuple(found)

"""Owns which columns a word of comparing may order rows by ("highest", "older", "best"), and which way."""

from __future__ import annotations

from dataclasses import dataclass

from polyrag_cli.nl2sql.index import ColumnEntry
from polyrag_cli.nl2sql.prices import only_worth
from polyrag_cli.nl2sql.question import Mark
from polyrag_cli.nl2sql.scope import Scope

# Adjectives of extent measure time as well as space.
_EXTENTS = {
    "length": ("length", "duration", "wait", "minute", "hours", "distance"),
    "duration": ("duration", "wait", "minute", "hours", "speed"),
    "date": ("date", "year"),
}
# What something costs: revenue and the like say nothing of its price.
_WORTH = frozenset({"amount", "cost", "fee", "charged", "rent", "freight"})
_NEAR = 6
_SURE = 0.9
_KEPT = 4
# How well a column fits that the words of comparing mean, one that they may mean, and the only one there is.
_MEANT = 0.85
_MAY_BE = 0.75
_FAR = 0.7
_ONLY = 0.3


@dataclass(frozen=True, slots=True)
class Order:
    """A column to order by.

    fit: 0–1. flipped: whether what is said to be more is what is less in the column: the best has the lowest rank, the
    oldest the earliest date.
    """

    entry: ColumnEntry
    fit: float
    flipped: bool = False


def orders(scope: Scope, mark: Mark) -> list[Order]:
    """Return the columns that words of comparing may order by, best first."""
    own = mark.operation.partition(":")[2]
    may_be = dimensions(scope, mark)
    timed = own == "date" or "date" in may_be
    found: dict[int, Order] = {}

    def offer(entry: ColumnEntry, fit: float) -> None:
        fit = _FAR * fit if _counts_ranks(scope, mark, entry) else fit
        if entry.position not in found or fit > found[entry.position].fit:
            found[entry.position] = Order(entry, fit, _flipped(scope, entry, own, may_be))

    told = _told(scope)
    if told:
        return [Order(entry, 1.0, _flipped(scope, entry, own, may_be)) for entry in told]
    behind = behind_of(scope, mark)
    for item in scope.free:
        entry = scope.entry(item)
        if own == "age" and "age" not in entry.concepts and not dated(entry):
            continue
        if _counts_things(scope, mark) and only_worth(scope, entry, item.tokens):
            continue
        fits = entry.role in ("date", "year") if own == "date" else entry.role == "measure" or _ranks(scope, entry)
        if fits or (timed and entry.role in ("date", "year")):
            near = 1.0 if item.tokens[0] in behind[:2] else 0.85 if item.tokens[0] in behind else 0.7
            offer(entry, item.quality * near)
    held = scope.things(behind[0]) if behind and mark.operation in ("max", "min") else None
    if held is not None:
        offer(held, _SURE)
    for entry in scope.entries:
        if entry.role in ("text", "boolean", "month") or (entry.role == "code" and not _ranks(scope, entry)):
            continue
        if (own and (entry.concepts & set(_EXTENTS.get(own, (own,))) or (own == "date" and dated(entry)))) or (
            own == "rank" and _ranks(scope, entry)
        ):
            offer(entry, _MEANT)
        elif own == "age" and dated(entry):
            offer(entry, 0.6)
        elif not own and any(entry.concepts & set(_EXTENTS.get(name, (name,))) for name in may_be):
            offer(entry, _MAY_BE)
        elif (not own and "rank" in may_be and _ranks(scope, entry)) or ("date" in may_be and dated(entry)):
            offer(entry, 0.6)
    amounts = [c for c in scope.entries if c.role == "measure" and c.concepts & _WORTH]
    if own == "price" and not found and len(amounts) == 1:
        offer(amounts[0], 0.8)
    if not found and not own:
        for entry in _only_quantity(scope):
            if not (_counts_things(scope, mark) and only_worth(scope, entry, behind[:1])):
                offer(entry, _ONLY)
    return sorted(found.values(), key=lambda order: (-round(order.fit, 6), order.entry.position))[:_KEPT]


def _counts_things(scope: Scope, mark: Mark) -> bool:
    """Whether words of comparing speak of how many there are ("the most", "more", "fewer")."""
    last = scope.question.tokens[mark.last].folded
    return mark.operation in ("more", "less") or (
        ":" not in mark.operation and last in scope.question.lexicon.grammar.counting
    )


def dated(entry: ColumnEntry) -> bool:
    """Whether a column holds times."""
    return entry.role in ("date", "year")


def _only_quantity(scope: Scope) -> list[ColumnEntry]:
    """Return the one quantity that there is, or the total of all."""
    total = scope.profile.total
    quantities = [e for e in scope.entries if e.role == "measure" and not _ranks(scope, e)]
    return [total] if total is not None else quantities if len(quantities) == 1 else []


def _told(scope: Scope) -> list[ColumnEntry]:
    """Return the quantity that the question itself orders by ("best-selling by *units*")."""
    marks = scope.marks("group")
    items = [i for i in scope.free if i.quality >= _SURE and any(0 < i.tokens[0] - m.last <= 1 for m in marks)]
    return [scope.entry(item) for item in items if scope.entry(item).role == "measure"][:1]


def dimensions(scope: Scope, mark: Mark) -> frozenset[str]:
    """Return the notions that an adjective may compare."""
    known = scope.question.lexicon.dimensions
    words = [scope.question.tokens[i].folded for i in range(mark.first, mark.last + 1)]
    return frozenset(name for word in words for name in known.get(word, ()))


def behind_of(scope: Scope, mark: Mark) -> list[int]:
    """Return the places of the words behind a mark that may say what is compared."""
    tokens = scope.question.tokens
    places = range(mark.last + 1, min(len(tokens), mark.last + 1 + _NEAR))
    return [i for i in places if not tokens[i].empty or tokens[i].notions][:3]


def _ranks(scope: Scope, entry: ColumnEntry) -> bool:
    return entry.position in scope.profile.ranking


def _counts_ranks(scope: Scope, mark: Mark, entry: ColumnEntry) -> bool:
    """Tell "the most" of ranks, of which nobody has many."""
    last = scope.question.tokens[mark.last].folded
    return _ranks(scope, entry) and last in scope.question.lexicon.grammar.counting


def _flipped(scope: Scope, entry: ColumnEntry, own: str, may_be: frozenset[str]) -> bool:
    if _ranks(scope, entry):
        return own == "rank" or "rank" in may_be
    if own == "rank" and not scope.table.lexicon.tables.harms.isdisjoint(entry.words):
        # The worst unemployment is the highest.
        return True
    if entry.role in ("date", "year"):
        return own == "age" or (not own and "age" in may_be)
    return "speed" in entry.concepts and (own == "duration" or (not own and "duration" in may_be))

"""Owns how a plan is written as SQL in DuckDB's dialect."""

from __future__ import annotations

import re
from collections.abc import Sequence

from polyrag_cli.nl2sql.index import ColumnEntry, table_entry
from polyrag_cli.nl2sql.lexicon import every_language
from polyrag_cli.nl2sql.plans import Condition, Measure, Plan
from polyrag_cli.nl2sql.question import word_parts
from polyrag_cli.types import Cell, Column, TableSchema


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PLAIN = re.compile(r"[a-z_][a-z0-9_]*")
_RESERVED = _words(
    """
    all analyse analyze and anti any array as asc asof asymmetric at authorization between bigint binary bit
    boolean both by case cast char check coalesce collate collation column columns concurrently constraint
    create cross current_date current_time default deferrable desc describe distinct do else end except
    exists extract false fetch for foreign freeze from full generated glob group grouping grouping_id having
    ilike in initially inner int integer interval intersect into is isnull join lambda lateral leading left
    like limit map natural not notnull null offset on only or order outer overlaps pivot pivot_longer
    pivot_wider placing positional primary qualify references returning right row select semi show similar
    some struct summarize symmetric table tablesample then time timestamp to trailing true try_cast tuple
    union unique unpack unpivot update using values variadic verbose when where window with
    """
)


def quoted(name: str) -> str:
    """Return an identifier as SQL needs it: as it is, or in double quotes when it is reserved or not plain."""
    if _PLAIN.fullmatch(name) and name not in _RESERVED:
        return name
    return '"' + name.replace('"', '""') + '"'


def literal(value: Cell, column: Column | None = None) -> str:
    """Return a value as a literal of its column's type."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (int, float)):
        return repr(value)
    if column is not None and column.type in ("integer", "number") and re.fullmatch(r"-?\d+(\.\d+)?", value):
        return value
    text = "'" + value.replace("'", "''") + "'"
    return f"DATE {text}" if column is not None and column.type == "date" else text


def render(plan: Plan, schema: TableSchema) -> str:
    """Return the SELECT of a plan over its table; rows come in an order that its values alone decide."""
    return _RENDERERS[plan.operation](plan, _columns(schema))


def render_matched(plan: Plan, schema: TableSchema) -> str:
    """Return the SELECT that counts the rows which a plan's figure comes from."""
    columns = _columns(schema)
    present = []
    if plan.measure is not None and plan.measure.column is not None:
        present.append(Condition(plan.measure.column, "not null", ()))
    return f"SELECT COUNT(*) FROM {quoted(plan.table)}{_where((*_conditions(plan), *present), columns)}"


def _columns(schema: TableSchema) -> dict[str, ColumnEntry]:
    return {entry.column.name: entry for entry in table_entry(schema).columns}


def measure_sql(measure: Measure) -> str:
    """Return a measure as an SQL expression."""
    if measure.column is None:
        return "COUNT(*)"
    name = quoted(measure.column)
    return f"COUNT(DISTINCT {name})" if measure.function == "count_distinct" else f"{measure.function.upper()}({name})"


def measure_name(measure: Measure) -> str:
    """Return the name under which a measure is shown beside other columns."""
    return "rows_counted" if measure.column is None else f"{measure.function}_{measure.column}"


def _conditions(plan: Plan) -> tuple[Condition, ...]:
    return (*plan.conditions, *plan.excluded)


def _where(conditions: Sequence[Condition], columns: dict[str, ColumnEntry]) -> str:
    return f" WHERE {_joined(conditions, columns)}" if conditions else ""


def _joined(conditions: Sequence[Condition], columns: dict[str, ColumnEntry]) -> str:
    return " AND ".join(dict.fromkeys(condition_sql(c, columns[c.column].column) for c in conditions))


def condition_sql(condition: Condition, column: Column) -> str:
    """Return one restriction as SQL."""
    name = quoted(condition.column)
    values = [literal(value, column) for value in condition.values]
    nullable = column.nulls > 0
    match condition.operator:
        case "not null":
            return f"{name} IS NOT NULL"
        case "is null":
            return f"{name} IS NULL"
        case "between":
            return f"{name} BETWEEN {values[0]} AND {values[1]}"
        case "in":
            return f"{name} IN ({', '.join(values)})"
        case "not in":
            inside = f"{name} NOT IN ({', '.join(values)})"
            return f"({inside} OR {name} IS NULL)" if nullable else inside
        case "!=":
            return f"{name} IS DISTINCT FROM {values[0]}" if nullable else f"{name} <> {values[0]}"
        case "year" | "month":
            part = f"{condition.operator.upper()}({name})"
            numbers = [repr(value) for value in condition.values]
            return f"{part} = {numbers[0]}" if len(numbers) == 1 else f"{part} IN ({', '.join(numbers)})"
        case _:
            return f"{name} {condition.operator} {values[0]}"


# ---------------------------------------------------------------- one function an operation
def _project(plan: Plan, columns: dict[str, ColumnEntry]) -> str:
    names = ", ".join(quoted(name) for name in plan.select)
    present = [Condition(name, "not null", ()) for name in plan.select[:1] if columns[name].column.nulls]
    where = _where((*_conditions(plan), *present), columns)
    order = ", ".join(_ordering(columns[name]) for name in plan.select)
    return f"SELECT {_distinct(plan, columns)}{names} FROM {quoted(plan.table)}{where} ORDER BY {order}"


def _distinct(plan: Plan, columns: dict[str, ColumnEntry]) -> str:
    """Return what drops rows that show the same, but not amounts, which rows may have alike."""
    return "" if any(columns[name].amount for name in plan.select) else "DISTINCT "


def _ordering(entry: ColumnEntry) -> str:
    """Return what a column is ordered by: months by the calendar, everything else by its value."""
    name = quoted(entry.column.name)
    if entry.column.type != "text" or entry.role != "month":
        return name
    months = every_language().months
    values = sorted(entry.column.values, key=lambda v: (months.get("".join(word_parts(v)), 13), v))
    # SELECT DISTINCT allows only what it shows in its order, or an expression of it.
    return f"LIST_POSITION([{', '.join(literal(v) for v in values)}], {name})"


def _aggregate(plan: Plan, columns: dict[str, ColumnEntry]) -> str:
    measure = plan.measure or Measure("count")
    name = " AS count" if measure.function in ("count", "count_distinct") else ""
    return f"SELECT {measure_sql(measure)}{name} FROM {quoted(plan.table)}{_where(_conditions(plan), columns)}"


def _group(plan: Plan, columns: dict[str, ColumnEntry]) -> str:
    measure, name = plan.measure or Measure("count"), plan.group or ""
    having = ""
    if plan.having is not None:
        bound = plan.having
        values = [literal(value) for value in bound.values]
        limits = (
            f"BETWEEN {values[0]} AND {values[1]}" if bound.operator == "between" else f"{bound.operator} {values[0]}"
        )
        having = f" HAVING {measure_sql(measure)} {limits}"
    return (
        f"SELECT {_shown_group(plan)}, {measure_sql(measure)} AS {quoted(measure_name(measure))}"
        f" FROM {quoted(plan.table)}{_where(_with_present(plan, name, columns), columns)}"
        f" GROUP BY {_group_key(plan)}{having}"
        f" ORDER BY {_group_key(plan) if plan.group_part else _ordering(columns[name])}"
    )


def _group_key(plan: Plan) -> str:
    name = quoted(plan.group or "")
    if plan.group_part == "month":
        return f"STRFTIME({name}, '%Y-%m')"
    return f"YEAR({name})" if plan.group_part == "year" else name


def _shown_group(plan: Plan) -> str:
    return f"{_group_key(plan)} AS {plan.group_part}_of_{plan.group}" if plan.group_part else _group_key(plan)


def _with_present(plan: Plan, name: str, columns: dict[str, ColumnEntry]) -> tuple[Condition, ...]:
    present = (Condition(name, "not null", ()),) if columns[name].column.nulls else ()
    return (*_conditions(plan), *present)


def _extreme(plan: Plan, columns: dict[str, ColumnEntry]) -> str:
    way = "DESC" if plan.descending else "ASC"
    limit = plan.limit or 1
    if plan.measure is None:
        order = plan.order or plan.select[-1]
        names = ", ".join(quoted(name) for name in plan.select)
        present = [
            Condition(name, "not null", ())
            for name in dict.fromkeys((order, plan.select[0]))
            if columns[name].column.nulls
        ]
        return (
            f"SELECT {'DISTINCT ' if limit == 1 else _distinct(plan, columns)}{names} FROM {quoted(plan.table)}"
            f"{_where((*_conditions(plan), *present), columns)}"
            f" QUALIFY RANK() OVER (ORDER BY {quoted(order)} {way}) <= {limit}"
            f" ORDER BY {quoted(order)} {way}, {', '.join(quoted(name) for name in plan.select)}"
        )
    name, measure = plan.group or "", measure_sql(plan.measure)
    return (
        f"SELECT {_shown_group(plan)}, {measure} AS {quoted(measure_name(plan.measure))} FROM {quoted(plan.table)}"
        f"{_where(_with_present(plan, name, columns), columns)} GROUP BY {_group_key(plan)}"
        f" QUALIFY RANK() OVER (ORDER BY {measure} {way}) <= {limit} ORDER BY {measure} {way}, {_group_key(plan)}"
    )


def _pair_key(plan: Plan) -> str:
    name = quoted(plan.group or "")
    part = plan.pair[0].operator
    return f"{part.upper()}({name})" if part in ("year", "month") else name


def _compare(plan: Plan, columns: dict[str, ColumnEntry]) -> str:
    first, second = plan.pair
    kind = "in" if first.operator == "=" else first.operator
    both = Condition(first.column, kind, (*first.values, *second.values))
    measure, key = plan.measure or Measure("count"), _pair_key(plan)
    way = "DESC" if plan.descending else "ASC"
    return (
        f"SELECT {key}, {measure_sql(measure)} AS {quoted(measure_name(measure))} FROM {quoted(plan.table)}"
        f"{_where((*_conditions(plan), both), columns)} GROUP BY {key} ORDER BY {measure_sql(measure)} {way}, {key}"
    )


def _difference(plan: Plan, columns: dict[str, ColumnEntry]) -> str:
    measure = measure_sql(plan.measure or Measure("count"))
    one, two = (f"{measure} FILTER (WHERE {condition_sql(c, columns[c.column].column)})" for c in plan.pair)
    where = _where(_conditions(plan), columns)
    return (
        f"SELECT ABS({one} - {two}) AS difference, {one} AS value_1, {two} AS value_2 FROM {quoted(plan.table)}{where}"
    )


def _share(plan: Plan, columns: dict[str, ColumnEntry]) -> str:
    measure = measure_sql(plan.measure or Measure("count"))
    part = f"{measure} FILTER (WHERE {_joined(plan.part, columns)})"
    where = _where(_conditions(plan), columns)
    return (
        f"SELECT 100.0 * {part} / NULLIF({measure}, 0) AS percent, {part} AS part, {measure} AS whole"
        f" FROM {quoted(plan.table)}{where}"
    )


_RENDERERS = {
    "project": _project,
    "aggregate": _aggregate,
    "count": _aggregate,
    "exists": _aggregate,
    "group": _group,
    "extreme": _extreme,
    "compare": _compare,
    "difference": _difference,
    "share": _share,
}

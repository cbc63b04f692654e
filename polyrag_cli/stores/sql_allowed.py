"""Owns what a statement may be made of: the parts of a SELECT, the functions, and how far they may lengthen a text.

Everything is refused that isn't listed: a new release of the database or of the parser opens no door. Names in capitals
are those of sqlglot's classes; the database's own names stand where sqlglot has no class.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from polyrag_cli.errors import QueryRejected

if TYPE_CHECKING:
    from sqlglot import exp


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PARTS = _words(
    """
    Select Union Intersect Except Subquery From With CTE Table TableAlias Identifier Alias Column Star
    Literal Null Boolean Where Group Having Order Ordered Limit LimitOptions Offset Fetch Distinct Qualify Join
    Paren Tuple Var
    GroupingSets Rollup Cube Window WindowSpec Filter WithinGroup IgnoreNulls RespectNulls
    EQ NEQ GT GTE LT LTE Is In Between Not NullSafeEQ NullSafeNEQ Like ILike Glob SimilarTo Escape Any All
    Add Sub Mul Div IntDiv Mod Neg DPipe Interval IntervalSpan DataType DataTypeParam Collate Bracket Slice
    """
)
# DataType is a part too, of these kinds alone: a value of another one has no place in a table of rows.
_TYPES = _words(
    """
    BOOLEAN TINYINT SMALLINT INT BIGINT INT128 UTINYINT USMALLINT UINT UBIGINT UINT128 FLOAT DOUBLE DECIMAL
    VARCHAR TEXT CHAR DATE TIME TIMESTAMP TIMESTAMPTZ TIMESTAMPNTZ INTERVAL
    """
)
_FUNCTIONS = _words(
    """
    And Or Xor If Case Cast TryCast Exists Coalesce Nullif Greatest Least Grouping
    Count CountIf Sum Avg Min Max Median Mode AnyValue First Last ArgMax ArgMin GroupConcat ApproxDistinct
    PercentileCont PercentileDisc Quantile ApproxQuantile LogicalAnd LogicalOr
    Stddev StddevPop StddevSamp Variance VariancePop Corr CovarPop CovarSamp Kurtosis Skewness
    RegrSlope RegrIntercept RegrR2 RegrCount RegrAvgx RegrAvgy RegrSxx RegrSxy RegrSyy
    RowNumber Rank DenseRank PercentRank CumeDist Ntile Lag Lead FirstValue LastValue NthValue
    Abs Sign Round Floor Ceil Trunc Sqrt Cbrt Pow Exp Ln Log IsNan IsInf Pi Sin Cos Tan Asin Acos Atan Atan2
    Degrees Radians
    Year Quarter Month Week WeekOfYear Day DayOfMonth DayOfWeek DayOfWeekIso DayOfYear Hour Minute Second YearOfWeekIso
    Dayname Monthname LastDay DateFromParts CurrentDate CurrentTimestamp Extract DateDiff DateAdd DateSub Date Timestamp
    DateTrunc TimestampTrunc DateBin TimeToStr StrToTime StrToDate ToDays TimeToUnix UnixToTime
    Length Upper Lower Trim Left Right Substring Reverse SplitPart StrPosition StartsWith EndsWith Contains
    RegexpLike RegexpExtract RegexpFullMatch Ascii Unicode Translate Levenshtein JarowinklerSimilarity
    Concat ConcatWs Replace RegexpReplace Pad Repeat Format
    """
)
_ALLOWED = _PARTS | _FUNCTIONS
_NAMED = _words(
    """
    age century date_part datepart date_sub datesub day_of_week dayofweek decade era even fdiv fmod gcd hamming isodow
    isoyear jaccard lcm mad mean millennium mismatches now nfc_normalize prefix printf product sem strip_accents
    strlen suffix to_hours to_minutes to_months to_seconds to_weeks to_years try_strptime weekday yearweek
    sumkahan kahan_sum fsum favg entropy isfinite timezone ord year_of_week
    """
)

# What makes a text longer than it was. One of them inside another multiplies; two of them may.
_GROWING = _words("Replace RegexpReplace Pad Repeat Format GroupConcat Concat ConcatWs DPipe")
_MAX_GROWING_NESTED = 2
_MAX_REPLACEMENT = 100
_MAX_COUNT = 1000
_MAX_JOINED = 50


def listed() -> frozenset[str]:
    """The names of sqlglot's classes that are allowed."""
    return _ALLOWED


def check_parts(statement: exp.Expr) -> None:
    """Raises QueryRejected, naming it, for a part or a function that isn't allowed."""
    from sqlglot import exp

    joined = 0
    for node in statement.walk():
        kind = type(node).__name__
        allowed = node.name.casefold() in _NAMED if isinstance(node, exp.Anonymous) else kind in _ALLOWED
        if not allowed and isinstance(node, exp.Func):
            raise QueryRejected(
                f"The function {function_name(node)} is not allowed.",
                "`polyrag manual sql` lists the functions that statements may use.",
            )
        if not allowed:
            raise QueryRejected(f"{node.key.upper()} is not allowed inside a SELECT.")
        if isinstance(node, exp.DataType):
            _check_type(node)
        if kind in _GROWING or (isinstance(node, exp.Anonymous) and node.name.casefold() == "printf"):
            _check_growth(node)
        joined += isinstance(node, exp.DPipe)
    if joined > _MAX_JOINED:
        raise QueryRejected(f"|| stands {joined} times in the statement; at most {_MAX_JOINED} are allowed.")


def function_name(node: exp.Expr) -> str:
    """A function's name as the database has it, in lower case."""
    from sqlglot import exp

    if isinstance(node, exp.Anonymous):
        return str(node.name)
    written = re.match(r"\w+(?=\()", node.sql("duckdb"))
    return (written[0] if written else str(getattr(node, "sql_name", lambda: node.key)())).lower()


def _check_type(node: exp.DataType) -> None:
    kind = getattr(node.this, "name", str(node.this))
    if kind not in _TYPES:
        raise QueryRejected(f"The type {node.sql('duckdb')} is not allowed.")


def _check_growth(node: exp.Expr) -> None:
    """Refuses what makes a text of a length that only its rows decide."""
    from sqlglot import exp

    above, depth = node.parent, 1
    while above is not None and not isinstance(above, exp.Query):
        # a || b || c is one chain, though each || stands inside the next.
        chained = isinstance(above, exp.DPipe) and isinstance(node, exp.DPipe)
        depth += type(above).__name__ in _GROWING and not chained
        above = above.parent
    if depth > _MAX_GROWING_NESTED:
        raise QueryRejected(f"Functions that lengthen a text may stand in one another {_MAX_GROWING_NESTED} deep.")
    if isinstance(node, (exp.Replace, exp.RegexpReplace)):
        by = node.args.get("replacement")
        if by is not None and not _is_short(by):
            raise _any_size(node, f"its replacement is no literal of at most {_MAX_REPLACEMENT} characters")
    elif isinstance(node, (exp.Pad, exp.Repeat)):
        count = node.args.get("expression" if isinstance(node, exp.Pad) else "times")
        if not _is_small(count):
            raise _any_size(node, f"its count is no literal up to {_MAX_COUNT:,}")
    elif isinstance(node, (exp.Format, exp.Anonymous)):
        form = node.args.get("this") if isinstance(node, exp.Format) else next(iter(node.expressions), None)
        # A star, or braces inside braces, take the width from a value.
        if not isinstance(form, exp.Literal) or re.search(r"\d{4}|\*|\{[^}]*\{", str(form.this)):
            raise _any_size(node, "its format is no literal with widths up to 999")


def _is_short(node: object) -> bool:
    from sqlglot import exp

    return isinstance(node, exp.Literal) and len(str(node.this)) <= _MAX_REPLACEMENT


def _is_small(node: object) -> bool:
    from sqlglot import exp

    return isinstance(node, exp.Literal) and str(node.this).isdecimal() and int(node.this) <= _MAX_COUNT


def _any_size(node: exp.Expr, why: str) -> QueryRejected:
    return QueryRejected(f"The function {function_name(node)} may make values of any size: {why}.")

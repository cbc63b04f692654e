"""What a person who writes SQL may want next: statements told apart, and words that complete the one at the cursor."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

WordKind = Literal["keyword", "table", "column"]

_COMPLETED = """
    SELECT FROM WHERE AND OR NOT IN IS NULL BETWEEN LIKE ILIKE EXISTS AS DISTINCT ALL ANY
    JOIN LEFT RIGHT FULL OUTER INNER CROSS NATURAL SEMI ANTI ON USING UNION INTERSECT EXCEPT WITH
    GROUP BY HAVING ORDER ASC DESC NULLS FIRST LAST LIMIT OFFSET QUALIFY OVER PARTITION ROWS RANGE PRECEDING FOLLOWING
    UNBOUNDED CURRENT ROW WINDOW FILTER CASE WHEN THEN ELSE END CAST INTERVAL DATE TRUE FALSE
    COUNT SUM AVG MIN MAX MEDIAN ROUND COALESCE YEAR MONTH STRFTIME
    """
KEYWORDS = tuple(_COMPLETED.split())
_PLAIN = re.compile(r"[a-z_][a-z0-9_]*", re.IGNORECASE)
# A text, a quoted name, a comment (closed or not), or what ends a statement.
_TOKEN = re.compile(r"'(?:[^']|'')*'?|\"(?:[^\"]|\"\")*\"?|--[^\n]*|/\*.*?(?:\*/|\Z)|;", re.DOTALL)
_LAST_WORD = re.compile(r"(?:(?P<table>\w+|\"[^\"]+\")\.)?(?P<word>\"?\w*)\Z")
# Behind these words a table is named.
_TABLE_NEXT = re.compile(r"\b(?:from|join|into)\s+\Z|\bfrom\b[^()]*,\s*\Z", re.IGNORECASE)
_NAMED = re.compile(r"\b(?:from|join)\s+(\"[^\"]+\"|\w+)(?:\s+(?:as\s+)?(\w+))?|,\s*(\w+)(?:\s+(?:as\s+)?(\w+))?", re.I)


def statements(text: str) -> tuple[list[str], str]:
    """The statements that a text ends with a semicolon, without it, and what it begins behind the last one."""
    done, start = [], 0
    for token in _TOKEN.finditer(text):
        if token[0] == ";":
            done.append(text[start : token.start()].strip())
            start = token.end()
    return [statement for statement in done if statement], text[start:]


def completions(before: str, tables: Mapping[str, Sequence[str]]) -> list[tuple[str, WordKind]]:
    """The words that the text before the cursor may go on with, the likely kind first, and the kind of each.

    tables: each table's name with the names of its columns. Nothing within a text or a comment.
    """
    _, statement = statements(before)
    tokens = list(_TOKEN.finditer(statement))
    if tokens and tokens[-1].end() == len(statement) and not _is_closed(tokens[-1][0]):
        return []
    found = _LAST_WORD.search(statement)
    assert found is not None
    word, rest = found["word"], statement[: found.start()]
    named = _named(statement, tables)
    if found["table"]:
        table = named.get(found["table"].strip('"').casefold(), "")
        groups: list[tuple[WordKind, Sequence[str]]] = [("column", tables.get(table, ()))]
    else:
        own = list(dict.fromkeys(column for table in named.values() for column in tables[table]))
        every = own or list(dict.fromkeys(column for columns in tables.values() for column in columns))
        groups = [("column", every), ("table", sorted(tables)), ("keyword", KEYWORDS)]
        if _TABLE_NEXT.search(rest):
            groups = [("table", sorted(tables))]
    start = word.strip('"').casefold()
    if not start and groups[-1][0] == "keyword":
        # Everything would be offered; the names of what is asked for are what helps.
        groups = groups[:1] if own else []
    return [(quoted(name, kind), kind) for kind, names in groups for name in names if name.casefold().startswith(start)]


def last_word(before: str) -> str:
    """What of the text before the cursor a completion replaces."""
    found = _LAST_WORD.search(before)
    return found["word"] if found is not None else ""


def quoted(name: str, kind: WordKind = "column") -> str:
    """A name as a statement needs it: in double quotes when it isn't plain, or is a keyword."""
    if kind == "keyword" or (_PLAIN.fullmatch(name) and name.upper() not in KEYWORDS):
        return name
    return '"' + name.replace('"', '""') + '"'


def _is_closed(token: str) -> bool:
    if token.startswith("--"):
        return False
    if token.startswith("/*"):
        return token.endswith("*/") and len(token) > 3
    return token == ";" or (len(token) > 1 and token.count(token[0]) % 2 == 0) or token.startswith('"')


def _named(statement: str, tables: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The tables that a statement names so far, by their names and other names in it."""
    known = {name.casefold(): name for name in tables}
    found: dict[str, str] = {}
    for match in _NAMED.finditer(statement):
        table = known.get((match[1] or match[3]).strip('"').casefold())
        if table is not None:
            found[table.casefold()] = table
            alias = match[2] or match[4]
            if alias and alias.upper() not in KEYWORDS:
                found[alias.casefold()] = table
    return found

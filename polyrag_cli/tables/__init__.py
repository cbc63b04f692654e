"""Owns how raw tables become typed ones: identifiers, number conventions, column types, total rows."""

# What type checkers take for true.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from polyrag_cli.tables.types import typed_tables

__all__ = ["typed_tables"]


def __getattr__(name: str) -> "Any":
    # Resolved on first use: who asks for the relations of typed tables types none.
    if name == "typed_tables":
        from polyrag_cli.tables.types import typed_tables

        return typed_tables
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

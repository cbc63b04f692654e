"""Owns how raw tables become typed ones: identifiers, number conventions, column types, total rows."""

from polyrag_cli.tables.types import typed_tables

__all__ = ["typed_tables"]

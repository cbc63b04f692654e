"""Owns how raw tables become typed ones: identifiers, number conventions, column types, total rows.

Must never import a store's backend, a loader, nl2sql or configuration.
"""

from polyrag_cli.tables.types import typed_tables

__all__ = ["typed_tables"]

"""Owns the door through which answers state SQL results as text; the wording itself is `nl2sql.stating`'s.

Strategies state their own results, so the wording lives below them.
"""

from polyrag_cli.nl2sql.stating import MAX_WORDS, state_rows

__all__ = ["MAX_WORDS", "state_rows"]

"""Owns the table `[cells]`: what cells of tables say besides values."""

from polyrag_cli.languages.section import Section


class Cells(Section):
    """What cells say besides values.

    booleans: pairs of a word for true and one for false ("yes no"). no: whatever says no.
    empty: what stands for nothing in any column. maybe_empty: what stands for nothing among numbers and dates, and is a
    value among texts.
    totals: what a row of totals is called.
    """

    booleans: tuple[tuple[str, ...], ...]
    no: frozenset[str]
    empty: tuple[str, ...]
    maybe_empty: tuple[str, ...]
    totals: tuple[tuple[str, ...], ...]

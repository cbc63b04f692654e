"""Owns the type of a language: one section for each table that its file must have."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from polyrag_cli.languages.section import Section

if TYPE_CHECKING:
    from polyrag_cli.languages.sections.arithmetic import Arithmetic
    from polyrag_cli.languages.sections.cells import Cells
    from polyrag_cli.languages.sections.clauses import Clauses
    from polyrag_cli.languages.sections.dates import Dates
    from polyrag_cli.languages.sections.detection import Detection
    from polyrag_cli.languages.sections.expected import Expected
    from polyrag_cli.languages.sections.function_words import FunctionWords
    from polyrag_cli.languages.sections.greetings import Greetings
    from polyrag_cli.languages.sections.inflections import Inflections
    from polyrag_cli.languages.sections.limits import Limits
    from polyrag_cli.languages.sections.made_up import MadeUp
    from polyrag_cli.languages.sections.names import Names
    from polyrag_cli.languages.sections.numbers import Numbers
    from polyrag_cli.languages.sections.retrieval import Retrieval
    from polyrag_cli.languages.sections.sentences import Sentences
    from polyrag_cli.languages.sections.slots import Slots
    from polyrag_cli.languages.sections.stemming import Stemming
    from polyrag_cli.languages.sections.tables import Tables
    from polyrag_cli.languages.sections.writing import Writing


class Language(Section):
    """What is known of one language, as `<code>.toml` says it; of the undetermined one, what all say together.

    The table `[x]` is the class that its annotation names, in `languages.sections.x`. Each is put together when it is
    first asked for: a question in English needs no Portuguese.
    """

    code: str
    writing: Writing
    function_words: FunctionWords
    numbers: Numbers
    dates: Dates
    sentences: Sentences
    stemming: Stemming
    detection: Detection
    clauses: Clauses
    greetings: Greetings
    arithmetic: Arithmetic
    retrieval: Retrieval
    expected: Expected
    limits: Limits
    names: Names
    slots: Slots
    inflections: Inflections
    cells: Cells
    tables: Tables
    made_up: MadeUp

    def __init__(self, code: str, make: Callable[[str], Section]) -> None:
        """make: gives the section of a table's name."""
        self.__dict__.update(code=code, _make=make)

    def __getattr__(self, name: str) -> Section:
        if name not in type(self).__annotations__:
            raise AttributeError(name)
        section: Section = self.__dict__["_make"](name)
        self.__dict__[name] = section
        return section

"""Owns the table `[made_up]`: of what the made-up corpus is put together that growth is measured on."""

from polyrag_cli.languages.section import Section


class MadeUp(Section):
    """Sentences of a made-up corpus; a language without patterns isn't in it, one without measures has no tables.

    patterns: sentences with places for names {a} and {b}, invented words {w} and {v}, a year {n}, and one of
    subjects {s}, things {t} and places {p}.
    text_questions, graph_questions: with {w} for a word, {a} for a name. word_question: of both, asked of every word;
    table_question: with {measure} and {a}; both where there are tables.
    columns: what a table's first two columns are called, which hold names and periods. measures: what is counted.
    """

    subjects: tuple[str, ...]
    things: tuple[str, ...]
    places: tuple[str, ...]
    patterns: tuple[str, ...]
    text_questions: tuple[str, ...]
    graph_questions: tuple[str, ...]
    word_question: str
    table_question: str
    columns: tuple[str, ...]
    periods: tuple[str, ...]
    measures: tuple[str, ...]

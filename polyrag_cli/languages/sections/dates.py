"""Owns the table `[dates]`: words of time."""

from collections.abc import Mapping

from polyrag_cli.languages.section import Section


class Dates(Section):
    """Words of time.

    months, weekdays: names and abbreviations of each, from January and from Monday.
    ambiguous_months: month words that mean something else more often ("may", "set").
    month_cues: words before which and behind which such a word is a month ("in", "since").
    month_joints: what may stand between a day, its month and its year ("de", "of").
    day_marks: what may stand directly behind a day's number ("st", "º").
    parts: parts of a year with their length in months.
    """

    months: tuple[frozenset[str], ...]
    weekdays: tuple[frozenset[str], ...]
    ambiguous_months: frozenset[str]
    month_cues: frozenset[str]
    month_joints: frozenset[str]
    day_marks: frozenset[str]
    parts: Mapping[str, int]

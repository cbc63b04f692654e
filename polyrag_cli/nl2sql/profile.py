"""Owns what a table's columns are to a reader: which names the rows, which names people, which way the rows run."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from weakref import WeakKeyDictionary

from polyrag_cli.nl2sql.index import ColumnEntry, Role, TableEntry
from polyrag_cli.nl2sql.lexicon import every_language
from polyrag_cli.nl2sql.notions import ADDITIVE, PEOPLE, PLACES
from polyrag_cli.nl2sql.row_names import what_rows_are_called
from polyrag_cli.nl2sql.value_index import ValueIndex
from polyrag_cli.types import ColumnType

# Two to four words with capitals, with small particles between them.
_PERSON = re.compile(r"[^\W\d_]\S*(?:\s+(?:[^\W\d_]\S*)){1,3}")
_MOSTLY = 0.6
_SUBJECT = 0.75
# How a game ends, and the share of a column's values that must say so.
_OUTCOMES = ("win", "draw", "defeat")
_MOSTLY_ENDED = 0.85
_FILLED = 0.5


# What is read out of a text is named after its column so; no column of a table holds a space in its name.
_NUMBER_OF = "number of "
_YEAR_OF = "year of "
_TIME_OF = "time of "
_FEET_OF = "feet of "
# "1:31:33.736" and "14:39", in hours, minutes and seconds; 6'5".
CLOCK = r"^(?:(\d+):)?(\d{1,3}):(\d{2}(?:\.\d+)?)"
FEET = r"^(\d{1,2})\s?['′’]\s?(\d{1,2})"
_CLOCK = re.compile(CLOCK + r"(?!\d)")
_FEET = re.compile(FEET + r"\D*$")
_YEAR = re.compile(r"\D{0,2}(?P<year>1[5-9]\d\d|20\d\d)(?!\d|[.,]\d)")
# A number in front, then hardly more than a unit and what stands in brackets.
_NUMBERED = re.compile(r"[^\w\d]{0,2}\s*[-+−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?P<rest>[^\d].*)?")
_ORDINAL = re.compile(r"\D{0,2}\d{1,4}(?P<mark>[^\W\d_]{1,2})\b")
_BRACKETS = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_LETTERS = re.compile(r"[^\W\d_]+")
_LABEL_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
# So many columns of months or years are a series.
SERIES = 3
_NEARLY_ALL = 0.85
_MOST_SUFFIXES = 3


def number_of(name: str) -> str:
    """Return the column of text that a column's numbers or years are read out of, "" for a column of the table."""
    for prefix in (_NUMBER_OF, _YEAR_OF, _TIME_OF, _FEET_OF):
        if name.startswith(prefix):
            return name[len(prefix) :]
    return ""


def is_year_of(name: str) -> bool:
    """Whether a column is the years that cells of text begin with."""
    return name.startswith(_YEAR_OF)


def is_time_of(name: str) -> bool:
    """Whether a column is the seconds that clock times in cells of text state."""
    return name.startswith(_TIME_OF)


def is_feet_of(name: str) -> bool:
    """Whether a column is the inches that cells of text state in feet and inches."""
    return name.startswith(_FEET_OF)


class TableProfile:
    """What a table's columns are to a reader; made once for a table."""

    def __init__(self, table: TableEntry) -> None:
        self.table = table
        self._rows = max(1, table.schema.rows)

    @cached_property
    def columns(self) -> tuple[ColumnEntry, ...]:
        """The table's columns, and behind them the numbers ("8,848 m (29,029 ft)") and the years ("2013–14") that
        columns of text begin with.
        """
        found = list(self.table.columns)
        for entry in self.table.columns if self.table.schema.rows > 1 else ():
            if entry.role != "text":
                continue
            if _begins_with_years(entry.column.values):
                found.append(_read_out(entry, len(found), _YEAR_OF, "integer", "year"))
            elif _nearly_all(_CLOCK, entry.column.values):
                found.append(_read_out(entry, len(found), _TIME_OF, "number", "measure"))
            elif _nearly_all(_FEET, entry.column.values):
                found.append(_read_out(entry, len(found), _FEET_OF, "number", "measure"))
            elif _begins_with_numbers(entry.column.values, self._marks):
                unit = _common_suffix(entry.column.values, self._marks)
                found.append(_read_out(entry, len(found), _NUMBER_OF, "number", "measure", unit))
        return tuple(found)

    @cached_property
    def _marks(self) -> frozenset[str]:
        return frozenset(mark.lower() for mark in self.table.lexicon.dates.day_marks)

    @cached_property
    def ranking(self) -> frozenset[int]:
        """The positions of the columns of ranks, by their name or ordinals: the smallest number is the best."""
        found: set[int] = set()
        for entry in self.columns:
            if entry.column.type not in ("integer", "number"):
                continue
            source = number_of(entry.column.name)
            texts = next((c.column.values for c in self.table.columns if c.column.name == source), ())
            ordinals = sum(1 for value in texts if _ordinal(value, self._marks))
            # "Lugares" may be places or seats: what adds up ranks nothing.
            if ("rank" in entry.concepts and not entry.concepts & ADDITIVE) or (
                texts and ordinals > _FILLED * len(texts)
            ):
                found.add(entry.position)
        return frozenset(found)

    @cached_property
    def total(self) -> ColumnEntry | None:
        """The quantity whose name says that it is the total of others that stand before it."""
        for entry in self.table.columns:
            words = tuple(entry.words)
            if entry.role == "measure" and words in self.table.lexicon.totals and len(self.parts(entry)) > 1:
                return entry
        return None

    @cached_property
    def outcomes(self) -> dict[int, dict[str, tuple[str, ...]]]:
        """By the position of a column that says how games ended ("W 44–6", "loss"), its values by notion."""
        found: dict[int, dict[str, tuple[str, ...]]] = {}
        for entry in self.table.columns:
            values = entry.column.values if entry.role == "text" else ()
            ended = {value: self._ended(value) for value in values}
            by_notion = {name: tuple(v for v in values if ended[v] == name) for name in _OUTCOMES}
            known = sum(len(each) for each in by_notion.values())
            if len(values) > 1 and known >= _MOSTLY_ENDED * len(values) and by_notion["win"] and by_notion["defeat"]:
                found[entry.position] = {name: each for name, each in by_notion.items() if each}
        return found

    def _ended(self, value: str) -> str:
        """Return the outcome that a cell begins with a word for, or with the first letter of one; "" without."""
        first = (self.table.parts_of(value)[:1] or ("",))[0]
        return next((name for name in _OUTCOMES if first in self._outcome_words[name]), "") or next(
            (name for name in _OUTCOMES if first in self._outcome_letters[name]), ""
        )

    @cached_property
    def _outcome_words(self) -> dict[str, frozenset[str]]:
        return {name: frozenset(self.table.lexicon.tables.notions[name]) for name in _OUTCOMES}

    @cached_property
    def _outcome_letters(self) -> dict[str, frozenset[str]]:
        return {name: frozenset(word[0] for word in words) for name, words in self._outcome_words.items()}

    def parts(self, total: ColumnEntry) -> list[int]:
        """The positions of the quantities that stand side by side before a total, or else behind it."""
        found: list[int] = []
        for step in (-1, 1):
            place = total.position + step
            while 0 <= place < len(self.table.columns) and self.table.columns[place].role == "measure":
                found.append(place)
                place += step
            if len(found) > 1:
                break
        return sorted(found)

    @cached_property
    def backwards(self) -> bool:
        """Whether the rows run from the latest to the earliest time."""
        times = next((c for c in self.columns if c.role in ("date", "year")), None)
        if times is None:
            return False
        source = number_of(times.column.name)
        values = next((c.column.values for c in self.table.columns if c.column.name == source), times.column.values)
        keys = [m["year"] if source and (m := _YEAR.match(v)) else v for v in values]
        falls = sum(1 for a, b in pairwise(keys) if a > b)
        return len(keys) > 2 and keys[0] > keys[-1] and falls > _SUBJECT * (len(keys) - 1)

    @cached_property
    def months(self) -> tuple[ColumnEntry, ...]:
        """The columns that are called after months, where they are a series; of fewer, a name may mean anything
        ("Out" is a month in one language and a word in another).
        """
        months = every_language().months
        found = [entry for entry in self.table.columns if len(entry.words) == 1 and entry.words[0] in months]
        return tuple(found) if len({months[entry.words[0]] for entry in found}) >= SERIES else ()

    def month(self, word: str) -> ColumnEntry | None:
        """The column of a series that is called after the month that a folded word names ("March" of "Mar")."""
        months = every_language().months
        return next((e for e in self.months if months.get(word) == months[e.words[0]]), None)

    @cached_property
    def series(self) -> dict[tuple[tuple[str, ...], bool], dict[int, ColumnEntry]]:
        """Quantities whose labels differ by a year or a season alone ("2014 sales", "2014/15"), by other words and
        whether these are seasons, then by the year in which they begin.
        """
        found: dict[tuple[tuple[str, ...], bool], dict[int, ColumnEntry]] = {}
        for entry in self.table.columns:
            told = _labelled_year(entry.words) if entry.role == "measure" else None
            if told is not None:
                year, others, season = told
                found.setdefault((others, season), {})[year] = entry
        return {key: entries for key, entries in found.items() if len(entries) > 1}

    @cached_property
    def by_year(self) -> dict[tuple[str, ...], dict[int, ColumnEntry]]:
        """Quantities whose labels differ by a year alone ("2014 sales", "2015 sales"), by other words and year."""
        return {words: entries for (words, season), entries in self.series.items() if not season}

    @cached_property
    def values(self) -> ValueIndex:
        """The values of the columns that name things."""
        return ValueIndex(self.table.naming_values, self.table.parts_of)

    @cached_property
    def subject(self) -> ColumnEntry:
        """The column that says what each row is: of text, hardly repeated, as far left as possible."""
        named = [c for c in self.table.columns if c.names_rows and c.role in ("text", "code")]
        if named:
            return what_rows_are_called(self.table, named, self.distinct)
        places = {number_of(c.column.name) for c in self.columns if c.position in self.ranking}
        named = [c for c in self.table.columns if c.role in ("text", "code") and c.column.name not in places]
        texts = [c for c in named if self._filled(c) >= _FILLED]
        if not texts:
            return self.table.columns[0]
        return max(texts, key=lambda c: (self._worth(c), -c.position))

    def _worth(self, entry: ColumnEntry) -> float:
        share = self.distinct(entry)
        coded = 0.3 if entry.role == "code" else 0.0
        return round((1.0 if share >= _SUBJECT else 0.0) - 0.08 * entry.position + 0.5 * share - coded, 6)

    def names(self, entry: ColumnEntry) -> bool:
        """Whether a column's values tell rows apart, or hardly repeat."""
        return entry.role in ("text", "code") and (entry is self.subject or self.distinct(entry) >= _SUBJECT)

    def _filled(self, entry: ColumnEntry) -> float:
        return 1.0 - entry.column.nulls / self._rows

    def distinct(self, entry: ColumnEntry) -> float:
        """The share of different values among those that a column holds, 0–1."""
        return entry.column.distinct / max(1, self._rows - entry.column.nulls)

    @cached_property
    def people(self) -> tuple[ColumnEntry, ...]:
        """The columns that name people."""
        return tuple(
            c for c in self.table.columns if c.role == "text" and (c.concepts & PEOPLE or self._like_people(c))
        )

    @cached_property
    def places(self) -> tuple[ColumnEntry, ...]:
        """The columns that name places."""
        return tuple(c for c in self.table.columns if c.role == "text" and c.concepts & PLACES)

    @cached_property
    def times(self) -> tuple[ColumnEntry, ...]:
        """The columns of dates, years and months."""
        return tuple(c for c in self.table.columns if c.role in ("date", "year", "month"))

    def _like_people(self, entry: ColumnEntry) -> bool:
        values = entry.column.values[:200]
        if not values:
            return False
        alike = sum(1 for v in values if _PERSON.fullmatch(v.split("(")[0].strip()) and _capitals(v))
        return alike >= _MOSTLY * len(values)


def _labelled_year(words: tuple[str, ...]) -> tuple[int, tuple[str, ...], bool] | None:
    """Return the one year that a label states, its other words, and whether it is a season ("2014/15", "2014-2015");
    None without a year, or with several.
    """
    at = next((i for i, word in enumerate(words) if _LABEL_YEAR.fullmatch(word)), None)
    if at is None:
        return None
    year = int(words[at])
    season = words[at + 1 : at + 2] in ((str(year + 1),), (f"{(year + 1) % 100:02}",))
    others = (*words[:at], *words[at + 1 + season :])
    return None if any(_LABEL_YEAR.fullmatch(word) for word in others) else (year, others, season)


def _ordinal(value: str, marks: frozenset[str]) -> bool:
    match = _ORDINAL.match(value)
    return match is not None and match["mark"].lower() in marks


def _begins_with_years(values: Sequence[str]) -> bool:
    return _nearly_all(_YEAR, values)


def _nearly_all(pattern: re.Pattern[str], values: Sequence[str]) -> bool:
    return len(values) > 1 and sum(1 for v in values if pattern.match(v.strip())) >= _NEARLY_ALL * len(values)


def _begins_with_numbers(values: Sequence[str], marks: frozenset[str]) -> bool:
    if len(values) < 2:
        return False
    matches = [match for value in values if (match := _NUMBERED.fullmatch(value.strip()))]
    if len(matches) < _NEARLY_ALL * len(values):
        return False
    # "7A" and "12B" are names: a unit is one, or stands apart.
    attached = {match["rest"] for match in matches if match["rest"] and match["rest"][0].isalpha()}
    if len(attached) > 1 and all(len(rest) == 1 for rest in attached):
        return False
    if len({value.strip() for value in values}) == len(values) and attached and len(next(iter(attached))) == 1:
        return False
    rests = Counter(_suffix(match["rest"] or "", marks) for match in matches)
    # "1–0" and "2010/11" are no quantities.
    paired = sum(1 for match in matches if re.match(r"[-–/:]\s*\d", (match["rest"] or "").strip()))
    return len(rests) <= _MOST_SUFFIXES and paired < (1 - _NEARLY_ALL) * len(values)


def _suffix(rest: str, marks: frozenset[str]) -> str:
    """Return the letters behind a number, without what marks it as an ordinal."""
    letters = _LETTERS.findall(_BRACKETS.sub("", rest))
    if letters and letters[0].lower() in marks:
        letters = letters[1:]
    return "".join(letters)[:12].lower()


def _common_suffix(values: Sequence[str], marks: frozenset[str]) -> str:
    """Return the one word behind the numbers of nearly all cells ("3 acts"), "" without one."""
    matches = [match for value in values if (match := _NUMBERED.fullmatch(value.strip()))]
    letters = [_LETTERS.findall(_BRACKETS.sub("", match["rest"] or ""))[:1] for match in matches]
    words = Counter(found[0].lower() for found in letters if found and found[0].lower() not in marks)
    word, count = words.most_common(1)[0] if words else ("", 0)
    return word if count >= _FILLED * len(values) else ""


def _read_out(
    entry: ColumnEntry, position: int, prefix: str, kind: ColumnType, role: Role, unit: str = ""
) -> ColumnEntry:
    column = replace(entry.column, name=prefix + entry.column.name, type=kind, values=(), unit=unit)
    concepts = entry.concepts | ({"year"} if role == "year" else {"duration"} if prefix == _TIME_OF else frozenset())
    additive = False if prefix in (_TIME_OF, _FEET_OF) else entry.additive
    return replace(
        entry,
        column=column,
        position=position,
        role=role,
        concepts=concepts,
        unique=False,
        names_rows=False,
        additive=additive,
    )


def _capitals(value: str) -> bool:
    words = value.split("(")[0].split()
    return words[0][:1].isupper() and words[-1][:1].isupper()


_PROFILES: WeakKeyDictionary[TableEntry, TableProfile] = WeakKeyDictionary()


def profile(table: TableEntry) -> TableProfile:
    """Return the profile of a table, which all that ask for it share."""
    found = _PROFILES.get(table)
    if found is None:
        found = _PROFILES[table] = TableProfile(table)
    return found

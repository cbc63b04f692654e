"""Owns what a key of a language file may hold: how each kind of value is read from TOML, kept as JSON and joined.

A section's annotation names the kind. Words are folded when they are read, because texts are folded when they are
compared; a kind in `Annotated[…, AS_WRITTEN]` keeps them as the file has them. One in `Annotated[…, INFLECTED]` holds
their other forms as well.

=========================================  =========================================================================
`frozenset[str]`                           words: one text, `"how what"`, or a list of texts
`tuple[tuple[str, ...], ...]`              phrases, in the order of the list: `["how many", "number of"]`
`tuple[frozenset[str], ...]`               words in numbered groups: `["january jan", "february feb"]`
`Mapping[str, int]`                        word to number: `{one = 1}`, or by number: `{1 = "one a"}`
`Mapping[str, str]`                        word to text: `{n't = "not"}`
`Mapping[str, frozenset[str]]`             words by a name of ours, which isn't folded: `{size = "large small"}`
`Mapping[str, tuple[tuple[str, ...], ...]]`  phrases by a name of ours
`Mapping[str, tuple[frozenset[str], ...]]`   words in numbered groups by a name of ours
`Cues`, `Mapping[str, Cues]`               phrases in the notation of `languages.cue_notation`, also by a name of ours
`tuple[str, ...]`, `str`, `bool`, `int`    as written, never folded
=========================================  =========================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Annotated, Any, get_origin

from polyrag_cli.languages.cues import Cues

AS_WRITTEN = "as written"
INFLECTED = "inflected"

Fold = Callable[[str], str]


class WrongValueError(Exception):
    """A key of a language file holds what its kind doesn't; the message says what is wanted."""


class Kind:
    """One kind of value: `plain` makes JSON of what TOML holds, `value` what a section holds of that, `joined` one
    value of those of several languages. `plain` raises WrongValueError with what it expected."""

    __slots__ = ("joined", "plain", "value")

    def __init__(
        self, plain: Callable[[Any, Fold], Any], value: Callable[[Any], Any], joined: Callable[[Sequence[Any]], Any]
    ) -> None:
        self.plain, self.value, self.joined = plain, value, joined


def kind_of(annotation: Any) -> tuple[Kind, bool]:
    """The kind that an annotation names, and whether its words are folded. Raises TypeError when it names none."""
    annotated = get_origin(annotation) is Annotated
    inner = annotation.__origin__ if annotated else annotation
    try:
        return _KINDS[inner], not (annotated and AS_WRITTEN in annotation.__metadata__)
    except (KeyError, TypeError):
        raise TypeError(f"{annotation!r} is no kind of value that a language file can hold") from None


def is_inflected(annotation: Any) -> bool:
    """Whether a key that is annotated so holds the other forms of its words as well."""
    return get_origin(annotation) is Annotated and INFLECTED in annotation.__metadata__


def _strings(raw: Any) -> list[str]:
    if isinstance(raw, str):
        return raw.split()
    return _texts(raw)


def _texts(raw: Any) -> list[str]:
    if not isinstance(raw, list) or not all(isinstance(item, str) for item in raw):
        raise WrongValueError("a list of texts is wanted")
    return _distinct(raw)


def _distinct(items: list[str]) -> list[str]:
    twice = sorted({item for item in items if items.count(item) > 1}) if len(set(items)) < len(items) else []
    if twice:
        raise WrongValueError(f"twice there: {', '.join(twice)}")
    return items


def _words(raw: Any, fold: Fold) -> list[str]:
    if not isinstance(raw, str) and not isinstance(raw, list):
        raise WrongValueError("words in one text, or a list of texts, are wanted")
    found = _distinct(_strings(raw))
    if any(len(word.split()) != 1 for word in found):
        raise WrongValueError("a list of single words is wanted; this key holds no phrases")
    return sorted({fold(word) for word in found})


def _phrases(raw: Any, fold: Fold) -> list[list[str]]:
    found = [[fold(word) for word in phrase.split()] for phrase in _texts(raw)]
    if not all(found):
        raise WrongValueError("a phrase is empty")
    return found


def _groups(raw: Any, fold: Fold) -> list[list[str]]:
    if not isinstance(raw, list):
        raise WrongValueError("a list of texts is wanted, each with the words of one group")
    return [_words(group, fold) for group in raw]


def _cues(raw: Any, fold: Fold) -> list[str]:
    # Only who compiles needs the notation.
    from polyrag_cli.languages.cue_notation import expression

    try:
        return [expression(fold(cue)) for cue in _texts(raw)]
    except ValueError as error:
        raise WrongValueError(str(error)) from None


def _table(raw: Any) -> dict[str, Any]:
    if not isinstance(raw, dict):
        raise WrongValueError("a table is wanted")
    return raw


def _numbered(raw: Any, fold: Fold) -> dict[str, int]:
    found: dict[str, int] = {}
    for key, value in _table(raw).items():
        if isinstance(value, int) and not isinstance(value, bool):
            pairs: Iterable[tuple[str, int]] = ((fold(key), value),)
        elif key.replace("_", "").isdecimal():
            pairs = ((word, int(key)) for word in _words(value, fold))
        else:
            raise WrongValueError(f"{key!r} must be a word with its number, or a number with its words")
        for word, number in pairs:
            if found.setdefault(word, number) != number:
                raise WrongValueError(f"{word!r} stands for {found[word]} and for {number}")
    return found


def _translated(raw: Any, fold: Fold) -> dict[str, str]:
    if not all(isinstance(value, str) for value in _table(raw).values()):
        raise WrongValueError("a table of texts is wanted")
    return {fold(key): value for key, value in raw.items()}


def _by_name(read: Callable[[Any, Fold], Any]) -> Callable[[Any, Fold], Any]:
    def plain(raw: Any, fold: Fold) -> dict[str, Any]:
        found = {}
        for key, value in _table(raw).items():
            try:
                found[key] = read(value, fold)
            except WrongValueError as error:
                raise WrongValueError(f"{key}: {error}") from None
        return found

    return plain


def _plain(type_: type, expected: str) -> Callable[[Any, Fold], Any]:
    def plain(raw: Any, _fold: Fold) -> Any:
        if type(raw) is not type_:
            raise WrongValueError(f"{expected} is wanted")
        return raw

    return plain


def _itself(value: Any) -> Any:
    return value


def _frozen_phrases(plain: list[list[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(map(tuple, plain))


def _values(make: Callable[[Any], Any]) -> Callable[[dict[str, Any]], Any]:
    return lambda plain: MappingProxyType({key: make(value) for key, value in plain.items()})


def _union(sets: Sequence[frozenset[str]]) -> frozenset[str]:
    return frozenset(chain.from_iterable(sets))


def _in_order(lists: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(lists)))


def _by_place(lists: Sequence[tuple[frozenset[str], ...]]) -> tuple[frozenset[str], ...]:
    longest = max(map(len, lists), default=0)
    return tuple(_union([found[i] for found in lists if i < len(found)]) for i in range(longest))


def _first_of_each(tables: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    return MappingProxyType({key: value for table in reversed(tables) for key, value in table.items()})


def _by_key(join: Callable[[Sequence[Any]], Any]) -> Callable[[Sequence[Mapping[str, Any]]], Mapping[str, Any]]:
    def joined(tables: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        keys = dict.fromkeys(chain.from_iterable(tables))
        return MappingProxyType({key: join([table[key] for table in tables if key in table]) for key in keys})

    return joined


def _all_cues(each: Sequence[Cues]) -> Cues:
    return Cues(_in_order([cues.sources for cues in each]))


def _agreed(empty: Any) -> Callable[[Sequence[Any]], Any]:
    return lambda values: values[0] if len(set(values)) == 1 else empty


_WORDS = Kind(_words, frozenset, _union)
_PHRASES = Kind(_phrases, _frozen_phrases, _in_order)
_GROUPS = Kind(_groups, lambda plain: tuple(map(frozenset, plain)), _by_place)
_CUES = Kind(_cues, Cues, _all_cues)

_KINDS: dict[Any, Kind] = {
    frozenset[str]: _WORDS,
    tuple[tuple[str, ...], ...]: _PHRASES,
    tuple[frozenset[str], ...]: _GROUPS,
    Cues: _CUES,
    Mapping[str, int]: Kind(_numbered, MappingProxyType, _first_of_each),
    Mapping[str, str]: Kind(_translated, MappingProxyType, _first_of_each),
    Mapping[str, frozenset[str]]: Kind(_by_name(_words), _values(frozenset), _by_key(_union)),
    Mapping[str, tuple[tuple[str, ...], ...]]: Kind(_by_name(_phrases), _values(_frozen_phrases), _by_key(_in_order)),
    Mapping[str, tuple[frozenset[str], ...]]: Kind(_by_name(_groups), _values(_GROUPS.value), _by_key(_by_place)),
    Mapping[str, Cues]: Kind(_by_name(_cues), _values(Cues), _by_key(_all_cues)),
    tuple[str, ...]: Kind(lambda raw, _fold: _texts(raw), tuple, _in_order),
    str: Kind(_plain(str, "a text"), _itself, _agreed("")),
    bool: Kind(_plain(bool, "true or false"), _itself, _agreed(False)),
    int: Kind(_plain(int, "a whole number"), _itself, _agreed(0)),
}

"""Owns what a file's path says of its document: a title as people write one, and a date."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

_ENDING = re.compile(r"(?<=[^./])\.[^./ ]{1,9}$")
# Names that say only that a file opens its folder.
_OPENING = frozenset({"index", "_index"})
_OPENING_NAMED = frozenset({"readme"})
_LONG_ID = re.compile(r"[ _-]+[0-9a-f]{32}$")
_ORDER = re.compile(r"^0\d{0,2}[ ._-]+(?=.*[^\W\d_])")
_DAY = re.compile(r"(?<!\d)((?:19|20)\d\d)(?:([-_. ])(\d\d?)\2(\d\d?)|(\d\d)(\d\d))(?!\d)")
_MONTH = re.compile(r"(?<!\d)((?:19|20)\d\d)[-_](\d\d)(?!\d)")
_JOINTS = re.compile(r"[_\s]+|(?<=\w)[-.](?=[^\W\d_])|(?<=[^\W\d_])[-.](?=\w)|(?<=\W)[-.](?=\w)")


@dataclass(frozen=True, slots=True)
class PathTitle:
    """title: the name in words; date: ISO, a day or a month, "" without one; folders: those above, outermost first, in
    words."""

    title: str
    date: str = ""
    folders: tuple[str, ...] = ()


def path_title(path: str) -> PathTitle:
    """What a path relative to its root says, with forward slashes.

    "minutes/2023-04-12-team-sync.md" gives "team sync", 2023-04-12 and ("minutes",). A file that only opens its folder
    has the folder's name: "deploy/index.md" is "deploy", "deploy/README.md" is "deploy README".
    """
    *folders, name = path.split("/")
    stem = _ENDING.sub("", name)
    above = tuple(filter(None, (_in_words(folder)[0] for folder in folders)))
    title, day = _in_words(stem)
    if above and stem.casefold() in _OPENING:
        title = above[-1]
    elif above and stem.casefold() in _OPENING_NAMED:
        title = f"{above[-1]} {title}"
    return PathTitle(title or stem, day, above)


def _in_words(name: str) -> tuple[str, str]:
    """A name without its date, in words, and the date; the name itself where it is nothing but the date."""
    name = _LONG_ID.sub("", name)
    rest, day = _dated(name)
    rest = _ORDER.sub("", rest.strip(" _-.,"))
    words = " ".join(_JOINTS.sub(" ", rest).split()).strip(" -_")
    return words or (day if day else name), day


def _dated(name: str) -> tuple[str, str]:
    for found in _DAY.finditer(name):
        year, month, day = int(found[1]), int(found[3] or found[5]), int(found[4] or found[6])
        try:
            said = date(year, month, day).isoformat()
        except ValueError:
            continue
        return f"{name[: found.start()]} {name[found.end() :]}", said
    found_month = _MONTH.search(name)
    if found_month and 1 <= int(found_month[2]) <= 12:
        return f"{name[: found_month.start()]} {name[found_month.end() :]}", f"{found_month[1]}-{found_month[2]}"
    return name, ""

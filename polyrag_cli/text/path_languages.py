"""Owns what a path says of the language of its document, where versions of it in several languages lie side by side."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from polyrag_cli.languages import all_languages

_REGION = r"(?:[-_](?:[a-z]{2}|[a-z]{4}|\d{3}))?"
_ENDING = re.compile(r"(?<=[^./])\.[^./ ]{1,9}$")


@dataclass(frozen=True, slots=True)
class PathVersion:
    """One reading of a path: without the part that names a language, and the code of that language, which only the
    content can confirm."""

    key: str
    code: str


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Of a part that is nothing but a code, and of a name that ends with one."""
    known = sorted((each.code for each in all_languages() if len(each.code) != 2), key=len, reverse=True)
    code = rf"(?P<code>{'|'.join((*map(re.escape, known), '[a-z]{2}'))}){_REGION}"
    return re.compile(code, re.IGNORECASE), re.compile(rf"(?P<name>.*?[^\W_].*?)[._-]{code}", re.IGNORECASE)


def path_versions(path: str) -> tuple[PathVersion, ...]:
    """Every way to read a language in a path with forward slashes, outermost part first.

    "docs/pt/x.md", "docs/x.pt.md", "docs/x_pt-BR.md" and "docs.pt/x.md" give the key "docs/x.md" each, which is the
    path of the version that names no language. Any two letters may be a code: "sign-up.md" is read as "sign.md" in
    "up", too.
    """
    alone, behind = _patterns()
    parts = path.split("/")
    found = []
    for place, part in enumerate(parts):
        last = place == len(parts) - 1
        ending = _ENDING.search(part) if last else None
        stem = part[: ending.start()] if ending else part
        if not last and (whole := alone.fullmatch(part)):
            found.append(PathVersion("/".join((*parts[:place], *parts[place + 1 :])), whole["code"].lower()))
        elif named := behind.fullmatch(stem):
            kept = named["name"] + (ending[0] if ending else "")
            found.append(PathVersion("/".join((*parts[:place], kept, *parts[place + 1 :])), named["code"].lower()))
    return tuple(found)

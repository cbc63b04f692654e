"""Owns the accents that column names have lost: an embedder knows a word by its spelling."""

from __future__ import annotations

import re

# Portuguese endings that always bear an accent; where a word of another language ends alike, little is lost.
_ENDINGS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), ending)
    for pattern, ending in (
        (r"coes$", "ções"),
        (r"cao$", "ção"),
        (r"(?<=[a-z])oes$", "ões"),
        (r"(?<=[b-df-hj-np-tv-z])ao$", "ão"),
        (r"encia(s?)$", r"ência\1"),
        (r"ancia(s?)$", r"ância\1"),
        (r"aculo(s?)$", r"áculo\1"),
        (r"iculo(s?)$", r"ículo\1"),
        (r"ario(s?)$", r"ário\1"),
        (r"orio(s?)$", r"ório\1"),
        (r"icio(s?)$", r"ício\1"),
        (r"avel$", "ável"),
        (r"ivel$", "ível"),
        (r"aveis$", "áveis"),
        (r"iveis$", "íveis"),
        (r"ecnic(o|a)(s?)$", r"écnic\1\2"),
        (r"umero(s?)$", r"úmero\1"),
        (r"odigo(s?)$", r"ódigo\1"),
    )
)


def accented(folded_word: str) -> str:
    """Return a folded word with the accent that its ending calls for, or as it is."""
    for pattern, ending in _ENDINGS:
        if pattern.search(folded_word):
            return pattern.sub(ending, folded_word)
    return folded_word

"""Owns stage 1 of a clause: what its form alone decides, so that no store is read."""

from __future__ import annotations

from collections.abc import Sequence

from polyrag_cli.routing import heuristics
from polyrag_cli.routing.base import DIRECT
from polyrag_cli.routing.inputs import Form
from polyrag_cli.text.words import Word, words


def by_form(text: str, tokens: Sequence[Word]) -> Form | None:
    """What a clause's form decides, for what needs no scores: "hello", "2+2", "AB-12", a quoted string alone."""
    if heuristics.is_greeting(text):
        return Form(DIRECT, DIRECT, "a greeting needs no store")
    if heuristics.is_arithmetic(text):
        return Form(DIRECT, DIRECT, "arithmetic needs no store")
    if not tokens:
        return Form("", "lexical", "no words to look for", answerable=False)
    quoted = heuristics.quoted_strings(text)
    if len(quoted) == 1 and len(words(quoted[0])) == len(tokens):
        return Form("", "lexical", "a quoted string is looked up as it stands")
    if len(tokens) == 1 and heuristics.is_identifier(tokens[0]):
        return Form("", "lexical", f"the identifier {tokens[0].text} is looked up as it stands")
    return None

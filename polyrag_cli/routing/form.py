"""Owns stage 1 of a clause: what its form alone decides, so that no store is read."""

from __future__ import annotations

from polyrag_cli.routing import heuristics
from polyrag_cli.routing.base import DIRECT
from polyrag_cli.routing.inputs import Form
from polyrag_cli.text.utterance import Utterance
from polyrag_cli.text.words import words


def by_form(asked: Utterance) -> Form | None:
    """What a clause's form decides, for what needs no scores: "hello", "2+2", "AB-12", a quoted string alone."""
    text, tokens = asked.text, asked.words
    if heuristics.is_greeting(text):
        return Form(DIRECT, DIRECT, "a greeting needs no store")
    if heuristics.is_arithmetic(text):
        return Form(DIRECT, DIRECT, "arithmetic needs no store")
    if not tokens:
        return Form("", "lexical", "no words to look for", answerable=False)
    quoted = heuristics.quoted_strings(asked)
    if len(quoted) == 1 and len(words(quoted[0])) == len(tokens):
        return Form("", "lexical", "a quoted string is looked up as it stands")
    if len(tokens) == 1 and heuristics.is_identifier(tokens[0]):
        return Form("", "lexical", f"the identifier {tokens[0].text} is looked up as it stands")
    return None

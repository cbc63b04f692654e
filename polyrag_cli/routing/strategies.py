"""Owns the choice of a strategy inside a text route, by rules that each give a reason."""

from __future__ import annotations

from polyrag_cli.routing.heuristics import is_identifier, quoted_strings
from polyrag_cli.text.utterance import Utterance

_FEW_WORDS = 3


def choose_strategy(asked: Utterance, with_vectors: bool) -> tuple[str, str]:
    """The strategy for a clause of a text route, and why.

    with_vectors: whether an embedder is configured.
    """
    folded, cues = asked.folded, asked.known.retrieval
    if found := cues.verification.search(folded):
        return "corrective", f"asks for verification ({found[0]})"
    if not with_vectors:
        return "lexical", "no embedder, so by words alone"
    quoted = quoted_strings(asked)
    if quoted:
        return "lexical", f"quotes {quoted[0]}"
    code = next((word.text for word in asked.words if is_identifier(word)), "")
    if code:
        return "lexical", f"names the identifier {code}"
    if len(asked.words) <= _FEW_WORDS:
        return "lexical", "at most three words"
    if found := cues.comparison.search(folded):
        return "multi_query", f"compares or asks broadly ({found[0]})"
    if found := cues.variety.search(folded):
        return "diverse", f"asks for variety ({found[0]})"
    return "hybrid", "a full question, so by words and meaning"

"""Owns the choice of a strategy inside a text route, by rules that each give a reason."""

from __future__ import annotations

import re

from polyrag_cli.routing.heuristics import is_identifier, quoted_strings
from polyrag_cli.text.fold import fold
from polyrag_cli.text.words import Word

# Kept as text: compiled when a question first gets that far, so that a start doesn't pay for all of them.
_VERIFICATION = (
    r"\b(?:verify|verifies|is it (?:true|correct|right)|is it really|true or false|confirm|fact check|double check|"
    r"verifique|verificar|confirm[ae]|confirmar|confirma se|e verdade|e correto|e certo que|procede|"
    r"verdadeiro ou falso|cheque se|es cierto|verifica)\b"
)
_COMPARISON = (
    r"\b(?:compare[ds]?|comparing|comparison|versus|vs|differences?|differs?|contrast|pros and cons|advantages|"
    r"trade-offs?|overview|everything about|all aspects|relate to each other|"
    r"comparar?|compara[cç]ao|comparad[oa]s?|diferencas?|diferem|vantagens|desvantagens|pros e contras|panorama|"
    r"visao geral|tudo sobre|entre si)\b"
)
_VARIETY = (
    r"\b(?:(?:types?|kinds?|sorts?|range|variety|forms?|varieties|categories) of|different ways|examples of|various|"
    r"(?:tipos?|variedades?|formas|especies|exemplos|categorias|gama) de|diferentes|diversos|diversas|"
    r"que tipos|quais tipos)\b"
)
_FEW_WORDS = 3


def choose_strategy(text: str, tokens: list[Word], with_vectors: bool) -> tuple[str, str]:
    """The strategy for a clause of a text route, and why.

    tokens: the clause's words; with_vectors: whether an embedder is configured.
    """
    folded = fold(text)
    if found := re.search(_VERIFICATION, folded):
        return "corrective", f"asks for verification ({found[0]})"
    if not with_vectors:
        return "lexical", "no embedder, so by words alone"
    quoted = quoted_strings(text)
    if quoted:
        return "lexical", f"quotes {quoted[0]}"
    code = next((word.text for word in tokens if is_identifier(word)), "")
    if code:
        return "lexical", f"names the identifier {code}"
    if len(tokens) <= _FEW_WORDS:
        return "lexical", "at most three words"
    if found := re.search(_COMPARISON, folded):
        return "multi_query", f"compares or asks broadly ({found[0]})"
    if found := re.search(_VARIETY, folded):
        return "diverse", f"asks for variety ({found[0]})"
    return "hybrid", "a full question, so by words and meaning"

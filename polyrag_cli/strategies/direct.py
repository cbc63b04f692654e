"""Answers that need no store: greetings and sums.

Owns their wording.
"""

from __future__ import annotations

import re

from polyrag_cli.strategies.arithmetic import SumError, evaluate, shown_value
from polyrag_cli.strategies.base import Context
from polyrag_cli.text.fold import fold
from polyrag_cli.types import ClauseDecision, Query, Retrieval

# A greeting is too short for the language to be told from function words.
_GREETING_LANGUAGE = (
    ("pt", r"\b(?:oi|ola|alo|opa|bom dia|boa (?:tarde|noite)|tudo bem|como vai|obrigad[oa]|valeu|tchau|ate logo)\b"),
    ("es", r"\b(?:hola|buenos dias|buenas (?:tardes|noches)|gracias)\b"),
)
_THANKS = re.compile(r"\b(?:obrigad[oa]|valeu|thanks|thank you|gracias)\b")
_LEAVE = re.compile(r"\b(?:tchau|ate logo|ate mais|bye|goodbye)\b")

_TEXTS = {
    ("hello", "pt"): "Olá! Pergunte sobre os documentos ingeridos; a resposta vem com as fontes.",
    ("hello", "en"): "Hello! Ask about the ingested documents; the answer comes with its sources.",
    ("hello", "es"): "¡Hola! Pregunte sobre los documentos; la respuesta viene con sus fuentes.",
    ("thanks", "pt"): "De nada!",
    ("thanks", "en"): "You're welcome!",
    ("thanks", "es"): "¡De nada!",
    ("leave", "pt"): "Até logo!",
    ("leave", "en"): "Goodbye!",
    ("leave", "es"): "¡Hasta luego!",
    ("zero", "pt"): "Não há resultado: é uma divisão por zero.",
    ("zero", "en"): "There is no result: it divides by zero.",
    ("zero", "es"): "No hay resultado: es una división por cero.",
    ("size", "pt"): "O resultado é grande demais para ser calculado aqui.",
    ("size", "en"): "The result is too large to be worked out here.",
    ("size", "es"): "El resultado es demasiado grande para calcularlo aquí.",
}


class DirectStrategy:
    """Greets back, or works out the sum."""

    name = "direct"

    def retrieve(self, query: Query, decision: ClauseDecision, context: Context) -> Retrieval:
        """An answer without sources; empty when the text is neither a sum nor a greeting."""
        language = _language(query)
        if any(c.isdigit() for c in query.text):
            return Retrieval(answer=_sum(query.text, language))
        folded = fold(query.text)
        kind = "thanks" if _THANKS.search(folded) else "leave" if _LEAVE.search(folded) else "hello"
        return Retrieval(answer=_TEXTS[kind, language])


def _language(query: Query) -> str:
    folded = fold(query.text)
    for language, pattern in _GREETING_LANGUAGE:
        if re.search(pattern, folded):
            return language
    if query.language in ("pt", "en", "es"):
        return query.language
    return "pt" if re.search(r"\b(?:quanto|qual|de|vezes|mais|menos|dividido)\b", folded) else "en"


def _sum(text: str, language: str) -> str | None:
    try:
        found = evaluate(text, language)
    except SumError as error:
        return _TEXTS[str(error), language]
    if found is None:
        return None
    value, cut = shown_value(found.value, language)
    return f"{found.expression} {'≈' if cut else '='} {value}"

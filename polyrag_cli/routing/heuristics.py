"""Owns stage 1: what the form of a question or a text alone decides."""

from __future__ import annotations

import re

from polyrag_cli.nl2sql.lexicon import FIGURE_WORDS, word_set
from polyrag_cli.text.fold import fold
from polyrag_cli.text.words import Word

_GREETING_WORDS = word_set(
    """
    oi ola alo opa eai e ai bom boa dia tarde noite tudo bem como vai voce esta obrigado obrigada muito valeu
    tchau ate logo mais por favor prazer hello hi hey good morning afternoon evening night thanks thank you a
    lot so much very how are doing is it going bye goodbye there everyone all what's up greetings hola buenos
    buenas dias tardes noches gracias que tal
    """
)
# Kept as text: compiled when a question first needs it, so that a start doesn't pay for all of them.
_GREETING_CORE = (
    r"\b(?:oi|ola|alo|opa|bom dia|boa tarde|boa noite|tudo bem|como vai|obrigad[oa]|valeu|tchau|ate logo|hello|hi|hey|"
    r"good (?:morning|afternoon|evening|night)|thanks|thank you|how are you|bye|goodbye|greetings|hola|buenos dias|"
    r"buenas (?:tardes|noches)|gracias)\b"
)
_MAX_GREETING_WORDS = 8

_ASKS_VALUE = (
    r"^(?:(?:me )?(?:quanto|qual|what|how much|calcule|calcular|compute|calculate|diga|tell me|cuanto)"
    r"(?: (?:e|eh|da|is|are|o valor de|o resultado de|the (?:value|result) of|es))?\s+)"
)
_NUMBER = r"\(*\s*[-+]?\s*\d+(?:[.,]\d+)*\s*%?\s*\)*"
_OPERATOR = (
    r"(?:\*\*|[-+*/x×÷^:]|vezes|mais|menos|dividido por|elevado a|times|plus|minus|divided by|multiplied by|"
    r"to the power of|(?<=%) ?(?:de|of))"
)
_ARITHMETIC = rf"^{_NUMBER}(?:\s*{_OPERATOR}\s*{_NUMBER})+\s*=?$"
_DATE_OR_RANGE = re.compile(r"^(?:\d{1,4}([-/.])\d{1,4}\1\d{1,4}|\d{4}\s?[-/]\s?\d{2,4}|\d{1,2}[-/]\d{4})$")
_READ_ARITHMETIC = 200

_QUOTED = re.compile(r"\"[^\"\n]{2,200}\"|“[^”\n]{2,200}”|«[^»\n]{2,200}»|‘[^’\n]{2,200}’|`[^`\n]{2,200}`")
_DECADE_OR_UNIT = re.compile(r"^\d+(?:[.,]\d+)*(?:st|nd|rd|th|s|o|a|h|hs|k|m|km|kg|g|cm|mm|ml|l|gb|mb|tb|kw|am|pm|x)$")

# Of more than one word; single ones are among FIGURE_WORDS.
_FIGURE_PHRASES = r"\b(?:how (?:many|much)|ao todo|per cent|por cento)\b"


def is_greeting(text: str) -> bool:
    """Tell whether a text greets, thanks or takes leave and does nothing else."""
    folded = re.sub(r"[^\w' ]+", " ", fold(text[:_READ_ARITHMETIC]))
    tokens = folded.split()
    if not 0 < len(tokens) <= _MAX_GREETING_WORDS or len(text) > _READ_ARITHMETIC:
        return False
    return all(token in _GREETING_WORDS for token in tokens) and re.search(_GREETING_CORE, folded) is not None


def is_arithmetic(text: str) -> bool:
    """Tell whether a text is a sum of figures to work out ("2+2", "quanto é 15% de 200"); dates and ranges are none."""
    if len(text) > _READ_ARITHMETIC:
        return False
    if not any(c.isdigit() for c in text):
        return False
    folded = fold(text).strip(" ?!.=")
    expression = re.sub(_ASKS_VALUE, "", folded, count=1).strip()
    if _DATE_OR_RANGE.match(expression):
        return False
    return re.match(_ARITHMETIC, expression) is not None


def quoted_strings(text: str) -> tuple[str, ...]:
    """The strings that a text quotes, with their quotation marks."""
    return tuple(match[0] for match in _QUOTED.finditer(text))


def is_identifier(word: Word) -> bool:
    """Tell whether a word is a code: with an underscore, or letters and digits mixed ("AB-12", not "3rd" or "5kg")."""
    folded = word.folded
    if "_" in folded.strip("_"):
        return True
    letters = any(c.isalpha() for c in folded)
    return letters and any(c.isdigit() for c in folded) and _DECADE_OR_UNIT.match(folded) is None


def aggregate_word(text: str, tokens: list[Word]) -> str:
    """The first word of a text that asks for a total, a count, an average or an extreme; "" without one."""
    for word in tokens:
        if word.folded in FIGURE_WORDS:
            return word.text
    found = re.search(_FIGURE_PHRASES, fold(text))
    return found[0] if found else ""

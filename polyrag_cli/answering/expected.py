"""What kind of answer a question asks for, and whether a sentence holds one of that kind.

Owns that mild hint alone: it ranks sentences, it never rules one out.
"""

from __future__ import annotations

import re
from typing import Literal

from polyrag_cli.text.dates import MONTHS, find_dates
from polyrag_cli.text.fold import fold
from polyrag_cli.text.numbers import find_numbers
from polyrag_cli.text.words import Word

Kind = Literal["person", "time", "count", "place", "reason", "definition", "name", ""]

_SOURCES: tuple[tuple[Kind, str], ...] = (
    ("count", r"quant[oa]s|quanto (?!tempo)|quanta|how (?:many|much)|cuant[oa]s?|que (?:percentual|porcentagem|valor)"),
    (
        "time",
        r"quando|when|(?:em )?que (?:ano|dia|mes|data|hora|horas|epoca)|(?:what|which) (?:year|day|month|date|time)"
        r"|quanto tempo|how (?:long|often)|ate quando|desde quando|since when|qual (?:o prazo|a data|o ano)"
        r"|com que frequencia|cuando",
    ),
    (
        "place",
        r"onde|aonde|where|(?:em )?que (?:cidade|pais|estado|lugar|local|bairro|regiao)|donde"
        r"|(?:what|which) (?:city|country|place|town|state|region)",
    ),
    (
        "reason",
        r"por que|porque|porque razao|por qual (?:motivo|razao)|why|o que (?:motivou|levou|causou)|what (?:caused|led)"
        r"|qual (?:o|e o|foi o) motivo|how come",
    ),
    (
        "person",
        r"quem|who|whom|whose|quien|quienes|(?:como se chama|nome d[ae]|(?:what|which) is the name of)"
        r"(?: a| o| the)? (?:pessoa|responsavel|person|man|woman|homem|mulher)",
    ),
    (
        "definition",
        r"o que (?:e|sao|significa\w*|quer dizer)|what (?:is|are)(?: an?)?|what does \w+(?: \w+)? mean|meaning of|"
        r"significado d[eo]|defin\w+",
    ),
    (
        "name",
        r"qual|quais|como se chama\w*|what is the name|which|que (?!e\b)\w+|cual|cuales|"
        r"what (?!is\b|are\b|was\b|were\b|do\b|does\b|did\b)\w+",
    ),
)
_PATTERNS = tuple((kind, re.compile(rf"\b(?:{pattern})\b")) for kind, pattern in _SOURCES)
_WEEKDAYS_AND_TIMES = re.compile(
    r"\b(?:segundas?|tercas?|quartas?|quintas?|sextas?)(?:-feiras?)?\b|\b(?:sabados?|domingos?|monday|"
    r"tuesday|wednesday|"
    r"thursday|friday|saturday|sunday|hoje|ontem|amanha|today|yesterday|manha|tarde|noite|morning|evening|night|"
    r"(?:dia|semana|mes|ano|trimestre|semestre|hora|minuto|day|week|month|year|quarter|hour|minute)(?:e?s)?)\b"
)
# "X is the …": what stands before the verb is short, or the sentence tells something else.
_DEFINES = re.compile(
    r"^(?:(?:o|a|os|as|um|uma|the|an?)\s)?(?:[\w'-]+\s){1,5}?(?:e|sao|significa|is|are|means|refers to|"
    r"consiste em|chama-se)\s"
    r"(?:o|a|os|as|um|uma|the|an?|qualquer|todo|toda|any)\s"
)
_CAUSES = re.compile(
    r"\b(?:porque|pois|devido|causa|motivo|razao|por isso|ja que|uma vez que|gracas|para que|origem|"
    r"origin\w+|because|since|"
    r"due to|reason|therefore|so that|led to|in order to|caused?)\b"
)
# A person is named in full, or by a title of courtesy: one capital alone is as often a place or a thing.
_CAPITAL = "[A-ZÀ-ÖØ-ÞΑ-ΩЁА-Я]"
_FULL_NAME = re.compile(
    rf"\b{_CAPITAL}[\w'-]+(?: (?:d[aeo]s? )?{_CAPITAL}[\w'-]+)+"
    rf"|\b(?:[Dd]ona|[Ss]eu|[Ss]enhora?|Mr|Mrs|Ms|Dr|Dra)\.? {_CAPITAL}[\w'-]*"
)
# Offices and bodies that people answer "who" with, in lower case too.
_ROLES = re.compile(
    r"\b(?:diretor|gerente|comite|conselho|presidente|coordenador|responsavel|equipe|chefe|secretari|supervisor|"
    r"director|manager|committee|board|president|coordinator|team|head|chief|officer|council)\w*\b"
)


_NUMBER = re.compile(
    r"\b(?:quant[oa]s?|cuant[oa]s?|how (?:many|much|long|often|old|far)|prazo|frequencia|percentual|porcentagem|"
    r"percentage|number of|numero de|limite|limit|valor|amount)\b"
)


def asks_for_a_number(question: str) -> bool:
    """Whether a figure would answer the question."""
    return _NUMBER.search(fold(question)) is not None


def expected(question: str) -> Kind:
    """The kind of answer that a question's interrogative asks for; "" when it can't be told.

    The interrogative that stands first decides.
    """
    folded = fold(question)
    found = [(match.start(), order, kind) for order, (kind, p) in enumerate(_PATTERNS) if (match := p.search(folded))]
    return min(found)[2] if found else ""


def full_names(text: str) -> tuple[frozenset[str], ...]:
    """The folded words of each name that a text gives in full."""
    return tuple(frozenset(fold(match[0]).split()) for match in _FULL_NAME.finditer(text))


def kinds_of(text: str, tokens: list[Word], language: str) -> frozenset[Kind]:
    """The kinds of answer that a sentence could hold."""
    folded = fold(text)
    kinds: set[Kind] = set()
    dates = find_dates(text, language)
    dated = [(date.start, date.end) for date in dates]
    free = [n for n in find_numbers(text, language) if not any(start <= n.start < end for start, end in dated)]
    numbers = [n for n in free if not n.year_like]
    if numbers:
        kinds.add("count")
    if dates or _WEEKDAYS_AND_TIMES.search(folded) or any(w.folded in MONTHS and len(w.folded) > 3 for w in tokens):
        kinds.add("time")
    if any(w.text[0].isupper() for w in tokens[1:]):
        kinds.update(("place", "name"))
    if _FULL_NAME.search(text) or _ROLES.search(folded):
        kinds.add("person")
    if _DEFINES.match(folded):
        kinds.add("definition")
    if _CAUSES.search(folded):
        kinds.add("reason")
    return frozenset(kinds)

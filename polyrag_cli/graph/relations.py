"""Owns relations for people to look at: name – verb phrase – name inside one sentence, Portuguese and English.

The walk doesn't need them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from polyrag_cli.graph.gazetteer import Token
from polyrag_cli.text.stem import both_stems

_MAX_WORDS = 5

_AUXILIARIES = """
    is are was were be been has have had will can must may also not
    e sao foi foram era eram tem ser esta estao sera pode deve nao tambem so ja
"""
_BE = frozenset(_AUXILIARIES.split())
_VERBS = """
    depends depend requires require uses use used using feeds feed sends send receives receive calls call reads read
    writes write replaces replace replaced contains contain includes include supplies supply supplied serves serve
    owns own owned buys bought acquired sells sold makes made produces produced publishes published wrote written
    directed created founded located based born died married won leads led manages managed managed reports reported
    belongs borders joined works worked played performed recorded released developed built designed hosts hosted
    connects connected runs supports covers covered approves approved signs signed governs named called follows
    depende dependem exige exigem usa usam utiliza alimenta envia recebe consulta chama grava substitui substituiu
    contem inclui fornece forneceu abastece atende possui compra comprou adquiriu vende vendeu fabrica produz produziu
    publica publicou escreveu escrito dirigiu criou fundou fundada fundado localizada localizado fica nasceu morreu
    casou venceu lidera gerencia coordena responde pertence integra trabalha tocou gravou lancou desenvolveu construiu
    projetou hospeda liga conecta executa apoia cobre aprova aprovou assina assinou rege segue acessa monitora
"""
_STEMS = frozenset(stem for verb in _VERBS.split() for stem in both_stems(verb))
_SMALL_WORDS = """
    the a an of on in at to for from by with into as and its
    o os um uma de do da dos das em no na nos nas por pelo pela com para ao aos que sistema system
"""
_FILLERS = frozenset(_SMALL_WORDS.split())


@dataclass(frozen=True, slots=True)
class Relation:
    """Subject – verb phrase – object in a passage's sentence; subject and object are keys, with their names."""

    sentence: int
    subject: str
    subject_name: str
    verb: str
    object: str
    object_name: str


def relations(
    sentence: int, parts: Sequence[Token], spans: Sequence[tuple[int, int, str, str]]
) -> tuple[Relation, ...]:
    """Return the relations between neighbouring names of a sentence that only a verb phrase keeps apart.

    Args:
        sentence: the sentence's ordinal.
        parts: the sentence's tokens.
        spans: (first token, end token, key, name) of its names, in order.
    """
    found: list[Relation] = []
    for (_, left, subject, subject_name), (right, _, target, target_name) in pairwise(spans):
        between = parts[left:right]
        if subject != target and _is_verb_phrase(between):
            verb = " ".join(token.text for token in between)
            found.append(Relation(sentence, subject, subject_name, verb, target, target_name))
    return tuple(found)


def _is_verb_phrase(between: Sequence[Token]) -> bool:
    if not 0 < len(between) <= _MAX_WORDS:
        return False
    # Anything but a known verb and small words means that another phrase stands between the names.
    verbs = [token for token in between if any(stem in _STEMS for stem in both_stems(token.norm))]
    rest = [token for token in between if token not in verbs]
    if not all(token.norm in _FILLERS or token.norm in _BE for token in rest):
        return False
    return bool(verbs) or between[0].norm in _BE

"""Owns the language of a text, told by its function words and spelling.

Must never import anything of the package but `text.fold` and `text.stopwords`.
"""

import re
from functools import lru_cache

from polyrag_cli.text.fold import fold
from polyrag_cli.text.stopwords import ENGLISH, PORTUGUESE, SPANISH

# A question's words are known sooner than its letters; of a long text the start is enough.
_READ = 2000
_MARGIN = 0.5

_PT_INTERROGATIVES = "qual quais quem quando onde aonde quanto quanta quantos quantas como porque que"
_PT_COMMON = """mostre liste diga informe explique descreva existe existem precisa faz fez fica ficou feito feita houve
    vendeu venderam maior menor total media melhor pior ano meses dias empresa clientes funcionarios responsavel
    janeiro fevereiro marco abril maio junho julho setembro outubro novembro dezembro dois duas tres cinco sete oito
    nove dez cem mil milhao milhoes ola obrigado"""
_EN_COMMON = """what which who whom whose when where why how show list tell give explain describe find get please
    year years month months day days company customers employees highest lowest average best worst sold made makes
    sales revenue january february march april june july august september october november december one two three
    four five six seven eight nine ten hundred thousand million hello thanks"""
_ES_COMMON = """cual cuales quien quienes cuando donde cuanto cuanta cuantos cuantas como que muestra dime explica hay
    mayor menor ano dias empresa clientes vendio region ventas enero febrero marzo mayo junio julio septiembre octubre
    noviembre diciembre dos tres cuatro cinco siete ocho nueve diez hola gracias"""
# Function words of other languages in Latin letters: they speak against all three.
_OTHER = """le les des du est une et dans pour avec sur pas sont ce cette qui quel quelle
    der die das und ist nicht ein eine mit von zu den auf fur wie welche il lo gli di che non sono della per
    het een van niet zijn och att det som ar ja nie jest czy"""

_CLASSES = ("pt", "en", "es", "und")


def _weights() -> dict[str, tuple[float, float, float, float]]:
    members = (
        PORTUGUESE | frozenset((_PT_INTERROGATIVES + " " + _PT_COMMON).split()),
        ENGLISH | frozenset(_EN_COMMON.split()),
        SPANISH | frozenset(_ES_COMMON.split()),
        frozenset(_OTHER.split()),
    )
    table: dict[str, tuple[float, float, float, float]] = {}
    for word in sorted(frozenset().union(*members)):
        inside = [word in group for group in members]
        # A word that several languages share says little; a single letter says less.
        weight = (1.0 if len(word) > 1 else 0.6) / sum(inside)
        table[word] = (weight * inside[0], weight * inside[1], weight * inside[2], weight * inside[3])
    return table


_WEIGHTS = _weights()
_SUFFIXES = re.compile(
    r"(?P<pt>(?:cao|coes|soes|oes|nh[ao]s?|lh[aeo]s?|agem|agens|ncia|ncias|dade|dades)$|(?:ss|lh|nh)[aeiou])"
    r"|(?P<en>(?:ing|tion|tions|ght|ness|ship|wn|ck|sh|ly|'s)$|^wh|^th|oo|ee|k[aeinsy]|w[aeio])"
    r"|(?P<es>(?:cion|ciones|dad|dades|ll[ao]s?|illo|ados|eron|ues)$|^(?:ha|hu)[bc]|ue[lnrs])"
)
_SPELLING_WEIGHT = 0.3
_LETTERS = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_PT_LETTERS = re.compile(r"[ãõÃÕ]|[çÇ][ãõÃÕ]|[âêôÂÊÔ][mn]")
_ES_LETTERS = re.compile(r"[ñÑ¿¡]")


def detect(text: str) -> str:
    """Return the language of `text`: "pt", "en" or "es"; "und" when it is another one, mixed or can't be told."""
    text = text[:_READ]
    scores = [0.0, 0.0, 0.0, 0.0]
    scores[0] += min(2, len(_PT_LETTERS.findall(text)))
    scores[2] += min(2, len(_ES_LETTERS.findall(text))) * 0.75
    for word in _LETTERS.findall(fold(text)):
        known = _WEIGHTS.get(word)
        if known is not None:
            for i, weight in enumerate(known):
                scores[i] += weight
        elif len(word) > 3 and (spelled := _spelled_like(word)) >= 0:
            scores[spelled] += _SPELLING_WEIGHT
    best = max(range(4), key=lambda i: (scores[i], -i))
    # What Portuguese and Spanish share counts for Portuguese unless a word of Spanish alone is there.
    rivals = (1, 3) if best == 0 else (i for i in range(4) if i != best)
    runner_up = max(scores[i] for i in rivals)
    if scores[best] < _MARGIN or scores[best] - runner_up < min(_MARGIN, 0.25 * scores[best]):
        return "und"
    return _CLASSES[best]


@lru_cache(maxsize=32768)
def _spelled_like(word: str) -> int:
    """Class whose spelling a folded word has, -1 for none."""
    match = _SUFFIXES.search(word)
    return -1 if match is None else _CLASSES.index(match.lastgroup or "und")

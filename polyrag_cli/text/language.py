"""Owns the language of a text or a table, told by its function words, spelling and column names."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from polyrag_cli.text.fold import fold
from polyrag_cli.text.stopwords import ENGLISH, PORTUGUESE, SPANISH

# A question's words are known sooner than its letters; of a long text the start is enough.
_READ = 2000
_MARGIN = 0.5
# A table's words stand without a sentence around them: fewer than this, alone or ahead, tell nothing.
_LEAST_OF_A_TABLE = 1.0

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
# What columns are called. A sentence has function words; a heading of columns has none.
_PT_COLUMNS = """nome codigo cidade bairro municipio estado pais endereco telefone data inicio fim vencimento preco
    valor quantidade qtd unidade receita despesa custo lucro salario cargo setor departamento funcionario cliente
    fornecedor produto produtos pedido pedidos venda vendas compra compras estoque saldo nota observacao descricao
    categoria tipo situacao pagamento idade sexo mes ano dia hora turno peso altura titulo autor loja filial regiao
    numero total"""
_EN_COLUMNS = """name code city district county state country address phone date start end due price value amount
    quantity qty unit units revenue expense cost profit salary role department employee customer client supplier
    product products order orders sale purchase stock balance note notes description category type status payment age
    gender hour shift weight height title author store branch owner manager number rate first last total"""
_ES_COLUMNS = """nombre codigo ciudad barrio municipio estado pais direccion telefono fecha inicio fin vencimiento
    precio valor cantidad unidad ingreso gasto costo coste ganancia salario cargo departamento empleado cliente
    proveedor producto productos pedido pedidos venta ventas compra compras existencias saldo nota descripcion
    categoria tipo situacion pago edad sexo mes ano dia hora turno peso altura titulo autor tienda sucursal numero
    total"""
_OTHER_COLUMNS = """nom prenom ville pays rue adresse prix montant quantite datum stadt strasse menge preis betrag
    anzahl nome citta prezzo quantita data naam stad prijs aantal namn pris antal"""

_CLASSES = ("pt", "en", "es", "und")

Weights = Mapping[str, tuple[float, float, float, float]]


def _weights(members: tuple[frozenset[str], ...]) -> Weights:
    table: dict[str, tuple[float, float, float, float]] = {}
    for word in sorted(frozenset().union(*members)):
        inside = [word in group for group in members]
        # A word that several languages share says little; a single letter says less.
        weight = (1.0 if len(word) > 1 else 0.6) / sum(inside)
        table[word] = (weight * inside[0], weight * inside[1], weight * inside[2], weight * inside[3])
    return table


_SENTENCE_WORDS = (
    PORTUGUESE | frozenset((_PT_INTERROGATIVES + " " + _PT_COMMON).split()),
    ENGLISH | frozenset(_EN_COMMON.split()),
    SPANISH | frozenset(_ES_COMMON.split()),
    frozenset(_OTHER.split()),
)
_COLUMN_WORDS = tuple(
    known | frozenset(names.split())
    for known, names in zip(_SENTENCE_WORDS, (_PT_COLUMNS, _EN_COLUMNS, _ES_COLUMNS, _OTHER_COLUMNS), strict=True)
)
_WEIGHTS = _weights(_SENTENCE_WORDS)
_COLUMN_WEIGHTS = _weights(_COLUMN_WORDS)
_SUFFIXES = re.compile(
    r"(?P<pt>(?:cao|coes|soes|oes|nh[ao]s?|lh[aeo]s?|agem|agens|ncia|ncias|dade|dades)$|(?:ss|lh|nh)[aeiou])"
    r"|(?P<en>(?:ing|tion|tions|ght|ness|ship|wn|ck|sh|ly|'s)$|^wh|^th|oo|ee|k[aeinsy]|w[aeio])"
    r"|(?P<es>(?:cion|ciones|dad|dades|ll[ao]s?|illo|ados|eron|ues)$|^(?:ha|hu)[bc]|ue[lnrs])"
)
_SPELLING_WEIGHT = 0.3
# Letters beside a figure are a code's or a unit's: neither OF01 nor OF-01 has an "of".
_LETTERS = re.compile(r"(?<![^\W_])[^\W\d_]+(?:'[^\W\d_]+)?(?![^\W_]|-\d)")
_PT_LETTERS = re.compile(r"[ãõÃÕ]|[çÇ][ãõÃÕ]|[âêôÂÊÔ][mn]")
_ES_LETTERS = re.compile(r"[ñÑ¿¡]")
# Where one word of a column's name ends and the next one begins: receitaBruta.
_JOINED = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])|_")
_SMALL_WORD = re.compile(r"(?<![^\W_])(?=[^\W\d_]{4})[^\W\d_A-ZÀ-ÖØ-Þ]+(?![^\W_])")


def detect(text: str) -> str:
    """Return the language of `text`: "pt", "en" or "es"; "und" when it is another one, mixed or can't be told."""
    text = text[:_READ]
    scores = _scores(text, _words(text), _WEIGHTS)
    best = max(range(4), key=lambda i: (scores[i], -i))
    # What Portuguese and Spanish share counts for Portuguese unless a word of Spanish alone is there.
    rivals = (1, 3) if best == 0 else (i for i in range(4) if i != best)
    runner_up = max(scores[i] for i in rivals)
    if scores[best] < _MARGIN or scores[best] - runner_up < min(_MARGIN, 0.25 * scores[best]):
        return "und"
    return _CLASSES[best]


def detect_table(labels: Iterable[str], cells: Iterable[str]) -> str:
    """Return the language of a table as `detect` does of a text; "und" also where its names and cells contradict.

    Each word counts once, however many cells hold it. A cell without a longer word in small letters may be a name or
    a code, and counts for nothing.

    Args:
        labels: what its columns are called; words may be joined by underscores or by capitals.
        cells: in their order; of more than 2,000 characters the start is read.
    """
    named = _of_words(" ".join(_JOINED.sub(" ", label) for label in labels), _COLUMN_WEIGHTS)
    told = _of_words(_phrases(cells), _WEIGHTS)
    if "und" in (named, told):
        return told if named == "und" else named
    return named if named == told else "und"


def _phrases(cells: Iterable[str]) -> str:
    """The first distinct cells that say something besides names."""
    found: dict[str, None] = {}
    size = 0
    for cell in cells:
        if cell not in found and _SMALL_WORD.search(cell):
            found[cell] = None
            size += len(cell)
            if size > _READ:
                break
    return " ".join(found)


def _of_words(text: str, weights: Weights) -> str:
    """The language of words without sentences; what two languages share tells neither."""
    text = text[:_READ]
    scores = _scores(text, dict.fromkeys(_words(text)), weights)
    best = max(range(4), key=lambda i: (scores[i], -i))
    ahead = scores[best] - max(scores[i] for i in range(4) if i != best)
    enough = scores[best] >= _LEAST_OF_A_TABLE and ahead >= max(_MARGIN, 0.25 * scores[best])
    return _CLASSES[best] if enough else "und"


def _words(text: str) -> list[str]:
    return _LETTERS.findall(fold(text))


def _scores(text: str, words: Iterable[str], weights: Weights) -> list[float]:
    """What speaks for each class, by letters of the text and by words, which are folded."""
    scores = [0.0, 0.0, 0.0, 0.0]
    scores[0] += min(2, len(_PT_LETTERS.findall(text)))
    scores[2] += min(2, len(_ES_LETTERS.findall(text))) * 0.75
    for word in words:
        known = weights.get(word)
        if known is not None:
            for i, weight in enumerate(known):
                scores[i] += weight
        elif len(word) > 3 and (spelled := _spelled_like(word)) >= 0:
            scores[spelled] += _SPELLING_WEIGHT
    return scores


@lru_cache(maxsize=32768)
def _spelled_like(word: str) -> int:
    """Class whose spelling a folded word has, -1 for none."""
    match = _SUFFIXES.search(word)
    return -1 if match is None else _CLASSES.index(match.lastgroup or "und")

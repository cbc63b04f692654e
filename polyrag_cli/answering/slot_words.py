"""Words by which two questions are told apart: opposites, question forms, politeness; Portuguese and English, folded.

Owns word lists alone.
"""

from __future__ import annotations

import re

# Axes with ends that exclude each other. An entry is the beginning of a word when it ends in "-", else a whole word.
_AXES: dict[str, tuple[str, ...]] = {
    "size": (
        "maior maiores maximo maxima alto alta altos altas elevad- grande grandes longo longa highest"
        " largest biggest maximum"
        " max high large big greatest longest tallest long tall most",
        "menor menores minimo minima baixo baixa baixos baixas pequen- curto curta lowest smallest minimum"
        " min low small"
        " fewest shortest short least little",
    ),
    "quality": ("melhor melhores bom boa bons boas best better good", "pior piores ruim ruins mau ma worst worse bad"),
    "order": (
        "primeir- inicial iniciais first initial earliest",
        "ultim- final finais last latest final",
        "proxim- seguinte- next following",
        "anterior- previous prior",
    ),
    "begin": (
        "comec- inici- abert- abre abrir abrem start- begin- began begun open opens opened opening found- fundad-",
        "termin- encerr- fim fech- acab- end ends ended ending finish- clos-",
    ),
    "age": ("antig- velh- old older oldest", "nov- recent- new newer newest newly young youngest"),
    "before": ("antes before", "depois apos after"),
    "day": ("ontem yesterday", "hoje today", "amanha tomorrow"),
    "part of day": ("manha morning", "tarde afternoon", "noite evening night", "madrugada midnight", "meio-dia noon"),
    "compass": (
        "norte north northern", "sul south southern", "leste este east eastern", "oeste west western",
        "nordeste northeast northeastern", "noroeste northwest northwestern", "sudeste southeast southeastern",
        "sudoeste southwest southwestern", "centro-oeste midwest",
    ),
    "change": (
        "aument- cresc- sub- alta ganh- increas- rise rises rose rising grow grows grew growing growth gain-",
        "diminu- cair cai caiu caem queda reduz- reduc- perd- decreas- fall falls fell falling drop-"
        " declin- lose loses lost"
        " losing loss reduction",
    ),
    "trade": (
        "compr- import- adquir- buy buys buying bought purchas- import-",
        "vend- export- sell sells selling sold sale sales export-",
    ),
    "travel": (
        "cheg- desembarc- entr- ida arriv- land lands landed landing enter- outbound inbound",
        "part- sai sair saem saiu embarc- volta depart- leave leaves leaving left exit- return-",
    ),
    "cause": (
        "causa- motiv- cause causes caused causing reason-",
        "efeito- consequenc- resultado- effect- result-",
    ),
    "money": (
        "receita- fatur- renda lucr- credit- revenue- income profit- earn- credit-",
        "despesa- custo- custa- gast- prejuizo- debit- cost- expens- spend- spent loss debit- debt-",
    ),
    "price": ("barat- cheap-", "car- expensive"),
    "speed": ("rapid- fast faster fastest quick-", "lent- devagar slow-"),
    "verdict": (
        "aprov- aceit- permit- approv- accept- allow-",
        "rejeit- recus- neg- proib- reject- refus- deny denied forbid- ban-",
    ),
    "switch": ("ativ- habilit- lig- enabl- activat-", "desativ- desabilit- deslig- disabl- deactivat-"),
    "sign": (
        "positiv- vantage- beneficio- advantage- benefit- pros",
        "negativ- desvantage- risco- disadvantage- drawback- cons",
    ),
    "sex": ("homem homens masculin- man men male-", "mulher mulheres feminin- woman women female-"),
    "side": ("esquerd- left-hand", "direit- right-hand"),
    "place": (
        "dentro intern- inside indoor- inner internal domestic",
        "fora extern- outside outdoor- outer external international",
    ),
    "trip": ("one-way", "round-trip"),
    "weekday": (
        "segunda-feira segundas monday-", "terca-feira terca tuesday-", "quarta-feira wednesday-",
        "quinta-feira thursday-",
        "sexta-feira sexta friday-", "sabado- saturday-", "domingo- sunday-", "weekday- uteis", "weekend-",
    ),
}  # fmt: skip


def _compiled() -> tuple[tuple[str, int, frozenset[str], tuple[str, ...]], ...]:
    found = []
    for axis, ends in _AXES.items():
        for number, end in enumerate(ends):
            words = end.split()
            whole = frozenset(word for word in words if not word.endswith("-"))
            found.append((axis, number, whole, tuple(word[:-1] for word in words if word.endswith("-"))))
    return tuple(found)


AXIS_ENDS = _compiled()

# Function words that change what is asked; each stands for its meaning.
_HARD: dict[str, str] = {
    "more": "mais more most",
    "less": "menos less least fewer fewest",
    "only": "apenas somente only",
    "except": "exceto except excluding",
    "above": "acima above over",
    "below": "abaixo below under",
    "between": "entre between among",
    "other": "outro outra outros outras other another else",
    "same": "mesmo mesma mesmos mesmas same",
    "both": "ambos ambas both",
    "each": "cada each every",
    "since": "desde since",
    "before": "antes before",
    "after": "depois apos after",
    "also": "tambem also too",
    "still": "ainda still",
    "already": "already",
    "or": "ou or",
    "against": "contra against versus",
    "during": "enquanto while",
    "if": "caso unless if",
    "nearest": "perto near nearby",
}
HARD_WORDS: dict[str, str] = {word: meaning for meaning, words in _HARD.items() for word in words.split()}

NEGATORS = frozenset(
    """nao nunca jamais nem sem nenhum nenhuma ninguem nada tampouco
    not never without none nor neither nobody nothing cannot""".split()  # noqa: SIM905
)
OBLIGATION = frozenset("deve devem deveria deveriam precisa precisam should must ought shall".split())  # noqa: SIM905
_PAST = "foi foram era eram estava estavam teve tiveram houve tinha tinham fez was were did had been"
_FUTURE = "sera serao vai vao ira irao will going"
_PRESENT = "e sao esta estao tem ha existe is are does do has have"
TENSES: dict[str, str] = {
    **dict.fromkeys(_PRESENT.split(), "present"),
    **dict.fromkeys(_PAST.split(), "past"),
    **dict.fromkeys(_FUTURE.split(), "future"),
}

# Prepositions by what they make of the word behind them.
MARKERS: dict[str, str] = {
    **dict.fromkeys(("from", "desde", "leaving", "departing"), "from"),
    **dict.fromkeys(("to", "para", "pra", "pro", "ate", "into", "ao", "aos", "until", "towards"), "to"),
    **dict.fromkeys(("de", "do", "da", "dos", "das", "of"), "of"),
    **dict.fromkeys(("em", "no", "na", "nos", "nas", "in", "at", "on", "num", "numa"), "of"),
    **dict.fromkeys(("by", "por", "pelo", "pela", "pelos", "pelas", "via", "through"), "by"),
    **dict.fromkeys(("with", "com"), "with"),
    **dict.fromkeys(("for",), "for"),
    **dict.fromkeys(("than",), "than"),
}
COMMUTATIVE = frozenset(("e", "and", "ou", "or", "y", "com", "with"))

# Words whose meaning hardly narrows a question: they may stand on one side alone.
LIGHT_WORDS = frozenset(
    """available disponivel disponiveis kind kinds type types sort tipo tipos service services particular actual atual
    possible possivel provided oferecido oferecidos go going goes get like looking help arrange offered given considered
    consider considerado based specific especifico especifica""".split()  # noqa: SIM905
)

# Words that say nothing about what is asked.
EMPTY_WORDS = frozenset(
    """saber sabe sabem sabia conhecer ver dizer falar contar ola oi bom favor gentileza obrigado obrigada agora existe
    existem exatamente chamado chamada denominado localizado localizada situado situada fica ficam informacao
    informacoes
    know see say hello hi hey kindly thanks thank okay ok s now called named
    located situated exist exists currently exactly there
    information info me us all any todos todas todo toda algum alguma qualquer""".split()  # noqa: SIM905
)

_LEAD = r"""
    (?:(?:oi|ola|bom\ dia|boa\ tarde|boa\ noite|hello|hi|hey|por\ favor|please|por\ gentileza|obrigad[oa]|thanks)\b
    |(?:voces?|vcs?)\ (?:sabem?|podem?|poderiam?|conseguem?)(?:\ me)?
        (?:\ (?:dizer|informar|falar|explicar|mostrar|listar|contar))?\b
    |(?:can|could|would|will)\ you\ (?:please\ |kindly\ )?(?:tell|show|give|explain|list|say|find)
        (?:\ (?:to\ )?(?:me|us))?\b
    |do\ you\ (?:happen\ to\ )?know\b
    |(?:eu\ )?(?:gostaria|queria|quero|preciso|desejo)(?:\ de)?(?:\ (?:saber|ver|conhecer|entender))?\b
    |i(?:'d|\ would)\ like\ (?:to\ (?:know|see|find\ out)|the|a)?\b|i\ (?:want|need)\ (?:to\ (?:know|see))?\b
    |(?:me\ )?(?:diga|diz|fale|informe|mostre|explique|conte|liste|apresente|exiba|indique)(?:-me|\ me)?\b
    |(?:tell|show|give|find|bring)\ (?:me|us)\b|(?:show|list|display|give|find)\b
    |(?:sobre|about)\b)"""
POLITE_LEAD = re.compile(rf"^[\s,;:!.¿]*{_LEAD}", re.VERBOSE)
POLITE_TAIL = re.compile(
    r"[\s,;]*\b(?:por favor|por gentileza|please|thanks|thank you|obrigad[oa]|voce sabe|vc sabe|do you know)[\s.!?]*$"
)

# The first pattern that matches gives the kind; more than one kind may be asked for.
QUESTION_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(rf"\b(?:{pattern})\b"))
    for kind, pattern in (
        ("duration", r"quanto tempo|por quant[oa]s (?:anos|meses|dias|horas|semanas)|how long|for how many"),
        ("frequency", r"com que frequencia|how often|quantas vezes|how many times"),
        ("distance", r"que distancia|how far"),
        ("age", r"how old|que idade|quantos anos"),
        ("count", r"quant[oa]s|how many|numero (?:total )?de|number of|quantidade (?:total )?de|cuant[oa]s"),
        ("amount", r"quanto|quanta|how much|cuanto"),
        (
            "when",
            r"quando|when|(?:que|qual) (?:o |a )?(?:dia|data|ano|hora|horario|mes|epoca)|(?:what|which) (?:time|"
            r"day|date|year|month)",
        ),
        (
            "where",
            r"onde|aonde|where|que (?:lugar|local|cidade|pais|estado)|(?:what|which) (?:place|city|country|"
            r"state|location)",
        ),
        ("who", r"quem|who|whom|whose|que pessoa|which person"),
        (
            "why",
            r"por que|porque|por qual (?:motivo|razao)|qual (?:e |foi )?(?:o motivo|a razao)|why|how come|"
            r"what (?:is|was) the reason",
        ),
        ("how", r"como|how|de que (?:forma|maneira|modo)|in what way"),
        ("what", r"qual|quais|que|what|which|cual|cuales"),
    )
)
YES_NO = re.compile(
    r"^(?:is|are|was|were|do|does|did|can|could|will|would|has|have|had|should|must|e|sao|foi|foram|"
    r"existe|existem|ha|tem|pode|"
    r"podem|deve|devem|sera|esta|estao)\b"
)
ROMAN = re.compile(r"^(?=[IVXL]{2,})X{0,4}L?X{0,3}(?:IX|IV|V?I{0,3})$")
_ORDINALS = (
    "primeiro primeira first",
    "segundo segunda second",
    "terceiro terceira third",
    "quarto quarta fourth",
    "quinto quinta fifth",
    "sexto sexta sixth",
    "setimo setima seventh",
    "oitavo oitava eighth",
    "nono nona ninth",
    "decimo decima tenth",
)
ORDINALS: dict[str, int] = {word: value for value, words in enumerate(_ORDINALS, start=1) for word in words.split()}

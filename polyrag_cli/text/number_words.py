"""Owns the vocabulary of number words in Portuguese and English, folded."""


def _counted(text: str, first: int, step: int = 1) -> dict[str, int]:
    """Map the words of each `|` group to first, first + step, …"""
    groups = text.split("|")
    return {word: first + i * step for i, group in enumerate(groups) for word in group.split()}


SMALL: dict[str, int] = {
    **_counted("zero|um uma one|dois duas two|tres three|quatro four|cinco five|seis six|sete seven|oito eight", 0),
    **_counted("nove nine|dez ten|onze eleven|doze twelve|treze thirteen|quatorze catorze fourteen|quinze fifteen", 9),
    **_counted("dezesseis dezasseis sixteen|dezessete dezassete seventeen|dezoito eighteen", 16),
    **_counted("dezenove dezanove nineteen", 19),
    **_counted(
        "vinte twenty|trinta thirty|quarenta forty fourty|cinquenta fifty|sessenta sixty|setenta seventy", 20, 10
    ),
    **_counted("oitenta eighty|noventa ninety", 80, 10),
    **_counted(
        "cem cento|duzentos duzentas|trezentos trezentas|quatrocentos quatrocentas|quinhentos quinhentas", 100, 100
    ),
    **_counted("seiscentos seiscentas|setecentos setecentas|oitocentos oitocentas|novecentos novecentas", 600, 100),
}

# The article reading of these is commoner than the number.
ONE = frozenset(("um", "uma", "one"))
ARTICLES = frozenset(("a", "an"))
HALF = frozenset(("meio", "meia", "half"))
CONNECTORS = frozenset(("e", "and"))

SCALES: dict[str, int] = {
    **dict.fromkeys(("mil", "thousand", "thousands", "milhar", "milhares"), 10**3),
    **dict.fromkeys(("milhao", "milhoes", "million", "millions"), 10**6),
    **dict.fromkeys(("bilhao", "bilhoes", "biliao", "bilioes", "billion", "billions"), 10**9),
    **dict.fromkeys(("trilhao", "trilhoes", "trillion", "trillions"), 10**12),
}
COLLECTIVES: dict[str, int] = {
    **dict.fromkeys(("dezena", "dezenas"), 10),
    **dict.fromkeys(("duzia", "duzias", "dozen", "dozens"), 12),
    **dict.fromkeys(("centena", "centenas", "hundred", "hundreds"), 100),
}
# Letters written directly behind digits, or one space away when longer than one letter; case matters: 5m is a length.
SUFFIXES: dict[str, int] = {
    "k": 10**3,
    "K": 10**3,
    "M": 10**6,
    "mi": 10**6,
    "mn": 10**6,
    "B": 10**9,
    "bi": 10**9,
    "bn": 10**9,
    "tri": 10**12,
}
# After these a lone um, uma or one is a measure.
_UNITS = """
    por percent per pct hora horas dia dias semana mes ano minuto segundo metro litro quilo quilometro
    hour hours day days week month year minute second meter metre liter litre kilo kilogram kilometer
"""
UNITS = frozenset(_UNITS.split())

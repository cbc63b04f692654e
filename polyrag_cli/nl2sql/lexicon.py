"""Owns the general vocabulary of questions about tables, Portuguese and English, in folded form. No word of any data
set stands here.
"""

from __future__ import annotations

from polyrag_cli.nl2sql.inflection import with_first_person


def _phrases(text: str) -> list[tuple[str, ...]]:
    return [tuple(phrase.split()) for phrase in text.replace("\n", " ").split("|") if phrase.strip()]


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text that lists them."""
    return frozenset(text.split())


# "Isn't", also as people type it without the sign.
_CONTRACTED: list[tuple[str, ...]] = [
    (f"{verb}n{sign}t",)
    for verb in sorted(word_set("is are was were do does did has have had ca could would wo should must ai"))
    for sign in ("'", "")
    if verb != "wo" or sign
]

OPERATIONS: dict[str, list[tuple[str, ...]]] = {
    "count": _phrases(
        """
        quantos|quantas|how many|number of|the number of|total number of|numero de|numero total de|quantidade de
        |count of|count the|conte|conte os|conte as|contagem de
        """
    ),
    "how_much": _phrases(
        """
        quanto|quanta|how much|quantos reais|quantos dolares|quantos euros|quanto dinheiro|how much money
        |how many dollars|how many euros|how many pounds
        """
    ),
    "filler": _phrases(
        """
        ao longo de|ao longo do|ao longo da|over the course of|throughout|throughout the|a gente|ate agora|ate hoje
        |ate o momento|so far|to date|preciso saber|queria saber|quero saber|i need to know|i want to know
        |can you tell|could you tell|would you tell
        """
    ),
    "sum": _phrases(
        """
        total|totais|soma|somado|somada|somados|somadas|somando|some|ao todo|no total|sum|in total|altogether
        |overall|combined|somou|somaram|acumulou|acumularam|totalizou|totalizaram|juntos|juntas|acumulado
        |acumulada|total geral|sum of|soma de|the sum of|in all
        """
    ),
    "average": _phrases(
        """
        media|medio|medios|medias|average|mean|avg|em media|on average|media de|the average|average of
        """
    ),
    "max": _phrases(
        """
        maior|maiores|highest|largest|biggest|greatest|maximum|max|maximo|maxima|mais alto|mais alta|mais altos
        |mais altas|mais elevado|mais elevada|most|the most|o maximo de|top|the greatest number of
        |the highest number of|the most number of|o maior numero de|a maior quantidade de|maior quantidade de
        |maior numero de|mais|the largest number of|highest number of|most number of|greatest number of
        |largest number of|the greatest amount of|the most amount of
        """
    ),
    "min": _phrases(
        """
        menor|menores|lowest|smallest|minimum|min|minimo|minima|mais baixo|mais baixa|mais baixos|mais baixas
        |least|the least|fewest|the fewest|menos|o menor numero de|a menor quantidade de|menor quantidade de
        |menor numero de|the least number of|the lowest number of|lowest number of|least number of
        |the least amount of|least amount of
        """
    ),
    "more": _phrases("more|higher|larger|bigger|greater|older|longer|taller|heavier"),
    "less": _phrases("less|fewer|lower|smaller|younger|shorter|lighter"),
    "max:price": _phrases("mais caro|mais cara|mais caros|mais caras|most expensive|priciest|costliest"),
    "min:price": _phrases("mais barato|mais barata|mais baratos|mais baratas|cheapest|least expensive"),
    "max:date": _phrases(
        """
        mais recente|mais recentes|latest|most recent|most recently|newest|ultimo|ultima|ultimos|ultimas|last
        |the last|the latest
        """
    ),
    "min:date": _phrases(
        """
        mais antigo|mais antiga|mais antigos|mais antigas|earliest|primeiro|primeira|primeiros|primeiras|first
        |the first|the earliest
        """
    ),
    "max:age": _phrases("oldest|mais velho|mais velha|mais velhos|mais velhas"),
    "min:age": _phrases("mais jovem|mais jovens|youngest|mais novo|mais nova"),
    "max:duration": _phrases("mais demorado|mais demorada|mais demorados|mais demoradas|slowest|lengthiest"),
    "max:length": _phrases("mais longo|mais longa|mais longos|mais longas|longest|mais comprido|mais comprida"),
    "min:length": _phrases("mais curto|mais curta|mais curtos|mais curtas|shortest"),
    "max:height": _phrases("tallest"),
    "max:weight": _phrases("mais pesado|mais pesada|mais pesados|mais pesadas|heaviest"),
    "min:weight": _phrases("mais leve|mais leves|lightest"),
    "ask:age": _phrases("how old|que idade|quantos anos tem"),
    "ask:height": _phrases("how tall|how high"),
    "ask:length": _phrases("how long"),
    "ask:weight": _phrases("how heavy"),
    "ask:distance": _phrases("how far"),
    "group": _phrases("por|por cada|per|by|for each|para cada|de cada|em cada|in each|of each|each|cada|for every"),
    "difference": _phrases(
        """
        diferenca|difference|a diferenca|the difference|how much more|quanto a mais|how many more|quantos a mais
        |quantas a mais|how much less|a mais que|a mais do que|a menos que|a menos do que|how many fewer
        |quanto a menos
        """
    ),
    "object": _phrases("what did|what does|what do|o que"),
    "versus": _phrases("compare|comparar|compara|comparacao entre|comparison of|comparison between|versus|vs"),
    "share": _phrases(
        """
        percentual|porcentagem|percentagem|percentage|percent|share|proporcao|proportion|fracao|fraction
        |participacao|que parte|qual parte|what part|por cento|the share|what share|% of|% de|% da|% do
        """
    ),
    "not": _phrases(
        """
        nao|exceto|except|excluding|other than|besides|not|excluindo|desconsiderando|sem contar|tirando|fora
        |alem de|a nao ser|sem ser|without|sem|except for|diferente de|diferentes de|outside|outside of
        |ainda nao|not yet|still not|non|nem|nor|neither|with no|have no|has no|had no|not counting|not including
        |nao contando|nao incluindo
        """
    )
    + _CONTRACTED,
    "list": _phrases(
        """
        me mostra|me mostre|me lista|me liste|me da|mostra|liste|listar|lista|list|mostre|mostrar|show|quais|relacione
        |exiba|enumere|list all|give|name
        """
    ),
    "distinct": _phrases("diferentes|distintos|distintas|distinct|different|unicos|unicas|unique"),
    "exists": _phrases(
        """
        ha|existe|existem|is there|are there|tem algum|tem alguma|teve algum|teve alguma|houve algum|houve alguma
        |temos algum|temos alguma|algum|alguma|was there|were there|is any|are any|was any|were any
        """
    ),
    "who": _phrases("quem|who|whom|de quem|whose"),
    "when": _phrases("quando|when|em que data|what date|which date|em que dia"),
    "where": _phrases("onde|where|aonde"),
    "which": _phrases("qual|which|what|que|in which|em qual|em que|em quais|qual e|which of"),
    ">": _phrases(
        """
        mais de|mais do que|mais que|more than|over|above|acima de|acima da|acima do|maior que|maior do que
        |maiores que|maiores do que|superior a|superiores a|greater than|higher than|larger than|exceeding
        |exceeds|exceed|passa de|passam de|passou de|ultrapassa|ultrapassam|ultrapassou|bigger than|longer than
        """
    ),
    ">=": _phrases("at least|pelo menos|no minimo|a partir de|ao menos|no less than|from at least|>="),
    "<": _phrases(
        """
        menos de|menos do que|menos que|less than|fewer than|under|below|abaixo de|abaixo da|abaixo do|menor que
        |menor do que|menores que|menores do que|inferior a|inferiores a|lower than|smaller than|shorter than
        """
    ),
    "<=": _phrases("at most|no maximo|up to|no more than|ate"),
    "or more": _phrases("ou mais|or more|or above|or higher|ou superior"),
    "or less": _phrases("ou menos|or less|or fewer|or below|ou inferior"),
    "between": _phrases("entre|between"),
    "=": _phrases("exactly|exatamente|igual a|equal to|precisely"),
    "after": _phrases("after|depois de|apos|later than|posterior a|posteriores a"),
    "before": _phrases("before|antes de|prior to|anterior a|anteriores a"),
    "since": _phrases("since|desde"),
    "until": _phrases("until"),
    "single": _phrases("the only|o unico|a unica|only one|um unico|uma unica"),
    "or": _phrases("ou|or"),
    "than": _phrases("que|do que|than"),
}

# Words that by themselves ask for a figure: those of the operations but for what is said of anything (the most, some),
# and words of which no plan is made, or only together with others.
FIGURE_WORDS = (
    frozenset(
        phrase[0]
        for operation in ("count", "how_much", "sum", "average", "max", "min", "share")
        for phrase in OPERATIONS[operation]
        if len(phrase) == 1
    )
    - word_set("conte juntas juntos mais menos overall participacao some")
) | word_set(
    """
    averages bottom contagem count counts cuantas cuantos mayor median mediana melhor number numero pior promedio
    quantidade ranking somar somas suma sums totalled totals
    """
)

# These change what is asked in ways that no plan expresses: a question that holds one is declined.
BLOCKERS = word_set(
    """
    same mesmo mesma mesmos mesmas both ambos ambas other another outro outra outros outras next previous
    prior proximo proxima anterior seguinte consecutive consecutivo consecutivos consecutiva consecutivas
    why porque if how como median mediana twice growth crescimento cresceu crescer variacao aumento aumentou
    caiu queda evolucao tendencia trend correlation correlacao forecast previsao ranking rank only unico
    unica somente apenas nenhum nenhuma never nunca none nobody ninguem nnor nem almost quase even would
    should could deveria deve poderia alem ainda already ja again novamente increase increased decrease
    decreased grew fell either mode moda once double dobro metade half triple triplo majority maioria
    minority minoria
    """
)

# Words that ask or connect without restricting anything.
GENERIC = with_first_person(
    word_set(
        """
    work works worked working trabalha trabalham trabalhou goes go went vai vao ir placed feitos feitas
    valor valores value values amount amounts numero numeros number numbers quantia montante dado dados data
    tabela table lista list listado listada listados listadas listed registrado registrada registrados
    registradas recorded registro teve tiveram obteve obtiveram houve ficou ficaram registrou registraram
    apresentou apresentaram fez fizeram feito feita deu conseguiu alcancou got get gets getting received
    receive receives recebeu receberam reached occur occurred ocorreu ocorreram made make makes took take
    come comes came veio vieram vem went existem existe exists exist there aparece aparecem appear appears
    cadastrado cadastrada cadastrados cadastradas registered possui possuem contain contains contem shown
    show chamado chamada called all every todo toda todos todas entire inteiro inteira geral whole given
    overall respectivo respectiva corresponde correspondente corresponding has have had having tem ter tinha
    me please favor gostaria saber know diga tell dizer qual seria foram mostre traga give calculate calcule
    realizado realizada realizados realizadas realizou realizaram aconteceu aconteceram acontecem acontece held
    chart charts listing listings stay stayed stays recebe recebem apresentado apresentada apresentados
    apresentadas piece pieces happened happen happens
    performed done occurred alcancou alcancaram belong belongs belonged pertence pertencem
    atingiu atingiram contabilizou reported noted started rolou fica ficam estao esta hold holds totaled
    totalled
    according conforme currently atualmente somadas somados together juntos existing existentes disponivel
    disponiveis available periodo period continua continuam permanece permanecem remain remains
    """
    )
)

# Verbs that say how a thing took part in what a row records: beside a named quantity or a column of that role they
# restrict nothing. Verbs that tell one row from another (cancelled, delivered, returned) don't belong here.
TAKING_PART = with_first_person(
    word_set(
        """
    vendeu venderam vendido vendida vendidos vendidas vende vendem sold sell sells selling comprou compraram
    comprado
    comprada comprados compradas bought buy buys purchased produziu produziram produzido produzida produzidos
    produzidas produced produces colheu colheram colhido colhida colhidos colhidas harvested harvest plantou
    plantado
    plantada plantados plantadas planted gerou geraram gerado gerada generated arrecadou arrecadaram arrecadado
    raised
    collected cobrou cobraram cobrado cobrada cobrados cobradas charged pagou pagaram pago paga pagos pagas
    paid pays
    gastou gastaram gasto gasta spent faturou faturaram faturado alugou alugaram alugado alugada alugados
    alugadas
    rented percorreu percorreram percorridos percorrida traveled travelled covered atendeu atenderam atende
    atendem
    atendido atendida atendidos atendidas attended attends served serves treated ensina ensinam ministra
    ministram
    ministrou ministrada ministradas leciona lecionam teach teaches taught oferece oferecem oferecido oferecida
    oferecidos oferecidas offered offers offer usou usaram usado usada usados usadas used uses consumiu
    consumiram
    consumido consumida consumed trabalhou fabricou fabricado manufactured publicou publicado published lancou
    lancado released marcou marcaram scored played jogou jogaram disputou disputaram participou participaram
    participated competed won ganhou ganharam venceu venceram lasted durou duraram dura custou custaram custa
    custam
    cost costs rendeu renderam earned earns earn pesa pesam weighs weigh mede medem measures dirigiu dirigiram
    drove
    directed escreveu escreveram written wrote recebido recebida recebidos recebidas doou doaram donated
    emprestou
    emprestado emprestados borrowed lent instalado instalada instalados instaladas installed contratado
    contratada
    contratados contratadas hired matriculado matriculada matriculados matriculadas enrolled assistiu assistiram
    watched visitou visitaram visited levou levaram registered applied took feita produzem produz consome
    """
    )
)

NEGATIONS = frozenset({"not", "nao", "sem", "without", "no", "non", "nunca", "never"})

# Words that say what kind of date follows.
ROLE_WORDS = word_set("mes meses month months ano anos year years dia dias day days data date dates datas")

# Words that stand for a row, whatever the table holds.
ROW_NOUNS = word_set(
    """
    linha linhas registro registros row rows record records vez vezes times time entradas entries item itens
    """
)

RATE_WORDS = word_set(
    """
    taxa percentual porcentagem rate ratio percent pct media average medio margem margin indice index
    """
)
ID_WORDS = word_set(
    """
    id codigo code cod numero number no nr num rank ranking pos posicao position ordem matricula cep zip cpf
    cnpj
    """
)

# Compass names across languages; other values are matched only as they stand.
SAME_NAMES: tuple[frozenset[str], ...] = tuple(
    frozenset(group.split("|"))
    for group in (
        "norte|north|northern", "sul|south|southern", "leste|east|eastern", "oeste|west|western", "nordeste|northeast",
        "sudeste|southeast", "noroeste|northwest", "sudoeste|southwest",
        "centro oeste|midwest|center west|central west",
        "sim|yes", "segunda feira|segunda|monday", "terca feira|terca|tuesday", "quarta feira|quarta|wednesday",
        "quinta feira|quinta|thursday", "sexta feira|sexta|friday", "sabado|saturday", "domingo|sunday",
    )
)  # fmt: skip

# Units as people write them behind a figure, and the unit that a column then has to have.
UNIT_NAMES: dict[str, frozenset[str]] = {
    **dict.fromkeys(("reais", "real"), frozenset({"r$", "brl"})),
    **dict.fromkeys(("dollars", "dollar", "dolares", "dolar"), frozenset({"$", "us$", "usd", "u$"})),
    **dict.fromkeys(("euros", "euro"), frozenset({"€", "eur"})),
    **dict.fromkeys(("pounds", "pound", "libras"), frozenset({"£", "gbp"})),
    **dict.fromkeys(("quilos", "kilos", "quilo", "kg"), frozenset({"kg"})),
    **dict.fromkeys(("quilometros", "kilometers", "kilometres", "km"), frozenset({"km"})),
    **dict.fromkeys(("metros", "meters", "metres", "m"), frozenset({"m"})),
    **dict.fromkeys(("toneladas", "tonnes", "tons", "t"), frozenset({"t", "ton"})),
    **dict.fromkeys(("feet", "foot", "ft"), frozenset({"ft"})),
    **dict.fromkeys(("percent", "cento"), frozenset({"%"})),
    **dict.fromkeys(("hectares", "hectare", "ha"), frozenset({"ha"})),
    **dict.fromkeys(("minutos", "minuto", "minutes", "minute", "min"), frozenset({"min"})),
    **dict.fromkeys(("watts", "watt", "w"), frozenset({"w"})),
    **dict.fromkeys(("litros", "litro", "liters", "litres", "l"), frozenset({"l"})),
}

# Names of money: they fit a column of amounts that names no unit.
MONEY = word_set("reais real dollars dollar dolares dolar euros euro pounds pound libras")
MONEY_CONCEPTS = word_set(
    """
    revenue price fee charged cost amount profit salary bonus commission discount tax budget debt donation rent
    freight
    """
)

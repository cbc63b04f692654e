"""Owns the general vocabulary of questions about tables, Portuguese and English, in folded form.

Must never import anything of the package. No word of any data set stands here.
"""

from __future__ import annotations


def _phrases(text: str) -> list[tuple[str, ...]]:
    return [tuple(phrase.split()) for phrase in text.replace("\n", " ").split("|") if phrase.strip()]


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text that lists them."""
    return frozenset(text.split())


OPERATIONS: dict[str, list[tuple[str, ...]]] = {
    "count": _phrases(
        """
        quantos|quantas|how many|number of|the number of|total number of|numero de|numero total de|quantidade de
        |count of|count the|conte|conte os|conte as|contagem de
        """
    ),
    "how_much": _phrases("quanto|quanta|how much"),
    "sum": _phrases(
        """
        total|totais|soma|somado|somada|somados|somadas|somando|some|ao todo|no total|sum|in total|altogether
        |overall|combined|juntos|juntas|acumulado|acumulada|total geral|sum of|soma de|the sum of|in all
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
        """
    ),
    "list": _phrases("liste|listar|lista|list|mostre|mostrar|show|quais|relacione|exiba|enumere|list all|give|name"),
    "distinct": _phrases("diferentes|distintos|distintas|distinct|different|unicos|unicas|unique"),
    "exists": _phrases("ha|existe|existem|is there|are there|tem algum|tem alguma"),
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
    "or": _phrases("ou|or"),
    "than": _phrases("que|do que|than"),
}

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
GENERIC = word_set(
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
    according conforme currently atualmente somadas somados together juntos existing existentes disponivel
    disponiveis available periodo period
    """
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

_CONCEPTS = {
    "revenue": """
        receita faturamento revenue turnover faturar faturou faturado faturada faturaram faturados billing
        billed arrecadacao arrecadou arrecadado rendeu renderam vendas venda sales vendeu venderam sold sell
        sells vender vendidos vendidas vendido vendida selling
    """,
    "quantity": """
        quantidade qtd qtde quant unidades units unit quantity qty volume pecas pieces vendas venda sales vendeu
        venderam sold sell sells vender vendido vendida vendidos vendidas selling
    """,
    "price": """
        preco precos price prices tarifa custa custam custou custaram cost costs caro cara expensive priced
        charge
    """,
    "cost": """
        custo custos cost costs despesa despesas expense expenses gasto gastos gastou gastaram gastar spent
        spend spending custou custaram custa custam expenditure
    """,
    "amount": """
        valor valores value amount montante gastou gastaram gasto gastar spent spend spending comprou compraram
        bought purchased purchase buy custou custaram cost costs custa custam pagou pagaram paid faturou
        faturaram vendeu venderam sold
    """,
    "energy": "energia energy gerou geraram gerada gerado generated generate",
    "profit": "lucro lucros profit profits lucrou lucraram",
    "production": """
        producao produziu produziram produzido produzida produzidos produzidas production produced output
        produce
    """,
    "stock": "estoque estoques stock inventory saldo",
    "salary": """
        salario salarios salary salaries wage wages pay paid remuneracao ganha ganham ganhou earns earn earned
    """,
    "date": "data datas date dates dia dias day days quando when",
    "year": "ano anos year years season temporada",
    "month": "mes meses month months",
    "age": "idade idades age ages",
    "height": "altura height",
    "length": "comprimento length duracao duration extensao",
    "weight": "peso pesos weight pesa pesam pesou weigh weighs",
    "duration": "duracao duration durou duraram dura lasted tempo",
    "distance": "distancia distance",
    "population": "populacao population habitantes inhabitants",
    "points": "pontos points pontuacao score scores scored",
    "goals": "gols gol goals goal",
    "discount": "desconto descontos discount discounts",
    "tax": "imposto impostos tax taxes tributo",
    "budget": "orcamento orcamentos budget budgets",
    "region": "regiao regioes region regions",
    "product": "produto produtos product products",
    "customer": "cliente clientes customer customers client clients",
    "seller": "vendedor vendedora vendedores seller sellers salesperson salespeople salesman representante",
    "supplier": "fornecedor fornecedores fornecedora supplier suppliers vendor vendors",
    "country": "pais paises country countries nation nations nacao",
    "state": "estado estados state states uf",
    "city": "cidade cidades city cities municipio municipios town",
    "place": "office escritorio sede local locais location locations lugar place venue site",
    "category": "categoria categorias category categories",
    "department": "departamento departamentos department departments setor setores",
    "employee": """
        people pessoas pessoa funcionario funcionaria funcionarios empregado empregados employee employees
        colaborador colaboradores staff
    """,
    "order": "pedido pedidos order orders encomenda encomendas",
    "store": "loja lojas store stores shop shops filial filiais branch branches",
    "project": "projeto projetos project projects",
    "status": "status situacao",
    "team": "equipe equipes team teams",
    "player": "jogador jogadora jogadores player players",
    "author": "autor autora autores author authors",
    "title": "titulo titulos title titles",
    "machine": "maquina maquinas machine machines equipamento equipamentos equipment",
    "shift": "turno turnos shift shifts",
    "batch": "lote lotes batch batches lot lots",
    "name": "nome nomes name names",
    "delivery": "entrega entregas delivery deliveries entregue entregues delivered",
    "hours": "horas hora hours hour",
    "person": """
        responsavel responsaveis manager gerente diretor director owner dono medico doctor aluno student
        professor teacher driver motorista operador operator artist artista winner vencedor athlete atleta
        candidate candidato
    """,
    "material": "material materiais materials",
    "channel": "canal canais channel channels",
    "type": "tipo tipos type types kind kinds",
    "weekday": "weekday",
    "payment": "pagamento pagamentos payment payments",
    "invoice": "fatura faturas invoice invoices",
    "service": "servico servicos service services",
    "route": "rota rotas route routes",
    "vehicle": "veiculo veiculos vehicle vehicles",
    "failure": "falha falhas failure failures defeito defeitos defect defects",
    "brand": "marca marcas brand brands",
    "model": "modelo modelos model models",
    "color": "cor cores color colors colour colours",
    "size": "tamanho tamanhos size sizes",
    "code": "codigo codigos code codes",
    "grade": "nota notas grade grades rating ratings avaliacao",
    "area": "area areas",
    "temperature": "temperatura temperaturas temperature temperatures",
    "crop": "cultura culturas crop crops",
}


def _by_word() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for concept, words in _CONCEPTS.items():
        for word in words.split():
            found.setdefault(word, set()).add(concept)
    return {word: frozenset(concepts) for word, concepts in found.items()}


CONCEPTS_OF: dict[str, frozenset[str]] = _by_word()

# Which reading of an ambiguous verb comes first.
PREFERRED = {
    **dict.fromkeys(["vendido", "vendida", "vendidos", "vendidas"], "quantity"),
    **dict.fromkeys(word_set("vendeu venderam vendas venda sales sold sell sells selling vender"), "revenue"),
    **dict.fromkeys(word_set("gastou gastaram spent"), "cost"),
    **dict.fromkeys(["custa", "custam", "cost", "costs", "custou", "custaram"], "price"),
}

PEOPLE = word_set(
    """
    name seller customer employee player author person supplier
    """
)
PLACES = frozenset(["place", "city", "state", "country", "region"])
TIMES = frozenset(["date", "year", "month"])

# Adding these up means something; adding up prices, ages or rates doesn't.
ADDITIVE = word_set(
    """
    amount energy
    revenue quantity cost profit production stock salary population points goals tax budget hours payment
    failure delivery order weight
    """
)
NOT_ADDITIVE = word_set(
    """
    price age height length temperature grade year month date code discount area size distance
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
}

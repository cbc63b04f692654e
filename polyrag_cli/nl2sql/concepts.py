"""Owns the notions that words of questions and of column names share across Portuguese and English, in folded form. No
word of any data set stands here: a notion is one that tables of many trades have.
"""

from __future__ import annotations

from polyrag_cli.nl2sql.inflection import first_person


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_CONCEPTS = {
    # money and amounts
    "revenue": """
        receita faturamento revenue turnover faturar faturou faturado faturada faturaram faturados billing billed
        arrecadacao arrecadou arrecadado arrecadaram rendeu renderam vendas venda sales sale vendeu venderam sold sell
        sells vender vendidos vendidas vendido vendida selling renda gross earnings takings grossed bilheteria entrou
        earned earn earns
    """,
    "quantity": """
        quantidade qtd qtde quant unidades units unit quantity qty volume pecas pieces vendas venda sales vendeu
        venderam sold sell sells vender vendido vendida vendidos vendidas selling
    """,
    "price": """
        preco precos price prices tarifa tarifas custa custam custou custaram cost costs caro cara expensive priced
        charge fare fares diaria diarias mensalidade mensalidades anuidade fee fees tuition
    """,
    "fee": "mensalidade mensalidades anuidade fee fees tuition taxa",
    "charged": "cobrado cobrada cobrados cobradas cobrou cobraram cobranca charged charge charges bill",
    "cost": """
        custo custos cost costs despesa despesas expense expenses gasto gastos gastou gastaram gastar spent spend
        spending custou custaram custa custam expenditure cobrou cobraram charged charge charges
    """,
    "amount": """
        valor valores value amount montante gastou gastaram gasto gastar spent spend spending comprou compraram bought
        purchased purchase buy custou custaram cost costs custa custam pagou pagaram paid pay pays faturou faturaram
        vendeu venderam sold cobrou cobraram charged fare worth
    """,
    "gross": "bruto bruta brutos brutas gross",
    "net": "liquido liquida liquidos liquidas net",
    "profit": "lucro lucros profit profits lucrou lucraram profitable",
    "loss": "prejuizo prejuizos",
    "stock": "estoque estoques stock inventory saldo",
    "balance": "saldo saldos balance balances",
    "salary": """
        salario salarios salary salaries wage wages pay paid remuneracao ganha ganham ganhou earns earn earned earnings
    """,
    "bonus": "bonus bonificacao",
    "commission": "comissao comissoes commission commissions",
    "discount": "desconto descontos discount discounts",
    "tax": "imposto impostos tax taxes tributo tributos",
    "budget": "orcamento orcamentos budget budgets",
    "debt": "divida dividas debt debts",
    "interest": "juros",
    "donation": "doacao doacoes donation donations donated doou doaram",
    "rent": "aluguel alugueis rent rental rentals locacao locacoes rented alugado alugada alugados alugadas",
    "freight": "frete fretes shipping freight",
    "payment": "pagamento pagamentos payment payments pagou pagaram pago paga pagos pagas paid",
    "invoice": "fatura faturas invoice invoices",
    "loan": "emprestimo emprestimos loan loans borrowed emprestado emprestados",
    "purchase": """
        compra compras comprado comprada comprados compradas comprou compraram purchase purchases purchased bought buy
        buys acquisition aquisicao adquirido adquirida adquiridos adquiridas acquired
    """,
    # measures
    "energy": "energia energy gerou geraram gerada gerado generated generate",
    "production": """
        producao produziu produziram produzido produzida produzidos produzidas production produced output produce
        produces produz produzem
    """,
    "harvest": """
        colheita colheitas safra safras harvest harvests harvested colhido colhida colhidos colhidas colheu colheram
        yield
    """,
    "consumption": "consumo consumption consumiu consumiram consumed consumido consumida consome consumes",
    "height": "altura height elevation tall altitude",
    "length": "comprimento length duracao duration extensao",
    "weight": "peso pesos weight pesa pesam pesou weigh weighs",
    "duration": "duracao duration durou duraram dura lasted last lasts tempo duravam runtime",
    "distance": "distancia distance distances percorreu percorreram percorrida",
    "mileage": "quilometragem mileage",
    "speed": "velocidade speed",
    "power": "potencia power",
    "voltage": "tensao voltage",
    "temperature": "temperatura temperaturas temperature temperatures",
    "rain": "chuva chuvas rain rainfall precipitacao precipitation",
    "population": "populacao population habitantes inhabitants",
    "capacity": "capacidade capacity",
    "seat": """
        vaga vagas assento assentos poltrona poltronas lugares seat seats places spots openings capacidade capacity
    """,
    "minute": "minuto minutos minute minutes tempo",
    "wait": "espera esperou wait waiting waited",
    "hours": "horas hora hours hour tempo",
    "affected": "afetado afetada afetados afetadas affected",
    "points": "pontos ponto points point pontuacao score scores scored",
    "goals": "gols gol goals goal",
    "win": "vitoria vitorias win wins victories victory",
    "defeat": "derrota derrotas loss losses defeat defeats",
    "draw": "empate empates draw draws",
    "vote": "voto votos vote votes votou",
    "grade": "nota notas grade grades rating ratings avaliacao avaliacoes",
    "visitor": "visitante visitantes visitas visita visitors visitor visits attendance publico audience",
    "member": "membro membros member members socio socios associado associados",
    "enrolled": """
        inscrito inscrita inscritos inscritas inscricao inscricoes matricula matriculas matriculado matriculada
        matriculados matriculadas enrolled enrollment enrollments enrolments registrations participantes participante
        participants participant attendees aluno alunos aluna alunas student students
    """,
    "ticket": """
        ingresso ingressos bilhete bilhetes ticket tickets publico audience attendance espectador espectadores
        spectators
    """,
    "session": "sessao sessoes session sessions",
    "absence": "falta faltas ausencia ausencias absence absences",
    "area": "area areas",
    "bag": "saca sacas bag bags",
    # time
    "date": "data datas date dates dia dias day days quando when",
    "year": "ano anos year years season temporada",
    "month": "mes meses month months",
    "weekday": "weekday",
    "age": "idade idades age ages",
    "start": "inicio comeca comecam comecou comecaram inicia iniciou start starts started begin begins began",
    "end": "fim termino termina terminou terminaram end ends ended",
    "birth": "nascimento nasceu birth birthday born",
    "hire": """
        admissao admitido admitida admitidos admitidas contratacao contratado contratada contratados contratadas hired
        hire hiring joined
    """,
    "founded": "fundacao fundado fundada fundados founded foundation",
    "opened": "inauguracao inaugurado inaugurada opened opening",
    "delivery": "entrega entregas delivery deliveries entregue entregues delivered",
    "departure": "saida departure departures",
    "arrival": "chegada arrival arrivals",
    # things and people
    "region": "regiao regioes region regions",
    "country": "pais paises country countries nation nations nacao",
    "state": "estado estados state states uf",
    "city": "cidade cidades city cities municipio municipios municipality municipalities town towns",
    "neighborhood": "bairro bairros neighborhood neighborhoods neighbourhood neighbourhoods",
    "address": "endereco enderecos address addresses",
    "place": "office escritorio sede local locais location locations lugar place venue venues site sites",
    "room": "quarto quartos sala salas room rooms bedroom bedrooms",
    "booking": "reserva reservas booking bookings reservation reservations",
    "night": "noite noites night nights",
    "furnished": "mobiliado mobiliada mobiliados mobiliadas furnished",
    "broker": "corretor corretora corretores broker brokers agent agents realtor",
    "subject": "disciplina disciplinas materia materias subject subjects",
    "house": "casa casas house houses home homes",
    "floor": "andar andares floor floors",
    "station": "estacao estacoes station stations",
    "theater": "teatro teatros theater theaters theatre theatres casa casas venue venues",
    "school": "escola escolas school schools",
    "hospital": "hospital hospitais hospitals",
    "company": "empresa empresas company companies",
    "store": "loja lojas store stores shop shops filial filiais branch branches",
    "department": "departamento departamentos department departments setor setores sector sectors",
    "category": "categoria categorias category categories",
    "type": "tipo tipos type types kind kinds",
    "genre": "genero generos genre genres",
    "mode": "modalidade modalidades modality mode modes",
    "format": "formato formatos format formats",
    "status": "status situacao",
    "severity": "gravidade severity severidade",
    "priority": "prioridade prioridades priority priorities",
    "reason": "motivo motivos causa causas reason reasons cause causes",
    "product": "produto produtos product products",
    "material": "material materiais materials",
    "brand": "marca marcas brand brands",
    "model": "modelo modelos model models",
    "color": "cor cores color colors colour colours",
    "size": "tamanho tamanhos size sizes",
    "code": "codigo codigos code codes",
    "name": "nome nomes name names",
    "title": "titulo titulos title titles",
    "language": "idioma idiomas language languages",
    "phone": "telefone telefones phone phones",
    "email": "email emails",
    "customer": "cliente clientes customer customers client clients",
    "seller": """
        vendedor vendedora vendedores vendedoras seller sellers salesperson salespeople salesman representante
    """,
    "supplier": "fornecedor fornecedores fornecedora supplier suppliers vendor vendors",
    "people": "people pessoas pessoa",
    "employee": """
        people pessoas pessoa funcionario funcionaria funcionarios funcionarias empregado empregados employee employees
        colaborador colaboradora colaboradores staff
    """,
    "teacher": """
        instrutor instrutora instrutores instrutoras professor professora professores docente docentes teacher teachers
        instructor instructors ensina ensinam ensinou ministra ministram ministrou ministrada ministradas leciona
        lecionam lecionou teach teaches taught tutor tutors
    """,
    "student": "aluno aluna alunos alunas estudante estudantes student students",
    "patient": "paciente pacientes patient patients",
    "doctor": """
        medico medica medicos medicas doctor doctors physician physicians atendeu atende atendem atenderam attended
        treated treat treats
    """,
    "technician": "tecnico tecnica tecnicos tecnicas technician technicians",
    "driver": "motorista motoristas driver drivers drove drives dirigiu",
    "author": "autor autora autores author authors wrote written escreveu escrito escrita",
    "director": "diretor diretora diretores director directors dirigiu directed",
    "artist": "artista artistas artist artists",
    "player": "jogador jogadora jogadores player players atleta atletas athlete athletes",
    "team": "equipe equipes team teams clube clubes club clubs",
    "candidate": "candidato candidata candidatos candidate candidates",
    "party": "partido partidos party parties",
    "owner": "dono dona donos proprietario proprietaria owner owners",
    "guest": "hospede hospedes guest guests",
    "volunteer": "voluntario voluntaria voluntarios volunteer volunteers",
    "person": """
        responsavel responsaveis manager gerente operador operator winner vencedor vencedora champion campeao captain
        capitao president presidente mayor prefeito prefeita coach treinador treinadora rider
    """,
    "order": "pedido pedidos order orders encomenda encomendas",
    "project": "projeto projetos project projects",
    "service": "servico servicos service services",
    "appointment": "consulta consultas appointment appointments",
    "exam": "exame exames exam exams",
    "specialty": "especialidade especialidades specialty specialties speciality specialities",
    "insurance": "convenio convenios insurance insurer",
    "course": "curso cursos course courses oficina oficinas workshop workshops aula aulas lesson lessons",
    "show": """
        espetaculo espetaculos show shows peca pecas play plays performance performances apresentacao apresentacoes
    """,
    "film": "filme filmes film films movie movies",
    "book": "livro livros book books",
    "song": "musica musicas cancao song songs",
    "match": "partida partidas jogo jogos match matches game games",
    "trip": "viagem viagens trip trips",
    "route": "rota rotas route routes",
    "vehicle": "veiculo veiculos vehicle vehicles carro carros car cars",
    "equipment": "equipamento equipamentos equipment aparelho aparelhos device devices",
    "machine": "maquina maquinas machine machines equipamento equipamentos equipment",
    "maintenance": "manutencao manutencoes maintenance repair repairs reparo reparos conserto consertos",
    "incident": """
        ocorrencia ocorrencias incident incidents incidente incidentes problema problemas problem problems issue issues
    """,
    "complaint": "reclamacao reclamacoes complaint complaints",
    "failure": "falha falhas failure failures defeito defeitos defect defects",
    "shift": "turno turnos shift shifts",
    "batch": "lote lotes batch batches lot lots",
    "channel": "canal canais channel channels",
    "crop": "cultura culturas crop crops plantado plantada plantados plantadas planted",
    "plot": "talhao talhoes plot plots field fields",
    "farm": "fazenda fazendas farm farms sitio sitios",
    "animal": "animal animais animals",
    "property": "imovel imoveis property properties",
    "irrigated": "irrigado irrigada irrigados irrigadas irrigated irrigation irrigacao",
    "resolved": """
        resolvido resolvida resolvidos resolvidas resolved solved solucao solution solucionado solucionada solucionados
        solucionadas fixed fechado fechada fechados fechadas closed
    """,
    "cancelled": "cancelado cancelada cancelados canceladas cancelled canceled cancelamento cancelamentos",
}


def _by_word() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for concept, words in _CONCEPTS.items():
        for word in words.split():
            for form in (word, first_person(word)):
                found.setdefault(form, set()).add(concept)
    return {word: frozenset(concepts) for word, concepts in found.items()}


# Words for the lack of what a column of yes and no holds.
LACKING = {
    **dict.fromkeys(
        _words(
            """
            aberto aberta abertos abertas open pendente pendentes pending unresolved unsolved outstanding
            """
        ),
        "resolved",
    ),
    **dict.fromkeys(_words("unpaid"), "payment"),
    **dict.fromkeys(_words("undelivered"), "delivery"),
}

CONCEPTS_OF: dict[str, frozenset[str]] = _by_word()

# Which reading of an ambiguous verb comes first.
PREFERRED = {
    **dict.fromkeys(("vendido", "vendida", "vendidos", "vendidas"), "quantity"),
    **dict.fromkeys(
        ("vendeu", "venderam", "vendas", "venda", "sales", "sold", "sell", "sells", "selling", "vender"), "revenue"
    ),
    **dict.fromkeys(("gastou", "gastaram", "spent"), "cost"),
    **dict.fromkeys(("custa", "custam", "cost", "costs", "custou", "custaram"), "price"),
}

PEOPLE = _words(
    """
    name seller customer employee player author person supplier teacher doctor technician driver artist owner student
    patient director candidate guest volunteer
    """
)
# Notions that answer "who" but are no other name of one another.
UNLINKED = frozenset({"person"})
PLACES = frozenset(["place", "city", "state", "country", "region", "station", "room"])
TIMES = frozenset(["date", "year", "month"])

# Adding these up means something; adding up prices, ages or rates doesn't.
ADDITIVE = _words(
    """
    amount energy revenue quantity cost profit production stock salary population points goals tax budget hours payment
    failure delivery order weight ticket session enrolled seat minute affected win defeat draw vote visitor donation
    bag night harvest consumption bonus commission freight charged absence capacity
    """
)
NOT_ADDITIVE = _words(
    """
    price fee age height temperature grade year month date code discount size speed voltage start end birth
    """
)

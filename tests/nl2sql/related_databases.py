"""Small databases of related tables, questions of each with their answers, and questions that none of them answers."""

from __future__ import annotations

Answers = dict[str, list[tuple[object, ...]]]
Tables = dict[str, str]

SHOP: Tables = {
    "customers": """customer_id,name,city,country,segment
1,Ana Souza,Porto,Portugal,retail
2,Bruno Reyes,Madrid,Spain,wholesale
3,Clara Dunn,Leeds,England,retail
4,Dinis Faria,Porto,Portugal,wholesale
5,Elena Stone,Leeds,England,retail
6,Farah Quinn,Madrid,Spain,retail
7,Goran Vale,Split,Croatia,wholesale""",
    "orders": """order_id,customer_id,order_date,status,shipping_cost
101,1,2024-01-05,delivered,5.5
102,1,2024-02-11,delivered,6
103,2,2024-02-20,cancelled,12
104,3,2024-03-01,delivered,7.5
105,4,2024-03-15,pending,4
106,4,2024-04-02,delivered,4.5
107,4,2024-04-20,delivered,9
108,5,2024-05-05,pending,3
109,6,2024-05-17,delivered,11""",
    "products": """product_id,product_name,category,price,stock
11,Desk lamp,Lighting,35,120
12,Oak table,Furniture,420,8
13,Office chair,Furniture,150,25
14,Notebook,Stationery,3.5,900
15,Fountain pen,Stationery,28,60
16,Floor lamp,Lighting,89,14""",
    "order_items": """order_id,product_id,quantity
101,11,2
101,14,10
102,13,1
103,12,1
104,15,3
104,14,5
105,16,2
106,11,1
107,12,2
107,13,4
108,14,20
109,15,1
109,16,1""",
}
SHOP_ANSWERS: Answers = {
    "How many orders did Ana Souza place?": [(2,)],
    "Which customers live in Porto?": [("Ana Souza",), ("Dinis Faria",)],
    "Which customers ordered the Oak table?": [("Bruno Reyes",), ("Dinis Faria",)],
    "Which products did Dinis Faria buy?": [("Desk lamp",), ("Floor lamp",), ("Oak table",), ("Office chair",)],
    "How many customers have no orders?": [(1,)],
    "Which customers have not placed any orders?": [("Goran Vale",)],
    "Which customer has the most orders?": [("Dinis Faria",)],
    "What is the most expensive product?": [("Oak table",)],
    "What is the price of the most expensive product that Ana Souza ordered?": [(150.0,)],
    "Which customers bought products in the Furniture category?": [("Ana Souza",), ("Bruno Reyes",), ("Dinis Faria",)],
    "How many products are in the Lighting category?": [(2,)],
    "What is the total shipping cost of the orders of customers in Porto?": [(29.0,)],
    "What is the average shipping cost of orders from Portugal?": [(5.8,)],
    "Which orders contain the Notebook?": [(101,), (104,), (108,)],
    "Which customers have cancelled orders?": [("Bruno Reyes",)],
    "How many orders are pending?": [(2,)],
    "Which city does the customer of order 105 live in?": [("Porto",)],
    "When was order 104 placed?": [("2024-03-01",)],
    "Who ordered the Floor lamp?": [("Dinis Faria",), ("Farah Quinn",)],
    "Which customers have more than 2 orders?": [("Dinis Faria",)],
    "Which products cost more than 100?": [("Oak table",), ("Office chair",)],
    "Which customers ordered products that cost more than 100?": [("Ana Souza",), ("Bruno Reyes",), ("Dinis Faria",)],
    "What is the total quantity of Notebooks ordered?": [(35,)],
    "What is the total quantity ordered by Dinis Faria?": [(9,)],
    "Which customers bought both the Notebook and the Desk lamp?": [("Ana Souza",)],
    "Which customers bought the Desk lamp or the Fountain pen?": [
        ("Ana Souza",),
        ("Clara Dunn",),
        ("Dinis Faria",),
        ("Farah Quinn",),
    ],
    "Which customers ordered the Oak table but not the Office chair?": [("Bruno Reyes",)],
    "Which customer placed the latest order?": [("Farah Quinn",)],
    "How many orders were placed in March 2024?": [(2,)],
    "Which country has the most customers?": [("England", 2), ("Portugal", 2), ("Spain", 2)],
    "How many customers are there in each country?": [("England", 2), ("Portugal", 2), ("Spain", 2), ("Croatia", 1)],
    "Number of orders per customer": [
        ("Dinis Faria", 3),
        ("Ana Souza", 2),
        ("Bruno Reyes", 1),
        ("Clara Dunn", 1),
        ("Elena Stone", 1),
        ("Farah Quinn", 1),
        ("Goran Vale", 0),
    ],
    "What is the average price of products ordered by customers in Leeds?": [(15.75,)],
    "Which category has the most products?": [("Furniture", 2), ("Lighting", 2), ("Stationery", 2)],
    "List the customers who ordered in May 2024": [("Elena Stone",), ("Farah Quinn",)],
    "How many different products did Dinis Faria order?": [(4,)],
    "Which wholesale customers ordered Furniture?": [("Bruno Reyes",), ("Dinis Faria",)],
    "What is the cheapest product ordered by Clara Dunn?": [("Notebook",)],
    "How many orders have a shipping cost above 8?": [(3,)],
    "Which customers have orders with a shipping cost above 8?": [("Bruno Reyes",), ("Dinis Faria",), ("Farah Quinn",)],
    "Which products are ordered by the customer with the most orders?": [
        ("Desk lamp",),
        ("Floor lamp",),
        ("Oak table",),
        ("Office chair",),
    ],
    "Total shipping cost per customer": [
        ("Dinis Faria", 17.5),
        ("Bruno Reyes", 12.0),
        ("Ana Souza", 11.5),
        ("Farah Quinn", 11.0),
        ("Clara Dunn", 7.5),
        ("Elena Stone", 3.0),
        ("Goran Vale", None),
    ],
    "Average shipping cost by country": [("Spain", 11.5), ("Portugal", 5.8), ("England", 5.25)],
    "How many orders are there per status?": [("delivered", 6), ("pending", 2), ("cancelled", 1)],
    "How many products are there in each category?": [("Furniture", 2), ("Lighting", 2), ("Stationery", 2)],
    "Which status has the fewest orders?": [("cancelled", 1)],
    "What is the total quantity sold per product?": [
        ("Notebook", 35),
        ("Office chair", 5),
        ("Fountain pen", 4),
        ("Desk lamp", 3),
        ("Floor lamp", 3),
        ("Oak table", 3),
    ],
    "Which customer has the highest total shipping cost?": [("Dinis Faria",)],
    "Which customer spent the most on shipping?": [("Dinis Faria",)],
    "Which customers have at least 2 orders?": [("Ana Souza",), ("Dinis Faria",)],
    "Which customers have exactly 2 orders?": [("Ana Souza",)],
    "Which customers did not order the Notebook?": [
        ("Bruno Reyes",),
        ("Dinis Faria",),
        ("Farah Quinn",),
        ("Goran Vale",),
    ],
    "Which products were not ordered by Ana Souza?": [("Floor lamp",), ("Fountain pen",), ("Oak table",)],
    "What was the first order of Ana Souza?": [(101,)],
    "Which customers from Portugal have pending orders?": [("Dinis Faria",)],
    "Are there any pending orders from England?": [(True,)],
    "Who are the customers of the Furniture category?": [("Ana Souza",), ("Bruno Reyes",), ("Dinis Faria",)],
    "How many orders were not delivered?": [(3,)],
    "Which orders were placed before March 2024?": [(101,), (102,), (103,)],
    "Which customers did not order in 2024?": [("Goran Vale",)],
    "When did Farah Quinn order?": [("2024-05-17",)],
    "Who lives in Leeds?": [("Clara Dunn",), ("Elena Stone",)],
    "How many units of the Notebook did Elena Stone order?": [(20,)],
}
SHOP_DECLINED = (
    "Which month had the most orders?",
    "How many orders were paid?",
    "Which customers complained?",
    "How many customers returned the Oak table?",
    "What is the profit of order 101?",
    "Which employees handled order 105?",
    "What products are out of stock?",
    "Which customers from Madrid ordered a lamp?",
    "Who is the oldest customer?",
    "Which customers ordered all products?",
    "Which customers ordered every product in the Lighting category?",
    "What is the total price of order 101?",
    "How much did Ana Souza spend?",
    "Which customers almost ordered the Oak table?",
    "Which customers only ordered the Notebook?",
    "Which other customers live in Porto?",
    "Which supplier delivers the Oak table?",
    "Which customers were refunded?",
    "How many Notebooks were ordered?",
)

SCHOOL: Tables = {
    "professores": """id;nome;departamento;cidade
1;Marta Lima;Exatas;Recife
2;João Braga;Humanas;Olinda
3;Célia Prado;Exatas;Recife
4;Paulo Neri;Artes;Natal""",
    "disciplinas": """id;nome;professor_id;carga_horaria;sala
10;Cálculo;1;80;B12
11;Física;3;60;B14
12;História;2;40;A01
13;Filosofia;2;40;A02
14;Álgebra;1;60;B12
15;Desenho;4;30;C05""",
    "alunos": """id;nome;cidade;idade
100;Rita Alves;Recife;19
101;Tiago Melo;Olinda;22
102;Bianca Reis;Recife;20
103;Davi Costa;Natal;25
104;Elisa Rocha;Natal;18
105;Fábio Nunes;Olinda;21""",
    "matriculas": """aluno_id;disciplina_id;nota;semestre
100;10;8,5;2024.1
100;11;7,0;2024.1
101;10;5,5;2024.1
101;12;9,0;2024.2
102;12;6,5;2024.2
102;13;8,0;2024.2
103;10;9,5;2024.1
103;14;7,5;2024.2
103;11;6,0;2024.1
105;13;4,5;2024.2""",
}
SCHOOL_ANSWERS: Answers = {
    "Quantos alunos estão matriculados em Cálculo?": [(3,)],
    "Quais alunos cursam História?": [("Bianca Reis",), ("Tiago Melo",)],
    "Quais disciplinas a Marta Lima leciona?": [("Cálculo",), ("Álgebra",)],
    "Quem leciona Física?": [("Célia Prado",)],
    "Quantas disciplinas o João Braga leciona?": [(2,)],
    "Quais alunos moram em Recife?": [("Bianca Reis",), ("Rita Alves",)],
    "Qual é a nota média em Cálculo?": [(7.833333,)],
    "Qual a nota da Rita Alves em Física?": [(7.0,)],
    "Quais alunos não têm matrícula?": [("Elisa Rocha",)],
    "Quais alunos não estão matriculados em nenhuma disciplina?": [("Elisa Rocha",)],
    "Qual aluno tem mais matrículas?": [("Davi Costa",)],
    "Qual professor leciona mais disciplinas?": [("João Braga",), ("Marta Lima",)],
    "Qual disciplina tem a maior carga horária?": [("Cálculo",)],
    "Qual é a carga horária total das disciplinas da Marta Lima?": [(140,)],
    "Quais alunos de Natal cursam Cálculo?": [("Davi Costa",)],
    "Quantos alunos têm nota maior que 8?": [(3,)],
    "Qual aluno tem a maior nota em Cálculo?": [("Davi Costa",)],
    "Quantos alunos do Recife estudam Filosofia?": [(1,)],
    "Em que sala é a disciplina Álgebra?": [("B12",)],
    "Quais disciplinas têm alunos de Olinda?": [("Cálculo",), ("Filosofia",), ("História",)],
    "Quais disciplinas não têm alunos?": [("Desenho",)],
    "Quais alunos cursam Cálculo e Física?": [("Davi Costa",), ("Rita Alves",)],
    "Quais alunos cursam História ou Filosofia?": [("Bianca Reis",), ("Fábio Nunes",), ("Tiago Melo",)],
    "Qual a idade média dos alunos de Cálculo?": [(22.0,)],
    "Qual é a cidade do professor de Física?": [("Recife",)],
    "Quais professores moram em Recife?": [("Célia Prado",), ("Marta Lima",)],
    "Quantas disciplinas são do departamento de Exatas?": [(3,)],
    "Quais disciplinas tem o professor com mais disciplinas?": [
        ("Cálculo",),
        ("Filosofia",),
        ("História",),
        ("Álgebra",),
    ],
    "Qual departamento tem mais professores?": [("Exatas", 2)],
    "Quais alunos têm mais de 2 matrículas?": [("Davi Costa",)],
    "Liste as disciplinas com carga horária acima de 50": [("Cálculo",), ("Física",), ("Álgebra",)],
    "Qual é a média das notas dos alunos de Natal?": [(7.666667,)],
    "Quais alunos da professora Célia Prado são de Recife?": [("Rita Alves",)],
    "Quantos alunos há por cidade?": [("Natal", 2), ("Olinda", 2), ("Recife", 2)],
    "Qual cidade tem mais alunos?": [("Natal", 2), ("Olinda", 2), ("Recife", 2)],
    "Número de disciplinas por professor": [
        ("João Braga", 2),
        ("Marta Lima", 2),
        ("Célia Prado", 1),
        ("Paulo Neri", 1),
    ],
    "Qual disciplina tem a maior nota média?": [("Cálculo",)],
    "Quantas disciplinas tem cada professor?": [
        ("João Braga", 2),
        ("Marta Lima", 2),
        ("Célia Prado", 1),
        ("Paulo Neri", 1),
    ],
    "Quantos alunos não cursam Cálculo?": [(3,)],
    "Quais alunos não cursam Cálculo?": [("Bianca Reis",), ("Elisa Rocha",), ("Fábio Nunes",)],
    "Em quais disciplinas a Rita Alves está matriculada?": [("Cálculo",), ("Física",)],
    "Qual é a menor nota em Cálculo?": [(5.5,)],
    "Quem ensina Desenho?": [("Paulo Neri",)],
    "Qual professor não tem alunos?": [("Paulo Neri",)],
    "Onde mora o Tiago Melo?": [("Olinda",)],
    "Qual é a idade do aluno com a maior nota?": [(25,)],
    "Quantos alunos têm mais de 20 anos?": [(3,)],
}
SCHOOL_DECLINED = (
    "Qual é o salário da Marta Lima?",
    "Quantos alunos foram reprovados?",
    "Quais alunos faltaram à prova de Cálculo?",
    "Qual o telefone da Rita Alves?",
    "Quais alunos cursam Química?",
    "Quais alunos cursam todas as disciplinas?",
    "Quais alunos só cursam História?",
    "Qual o coordenador do departamento de Exatas?",
    "Quais alunos trancaram Cálculo?",
    "Quais são os colegas da Rita Alves?",
)

LIBRARY: Tables = {
    "authors": """author_id,full_name,nationality,birth_year
1,Ines Carvalho,Portuguese,1961
2,Peter Holt,British,1948
3,Yuki Mori,Japanese,1975
4,Marta Weiss,Austrian,1980""",
    "books": """isbn,title,author_id,genre,pages,published
B1,The Salt Road,1,Novel,320,1999
B2,Quiet Harbour,1,Novel,210,2008
B3,Maps of Ice,2,Travel,180,1985
B4,Northern Lines,2,Travel,260,1992
B5,Paper Cranes,3,Poetry,96,2011
B6,Glass Mountain,4,Novel,410,2015
B7,The Long Tide,2,Novel,350,2001""",
    "members": """member_id,name,town,joined
10,Alice Reed,Bath,2019-05-01
11,Omar Sayed,York,2020-02-14
12,Lena Fox,Bath,2021-09-30
13,Tom Birch,Leeds,2018-11-11
14,Grace Lim,York,2022-01-20""",
    "loans": """loan_id,isbn,member_id,loan_date,fine
1,B1,10,2023-01-10,0
2,B3,10,2023-02-01,2.5
3,B1,11,2023-03-05,0
4,B6,12,2023-03-20,1.2
5,B7,12,2023-04-02,0
6,B5,11,2023-05-15,0
7,B4,13,2023-06-01,4
8,B1,12,2023-07-07,0""",
}
LIBRARY_ANSWERS: Answers = {
    "Who wrote Maps of Ice?": [("Peter Holt",)],
    "Which author has written the most books?": [("Peter Holt",)],
    "Which members borrowed The Salt Road?": [("Alice Reed",), ("Lena Fox",), ("Omar Sayed",)],
    "Which books has Alice Reed borrowed?": [("Maps of Ice",), ("The Salt Road",)],
    "How many loans does Lena Fox have?": [(3,)],
    "Which member has the most loans?": [("Lena Fox",)],
    "Which members have never borrowed a book?": [("Grace Lim",)],
    "How many pages does Glass Mountain have?": [(410,)],
    "What is the total fine of Alice Reed?": [(2.5,)],
    "Which member paid the highest fine?": [("Tom Birch",)],
    "Which nationality has the most authors?": [("Austrian", 1), ("British", 1), ("Japanese", 1), ("Portuguese", 1)],
    "Which books were published after 2000?": [
        ("Glass Mountain",),
        ("Paper Cranes",),
        ("Quiet Harbour",),
        ("The Long Tide",),
    ],
    "When was loan 4 made?": [("2023-03-20",)],
    "How many members live in York?": [(2,)],
    "How many books are there per genre?": [("Novel", 4), ("Travel", 2), ("Poetry", 1)],
    "Number of loans per member": [
        ("Lena Fox", 3),
        ("Alice Reed", 2),
        ("Omar Sayed", 2),
        ("Tom Birch", 1),
        ("Grace Lim", 0),
    ],
    "Total fine per town": [("Leeds", 4.0), ("Bath", 3.7), ("York", 0.0)],
    "Which members borrowed both The Salt Road and Maps of Ice?": [("Alice Reed",)],
    "Which town has the most members?": [("Bath", 2), ("York", 2)],
    "Did Grace Lim borrow any books?": [(False,)],
    "Which genre has the most loans?": [("Novel", 5)],
    "How many authors are there?": [(4,)],
    "Which authors have more than one book?": [("Ines Carvalho",), ("Peter Holt",)],
    "Which books have fewer than 200 pages?": [("Maps of Ice",), ("Paper Cranes",)],
    "How many different members borrowed The Salt Road?": [(3,)],
    "What is the birth year of the author of Glass Mountain?": [(1980,)],
    "Which member joined first?": [("Tom Birch",)],
    "Where does the member with the highest fine live?": [("Leeds",)],
}
LIBRARY_DECLINED = (
    "Which publisher published Paper Cranes?",
    "Who returned Paper Cranes late?",
    "Which members reserved The Salt Road?",
    "What is the rating of Quiet Harbour?",
    "Which members borrowed all books by Peter Holt?",
    "Which members live in Paris?",
    "What is the phone number of Alice Reed?",
    "List all books with their authors",
    "Who is the youngest author?",
)

CLINIC: Tables = {
    "medicos": """id_medico;nome;especialidade;cidade
1;Ana Torres;Cardiologia;Curitiba
2;Luís Prado;Pediatria;Londrina
3;Rosa Dantas;Cardiologia;Maringá
4;Igor Salles;Ortopedia;Curitiba""",
    "pacientes": """id_paciente;nome;cidade;nascimento;convenio
10;Beatriz Luz;Curitiba;12/03/1980;Vida
11;Caio Ramos;Londrina;05/07/2015;Saúde Mais
12;Duda Pires;Maringá;22/11/1990;Vida
13;Enzo Farias;Curitiba;30/01/1955;Particular
14;Flora Nogueira;Cascavel;14/08/2001;Saúde Mais""",
    "consultas": """id_consulta;id_medico;id_paciente;data;valor;situacao
100;1;10;05/02/2024;300,00;realizada
101;1;13;06/02/2024;320,00;realizada
102;2;11;10/02/2024;200,00;cancelada
103;3;12;01/03/2024;350,00;realizada
104;4;10;15/03/2024;250,00;agendada
105;1;12;20/03/2024;300,00;agendada
106;2;11;02/04/2024;210,00;realizada
107;4;13;08/04/2024;260,00;realizada""",
    "exames": """id_exame;id_consulta;tipo;preco
1;100;Eletrocardiograma;120,00
2;101;Eletrocardiograma;120,00
3;101;Ecocardiograma;400,00
4;103;Holter;280,00
5;107;Raio-X;90,00""",
}
CLINIC_ANSWERS: Answers = {
    "Quantas consultas a Ana Torres tem?": [(3,)],
    "Quais pacientes consultaram com a Ana Torres?": [("Beatriz Luz",), ("Duda Pires",), ("Enzo Farias",)],
    "Quais médicos atenderam a Beatriz Luz?": [("Ana Torres",), ("Igor Salles",)],
    "Qual médico tem mais consultas?": [("Ana Torres",)],
    "Quais pacientes não têm consultas?": [("Flora Nogueira",)],
    "Qual é o valor total das consultas do Caio Ramos?": [(410.0,)],
    "Qual é o valor médio das consultas de Cardiologia?": [(317.5,)],
    "Quantas consultas foram canceladas?": [(1,)],
    "Quais médicos são cardiologistas?": [("Ana Torres",), ("Rosa Dantas",)],
    "Quais médicos de Cardiologia atendem em Curitiba?": [("Ana Torres",)],
    "Qual consulta tem o maior valor?": [(103,)],
    "Quais exames a Beatriz Luz fez?": [(1,)],
    "Quais pacientes fizeram Eletrocardiograma?": [("Beatriz Luz",), ("Enzo Farias",)],
    "Quantos pacientes tem o convênio Vida?": [(2,)],
    "Quais pacientes do convênio Vida consultaram com a Rosa Dantas?": [("Duda Pires",)],
    "Quantas consultas há por médico?": [("Ana Torres", 3), ("Igor Salles", 2), ("Luís Prado", 2), ("Rosa Dantas", 1)],
    "Valor total por médico": [
        ("Ana Torres", 920.0),
        ("Igor Salles", 510.0),
        ("Luís Prado", 410.0),
        ("Rosa Dantas", 350.0),
    ],
    "Quantas consultas houve em março de 2024?": [(3,)],
    "Quais pacientes tiveram consulta em fevereiro de 2024?": [("Beatriz Luz",), ("Caio Ramos",), ("Enzo Farias",)],
    "Qual especialidade tem mais médicos?": [("Cardiologia", 2)],
    "Quais pacientes consultaram com mais de um médico?": [("Beatriz Luz",), ("Duda Pires",), ("Enzo Farias",)],
    "Quais pacientes têm mais de 1 consulta?": [("Beatriz Luz",), ("Caio Ramos",), ("Duda Pires",), ("Enzo Farias",)],
    "Qual a cidade do médico da consulta 103?": [("Maringá",)],
    "Quais exames custam mais de 200?": [(3,), (4,)],
    "Quais pacientes fizeram exames que custam mais de 200?": [("Duda Pires",), ("Enzo Farias",)],
    "Qual é o exame mais caro do Enzo Farias?": [(3,)],
    "Quando foi a consulta 101?": [("2024-02-06",)],
    "Quais pacientes consultaram com a Ana Torres e o Igor Salles?": [("Beatriz Luz",), ("Enzo Farias",)],
    "Qual convênio tem mais pacientes?": [("Saúde Mais", 2), ("Vida", 2)],
    "Quantos médicos atenderam o Enzo Farias?": [(2,)],
}
CLINIC_DECLINED = (
    "Qual é o CRM da Ana Torres?",
    "Quais pacientes faltaram à consulta?",
    "Quantos pacientes receberam alta?",
    "Quais remédios o Caio Ramos toma?",
    "Quais pacientes consultaram todos os médicos?",
    "Qual médico recebeu mais?",
    "Qual paciente gastou mais em consultas?",
    "Quais pacientes moram na mesma cidade do médico?",
)

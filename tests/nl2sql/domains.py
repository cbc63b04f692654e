"""Six tables of other domains than the demo's, for questions as people ask them of tables that nobody prepared."""

from __future__ import annotations

from polyrag_cli.stores.records import TypedTable
from polyrag_cli.tables import typed_tables
from tests.nl2sql.tables import raw

VISITS = """
consulta;data;paciente;idade;medico;especialidade;convenio;duracao_min;valor_cobrado;situacao
C-01;2023-01-09;Otília Braga;67;Dra. Vânia Reis;cardiologia;Vitalis;40;320,00;realizada
C-02;2023-01-17;Jonas Pinho;8;Dr. Caio Mota;pediatria;particular;25;210,50;realizada
C-03;2023-02-02;Márcia Leal;34;Dra. Vânia Reis;cardiologia;Boa Saúde;35;280,00;cancelada
C-04;2023-02-14;Otília Braga;67;Dra. Vânia Reis;cardiologia;Vitalis;30;320,00;realizada
C-05;2023-03-03;Davi Couto;51;Dr. Nilo Serpa;ortopedia;Vitalis;45;260,00;realizada
C-06;2023-03-21;Jonas Pinho;8;Dr. Caio Mota;pediatria;particular;20;210,50;realizada
C-07;2023-03-28;Rute Amaral;29;Dr. Nilo Serpa;ortopedia;particular;50;395,00;realizada
C-08;2023-04-11;Davi Couto;51;Dr. Nilo Serpa;ortopedia;Vitalis;30;260,00;cancelada
C-09;2023-05-05;Márcia Leal;34;Dr. Caio Mota;pediatria;Boa Saúde;30;190,00;realizada
C-10;2023-05-19;Rute Amaral;29;Dra. Vânia Reis;cardiologia;particular;55;450,00;realizada
C-11;2023-06-07;Otília Braga;67;Dr. Nilo Serpa;ortopedia;Vitalis;35;260,00;remarcada
C-12;2023-06-30;Jonas Pinho;8;Dr. Caio Mota;pediatria;particular;25;210,50;realizada
""".strip()

RENTALS = """
rental_id,date,station,bike_type,rider,minutes,distance_km,fare
R101,2024-04-02,Harbour Gate,electric,member,32,7.5,4.80
R102,2024-04-05,Old Mill,classic,casual,18,3.1,2.20
R103,2024-04-21,Harbour Gate,classic,member,44,9.0,3.90
R104,2024-05-01,Rose Hill,electric,casual,27,6.2,5.10
R105,2024-05-13,Old Mill,cargo,member,61,8.4,9.75
R106,2024-05-13,Harbour Gate,electric,casual,15,3.6,3.30
R107,2024-05-30,Rose Hill,classic,member,38,7.7,3.40
R108,2024-06-08,Old Mill,electric,member,22,5.5,3.70
R109,2024-06-15,Harbour Gate,cargo,casual,73,10.2,12.60
R110,2024-06-19,Rose Hill,electric,casual,29,6.6,5.40
R111,2024-07-04,Harbour Gate,classic,member,51,11.3,4.60
R112,2024-07-22,Old Mill,classic,casual,20,3.8,2.40
""".strip()

HARVEST = """
talhao;municipio;cultura;area_ha;sacas_colhidas;preco_saca;data_colheita;irrigado
T1;Ibiá;café;12,5;410;890,00;2022-06-14;sim
T2;Ibiá;milho;30,0;2850;62,50;2022-03-02;não
T3;Araxá;soja;55,0;3240;148,00;2022-02-18;não
T4;Araxá;café;8,0;232;905,00;2022-07-05;sim
T5;Patrocínio;café;21,0;735;870,00;2022-06-29;não
T6;Patrocínio;soja;40,5;2310;151,20;2022-03-11;sim
T7;Ibiá;soja;18,0;1010;149,90;2022-02-25;não
T8;Patrocínio;milho;26,0;2470;60,80;2022-03-19;sim
T9;Araxá;milho;15,5;1395;64,00;2022-04-07;não
T10;Ibiá;café;9,5;331;920,00;2022-05-30;sim
""".strip()


HOMES = """
imovel;tipo;bairro;cidade;quartos;area_m2;valor_aluguel;corretor;data_anuncio;mobiliado
AP-1;apartamento;Jardim;Santos;2;68;2.400,00;Bia Rocha;03/01/2024;sim
AP-2;apartamento;Centro;Santos;1;42;1.650,00;Téo Prado;15/01/2024;não
CA-1;casa;Jardim;Santos;4;180;5.200,00;Bia Rocha;09/02/2024;não
CA-2;casa;Aurora;Bauru;3;140;3.100,00;Ciro Neves;20/02/2024;sim
AP-3;apartamento;Aurora;Bauru;2;60;1.500,00;Ciro Neves;04/03/2024;sim
KI-1;kitnet;Centro;Santos;1;28;1.100,00;Téo Prado;11/03/2024;sim
CA-3;casa;Lago;Bauru;5;260;6.800,00;Bia Rocha;30/03/2024;não
AP-4;apartamento;Lago;Bauru;3;95;2.900,00;Téo Prado;12/04/2024;não
""".strip()

BOOKINGS = """
booking_id,guest,country,room_type,check_in,nights,rate_per_night,total_paid,channel,status
B-01,Hana Sato,Japan,suite,2023-11-02,3,180.00,540.00,website,completed
B-02,Liam Ford,Ireland,double,2023-11-10,2,110.00,220.00,agency,completed
B-03,Inês Duarte,Portugal,single,2023-11-21,5,85.00,425.00,website,cancelled
B-04,Hana Sato,Japan,double,2023-12-01,4,115.00,460.00,phone,completed
B-05,Marek Nowak,Poland,single,2023-12-08,1,90.00,90.00,agency,no-show
B-06,Liam Ford,Ireland,suite,2023-12-24,7,210.00,1470.00,website,completed
B-07,Inês Duarte,Portugal,double,2024-01-05,2,105.00,210.00,phone,completed
B-08,Aisha Khan,India,suite,2024-01-19,6,175.00,1050.00,agency,completed
""".strip()

GRADES = """
aluno;turma;disciplina;bimestre;nota;faltas;professor
Ana Melo;7A;matemática;1;8,5;2;Prof. Rui
Ana Melo;7A;história;1;7,0;0;Profa. Lia
Beto Luz;7A;matemática;1;5,5;6;Prof. Rui
Beto Luz;7A;história;1;6,0;4;Profa. Lia
Carla Sá;7B;matemática;1;9,0;1;Profa. Noa
Carla Sá;7B;história;1;8,0;0;Profa. Lia
Davi Rey;7B;matemática;1;4,0;9;Profa. Noa
Davi Rey;7B;história;1;7,5;3;Profa. Lia
Ana Melo;7A;matemática;2;9,5;1;Prof. Rui
Beto Luz;7A;matemática;2;6,5;2;Prof. Rui
Carla Sá;7B;matemática;2;8,0;0;Profa. Noa
Davi Rey;7B;matemática;2;5,0;5;Profa. Noa
""".strip()


def domain_tables() -> list[TypedTable]:
    return [
        *typed_tables([raw("consultas_2023", VISITS, ";")], "consultas_2023.csv"),
        *typed_tables([raw("bike_rentals", RENTALS, ",")], "bike_rentals.csv"),
        *typed_tables([raw("colheita", HARVEST, ";")], "colheita.csv"),
        *typed_tables([raw("imoveis", HOMES, ";")], "imoveis.csv"),
        *typed_tables([raw("hotel_bookings_2023", BOOKINGS, ",")], "hotel_bookings_2023.csv"),
        *typed_tables([raw("notas_7ano", GRADES, ";")], "notas_7ano.csv"),
    ]

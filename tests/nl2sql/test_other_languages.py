"""Questions in other languages than the two that most tests ask in; every figure is worked out by hand."""

from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.tables import typed_tables
from tests.nl2sql.answers import line_of, outcome_of
from tests.nl2sql.tables import MemoryStore, raw

PEDIDOS = """
pedido;fecha;cliente;ciudad;categoría;cantidad;importe (€);entregado
P-01;05/01/2024;Panadería Sol;Sevilla;bebidas;10;1.200,50;sí
P-02;17/01/2024;Mercado Norte;Bilbao;cereales;24;880,00;sí
P-03;02/02/2024;Panadería Sol;Sevilla;cereales;6;240,00;no
P-04;20/02/2024;Casa Luna;Málaga;bebidas;30;3.450,00;sí
P-05;28/02/2024;Mercado Norte;Bilbao;bebidas;15;1.725,00;sí
P-06;11/03/2024;Casa Luna;Málaga;limpieza;8;319,90;no
P-07;15/03/2024;Panadería Sol;Sevilla;limpieza;12;479,60;sí
P-08;09/01/2025;Café Puerto;Bilbao;cereales;40;1.500,00;no
""".strip()

EMPLEADOS = """
Nombre;Departamento;Oficina;Salario;Fecha de contratación;Edad
Ana Ruiz;Ingeniería;Madrid;5200;2019-03-04;41
Bruno Gil;Ingeniería;Lugo;4800;2021-07-19;29
Clara Soto;Diseño;Madrid;4100;2020-01-13;35
Diego Mora;Diseño;Lugo;3900;2022-10-03;27
Elena Vega;Soporte;Madrid;3000;2018-05-21;52
Fátima Rey;Soporte;Madrid;3100;2023-02-06;24
""".strip()

BESTELLUNGEN = """
Bestellnummer;Datum;Kunde;Stadt;Warengruppe;Menge;Betrag (€);Geliefert
B-01;05.01.2024;Bäckerei Sonne;Köln;Getränke;10;1.200,50;ja
B-02;17.01.2024;Nordmarkt;Kiel;Getreide;24;880,00;ja
B-03;02.02.2024;Bäckerei Sonne;Köln;Getreide;6;240,00;nein
B-04;20.02.2024;Haus Luna;Mainz;Getränke;30;3.450,00;ja
B-05;28.02.2024;Nordmarkt;Kiel;Getränke;15;1.725,00;ja
B-06;11.03.2024;Haus Luna;Mainz;Reinigung;8;319,90;nein
B-07;15.03.2024;Bäckerei Sonne;Köln;Reinigung;12;479,60;ja
B-08;09.01.2025;Café Hafen;Kiel;Getreide;40;1.500,00;nein
""".strip()

MITARBEITER = """
Name;Abteilung;Standort;Gehalt;Eintrittsdatum;Alter
Anna Roth;Technik;Bonn;5200;2019-03-04;41
Bruno Keller;Technik;Jena;4800;2021-07-19;29
Clara Dorn;Gestaltung;Bonn;4100;2020-01-13;35
Dirk Faber;Gestaltung;Jena;3900;2022-10-03;27
Elena Stein;Kundendienst;Bonn;3000;2018-05-21;52
Frieda Quast;Kundendienst;Bonn;3100;2023-02-06;24
""".strip()

STORES = {
    "en": MemoryStore(
        typed_tables([raw("routes", "route,length,climb_height\nR1,long,300\nR2,short,120", ",")], "r.csv")
    ),
    "de": MemoryStore(
        [
            *typed_tables([raw("bestellungen", BESTELLUNGEN, ";")], "bestellungen.csv"),
            *typed_tables([raw("mitarbeiter", MITARBEITER, ";")], "mitarbeiter.csv"),
        ]
    ),
    "es": MemoryStore(
        [
            *typed_tables([raw("pedidos", PEDIDOS, ";")], "pedidos.csv"),
            *typed_tables([raw("empleados", EMPLEADOS, ";")], "empleados.csv"),
        ]
    ),
}
INDEXES = {code: SchemaIndex(store.schemas(None)) for code, store in STORES.items()}

ANSWERED = [
    ("en", "How many routes are above 200 metres?", "1 ("),
    (
        "de",
        "Wie hoch war der Gesamtbetrag der Bestellungen von Bäckerei Sonne?",
        "€1.920,10 (Summe von Betrag",
    ),
    ("de", "Wie viele Bestellungen gab es aus Kiel?", "3 (3 von 8 Zeilen)"),
    ("de", "Wie viele Bestellungen wurden nicht geliefert?", "3 ("),
    ("de", "Wie hoch ist der durchschnittliche Betrag der Bestellungen von Getränken?", "€2.125,17 (Durchschnitt von"),
    (
        "de",
        "Wie hoch ist der durchschnittliche Betrag pro Stadt?",
        "Kiel: €1.368,33; Köln: €640,03; Mainz:",
    ),
    ("de", "Welcher Kunde hat am meisten ausgegeben?", "Haus Luna: €3.769,90 (höchster Wert von Summe von Betrag)"),
    ("de", "Wie viele Bestellungen liegen über 1000 Euro?", "4 ("),
    ("de", "Wie hoch war der Betrag im Februar 2024?", "€5.415,00 ("),
    ("de", "Wie hoch war der Betrag von Januar bis Februar 2024?", "€7.495,50 ("),
    ("de", "Welche Menge Getreide wurde verkauft?", "70 (Summe von Menge"),
    (
        "de",
        "Wer hat mehr ausgegeben, Bäckerei Sonne oder Nordmarkt?",
        "Nordmarkt: €2.605,00; Bäckerei Sonne: €1.920,10 (",
    ),
    ("de", "Wie viele verschiedene Kunden gibt es?", "4 (verschiedene Werte von Kunde"),
    (
        "de",
        "Wie groß ist der Unterschied im Betrag zwischen Köln und Kiel?",
        "€2.184,90 (Köln €1.920,10 gegenüber",
    ),
    ("de", "Welcher Anteil des Betrags entfällt auf Getränke?", "65,09% (€6.375,50 von €9.795,00"),
    ("de", "Was war die erste Bestellung?", "B-01: 05.01.2024 ("),
    ("de", "Zeige die 3 Bestellungen mit dem höchsten Betrag", "B-04: €3.450,00; B-05: €1.725,00; B-08: €1.500,00 ("),
    ("de", "Gibt es Bestellungen aus Köln im März?", "Ja (1 Zeile)"),
    ("de", "Wie viele Bestellungen gab es vor Februar 2024?", "2 ("),
    ("de", "Wie viele Bestellungen gab es nach 2024?", "1 ("),
    ("de", "Wie viele Bestellungen gab es im ersten Quartal 2024?", "7 ("),
    ("de", "Wie hoch ist der Gesamtbetrag außer Getränke?", "€3.419,50 ("),
    ("de", "Wie hoch ist der Gesamtbetrag nach Warengruppe?", "Getreide: €2.620,00; Getränke: €6.375,50;"),
    ("de", "Wie hoch ist das Durchschnittsgehalt?", "4.016,67 (Durchschnitt von Gehalt"),
    ("de", "Wer hat das höchste Gehalt?", "Anna Roth: 5.200 ("),
    ("de", "Wer ist der jüngste Mitarbeiter?", "Frieda Quast: 24 ("),
    ("de", "Wie alt ist Elena Stein?", "52 (Alter)"),
    ("de", "Wie viele Mitarbeiter verdienen mehr als 4000?", "3 ("),
    ("de", "An welchem Standort arbeitet Dirk Faber?", "Jena"),
    ("de", "Wann wurde Anna Roth eingestellt?", "04.03.2019"),
    ("de", "Wie hoch ist das Durchschnittsalter in der Abteilung Kundendienst?", "38 (Durchschnitt von Alter"),
    ("de", "Welche Abteilung hat das niedrigste Durchschnittsgehalt?", "Kundendienst: 3.050 ("),
    ("de", "Was ist der Median des Gehalts?", "4.000 (Median von Gehalt"),
    ("es", "¿Cuál es la mediana del salario?", "4.000 (mediana de Salario"),
    ("es", "¿Cuál fue el importe total de los pedidos de Panadería Sol?", "€1.920,10 (suma de importe, 3 de 8 filas)"),
    ("es", "¿Cuántos pedidos hay de Bilbao?", "3 (3 de 8 filas)"),
    ("es", "¿Cuántos pedidos no fueron entregados?", "3 ("),
    ("es", "¿Cuál es el importe medio de los pedidos de bebidas?", "€2.125,17 (promedio de importe"),
    ("es", "¿Cuál es el promedio del importe por ciudad?", "Bilbao: €1.368,33; Málaga: €1.884,95; Sevilla: €640,03 ("),
    ("es", "¿Qué cliente gastó más?", "Casa Luna: €3.769,90 (mayor suma de importe)"),
    ("es", "¿Cuántos pedidos superan los 1000 euros?", "4 ("),
    ("es", "¿Cuál fue el importe total en febrero de 2024?", "€5.415,00 ("),
    ("es", "¿Cuál fue el importe total entre enero y febrero de 2024?", "€7.495,50 ("),
    ("es", "¿Cuántas unidades de cereales se vendieron?", "70 (suma de cantidad"),
    ("es", "¿Quién gastó más, Panadería Sol o Mercado Norte?", "Mercado Norte: €2.605,00; Panadería Sol: €1.920,10 ("),
    ("es", "¿Cuántos clientes diferentes hay?", "4 (valores diferentes de cliente"),
    ("es", "¿Cuál es la diferencia de importe entre Sevilla y Bilbao?", "€2.184,90 (Sevilla €1.920,10 frente a Bilbao"),
    ("es", "¿Qué porcentaje del importe corresponde a bebidas?", "65,09% (€6.375,50 de €9.795,00"),
    ("es", "¿Cuál fue el primer pedido?", "P-01: 05/01/2024 ("),
    ("es", "¿Cuáles son los 3 pedidos con mayor importe?", "P-04: €3.450,00; P-05: €1.725,00; P-08: €1.500,00 ("),
    ("es", "¿Hay pedidos de Sevilla en marzo?", "Sí (1 fila)"),
    ("es", "¿Cuántos pedidos hubo antes de febrero de 2024?", "2 ("),
    ("es", "¿Cuántos pedidos hubo después de 2024?", "1 ("),
    ("es", "¿Cuántos pedidos hubo en el primer trimestre de 2024?", "7 ("),
    ("es", "¿Cuál es el importe total excepto bebidas?", "€3.419,50 ("),
    ("es", "¿Quién tiene el salario más alto?", "Ana Ruiz: 5.200 (mayor Salario)"),
    ("es", "¿Quién es el empleado más joven?", "Fátima Rey: 24 (menor Edad)"),
    ("es", "¿Qué edad tiene Elena Vega?", "52 (Edad)"),
    ("es", "¿Cuántos empleados ganan más de 4000?", "3 ("),
    ("es", "¿En qué oficina trabaja Diego Mora?", "Lugo"),
    ("es", "¿Cuándo fue contratada Ana Ruiz?", "04/03/2019"),
    ("es", "¿Cuál es el departamento con el salario medio más bajo?", "Soporte: 3.050 (menor promedio de Salario)"),
]

DECLINED = [
    # Of a column of text nothing is above a figure, whatever it is counted in.
    ("en", "How many routes are above 100 km?", "“km”"),
    ("de", "Wie viele Beamer gibt es?", "“Beamer”"),
    ("de", "Wie hoch war der Betrag im Jahr 2019?", "no row of bestellungen matches"),
    ("es", "¿Cuántos proyectores hay?", "“proyectores”"),
    ("es", "¿Cuántos pedidos no tienen descuento?", "“descuento”"),
    ("es", "¿Cuál fue el importe total en 2019?", "no row of pedidos matches"),
]


@pytest.mark.parametrize(("code", "question", "opens"), ANSWERED)
def test_answers(code: str, question: str, opens: str) -> None:
    assert line_of(code, question, INDEXES[code], STORES[code]).startswith(opens)


@pytest.mark.parametrize(("code", "question", "why"), DECLINED)
def test_declined(code: str, question: str, why: str) -> None:
    outcome = outcome_of(code, question, INDEXES[code], STORES[code])
    assert outcome.chosen is None and why in outcome.reason

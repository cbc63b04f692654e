"""The language of short questions, as people type them."""

from __future__ import annotations

import pytest

from polyrag_cli.text.language import detect

QUESTIONS = {
    "de": """
        Wer genehmigt Einkäufe?
        Wie viele Kunden gibt es in Berlin?
        umsatz pro region
        Welche Abteilung hat das höchste Gehalt?
        Wann wurde die Firma gegründet?
        durchschnittliches gehalt
        Was kostet der Versand?
        Zeige alle offenen Rechnungen
        Wo liegt das Lager?
        Nenne drei Lieferanten
        Ist die Lieferung pünktlich?
        gesamtumsatz 2024
        Wie lautet die Telefonnummer vom Büro?
        Warum verspätete sich der Zug?
        anzahl bestellungen im märz
        Wem gehört das Boot?
        höchster Preis
        Welcher Fahrer fuhr am weitesten?
        Unterschied zwischen Plan A und Plan B
        Darf man im Archiv essen?
        Wie hoch ist die Miete?
        letzte Bestellung von Frau Müller
    """,
    "es": """
        ¿Quién aprueba las compras?
        cuantos clientes hay en Sevilla
        ventas por región
        ¿Qué departamento tiene el salario más alto?
        ¿Cuándo se fundó la empresa?
        salario promedio
        ¿Cuánto cuesta el envío?
        Muestra las facturas pendientes
        ¿Dónde está el almacén?
        Dime tres proveedores
        ¿Llegó a tiempo el pedido?
        ventas totales de 2024
        ¿Cuál es el teléfono de la oficina?
        ¿Por qué se retrasó el tren?
        pedidos de marzo
        ¿De quién es el barco?
        precio más alto
        ¿Qué conductor hizo más kilómetros?
        diferencia entre el plan A y el plan B
        ¿Se puede comer en el archivo?
        ¿Cuántos empleados trabajan en Bilbao?
        último pedido de la señora Ruiz
    """,
    "pt": """
        Quem aprova compras?
        quantos clientes existem em Recife
        vendas por região
        Qual departamento tem o maior salário?
        Quando a empresa foi fundada?
        salário médio
        Quanto custa o frete?
        Mostre as notas em aberto
        Onde fica o depósito?
        Cite três fornecedores
        O pedido chegou no prazo?
        vendas totais de 2024
        Qual é o telefone do escritório?
        Por que o trem atrasou?
        pedidos de março
        De quem é o barco?
        preço mais alto
        Qual motorista rodou mais?
        diferença entre o plano A e o plano B
        Pode comer no arquivo?
        Quantos funcionários trabalham em Natal?
        último pedido da dona Célia
    """,
    "en": """
        Who approves purchases?
        how many customers are in Leeds
        revenue by region
        Which department has the highest salary?
        When was the company founded?
        average salary
        What does shipping cost?
        Show open invoices
        Where is the warehouse?
        Name three suppliers
        Did the order arrive on time?
        total sales 2024
        What is the phone number of the office?
        Why was the train late?
        orders in March
        Who owns the boat?
        highest price
        Which driver went furthest?
        difference between plan A and plan B
        Can I eat in the archive?
        war museum opening hours
        last order of Mrs Hill
    """,
}
EACH = [(code, line.strip()) for code, lines in QUESTIONS.items() for line in lines.strip().splitlines()]


@pytest.mark.parametrize(("code", "question"), EACH)
def test_short_questions(code: str, question: str) -> None:
    assert detect(question) == code

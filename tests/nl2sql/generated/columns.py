"""The kinds of columns that generated tables have, with what they are called in two languages."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Literal

from hypothesis import strategies as st

Kind = Literal["name", "category", "integer", "decimal", "money", "percent", "date", "boolean"]
Value = str | int | float | bool | datetime.date | None


@dataclass(frozen=True)
class Label:
    """A noun: as a header, in a question of one and of several; feminine in Portuguese or not."""

    header: str
    one: str
    many: str
    feminine: bool = False

    @property
    def a(self) -> str:
        """The vowel that Portuguese words take beside it."""
        return "a" if self.feminine else "o"


@dataclass(frozen=True)
class Spec:
    """A kind of column. adds: whether sums of it mean something. negative: whether it holds less than nothing."""

    kind: Kind
    en: Label
    pt: Label
    values: tuple[str, ...] = ()
    values_pt: tuple[str, ...] = ()
    adds: bool = True
    negative: bool = False

    def label(self, language: str) -> Label:
        return self.en if language == "en" else self.pt

    def pool(self, language: str) -> tuple[str, ...]:
        return self.values_pt if language == "pt" and self.values_pt else self.values


PEOPLE = (
    "Ana Moss",
    "Bruno Reyes",
    "Clara Dunn",
    "Dinis Faria",
    "Elena Stone",
    "Farah Quinn",
    "Goran Vale",
    "Hana Sato",
)
FIRMS = ("Aurora Foods", "Bela Vista", "Café Norte", "Dorset Mill", "Estrela", "Foz Trading", "Granja Azul", "Hilltop")
PLACES = ("Leeds", "Porto", "Natal", "Recife", "Faro", "York", "Olinda", "Braga")

NAMES = (
    Spec("name", Label("Customer", "customer", "customers"), Label("Cliente", "cliente", "clientes"), FIRMS),
    Spec("name", Label("Seller", "seller", "sellers"), Label("Vendedor", "vendedor", "vendedores"), PEOPLE),
    Spec("name", Label("City", "city", "cities"), Label("Cidade", "cidade", "cidades", True), PLACES),
)
CATEGORIES = (
    Spec(
        "category",
        Label("Category", "category", "categories"),
        Label("Categoria", "categoria", "categorias", True),
        ("Grains", "Drinks", "Cleaning", "Frozen"),
        ("Grãos", "Bebidas", "Limpeza", "Congelados"),
    ),
    Spec(
        "category",
        Label("Channel", "channel", "channels"),
        Label("Canal", "canal", "canais"),
        ("Website", "Phone", "Agency"),
        ("Site", "Telefone", "Agência"),
    ),
    Spec(
        "category",
        Label("Region", "region", "regions"),
        Label("Região", "região", "regiões", True),
        ("Highlands", "Coast", "Valley", "Islands"),
        ("Serra", "Litoral", "Vale", "Ilhas"),
    ),
)
QUANTITIES = (
    Spec("integer", Label("Units", "units", "units"), Label("Unidades", "unidades", "unidades", True)),
    Spec("integer", Label("Visitors", "visitors", "visitors"), Label("Visitantes", "visitantes", "visitantes")),
    Spec("integer", Label("Age", "age", "ages"), Label("Idade", "idade", "idades", True), adds=False),
    Spec("decimal", Label("Weight (kg)", "weight", "weights"), Label("Peso (kg)", "peso", "pesos")),
    Spec(
        "decimal",
        Label("Temperature", "temperature", "temperatures"),
        Label("Temperatura", "temperatura", "temperaturas", True),
        adds=False,
        negative=True,
    ),
    Spec("money", Label("Revenue", "revenue", "revenues"), Label("Receita", "receita", "receitas", True)),
    Spec("money", Label("Cost", "cost", "costs"), Label("Custo", "custo", "custos")),
    Spec("money", Label("Profit", "profit", "profits"), Label("Lucro", "lucro", "lucros"), negative=True),
    Spec("money", Label("Price", "price", "prices"), Label("Preço", "preço", "preços"), adds=False),
    Spec(
        "percent",
        Label("Discount", "discount", "discounts"),
        Label("Desconto", "desconto", "descontos"),
        adds=False,
    ),
)
DATES = (Spec("date", Label("Date", "date", "dates"), Label("Data", "data", "datas", True)),)
STATES = (
    Spec("boolean", Label("Delivered", "delivered", "delivered"), Label("Entregue", "entregue", "entregues")),
    Spec("boolean", Label("Insured", "insured", "insured"), Label("Segurado", "segurado", "segurados")),
)
ROWS = {
    "en": (
        Label("orders", "order", "orders"),
        Label("visits", "visit", "visits"),
        Label("projects", "project", "projects"),
    ),
    "pt": (
        Label("pedidos", "pedido", "pedidos"),
        Label("visitas", "visita", "visitas", True),
        Label("projetos", "projeto", "projetos"),
    ),
}


def cells(spec: Spec, language: str, repeat: bool) -> st.SearchStrategy[Value]:
    """Values of a column. repeat: whether from few, so that many are equal."""
    span = 3 if repeat else 40
    least = -span if spec.negative else 1
    match spec.kind:
        case "name" | "category":
            return st.sampled_from(spec.pool(language)[: 3 if repeat else None])
        case "integer":
            return st.integers(least, span * 3)
        case "decimal" | "percent":
            return st.integers(least * 4, span * 4).map(lambda n: n / 4)
        case "money":
            return st.integers(least * 40, span * 40).map(lambda n: n * 2.5)
        case "date":
            days = [datetime.date(2022, 1, 5) + datetime.timedelta(days=23 * n) for n in range(6 if repeat else 44)]
            return st.sampled_from(days)
        case "boolean":
            return st.booleans()

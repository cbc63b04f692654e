from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from polyrag_cli.tables import typed_tables
from polyrag_cli.tables.relations import relations_of
from polyrag_cli.types import RawTable, Reference, Relation, TableSchema

Lists = Mapping[str, Sequence[object]]


def schema(name: str, columns: Lists, document: str = "") -> TableSchema:
    header = tuple(columns)
    rows = tuple(tuple(str(cell) for cell in row) for row in zip(*columns.values(), strict=True))
    table = typed_tables([RawTable(name, (header, *rows))], document or f"{name}.csv")[0]
    document = document or f"{name}.csv"
    return TableSchema(table.name, document, table.label, table.columns, table.rows, total_rows=table.total_rows)


def found(*schemas: TableSchema) -> list[str]:
    return [f"{r.table}.{r.column} > {r.other}.{r.other_column}" for r in relations_of(schemas)]


CUSTOMERS = schema("customers", {"id": [3, 5, 8, 9], "city": ["Faro", "Braga", "Faro", "Beja"]})
RUNNING = schema("customers", {"id": [1, 2, 3, 4], "city": ["Faro", "Braga", "Faro", "Beja"]})


@pytest.mark.parametrize("header", ["customer_id", "Customer ID", "customerId", "customer", "cust_id"])
@pytest.mark.parametrize("customers", [CUSTOMERS, RUNNING])
def test_a_column_named_after_a_table_holds_its_numbered_key(header: str, customers: TableSchema) -> None:
    ids = sorted(int(value) for value in customers.columns[0].values)
    orders = schema("orders", {"order": [901, 902, 903], header: [ids[1], ids[1], ids[0]]})
    column = orders.columns[1].name
    assert relations_of([customers, orders]) == (Relation("orders", column, "customers", "id", 1.0),)


def test_names_are_matched_in_other_languages_and_plurals() -> None:
    clients = schema("clientes", {"código": [1, 2, 3], "cidade": ["Faro", "Beja", "Faro"]})
    orders = schema("pedidos", {"pedido": [11, 12, 13], "código do cliente": [2, 2, 3]})
    assert found(clients, orders) == ["pedidos.codigo_do_cliente > clientes.codigo"]


def test_running_numbers_relate_only_by_name() -> None:
    ranks = schema("songs", {"rank": [1, 2, 3, 4, 5], "plays": [5, 4, 3, 2, 1], "customers": [1, 1, 2, 2, 4]})
    teams = schema("teams", {"rank": [1, 1, 2, 3, 4], "id": [1, 2, 3, 4, 5], "wins": [3, 3, 2, 1, 1]})
    assert found(ranks, teams, RUNNING) == []


def test_a_figure_about_a_table_is_no_key_of_it() -> None:
    shops = schema("shops", {"shop": ["A", "B", "C"], "customer count": [1, 2, 2], "customer rank": [1, 3, 2]})
    assert found(shops, RUNNING) == []


def test_two_tables_with_an_id_of_their_own_are_not_related_by_it() -> None:
    tools = schema("tools", {"id": [1, 2, 3], "tool": ["saw", "axe", "file"]})
    assert found(RUNNING, tools) == []


def test_a_shared_name_of_a_number_that_is_no_running_one_relates() -> None:
    courses = schema("courses", {"course code": [1100, 1203, 2110], "room": ["A", "B", "A"]})
    marks = schema("marks", {"course code": [1203, 1203, 2110], "mark": [11, 12, 9]})
    assert found(courses, marks) == ["marks.course_code > courses.course_code"]


def test_an_article_number_with_the_same_name_relates_though_it_runs() -> None:
    catalogue = schema("catalogue", {"product_id": [1, 2, 3], "price": [4.5, 3.5, 2.25]})
    sales = schema("sales", {"sale": [71, 72, 73, 74], "product_id": [1, 3, 3, 2], "pieces": [7, 7, 8, 9]})
    assert found(catalogue, sales) == ["sales.product_id > catalogue.product_id"]


def test_texts_relate_by_their_values_alone() -> None:
    regions = schema("regions", {"name": ["Minho", "Douro", "Algarve", "Beira"], "area": [4, 5, 6, 7]})
    rivers = schema("rivers", {"river": ["Lima", "Côa", "Ave"], "flows through": ["Minho", "Douro", "Beira"]})
    assert found(regions, rivers) == ["rivers.flows_through > regions.name"]


def test_codes_and_few_values_do_not_relate_by_values_alone() -> None:
    grades = schema("grades", {"grade": ["A1", "A2", "B1", "B2"], "points": [4, 5, 6, 7]})
    seats = schema("seats", {"seat": ["x1", "x2", "x3"], "row": ["A1", "A2", "B1"]})
    answers = schema("answers", {"answer": ["Yes", "No"], "meaning": ["agreed", "refused"]})
    paid = schema("bills", {"bill": ["t1", "t2", "t3"], "settled": ["Yes", "No", "No"]})
    assert found(grades, seats, answers, paid) == []


def test_containment_is_the_share_of_different_values() -> None:
    towns = schema("towns", {"town": ["Faro", "Beja", "Braga"], "people": [4, 5, 6]})
    shops = schema("shops", {"shop": list("abcde"), "town": ["Faro", "Faro", "Beja", "Braga", "Ovar"]})
    assert relations_of([towns, shops]) == (Relation("shops", "town", "towns", "town", 0.75),)
    apart = schema("shops", {"shop": list("abcde"), "town": ["Faro", "Mafra", "Loures", "Sines", "Ovar"]})
    assert found(towns, apart) == []


def test_a_column_with_repeated_or_missing_values_is_no_key() -> None:
    names = ["Minho", "Douro", "Algarve", "Minho"]
    repeated = schema("regions", {"region": names, "area": [4, 5, 6, 7]})
    missing = schema("regions", {"region": ["Minho", "Douro", "Algarve", ""], "area": [4, 5, 6, 7]})
    rivers = schema("rivers", {"river": ["Lima", "Côa", "Ave"], "region": ["Minho", "Douro", "Minho"]})
    assert found(repeated, rivers) == found(missing, rivers) == []


def test_of_several_keys_the_likeliest_is_taken() -> None:
    towns = schema("towns", {"mayor": ["Ana", "Rui", "Eva"], "town": ["Faro", "Beja", "Braga"], "no": [7, 8, 9]})
    shops = schema("shops", {"shop": list("abc"), "town": ["Faro", "Faro", "Beja"]})
    assert found(towns, shops) == ["shops.town > towns.town"]


def test_types_have_to_be_equal() -> None:
    orders = schema("orders", {"order": [901, 902], "customer_id": ["5", "x8"]})
    assert found(CUSTOMERS, orders) == []


def test_what_a_database_declares_needs_no_evidence() -> None:
    staff = schema("staff", {"no": [1, 2, 3], "boss": [2, 2, 1]}, "firm.sqlite")
    staff = replace(staff, keys=("no",), references=(Reference("boss", "Staff", "NO"),))
    assert relations_of([staff]) == (Relation("staff", "boss", "staff", "no", 1.0, declared=True),)
    elsewhere = replace(staff, document="other.sqlite", references=())
    assert relations_of([replace(staff, references=(Reference("boss", "crew", "no"),)), elsewhere]) == ()


def test_values_that_schemas_do_not_keep_are_counted() -> None:
    clipped = replace(CUSTOMERS, columns=(replace(CUSTOMERS.columns[0], values=("3",)), CUSTOMERS.columns[1]))
    orders = schema("orders", {"order": [901, 902, 903], "customer_id": [5, 5, 3]})
    asked: list[Relation] = []

    def shares(relations: Sequence[Relation]) -> list[float | None]:
        asked.extend(relations)
        return [0.8125]

    assert relations_of([clipped, orders], shares) == (Relation("orders", "customer_id", "customers", "id", 0.8125),)
    assert [(r.table, r.other) for r in asked] == [("orders", "customers")]
    assert relations_of([clipped, orders], lambda relations: [None]) == relations_of([clipped, orders]) == ()


def test_order_of_tables_does_not_matter() -> None:
    tables = [
        CUSTOMERS,
        schema("orders", {"order": [901, 902, 903], "customer_id": [5, 5, 3]}),
        schema("visits", {"visit": [11, 12, 13], "customer": [8, 5, 3]}),
    ]
    relations = relations_of(tables)
    assert relations == relations_of(tables[::-1]) and len(relations) == 2


def test_each_of_many_tables_finds_its_own_key() -> None:
    words = [f"{a}{b}{c}" for a in "bcdf" for b in "aeiou" for c in ("lto", "rna", "sme")]
    tables = [
        schema(
            f"{word} list",
            {
                "id": range(30),
                f"{words[n - 1]}_id": [i % 20 for i in range(30)],
                "people": [i * n for i in range(30)],
            },
        )
        for n, word in enumerate(words)
    ]
    expected = sorted(f"{word}_list.{words[n - 1]}_id > {words[n - 1]}_list.id" for n, word in enumerate(words))
    assert found(*tables) == expected


def test_a_row_that_states_a_total_needs_no_key() -> None:
    towns = schema(
        "towns", {"town": ["Faro", "Beja", "Braga", "Total"], "code": [71, 84, 99, ""], "people": [4, 5, 6, 15]}
    )
    shops = schema("shops", {"shop": list("abc"), "town code": [71, 71, 84]})
    assert found(towns, shops) == ["shops.town_code > towns.code"]


def test_what_a_total_is_called_is_no_key_that_is_missing() -> None:
    towns = schema("towns", {"name": ["Faro", "Beja", "Braga", "Ovar"], "people": [4, 5, 6, 15]})
    sales = schema("sales", {"where": ["Faro", "Beja", "Ovar", "Total"], "sum": [10, 20, 30, 60]})
    assert relations_of([towns, sales]) == (Relation("sales", "where", "towns", "name", 1.0),)


def test_half_of_the_numbers_make_no_relation() -> None:
    orders = schema("orders", {"order": [901, 902, 903, 904], "customer_id": [3, 5, 6, 7]})
    assert found(CUSTOMERS, orders) == []


def test_half_of_a_table_s_name_is_enough_where_no_other_table_has_it() -> None:
    rooms = schema("hospital rooms", {"id": [1, 2, 3], "beds": [2, 2, 4]})
    stays = schema("hospital stays", {"patient": ["Ana", "Rui", "Eva"], "room_id": [1, 1, 3], "hospital_id": [1, 2, 2]})
    assert found(rooms, stays) == ["hospital_stays.room_id > hospital_rooms.id"]


def test_days_relate_by_names_that_say_so() -> None:
    weather = schema("weather", {"day": ["2024-05-01", "2024-05-02", "2024-05-03"], "rain": [1, 0, 0]})
    sales = schema("sales", {"day": ["2024-05-01", "2024-05-01"], "weather noted": ["2024-05-02", "2024-05-02"]})
    trips = schema("trips", {"trip": ["x", "y"], "weather day": ["2024-05-02", "2024-05-02"]})
    assert found(weather, sales, trips) == ["sales.day > weather.day", "trips.weather_day > weather.day"]


def test_prose_names_nothing() -> None:
    long = "a sentence that goes on and on, " * 9
    notes = schema("glossary", {"word": ["oak", "elm", "ash"], "meaning": ["a tree", long, long + "more"]})
    other = schema("appendix", {"term": ["ox", "cow", "ass"], "meaning": ["a tree", long, long]})
    asked: list[Relation] = []

    def shares(relations: Sequence[Relation]) -> list[float | None]:
        asked.extend(relations)
        return [1.0] * len(relations)

    assert relations_of([notes, other], shares) == () and asked == []


def test_few_pairs_are_counted_and_only_those_that_may_hold() -> None:
    def many(name: str, column: str, first: int) -> TableSchema:
        table = schema(name, {column: range(first, first + 900), "other": [n % 7 for n in range(900)]})
        kept = replace(table.columns[0], values=table.columns[0].values[:500])
        return replace(table, columns=(kept, table.columns[1]))

    counts: list[int] = []

    def shares(relations: Sequence[Relation]) -> list[float | None]:
        counts.append(len(relations))
        return [1.0] * len(relations)

    keys = many("customers", "id", 5)
    assert relations_of([keys, many("orders", "customer_id", 5000)], shares) == () and counts == []
    orders = [many(f"orders {n}", "customer_id", 5) for n in range(60)]
    assert len(relations_of([keys, *orders], shares)) == counts[0] == 40

from __future__ import annotations

import datetime

import pytest

from polyrag_cli.nl2sql.index import CENTS_NOTE as EXPECTED_CENTS_NOTE
from polyrag_cli.nl2sql.index import TOTAL_NOTE as EXPECTED_TOTAL_NOTE
from polyrag_cli.stores.records import TypedTable
from polyrag_cli.tables import columns, typed_tables
from polyrag_cli.tables.description import TOTAL_NOTE
from polyrag_cli.tables.quantities import CENTS_NOTE
from polyrag_cli.types import Column, ColumnType, RawTable


def one(header: list[str], *rows: list[str], name: str = "t") -> TypedTable:
    return typed_tables([RawTable(name, (tuple(header), *map(tuple, rows)))], "x.csv")[0]


def column(cells: list[str], header: str = "c", beside: list[str] | None = None) -> tuple[Column, tuple[object, ...]]:
    other = beside or [f"r{i}" for i in range(len(cells))]
    table = one([header, "other"], *([a, b] for a, b in zip(cells, other, strict=True)))
    return table.columns[0], table.cells[0]


def test_headers_become_identifiers() -> None:
    table = one(["Região", "região", "", "2024", "select", "Preço (R$)"], ["a", "b", "c", "1", "d", "2"])
    names = [c.name for c in table.columns]
    assert names == ["regiao", "regiao_2", "column_3", "n_2024", "select", "preco"]
    assert [c.label for c in table.columns][:3] == ["Região", "região", "column 3"]
    assert table.source[0] == ("Região", "região", "", "2024", "select", "Preço (R$)")


def test_table_names_are_unique_and_fall_back_to_the_document() -> None:
    raw = [
        RawTable("Vendas 2024", (("a",), ("1",))),
        RawTable("vendas-2024", (("a",), ("1",))),
        RawTable("", (("a",), ("1",))),
    ]
    assert [t.name for t in typed_tables(raw, "pasta/meu arquivo.csv")] == [
        "vendas_2024",
        "vendas_2024_2",
        "meu_arquivo",
    ]


def test_ragged_rows_are_padded_and_empty_ones_left_out() -> None:
    table = one(["a", "b"], ["1"], ["", ""], ["2", "x", "more"])
    assert [c.name for c in table.columns] == ["a", "b", "column_3"]
    assert table.cells == ((1, 2), (None, "x"), (None, "more"))


def test_a_table_without_anything_is_left_out() -> None:
    assert typed_tables([RawTable("t", (("",), ("",)))], "x.csv") == []


def test_a_table_without_a_header_names_its_columns() -> None:
    table = typed_tables([RawTable("t", (("1", "a"), ("2", "b")), has_header=False)], "x.csv")[0]
    assert [c.name for c in table.columns] == ["column_1", "column_2"]
    assert table.rows == 2


def test_decimal_comma_is_proved_by_two_marks() -> None:
    typed, cells = column(["1.234,56", "2.000,00", "950,00"])
    assert (typed.type, typed.decimal) == ("number", ",")
    assert cells == (1234.56, 2000.0, 950.0)
    assert "decimal comma" in typed.notes


def test_decimal_point_with_thousands() -> None:
    assert column(["1,234.50", "12.25"])[1] == (1234.5, 12.25)


def test_an_ambiguous_mark_is_settled_by_the_other_columns() -> None:
    table = one(["a", "b"], ["1.234", "1,5"], ["2.500", "2,75"])
    assert table.cells == ((1234, 2500), (1.5, 2.75))
    table = one(["a", "b"], ["1.234", "1.5"], ["2.500", "2.75"])
    assert table.cells[0] == (1.234, 2.5)


def test_an_ambiguous_comma_alone_is_thousands() -> None:
    typed, cells = column(["1,234", "15,000"])
    assert (typed.type, cells) == ("integer", (1234, 15000))


def test_a_zero_before_three_digits_is_a_fraction() -> None:
    assert column(["0.750", "1.250"])[1] == (0.75, 1.25)


def test_a_long_number_without_marks_makes_the_point_a_fraction() -> None:
    assert column(["1234", "1.250"])[1] == (1234.0, 1.25)


def test_currency_percent_and_units() -> None:
    typed, cells = column(["R$ 1.200,50", "R$ 80,00"])
    assert (typed.unit, cells) == ("R$", (1200.5, 80.0))
    typed, cells = column(["12,5%", "7%"])
    assert (typed.unit, cells) == ("%", (12.5, 7.0))
    typed, cells = column(["3 kg", "12 kg"])
    assert (typed.unit, typed.type, cells) == ("kg", "integer", (3, 12))
    assert column(["1", "2"], header="Peso (kg)")[0].unit == "kg"
    assert column(["1", "2"], header="area_ha")[0].unit == "ha"


def test_negative_numbers() -> None:
    assert column(["-5", "(1.200,50)", "−7", "3,25"])[1] == (-5.0, -1200.5, -7.0, 3.25)


def test_multipliers_are_applied() -> None:
    assert column(["1,5 mil", "2 mi", "3 milhões"])[1] == (1500, 2_000_000, 3_000_000)


def test_codes_with_leading_zeros_stay_text() -> None:
    typed, cells = column(["007", "012", "130"])
    assert (typed.type, cells) == ("text", ("007", "012", "130"))


def test_few_cells_without_a_number_are_noted() -> None:
    typed, cells = column(["1", "2", "3", "4", "DNF"])
    assert cells == (1, 2, 3, 4, None)
    assert "1 cell without a number" in typed.notes


def test_text_with_some_numbers_stays_text() -> None:
    assert column(["1", "2", "3", "4", "5", "a", "b", "c", "d"])[0].type == "text"


def test_nulls() -> None:
    typed, cells = column(["1", "-", "n/a", "", "NA", "2"])
    assert (typed.nulls, cells) == (4, (1, None, None, None, None, 2))
    assert column(["NA", "Peru", "-", "n/a"])[1] == ("NA", "Peru", None, None)


def test_booleans() -> None:
    typed, cells = column(["sim", "Não", "SIM", ""])
    assert (typed.type, cells) == ("boolean", (True, False, True, None))
    assert column(["yes", "sim"])[0].type == "text"


def test_dates_take_the_order_that_fits() -> None:
    typed, cells = column(["05/01/2024", "17/01/2024"])
    assert (typed.type, cells) == ("date", (datetime.date(2024, 1, 5), datetime.date(2024, 1, 17)))
    assert column(["01/05/2024", "01/17/2024"])[1] == (datetime.date(2024, 1, 5), datetime.date(2024, 1, 17))
    assert typed.values == ("2024-01-05", "2024-01-17")


def test_a_column_of_few_dates_is_text() -> None:
    assert column(["2024-01-05", "soon", "later"])[0].type == "text"


def test_years_are_integers() -> None:
    assert column(["2019", "2020"], header="ano")[0].type == "integer"


def test_month_names_are_kept_and_noted() -> None:
    table = one(["mes", "v"], ["janeiro", "1"], ["março", "2"])
    assert table.columns[0].type == "text"
    assert table.notes == ("month names kept as text (mes)",)


def test_total_rows_are_marked_and_kept() -> None:
    table = one(["região", "valor"], ["Norte", "10"], ["Sul", "20"], ["Total", "30"])
    assert table.rows == 3
    assert table.columns[0].notes == (f"{TOTAL_NOTE}Total",)
    assert "1 total row, left out of sums" in table.notes
    assert TOTAL_NOTE == EXPECTED_TOTAL_NOTE
    assert CENTS_NOTE == EXPECTED_CENTS_NOTE


def test_a_total_row_under_dates_is_marked_by_a_column_of_its_own() -> None:
    table = one(["pago em", "clube", "valor"], ["05/01/2024", "Remo", "10"], ["", "Remo", "20"], ["Total", "", "30"])
    assert [c.type for c in table.columns] == ["date", "text", "integer", "boolean"]
    assert table.total_rows == (2,)
    assert [(c.name, c.total) for c in table.columns][-2:] == [("valor", False), ("summary_row", True)]
    assert table.cells[3] == (False, False, True)
    assert table.columns[0].unread == 0


def test_total_rows_are_marked_by_their_names_where_no_other_row_has_one() -> None:
    rows = [["Leste", "V1", "31"], ["Leste", "V2", "19"], ["Total Leste", "", "50"], ["Total geral", "", "50"]]
    table = one(["base", "carro", "custo"], *rows)
    assert table.total_rows == (2, 3)
    assert table.columns[0].notes == (f"{TOTAL_NOTE}Total Leste", f"{TOTAL_NOTE}Total geral")
    assert not any(c.total for c in table.columns)


def test_a_value_that_other_rows_have_names_no_total() -> None:
    rows = [["2023", "men", "30"], ["2023", "women", "31"], ["2023", "all", "7"], ["2023", "total", "68"]]
    table = one(["year", "sex", "n"], *rows, ["2024", "total", "x"])
    assert table.total_rows == (3,)
    assert table.columns[-1].total


def test_lone_surrogates_and_nul_bytes_are_cleaned() -> None:
    table = one(["a", "b"], ["x\ud800y", "p\x00q"])
    assert table.cells == (("x?y",), ("pq",))


def test_the_same_input_gives_the_same_tables() -> None:
    rows = (("a", "b"), ("1", "x"), ("2", "y"))
    assert typed_tables([RawTable("t", rows)], "x.csv") == typed_tables([RawTable("t", rows)], "x.csv")


def test_letters_behind_figures_that_name_no_unit_make_codes() -> None:
    assert column(["7A", "7B", "8A", "8B"])[0].type == "text"
    assert column(["3A", "4A", "12A"])[0].type == "text"
    assert column(["3 kg", "4 kg", "12 kg"])[0].unit == "kg"
    assert column(["3 pts", "4 pts", "12 pts"])[0].type == "integer"


def test_an_order_of_day_and_month_is_settled_by_all_cells_of_a_column() -> None:
    found, cells = column(["03/04/2024", "13/04/2024", "03/04/2024", "x"])
    assert found.type == "date"
    assert cells == (datetime.date(2024, 4, 3), datetime.date(2024, 4, 13), datetime.date(2024, 4, 3), None)
    assert column(["03/04/2024", "1", "2", "3"])[0].type != "date"


def test_whole_numbers_keep_every_digit() -> None:
    found, cells = column([str(2**53 + 1), "123456789012345678", "12,345,678,901,234,567", "-9223372036854775809"])
    assert found.type == "integer"
    assert cells == (2**53 + 1, 123456789012345678, 12345678901234567, -9223372036854775809)


def test_figures_beyond_every_number_are_none() -> None:
    found, cells = column(["9" * 400, "9" * 5000, "5", "6", "7", "8"])
    assert (found.type, cells) == ("integer", (None, None, 5, 6, 7, 8))


def test_numbers_that_all_have_two_decimals_are_marked() -> None:
    cells = (("a", "b", "c"), ("1,50", "2,5", "3"), ("10,00", "4,25", "7,10"))
    table = typed_tables([RawTable("t", cells)], "t.csv")[0]
    marked = {column.name for column in table.columns if CENTS_NOTE in column.notes}
    assert marked == {"a"}
    assert not any(CENTS_NOTE in note for note in table.notes)


def declared(types: tuple[ColumnType | None, ...], *rows: tuple[str, ...]) -> TypedTable:
    header = tuple(f"c{i}" for i in range(len(types)))
    return typed_tables([RawTable("t", (header, *rows), types=types)], "x.db")[0]


def test_declared_types_are_kept_whatever_the_texts_look_like() -> None:
    table = declared(
        ("text", "number", "date", "boolean", None), ("12", "1.234", "2024-05-01", "true", "1"), ("-", "", "", "", "2")
    )
    assert [column.type for column in table.columns] == ["text", "number", "date", "boolean", "integer"]
    day = datetime.date(2024, 5, 1)
    assert table.cells == (("12", "-"), (1.234, None), (day, None), (True, None), (1, 2))


def test_declared_numbers_have_a_decimal_point_and_stay_what_they_are() -> None:
    table = declared(("number", "integer", "number"), ("1.234", "7", "7"), ("12.5%", "8", ""), ("soon", "9", "9"))
    assert [(c.type, c.unit, c.notes) for c in table.columns] == [
        ("number", "%", ("1 cell without a number",)),
        ("integer", "", ()),
        ("number", "", ()),
    ]
    assert table.cells[0] == (1.234, 12.5, None)
    assert [type(cell) for cell in table.cells[2]] == [float, type(None), float]


def test_what_does_not_fit_a_declared_type_is_counted() -> None:
    table = declared(("date", "boolean"), ("soon", "perhaps"), ("2024-05-01", "false"))
    assert [column.notes for column in table.columns] == [("1 cell without a date",), ("1 cell without a boolean",)]


def test_declared_types_stay_with_their_columns_when_an_empty_one_goes() -> None:
    table = typed_tables([RawTable("t", (("", "code"), ("", "12"), ("", "13")), types=("number", "text"))], "x.db")[0]
    assert [(column.name, column.type) for column in table.columns] == [("code", "text")]


def test_scales_behind_figures_count_alike() -> None:
    assert column(["1.5M", "800K", "2.2M"], header="turnover")[1] == (1_500_000, 800_000, 2_200_000)
    assert column(["1.2M", "850K", "900"])[1] == (1_200_000, 850_000, 900)
    found, cells = column(["R$ 1,5 mi", "R$ 20 mil", "R$ 300"], header="receita")
    assert (found.unit, cells) == ("R$", (1_500_000, 20_000, 300))
    found, cells = column(["$2.5m", "$1m", "$400k"])
    assert (found.unit, cells) == ("$", (2_500_000, 1_000_000, 400_000))
    assert "K read as 1,000; M read as 1,000,000" in column(["1.2M", "850K"])[0].notes
    assert column(["1.2 m", "3.4 m"])[0].unit == "m"


def test_units_of_one_kind_become_one_unit() -> None:
    found, cells = column(["5 kg", "300 g", "2 kg", "750 g"], header="weight")
    assert (found.unit, found.units, cells) == ("kg", (), (5.0, 0.3, 2.0, 0.75))
    assert "converted to kg: g, kg" in found.notes


def test_units_of_several_kinds_stay_several() -> None:
    found, cells = column(["$ 120.00", "£ 80.00", "$ 60.00"])
    assert (found.unit, found.units, cells) == ("", ("$", "£"), (120.0, 80.0, 60.0))
    assert column(["3 kg", "4 m"])[0].units == ("kg", "m")
    assert column(["3 kg", "4 g", "5"])[0].units == ("g", "kg")
    found, cells = column(["US$ 3", "$ 4", "USD 5"])
    assert (found.units, found.unit) == ((), "$")


def test_a_header_says_unit_and_scale() -> None:
    found, cells = column(["45", "38"], header="Funds (k EUR)")
    assert (found.unit, found.scale, cells) == ("EUR", 1000.0, (45, 38))
    assert "one stands for 1,000" in found.notes


def test_cells_that_do_not_fit_are_counted_and_shown() -> None:
    found, cells = column(["1", "2", "3", "4", "DNF", "5", "6", "DNF", "7", "8", "late"])
    assert (found.unread, found.unread_samples, cells[4]) == (3, ("DNF", "late"), None)
    found, cells = column(["2024-01-05", "2024-01-06", "2024-01-07", "soon", "-"])
    assert (found.unread, found.unread_samples) == (1, ("soon",))


def test_members_of_lists_are_told() -> None:
    assert column(["Ada Low", "Ada Low and Bo Sand", "Bo Sand"])[0].lists == (" and ",)
    assert column(["Ada Low", "Bo Sand"])[0].lists == ()


def test_the_most_decimals_of_a_column_are_known() -> None:
    assert column(["0.2847", "0.31", "4"])[0].decimals == 4
    assert column(["1.234,5", "2,25"])[0].decimals == 2
    assert column(["12", "13"])[0].decimals == 0


def test_the_order_of_day_and_month_is_said() -> None:
    for cells in (["03/04/2024", "04/17/2024"], ["04/17/2024", "03/04/2024"]):
        found, days = column(cells)
        assert datetime.date(2024, 3, 4) in days
        assert "month before day, as 04/17/2024 shows" in found.notes
    words = ["o que foi pago", "para a obra da casa"]
    found, days = column(["03/04/2024", "05/06/2024"], header="data do pagamento", beside=words)
    assert days == (datetime.date(2024, 4, 3), datetime.date(2024, 6, 5))
    assert "day before month, as the language writes it: 03/04/2024 could be the other way round" in found.notes
    assert column(["2024-04-03", "2024-06-05"])[0].notes == ()


def test_times_of_day_are_said_to_be_left_out() -> None:
    assert column(["2024-04-03 10:15", "2024-06-05 00:00"])[0].notes == ("times of day are left out",)
    assert column(["2024-04-03 00:00:00", "2024-06-05 00:00"])[0].notes == ()


def test_marks_that_nothing_proves_are_said() -> None:
    assert "the comma is read as thousands mark: 1,234" in column(["1,234", "15,000"])[0].notes
    assert not any("read as" in note for note in column(["1,234.5", "15,000"])[0].notes)


def test_exponents_are_numbers() -> None:
    assert column(["1.5E+03", "2.25e-1"])[1] == (1500.0, 0.225)


def test_joined_header_rows_name_the_columns() -> None:
    rows = (("Crop", "2023 Plan", "Actual"), ("Oats", "10", "9"))
    raw = RawTable("t", rows, labels=("Crop", "2023 Plan", "2023 Actual"))
    table = typed_tables([raw], "x.csv")[0]
    assert [c.label for c in table.columns] == ["Crop", "2023 Plan", "2023 Actual"]
    assert table.source == rows


def test_the_source_keeps_its_spaces_and_its_empty_columns() -> None:
    table = typed_tables([RawTable("t", (("a", "", "b"), (" x ", "", "two\n lines"), ("", "", "")))], "x.csv")[0]
    assert [c.name for c in table.columns] == ["a", "b"]
    assert table.source == (("a", "", "b"), (" x ", "", "two\n lines"))
    assert table.cells == (("x",), ("two lines",))
    bare = typed_tables([RawTable("t", (("1", "x"), ("2", "y")), has_header=False)], "x.csv")[0]
    assert (bare.source, bare.has_header) == ((("1", "x"), ("2", "y")), False)


def test_texts_are_kept_to_be_found_and_what_goes_beyond_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    found, _ = column([f"name {i}" for i in range(1500)])
    assert (len(found.values), found.truncated_values) == (1500, False)
    assert len(column([str(i) for i in range(0, 3000, 2)])[0].values) == 1000
    monkeypatch.setattr(columns, "MAX_TEXTS", 10)
    found, _ = column([f"name {i}" for i in range(12)])
    assert (len(found.values), found.distinct, found.truncated_values) == (10, 12, True)
    assert "only 10 of its 12 values can be found by name" in found.notes


def test_bare_figures_of_a_declared_column_are_what_they_say() -> None:
    table = declared(
        ("number", "integer", "integer", "number"),
        ("1e+20", "-7", "9" * 30, "1.50"),
        ("-0.12345678901234567", "", "5", "-2.25"),
    )
    assert table.cells == ((1e20, -0.12345678901234567), (-7, None), (int("9" * 30), 5), (1.5, -2.25))
    assert [(c.type, c.decimals, c.unread, CENTS_NOTE in c.notes) for c in table.columns] == [
        ("number", 17, 0, False),
        ("integer", 0, 0, False),
        ("integer", 0, 0, False),
        ("number", 2, 0, True),
    ]

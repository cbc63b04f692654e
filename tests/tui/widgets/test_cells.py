from __future__ import annotations

from rich.cells import cell_len

from polyrag_cli.tui.widgets.cells import clipped, padded, plain, wrapped


def test_wide_characters_count_two_cells() -> None:
    assert clipped("日本語の文書", 7) == "日本語…"
    assert cell_len(padded("日本語", 9)) == 9
    assert padded("12", 5, right=True) == "   12"


def test_control_characters_and_line_breaks_never_get_through() -> None:
    assert clipped("a\x1b[31mb\nc\td", 20) == "a[31mb c d"
    assert clipped("fatura-\u202efdp.exe שלום", 30) == "fatura-fdp.exe שלום"


def test_a_text_is_broken_between_words_and_its_last_line_is_clipped() -> None:
    assert wrapped("uma balsa atravessa o rio toda manhã", 12, 2) == ["uma balsa", "atravessa o…"]
    assert wrapped("curto", 12, 2) == ["curto"]
    assert wrapped("", 12, 2) == []


def test_text_is_never_read_as_markup() -> None:
    assert plain("[bold]x[/bold]", ("[red]", "bold")).plain == "[bold]x[/bold][red]"

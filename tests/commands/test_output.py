"""What reaches a terminal: no control characters, lines that fit, whole lines in a pipe."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console
from rich.table import Table
from rich.text import Text

from polyrag_cli.commands.output import print_wrapped
from polyrag_cli.commands.show_rows import show_rows
from polyrag_cli.commands.terminal import ControlFilter
from polyrag_cli.display.text import clip, printable
from tests.command_line import Finished

Run = Callable[..., Finished]


def terminal(width: int, is_terminal: bool = True) -> tuple[Console, io.StringIO]:
    written = io.StringIO()
    made = Console(file=written, width=width, force_terminal=is_terminal, color_system=None)
    made.push_render_hook(ControlFilter())
    return made, written


def test_control_characters_go_and_line_breaks_stay() -> None:
    assert printable("a\x1b[31mb\x07\x9bc\td\ne\x7f") == "a[31mbc\td\ne"
    assert clip("a\x1b]0;t\x07 b", 20) == "a]0;t b"


def test_a_console_passes_no_escape_of_a_text_on() -> None:
    out, written = terminal(40)
    table = Table("head\x1b[2J")
    table.add_row("cell\x1b]0;title\x07")
    out.print(table)
    out.print(Text("line\x9b1m"), soft_wrap=True)
    assert "cell]0;title" in written.getvalue() and "line1m" in written.getvalue()
    assert not {"\x1b", "\x07", "\x9b"} & set(written.getvalue())


def test_a_file_name_cannot_write_to_the_terminal(polyrag: Run) -> None:
    Path("evil\x1b[2J.md").write_text("# Harbour\n\nThe harbour opens at six.\n")
    shown = [polyrag("ingest", "."), polyrag("corpus", "list"), polyrag("search", "harbour")]
    assert all(done.code == 0 and "evil" in done.out and "\x1b" not in done.out + done.err for done in shown)


def test_a_file_name_cannot_be_read_as_another_one(polyrag: Run) -> None:
    name = "harbour-\u202efdp.md"
    Path(name).write_text("# Harbour\n\nThe harbour opens \u202eat six\u202c. דגל שלום.\n", encoding="utf-8")
    shown = [polyrag("ingest", "."), polyrag("corpus", "list"), polyrag("search", "harbour opens")]
    assert all(done.code == 0 and "harbour-fdp.md" in done.out for done in shown)
    assert not any("\u202e" in done.out + done.err for done in shown)
    assert "דגל שלום" in shown[2].out
    # Data keeps what is in it, in letters that no terminal obeys.
    listed = polyrag("corpus", "list", "--json")
    assert "\u202e" not in listed.out
    assert [file["document"] for file in listed.json["files"]] == [name]
    assert "\u202eat six\u202c" in polyrag("search", "harbour opens", "--json").json["hits"][0]["text"]


def test_a_list_names_each_files_language(polyrag: Run) -> None:
    Path("regras.md").write_text("# Regras\n\nO porto abre às seis e fecha quando o vento chega.\n", encoding="utf-8")
    Path("horas.csv").write_text("x,y\nA1,7\nB2,9\n")
    Path("pedidos.csv").write_text("codigo,cidade,quantidade\nOF01,Ubá,7\nOF02,Ubá,9\n", encoding="utf-8")
    polyrag("ingest", ".")
    lines = [line.split()[:3] for line in polyrag("corpus", "list").out.splitlines()]
    assert lines == [["horas.csv", "–", "added"], ["pedidos.csv", "pt", "added"], ["regras.md", "pt", "added"]]
    listed = polyrag("corpus", "list", "--json").json["files"]
    assert [file["language"] for file in listed] == [None, "pt", "pt"]


def test_a_paragraph_is_broken_between_words_on_a_terminal_only() -> None:
    text = "reason: the stores confirm graph because they hold the name"
    out, written = terminal(30)
    print_wrapped(out, text)
    lines = written.getvalue().splitlines()
    assert len(lines) == 3 and all(len(line) <= 30 for line in lines)
    assert lines[0].startswith("  reason:") and all(line.startswith("    ") for line in lines[1:])
    assert " ".join(" ".join(lines).split()) == text
    piped, written = terminal(30, is_terminal=False)
    print_wrapped(piped, text)
    assert written.getvalue() == f"  {text}\n"


@pytest.mark.parametrize(("width", "is_terminal", "blocks"), [(80, True, False), (24, True, True), (24, False, False)])
def test_rows_that_do_not_fit_a_terminal_become_blocks(width: int, is_terminal: bool, blocks: bool) -> None:
    out, written = terminal(width, is_terminal)
    show_rows(("station", "passengers"), [("Northern Terminal", 1200), ("Quay", None)], out)
    lines = [line.rstrip() for line in written.getvalue().splitlines()]
    if blocks:
        assert lines == [
            "── 1 ──",
            "station     Northern Terminal",
            "passengers  1200",
            "── 2 ──",
            "station     Quay",
            "passengers  ·",
        ]
    else:
        assert [line.split("   ")[0] for line in lines[2:]] == ["Northern Terminal", "Quay"]
        assert lines[2].endswith("1200") and lines[3].endswith("·")

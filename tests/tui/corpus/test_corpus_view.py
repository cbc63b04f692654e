"""The corpus view, driven by keys and mouse."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import ContentSwitcher, Input, Static

from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.tui.app import PolyRAGApp
from polyrag_cli.tui.corpus.chunk_card import ChunkCard
from polyrag_cli.tui.corpus.chunk_list import ChunkList
from polyrag_cli.tui.corpus.corpus_view import CorpusView
from polyrag_cli.tui.corpus.document_table import DocumentTable
from polyrag_cli.tui.corpus.graph_pane import GraphPane
from polyrag_cli.tui.corpus.ingest_bar import IngestBar
from polyrag_cli.tui.corpus.neighbourhood import Neighbourhood
from polyrag_cli.tui.messages import PassageOpened
from polyrag_cli.tui.shell.shell import Shell
from tests.tui.pilot import FULL, NARROW, WIDE, dashboard, run, screen_text, until
from tests.tui.shared import SharedApp

SIZES = [NARROW, WIDE, FULL]


async def _opened(app: PolyRAGApp, pilot: Pilot[None], documents: int = 5) -> DocumentTable:
    """The view with its files read."""
    await until(pilot, app.engine.done, "the engine")
    await pilot.press("f3")
    table = app.query_one(DocumentTable)
    await until(pilot, lambda: table.total == documents, "the files")
    table.focus()
    return table


async def _document(app: PolyRAGApp, pilot: Pilot[None], name: str) -> ChunkList:
    """A document's contents, opened by keys."""
    table = app.query_one(DocumentTable)
    table.go_to([overview.file.document for overview in table.items].index(name))
    await pilot.press("enter")
    contents = app.query_one(ChunkList)
    await until(pilot, lambda: bool(contents.items) and contents.has_focus, f"the contents of {name}")
    return contents


def _shown(app: PolyRAGApp) -> str | None:
    return app.query_one("#detail", ContentSwitcher).current


@pytest.mark.parametrize("size", SIZES)
def test_files_are_listed_with_what_is_known_of_them(shared: SharedApp, size: tuple[int, int]) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await _opened(app, pilot)
        await until(pilot, lambda: "5 files" in screen_text(app), "the note")
        rows = {line.split()[0]: line.split() for line in screen_text(app).splitlines() if "added" in line}
        row = next(row for name, row in rows.items() if "regras.md" in name or "regras.md" in row)
        assert "pt" in row and "2" in row

    shared.run(flow, size)


def test_files_are_filtered_and_sorted_by_keys_and_mouse(shared: SharedApp) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        table = await _opened(app, pilot)
        names = [overview.file.document for overview in table.items]
        assert names == sorted(names)
        await pilot.press("S")
        await until(pilot, lambda: [o.file.document for o in table.items] == names[::-1], "the other order")
        title = str(table.header(table.line_cells - 2))
        await pilot.click(table, offset=(2 + title.index("tables"), 0))
        await until(pilot, lambda: table.sorted_by == "tables", "the order of the clicked column")
        assert table.items[0].file.document == "travessias.csv"
        await pilot.press("slash")
        await until(pilot, lambda: isinstance(app.focused, Input), "the box")
        await pilot.press(*"hist")
        await until(pilot, lambda: len(table.items) == 1, "the filter")
        await until(pilot, lambda: "1 of 5 files" in screen_text(app), "how many it leaves")
        await pilot.press("escape")
        await until(pilot, lambda: len(table.items) == 5 and table.has_focus, "the whole list")

    shared.run(flow)


@pytest.mark.parametrize("size", [NARROW, pytest.param(WIDE, marks=pytest.mark.long)])
def test_a_chunk_shows_its_arithmetic_and_opens_in_its_document(
    shared: SharedApp, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[PassageOpened] = []
    monkeypatch.setattr(Shell, "on_passage_opened", lambda app, message: opened.append(message))

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await _opened(app, pilot)
        await _document(app, pilot, "regras.md")
        await pilot.press("enter")
        card = app.query_one(ChunkCard)
        await until(pilot, lambda: "chunk 1 of 2" in screen_text(app), "the chunk")
        text = screen_text(app)
        assert "from the boundary to" in text and "┤" in text and "home " in text
        await pilot.press("n")
        await until(pilot, lambda: "chunk 2 of 2" in screen_text(app), "the next chunk")
        await pilot.press("o")
        await until(pilot, lambda: bool(opened), "the passage")
        assert card.stored is not None
        assert (opened[0].document, opened[0].end) == ("regras.md", card.stored.chunk.end)
        await pilot.press("escape")
        await until(pilot, lambda: _shown(app) == "contents", "the contents")
        await pilot.press("escape")
        await until(pilot, lambda: app.query_one(DocumentTable).has_focus, "the files")

    shared.run(flow, size)


def test_a_table_shows_its_columns_and_first_rows(shared: SharedApp) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await _opened(app, pilot)
        await _document(app, pilot, "travessias.csv")
        await pilot.press("enter")
        await until(pilot, lambda: _shown(app) == "table", "the table")
        await until(pilot, lambda: "1.310,50" in screen_text(app), "its rows")
        await until(pilot, lambda: "passageiros  integer" in screen_text(app), "its columns")

    shared.run(flow)


@pytest.mark.parametrize("size", [NARROW, pytest.param(WIDE, marks=pytest.mark.long)])
def test_the_graph_is_walked_and_walked_back(shared: SharedApp, size: tuple[int, int]) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await _opened(app, pilot)
        await pilot.press("g")
        await until(pilot, lambda: isinstance(app.focused, Input), "the box")
        await pilot.press(*"regra b2")
        drawing = app.query_one(Neighbourhood)
        names = app.query_one("#graph-names")
        await until(pilot, lambda: list(getattr(names, "items", ()))[:1] == ["Regra B2"], "the name")
        await pilot.press("enter")
        await until(pilot, lambda: drawing.centre == "Regra B2" and drawing.has_focus, "its neighbourhood")
        await until(pilot, lambda: any(box in screen_text(app) for box in ("│ Regra B2 │", "Regra B2 ├")), "its box")
        assert "depende da" in screen_text(app)
        index = [neighbour.name for neighbour in drawing.neighbours].index("Regra B1")
        drawing.cursor = index
        await pilot.press("enter")
        await until(pilot, lambda: drawing.centre == "Regra B1", "the neighbour")
        assert app.query_one(GraphPane).way == ["Regra B2", "Regra B1"]
        await pilot.press("backspace")
        await until(pilot, lambda: drawing.centre == "Regra B2", "the way back")
        assert drawing.cursor == index

    shared.run(flow, size)


@pytest.mark.long
def test_a_name_of_a_chunk_leads_into_the_graph_by_mouse(shared: SharedApp) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await _opened(app, pilot)
        await _document(app, pilot, "regras.md")
        await pilot.press("enter")
        names = app.query_one("#chunk-names")
        await until(pilot, lambda: "Regra B1" in list(getattr(names, "items", ())), "the names")
        line = list(getattr(names, "items", ())).index("Regra B1")
        await until(pilot, lambda: names.size.height > line, "its line")
        await pilot.click("#chunk-names", offset=(4, line))
        await until(pilot, lambda: app.query_one(Neighbourhood).centre == "Regra B1", "the graph")

    shared.run(flow)


def test_a_missing_path_is_refused_and_a_folder_is_added(tmp_path: Path, small_folder: Path) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await pilot.press("f3")
        await until(pilot, lambda: "press a to add a" in screen_text(app), "the hint")
        await pilot.press("a")
        await until(pilot, lambda: isinstance(app.focused, Input) and app.screen is not app.front, "the box")
        await pilot.press(*"/nowhere/at-all", "enter")
        await until(pilot, lambda: "/nowhere/at-all: no such file or folder." in screen_text(app), "the refusal")
        app.screen.query_one(Input).value = str(small_folder)
        await pilot.press("enter")
        table = app.screen_stack[0].query_one(DocumentTable)
        await until(pilot, lambda: table.total == 5, "the files")
        await until(pilot, lambda: app.query_one(IngestBar).run is None, "the end")
        await until(pilot, lambda: "5 added" in screen_text(app), "the report")

    run(dashboard(tmp_path / "data"), flow)


@pytest.mark.long
def test_a_failed_file_is_reported_first_with_its_reason(tmp_path: Path) -> None:
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / "a.md").write_text("# A\n\nUma balsa.\n", encoding="utf-8")
    (folder / "z.xlsx").write_bytes(b"no workbook at all")

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await pilot.press("f3")
        app.query_one(IngestBar).ingest([folder], True)
        await until(pilot, lambda: "1 failed" in screen_text(app), "the report")
        await pilot.press("l")
        await until(pilot, lambda: "✗" in screen_text(app), "its lines")
        lines = [line for line in screen_text(app).splitlines() if "failed" in line or "added" in line]
        report = [line for line in lines if "✗" in line or "✓" in line]
        assert "z.xlsx" in report[0] and "a.md" in report[1]

    run(dashboard(tmp_path / "data"), flow)


def test_an_ingest_is_stopped_and_what_was_committed_stays(tmp_path: Path) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(300):
        (folder / f"n{number:03}.md").write_text(f"# N\n\n{'A balsa sai. ' * 90} {number}\n", encoding="utf-8")

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await pilot.press("f3")
        bar = app.query_one(IngestBar)
        bar.ingest([folder], True)
        await until(pilot, lambda: bar.run is not None and bar.run.job.done > 10, "some files", 60)
        await until(pilot, lambda: "this dashboard ingests" in screen_text(app), "the line")
        await pilot.press("x")
        await until(pilot, lambda: bar.run is None, "the stop")
        await until(pilot, lambda: "stopped:" in screen_text(app), "the report")
        with app.engine.result().catalog.snapshot() as snapshot:
            kept = len(app.engine.result().catalog.sources(snapshot))
        assert kept < 300
        summary = " ".join(str(app.query_one("#report-summary", Static).content).split())
        assert f"{kept} of them committed; those stay" in summary

    run(dashboard(tmp_path / "data"), flow, FULL)


_WORKING = """
import select, sys
from pathlib import Path
from polyrag_cli.stores.jobs import Jobs
with Jobs(Path(sys.argv[1])).tracked("ingest") as update:
    while not select.select([sys.stdin], [], [], 0.05)[0]:
        update(120, 2000, "x.md", 830)
"""


def test_work_of_another_process_is_shown_while_it_lasts(own_data: Path) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await _opened(app, pilot)
        command = [sys.executable, "-c", _WORKING, str(DataPaths(own_data).jobs)]
        with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
            told = f"another process ({process.pid}) ingests:"
            await until(pilot, lambda: told in screen_text(app), "the job")
            await until(pilot, lambda: "120 of 2,000 files · 830 chunks · at x.md" in screen_text(app), "its progress")
            assert not app.query_one("#job-stop").display
            process.communicate()
        await until(pilot, lambda: told not in screen_text(app), "its end")

    run(dashboard(own_data), flow)


def test_a_document_is_removed_only_after_a_yes(own_data: Path) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        table = await _opened(app, pilot)
        table.go_to(0)
        await pilot.press("d")
        await until(pilot, lambda: app.screen is not app.front, "the question")
        await pilot.press("n")
        await until(pilot, lambda: app.screen is app.front, "the files")
        await pilot.press("d")
        await until(pilot, lambda: "Remove historia.md from the corpus?" in screen_text(app), "the question")
        await pilot.press("y")
        await until(pilot, lambda: table.total == 4, "the removal")
        assert "historia.md" not in [overview.file.document for overview in table.items]

    run(dashboard(own_data), flow)


def test_a_change_by_another_process_keeps_the_selection(own_data: Path, tmp_path: Path) -> None:
    from polyrag_cli.engine import Engine

    extra = tmp_path / "extra"
    extra.mkdir()
    (extra / "aaa.md").write_text("# Aviso\n\nO cais fecha cedo.\n", encoding="utf-8")

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        table = await _opened(app, pilot)
        table.go_to(3)
        chosen = table.current
        with Engine.open(data_dir=own_data, overrides={"embedder.name": "hashing"}) as other:
            other.ingest([extra])
        await until(pilot, lambda: table.total == 6, "the new file")
        assert chosen is not None and table.current is not None
        assert table.current.file.document == chosen.file.document

    run(dashboard(own_data), flow)


def test_text_of_the_corpus_is_never_markup_nor_control(tmp_path: Path) -> None:
    folder = tmp_path / "odd"
    folder.mkdir()
    name = "[red]渡し船[b].md"
    (folder / name).write_text("# [bold]Título\n\nA balsa [/bold] sai \x1b[31m cedo. 日本語の文。\n", encoding="utf-8")

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        app.query_one(IngestBar).ingest([folder], False)
        await _opened(app, pilot, 1)
        await until(pilot, lambda: name in screen_text(app), "the name")
        await _document(app, pilot, name)
        await pilot.press("enter")
        await until(pilot, lambda: "A balsa [/bold] sai" in screen_text(app), "the text")
        assert "日本語の文" in screen_text(app)
        assert "\x1b" not in screen_text(app)

    run(dashboard(tmp_path / "data"), flow, FULL)


@pytest.mark.long
def test_the_list_is_remembered_as_it_was_sorted_and_filtered(small_data: Path, tmp_path: Path) -> None:
    saved: dict[str, object] = {}

    async def first(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        table = await _opened(app, pilot)
        table.sort_by("chunks", True)
        await pilot.press("slash")
        await until(pilot, lambda: isinstance(app.focused, Input), "the box")
        await pilot.press("n", "o")
        await until(pilot, lambda: len(table.items) == 2, "the filter")
        saved.update(app.query_one(CorpusView).saved())

    async def second(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        table = await _opened(app, pilot)
        app.query_one(CorpusView).restore({**saved, "sorted_by": "chunks"})
        await until(pilot, lambda: len(table.items) == 2, "the filter")
        assert (table.sorted_by, table.backwards) == ("chunks", True)
        app.query_one(CorpusView).restore({"sorted_by": "nothing", "filter": 3})
        assert table.sorted_by == "chunks"

    data = Path(shutil.copytree(small_data, tmp_path / "copy"))
    run(dashboard(data), first)
    run(dashboard(data), second)


@pytest.mark.long
def test_a_damaged_corpus_is_said_with_what_to_do(own_data: Path) -> None:
    (own_data / "catalog.sqlite").write_bytes(b"no database " * 1000)

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: "Move it away and run" in " ".join(screen_text(app).split()), "the advice")
        assert "Add files" not in screen_text(app)
        await pilot.press("f3")
        note = app.query_one("#files-note", Static)
        await until(pilot, lambda: "is damaged" in str(note.content) and note.size.height > 0, "why there is no file")

    run(dashboard(own_data), flow, FULL)

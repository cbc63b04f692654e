"""What `ingest`, `init` and `corpus` print and leave."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from polyrag_cli.config.template import polyrag_toml
from tests.command_line import Finished

Run = Callable[..., Finished]


def test_a_line_for_each_file_and_the_totals(polyrag: Run, small_folder: Path) -> None:
    done = polyrag("ingest", small_folder)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    (table,) = [line for line in lines if line.startswith("  travessias.csv ")]
    assert "added" in table and "1 table  6 rows × 4" in table and "decimal comma (receita)" in table
    assert lines[-1].startswith("  5 added, 0 updated, 0 unchanged, 0 skipped, 0 failed · 7 chunks, 1 table · ")
    again = polyrag("ingest", small_folder).out.splitlines()
    assert again[-1].startswith("  nothing to do: 5 unchanged · 7 chunks, 1 table in the corpus · ")


def test_nothing_to_do_over_many_files_is_one_line(polyrag: Run) -> None:
    Path("in").mkdir()
    for number in range(7):
        Path(f"in/{number}.txt").write_text(f"Rope number {number} hangs over the quay.")
    assert polyrag("ingest", "in").code == 0
    again = polyrag("ingest", "in")
    assert again.out.startswith("  nothing to do: 7 unchanged · 7 chunks, 0 tables in the corpus · ")
    assert again.out.count("\n") == 1
    assert {file["status"] for file in polyrag("ingest", "in", "--json").json["files"]} == {"unchanged"}
    dry = polyrag("ingest", "in", "--dry-run")
    assert dry.out.startswith("  dry run, nothing written: nothing to do: 7 unchanged · 7 chunks")


def test_changed_vanished_skipped_and_failed_files(polyrag: Run) -> None:
    folder = Path("in")
    folder.mkdir()
    for name in ("a.txt", "b.txt", "c.txt"):
        (folder / name).write_text(f"Text of {name}.")
    assert polyrag("ingest", "in").code == 0
    (folder / "a.txt").write_text("Another text.")
    (folder / "b.txt").unlink()
    (folder / "d.zip").write_bytes(b"PK")
    (folder / "e.csv").write_bytes(bytes(range(256)))
    done = polyrag("ingest", "in")
    assert done.code == 3
    states = {line.split()[0]: line.split()[1] for line in done.out.splitlines()[:-2]}
    assert states == {
        "a.txt": "updated",
        "b.txt": "removed",
        "c.txt": "unchanged",
        "d.zip": "skipped",
        "e.csv": "failed",
    }
    assert "1 removed, 1 skipped, 1 failed" in done.out.splitlines()[-1]
    (folder / "e.csv").unlink()
    assert polyrag("ingest", "in").code == 0


def test_a_dry_run_says_so_and_writes_nothing(polyrag: Run, small_folder: Path) -> None:
    done = polyrag("ingest", "--dry-run", small_folder)
    assert done.code == 0
    assert done.out.splitlines()[-1].startswith("  dry run, nothing written: 5 added")
    assert not Path(".polyrag").exists()


def test_only_where_no_file_can_be_read_the_kinds_that_can_are_named(polyrag: Run) -> None:
    folder = Path("in")
    folder.mkdir()
    (folder / "a.zip").write_bytes(b"PK")
    said = "Nothing was found to read there. Files that are read: "
    assert polyrag("ingest", "in").err.startswith(said)
    assert polyrag("ingest", "in", "--json").err.startswith(said)
    (folder / "b.txt").write_text("A rope.")
    for _ in range(2):
        assert said not in polyrag("ingest", "in").err
    asked = polyrag("ask", "Xyzzy?")
    assert asked.code == 1 and "no document" not in asked.err


def test_without_the_graph(polyrag: Run, small_folder: Path) -> None:
    assert polyrag("ingest", "--skip-graph", small_folder).code == 0
    assert polyrag("doctor", "--json").json["counts"]["chunks"] == 7
    assert polyrag("corpus", "graph", "Regra B1").code == 1


def test_another_embedder_names_the_command_that_helps(polyrag: Run, own_data: Path) -> None:
    Path("polyrag.toml").write_text("[embedder]\nname = 'none'\n")
    run_with = ["--data", own_data, "--config", "polyrag.toml"]
    refused = polyrag(*run_with, "ask", "--override", "embedder.name=none", "balsa").failed(3)
    assert "hashing" in refused and "none" in refused and "polyrag ingest --reembed" in refused
    assert polyrag("--data", own_data, "ingest", "--reembed", "--override", "embedder.name=none").code == 0
    assert polyrag("--data", own_data, "ask", "--override", "embedder.name=none", "Como tudo começou?").code == 0
    assert "polyrag ingest --reembed" in polyrag("--data", own_data, "ask", "balsa").failed(3)


def test_init_writes_the_defaults_once(polyrag: Run) -> None:
    done = polyrag("init")
    assert (done.code, done.out) == (0, "")
    assert "Next: polyrag ingest" in done.err
    assert Path("polyrag.toml").read_text(encoding="utf-8") == polyrag_toml()
    Path("polyrag.toml").write_text("[answer]\ntop_k = 3\n")
    assert "--force" in polyrag("init").failed(2)
    assert Path("polyrag.toml").read_text() == "[answer]\ntop_k = 3\n"
    assert polyrag("init", "--force").code == 0
    assert Path("polyrag.toml").read_text(encoding="utf-8") == polyrag_toml()


def test_corpus_shows_and_removes(polyrag: Run, own_data: Path) -> None:
    listed = polyrag("--data", own_data, "corpus", "list").out
    assert [line.split()[0] for line in listed.splitlines()] == [
        "historia.md",
        "notes.txt",
        "notices.jsonl",
        "regras.md",
        "travessias.csv",
    ]
    assert "Umbrellas" in polyrag("--data", own_data, "corpus", "show", "notices.jsonl").out
    tables = polyrag("--data", own_data, "corpus", "tables").out.splitlines()
    assert tables[0] == "travessias  6 rows  from travessias.csv"
    assert [line.split()[:2] for line in tables[1:]] == [
        ["linha", "text"],
        ["mes", "text"],
        ["passageiros", "integer"],
        ["receita", "number"],
    ]
    card = polyrag("--data", own_data, "corpus", "tables", "TRAVESSIAS").out.splitlines()
    assert card[0] == "travessias  6 rows × 4  from travessias.csv" and card[1].startswith("  read as  ")
    shown = polyrag("--data", own_data, "corpus", "tables", "travessias", "--json").json["table"]
    assert [column["name"] for column in shown["columns"]] == ["linha", "mes", "passageiros", "receita"]
    assert shown["relations"] == [] and shown["unread"] == 0
    assert "There is no table 'rotas'" in polyrag("--data", own_data, "corpus", "tables", "rotas").failed(2)
    assert "Regra B2" in polyrag("--data", own_data, "corpus", "graph", "Regra B1").out
    for name in ("notices.jsonl", "travessias.csv"):
        removed = polyrag("--data", own_data, "corpus", "remove", name)
        assert removed == Finished(0, "", f"{name}: removed from the corpus.\n")
    assert "notices" not in polyrag("--data", own_data, "corpus", "list").out
    assert polyrag("--data", own_data, "corpus", "tables").out == ""
    assert "travessias" in polyrag("--data", own_data, "sql", "SELECT * FROM travessias").failed(2)


def test_doctor_repairs(polyrag: Run, own_data: Path) -> None:
    before = polyrag("--data", own_data, "doctor", "--json").json
    for derived in (own_data / "cache").rglob("*"):
        if derived.is_file():
            derived.unlink()
    after = polyrag("--data", own_data, "doctor", "--fix", "--json").json
    assert after == before
    assert all(check["ok"] for check in after["checks"])
    assert list((own_data / "cache").glob("graph-*"))

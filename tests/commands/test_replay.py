"""`replay`: 0 for the same decision, 4 with readable differences for another one."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

from tests.command_line import Finished

Run = Callable[..., Finished]
QUESTION = "Quem precisa autorizar a saída com vento forte?"


def asked(polyrag: Run, data: Path) -> str:
    trace: str = polyrag("--data", data, "ask", "--json", QUESTION).json["trace_id"]
    return trace


def test_the_same_decision_is_0(polyrag: Run, own_data: Path) -> None:
    trace = asked(polyrag, own_data)
    done = polyrag("--data", own_data, "replay", trace[:6])
    assert done == Finished(0, f"{trace[:8]}  same decision  {QUESTION}\n", "")


def test_a_changed_anchor_is_4_and_named(polyrag: Run, own_data: Path) -> None:
    trace = asked(polyrag, own_data)
    Path("polyrag.toml").write_text(f'[routes.vectorial.anchors]\nquestion.pt = ["{QUESTION}"]\n')
    done = polyrag("--data", own_data, "replay", trace)
    assert (done.code, done.err) == (4, "")
    first, *differences = done.out.splitlines()
    assert first == f"{trace[:8]}  differs  {QUESTION}"
    assert differences[0].startswith("  configuration, anchors or embedder ")
    (anchor,) = [line for line in differences if line.startswith("  nearest anchor of vectorial: ")]
    assert anchor.endswith(f"→ {QUESTION!r}")
    (cosine,) = [line for line in differences if line.startswith("  cosine of vectorial: ")]
    before, after = (float(value) for value in cosine.removeprefix("  cosine of vectorial: ").split(" → "))
    assert after > before + 0.1


def test_a_changed_corpus_is_4_and_named(polyrag: Run, own_data: Path) -> None:
    trace = asked(polyrag, own_data)
    Path("vento.md").write_text(
        "# Vento\n\n## Vento forte\n\nQuem precisa autorizar a saída com vento forte é a Capitania.\n"
    )
    assert polyrag("--data", own_data, "ingest", "vento.md").code == 0
    done = polyrag("--data", own_data, "replay", trace)
    assert done.code == 4
    assert done.out.splitlines()[1] == "  corpus generation 1 → 2"


def test_the_same_decision_over_the_same_content_again_is_0(polyrag: Run, own_data: Path) -> None:
    (_, trace, _) = several(polyrag, own_data)
    for text in ("A rope lies on the quay.", "A rope lies."):
        Path("new.txt").write_text(text)
        assert polyrag("--data", own_data, "ingest", "new.txt").code == 0
    Path("new.txt").unlink()
    assert polyrag("--data", own_data, "corpus", "remove", "new.txt").code == 0
    done = polyrag("--data", own_data, "replay", trace)
    said = "same decision; corpus generation 1 → 4"
    assert done == Finished(0, f"{trace[:8]}  {said}  Qual foi a receita total?\n", "")
    assert polyrag("--data", own_data, "replay", trace, "--json").json["differences"] == []


def test_another_configuration_of_the_same_numbers_is_told_and_is_0(polyrag: Run, own_data: Path) -> None:
    (greeting, *_) = several(polyrag, own_data)
    change = ("--override", "routes.graph.tau_high=0.9")
    done = polyrag("--data", own_data, "replay", greeting, *change)
    assert done.code == 0 and "  same decision; configuration, anchors or embedder " in done.out
    many = polyrag("--data", own_data, "replay", "--last", 1, *change)
    assert many.code == 0 and many.out.endswith(
        "1 decision: 1 same (1 under another configuration or corpus generation), 0 different\n"
    )
    assert polyrag("--data", own_data, "replay", "--last", 1, "--changed", "--json", *change).json["replayed"] == []


def test_an_override_counts_as_configuration(polyrag: Run, own_data: Path) -> None:
    trace = asked(polyrag, own_data)
    done = polyrag("--data", own_data, "replay", trace, "--override", "routes.graph.tau_high=0.9")
    assert done.code == 4
    assert "configuration, anchors or embedder " in done.out and "tau_high: " in done.out


# ---------------------------------------------------------------- many
def several(polyrag: Run, data: Path) -> list[str]:
    forget(data)
    for question in (QUESTION, "Qual foi a receita total?", "oi"):
        polyrag("--data", data, "ask", "--no-cache", question)
    listed = polyrag("--data", data, "trace", "list", "--json").json["traces"]
    return [entry["trace_id"] for entry in listed]


def forget(data: Path) -> None:
    """Drops what other tests had asked of the corpus that this one is a copy of."""
    for suffix in ("", "-wal", "-shm"):
        (data / f"activity.sqlite{suffix}").unlink(missing_ok=True)


def rerouted(question: str = QUESTION) -> None:
    Path("polyrag.toml").write_text(
        f'[routes.vectorial.anchors]\nquestion.pt = ["{question}"]\n[routing]\ntext_weight = 0.0\n'
    )


def test_all_the_same_is_0(polyrag: Run, own_data: Path) -> None:
    newest, _, oldest = several(polyrag, own_data)
    done = polyrag("--data", own_data, "replay", "--all")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "same: 3" and lines[-1] == "3 decisions: 3 same, 0 different"
    assert lines[1].split()[:2] == [newest[:8], "direct"] and lines[3].split()[:2] == [oldest[:8], "graph"]
    only = polyrag("--data", own_data, "replay", "--changed")
    assert (only.code, only.out) == (0, "3 decisions: 3 same, 0 different\n")


def test_changed_routes_come_first_and_are_4(polyrag: Run, own_data: Path) -> None:
    several(polyrag, own_data)
    rerouted()
    done = polyrag("--data", own_data, "replay", "--changed")
    assert (done.code, done.err) == (4, "")
    lines = done.out.splitlines()
    assert lines[0].startswith("another route: ")
    assert "graph → vectorial" in lines[1] and QUESTION in lines[1]
    assert lines[2].strip().startswith("configuration: graph ") and " · vectorial " in lines[2]
    assert (
        lines[-1].startswith("3 decisions: 1 same (1 under another configuration or corpus generation), 2 different (")
        and "since then changed: configuration 2" in lines[-1]
    )
    assert polyrag("--data", own_data, "replay", "--all", "--routes-only").code == 4
    listed = polyrag("--data", own_data, "replay", "--all", "--json").json
    assert {"replayed", "unreadable", "changes", "causes"} == set(listed)
    assert listed["changes"]["route"] >= 1 and listed["causes"] == {"configuration": 3}
    assert {"trace_id", "question", "change", "cause", "before", "now", "reasons", "differences"} <= set(
        listed["replayed"][0]
    )


def test_a_commit_is_4_unless_only_routes_count(polyrag: Run, own_data: Path) -> None:
    several(polyrag, own_data)
    Path("new.txt").write_text("A rope lies on the quay.")
    assert polyrag("--data", own_data, "ingest", "new.txt").code == 0
    done = polyrag("--data", own_data, "replay", "--all")
    assert done.code == 4
    assert "same decision, under another configuration or corpus generation: 2" in done.out.splitlines()
    assert done.out.count("            corpus generation 1 → 2\n") == 2
    assert "1 numbers only; since then changed: corpus 1)" in done.out.splitlines()[-1]
    assert polyrag("--data", own_data, "replay", "--all", "--routes-only").code == 0


def test_traces_are_chosen(polyrag: Run, own_data: Path) -> None:
    every = several(polyrag, own_data)

    def ids(*arguments: str) -> list[str]:
        replayed = polyrag("--data", own_data, "replay", *arguments, "--json").json["replayed"]
        return [one["trace_id"] for one in replayed]

    assert ids("--last", "2") == every[:2]
    assert ids("--route", "graph") == every[2:]
    assert ids("--last", "1", "--route", "relational") == every[1:2]
    assert ids(every[2][:8], every[0]) == [every[2], every[0]]
    assert ids("--changed") == []
    done = polyrag("--data", own_data, "replay", "--route", "nowhere")
    assert (done.code, done.out) == (1, "") and done.err.count("\n") == 1


def test_what_cannot_be_read_is_3_and_the_others_go_on(polyrag: Run, own_data: Path) -> None:
    every = several(polyrag, own_data)
    connection = sqlite3.connect(own_data / "activity.sqlite")
    with connection:
        connection.execute("UPDATE traces SET payload = x'00' WHERE trace_id = ?", (every[1],))
    connection.close()
    done = polyrag("--data", own_data, "replay", "--all")
    assert (done.code, done.err) == (3, "")
    assert [line for line in done.out.splitlines() if line.startswith(f"  {every[1][:8]}  can't be read: damaged")]
    assert done.out.splitlines()[-1] == "2 decisions: 2 same, 0 different · 1 unreadable"
    Path("polyrag.toml").write_text("[routing]\ntext_weight = 0.0\n")
    assert polyrag("--data", own_data, "replay", "--all").code == 4


def test_wrong_choices_are_2(polyrag: Run, own_data: Path) -> None:
    (trace, *_) = several(polyrag, own_data)
    assert "--last 20" in polyrag("--data", own_data, "replay").failed(2)
    assert "--all" in polyrag("--data", own_data, "replay", trace, "--all").failed(2)
    assert "no trace" in polyrag("--data", own_data, "replay", trace, "zzzz").failed(2)


def test_long_groups_are_cut_short(polyrag: Run, own_data: Path) -> None:
    forget(own_data)
    for number in range(12):
        polyrag("--data", own_data, "ask", "--no-cache", f"{number} + 1")
    done = polyrag("--data", own_data, "replay", "--all")
    lines = done.out.splitlines()
    assert len(lines) == 13 and lines[11] == "  … and 2 more; --json has all"

"""`replay`: 0 for the same decision, 4 with readable differences for another one."""

from __future__ import annotations

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
    assert any(line.startswith("  configuration, anchors or embedder changed: ") for line in differences)
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
    assert "  corpus changed: generation 1 → 2" in done.out.splitlines()


def test_an_override_counts_as_configuration(polyrag: Run, own_data: Path) -> None:
    trace = asked(polyrag, own_data)
    done = polyrag("--data", own_data, "replay", trace, "--override", "routes.graph.tau_high=0.9")
    assert done.code == 4
    assert "configuration, anchors or embedder changed" in done.out

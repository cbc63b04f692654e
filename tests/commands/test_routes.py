"""A route is one table in polyrag.toml: it receives questions and chunks without any code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.command_line import Finished

Run = Callable[..., Finished]

TABLE = """
[routes.recipes]
store = "vector"

[routes.recipes.anchors]
question.en = ["How long does the stew simmer?", "How much salt goes into the dough?"]
chunk.en = ["Simmer the stew for two hours and stir it now and then.", "Knead the dough with salt and water."]
"""


def test_a_table_alone_adds_a_route(polyrag: Run) -> None:
    Path("polyrag.toml").write_text(TABLE)
    Path("kitchen.md").write_text(
        "# Galley\n\n## Stew\n\nSimmer the stew for three hours and stir it now and then.\n\n"
        "## Order\n\nThe galley belongs to the ferry and nobody cooks there at night.\n"
    )
    report = polyrag("ingest", "kitchen.md", "--json").json
    assert report["files"][0]["routes"].get("recipes", 0) >= 1
    shown = polyrag("corpus", "show", "kitchen.md", "--json").json["chunks"]
    homes = {entry["chunk"]["heading"]: entry["route"]["home"] for entry in shown}
    assert homes["Stew"] == "recipes"
    question = "How long does the stew simmer?"
    (clause,) = polyrag("route", question, "--json").json["clauses"]
    assert clause["route"] == "recipes"
    assert [score["anchor"] for score in clause["scores"] if score["route"] == "recipes"] == [question]
    done = polyrag("ask", question)
    assert done.code == 0 and "three hours" in done.out.splitlines()[0]
    assert done.err.startswith("recipes ")
    assert polyrag("ask", "--route", "recipes", "--json", "stew").json["route"] == "recipes"


def test_a_disabled_route_receives_nothing(polyrag: Run, small_data: Path) -> None:
    Path("polyrag.toml").write_text("[routes.graph]\nenabled = false\n")
    decision = polyrag("--data", small_data, "route", "Quem precisa autorizar a saída?", "--json").json
    assert "graph" not in {score["route"] for clause in decision["clauses"] for score in clause["scores"]}
    assert "no route" in polyrag("--data", small_data, "ask", "balsa", "--route", "graph").failed(2)

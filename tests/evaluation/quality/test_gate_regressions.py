"""The gate finds faults planted in a working engine, names a question for each, and passes runs that are unchanged.

golden.yaml finds most of them. It has no question that hangs on one anchor, on a delta_margin off by a tenth, or on the
exact ranks of Reciprocal Rank Fusion: its decisions are clear, and two of its questions alone are fused by rank.
boundary.yaml holds such questions. Found by neither: BM25's length normalisation (b = 0), the damping of PageRank, and
small shifts of the evidence weights; those formulas are held by hand-computed tests.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from polyrag_cli.answering.guard import Verdict as GuardVerdict
from polyrag_cli.config.sections import GateSettings
from polyrag_cli.config.tree import defaults
from polyrag_cli.datasets import load_set
from polyrag_cli.engine import Engine
from polyrag_cli.engine.asking import Asker
from polyrag_cli.evaluation.quality.baseline import Baseline, origin_of, read_baseline, write_baseline
from polyrag_cli.evaluation.quality.gate import SetVerdict, Verdict, judge
from polyrag_cli.evaluation.quality.runner import run_set
from polyrag_cli.routing.clauses import Clause
from polyrag_cli.scoring.significance import mcnemar
from polyrag_cli.text.utterance import Utterance
from tests.command_line import ROOT
from tests.prepared import put_model

SETS = {"golden": ROOT / "eval" / "golden.yaml", "boundary": Path(__file__).with_name("boundary.yaml")}
ROUTES = ("relational", "vectorial", "graph")
DEFAULTS = defaults()
Patch = Callable[[pytest.MonkeyPatch], None]


def unpatched(patch: pytest.MonkeyPatch) -> None:
    """A fault of the settings alone."""


@dataclass(frozen=True)
class Regression:
    """A fault: settings or a patch. shows: what the offender's line must name. ingest: it spoils what is stored."""

    name: str
    shows: str
    on: str = "golden"
    overrides: Mapping[str, Any] = field(default_factory=dict)
    patch: Patch = unpatched
    ingest: bool = False


def swapped_anchor() -> dict[str, list[str]]:
    """One question anchor of `graph` and one of `vectorial` in each other's place."""
    graph, vectorial = (list(DEFAULTS["routes"][name]["anchors"]["question"]["pt"]) for name in ("graph", "vectorial"))
    i, j = graph.index("Quem é o responsável por este processo?"), vectorial.index("Qual é a história da organização?")
    graph[i], vectorial[j] = vectorial[j], graph[i]
    return {"routes.graph.anchors.question.pt": graph, "routes.vectorial.anchors.question.pt": vectorial}


def on_every_route(key: str, value: float) -> dict[str, float]:
    return {f"routes.{route}.{key}": value for route in ROUTES}


def returning(target: str, value: Any) -> Patch:
    return lambda patch: patch.setattr(target, lambda *_, **__: value)


def setting(target: str, value: Any) -> Patch:
    return lambda patch: patch.setattr(target, value)


def broken_stemmer(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("polyrag_cli.text.stem._stem", lambda word, language: word)


def misread_comma(patch: pytest.MonkeyPatch) -> None:
    from polyrag_cli.tables import quantities

    right = quantities.to_number
    patch.setattr(quantities, "to_number", lambda cell, decimal, factor: right(cell, ".", factor))


def inverted_home_bonus(patch: pytest.MonkeyPatch) -> None:
    from polyrag_cli.strategies import heads

    right = heads.with_home_bonus
    patch.setattr(heads, "with_home_bonus", lambda scores, homes, route, bonus: right(scores, homes, route, -bonus))


def one_passage_fewer(patch: pytest.MonkeyPatch) -> None:
    right = Asker.events
    patch.setattr(Asker, "events", lambda self, asked: right(self, replace(asked, top_k=asked.top_k - 1)))


def one_clause(asked: Utterance) -> tuple[Clause, ...]:
    return (Clause(asked.text, 0, len(asked.text)),)


REGRESSIONS = (
    Regression("swapped anchor", "stage 2: cosine of", "boundary", swapped_anchor()),
    Regression("delta_margin off by 0.1", "stage 2: delta_margin 0.25 → 0.15", "boundary",
               on_every_route("delta_margin", 0.15)),
    Regression("tau_high 0.1 too high", "stage 2: tau_high 0.50 → 0.60", "boundary", on_every_route("tau_high", 0.6)),
    Regression("tau_high 0.1 too low", "stage 2: tau_high 0.50 → 0.40", "boundary", on_every_route("tau_high", 0.4)),
    Regression("evidence_min off by 0.1", "evidence is below 0.33", overrides={"routing.evidence_min": 0.33}),
    Regression("text evidence weighs half", "stage 3: final score of", overrides={"routing.text_weight": 0.5}),
    Regression("broken stemmer", "SQL:", patch=broken_stemmer, ingest=True),
    Regression("broken accent folding", "SQL:",
               patch=setting("polyrag_cli.text.fold._ACCENTS", re.compile("(?!)")), ingest=True),
    Regression("lost lexical index", "stage 3: evidence of vectorial",
               patch=returning("polyrag_cli.stores.lexical_fts5.FTS5LexicalStore.search", [])),
    Regression("lost vector index", "retrieval (hybrid)",
               patch=returning("polyrag_cli.stores.vector_faiss.FaissVectorStore.search", [])),
    Regression("lost graph", "retrieval (graph_walk)",
               patch=returning("polyrag_cli.stores.graph_sqlite.SQLiteGraphStore.add", None), ingest=True),
    Regression("BM25 k1 tenfold", "retrieval (hybrid)", patch=setting("polyrag_cli.stores.lexical_fts5.K1", 15.0)),
    Regression("decimal comma misread", "SQL: SELECT SUM(receita_bruta)", patch=misread_comma, ingest=True),
    Regression("home bonus subtracted", "retrieval (hybrid)", patch=inverted_home_bonus),
    Regression("clauses not split", "clauses: split into 2 → 1",
               patch=setting("polyrag_cli.routing.router.split", one_clause)),
    Regression("top_k off by one", "1 gone, 0 new", patch=one_passage_fewer),
    Regression("cache guard off", "cache: would serve the answer to",
               patch=returning("polyrag_cli.answering.cache.compare", GuardVerdict(True, ""))),
)  # fmt: skip
# One of the settings; of the others each takes as long, those of what is stored longer by an ingest.
QUICK = {"swapped anchor"}


def forget() -> None:
    """Empties what functions remember of their results, which a patch would not reach."""
    for name, module in list(sys.modules.items()):
        if name.startswith("polyrag_cli") and module is not None:
            for value in vars(module).values():
                clear = getattr(value, "cache_clear", None)
                if callable(clear):
                    clear()


def measured(data: Path, name: str, overrides: Mapping[str, Any] | None = None) -> tuple[Any, Any]:
    """A set's report and its origin over demo/, which is ingested where the data directory holds nothing."""
    given = {"tracing.enabled": False, **(overrides or {})}
    with Engine.open(data_dir=data, config=ROOT / "polyrag.toml", overrides=given) as engine:
        if not engine.paths.catalog.exists():
            engine.ingest([ROOT / "demo"])
        return run_set(engine, load_set(SETS[name])), origin_of(engine)


@pytest.fixture(scope="module")
def runs(demo_data: Path) -> dict[str, tuple[Any, Any]]:
    """The sets as they are answered now, each a report and its origin."""
    return {name: measured(demo_data, name) for name in SETS}


@pytest.fixture(scope="module")
def baseline(runs: dict[str, tuple[Any, Any]], tmp_path_factory: pytest.TempPathFactory) -> Baseline:
    file = tmp_path_factory.mktemp("baseline") / "baseline.json"
    write_baseline(file, runs["golden"][1], {name: report.items for name, (report, _) in runs.items()})
    return read_baseline(file)


@pytest.fixture
def forgetful() -> Iterator[None]:
    forget()
    yield
    forget()


def verdict_of(baseline: Baseline, name: str, run: tuple[Any, Any]) -> Verdict:
    settings = GateSettings()
    return judge({name: run[0]}, run[1], baseline, {name: name}, settings, "baseline.json")


def planted(regression: Regression, baseline: Baseline, data: Path) -> SetVerdict:
    with pytest.MonkeyPatch.context() as patch:
        regression.patch(patch)
        forget()
        verdict = verdict_of(baseline, regression.on, measured(data, regression.on, regression.overrides))
    assert not verdict.passed
    assert "lost, 0 allowed" in verdict.reasons[0]
    return verdict.sets[regression.on]


@pytest.fixture
def fresh(model: Path, tmp_path: Path) -> Path:
    """A data directory with nothing ingested."""
    return put_model(model, tmp_path / "data")


def check(regression: Regression, baseline: Baseline, demo_data: Path, fresh: Path) -> None:
    checked = planted(regression, baseline, fresh if regression.ingest else demo_data)
    lines = [flip.change for flip in checked.lost]
    assert any(regression.shows in line for line in lines), lines
    known = {item.question for item in load_set(SETS[regression.on])}
    assert {flip.question for flip in checked.lost} <= known
    for comparison in checked.comparisons:
        if comparison.test == "McNemar":
            assert comparison.p == round(mcnemar(comparison.lost, comparison.won), 4)


def named(regressions: Sequence[Regression]) -> list[Any]:
    return [pytest.param(regression, id=regression.name) for regression in regressions]


@pytest.mark.usefixtures("forgetful")
@pytest.mark.parametrize("regression", named([r for r in REGRESSIONS if r.name in QUICK]))
def test_the_gate_finds_a_planted_fault(
    regression: Regression, baseline: Baseline, demo_data: Path, fresh: Path
) -> None:
    check(regression, baseline, demo_data, fresh)


def test_the_demo_passes_against_the_baseline_that_is_kept(runs: dict[str, tuple[Any, Any]]) -> None:
    kept = read_baseline(ROOT / "eval" / "baseline.json")
    report, origin = runs["golden"]
    verdict = judge({"golden": report}, origin, kept, {"golden": "golden.yaml"}, GateSettings(), "baseline.json")
    assert verdict.passed, (verdict.reasons, verdict.sets["golden"].lost)
    assert len(report.items) == len(kept.sets["golden.yaml"])


def test_the_gate_passes_an_unchanged_run(baseline: Baseline, demo_data: Path) -> None:
    verdict = verdict_of(baseline, "boundary", measured(demo_data, "boundary"))
    assert (verdict.passed, verdict.reasons, verdict.notes) == (True, (), ())
    assert (verdict.sets["boundary"].lost, verdict.sets["boundary"].won) == ((), ())


@pytest.mark.long
@pytest.mark.usefixtures("forgetful")
@pytest.mark.parametrize("regression", named([r for r in REGRESSIONS if r.name not in QUICK]))
def test_the_gate_finds_every_planted_fault(
    regression: Regression, baseline: Baseline, demo_data: Path, fresh: Path
) -> None:
    check(regression, baseline, demo_data, fresh)


@pytest.mark.long
@pytest.mark.parametrize("run", range(20))
def test_the_gate_passes_twenty_unchanged_runs(run: int, baseline: Baseline, fresh: Path) -> None:
    for name in random.Random(run).sample(sorted(SETS), len(SETS)):
        verdict = verdict_of(baseline, name, measured(fresh, name))
        assert (verdict.passed, verdict.notes, verdict.sets[name].won) == (True, (), ()), verdict.reasons

"""Proposed anchors: what they fix and break is what a configuration with them fixes and breaks."""

from __future__ import annotations

from polyrag_cli.engine import Engine
from polyrag_cli.evaluation.tuning.anchor_proposals import MAX_PROPOSALS, AnchorProposal, propose_anchors
from polyrag_cli.evaluation.tuning.kept_questions import KeptQuestions, routed
from polyrag_cli.types import EvalItem

# Labelled wrongly on purpose: with anchors for the label, near questions follow or leave.
ITEMS = (
    EvalItem("Como tudo começou?", routes=("graph",), lang="pt"),
    EvalItem("How did it all begin for the ferries?", routes=("graph",)),
    EvalItem("Quando sai a última balsa?", routes=("graph",), lang="pt"),
    EvalItem("Quando sai a última balsa no inverno?", routes=("graph",)),
    EvalItem("O que a enchente levou?", routes=("graph",)),
    EvalItem("O que a enchente levou embora?", routes=("vectorial",)),
    EvalItem("Quem precisa autorizar a saída com vento forte?", routes=("graph",)),
    EvalItem("total de passageiros por linha", routes=("relational",)),
    EvalItem("bom dia", routes=("graph",)),
    EvalItem("Qual é a capital da Mongólia?", declines=True),
)
# Without evidence the anchors alone decide.
OPEN = {"embedder.name": "hashing", "routing.text_weight": 0.0, "routing.evidence_min": 0.0}


def proposals(
    engine: Engine, groups: list[int] | None = None, items: tuple[EvalItem, ...] = ITEMS
) -> tuple[AnchorProposal, ...]:
    kept = KeptQuestions(engine, items)
    return propose_anchors(
        engine.settings,
        engine.embedder,
        kept.router({}),
        kept.questions,
        kept.decided({}),
        groups or list(range(len(items))),
    )


def test_what_is_counted_is_what_the_anchor_does(small_data: object) -> None:
    with Engine.open(data_dir=str(small_data), overrides=OPEN) as engine:
        found = proposals(engine)
        right = {item.question: routed(item, engine.route(item.question).clauses) for item in ITEMS if item.routes}
        assert any(p.fixes for p in found)
        assert any(p.breaks for p in found)
        for proposal in found:
            own = {key: value for key, value, _ in engine.settings.listed()}.get(proposal.key, [])
            overrides = {**OPEN, proposal.key: [*own, proposal.question]}
            with Engine.open(data_dir=str(small_data), overrides=overrides) as other:
                now = {i.question: routed(i, other.route(i.question).clauses) for i in ITEMS if i.routes}
            others = [question for question in right if question != proposal.question]
            assert proposal.fixes_itself == now[proposal.question]
            assert proposal.fixes == tuple(q for q in others if now[q] and not right[q])
            assert proposal.breaks == tuple(q for q in others if right[q] and not now[q])


def test_near_duplicates_do_not_count(small_data: object) -> None:
    with Engine.open(data_dir=str(small_data), overrides=OPEN) as engine:
        alone = {p.question: p for p in proposals(engine)}
        together = {p.question: p for p in proposals(engine, [0] * len(ITEMS))}
    assert any(p.fixes or p.breaks for p in alone.values())
    assert all((p.fixes, p.breaks) == ((), ()) for p in together.values())


def test_only_questions_that_anchors_can_move_are_proposed(engine: Engine) -> None:
    found = proposals(engine)
    assert len(found) <= MAX_PROPOSALS
    assert {p.question for p in found} <= {item.question for item in ITEMS if item.routes == ("graph",)}
    assert "bom dia" not in {p.question for p in found}
    assert all(p.route == "graph" and p.decided != "graph" for p in found)


def test_an_anchor_joins_the_list_of_its_language(small_data: object) -> None:
    with Engine.open(data_dir=str(small_data), overrides=OPEN) as engine:
        found = {p.question: p.key.rpartition(".")[2] for p in proposals(engine)}
    assert found
    # The label first, else what the words tell.
    languages = {item.question: "en" if item.question.startswith("How") else "pt" for item in ITEMS}
    assert found == {question: languages[question] for question in found}


def test_what_fixes_nothing_is_not_proposed(engine: Engine) -> None:
    # The table explains all of it: no anchor of the graph outweighs that.
    items = (EvalItem("total de passageiros por linha", routes=("graph",)),)
    assert engine.route(items[0].question).clauses[0].route == "relational"
    assert proposals(engine, items=items) == ()


def test_without_an_embedder_there_are_none(small_data: object) -> None:
    with Engine.open(data_dir=str(small_data), overrides={"embedder.name": "hashing"}) as engine:
        kept = KeptQuestions(engine, ITEMS)
        with Engine.open(data_dir=str(small_data), overrides={"embedder.name": "none"}) as bare:
            assert (
                propose_anchors(bare.settings, bare.embedder, bare.router, kept.questions, kept.decided({}), []) == ()
            )

"""Settings: defaults, precedence, and what is refused with which words."""

from pathlib import Path

import pytest

from polyrag_cli.config import Settings, digest
from polyrag_cli.config.settings import changed_settings
from polyrag_cli.errors import ConfigError


def load(tmp_path: Path, text: str | None = None, **given: object) -> Settings:
    if text is not None:
        (tmp_path / "polyrag.toml").write_text(text, encoding="utf-8")
    return Settings.load(start=tmp_path, environ=given.pop("environ", {}), **given)  # type: ignore[arg-type]


def test_defaults_without_a_file(tmp_path: Path) -> None:
    settings = load(tmp_path)
    assert settings.embedder.name == "use-m3"
    assert settings.paths.data == tmp_path / ".polyrag"
    assert settings.file is None
    assert set(settings.origins.values()) == {"default"}
    assert {r.name for r in settings.routes} == {"relational", "vectorial", "graph"}


def test_file_is_found_upwards_and_data_lies_beside_it(tmp_path: Path) -> None:
    (tmp_path / "polyrag.toml").write_text('[paths]\ndata = "corpus"\n', encoding="utf-8")
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    settings = Settings.load(start=deep, environ={})
    assert settings.paths.data == tmp_path / "corpus"
    assert settings.origins["paths.data"].endswith(str(tmp_path / "polyrag.toml"))


def test_flag_beats_environment_beats_file_beats_default(tmp_path: Path) -> None:
    text = "[answer]\ntop_k = 6\nmax_words = 50\n[retrieval]\nrrf_k = 10\n"
    environ = {"POLYRAG_ANSWER__TOP_K": "7", "POLYRAG_ANSWER__MAX_WORDS": "40", "HOME": "/x"}
    settings = load(tmp_path, text, environ=environ, overrides={"answer.top_k": 8})
    assert (settings.answer.top_k, settings.origins["answer.top_k"]) == (8, "flag")
    assert (settings.answer.max_words, settings.origins["answer.max_words"]) == (
        40,
        "environment: POLYRAG_ANSWER__MAX_WORDS",
    )
    assert settings.retrieval.rrf_k == 10
    assert (settings.retrieval.candidates, settings.origins["retrieval.candidates"]) == (50, "default")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[embeder]\nname = 'x'\n", ["[embeder]", "[embedder]"]),
        ("[answer]\ntopk = 3\n", ["'answer.topk'", "answer.top_k"]),
        ("[answer]\ntop_k = 'many'\n", ["answer.top_k", "whole number", "'many'"]),
        ("[answer]\ntop_k = true\n", ["answer.top_k", "whole number"]),
        ("[answer]\ntop_k = 0\n", ["answer.top_k", "from 1 to 100"]),
        ("[retrieval]\nmmr_lambda = nan\n", ["retrieval.mmr_lambda", "finite"]),
        ("[embedder]\nname = 'use-m4'\n", ["embedder.name", "'use-m3'"]),
        ("[routes.graph]\nstore = 'grph'\n", ["routes.graph.store", "'graph'"]),
        ("[routes.graph]\ntau_hi = 0.3\n", ["routes.graph.tau_hi", "routes.graph.tau_high"]),
        ("[routes.graph]\ntau_low = 0.9\ntau_high = 0.3\n", ["routes.graph", "tau_low"]),
        ("[routes.graph.anchors]\nquestion.pt = [3]\n", ["routes.graph.anchors.question.pt", "list of texts"]),
        ("[routes.graph.anchors]\nquestion = ['a']\n", ["anchors"]),
        ("[routes.legal]\nstore = 'vector'\n", ["routes.legal", "question anchors"]),
        ("[routes.direct]\nstore = 'vector'\n", ["direct", "reserved"]),
        ("[chunking]\nmin_chars = 900\nmax_chars = 800\n", ["min_chars"]),
        ("routes = 3\n", ["[routes]"]),
        ("[embeder]\n", ["[embeder]", "[embedder]"]),
        ("[answer]\nmax_word = 3\n", ["'answer.max_word'", "Nearest: answer.max_words."]),
        ("[embedder]\nname = 3\n", ["embedder.name must be text, not 3", "in quotes"]),
        ("[embedder]\nname = [3]\n", ["embedder.name must be text, not [3]."]),
        ("[routes.graph.anchors]\nquestion.pt = ['a', ' ']\n", ["list of texts", "none empty"]),
        ("[routes.graph.anchors]\nquestions.pt = ['a']\n", ["no list of anchors", "anchors.question.en"]),
        ("[routes.graph]\ntau_low.pt = 0.1\n", ["'routes.graph.tau_low.pt'", "Nearest: routes.graph.tau_low."]),
        ("[routes.legal.anchors]\nquestion.en = ['lawful?']\n", ["routes.legal has no store", "relational, vector"]),
        ("[paths]\ndata = ' '\n", ["paths.data ' ' is no folder"]),
        ('[paths]\ndata = "a\\u0000b"\n', ["is no folder"]),
        ("".join(f"[routes.{r}]\nenabled = false\n" for r in ("relational", "vectorial", "graph")), ["no route is"]),
        ("answer = 3\n", ["answer"]),
        ("[answer\n", ["not valid TOML"]),
    ],
)
def test_refusals_name_file_key_and_what_is_valid(tmp_path: Path, text: str, words: list[str]) -> None:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, text)
    for word in words:
        assert word in str(caught.value)


def test_a_refusal_says_once_where_the_value_is(tmp_path: Path) -> None:
    file = tmp_path / "polyrag.toml"
    for text in ("[answer]\ntop_k = 0\n", "[chunking]\nmin_chars = 900\nmax_chars = 800\n"):
        with pytest.raises(ConfigError) as caught:
            load(tmp_path, text)
        assert str(caught.value).startswith(f"{file}: ") and str(caught.value).count(str(file)) == 1
    file.unlink()
    with pytest.raises(ConfigError, match=r"^configuration: chunking\.min_chars"):
        load(tmp_path, environ={"POLYRAG_CHUNKING__MAX_CHARS": "200"})
    with pytest.raises(ConfigError, match=r"^flag: answer\.top_k = 0 is impossible"):
        load(tmp_path, overrides={"answer.top_k": 0})


def test_folder_and_environment_are_by_default_those_of_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "polyrag.toml").write_text("[answer]\nmax_words = 33\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("POLYRAG_ANSWER__TOP_K", "7")
    settings = Settings.load(data_dir="corpus")
    assert (settings.answer.max_words, settings.answer.top_k) == (33, 7)
    assert (settings.paths.data, settings.origins["paths.data"]) == (tmp_path / "corpus", "flag")


def test_a_named_file_is_read_instead_of_the_one_that_would_be_found(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.toml").write_text("[answer]\ntop_k = 3\n")
    settings = load(tmp_path, "[answer]\ntop_k = 4\n", config=tmp_path / "other" / "mine.toml")
    assert settings.answer.top_k == 3
    assert settings.paths.data == tmp_path / "other" / ".polyrag"


def test_refusal_names_the_environment_variable(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="POLYRAG_ANSWER__TOP_K"):
        load(tmp_path, environ={"POLYRAG_ANSWER__TOP_K": "many"})


def test_missing_config_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such configuration file"):
        Settings.load(config=tmp_path / "absent.toml", start=tmp_path, environ={})


def test_a_route_is_added_by_a_table_and_a_default_one_switched_off(tmp_path: Path) -> None:
    anchors = "[routes.legal.anchors]\nquestion.en = ['is this lawful?']\n"
    text = f"[routes.legal]\nstore = 'vector'\n{anchors}[routes.graph]\nenabled = false\n"
    settings = load(tmp_path, text)
    routes = {r.name: r for r in settings.routes}
    assert routes["legal"].question_anchors == ("is this lawful?",)
    assert routes["legal"].strategy == "auto"
    assert "graph" not in routes


def test_a_route_keeps_the_strategy_that_it_names_and_needs_no_anchors_while_it_is_off(tmp_path: Path) -> None:
    text = (
        "[routes.graph]\nstrategy = 'hybrid'\n"
        "[routes.legal]\nstore = 'vector'\nenabled = false\n"
        "[routes.who]\nstore = 'graph'\nanchors.question.en = ['who?']\n"
    )
    strategies = {route.name: route.strategy for route in load(tmp_path, text).routes}
    assert strategies == {"relational": "text_to_sql", "vectorial": "auto", "graph": "hybrid", "who": "graph_walk"}


def test_what_differs_from_the_default_is_known_for_routes_of_ones_own_too(tmp_path: Path) -> None:
    assert load(tmp_path).changed() == frozenset()
    text = (
        "[answer]\ntop_k = 9\nmax_words = 60\n"
        "[routes.legal]\nstore = 'vector'\ntau_low = 0.2\ntau_high = 0.7\nanchors.question.en = ['lawful?']\n"
    )
    own = {f"routes.legal.{key}" for key in ("store", "tau_high", "anchors.question.en")}
    assert load(tmp_path, text).changed() == {"answer.top_k", *own}


def test_changes_between_two_configurations_are_told_by_key(tmp_path: Path) -> None:
    base = load(tmp_path).stated("routes", "answers")
    other = {"answer.top_k": 9, "routes.graph.anchors.question.en": ["Who signs?"]}
    now = load(tmp_path, overrides=other).stated("routes", "answers")
    assert changed_settings(base, now) == ["answer.top_k 5 → 9", "routes.graph.anchors.question.en changed"]
    assert changed_settings({}, {"answer.top_k": 9}) == ["answer.top_k none → 9"]
    # A list is kept as a digest beside what was made with it.
    assert base["answer.top_k"] == 5 and isinstance(base["routes.graph.anchors.question.en"], str)


def test_empty_tables_say_nothing(tmp_path: Path) -> None:
    assert load(tmp_path, "[cache]\n[answer]\n").cache.enabled is True


def test_ingest_hash_follows_anchors_and_not_paths(tmp_path: Path) -> None:
    base = load(tmp_path)
    moved = load(tmp_path, data_dir=tmp_path / "elsewhere")
    reworded = load(tmp_path, overrides={"routes.graph.anchors.chunk.en": ["one thing depends on another"]})
    assert base.ingest_hash == moved.ingest_hash != reworded.ingest_hash


def test_what_only_questions_depend_on_needs_no_new_ingest(tmp_path: Path) -> None:
    base = load(tmp_path)
    for key in ("routes.graph.tau_low", "routing.table_weight", "routing.evidence_min", "routing.boundary_margin"):
        assert load(tmp_path, overrides={key: 0.1}).ingest_hash == base.ingest_hash, key
    anchors = {"routes.graph.anchors.question.en": ["Who has to sign?"]}
    assert load(tmp_path, overrides=anchors).ingest_hash == base.ingest_hash
    for key in ("routing.chunk_margin", "routing.document_weight", "routing.named_center"):
        assert load(tmp_path, overrides={key: 0.1}).ingest_hash != base.ingest_hash, key


def test_ingest_hash_is_of_what_decides_chunks_and_homes_alone(tmp_path: Path) -> None:
    settings = load(tmp_path)
    chunking = {key: settings.values["chunking"][key] for key in ("max_chars", "min_chars", "max_document_chars")}
    homes = ("tabularity_min", "centroid_weight", "named_weight", "named_center", "document_weight", "chunk_margin")
    routing = {key: settings.values["routing"][key] for key in homes}
    routes = {route.name: [route.store, list(route.chunk_anchors)] for route in settings.routes}
    assert settings.ingest_hash == digest({"chunking": chunking, "routing": routing, "routes": routes})


def test_a_section_changed_by_hand_keeps_the_recipe_of_what_it_decides_alone(tmp_path: Path) -> None:
    base = load(tmp_path)
    assert load(tmp_path, overrides={"chunking.max_chars": 900}).ingest_hash != base.ingest_hash
    for key, value in (("answer.top_k", 3), ("retrieval.rrf_k", 5), ("cache.enabled", False), ("tracing.keep", 9)):
        assert load(tmp_path, overrides={key: value}).ingest_hash == base.ingest_hash, key


def test_what_is_decided_tells_answers_from_how_the_program_runs(tmp_path: Path) -> None:
    settings = load(tmp_path)
    deciding = settings.deciding("chunks", "homes", "routes", "answers")
    assert {"embedder.name", "chunking.min_chars", "routing.table_min", "routes.graph.anchors.chunk.en"} <= set(
        deciding
    )
    assert not {"embedder.threads", "cache.max_entries", "paths.data", "tracing.keep", "gate.max_lost"} & set(deciding)
    assert set(settings.deciding("operation")) | set(deciding) == {key for key, _, _ in settings.listed()}


@pytest.mark.parametrize("language", ["es", "de", "zh-Hant"])
def test_anchors_in_another_language_join_those_of_the_package(tmp_path: Path, language: str) -> None:
    base = {route.name: route for route in load(tmp_path).routes}
    text = (
        f"[routes.graph.anchors]\nquestion.{language} = ['¿Quién lo autoriza?']\n"
        f"chunk.{language} = ['La regla exige permiso.']\n"
    )
    routes = {route.name: route for route in load(tmp_path, text).routes}
    assert routes["graph"].question_anchors == (*base["graph"].question_anchors, "¿Quién lo autoriza?")
    assert routes["graph"].chunk_anchors == (*base["graph"].chunk_anchors, "La regla exige permiso.")
    assert routes["vectorial"] == base["vectorial"]


def test_anchors_in_the_same_language_take_the_place_of_those_of_the_package(tmp_path: Path) -> None:
    routes = {r.name: r for r in load(tmp_path, "[routes.graph]\nanchors.question.en = ['Who signs?']\n").routes}
    assert "Who signs?" in routes["graph"].question_anchors
    assert "Which rule applies to this case?" not in routes["graph"].question_anchors
    assert "Qual regra se aplica a este caso?" in routes["graph"].question_anchors


def test_paths_are_seen_from_the_file(tmp_path: Path) -> None:
    settings = load(tmp_path, "[gate]\nsets = ['eval/a.yaml', '/b.yaml']\n")
    assert settings.gate.sets == (tmp_path / "eval" / "a.yaml", Path("/b.yaml"))

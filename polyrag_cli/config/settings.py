"""The settings in force: polyrag.toml over the defaults, then the environment, then flags, as typed values.

The only module that reads the environment.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from polyrag_cli.config.declare import Decides, Declaration
from polyrag_cli.config.sections import (
    DECLARED,
    ROUTES,
    SECTIONS,
    AnswerProbabilitySettings,
    AnswerSettings,
    CacheSettings,
    ChunkingSettings,
    EmbedderSettings,
    GateSettings,
    PathSettings,
    RetrievalSettings,
    Route,
    RoutingSettings,
    SqlWriterSettings,
    StoreSettings,
    TableConfidenceSettings,
    TracingSettings,
    declaration,
)
from polyrag_cli.config.tree import DEFAULT, Tree, defaults, leaves, read
from polyrag_cli.errors import ConfigError
from polyrag_cli.types import RouteKind

FILE_NAME = "polyrag.toml"


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything configured, with where each value came from.

    routes: those that are enabled. values: the merged tree, for display.
    origins: dotted key → "default", "polyrag.toml: <path>", "environment: <name>" or "flag".
    """

    paths: PathSettings
    embedder: EmbedderSettings
    stores: StoreSettings
    chunking: ChunkingSettings
    routing: RoutingSettings
    routes: tuple[Route, ...]
    retrieval: RetrievalSettings
    answer: AnswerSettings
    answer_probability: AnswerProbabilitySettings
    table_confidence: TableConfidenceSettings
    sql_writer: SqlWriterSettings
    cache: CacheSettings
    gate: GateSettings
    tracing: TracingSettings
    file: Path | None
    origins: Mapping[str, str]
    values: Mapping[str, Any]

    @classmethod
    def load(
        cls,
        config: Path | str | None = None,
        data_dir: Path | str | None = None,
        overrides: Mapping[str, Any] | None = None,
        environ: Mapping[str, str] | None = None,
        start: Path | None = None,
    ) -> Settings:
        """Reads the configuration.

        config: a file to read instead of searching upwards from `start` (the working directory).
        overrides: dotted keys, as flags give them.

        Raises ConfigError naming the source, the key, and the nearest valid key or the allowed values.
        """
        start = Path.cwd() if start is None else start
        file = _find(config, start)
        tree = Tree()
        if file is not None:
            tree.merge(read(file), f"{file.name}: {file}", str(file))
        tree.merge_environment(os.environ if environ is None else environ)
        for key, value in (overrides or {}).items():
            tree.set(key, value, "flag", f"--override {key}")
        if data_dir is not None:
            tree.set("paths.data", str(Path(data_dir).absolute()), "flag", "--data")
        tree.check()
        return _build(tree, file, file.parent if file else start)

    def with_data(self, data: Path) -> Settings:
        """The same settings over another data directory."""
        return replace(self, paths=PathSettings(data))

    def listed(self) -> list[tuple[str, Any, str]]:
        """(dotted key, value, origin) of every setting, sorted by key."""
        return [(key, value, self.origins.get(key, DEFAULT)) for key, value in sorted(leaves(self.values))]

    def changed(self) -> frozenset[str]:
        """The dotted keys whose value isn't the default."""
        known = dict(leaves(defaults()))
        return frozenset(
            key
            for key, value in leaves(self.values)
            if value != (known[key] if key in known else declaration(key).default)
        )

    def deciding(self, *what: Decides) -> dict[str, Any]:
        """Dotted key → value of the settings that decide any of these, sorted by key."""
        return {key: value for key, value, _ in self.listed() if declaration(key).decides in what}

    def stated(self, *what: Decides) -> dict[str, Any]:
        """What `deciding` gives, a list as its digest: short enough to be kept beside what was made with it."""
        found = self.deciding(*what)
        return {key: digest(value) if isinstance(value, list) else value for key, value in found.items()}

    @property
    def ingest_hash(self) -> str:
        """16 hex digits over what decides how files are split and which store is a passage's home.

        What only questions depend on is left out; the embedder is recorded by itself.
        """
        state: dict[str, Any] = {}
        for name, settings in DECLARED.items():
            decisive = [key for key, declared in settings.items() if declared.decides in ("chunks", "homes")]
            if decisive and name != ROUTES:
                state[name] = {key: self.values[name][key] for key in decisive}
        # In a disabled route's place there is none, and an anchor's language decides nothing.
        state[ROUTES] = {route.name: [route.store, route.chunk_anchors] for route in self.routes}
        return digest(state)


def changed_settings(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What differs between two maps of dotted key → value, by key: "key old → new", of anchors that they changed."""
    keys = sorted(before.keys() | now.keys())
    return [_setting(key, before, now) for key in keys if before.get(key) != now.get(key)]


def _setting(key: str, before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    if ".anchors." in key:
        return f"{key} changed"
    return f"{key} {before.get(key, 'none')} → {now.get(key, 'none')}"


def digest(value: Any) -> str:
    """16 hex digits of sha256 over a value's canonical JSON."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _find(config: Path | str | None, start: Path) -> Path | None:
    if config is not None:
        file = Path(config).absolute()
        if not file.is_file():
            raise ConfigError(f"{config}: no such configuration file.", "Write one with: polyrag init")
        return file
    for folder in (start, *start.parents):
        if (folder / FILE_NAME).is_file():
            return folder / FILE_NAME
    return None


def _build(tree: Tree, file: Path | None, base: Path) -> Settings:
    """The typed settings; base: the folder that paths are seen from. Raises ConfigError for values that clash."""
    values = tree.values
    where = str(file) if file else "configuration"
    routes = tuple(_route(name, table, where) for name, table in values[ROUTES].items())
    active = tuple(route for route in routes if route.enabled)
    if not active:
        raise ConfigError(f"{where}: no route is enabled.", "Enable at least one [routes.<name>].")
    for route in active:
        if route.tau_low > route.tau_high:
            raise ConfigError(
                f"{where}: routes.{route.name}: tau_low {route.tau_low} is above tau_high {route.tau_high}."
            )
    if values["chunking"]["min_chars"] >= values["chunking"]["max_chars"]:
        raise ConfigError(f"{where}: chunking.min_chars must be below chunking.max_chars.")
    folder = values["paths"]["data"]
    if not folder.strip() or "\0" in folder:
        raise ConfigError(f"{where}: paths.data {folder!r} is no folder.", 'Write for example paths.data = ".polyrag".')
    sections = {name: _section(name, values[name], base) for name in SECTIONS if name != ROUTES}
    return Settings(**sections, routes=active, file=file, origins=tree.origins, values=values)


def user_cache(environ: Mapping[str, str] | None = None) -> Path | None:
    """The folder for what all data directories of a user have in common and can be made anew; None where nothing can be
    kept there.

    environ: instead of the process's own environment.
    """
    environ = os.environ if environ is None else environ
    named = Path(environ.get("XDG_CACHE_HOME", ""))
    try:
        folder = (named if named.is_absolute() else Path.home() / ".cache") / "polyrag"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return None
    return folder if os.access(folder, os.W_OK) else None


def _section(name: str, values: Mapping[str, Any], base: Path) -> Any:
    return SECTIONS[name].settings(**{key: _typed(values[key], told, base) for key, told in DECLARED[name].items()})


def _typed(value: Any, declared: Declaration, base: Path) -> Any:
    """A value of the tree as the dataclasses hold it: paths in full, lists as tuples."""
    if isinstance(value, list):
        return tuple(_typed(part, declared, base) for part in value)
    return base / Path(value).expanduser() if declared.path else value


def _route(name: str, table: Mapping[str, Any], where: str) -> Route:
    if not table.get("store"):
        raise ConfigError(f"{where}: routes.{name} has no store.", f"One of {', '.join(RouteKind)}.")
    anchors = table.get("anchors", {})
    # Those of all languages, in the file's order.
    question, chunk = (
        tuple(text for texts in anchors.get(kind, {}).values() for text in texts) for kind in ("question", "chunk")
    )
    given = {key: table.get(key, declared.default) for key, declared in DECLARED[ROUTES].items()}
    given["strategy"] = given["strategy"] or RouteKind(given["store"]).default_strategy
    route = Route(name, question_anchors=question, chunk_anchors=chunk, **given)
    if route.enabled and not question:
        raise ConfigError(
            f"{where}: routes.{name} has no question anchors.", f"Add routes.{name}.anchors.question.en = […]."
        )
    return route

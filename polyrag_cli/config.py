"""Settings: polyrag.toml over the packaged defaults, then the environment, then flags.

The only module that reads the environment and the configuration file. `default.toml` beside it is the one place
where defaults stand; the dataclasses below say what is allowed.
"""

from __future__ import annotations

import hashlib
import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal

from polyrag_cli.config_values import ENUMERATED, RANGES, coerce, nearest, parse_text
from polyrag_cli.errors import ConfigError, reason

ENV_PREFIX = "POLYRAG_"
FILE_NAME = "polyrag.toml"
DEFAULT_FILE = Path(__file__).with_name("default.toml")


@dataclass(frozen=True, slots=True)
class PathSettings:
    """data: the data directory, resolved."""

    data: Path


@dataclass(frozen=True, slots=True)
class EmbedderSettings:
    """name: a registered embedder; threads: of one pass."""

    name: str
    threads: int


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """The registered backend of each store."""

    relational: str
    vector: str
    lexical: str
    graph: str


@dataclass(frozen=True, slots=True)
class ChunkingSettings:
    """Sizes in characters."""

    max_chars: int
    min_chars: int
    max_document_chars: int


@dataclass(frozen=True, slots=True)
class RetrievalSection:
    """Fusion, diversity and graph walk parameters, by their names in the field."""

    dense_weight: float
    lexical_weight: float
    soft_weight: float
    home_bonus: float
    candidates: int
    rrf_k: int
    mmr_lambda: float
    damping: float


@dataclass(frozen=True, slots=True)
class AnswerSettings:
    """top_k passages a clause, max_words an extractive answer, max_rows a SQL result."""

    top_k: int
    max_words: int
    max_rows: int


@dataclass(frozen=True, slots=True)
class CacheSettings:
    """min_cosine and max_unmatched in [0, 1]; see answering.cache."""

    enabled: bool
    min_cosine: float
    max_unmatched: float
    max_entries: int


@dataclass(frozen=True, slots=True)
class TracingSettings:
    """keep: number of stored traces; content: whether spans may hold texts."""

    enabled: bool
    keep: int
    content: bool


@dataclass(frozen=True, slots=True)
class RouteSection:
    """One [routes.<name>] table; anchors are (language, sentence) pairs in the file's order."""

    name: str
    store: Literal["relational", "vector", "graph"]
    strategy: str
    tau_high: float
    tau_low: float
    delta_margin: float
    enabled: bool
    question_anchors: tuple[tuple[str, str], ...]
    chunk_anchors: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything configured, with where each value came from.

    routing, gate: the values of [routing] and [gate], the sets as paths. values: the merged tree, for display.
    origins: dotted key → "default", "polyrag.toml: <path>", "environment: <name>" or "flag".
    """

    paths: PathSettings
    embedder: EmbedderSettings
    stores: StoreSettings
    chunking: ChunkingSettings
    routing: Mapping[str, Any]
    routes: tuple[RouteSection, ...]
    retrieval: RetrievalSection
    answer: AnswerSettings
    cache: CacheSettings
    gate: Mapping[str, Any]
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
        tree = _Tree(_read(DEFAULT_FILE))
        if file is not None:
            tree.merge(_read(file), f"{file.name}: {file}", str(file))
        tree.merge_environment(os.environ if environ is None else environ)
        for key, value in (overrides or {}).items():
            tree.set(key, value, "flag", f"--override {key}")
        if data_dir is not None:
            tree.set("paths.data", str(Path(data_dir).absolute()), "flag", "--data")
        return _build(tree, file, file.parent if file else start)

    def with_data(self, data: Path) -> Settings:
        """The same settings over another data directory."""
        return replace(self, paths=PathSettings(data))

    def listed(self) -> list[tuple[str, Any, str]]:
        """(dotted key, value, origin) of every setting, sorted by key."""
        return [(key, value, self.origins.get(key, "default")) for key, value in sorted(_leaves(self.values))]

    def changed(self) -> frozenset[str]:
        """The dotted keys whose value isn't the default."""
        known = dict(_leaves(_read(DEFAULT_FILE)))
        of_route = _ROUTE_TEMPLATE.get
        return frozenset(k for k, v in _leaves(self.values) if known.get(k, of_route(k.split(".")[-1])) != v)

    @property
    def ingest_hash(self) -> str:
        """16 hex digits over what decides how files are split and which store is a passage's home.

        What only questions depend on is left out; the embedder is recorded by itself.
        """
        homes = {key: self.routing[key] for key in _OF_HOMES}
        routes = {r.name: [r.store, [text for _, text in r.chunk_anchors]] for r in self.routes}
        return digest({"chunking": self.values["chunking"], "routing": homes, "routes": routes})


# The keys of [routing] that a passage's home depends on.
_OF_HOMES = ("tabularity_min", "centroid_weight", "named_weight", "named_center", "document_weight", "chunk_margin")


def digest(value: Any) -> str:
    """16 hex digits of sha256 over a value's canonical JSON."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


class _Tree:
    """The merged configuration and each leaf's origin."""

    def __init__(self, defaults: dict[str, Any]) -> None:
        self.values = defaults
        self.origins = {key: "default" for key, _ in _leaves(defaults)}

    def merge(self, given: Mapping[str, Any], origin: str, where: str) -> None:
        for key, value in _leaves(given):
            # An empty table, such as [cache] with every line commented out, says nothing.
            if value != {} or key not in self.values:
                self.set(key, value, origin, where)

    def merge_environment(self, environ: Mapping[str, str]) -> None:
        for name in sorted(environ):
            if name.startswith(ENV_PREFIX):
                key = name.removeprefix(ENV_PREFIX).lower().replace("__", ".")
                self.set(key, parse_text(environ[name]), f"environment: {name}", name)

    def set(self, key: str, value: Any, origin: str, where: str) -> None:
        path = key.split(".")
        check_key(path, self.values, where)
        node = self.values
        for part in path[:-1]:
            node = node.setdefault(part, {})
        node[path[-1]] = coerce(value, template(path, self.values), key, where)
        self.origins[key] = origin


# Types and defaults of what a [routes.<name>] table may hold beside its anchors.
_ROUTE_TEMPLATE: dict[str, Any] = {
    "store": "",
    "strategy": "",
    "tau_high": 0.5,
    "tau_low": 0.2,
    "delta_margin": 0.25,
    "enabled": True,
}


def check_key(path: list[str], known: Mapping[str, Any], where: str) -> None:
    """Raises ConfigError unless the dotted path may stand in a configuration."""
    section, rest = path[0], path[1:]
    if section not in known:
        raise ConfigError(f"{where}: unknown table [{section}].", f"Nearest: [{nearest(section, known)}].")
    if section == "routes":
        _check_route_key(rest, where)
    elif not rest or rest[0] not in known[section] or len(rest) > 1:
        wrong = ".".join(path)
        close = nearest(rest[0] if rest else "", known[section])
        raise ConfigError(f"{where}: unknown key {wrong!r}.", f"Nearest: {section}.{close}.")


def _check_route_key(rest: list[str], where: str) -> None:
    if len(rest) < 2:
        raise ConfigError(f"{where}: [routes] holds tables.", "Write [routes.<name>] with store, strategy and anchors.")
    name, key = rest[0], rest[1]
    if name == "direct":
        raise ConfigError(f"{where}: the route name 'direct' is reserved.", "It answers greetings and arithmetic.")
    dotted = ".".join(["routes", *rest])
    if key == "anchors":
        if len(rest) == 4 and rest[2] in ("question", "chunk"):
            return
        raise ConfigError(
            f"{where}: {dotted!r} is no list of anchors.", f"Write routes.{name}.anchors.question.en = […]."
        )
    if key not in _ROUTE_TEMPLATE or len(rest) > 2:
        close = nearest(key, [*_ROUTE_TEMPLATE, "anchors"])
        raise ConfigError(f"{where}: unknown key {dotted!r}.", f"Nearest: routes.{name}.{close}.")


def template(path: list[str], known: Mapping[str, Any]) -> Any:
    """A value of the type that a key takes."""
    if path[0] == "routes":
        return [""] if path[2] == "anchors" else _ROUTE_TEMPLATE[path[2]]
    return known[path[0]][path[1]]


def _leaves(tree: Mapping[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for key, value in tree.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping) and value:
            found += _leaves(value, name + ".")
        else:
            found.append((name, value))
    return found


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


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(
            f"{file}: not valid TOML: {error}.", "Compare with the file that polyrag init writes."
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: can't be read: {reason(error)}.") from error


def _route(name: str, table: Mapping[str, Any], where: str) -> RouteSection:
    if not table.get("store"):
        raise ConfigError(f"{where}: routes.{name} has no store.", "One of relational, vector, graph.")
    defaults = {"relational": "text_to_sql", "vector": "auto", "graph": "graph_walk"}
    anchors = table.get("anchors", {})
    known = {**_ROUTE_TEMPLATE, **table}

    def pairs(kind: str) -> tuple[tuple[str, str], ...]:
        return tuple((lang, text) for lang, texts in anchors.get(kind, {}).items() for text in texts)

    if known["enabled"] and not pairs("question"):
        raise ConfigError(
            f"{where}: routes.{name} has no question anchors.", f"Add routes.{name}.anchors.question.en = […]."
        )
    return RouteSection(
        name=name,
        store=known["store"],
        strategy=known["strategy"] or defaults[known["store"]],
        tau_high=known["tau_high"],
        tau_low=known["tau_low"],
        delta_margin=known["delta_margin"],
        enabled=known["enabled"],
        question_anchors=pairs("question"),
        chunk_anchors=pairs("chunk"),
    )


def _build(tree: _Tree, file: Path | None, base: Path) -> Settings:
    values = tree.values
    for key, value in _leaves(values):
        _check_value(key, value, tree.origins.get(key, "default"))
    where = str(file) if file else "configuration"
    routes = tuple(_route(name, table, where) for name, table in values["routes"].items())
    active = tuple(r for r in routes if r.enabled)
    if not active:
        raise ConfigError(f"{where}: no route is enabled.", "Enable at least one [routes.<name>].")
    for route in active:
        if route.tau_low > route.tau_high:
            raise ConfigError(
                f"{where}: routes.{route.name}: tau_low {route.tau_low} is above tau_high {route.tau_high}."
            )
    if values["chunking"]["min_chars"] >= values["chunking"]["max_chars"]:
        raise ConfigError(f"{where}: chunking.min_chars must be below chunking.max_chars.")

    def section(kind: Any, name: str) -> Any:
        return kind(**{f.name: values[name][f.name] for f in fields(kind)})

    folder = values["paths"]["data"]
    if not folder.strip() or "\0" in folder:
        raise ConfigError(f"{where}: paths.data {folder!r} is no folder.", 'Write for example paths.data = ".polyrag".')
    data = Path(folder).expanduser()
    return Settings(
        paths=PathSettings(data if data.is_absolute() else base / data),
        embedder=section(EmbedderSettings, "embedder"),
        stores=section(StoreSettings, "stores"),
        chunking=section(ChunkingSettings, "chunking"),
        routing=dict(values.get("routing", {})),
        routes=active,
        retrieval=section(RetrievalSection, "retrieval"),
        answer=section(AnswerSettings, "answer"),
        cache=section(CacheSettings, "cache"),
        gate={**values["gate"], "sets": tuple(base / Path(p).expanduser() for p in values["gate"]["sets"])},
        tracing=section(TracingSettings, "tracing"),
        file=file,
        origins=tree.origins,
        values=values,
    )


def _check_value(key: str, value: Any, origin: str) -> None:
    # "polyrag.toml: <path>" and "environment: <name>" say twice where it is.
    where = origin.partition(": ")[2] or origin
    pattern = ".".join("*" if i == 1 and key.startswith("routes.") else p for i, p in enumerate(key.split(".")))
    if pattern in ENUMERATED:
        allowed = ENUMERATED[pattern]()
        if value not in allowed:
            raise ConfigError(
                f"{where}: {key} = {value!r} is not known.",
                f"Nearest: {nearest(str(value), allowed)!r} (of {', '.join(allowed)}).",
            )
    low, high = RANGES.get(pattern, (None, None))
    if low is not None and not low <= value <= (float("inf") if high is None else high):
        span = f"at least {low}" if high is None else f"from {low} to {high}"
        raise ConfigError(f"{where}: {key} = {value!r} is impossible.", f"It must be {span}.")

"""The configuration that a corpus was ingested with last, kept beside it: what changed since, which questions it moves.

Owns the note in the catalog. Never changes content; must never print.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from polyrag_cli import __version__
from polyrag_cli.config import Settings
from polyrag_cli.config.sections import Route, RoutingSettings
from polyrag_cli.engine import Engine
from polyrag_cli.errors import StoreError
from polyrag_cli.evaluation.quality.baseline import stated_settings
from polyrag_cli.routing.router import Router
from polyrag_cli.stores.base import Snapshot

META_ROUTING = "routing"
"""Catalog key: version, routes, [routing] and [chunking] at the last ingest, as JSON."""

Kind = TypeVar("Kind")

# Nobody waits for a note: the next ingest writes it.
_LOCK_TIMEOUT_S = 1.0


@dataclass(frozen=True, slots=True)
class NotedRouting:
    """What an ingest ran with: the program's version, dotted key → value of its settings, and a router of them."""

    version: str
    settings: Mapping[str, Any]
    router: Router


def noted_routing(engine: Engine, snapshot: Snapshot) -> NotedRouting | None:
    """What the last ingest ran with; None when nothing is noted, or when the note has another version's form."""
    noted = engine.catalog.meta(snapshot, META_ROUTING)
    if noted is None:
        return None
    try:
        state = json.loads(noted)
        routes = [_route(noted_route) for noted_route in _checked(state["routes"], list)]
        values: dict[str, Any] = {name: _number(value) for name, value in state["settings"].items()}
        stated = {key: _scalar(value) for key, value in state["stated"].items()}
        # What wasn't noted would be today's.
        if len({route.name for route in routes}) < len(routes) or set(values) != set(RoutingSettings.__slots__):
            return None
        # Where that ingest kept its anchors' vectors, which are not embedded again.
        router = Router(routes, RoutingSettings(**values), engine.embedder, engine.paths.cache)
        return NotedRouting(_checked(state["version"], str), stated, router)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return None


def current_settings(settings: Settings) -> Mapping[str, Any]:
    """Dotted key → value of the settings that are noted; the embedder is recorded by itself."""
    return stated_settings(settings, "chunks", "homes", "routes")


def note_routing(engine: Engine) -> None:
    """Notes today's routing configuration with the corpus; nothing is written where it is noted already.

    Best effort: where it can't be written, a later ingest does.
    """
    if not engine.has_corpus:
        return
    state = _state(engine.settings)
    with suppress(StoreError):
        with engine.catalog.snapshot() as snapshot:
            if engine.catalog.meta(snapshot, META_ROUTING) == state:
                return
        engine.catalog.note(META_ROUTING, state, _LOCK_TIMEOUT_S)


def _state(settings: Settings) -> str:
    """All that decides a passage's home and a question's route besides the corpus and the embedder."""
    routes = [asdict(route) for route in sorted(settings.routes, key=lambda route: route.name)]
    state = {
        "version": __version__,
        "stated": current_settings(settings),
        "routes": routes,
        "settings": asdict(settings.routing),
    }
    return json.dumps(state, sort_keys=True, ensure_ascii=True, separators=(",", ":"))


def _route(noted: dict[str, Any]) -> Route:
    """A noted route. Raises KeyError, TypeError, ValueError or AttributeError for anything else."""
    texts = {name: _checked(noted[name], str) for name in ("name", "store", "strategy")}
    numbers = {name: _number(noted[name]) for name in ("tau_high", "tau_low", "delta_margin")}
    anchors = {
        name: tuple(_checked(text, str) for text in _checked(noted[name], list))
        for name in ("question_anchors", "chunk_anchors")
    }
    enabled = _checked(noted.get("enabled", True), bool)
    return Route(**{**noted, **texts, **numbers, **anchors, "enabled": enabled})


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise TypeError(f"{value!r} is no number")
    return value


def _scalar(value: Any) -> Any:
    return value if isinstance(value, str | bool) else _number(value)


def _checked(value: Any, kind: type[Kind]) -> Kind:
    if not isinstance(value, kind):
        raise TypeError(f"{value!r} is no {kind.__name__}")
    return value

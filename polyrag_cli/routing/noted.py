"""The note that an ingest leaves of the settings that it ran with, so that the next one can tell what has changed."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from polyrag_cli.config.sections import Route, RoutingSettings
from polyrag_cli.providers.base import Embedder
from polyrag_cli.routing.router import Router

META_ROUTING = "routing"
"""Catalog key: version, routes, [routing] and [chunking] at the last ingest, as JSON."""

Kind = TypeVar("Kind")


@dataclass(frozen=True, slots=True)
class NotedRouting:
    """What an ingest ran with: the program's version, dotted key → value of its settings, and a router of them."""

    version: str
    settings: Mapping[str, Any]
    router: Router


def read_note(text: str, embedder: Embedder, cache_dir: Path) -> NotedRouting | None:
    """What a note holds; None when it has another version's form. cache_dir: where anchors' vectors are kept."""
    try:
        state = json.loads(text)
        routes = [_route(noted_route) for noted_route in _checked(state["routes"], list)]
        values: dict[str, Any] = {name: _number(value) for name, value in state["settings"].items()}
        stated = {key: _scalar(value) for key, value in state["stated"].items()}
        # What wasn't noted would be today's.
        if len({route.name for route in routes}) < len(routes) or set(values) != set(RoutingSettings.__slots__):
            return None
        # Where that ingest kept its anchors' vectors, which are not embedded again.
        router = Router(routes, RoutingSettings(**values), embedder, cache_dir)
        return NotedRouting(_checked(state["version"], str), stated, router)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return None


def written_note(version: str, stated: Mapping[str, Any], routes: Sequence[Route], settings: RoutingSettings) -> str:
    """All that decides a passage's home and a question's route besides the corpus and the embedder, as JSON.

    stated: dotted key → value of the settings that decide it.
    """
    state = {
        "version": version,
        "stated": stated,
        "routes": [asdict(route) for route in sorted(routes, key=lambda route: route.name)],
        "settings": asdict(settings),
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

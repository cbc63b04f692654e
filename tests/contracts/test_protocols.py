"""Interfaces are small, and what is registered has every method of its interface, with its parameters."""

from __future__ import annotations

import inspect
from types import ModuleType
from typing import Any

import pytest

from polyrag_cli import registry
from polyrag_cli.ingest import base as ingesting
from polyrag_cli.loaders import base as loaders
from polyrag_cli.providers import base as providers
from polyrag_cli.providers import sql_writer as sql_writers
from polyrag_cli.routing import base as routing
from polyrag_cli.stores import base as stores
from polyrag_cli.stores import catalog as catalogs
from polyrag_cli.stores import shared, table_words
from polyrag_cli.strategies import base as strategies

MOST = 6
MODULES: tuple[ModuleType, ...] = (
    ingesting,
    loaders,
    providers,
    sql_writers,
    routing,
    stores,
    catalogs,
    shared,
    table_words,
    strategies,
)
KINDS: dict[str, type] = {
    "catalog": catalogs.Catalog,
    "relational": stores.RelationalStore,
    "vector": stores.VectorStore,
    "lexical": stores.LexicalStore,
    "graph": stores.GraphStore,
    "terms": stores.TermStore,
    "shared": shared.SharedStore,
    "table_words": table_words.TableWordStore,
    "labels": stores.LabelStore,
    "embedder": providers.Embedder,
    "loader": loaders.Loader,
    "strategy": strategies.Strategy,
    "sql_writer": sql_writers.SqlWriter,
}
INTERFACES = [
    found
    for module in MODULES
    for found in vars(module).values()
    if isinstance(found, type) and getattr(found, "_is_protocol", False) and found.__module__ == module.__name__
]


def _methods(interface: type) -> dict[str, Any]:
    return {name: found for name, found in vars(interface).items() if inspect.isfunction(found) and name[0] != "_"}


@pytest.mark.parametrize("interface", INTERFACES, ids=lambda interface: interface.__name__)
def test_an_interface_has_six_methods_or_fewer_of_its_own(interface: type) -> None:
    assert len(_methods(interface)) <= MOST


def test_the_interfaces_were_found() -> None:
    assert set(KINDS.values()) <= set(INTERFACES)
    assert set(KINDS) == set(registry._ENTRIES)


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in KINDS for name in registry.names(kind)])
def test_what_is_registered_can_be_called_as_its_interface_says(kind: str, name: str) -> None:
    backend = registry.resolve(kind, name)
    for interface in KINDS[kind].__mro__:
        for method, declared in _methods(interface).items():
            wanted = inspect.signature(declared).parameters
            own = inspect.signature(inspect.getattr_static(backend, method)).parameters
            assert list(own)[: len(wanted)] == list(wanted), f"{backend.__name__}.{method}"
            more = [p for p in list(own.values())[len(wanted) :] if p.default is inspect.Parameter.empty]
            assert more == [], f"{backend.__name__}.{method}"

"""Owns the list of operators: each module of this package holds one, under the name `OPERATOR`."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from polyrag_cli.nl2sql.proposals import Operator


@cache
def operators() -> tuple[Operator, ...]:
    """Return all operators, by name of their modules."""
    names = sorted(module.name for module in iter_modules(__path__))
    return tuple(import_module(f"{__name__}.{name}").OPERATOR for name in names)

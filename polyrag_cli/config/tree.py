"""The merged configuration: defaults, over them what file, environment and flags say, each with where it came from."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from polyrag_cli.config.sections import ANCHOR_KINDS, DECLARED, ROUTES, declaration
from polyrag_cli.config.values import check_value, coerce, nearest, parse_text
from polyrag_cli.errors import ConfigError, reason

ENV_PREFIX = "POLYRAG_"
ROUTES_FILE = Path(__file__).with_name("routes.toml")
DEFAULT = "default"


def defaults() -> dict[str, Any]:
    """Every setting's default by table and name, with the routes of the package."""
    values: dict[str, Any] = {
        section: {
            # A list is never shared between two trees.
            name: list(declared.default) if isinstance(declared.default, list) else declared.default
            for name, declared in settings.items()
        }
        for section, settings in DECLARED.items()
    }
    return {**values, **read(ROUTES_FILE)}


def read(file: Path) -> dict[str, Any]:
    """The tables of a TOML file. Raises ConfigError when it can't be read or isn't TOML."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(
            f"{file}: not valid TOML: {error}.", "Compare with the file that polyrag init writes."
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: can't be read: {reason(error)}.") from error


def leaves(tree: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Dotted key → value, in the tree's order; an empty table is a leaf."""
    for key, value in tree.items():
        if isinstance(value, Mapping) and value:
            yield from leaves(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


class Tree:
    """The merged configuration. origins: dotted key → where its value comes from."""

    def __init__(self) -> None:
        self.values = defaults()
        self.origins = {key: DEFAULT for key, _ in leaves(self.values)}

    def merge(self, given: Mapping[str, Any], origin: str, where: str) -> None:
        """Lays tables over what is there, key by key: a route's anchors in one language leave those in others.

        where: what an error names. Raises ConfigError for an unknown key and for a value of another type.
        """
        for key, value in leaves(given):
            # An empty table, such as [cache] with every line commented out, says nothing.
            if value != {} or key not in self.values:
                self.set(key, value, origin, where)

    def merge_environment(self, environ: Mapping[str, str]) -> None:
        """Lays POLYRAG_<TABLE>__<KEY> variables over what is there."""
        for name in sorted(environ):
            if name.startswith(ENV_PREFIX):
                key = name.removeprefix(ENV_PREFIX).lower().replace("__", ".")
                self.set(key, parse_text(environ[name]), f"environment: {name}", name)

    def set(self, key: str, value: Any, origin: str, where: str) -> None:
        """Sets one value by its dotted key."""
        path = key.split(".")
        _check_key(path, where)
        node = self.values
        for part in path[:-1]:
            node = node.setdefault(part, {})
        node[path[-1]] = coerce(value, declaration(key).default, key, where)
        self.origins[key] = origin

    def check(self) -> None:
        """Raises ConfigError for the first value that is given, has the right type and still can't be."""
        for key, value in leaves(self.values):
            origin = self.origins.get(key, DEFAULT)
            if origin != DEFAULT:
                # "polyrag.toml: <path>" and "environment: <name>" say twice where it is.
                check_value(value, declaration(key), key, origin.partition(": ")[2] or origin)


def _check_key(path: list[str], where: str) -> None:
    """Raises ConfigError unless the dotted path may stand in a configuration."""
    section, rest = path[0], path[1:]
    if section not in DECLARED:
        raise ConfigError(f"{where}: unknown table [{section}].", f"Nearest: [{nearest(section, DECLARED)}].")
    if section == ROUTES:
        _check_route_key(rest, where)
    elif len(rest) != 1 or rest[0] not in DECLARED[section]:
        close = nearest(rest[0] if rest else "", DECLARED[section])
        raise ConfigError(f"{where}: unknown key {'.'.join(path)!r}.", f"Nearest: {section}.{close}.")


def _check_route_key(rest: list[str], where: str) -> None:
    if len(rest) < 2:
        raise ConfigError(f"{where}: [routes] holds tables.", "Write [routes.<name>] with store, strategy and anchors.")
    name, key = rest[0], rest[1]
    if name == "direct":
        raise ConfigError(f"{where}: the route name 'direct' is reserved.", "It answers greetings and arithmetic.")
    dotted = ".".join([ROUTES, *rest])
    if key == "anchors":
        if len(rest) == 4 and rest[2] in ANCHOR_KINDS:
            return
        raise ConfigError(
            f"{where}: {dotted!r} is no list of anchors.", f"Write routes.{name}.anchors.question.en = […]."
        )
    if key not in DECLARED[ROUTES] or len(rest) > 2:
        close = nearest(key, [*DECLARED[ROUTES], "anchors"])
        raise ConfigError(f"{where}: unknown key {dotted!r}.", f"Nearest: routes.{name}.{close}.")

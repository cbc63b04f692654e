"""The commented polyrag.toml that `polyrag init` writes, made from the declarations and the routes of the package."""

from __future__ import annotations

import json
from typing import Any

from polyrag_cli.config.sections import DECLARED, ROUTES, SECTIONS
from polyrag_cli.config.tree import ROUTES_FILE

_HEAD = """\
# PolyRAG configuration. Every value below is the default; delete what you don't change.
# Precedence: command-line flag > environment (POLYRAG_EMBEDDER__NAME=hashing) > this file > default.
"""
_ABOUT_ROUTES = """\
# Beside these, anchors by language: those of questions are questions, those of chunks are statements. A language given
# here joins those of the package; the same language takes their place.
"""


def polyrag_toml() -> str:
    """The whole file."""
    return "\n".join([_HEAD, *(_routes() if name == ROUTES else _section(name) for name in SECTIONS)])


def _section(name: str) -> str:
    lines = [f"# {SECTIONS[name].meaning}", f"[{name}]"]
    for key, declared in DECLARED[name].items():
        lines += [f"# {declared.meaning}", f"{key} = {literal(declared.default)}"]
    return "\n".join(lines) + "\n"


def _routes() -> str:
    settings = "".join(f"# {name}: {declared.meaning}\n" for name, declared in DECLARED[ROUTES].items())
    # What stands before the first table is addressed to those who edit the package.
    text = ROUTES_FILE.read_text(encoding="utf-8")
    return f"# {SECTIONS[ROUTES].meaning}\n{settings}{_ABOUT_ROUTES}{text[text.index('[') :]}"


def literal(value: Any) -> str:
    """A value as TOML writes it, which is JSON's form for switches, numbers, texts and lists of them."""
    return json.dumps(value, ensure_ascii=False)

"""The manual's reference of settings as Markdown, made from the declarations."""

from __future__ import annotations

from polyrag_cli.config.declare import Decides, Declaration
from polyrag_cli.config.sections import DECLARED, ROUTES, SECTIONS
from polyrag_cli.config.template import literal

_DECIDES: dict[Decides, str] = {
    "chunks": "how files are cut, from the next ingest on",
    "homes": "the home of passages, from the next ingest on",
    "routes": "the route of questions",
    "answers": "what is found and said",
    "operation": "how the program runs, and no answer",
}


def reference() -> str:
    """For each table of polyrag.toml a heading of the third level, what it decides, and a table of its settings."""
    return "\n".join(_section(name) for name in SECTIONS)


def _section(name: str) -> str:
    title = "routes.<name>" if name == ROUTES else name
    lines = [f"### `[{title}]`", "", f"{SECTIONS[name].meaning} {_decided(name)}", ""]
    lines += ["| setting | default | allowed | meaning |", "|---|---|---|---|"]
    lines += [_row(f"{title}.{key}", declared) for key, declared in DECLARED[name].items()]
    return "\n".join(lines) + "\n"


def _decided(name: str) -> str:
    """What a section decides, and which of its settings decide something else."""
    others: dict[Decides, list[str]] = {}
    for key, declared in DECLARED[name].items():
        if declared.decides is not None and declared.decides != SECTIONS[name].decides:
            others.setdefault(declared.decides, []).append(f"`{key}`")
    said = [_DECIDES[SECTIONS[name].decides]]
    said += [f"{', '.join(keys)}: {_DECIDES[decides]}" for decides, keys in others.items()]
    return f"Decides {'; '.join(said)}."


def _row(key: str, declared: Declaration) -> str:
    default = "" if declared.default == "" else f"`{literal(declared.default)}`"
    cells = (f"`{key}`", default, _allowed(declared), declared.meaning)
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _allowed(declared: Declaration) -> str:
    if declared.choices is not None:
        return ", ".join(f"`{name}`" for name in declared.choices())
    if declared.low is not None and declared.high is not None:
        return f"{declared.low:,} to {declared.high:,}"
    if isinstance(declared.default, bool):
        return "`true`, `false`"
    return "paths" if isinstance(declared.default, list) else "a path"

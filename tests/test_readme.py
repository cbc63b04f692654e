"""The README shows what the commands really print, names every command and every dependency."""

import re
import tomllib
from pathlib import Path

import pytest

from polyrag_cli.cli import app
from tests.pictures import PICTURES, file_of, pictures
from tests.readme import PICTURE, README, ROOT, blocks, normalized, run, workplace

TEXT = README.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return workplace(tmp_path_factory.mktemp("readme"))


def test_every_console_block_shows_real_output(folder: Path) -> None:
    commands = [command for block in blocks(TEXT) for command in block]
    assert len(commands) >= 12
    wrong = []
    for command in commands:
        real = run(command.line, folder)
        if normalized(real) != normalized(command.shown):
            wrong.append(f"$ {command.line}\n--- README\n{command.shown}\n--- now\n{real}")
    assert not wrong, "README is out of date, run `make readme`:\n" + "\n\n".join(wrong)


def test_every_command_is_shown() -> None:
    names = [c.name for c in app.registered_commands] + [g.name for g in app.registered_groups]
    assert [n for n in names if f"polyrag {n}" not in TEXT] == []


def test_every_dependency_is_explained() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = [re.split(r"[<>=\[]", requirement)[0] for requirement in project["dependencies"]]
    assert [n for n in names if f"| `{n}`" not in TEXT] == []


def test_every_setting_is_explained() -> None:
    defaults = tomllib.loads((ROOT / "polyrag.toml").read_text(encoding="utf-8"))
    keys = [f"{section}.{key}" for section, table in defaults.items() if section != "routes" for key in table]
    assert [k for k in keys if f"`{k}`" not in TEXT] == []


def test_the_picture_is_there_and_shown() -> None:
    assert PICTURE.read_text(encoding="utf-8").startswith("<svg")
    assert f"({PICTURE.relative_to(ROOT)})" in TEXT


def test_the_dashboards_pictures_are_current_and_shown(tmp_path: Path) -> None:
    now = pictures(tmp_path)
    kept = {name: file_of(name).read_text(encoding="utf-8") for name in PICTURES if file_of(name).exists()}
    old = [name for name in PICTURES if now[name] != kept.get(name)]
    assert old == [], "the pictures are out of date, run `make readme`"
    assert [name for name in PICTURES if f"({file_of(name).relative_to(ROOT)})" not in TEXT] == []

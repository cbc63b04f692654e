"""README and manual show what the commands really print, name every command, setting and dependency, and link right."""

import re
import tomllib
from pathlib import Path

import pytest

from polyrag_cli.cli import app
from polyrag_cli.config.reference import reference
from polyrag_cli.manual import TOPICS
from tests.pictures import PICTURES, file_of, pictures
from tests.prepared import copied
from tests.readme import (
    MANUAL,
    PAGES,
    PICTURE,
    README,
    ROOT,
    SETTINGS,
    SETTINGS_HEADING,
    Workplace,
    blocks,
    normalized,
    run,
)

TEXT = README.read_text(encoding="utf-8")
WITH_BLOCKS = [page for page in PAGES if blocks(page.read_text(encoding="utf-8"))]


@pytest.fixture(scope="module")
def work(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Workplace:
    return Workplace(tmp_path_factory.mktemp("readme"), model)


@pytest.mark.parametrize(
    "page",
    # The README is the sample: the manual needs a corpus for its chapters, and shows commands by the dozen.
    [pytest.param(page, id=page.stem, marks=() if page == README else pytest.mark.long) for page in WITH_BLOCKS],
)
def test_every_console_block_shows_real_output(page: Path, work: Workplace) -> None:
    folder = work.cleared(page)
    wrong = []
    for command in [command for block in blocks(page.read_text(encoding="utf-8")) for command in block]:
        real = run(command.line, folder)
        if normalized(real) != normalized(command.shown):
            wrong.append(f"$ {command.line}\n--- {page.name}\n{command.shown}\n--- now\n{real}")
    assert not wrong, f"{page.name} is out of date, run `make readme`:\n" + "\n\n".join(wrong)


def test_the_readme_is_short_and_shows_the_first_commands() -> None:
    assert TEXT.count("\n") <= 200
    assert len([command for block in blocks(TEXT) for command in block]) >= 6


def test_every_command_is_explained() -> None:
    names = [c.name for c in app.registered_commands] + [g.name for g in app.registered_groups]
    chapter = (MANUAL / "commands.md").read_text(encoding="utf-8")
    assert [n for n in names if f"polyrag {n}" not in chapter] == []


def test_every_dependency_is_explained() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = [re.split(r"[<>=\[]", requirement)[0] for requirement in project["dependencies"]]
    assert [n for n in names if f"| `{n}`" not in TEXT] == []


def test_the_settings_are_explained_as_they_are_declared() -> None:
    shown = SETTINGS.read_text(encoding="utf-8").partition(SETTINGS_HEADING)[2]
    assert shown == reference().strip() + "\n", "run `make readme`"


def test_every_chapter_is_linked_and_every_link_leads_to_a_file() -> None:
    assert sorted(path.stem for path in MANUAL.glob("*.md")) == sorted(TOPICS)
    assert [t for t in TOPICS if f"(polyrag_cli/manual/{t}.md)" not in TEXT] == []
    for page in PAGES:
        links = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8"))
        assert [link for link in links if not (page.parent / link).exists()] == [], page.name


def test_the_picture_is_there_and_shown() -> None:
    assert PICTURE.read_text(encoding="utf-8").startswith("<svg")
    assert f"({PICTURE.relative_to(ROOT)})" in TEXT


# The views are drawn for their own pictures in any case.
@pytest.mark.long
@pytest.mark.parametrize("name", PICTURES)
def test_the_dashboards_pictures_are_current(demo_data: Path, tmp_path: Path, name: str) -> None:
    # Called after the folder that it lies in, as the pictures have it.
    copied(demo_data, tmp_path / "demo" / "data")
    same = pictures(tmp_path, [name])[name] == file_of(name).read_text(encoding="utf-8")
    assert same, "the picture is out of date, run `make readme`"


def test_the_dashboards_pictures_are_shown() -> None:
    shown = TEXT + (MANUAL / "dashboard.md").read_text(encoding="utf-8").replace("(../../", "(")
    assert [name for name in PICTURES if f"({file_of(name).relative_to(ROOT)})" not in shown] == []

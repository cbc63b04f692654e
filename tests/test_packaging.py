"""A built wheel works outside the checkout, with its defaults inside."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from polyrag_cli.languages.compiled import compile_folder
from tests.command_line import HASHING, ROOT, environment, process


def test_the_locked_versions_satisfy_what_the_package_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = [Requirement(text) for text in (*project["dependencies"], *project["optional-dependencies"]["dev"])]
    lines = (ROOT / "requirements.lock").read_text().splitlines()
    pinned = dict(line.split("==") for line in lines if not line.startswith("#"))
    locked = {canonicalize_name(name): version for name, version in pinned.items()}
    unmet = [str(need) for need in asked if not need.specifier.contains(locked.get(canonicalize_name(need.name), ""))]
    assert unmet == []


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    built = subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "-w",
            folder,
            ROOT,
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    (made,) = folder.glob("polyrag-*.whl")
    return made


def test_the_wheel_holds_the_package_and_its_defaults_alone(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        assert "polyrag_cli/config/routes.toml" in names
        (entry_points,) = [name for name in names if name.endswith("entry_points.txt")]
        assert b"polyrag = polyrag_cli.__main__:main" in archive.read(entry_points)
        (license_file,) = [name for name in names if name.endswith("/LICENSE")]
        assert b"Apache License" in archive.read(license_file)
        # What is shipped is taken as it is: in a folder that can't be written, a start would compile for itself.
        assert archive.read("polyrag_cli/languages/compiled.txt") == compile_folder()
    sources = {path.relative_to(ROOT).as_posix() for path in (ROOT / "polyrag_cli").rglob("*.py")}
    assert sources == {name for name in names if name.endswith(".py")}
    assert {name.split("/")[0].partition("-")[0] for name in names} == {"polyrag_cli", "polyrag"}


@pytest.mark.long
def test_an_installed_wheel_works_outside_the_checkout(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=False, symlinks=True)
    python = tmp_path / "venv" / "bin" / "python"
    (site,) = (tmp_path / "venv" / "lib").glob("python*/site-packages")
    # Dependencies come from the environment that runs the tests; the package itself from the wheel, which comes first.
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index", wheel],
        check=True,
        capture_output=True,
    )
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    work = tmp_path / "work"
    (work / "in").mkdir(parents=True)
    (work / "in" / "quay.md").write_text("# Quay\n\n## Lamp\n\nThe lamp on the quay is green.\n")
    env = environment(**HASHING, PYTHONPATH=None)
    found = subprocess.run(
        [python, "-c", "import polyrag_cli; print(polyrag_cli.__file__)"],
        cwd=work,
        env=env,
        capture_output=True,
        text=True,
    )
    assert Path(found.stdout.strip()).is_relative_to(site), found
    assert (tmp_path / "venv" / "bin" / "polyrag").is_file()

    def polyrag(*arguments: str) -> str:
        done = process(*arguments, cwd=work, env=env, python=(python,))
        assert done.code == 0, done
        return done.out

    polyrag("init")
    assert (work / "polyrag.toml").read_bytes() == (ROOT / "polyrag.toml").read_bytes()
    assert "1 added" in polyrag("ingest", "in")
    assert polyrag("ask", "Which colour is the lamp on the quay?").startswith("The lamp on the quay is green.")
    assert (work / ".polyrag" / "catalog.sqlite").is_file()

"""A mutation check of some files: in a copy of the tree, so that the work tree is never touched."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.mutation.predicates import SWITCH, Predicate, instrumented

_HERE = Path(__file__).parent
_LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".polyrag*", ".mypy_cache", ".ruff_cache", "dist")


@dataclass(frozen=True)
class Mutant:
    """One predicate replaced by a constant. fate: killed, out of time, survived or not reached."""

    predicate: Predicate
    constant: bool
    fate: str

    def __str__(self) -> str:
        where = f"{self.predicate.file}:{self.predicate.line}"
        return f"{where}: {self.predicate.text} → {self.constant}  {self.fate}"


@dataclass(frozen=True)
class Checked:
    """mutants: in the source's order. tests: how many ran. failed: tests left out, as they fail without a mutant."""

    mutants: tuple[Mutant, ...]
    predicates: int
    tests: int
    failed: tuple[str, ...]

    def survivors(self) -> list[Mutant]:
        """Those that no test noticed."""
        return [mutant for mutant in self.mutants if mutant.fate in ("survived", "not reached")]


class CheckFailed(Exception):
    """The tests can't be run at all."""


def source_files(root: Path, target: str) -> list[Path]:
    """The files of a package or module, named by its path or with dots, relative to the root."""
    path = root / (target if "/" in target or target.endswith(".py") else target.replace(".", "/"))
    files = sorted(path.rglob("*.py")) if path.is_dir() else [path if path.suffix else path.with_suffix(".py")]
    if not files or not files[0].is_file():
        raise CheckFailed(f"{target}: no such package or module.")
    return [file.relative_to(root) for file in files]


def mirrored_tests(root: Path, file: Path) -> list[str]:
    """Of a source file: tests/<package>/test_<module>*.py, else all of that folder; tests/test_<package>.py too."""
    folder, name = Path("tests", *file.parts[1:-1]), file.stem
    found = sorted((root / folder).glob(f"test_{name}.py")) + sorted((root / folder).glob(f"test_{name}_*.py"))
    if not found:
        found = sorted((root / folder).glob("test_*.py"))
    beside = root / folder.parent / f"test_{folder.name}.py"
    found += [beside] if folder != Path("tests") and beside.is_file() else []
    return [path.relative_to(root).as_posix() for path in found]


def check(
    root: Path,
    targets: Sequence[str],
    tests: Sequence[str] = (),
    sample: int | None = None,
    seed: int = 0,
    jobs: int = 1,
    limit_s: float = 20.0,
) -> Checked:
    """Replaces each predicate of the targets by True and by False and runs the tests.

    tests: files or folders; by default those that mirror each target. sample: how many mutants, drawn by `seed`.
    limit_s: of the processor for one mutant, beside four times what the tests take without it.

    Raises CheckFailed when there is no such target, or when the tests can't be collected.
    """
    files = sorted({file for target in targets for file in source_files(root, target)})
    chosen = list(tests) or sorted({test for file in files for test in mirrored_tests(root, file)})
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        copy = Path(folder) / "tree"
        shutil.copytree(root, copy, ignore=_LEFT_OUT, symlinks=True)
        predicates = _instrument(copy, files)
        every = drawn(
            [(predicate.number, value) for predicate in predicates for value in predicate.constants], sample, seed
        )
        result = _run(copy, {"tests": chosen, "mutants": every, "jobs": jobs, "limit_s": limit_s})
    fates = {(number, value): fate for number, value, fate in result["fates"]}
    known = {predicate.number: predicate for predicate in predicates}
    mutants = tuple(Mutant(known[number], value, fates[number, value]) for number, value in every)
    return Checked(mutants, len(predicates), result["tests"], tuple(result["failed"]))


def drawn(mutants: Sequence[tuple[int, bool]], sample: int | None, seed: int) -> list[tuple[int, bool]]:
    """A sample of the mutants in their order; all of them for None."""
    if sample is None or sample >= len(mutants):
        return list(mutants)
    return [mutants[at] for at in sorted(random.Random(seed).sample(range(len(mutants)), sample))]


def _instrument(copy: Path, files: Sequence[Path]) -> list[Predicate]:
    shutil.copy(_HERE / "switch.py", copy / f"{SWITCH}.py")
    predicates: list[Predicate] = []
    for file in files:
        text, found = instrumented((copy / file).read_text(encoding="utf-8"), file.as_posix(), len(predicates) + 1)
        (copy / file).write_text(text, encoding="utf-8")
        predicates += found
    return predicates


def _run(copy: Path, job: dict[str, object]) -> dict[str, list[object]]:
    job_file, result_file = copy.with_name("job.json"), copy.with_name("result.json")
    job_file.write_text(json.dumps(job))
    # The tree's own packages before an installed version of them.
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-P", str(_HERE / "runner.py"), str(job_file), str(result_file)]
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    if done.returncode or not result_file.is_file():
        raise CheckFailed(f"the tests can't be run: {' '.join(map(str, job['tests']))}\n{done.stderr[-2000:]}")
    return json.loads(result_file.read_text())

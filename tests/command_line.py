"""The command line as tests run it: in this process where that is enough, as a process of its own where it isn't."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
HASHING = {"POLYRAG_EMBEDDER__NAME": "hashing"}
PATIENCE_S = 600.0
"""How long a test waits for what must happen: a busy machine may take long for anything."""


@dataclass(frozen=True)
class Finished:
    """What a command left: its exit code and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as the one JSON object that it must be."""
        value = json.loads(self.out, parse_constant=_no_constant)
        assert isinstance(value, dict)
        return value

    def failed(self, code: int) -> str:
        """The message of a failure, checked to be one line on stderr, with nothing on stdout."""
        assert (self.code, self.out) == (code, ""), self
        assert "Traceback" not in self.err
        assert self.err.count("\n") == 1 and self.err.endswith("\n"), self.err
        assert self.err.startswith("polyrag"), self.err
        return self.err


def _no_constant(name: str) -> Any:
    raise AssertionError(f"{name} is no JSON")


def environment(**changes: str | None) -> dict[str, str]:
    """This process's environment with the checkout importable and nothing configured; None removes a variable."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("POLYRAG_", "PYTHONHASHSEED"))}
    kept["PYTHONPATH"] = str(ROOT)
    for name, value in changes.items():
        if value is None:
            kept.pop(name, None)
        else:
            kept[name] = value
    return kept


def process(
    *arguments: str | Path,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    python: Sequence[str | Path] = (sys.executable,),
) -> Finished:
    """Runs `polyrag` as a process of its own, with the hashing embedder unless `env` says otherwise."""
    done = subprocess.run(
        [*python, "-m", "polyrag_cli", *arguments],
        cwd=cwd,
        env=environment(**HASHING) if env is None else dict(env),
        input=stdin,
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    return Finished(done.returncode, done.stdout.decode(), done.stderr.decode("utf-8", "replace"))

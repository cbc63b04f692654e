"""What is dear to make and only read: made by the first test process that needs it, shared by all of a run."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock


def made_once(own: Path, name: str, make: Callable[[Path], object]) -> Path:
    """The folder `name` beside the temporary folders of all test processes, made by whichever comes first.

    own: the temporary folder of this process, as pytest gives it.
    """
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / name
    whole = folder.with_suffix(".whole")
    with FileLock(folder.with_suffix(".lock")):
        if not whole.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            whole.touch()
    return folder


def copied(data: Path, to: Path) -> Path:
    """A copy of a data directory that may be changed, without what questions left in the original."""
    left = shutil.ignore_patterns("activity.sqlite*", "jobs")
    return Path(shutil.copytree(data, to, ignore=left, copy_function=_linked_if_lasting))


def _linked_if_lasting(source: str, to: str) -> None:
    # The decoded model's files are never written again, so that one copy on the disk serves all.
    (os.link if "use-m3" in source else shutil.copy2)(source, to)


def put_model(model: Path, data: Path) -> Path:
    """Puts the decoded model where a data directory keeps it, which saves every first start decoding it anew."""
    cache = data / "cache"
    cache.mkdir(parents=True, exist_ok=True)
    for folder in model.iterdir():
        # Its files are never written again, so that one copy on the disk serves all.
        shutil.copytree(folder, cache / folder.name, copy_function=os.link)
    return data

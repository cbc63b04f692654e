"""How what a search proposes gets into polyrag.toml, or is shown where it can't."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from polyrag_cli.errors import StoreError, UsageError

if TYPE_CHECKING:
    from polyrag_cli.config import Settings


@dataclass(frozen=True, slots=True)
class Proposal:
    """The diff of a proposal, the file that it was written to, and why it couldn't be; note: why there is none."""

    diff: tuple[str, ...] = ()
    written: str | None = None
    refused: StoreError | None = None
    note: str = ""


def check_file(settings: Settings, write: bool) -> None:
    """Raises UsageError where there is no file to write to: better before minutes of search than after."""
    from polyrag_cli.config import FILE_NAME

    if write and settings.file is None:
        raise UsageError(f"there is no {FILE_NAME} to write to.", "Write one with: polyrag init")


def proposed(settings: Settings, changes: Mapping[str, tuple[float, float]], write: bool) -> Proposal:
    """Shows the changes as those of the configuration in force, and makes them where `write` says so.

    changes: dotted key → (now, proposed).
    """
    from polyrag_cli.config import FILE_NAME
    from polyrag_cli.config.template import polyrag_toml
    from polyrag_cli.evaluation.tuning import toml_edit

    if fixed := _fixed(settings, changes):
        return Proposal(note=f"Not proposed, since the environment or a flag sets them: {', '.join(fixed)}.")
    file = settings.file
    before = toml_edit.read_text(file) if file else polyrag_toml()
    try:
        after = toml_edit.edited(before, {key: new for key, (_, new) in changes.items()}) if changes else before
    except StoreError as error:
        # The search took minutes: what it found is said also where it can't be written.
        refused = StoreError(f"{file or FILE_NAME}: {error.message}", error.hint)
        return Proposal((str(refused),), None, refused)
    diff = tuple(toml_edit.diff(before, after, str(file or FILE_NAME)))
    if not (write and changes and file is not None):
        return Proposal(diff)
    toml_edit.replace_file(file, after, settings.paths.data)
    return Proposal(diff, str(file))


def _fixed(settings: Settings, changes: Mapping[str, object]) -> list[str]:
    """Those of the keys that polyrag.toml can't set now, since the environment or a flag does."""
    fixed = {key for key, _, origin in settings.listed() if origin == "flag" or origin.startswith("environment")}
    return sorted(fixed.intersection(changes))

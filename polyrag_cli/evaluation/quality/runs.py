"""A run of several labelled sets: measured, judged against a baseline, and kept as one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from polyrag_cli.config.sections import GateSettings
from polyrag_cli.engine import Engine
from polyrag_cli.evaluation.quality.baseline import Baseline, Origin, origin_of, read_baseline, set_name, write_baseline
from polyrag_cli.evaluation.quality.gate import Verdict, judge, matching_set
from polyrag_cli.evaluation.quality.runner import EvalReport
from polyrag_cli.types import EvalItem

Sets = Mapping[str, Sequence[EvalItem]]
"""A set's questions by the path that it was named by."""


@dataclass(frozen=True, slots=True)
class Run:
    """The reports of the sets, what made them where a baseline needs it, and the bounds of the settings."""

    reports: Mapping[str, EvalReport]
    origin: Origin | None
    gate: GateSettings


def measured(
    engine: Engine, sets: Sets, ask: Callable[[Engine, str, Sequence[EvalItem]], EvalReport], with_origin: bool
) -> Run:
    """Runs every set. ask: runs one, by its name and its questions. with_origin: whether a baseline is involved."""
    reports = {name: ask(engine, name, items) for name, items in sets.items()}
    return Run(reports, origin_of(engine) if with_origin else None, engine.settings.gate)


@dataclass(frozen=True, slots=True)
class Against:
    """A baseline with the sets of a run found in it. names: set as the run names it → its name in the baseline."""

    file: Path
    baseline: Baseline
    names: Mapping[str, str]

    @classmethod
    def read(cls, file: Path, sets: Sets) -> Against:
        """The baseline in a file. Raises UsageError when it can't be read, or lacks one of the sets."""
        baseline = read_baseline(file)
        names = {
            name: matching_set(set_name(Path(name), file), [item.question for item in items], baseline, file)
            for name, items in sets.items()
        }
        return cls(file, baseline, names)

    def verdict(self, run: Run) -> Verdict:
        """The gate's decision about a run that was measured with its origin."""
        assert run.origin is not None
        return judge(run.reports, run.origin, self.baseline, self.names, run.gate, str(self.file))


def keep_as_baseline(run: Run, verdict: Verdict | None, file: Path) -> None:
    """Writes a run as a baseline, unless the gate failed it. Raises StoreError when it can't be written."""
    if run.origin is not None and (verdict is None or verdict.passed):
        write_baseline(file, run.origin, {set_name(Path(name), file): r.items for name, r in run.reports.items()})

"""Runs the tests on every mutant of an instrumented tree: modules are imported once, each mutant is a forked process.

    python -P runner.py JOB.json RESULT.json      in the instrumented tree

It imports nothing of the tree's own but through pytest, so it is a script that stands alone.
"""

from __future__ import annotations

import ctypes
import json
import math
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import _mutation_switch as switch
import pytest

_POLL_S = 0.01
_PR_SET_PDEATHSIG = 1
# A mutant that waits instead of working is stopped by the clock, however busy the machine.
_PATIENCE = 10


class Recording:
    """A pytest plugin that notes which predicates each test reaches, how long it takes, and whether it passes."""

    def __init__(self) -> None:
        self.reached: dict[str, set[int]] = {}
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()
        self._shared: dict[str, set[int]] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        switch.reached.clear()
        result = yield
        names = getattr(item, "fixturenames", ())
        # What a fixture of several tests reached counts for each of them, not only for the first.
        self.reached[item.nodeid] = set(switch.reached).union(*(self._shared.get(name, ()) for name in names))
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[None]:
        before = set(switch.reached)
        switch.reached.clear()
        try:
            return (yield)
        finally:
            if fixturedef.scope != "function":
                self._shared.setdefault(fixturedef.argname, set()).update(switch.reached)
            switch.reached.update(before)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration
        if report.failed:
            self.failed.add(report.nodeid)


class Chosen:
    """A pytest plugin that runs the given tests alone, in their order."""

    def __init__(self, tests: Sequence[str]) -> None:
        self._order = {test: position for position, test in enumerate(tests)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self._order), key=lambda item: self._order[item.nodeid]
        )


def _pytest(paths: Sequence[str], *options: str, plugins: Sequence[object] = ()) -> int:
    return int(pytest.main(["-q", "-m", "not long", "-p", "no:cacheprovider", *options, *paths], plugins=list(plugins)))


def _forked(work: Callable[[], int], cpu_s: int | None = None) -> int:
    """The id of a new process that does the work in silence and exits with its result, killed after `cpu_s` of work."""
    process = os.fork()
    if process:
        return process
    try:
        os.setsid()
        _die_with_parent()
        if cpu_s is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 1))
        silent = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(silent, stream)
        os._exit(work())
    finally:
        os._exit(70)


def _die_with_parent() -> None:
    """No mutant goes on when the check is stopped."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _baseline(paths: Sequence[str], file: Path) -> int:
    seen = Recording()
    _pytest(paths, plugins=[seen])
    tests = [test for test in seen.reached if test not in seen.failed]
    kept = {test: (sorted(seen.reached[test]), seen.seconds.get(test, 0.0)) for test in tests}
    file.write_text(json.dumps({"tests": kept, "failed": sorted(seen.failed)}))
    return 0


class Mutants:
    """The mutants of one job and what came of each."""

    def __init__(self, job: dict[str, Any], baseline: dict[str, Any], tell: Callable[[int], None]) -> None:
        self._paths, self._jobs, self._limit = job["tests"], job["jobs"], job["limit_s"]
        self._tests: dict[str, tuple[list[int], float]] = baseline["tests"]
        self._tell = tell
        self.fates: dict[tuple[int, bool], str] = {}

    def run(self, mutants: Sequence[tuple[int, bool]]) -> None:
        """Judges these, several at a time."""
        waiting, running = list(mutants), {}
        while waiting or running:
            while waiting and len(running) < self._jobs:
                mutant = waiting.pop(0)
                first = sorted(test for test, (reached, _) in self._tests.items() if mutant[0] in reached)
                if not first:
                    self._end(mutant, "not reached")
                    continue
                limit = self._limit + 4 * sum(seconds for _, seconds in self._tests.values())
                process = _forked(lambda m=mutant, f=first: self._judge(m, f), math.ceil(limit))
                running[process] = (mutant, time.monotonic() + _PATIENCE * limit)
            self._reap(running)

    def _judge(self, mutant: tuple[int, bool], first: Sequence[str]) -> int:
        """1 when a test fails. The quick ones that reach it come first, those that a cache kept from it last."""
        switch.activate(*mutant)
        reaching = set(first)
        order = sorted(self._tests, key=lambda test: (test not in reaching, self._tests[test][1], test))
        return min(1, _pytest(self._paths, "-x", plugins=[Chosen(order)]))

    def _reap(self, running: dict[int, tuple[tuple[int, bool], float]]) -> None:
        for process, (mutant, deadline) in list(running.items()):
            ended, status = os.waitpid(process, os.WNOHANG)
            if ended:
                stopped = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL)
                self._end(mutant, "out of time" if stopped else "killed" if status else "survived")
            elif time.monotonic() > deadline:
                os.killpg(process, signal.SIGKILL)
                os.waitpid(process, 0)
                self._end(mutant, "out of time")
            else:
                continue
            del running[process]
        time.sleep(_POLL_S)

    def _end(self, mutant: tuple[int, bool], fate: str) -> None:
        self.fates[mutant] = fate
        self._tell(len(self.fates))


def _warm(job: dict[str, Any], file: Path) -> int:
    """Imports all, runs the tests once, then each mutant whose predicate isn't decided while modules are imported."""
    if _pytest(job["tests"], "--collect-only") not in (0, 5):
        return 1
    on_import = set(switch.reached)
    os.waitpid(_forked(lambda: _baseline(job["tests"], file)), 0)
    baseline = json.loads(file.read_text())
    # A run that fails without a mutant would kill every mutant.
    control = _forked(lambda: min(1, _pytest(job["tests"], "-x", plugins=[Chosen(list(baseline["tests"]))])))
    if not baseline["tests"] or os.waitpid(control, 0)[1]:
        sys.stderr.write("the tests that pass once don't pass twice\n")
        return 1
    every = [(number, value) for number, value in job["mutants"]]
    mutants = Mutants(job, baseline, _telling(len(every)))
    mutants.run([mutant for mutant in every if mutant[0] not in on_import])
    cold = [mutant for mutant in every if mutant[0] in on_import]
    file.write_text(json.dumps({**baseline, "fates": [[*m, fate] for m, fate in mutants.fates.items()], "cold": cold}))
    return 0


def _telling(count: int) -> Callable[[int], None]:
    terminal = os.open("/dev/tty", os.O_WRONLY) if sys.stderr.isatty() else None

    def tell(done: int) -> None:
        if terminal is not None:
            os.write(terminal, f"\r{done} of {count} mutants ".encode())

    return tell


def main(job_file: Path, result_file: Path) -> int:
    """Writes what came of each mutant, and which tests fail without one."""
    job = json.loads(job_file.read_text())
    warm = os.fork()
    if not warm:
        _die_with_parent()
        os._exit(_warm(job, result_file))
    if os.waitpid(warm, 0)[1]:
        return 1
    result = json.loads(result_file.read_text())
    # This process has imported nothing that a mutant could be in: what is decided on import is decided anew.
    on_import = {number for number, _ in result["cold"]}
    for test, (reached, seconds) in result["tests"].items():
        result["tests"][test] = ([*reached, *on_import], seconds)
    cold = Mutants(job, result, lambda done: None)
    cold.run([(number, value) for number, value in result["cold"]])
    fates = result["fates"] + [[*mutant, fate] for mutant, fate in cold.fates.items()]
    result_file.write_text(json.dumps({"fates": fates, "failed": result["failed"], "tests": len(result["tests"])}))
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))

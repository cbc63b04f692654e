"""Replaces each predicate of a package by True and by False, and says which no test notices.

python -m tests.mutation polyrag_cli/scoring
python -m tests.mutation polyrag_cli/nl2sql --sample 100 --seed 1
python -m tests.mutation polyrag_cli/text/fold.py --tests tests/text tests/routing
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections import Counter
from pathlib import Path

from tests.mutation.check import CheckFailed, check


def main() -> int:
    """1 when a mutant survived, 2 when the check can't be made."""
    parser = argparse.ArgumentParser(
        "python -m tests.mutation", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("targets", nargs="+", help="packages or modules, by path")
    parser.add_argument("--tests", nargs="+", default=[], help="test files or folders (default: those that mirror it)")
    parser.add_argument("--sample", type=int, help="judge that many mutants, drawn by --seed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="mutants at a time")
    parser.add_argument("--limit", type=float, default=20.0, help="processor seconds of a mutant")
    given = parser.parse_args()
    # As Ctrl+C does: the copy is removed and no process is left.
    signal.signal(signal.SIGTERM, signal.getsignal(signal.SIGINT))
    try:
        root = Path(__file__).parents[2]
        found = check(root, given.targets, given.tests, given.sample, given.seed, given.jobs, given.limit)
    except CheckFailed as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 2
    for test in found.failed:
        print(f"left out, fails without a mutant: {test}", file=sys.stderr)  # noqa: T201
    for mutant in found.survivors():
        print(mutant)  # noqa: T201
    fates = Counter(mutant.fate for mutant in found.mutants)
    counts = ", ".join(f"{fates[fate]} {fate}" for fate in ("killed", "out of time", "survived", "not reached"))
    print(f"{found.predicates} predicates, {len(found.mutants)} mutants, {found.tests} tests: {counts}")  # noqa: T201
    return 1 if found.survivors() else 0


if __name__ == "__main__":
    sys.exit(main())

"""Tells what comes of generated questions: `python -m tests.nl2sql.generated COUNT [OPERATOR …]`."""

from __future__ import annotations

import sys
from collections import Counter

from polyrag_cli.nl2sql.similarity import WordSimilarity
from polyrag_cli.providers.use_m3 import UseM3Embedder
from tests.nl2sql.generated.grammars import NAMES, tally


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(count: int, names: list[str]) -> None:
    """Print each operator's coverage, wrong answers and a few declined questions."""
    similar = WordSimilarity(UseM3Embedder(threads=1).embed)
    for name in names:
        for language in ("en", "pt"):
            found = tally(name, language, count, similar)
            share, wrong = f"{found.coverage:.3f}", len(found.wrong)
            _say(f"== {name} {language}: asked {found.asked}, coverage {share}, wrong {wrong}")
            reasons = Counter(text.split(" — ")[1] for text in found.declined)
            for reason, times in reasons.most_common(6):
                example = next(t for t in found.declined if t.endswith(reason))
                _say(f"   declined {times}: {example}")
            for wrong in found.wrong[:12]:
                _say(f"WRONG {wrong}")


main(int(sys.argv[1]), sys.argv[2:] or list(NAMES))

"""Questions about the small corpus, and a result as its JSON gives it."""

from __future__ import annotations

import json
from typing import Any

from polyrag_cli.types import as_json

FIGURE = "Qual foi a receita total?"
RULE = "Quem precisa autorizar a saída com vento forte?"
STORY = "Como tudo começou?"


def plain(result: Any) -> Any:
    """The result as JSON gives it, through a dump and back."""
    return json.loads(json.dumps(as_json(result), allow_nan=False))

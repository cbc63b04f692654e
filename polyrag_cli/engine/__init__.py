"""The facade that every front door calls, and what it is composed of."""

from __future__ import annotations

from polyrag_cli.engine.deciding import check_question
from polyrag_cli.engine.facade import Engine

__all__ = ["Engine", "check_question"]

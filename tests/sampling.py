"""What `make test` leaves to `make test-long`."""

from __future__ import annotations

from typing import Any

import pytest


def only_long(*values: Any) -> list[Any]:
    """Parameters of a test that run with the long tests alone: others of the same kind are its sample."""
    return [pytest.param(value, marks=pytest.mark.long) for value in values]

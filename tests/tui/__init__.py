"""Tests of the dashboard. The package is imported before textual, which then reads how often it may draw."""

import polyrag_cli.tui  # noqa: F401

"""The report of an ingest: its files, the failed ones first, and what changed settings changed with it."""

from __future__ import annotations

import asyncio

from textual.app import App, ComposeResult
from textual.widgets import Static

from polyrag_cli.tui.corpus.ingest_run import Outcome
from polyrag_cli.tui.corpus.report_card import FileReports, ReportCard
from polyrag_cli.types import FileReport, ImpactReport, PendingImpact

FILES = (FileReport("a.md", "added"), FileReport("b.md", "failed", "it is empty"), FileReport("c.md", "skipped"))


class CardApp(App[None]):
    def compose(self) -> ComposeResult:
        yield ReportCard()


def test_what_failed_comes_first_and_the_impact_only_where_there_is_one() -> None:
    async def main() -> None:
        app = CardApp()
        async with app.run_test():
            card, told = app.query_one(ReportCard), app.query_one("#report-impact", Static)
            card.show(Outcome("3 files", FILES))
            assert [file.document for file in app.query_one(FileReports).items] == ["b.md", "c.md", "a.md"]
            assert not told.display
            pending = PendingImpact(ImpactReport(7), 2, ("router.delta [0.25] → 0.30",))
            card.show(Outcome("3 files", FILES, impact=pending))
            assert told.display
            lines = str(told.content).splitlines()
            assert lines[0] == "changed since the last ingest: router.delta [0.25] → 0.30:"
            assert lines[1].startswith("  0 of 7 chunks change home")
            card.show(Outcome("stopped"))
            assert not told.display

    asyncio.run(main())

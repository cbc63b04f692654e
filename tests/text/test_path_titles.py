"""Titles and dates that paths say."""

from __future__ import annotations

import pytest

from polyrag_cli.text.path_titles import PathTitle, path_title


@pytest.mark.parametrize(
    ("path", "title", "date"),
    [
        ("2023-04-12-team-sync.md", "team sync", "2023-04-12"),
        ("Kickoff 2024-05-02.md", "Kickoff", "2024-05-02"),
        ("20230412_budget_review.txt", "budget review", "2023-04-12"),
        ("2023-04 report.md", "report", "2023-04"),
        ("2024-05-02.md", "2024-05-02", "2024-05-02"),
        ("2023-13-45-x.md", "2023-13-45 x", ""),
        ("bilheteria_2024.csv", "bilheteria 2024", ""),
        ("01-getting-started.md", "getting started", ""),
        ("v1.2.3-release.md", "v1.2.3 release", ""),
        ("Notes 5f2a9c1d5f2a9c1d5f2a9c1d5f2a9c1d.md", "Notes", ""),
        ("guia_do_público.md", "guia do público", ""),
        (".hidden", "hidden", ""),
    ],
)
def test_names(path: str, title: str, date: str) -> None:
    assert path_title(path) == PathTitle(title, date)


def test_a_file_that_opens_its_folder_has_the_folders_name() -> None:
    assert path_title("docs/deploy-guide/index.md") == PathTitle("deploy guide", "", ("docs", "deploy guide"))
    assert path_title("deploy/README.md").title == "deploy README"
    assert path_title("README.md").title == "README"

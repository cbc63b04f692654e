"""What a path says of its document's language."""

from __future__ import annotations

import pytest

from polyrag_cli.text.path_languages import path_versions


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("docs/pt/x.md", "pt"),
        ("docs/pt-BR/x.md", "pt"),
        ("docs/zh_hans/x.md", "zh"),
        ("docs/x.pt.md", "pt"),
        ("docs/x_pt.md", "pt"),
        ("docs/x-pt-br.md", "pt"),
        ("docs.de/x.md", "de"),
    ],
)
def test_versions_of_one_document_have_one_key(path: str, code: str) -> None:
    assert [(version.key, version.code) for version in path_versions(path)] == [("docs/x.md", code)]


def test_a_path_that_names_no_language_has_no_key_of_its_own() -> None:
    assert path_versions("docs/guide.md") == ()
    assert path_versions("pt.md") == ()
    assert path_versions("docs/pt") == ()


def test_any_two_letters_may_be_a_code_and_each_place_is_a_reading() -> None:
    assert [(v.key, v.code) for v in path_versions("en/db/sign-up.md")] == [
        ("db/sign-up.md", "en"),
        ("en/sign-up.md", "db"),
        ("en/db/sign.md", "up"),
    ]

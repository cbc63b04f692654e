"""Plain text: paragraphs, lists, and headings where they are evident."""

from pathlib import Path

import pytest

from polyrag_cli.loaders.plain import PlainTextLoader, paragraphs, parse_plain


def kinds(text: str) -> list[tuple[str, int, str]]:
    return [(block.kind, block.level, text[block.start : block.end]) for block in parse_plain(text).blocks]


def test_paragraphs_are_cut_at_blank_lines() -> None:
    text = "\n  One\nstill one.\n \t\n\nTwo.\n"
    assert [text[block.start : block.end] for block in paragraphs(text)] == ["One\nstill one.", "Two."]


def test_headings_in_capitals_underlined_and_numbered() -> None:
    text = "Ship log\n========\n\nWeather\n-------\nCalm.\n\nENGINE ROOM\n\nHot.\n\n"
    text += "2.1 Fuel Use\n\nHigh.\n\nNOTES\nnone yet.\n"
    assert kinds(text) == [
        ("heading", 1, "Ship log"),
        ("heading", 2, "Weather"),
        ("paragraph", 0, "Calm."),
        ("heading", 2, "ENGINE ROOM"),
        ("paragraph", 0, "Hot."),
        ("heading", 3, "2.1 Fuel Use"),
        ("paragraph", 0, "High."),
        ("heading", 2, "NOTES"),
        ("paragraph", 0, "none yet."),
    ]
    assert parse_plain(text).title == "Ship log"


@pytest.mark.parametrize(
    "line", ["HELLO THERE.", "ABC", "42 is the answer", "日本語の文章", "A line, WITH SOME CAPITALS", "3 boats"]
)
def test_what_is_no_heading(line: str) -> None:
    assert kinds(f"{line}\n\ntext") == [("paragraph", 0, line), ("paragraph", 0, "text")]


def test_lists_and_their_introduction() -> None:
    assert kinds("Bring:\n- rope\n- oil\n  and more") == [
        ("paragraph", 0, "Bring:"),
        ("list", 0, "- rope\n- oil\n  and more"),
    ]


def test_long_lines_are_paragraphs_of_their_own() -> None:
    lines = ["word " * 40 + "a.", "word " * 40 + "b.", "word " * 40 + "c."]
    assert [text for _, _, text in kinds("\n".join(lines))] == lines


def test_loading(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"")
    assert PlainTextLoader().load(path) == ()
    path.write_bytes("Olá.\x00".encode("utf-16"))
    (document,) = PlainTextLoader().load(path)
    assert document.text == "Olá."
    assert document.warnings == ("1 NUL character removed.",)

"""Markdown files: what people read of them, with titles, fields, tables and the source's lines."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from polyrag_cli.errors import LoadError
from polyrag_cli.loaders.markdown import MarkdownLoader, parse_markdown
from polyrag_cli.types import LinedText

TEXT = """# Harbour rules ##

Intro *one*
and two.

Tariffs
-------

| Ship | Fee |
|:-----|----:|
| *Tug* | 10 \\| 12 |
| Barge |
| Ferry | 3 | extra |

- first
  more of it

- second
1. third

```python
# no heading

- no list
```

### Deep `code` [link](http://x.y)

    indented

***
<!-- hidden
comment -->
Last words.
"""


def kinds(text: str) -> list[tuple[str, int, str]]:
    document = parse_markdown(text, "x")
    return [(block.kind, block.level, document.text[block.start : block.end]) for block in document.blocks]


def shown(text: str) -> str:
    return parse_markdown(text, "x").text


def test_blocks_of_every_kind() -> None:
    assert kinds(TEXT) == [
        ("heading", 1, "Harbour rules"),
        ("paragraph", 0, "Intro one\nand two."),
        ("heading", 2, "Tariffs"),
        ("table", 0, "| Ship | Fee |\n| Tug | 10 \\| 12 |\n| Barge |  |\n| Ferry | 3 \\| extra |"),
        ("list", 0, "- first\n  more of it\n- second"),
        ("list", 0, "1. third"),
        ("code", 0, "# no heading\n\n- no list"),
        ("heading", 3, "Deep code link"),
        ("code", 0, "indented"),
        ("paragraph", 0, "Last words."),
    ]


def test_each_line_knows_the_line_of_its_source() -> None:
    document = parse_markdown(TEXT, "x")
    source, lined = TEXT.split("\n"), LinedText(document.text, document.source_lines)
    marks = ("Harbour", "Intro", "and two", "Tariffs", "| Ferry", "more of", "second", "third", "no list", "Last words")
    for mark in marks:
        assert mark in source[lined.source_line(document.text.index(mark)) - 1], mark


def test_tables_are_relational_too() -> None:
    document = parse_markdown(TEXT, "x")
    (table,) = document.tables
    assert table.rows == (("Ship", "Fee"), ("Tug", "10 | 12"), ("Barge", ""), ("Ferry", "3 | extra"))
    assert (table.name, table.heading) == ("Tariffs", "Tariffs")
    assert document.text[table.start : table.end].startswith("| Ship")
    assert document.title == "Harbour rules"


def test_heading_path_of_a_table_leaves_the_title_out() -> None:
    text = "# T\n## A\n### B\n|x|y|\n|-|-|\n|1|2|\n## C\n|x|y|\n|-|-|\n|1|2|\n"
    assert [table.heading for table in parse_markdown(text, "f").tables] == ["A › B", "C"]


def test_a_line_without_a_pipe_is_no_row() -> None:
    assert kinds("|x|y|\n|-|-|\n|1|2|\nSource: *us*")[1] == ("paragraph", 0, "Source: us")


def test_a_table_in_a_list_is_a_table() -> None:
    assert kinds("1. a\n\n   |x|y|\n   |-|-|\n   |1|2|\n\n2. b\n") == [
        ("list", 0, "1. a"),
        ("table", 0, "| x | y |\n| 1 | 2 |"),
        ("list", 0, "2. b"),
    ]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# One\n\ntext", "One"),
        ("# One\n\ntext\n\n# Two\n", "One"),
        ("text\n\n# One\n\n# Two\n", ""),
        ("## Only\n\ntext\n\n### Deeper\n", "Only"),
        ("## 1.2\n\ntext\n\n## 1.1\n", ""),
        ("One\n===\ntext", "One"),
        ('---\ntitle: "From the `front`"\ntags: [a]\n---\n# One\n', "From the front"),
        ("+++\ntitle = 'Toml'\n+++\ntext\n", "Toml"),
        ('{\n  "title": "Json"\n}\ntext\n', "Json"),
        ("---\nno front matter at all\n---\ntext\n", "no front matter at all"),
        ("just text", ""),
    ],
)
def test_titles(text: str, title: str) -> None:
    assert parse_markdown(text, "x").title == title


def test_front_matter_is_a_block_of_fields_when_it_says_more_than_the_title() -> None:
    text = "---\ntitle: A\nauthor: B\ndate: 2023-04-12\ntags:\n- x\n- y\n---\nText\n"
    assert kinds(text) == [
        ("fields", 0, "author: B\ndate: 2023-04-12\ntags: x, y"),
        ("paragraph", 0, "Text"),
    ]
    assert kinds("---\ntitle: A\n---\nText\n") == [("paragraph", 0, "Text")]


def test_what_is_no_heading() -> None:
    assert [kind for kind, _, _ in kinds("#hashtag\n\n####### seven\n\n#\n")] == ["paragraph"] * 2
    assert kinds("\\# escaped") == [("paragraph", 0, "# escaped")]
    assert kinds(f"# {'long ' * 100}")[0][0] == "paragraph"


def test_unclosed_fence_and_comment() -> None:
    assert kinds("```\n# x\n") == [("code", 0, "# x")]
    assert kinds("<!-- open\ntext") == [("paragraph", 0, "open\ntext")]


def test_newlines_encodings_and_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes("# Título\r\n\r\nAção.\r\n".encode("cp1252"))
    (document,) = MarkdownLoader().load(path)
    assert document.text == "Título\n\nAção."
    assert document.title == "Título"
    path.write_bytes(b" \n")
    assert MarkdownLoader().load(path) == ()
    path.write_bytes(b"GIF89a\x00")
    with pytest.raises(LoadError, match="binary"):
        MarkdownLoader().load(path)


HOSTILE = [
    "> " * 20_000 + "deep",
    "".join("  " * depth + "- x\n" for depth in range(300)),
    "[" * 60_000,
    "*a_" * 40_000,
    "![" * 40_000 + "](x)" * 40_000,
    "`" * 3 + "\n" + "```x\n" * 20_000,
    "".join("`" * length + " " for length in range(1, 400)),
    "{{< " * 30_000,
    "{%" * 40_000 + "\n<!--" * 5_000,
    "<div>\n\n" * 5_000,
    "<b" * 60_000,
    "|" * 60_000 + "\n" + "|-" * 60_000,
    "[a]: x\n" * 10_000,
    "!!! note\n" * 10_000,
    "$" * 60_000 + "x^",
    "[[a" * 40_000,
    "a " * 500_000,
    "x" * 1_000_000,
    "a" + " " * 200_000 + "b {",
    "".join(f"{mark}{' ' * 15_000}x!\n\n" for mark in ("!!!", ":::", "///", "===", ">", "-", "{", "#")),
    ("<!--" * 4_000 + "\n") * 20,
    "==a" * 60_000,
    "---\na: [\n" + "b" * 60 + ": " + " " * 15_000 + "x\n---\n",
    "---\n" + "a: &a [*a, *a]\n" * 50 + "---\ntext",
]


# Every third is the sample.
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(text, id=str(place), marks=pytest.mark.long if place % 3 else ())
        for place, text in enumerate(HOSTILE)
    ],
)
def test_hostile_text_takes_bounded_time(text: str) -> None:
    begin = time.process_time()
    parse_markdown(text, "x")
    assert time.process_time() - begin < 10


def test_long_paragraphs_lose_nothing() -> None:
    words = [f"word{number}" for number in range(20_000)]
    assert shown(" ".join(words)).split() == words


def test_what_stands_between_figures_and_at_a_type_is_no_markup() -> None:
    loaded = parse_markdown("2*3*4 = 24, List<String> of names, *so* <b>big</b>\n", "d")
    assert loaded.text.strip() == "2*3*4 = 24, List<String> of names, so big"

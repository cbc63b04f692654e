"""Markdown: blocks, tables and titles, with offsets that point into the source."""

from pathlib import Path

import pytest

from polyrag_cli.errors import LoadError
from polyrag_cli.loaders.markdown import MarkdownLoader, parse_markdown, plain

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
    return [(block.kind, block.level, text[block.start : block.end]) for block in parse_markdown(text, "x").blocks]


def test_blocks_of_every_kind() -> None:
    assert kinds(TEXT) == [
        ("heading", 1, "Harbour rules"),
        ("paragraph", 0, "Intro *one*\nand two."),
        ("heading", 2, "Tariffs"),
        ("table", 0, TEXT[TEXT.index("| Ship") : TEXT.index("\n\n- first")]),
        ("list", 0, "- first\n  more of it\n\n- second\n1. third"),
        ("code", 0, "```python\n# no heading\n\n- no list\n```"),
        ("heading", 3, "Deep `code` [link](http://x.y)"),
        ("code", 0, "    indented"),
        ("paragraph", 0, "Last words."),
    ]


def test_tables_are_relational_too() -> None:
    document = parse_markdown(TEXT, "x")
    (table,) = document.tables
    assert table.rows == (("Ship", "Fee"), ("Tug", "10 | 12"), ("Barge", ""), ("Ferry", "3 | extra"))
    assert (table.name, table.heading) == ("Tariffs", "Tariffs")
    assert TEXT[table.start : table.end].startswith("| Ship")
    assert document.title == "Harbour rules"


def test_heading_path_of_a_table_leaves_the_title_out() -> None:
    text = "# T\n## A\n### B\n|x|y|\n|-|-|\n|1|2|\n## C\n|x|y|\n|-|-|\n|1|2|\n"
    assert [table.heading for table in parse_markdown(text, "f").tables] == ["A › B", "C"]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# One\n\ntext", "One"),
        ("# One\n\ntext\n\n# Two\n", ""),
        ("One\n===\ntext", "One"),
        ('---\ntitle: "From the front"\ntags: [a]\n---\n# One\n', "From the front"),
        ("+++\ntitle = 'Toml'\n+++\ntext\n", "Toml"),
        ("---\nnot front matter at all\n---\ntext\n", ""),
        ("just text", ""),
    ],
)
def test_titles(text: str, title: str) -> None:
    assert parse_markdown(text, "x").title == title


def test_front_matter_is_a_block_of_its_own_when_it_says_more_than_the_title() -> None:
    assert kinds("---\ntitle: A\nauthor: B\n---\nText\n") == [("code", 0, "author: B"), ("paragraph", 0, "Text")]
    assert kinds("---\ntitle: A\n---\nText\n") == [("paragraph", 0, "Text")]


def test_what_is_no_heading() -> None:
    assert [kind for kind, _, _ in kinds("#hashtag\n\n####### seven\n\n#\n\n| a |\n---\n")] == ["paragraph"] * 3
    assert kinds("\\# escaped") == [("paragraph", 0, "\\# escaped")]


def test_unclosed_fence_and_comment() -> None:
    assert kinds("```\n# x\n") == [("code", 0, "```\n# x")]
    assert kinds("<!-- open\ntext") == [("paragraph", 0, "<!-- open\ntext")]


def test_plain_takes_inline_marks_off() -> None:
    assert plain("**a** _b_ `c` ~~d~~ [e](f) ![g](h) i\\*j snake_case_name") == "a b c d e g i*j snake_case_name"


def test_newlines_encodings_and_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes("# Título\r\n\r\nAção.\r\n".encode("cp1252"))
    (document,) = MarkdownLoader().load(path)
    assert document.text == "# Título\n\nAção.\n"
    assert document.title == "Título"
    path.write_bytes(b" \n")
    assert MarkdownLoader().load(path) == ()
    path.write_bytes(b"GIF89a\x00")
    with pytest.raises(LoadError, match="binary"):
        MarkdownLoader().load(path)

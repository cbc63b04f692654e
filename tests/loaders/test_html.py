"""HTML files: the content of a page with its structure, and nothing around it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from polyrag_cli.loaders.html import HTMLLoader, parse_html
from polyrag_cli.types import LinedText

PAGE = """<!DOCTYPE html>
<html><head><title>Fees | Harbour</title><meta name="author" content="Ana">
<meta property="article:published_time" content="2023-04-12"><style>x {}</style></head>
<body><nav><a href="/">Home</a></nav><div id="sidebar">Aside</div>
<h1>Fees <a class="headerlink" href="#x">¶</a></h1>
<p>One <b>two</b>
three<br>four &amp; <code>x</code>.</p>
<script>bad()</script><p hidden>unseen</p>
<ol start="3"><li>a<p>b</p></li><li>c<ul><li>d</li></ul></li></ol>
<table><thead><tr><th rowspan="2">Ship</th><th colspan="2">Fee</th></tr><tr><th>day</th><th>night</th></tr></thead>
<tr><td>Tug</td><td>10</td><td>12</td></tr></table>
<pre>a
  b</pre>
<table role="presentation"><tr><td>laid</td><td>out</td></tr><tr><td>x</td><td>y</td></tr></table>
<h2>More</h2><div>text<div>inner</div>tail</div>
<footer>Copyright</footer></body></html>
"""


def test_a_page_as_people_read_it() -> None:
    document = parse_html(PAGE, "x")
    assert document.title == "Fees"
    assert document.text == (
        "author: Ana\ndate: 2023-04-12\n\nFees\n\nOne two three\nfour & x.\n\n3. a\n   b\n4. c\n   - d\n\n"
        "| Ship | Fee day | Fee night |\n| Tug | 10 | 12 |\n\na\n  b\n\nlaid\n\nout\n\nx\n\ny\n\nMore\n\n"
        "text\n\ninner\n\ntail"
    )
    kinds = [block.kind for block in document.blocks[:6]]
    assert kinds == ["fields", "heading", "paragraph", "list", "table", "code"]
    (table,) = document.tables
    assert (table.rows, table.has_header) == ((("Ship", "Fee day", "Fee night"), ("Tug", "10", "12")), True)
    lined, source = LinedText(document.text, document.source_lines), PAGE.split("\n")
    for mark in ("Fees", "One", "| Tug", "More"):
        assert mark.strip("| ") in source[lined.source_line(document.text.index(f"\n{mark}") + 1) - 1]


def test_the_main_content_where_a_page_says_which_it_is() -> None:
    assert parse_html("<body><div>around</div><main><p>inside<nav>links</nav></main></body>", "x").text == "inside"
    links = "".join(f"<a href=x>link {number}</a>" for number in range(6))
    assert parse_html(f"<body><div>{links}</div><p>inside</p></body>", "x").text == "inside"


def test_a_title_without_the_name_of_the_site() -> None:
    assert parse_html("<title>Fees – Harbour</title><p>x", "x").title == "Fees"
    assert parse_html("<p>x", "x").title == ""


def test_a_table_whose_first_row_is_data_has_no_header() -> None:
    (table,) = parse_html("<table><tr><td>Tug<td>10<tr><td>Barge<td>12</table>", "x").tables
    assert not table.has_header and len(table.rows) == 2


def test_a_page_that_shows_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text("<html><head><title>x</title></head><body><script>x</script></body></html>")
    assert HTMLLoader().load(path) == ()


@pytest.mark.parametrize(
    "text",
    [
        "<div>" * 50_000 + "deep",
        "<b>" * 50_000 + "deep",
        "<table>" * 20_000,
        "<table>" + "<tr><td rowspan=99999 colspan=99999>x" * 200 + "</table>",
        "<!--" * 200_000,
        "<a " * 200_000,
        "<p>x" * 20_000,
        "<ul><li>" * 20_000 + "deep",
        "<p>" + "x" * 11_000_000,
    ],
    ids=range(9),
)
def test_hostile_pages_take_bounded_time(text: str) -> None:
    begin = time.process_time()
    document = parse_html(text, "x")
    assert time.process_time() - begin < 20
    assert document.text.endswith("deep") or not text.endswith("deep")

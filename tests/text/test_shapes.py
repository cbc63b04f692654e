"""What of a document stays as it is in another language."""

from __future__ import annotations

from zlib import crc32

from polyrag_cli.loaders.markdown import parse_markdown
from polyrag_cli.text.shapes import shape_of

ENGLISH = """---
title: Install
---
# Install

The server listens on port 8080, and this is where the settings are kept.

## Steps

- Open the file.

```
start_server(port)
```

| a | b |
|---|---|
| 1 | 2 |
"""


def test_structure_marks_and_language() -> None:
    shape = shape_of(parse_markdown(ENGLISH, "install"))
    assert shape.structure == "1p2lct"
    assert shape.marks == tuple(sorted(crc32(word) for word in (b"8080", b"start_server", b"port", b"1", b"2")))
    assert shape.language == "en"


def test_code_says_nothing_of_the_language() -> None:
    prose = "O servidor não responde, e por isso você deve ver o que está na pasta."
    text = f"{prose}\n\n```\nwhat is the file of this for\n```\n\n"
    assert shape_of(parse_markdown(text * 3, "x")).language == "pt"


def test_english_terms_in_another_script_make_no_english_text() -> None:
    text = "مرحبا بكم في the دليل الاستخدام for جميع المستخدمين is هنا التعليمات and الإعدادات"
    assert shape_of(parse_markdown(text, "x")).language == "und"


def test_an_empty_document_has_no_shape() -> None:
    shape = shape_of(parse_markdown("", "x"))
    assert (shape.structure, shape.marks, shape.language) == ("", (), "und")

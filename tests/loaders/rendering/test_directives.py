"""Marks of site generators and note programs: what is left is what people read."""

from __future__ import annotations

import pytest

from polyrag_cli.loaders.markdown import parse_markdown


def shown(text: str) -> str:
    return parse_markdown(text, "x").text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        # Attributes.
        ("## Fees { #fees .big }", "Fees"),
        ("## Fees {#fees}", "Fees"),
        ("## Fees { data-toc }", "Fees"),
        ("![A *pier*](p.png){ width=300 } [l](u){target=_blank}", "A pier l"),
        ("Text\n{: .note }", "Text"),
        ("The set {1, 2} and $x_{k=0}$", "The set {1, 2} and $x_{k=0}$"),
        # Admonitions, in each dialect.
        ('!!! note "Mind the gap"\n    Body **one**\n\n    ```py\n    a = 1\n    ```\nAfter', None),
        ("/// tip | Mind the gap\n\nBody **one**\n\n///\n\n```\na = 1\n```\n\nAfter", None),
        ("::: tip Mind the gap\nBody **one**\n:::\n\n```\na = 1\n```\n\nAfter", None),
        (":::note[Mind the gap]\n\nBody *one*\n\n:::\n\n```\na = 1\n```\n\nAfter", None),
        ("> [!NOTE]- Mind the gap\n> Body *one*\n\n```\na = 1\n```\n\nAfter", None),
        ("```{note} Mind the gap\n:class: x\n\nBody *one*\n```\n\n```\na = 1\n```\n\nAfter", None),
        ("!!! warning\n\n    Body", "Body"),
        ("> [!TIP]\n> Body", "Body"),
        ("/// note\n    open: True\n\nBody\n///", "Body"),
        ('=== "C"\n\n    one\n\n=== "D"\n\n    two', "C\n\none\n\nD\n\ntwo"),
        ('<Tabs>\n<TabItem value="n" label="npm">\n\none\n\n</TabItem>\n</Tabs>', "npm\n\none"),
        ('<div class="grid" markdown>\n**one**\n</div>', "one"),
        # What a processor acts on.
        ('one\n\n{* ../a.py hl[1:3] *}\n\n{!b.md!}\n\n--8<-- "c.md"\n\ntwo', "one\n\ntwo"),
        ("{% if x %}\none {{ version }}two\n{% endif %}", "one two"),
        ('{{< note >}}\none [two]({{< ref "x" >}})\n{{< /note >}}', "one two"),
        ('{{< figure\n  src="x"\n>}} one', "one"),
        ("{{< highlight go >}}\n{{ .a }}\n{{< /highlight >}}", "{{ .a }}"),
        ("`{{ kept }}` and ``{% kept %}``", "{{ kept }} and {% kept %}"),
        ("one <!-- two\nthree --> four", "one\nfour"),
        ("%%\ntwo\n%%\none %%three%%", "one"),
        ("{/* two */}\nimport X from './x';\n\none", "one"),
        ("import numpy from nowhere", "import numpy from nowhere"),
        ("    {% code %}", "{% code %}"),
        # Links, images, notes.
        ("[[Note]], [[Note#Part]], [[Note|shown]] ![[p.png]]", "Note, Note › Part, shown"),
        ("[a][1] [b][] [c](<d e> 'f') [g](not a target)\n\n[1]: http://x", "a b c g"),
        ("<http://a.b> ![](x.png) ![shot.png](x)", "http://a.b"),
        ("One[^1] two ^[three].\n\n[^1]: Four\n    five", "One two ^[three].\n\nFour\nfive"),
        ("Text ^block-1", "Text"),
        ("#tag #other/tag\n\nText", "#tag #other/tag\n\nText"),
        ("See {ref}`fees` and :ref:`the fees <fees>`.", "See fees and the fees."),
        # Signs.
        ("Done :tada: at 10:30:45 :material-check:", "Done at 10:30:45"),
        ("a&nbsp;&amp;&lt;b&gt; \\*c\\*", "a &<b> *c*"),
        ("~~old~~ ==new== **強調**。 snake_case_name", "old new 強調。 snake_case_name"),
        ("one  \ntwo\\\nthree<br>four", "one\ntwo\nthree\nfour"),
        ("10<sup>6</sup>, 1<sup>st</sup>, H<sub>2</sub>O", "10^6, 1st, H2O"),
        # Lists.
        ("* [ ] buy\n* [x] sell", "- ☐ buy\n- ☑ sell"),
        ("3. a\n   - b\n\n     c\n4. d", "3. a\n   - b\n     c\n4. d"),
        ("Pier\n:   where boats lie", "Pier\n\n- where boats lie"),
        ("*[BM]: best match", "BM: best match"),
        ("[TOC]\n\ntext", "text"),
        # HTML.
        ("<details><summary>More</summary>\nA [link](x) &copy;\n</details>", "More\n\nA link ©"),
        ('<p align="center"><img src="x" alt="The pier"></p>\n\n<script>x()</script>', "The pier"),
    ],
)
def test_what_is_left(text: str, left: str | None) -> None:
    assert shown(text) == (left if left is not None else "Mind the gap\n\nBody one\n\na = 1\n\nAfter")


def test_an_include_alone_on_its_line_is_no_code() -> None:
    assert shown("```py\n{!> ../a.py !}\n```\n\ntext") == "text"


def test_the_title_of_a_block_of_code_stays() -> None:
    assert shown('```py title="app/main.py"\nx\n```') == "app/main.py\n\nx"


def test_admonitions_nest_and_end() -> None:
    text = '!!! a "One"\n\n    two\n\n    ??? b "Three"\n        four\n\n    five\n\n- six\n'
    assert shown(text) == "One\n\ntwo\n\nThree\n\nfour\n\nfive\n\n- six"


def test_an_html_table_is_a_table() -> None:
    text = "<table>\n\n<tr><th>Ship</th><th>Fee</th></tr>\n\n<tr><td>Tug</td><td>**10**</td></tr>\n</table>"
    (table,) = parse_markdown(text, "x").tables
    assert table.rows == (("Ship", "Fee"), ("Tug", "10"))

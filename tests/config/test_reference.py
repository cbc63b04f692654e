"""The manual's reference: every setting under its table, with what is declared of it."""

from polyrag_cli.config import reference as module
from polyrag_cli.config.declare import Declaration
from polyrag_cli.config.reference import reference
from polyrag_cli.config.sections import DECLARED, SECTIONS


def test_every_setting_has_a_row_with_its_meaning() -> None:
    rows = [line for line in reference().splitlines() if line.startswith("| `")]
    assert len(rows) == sum(map(len, DECLARED.values()))
    assert "| `answer.top_k` | `5` | 1 to 100 | Passages an answer may draw on, for each clause. |" in rows
    assert "| `cache.enabled` | `true` | `true`, `false` |" in "\n".join(rows)
    assert "| `routes.<name>.store` |  | `relational`, `vector`, `graph` |" in "\n".join(rows)
    assert "| `chunking.max_document_chars` | `2000000` | 1,000 to 1,000,000,000 |" in "\n".join(rows)
    assert '| `paths.data` | `".polyrag"` | a path |' in "\n".join(
        rows
    ) and "| `gate.sets` | `[]` | paths |" in "\n".join(rows)


def test_each_table_says_what_it_decides_and_names_the_settings_that_decide_something_else() -> None:
    lines = reference().splitlines()
    assert [line for line in lines if line.startswith("### ")] == [
        f"### `[{name if name != 'routes' else 'routes.<name>'}]`" for name in SECTIONS
    ]
    (routing,) = [line for line in lines if line.startswith(SECTIONS["routing"].meaning)]
    assert routing.endswith(
        "Decides the route of questions; `tabularity_min`, `centroid_weight`, `named_weight`, `named_center`,"
        " `document_weight`, `chunk_margin`: the home of passages, from the next ingest on."
    )
    (tracing,) = [line for line in lines if line.startswith(SECTIONS["tracing"].meaning)]
    assert tracing.endswith("Decides how the program runs, and no answer.")


def test_a_bar_in_a_meaning_ends_no_cell() -> None:
    assert module._row("x.y", Declaration("a", "One | two.", path=True)) == '| `x.y` | `"a"` | a path | One \\| two. |'

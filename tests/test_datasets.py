"""Labelled sets: what each key means, and what is refused."""

from pathlib import Path

import pytest

from polyrag_cli.datasets import check_routes, load_set
from polyrag_cli.errors import UsageError
from polyrag_cli.types import EvalItem

ROOT = Path(__file__).parents[1]


def write(tmp_path: Path, name: str, text: str) -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_yaml_items(tmp_path: Path) -> None:
    text = (
        "- question: quanto?\n  route: relational\n  facts: [12, 'Sul']\n  lang: pt\n"
        "- question: who and how many?\n  routes: [graph, relational]\n  relevant: a marker\n"
        "- question: nothing?\n  answer: null\n"
    )
    items = load_set(write(tmp_path, "set.yaml", text))
    assert items[0] == EvalItem("quanto?", routes=("relational",), facts=("12", "Sul"), lang="pt")
    assert items[1].routes == ("graph", "relational")
    assert items[1].relevant == ("a marker",)
    assert items[2].declines and not items[0].declines


def test_jsonl_items(tmp_path: Path) -> None:
    items = load_set(
        write(tmp_path, "set.jsonl", '{"question": "a?", "answer": [3]}\n\n{"question": "b?", "gold": ["x#1"]}\n')
    )
    assert items[0].values == ("3",)
    assert items[1].gold == ("x#1",)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("set.yaml", "- route: graph\n", ["item 1", "no question"]),
        ("set.yaml", "- question: a?\n  fact: [1]\n", ["item 1", "'fact'", "facts"]),
        ("set.yaml", "question: a?\n", ["no list of questions"]),
        ("set.yaml", "", ["no list of questions"]),
        ("set.yaml", "- [unclosed\n", ["not valid YAML"]),
        ("set.jsonl", '{"question": "a?"}\n{broken\n', ["line 2", "no JSON"]),
        ("set.jsonl", "[" * 100_000, ["line 1", "no JSON"]),
        ("set.yaml", "- " * 5_000 + "a", ["nested too deeply"]),
        ("set.yaml", "- question: a?\n  question: b?\n", ["'question' stands twice", "line 1"]),
        ("set.yaml", "- question: ' '\n", ["item 1", "no words"]),
        ("set.yaml", "- question: a?\n  facts: [null]\n", ["item 1", "`facts`", "None"]),
        ("set.yaml", "- question: a?\n  facts: [yes]\n", ["item 1", "`facts`", "True", "quotes"]),
        ("set.yaml", "- question: a?\n  route: {a: b}\n", ["item 1", "`route`"]),
        ("set.yaml", "- question: a?\n  relevant: [[b]]\n", ["item 1", "`relevant`"]),
        ("set.yaml", "- question: a?\n  facts: ['']\n", ["item 1", "`facts`", "empty"]),
        ("set.yaml", "- question: a?\n  answer: null\n  facts: [b]\n", ["item 1", "`answer: null`"]),
        ("set.jsonl", '{"question": "a \\ud800"}\n', ["item 1", "`question`", "no text"]),
    ],
)
def test_refusals_name_the_file_and_the_item(tmp_path: Path, name: str, text: str, words: list[str]) -> None:
    path = write(tmp_path, name, text)
    with pytest.raises(UsageError) as caught:
        load_set(path)
    for word in [str(path), *words]:
        assert word in str(caught.value)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"absent\.yaml"):
        load_set(tmp_path / "absent.yaml")


@pytest.mark.parametrize("name", ["golden.yaml", "holdout.yaml"])
def test_own_sets_are_large_and_varied(name: str) -> None:
    items = load_set(ROOT / "eval" / name)
    assert len(items) >= 60
    assert sum(i.declines for i in items) >= 5
    assert sum(len(i.routes) == 2 for i in items) >= 3
    assert {route for i in items for route in i.routes} == {"relational", "vectorial", "graph"}
    assert {i.lang for i in items} == {"pt", "en"}


def test_own_sets_share_no_question() -> None:
    golden, holdout = ({i.question for i in load_set(ROOT / "eval" / n)} for n in ("golden.yaml", "holdout.yaml"))
    assert not golden & holdout


def test_zero_and_a_date_are_values(tmp_path: Path) -> None:
    items = load_set(write(tmp_path, "s.yaml", "- question: a?\n  answer: 0\n  facts: 2024-03-01\n"))
    assert items[0].values == ("0",)
    assert items[0].facts == ("2024-03-01",)


def test_a_line_separator_inside_a_text_ends_no_line(tmp_path: Path) -> None:
    items = load_set(write(tmp_path, "s.jsonl", '{"question": "a\u2028b\x85c?"}\r\n{"question": "d?"}\r\n'))
    assert [item.question for item in items] == ["a\u2028b\x85c?", "d?"]


def test_a_route_that_is_not_configured_is_refused() -> None:
    items = (EvalItem("a?", routes=("graph",)), EvalItem("b?", routes=("relationall",)))
    with pytest.raises(UsageError, match=r"item 2: there is no route 'relationall'\. Nearest: relational"):
        check_routes(Path("s.yaml"), items, ("relational", "graph"))
    check_routes(Path("s.yaml"), items[:1], ("relational", "graph"))

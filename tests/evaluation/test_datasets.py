"""Labelled sets: what each key means, and what is refused."""

from pathlib import Path

import pytest

from polyrag_cli.errors import UsageError
from polyrag_cli.evaluation.datasets import EvalItem, load_set

ROOT = Path(__file__).parents[2]


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

"""The mutation check, on a package of a few lines: what counts as a predicate, and which mutants tests notice."""

import ast
from pathlib import Path

import pytest

from tests.mutation.check import Checked, CheckFailed, check, drawn, mirrored_tests, source_files
from tests.mutation.predicates import instrumented

SOURCE = '''"""A toy."""

from __future__ import annotations

import time
from functools import cache

WANTED = [n for n in (1, 2, 3) if n != 2]


def weak(value: int) -> str:
    if value > 10 and value < 20:
        return "between"
    return "outside"


def strong(value: int) -> bool:
    return value > 10


@cache
def kept(value: int) -> str:
    return "big" if value > 10 else "small"


def never(value: int) -> bool:
    return value == 77


def endless(value: int) -> int:
    while value > 0:
        value -= 1
    return value
'''
TESTS = '''"""Of the toy."""

from toy.parts import WANTED, endless, kept, strong, weak


def test_weak():
    assert weak(15) == "between" and weak(30) == "outside"


def test_strong():
    assert strong(11) and not strong(10)


def test_kept_first():
    kept(11)
    kept(5)


def test_kept_behind_the_cache():
    assert kept(11) == "big" and kept(5) == "small"


def test_on_import():
    assert WANTED == [1, 3]


def test_endless():
    assert endless(3) == 0


def test_that_fails_anyway():
    assert False
'''


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("toy")
    (root / "pytest.ini").write_text("[pytest]\nmarkers =\n    long: long\n")
    for name, text in (("toy/__init__.py", ""), ("toy/parts.py", SOURCE), ("tests/toy/test_parts.py", TESTS)):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.fixture(scope="module")
def checked(toy: Path) -> Checked:
    with pytest.MonkeyPatch.context() as patch:
        # The toy's tests need no plugin, and every mutant would set them up.
        patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        return check(toy, ["toy/parts.py"], ["tests"], limit_s=1.0)


def fates(checked: Checked, text: str) -> dict[bool, str]:
    return {mutant.constant: mutant.fate for mutant in checked.mutants if mutant.predicate.text == text}


def test_a_mutant_that_a_test_notices_is_killed_and_another_survives(checked: Checked) -> None:
    assert fates(checked, "value < 20") == {True: "killed", False: "killed"}
    # No test asks for a value of 10 or less.
    (first, *_) = [mutant for mutant in checked.mutants if mutant.predicate.text == "value > 10"]
    assert (first.predicate.line, first.constant, first.fate) == (12, True, "survived")
    assert str(first) == "toy/parts.py:12: value > 10 → True  survived"
    assert checked.survivors() == [first, *(m for m in checked.mutants if m.predicate.text == "value == 77")]


def test_what_no_test_reaches_is_told_apart(checked: Checked) -> None:
    assert fates(checked, "value == 77") == {True: "not reached", False: "not reached"}


def test_a_mutant_that_never_ends_is_stopped(checked: Checked) -> None:
    assert fates(checked, "value > 0") == {True: "out of time", False: "killed"}


def test_what_is_decided_on_import_is_decided_anew(checked: Checked) -> None:
    assert fates(checked, "n != 2") == {True: "killed", False: "killed"}


def test_a_cache_hides_no_test_that_notices(checked: Checked) -> None:
    cached = [mutant.fate for mutant in checked.mutants if mutant.predicate.line == 23]
    assert cached == ["killed", "killed"]


def test_a_test_that_fails_without_a_mutant_kills_none(checked: Checked) -> None:
    assert checked.failed == ("tests/toy/test_parts.py::test_that_fails_anyway",)
    assert checked.tests == 6


def test_a_sample_is_the_seeds_and_in_order() -> None:
    mutants = [(number, value) for number in range(20) for value in (True, False)]
    once, again, other = (drawn(mutants, 5, seed) for seed in (1, 1, 2))
    assert once == again != other and len(once) == 5
    assert once == sorted(once, key=mutants.index)
    assert drawn(mutants, None, 1) == drawn(mutants, 99, 1) == mutants


def test_the_tree_is_left_as_it_was(toy: Path, checked: Checked) -> None:
    files = sorted(path.relative_to(toy).as_posix() for path in toy.rglob("*") if path.is_file())
    assert files == ["pytest.ini", "tests/toy/test_parts.py", "toy/__init__.py", "toy/parts.py"]
    assert (toy / "toy" / "parts.py").read_text() == SOURCE


def test_what_can_not_be_checked_is_said(toy: Path) -> None:
    with pytest.raises(CheckFailed, match="toy/absent: no such package or module"):
        check(toy, ["toy/absent"])
    with pytest.raises(CheckFailed, match="the tests can't be run: tests/none"):
        check(toy, ["toy/parts.py"], ["tests/none"])


def test_targets_are_packages_and_modules_and_their_tests_mirror_them(toy: Path) -> None:
    root = Path(__file__).parents[1]
    assert source_files(toy, "toy") == [Path("toy/__init__.py"), Path("toy/parts.py")]
    assert source_files(toy, "toy.parts") == source_files(toy, "toy/parts") == [Path("toy/parts.py")]
    assert mirrored_tests(root, Path("polyrag_cli/scoring/margin.py")) == ["tests/scoring/test_margin.py"]
    assert mirrored_tests(root, Path("polyrag_cli/config/values.py")) == [
        "tests/config/test_values.py",
        "tests/test_config.py",
    ]
    assert "tests/config/test_tree.py" in mirrored_tests(root, Path("polyrag_cli/config/declare.py"))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("if a:\n    pass", {"a": (True, False)}),
        ("x = [n for n in y if n > 1]", {"n > 1": (True, False)}),
        ("if not a and (b or c):\n    pass", {"a": (False, True), "b": (True, False), "c": (True, False)}),
        ("x = a or b", {"a": (False,)}),
        ("x = a and b and c", {"a": (True,), "b": (True,)}),
        ("assert a", {"a": (False,)}),
        ("x = 1 if a else 2", {"a": (True, False)}),
        ("def f() -> bool:\n    return g()", {"g()": (True, False)}),
        ("def f():\n    return a < b", {"a < b": (True, False)}),
        ("def f():\n    return a", {}),
        ("x = any(a == b for a in c)", {"a == b": (True, False)}),
        ("f = lambda a: a < 1", {"a < 1": (True, False)}),
        ("match a:\n    case 1 if b:\n        pass", {"b": (True, False)}),
        ("if TYPE_CHECKING:\n    pass", {}),
        ("while True:\n    pass", {}),
        ("x = a < b", {}),
    ],
)
def test_what_counts_as_a_predicate(source: str, expected: dict[str, tuple[bool, ...]]) -> None:
    text, found = instrumented(source, "f.py", 1)
    assert {predicate.text: predicate.constants for predicate in found} == expected
    assert [predicate.number for predicate in found] == list(range(1, len(found) + 1))
    assert ast.unparse(ast.parse(text)).count("_mutation_switch.original(") == len(found)


def test_the_switch_is_imported_behind_what_must_come_first() -> None:
    text, _ = instrumented('"""Doc."""\n\nfrom __future__ import annotations\n\nif a:\n    b = 1\n', "f.py", 1)
    assert [type(node).__name__ for node in ast.parse(text).body] == ["Expr", "ImportFrom", "Import", "If"]

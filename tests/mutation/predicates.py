"""The predicates of a source file, and the same file with a switch at each of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

SWITCH = "_mutation_switch"
"""The module that an instrumented file imports."""

_BOTH = (True, False)
_TESTS = (ast.If, ast.While, ast.IfExp, ast.Assert)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass(frozen=True)
class Predicate:
    """number: unique over a run. text: as the source has it, on one line. constants: what it is replaced by."""

    number: int
    file: str
    line: int
    text: str
    constants: tuple[bool, ...]


def instrumented(source: str, file: str, first: int) -> tuple[str, list[Predicate]]:
    """The source with a switch at each predicate, and the predicates in its order, numbered from `first`.

    A predicate is what decides an if, while, assert, conditional expression, match guard or filter, what a function of
    type bool returns, what any() and all() ask of each element, and a comparison that is returned. Of `not`, `and` and
    `or` the operands count, not the whole: a test that notices one of them notices the whole. Where `and` or `or` gives
    a value, its first operands are replaced only by what leads to the last. An assertion can't fail by design, so it is
    replaced by False alone, which asks whether it is reached.
    """
    tree = ast.parse(source)
    found = sorted(_found(tree), key=lambda pair: (pair[0].lineno, pair[0].col_offset, -(pair[0].end_col_offset or 0)))
    predicates, replaced = [], {}
    for number, (node, constants) in enumerate(found, first):
        predicates.append(Predicate(number, file, node.lineno, " ".join(ast.unparse(node).split()), constants))
        replaced[id(node)] = number
    if not predicates:
        return source, []
    made = _Switching(replaced).visit(tree)
    _add_import(made)
    return ast.unparse(ast.fix_missing_locations(made)) + "\n", predicates


def _found(tree: ast.Module) -> Iterator[tuple[ast.expr, tuple[bool, ...]]]:
    seen: set[int] = set()
    for node in ast.walk(tree):
        for expression, constants in _asked(node):
            for atom, chosen in _atoms(expression, constants):
                if id(atom) not in seen:
                    seen.add(id(atom))
                    yield atom, chosen
    for node in ast.walk(tree):
        # What is left gives a value.
        if isinstance(node, ast.BoolOp):
            for value in node.values[:-1]:
                if id(value) not in seen and not isinstance(value, ast.Constant | ast.BoolOp | ast.UnaryOp):
                    seen.add(id(value))
                    yield value, (isinstance(node.op, ast.And),)


def _asked(node: ast.AST) -> Iterator[tuple[ast.expr, tuple[bool, ...]]]:
    """The expressions that this node asks for their truth."""
    if isinstance(node, _TESTS):
        yield node.test, (False,) if isinstance(node, ast.Assert) else _BOTH
    elif isinstance(node, ast.comprehension):
        yield from ((test, _BOTH) for test in node.ifs)
    elif isinstance(node, ast.match_case) and node.guard is not None:
        yield node.guard, _BOTH
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("any", "all"):
        yield from ((part.elt, _BOTH) for part in node.args if isinstance(part, ast.GeneratorExp | ast.ListComp))
    elif isinstance(node, ast.Lambda):
        yield from ((node.body, _BOTH) for _ in range(isinstance(node.body, ast.Compare)))
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        boolean = isinstance(node.returns, ast.Name) and node.returns.id == "bool"
        for returned in _returned(node):
            if boolean or isinstance(returned, ast.Compare):
                yield returned, _BOTH


def _returned(function: ast.AST) -> Iterator[ast.expr]:
    """What a function returns, but not what those inside it do."""
    for child in ast.iter_child_nodes(function):
        if isinstance(child, ast.Return) and child.value is not None:
            yield child.value
        elif not isinstance(child, (*_FUNCTIONS, ast.ClassDef)):
            yield from _returned(child)


def _atoms(node: ast.expr, constants: tuple[bool, ...]) -> Iterator[tuple[ast.expr, tuple[bool, ...]]]:
    """The operands that an expression's truth is made of."""
    if isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from _atoms(value, constants)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield from _atoms(node.operand, tuple(not constant for constant in constants))
    elif not isinstance(node, ast.Constant) and not _only_for_readers(node):
        yield node, constants


def _only_for_readers(node: ast.expr) -> bool:
    """TYPE_CHECKING and `__name__ == "__main__"`: no test runs with another value."""
    names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    return bool(names & {"TYPE_CHECKING", "__name__"})


class _Switching(ast.NodeTransformer):
    """Puts `(predicate if original(number) else constant())` in a predicate's place."""

    def __init__(self, numbers: dict[int, int]) -> None:
        self._numbers = numbers

    def visit(self, node: ast.AST) -> ast.AST:
        number = self._numbers.get(id(node))
        inside = self.generic_visit(node)
        if number is None:
            return inside
        asked = ast.Call(_name("original"), [ast.Constant(number)], [])
        return ast.IfExp(asked, inside, ast.Call(_name("constant"), [], []))


def _name(function: str) -> ast.Attribute:
    return ast.Attribute(ast.Name(SWITCH, ast.Load()), function, ast.Load())


def _add_import(tree: ast.Module) -> None:
    """Behind the docstring and what comes from __future__."""
    at = 0
    while at < len(tree.body) and (
        (isinstance(tree.body[at], ast.Expr) and isinstance(tree.body[at].value, ast.Constant))
        or (isinstance(tree.body[at], ast.ImportFrom) and tree.body[at].module == "__future__")
    ):
        at += 1
    tree.body.insert(at, ast.Import([ast.alias(SWITCH)]))

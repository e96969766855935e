"""The mutants of a file that mutmut has written, and what each changes."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_MARK = "__mutmut_"


@dataclass(frozen=True, slots=True)
class Mutant:
    """``name`` is what mutmut calls it. ``worded``: it changes nothing but the words of an error or of the log, or
    the case of letters in a text, which is changed in another way too."""

    name: str
    file: str
    function: str
    change: str
    worded: bool


def mutants_of(file: Path) -> Iterator[Mutant]:
    """Those of one file, a path below ``mutants``."""
    functions = {
        node.name: node
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _MARK in node.name
    }
    module = ".".join(file.with_suffix("").parts)
    for name, node in functions.items():
        function, _, which = name.partition(_MARK)
        if which != "orig" and which.isdigit():
            original = functions[f"{function}{_MARK}orig"]
            yield Mutant(
                f"{module}.{name}",
                str(file),
                f"{module}.{function}",
                _change(original, node),
                _bare(original) == _bare(node),
            )


def _change(original: ast.AST, changed: ast.AST) -> str:
    before, after = (ast.unparse(node).splitlines()[1:] for node in (original, changed))
    lines = difflib.unified_diff(before, after, lineterm="", n=0)
    return "\n".join(line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---"))


def _bare(function: ast.AST) -> str:
    """The function without what it says when it refuses or logs, and without its name."""
    tree = _WithoutWords().visit(ast.parse(ast.unparse(function)))
    tree.body[0].name = ""
    return ast.dump(tree).casefold()


class _WithoutWords(ast.NodeTransformer):
    def visit_Raise(self, node: ast.Raise) -> ast.Raise:
        if isinstance(node.exc, ast.Call):
            node.exc = node.exc.func
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.Expr:
        return ast.Expr(ast.Constant(None)) if ast.unparse(node.value).startswith("_log.") else node

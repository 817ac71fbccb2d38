"""The house rules as functions: source in, findings (sentences) out. `test_architecture.py` applies them."""

from __future__ import annotations

import ast
import statistics
from collections.abc import Iterable, Iterator
from pathlib import Path

LONGEST_FUNCTION = 60
LONGEST_FILE = 400
MEDIAN_FUNCTION = 10
NINTH_DECILE = 30
EMPTY_NAMES = frozenset({"util", "utils", "helper", "helpers", "common", "misc", "base", "manager", "stuff"})

IMPURE_MODULES = frozenset(
    {
        "asyncio", "glob", "http", "io", "logging", "multiprocessing", "os", "pathlib", "pickle", "random",
        "secrets", "select", "shutil", "signal", "socket", "sqlite3", "subprocess", "sys", "tempfile", "threading",
        "time", "urllib", "uuid",
    }
)  # fmt: skip
IMPURE_CALLS = frozenset(
    {
        "open", "print", "input", "exec", "eval", "os.environ", "os.getenv",
        "datetime.now", "datetime.utcnow", "datetime.today", "date.today",
        "datetime.datetime.now", "datetime.datetime.utcnow", "datetime.date.today",
    }
)  # fmt: skip


def function_lengths(tree: ast.Module) -> Iterator[tuple[str, int, int]]:
    """Name, first line and number of lines (from `def` to the last one) of every function, nested ones too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, node.lineno, (node.end_lineno or node.lineno) - node.lineno + 1


def long_file(path: Path, source: str) -> Iterator[str]:
    """A finding for a file that is too long."""
    if (lines := len(source.splitlines())) > LONGEST_FILE:
        yield f"{path}: {lines} lines, at most {LONGEST_FILE}"


def long_functions(path: Path, source: str) -> Iterator[str]:
    """Findings for functions that are too long."""
    for name, line, length in function_lengths(ast.parse(source)):
        if length > LONGEST_FUNCTION:
            yield f"{path}:{line}: {name} has {length} lines, at most {LONGEST_FUNCTION}"


def too_long_as_a_whole(sources: Iterable[str]) -> Iterator[str]:
    """Findings for a code base whose functions are long on the whole, though none breaks the limit."""
    lengths = [length for source in sources for _, _, length in function_lengths(ast.parse(source))]
    if (median := statistics.median(lengths)) > MEDIAN_FUNCTION:
        yield f"the median function has {median} lines, at most {MEDIAN_FUNCTION}"
    if (decile := statistics.quantiles(lengths, n=10)[-1]) > NINTH_DECILE:
        yield f"one function in ten has more than {decile} lines, at most {NINTH_DECILE}"


def says_nothing(path: Path) -> bool:
    """True for a module whose name does not say what is in it."""
    return path.stem.strip("_") in EMPTY_NAMES


def imported_modules(source: str) -> Iterator[tuple[int, str]]:
    """Line and dotted name of each import, at any depth. `from a import b` gives `a.b`: b may be a module."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, f"{node.module or ''}.{alias.name}") for alias in node.names)


def is_inside(module: str, packages: Iterable[str]) -> bool:
    """True if `module` is one of `packages` or lies in one."""
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def impurities(path: Path, source: str, *, allowed: Iterable[str], stdlib: Iterable[str]) -> Iterator[str]:
    """Findings for a pure module that imports or calls what it must not.

    `allowed` are the packages that it may import beside the standard library's (`stdlib`) pure part.
    """
    allowed, pure = (*allowed, "urllib.parse"), frozenset(stdlib) - IMPURE_MODULES
    for line, module in imported_modules(source):
        if module.split(".")[0] not in pure and not is_inside(module, allowed):
            yield f"{path}:{line}: imports {module}"
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IMPURE_CALLS:
            yield f"{path}:{node.lineno}: calls {node.func.id}"
        elif isinstance(node, ast.Attribute) and dotted(node) in IMPURE_CALLS:
            yield f"{path}:{node.lineno}: uses {dotted(node)}"


def dotted(node: ast.AST) -> str:
    """`a.b.c` for such an expression, "" for any other."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (left := dotted(node.value)):
        return f"{left}.{node.attr}"
    return ""


def reads_environment(path: Path, source: str) -> Iterator[str]:
    """Findings for a module that reads the environment; `env=` for a child process is another thing."""
    names = {"environ", "getenv"}
    for node in ast.walk(ast.parse(source)):
        attribute = isinstance(node, ast.Attribute) and node.attr in names and dotted(node.value) == "os"
        imported = isinstance(node, ast.ImportFrom) and node.module == "os" and any(a.name in names for a in node.names)
        if attribute or imported:
            yield f"{path}:{node.lineno}: reads the environment"


def strays(
    path: Path, source: str, homes: dict[str, tuple[str, ...]], passed_on: tuple[str, ...] = ()
) -> Iterator[str]:
    """Findings for a library used outside its home.

    `homes`: library -> path prefixes that may import it; `passed_on`: names that anybody may import.
    """
    for line, module in imported_modules(source):
        prefixes = homes.get(module.split(".")[0])
        if prefixes and module not in passed_on and not path.as_posix().startswith(prefixes):
            yield f"{path}:{line}: imports {module}, which belongs to {' and '.join(prefixes)}"

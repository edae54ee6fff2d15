"""The source files of the project, and what one module imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = sorted((ROOT / "explorer").rglob("*.py"))
PAGES = sorted((ROOT / "pages").glob("*.py"))
SOURCES = [*PACKAGE, ROOT / "app.py", *PAGES]


def module_name(path: Path) -> str:
    """explorer/ui/words.py -> explorer.ui.words."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> Iterator[str]:
    """Every module that is imported anywhere in the file, except for type checking alone."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from ([f"{node.module}.{alias.name}" for alias in node.names])

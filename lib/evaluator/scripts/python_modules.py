"""What is certain about the project's own modules: which there are, and which names they hold.

Silent if a name could come from a place that is not seen: there must be no false alarms.
"""

import ast
import os
import sys

DYNAMIC_CALLS = {"globals", "locals", "vars", "exec", "eval", "setattr", "__import__"}
COMPILED = (".so", ".pyd", ".pyx", ".c", ".cc", ".cpp", ".rs")
GENERATED = ("_version", "_pb2", "_pb2_grpc")
LARGEST_BYTES = 1024 * 1024
STANDARD = getattr(sys, "stdlib_module_names", None)


class Modules:
    def __init__(self, tree):
        self.files = set(tree)
        self.folders = {""}
        self.python_folders = set()
        self.compiled = {os.path.basename(path).split(".")[0] for path in tree if path.endswith(COMPILED)}
        for path in tree:
            is_python = path.endswith(".py")
            while path := os.path.dirname(path):
                self.folders.add(path)
                if is_python:
                    self.python_folders.add(path)
        self.names = {}

    def depends_on(self, path, code, asked):
        return any(asked.intersection(self.touched(path, node)) for node in imports_of(code))

    def problems_of(self, path, imports):
        return [found for node in imports for found in self.problems_in(path, node)]

    def problems_in(self, path, node):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from self.missing_module(node, self.roots(path, alias.name), alias.name.split("."))
            return
        base = self.base_of(path, node)
        if base is None:
            return
        roots, parts = base
        lacking = list(self.missing_module(node, roots, parts))
        yield from lacking
        if lacking:
            return
        places = self.places(roots, parts)
        for alias in node.names:
            if alias.name != "*" and places and not any(self.may_hold(place, alias.name) for place in places):
                name = "." * node.level + (node.module or "")
                yield finding(node, f'cannot import name "{alias.name}" from "{name}"')

    def touched(self, path, node):
        """Every file that this import loads or, were it there, would load."""
        if isinstance(node, ast.Import):
            bases = [(self.roots(path, alias.name), alias.name.split(".")) for alias in node.names]
        else:
            base = self.base_of(path, node)
            bases = [base] if base else []
            bases += [(roots, parts + [alias.name]) for roots, parts in bases for alias in node.names]
        for roots, parts in bases:
            for root in roots:
                for end in range(len(parts) + 1):
                    place = join(root, *parts[:end])
                    yield from (f"{place}.py", join(place, "__init__.py"))

    def base_of(self, path, node):
        """Where `from … import` looks: roots, and the parts of the module's name below them."""
        parts = node.module.split(".") if node.module else []
        if node.level == 0:
            return self.roots(path, node.module), parts
        folder = os.path.dirname(path)
        for _ in range(node.level - 1):
            if folder == "":
                return None
            folder = os.path.dirname(folder)
        return [folder], parts

    def roots(self, path, name):
        """The folders in which the first part of an absolute name is one of the project's own modules."""
        first = name.split(".")[0]
        if STANDARD is None or first in STANDARD:
            return []
        candidates = ["", "src"]
        if os.path.basename(path).startswith(("test_", "conftest")) or path.endswith("_test.py"):
            candidates.append(self.pytest_root(path))
        return [root for root in dict.fromkeys(candidates) if self.is_python(join(root, first))]

    def pytest_root(self, path):
        """The folder that pytest puts on the path for a test file. Other files may be run from anywhere."""
        folder = os.path.dirname(path)
        while folder and join(folder, "__init__.py") in self.files:
            folder = os.path.dirname(folder)
        return folder

    def is_python(self, place):
        """A folder without Python in it is only called like a package from elsewhere."""
        return f"{place}.py" in self.files or place in self.python_folders

    def is_module(self, place):
        name = os.path.basename(place)
        return (
            f"{place}.py" in self.files
            or place in self.folders
            or name in self.compiled
            or name.endswith(GENERATED)
        )

    def is_ours(self, root, part):
        """A folder without `__init__.py` gives way to a package of that name from elsewhere."""
        place = join(root, part)
        return f"{place}.py" in self.files or join(place, "__init__.py") in self.files

    def missing_module(self, node, roots, parts):
        absolute = not getattr(node, "level", 0)
        if not roots or (absolute and not any(self.is_ours(root, parts[0]) for root in roots)):
            return
        for end in range(1, len(parts) + 1):
            if self.places(roots, parts[:end]):
                continue
            parents = self.places(roots, parts[: end - 1])
            if end > 1 and any(self.is_open(place) for place in parents):
                return
            dots = "." * getattr(node, "level", 0)
            yield finding(node, f'there is no module "{dots}{".".join(parts[:end])}" in the project')
            return

    def places(self, roots, parts):
        return [place for root in roots if self.is_module(place := join(root, *parts)) or place == ""]

    def may_hold(self, place, name):
        if name.startswith("__") or self.is_module(join(place, name)) or os.path.basename(place) in self.compiled:
            return True
        if place in self.folders and f"{place}.py" not in self.files:
            names = self.names_of(join(place, "__init__.py"))
        else:
            names = self.names_of(f"{place}.py")
        return names is None or name in names

    def is_open(self, place):
        own = (f"{place}.py", join(place, "__init__.py"))
        return any(path in self.files and self.names_of(path) is None for path in own) or self.is_loader(place)

    def is_loader(self, place):
        """A package with an import hook of its own makes modules that no file holds."""
        return any(
            os.path.dirname(path) == place and path.endswith(".py") and mentions(path, b"meta_path")
            for path in self.files
        )

    def names_of(self, path):
        """The names bound at the top of a module; None where that is not certain. A package without code has none."""
        if path not in self.files:
            return set() if os.path.dirname(path) in self.folders and path.endswith("__init__.py") else None
        if path not in self.names:
            self.names[path] = bound_names(path)
        return self.names[path]


def imports_of(code):
    """Imports that must work: not those that stand in a try or under a condition."""
    pending = [code]
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node
        elif not isinstance(node, (ast.Try, ast.If, ast.With, getattr(ast, "TryStar", ast.Try))):
            pending.extend(reversed(list(ast.iter_child_nodes(node))))


def is_large(path):
    """No one writes that much code into a file by hand."""
    try:
        return os.path.getsize(path) > LARGEST_BYTES
    except OSError:
        return False


def mentions(path, word):
    try:
        with open(path, "rb") as file:
            return word in file.read(LARGEST_BYTES)
    except OSError:
        return False


def bound_names(path):
    if is_large(path):
        return None
    try:
        with open(path, "rb") as file:
            code = ast.parse(file.read())
    except (SyntaxError, ValueError, RecursionError, MemoryError, OSError):
        return None
    names = set()
    for node in ast.walk(code):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            if node.name == "__getattr__":
                return None
            names.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            if any(alias.name == "*" for alias in node.names):
                return None
            names.update(alias.asname or alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.Name):
            if node.id in DYNAMIC_CALLS:
                return None
            if isinstance(node.ctx, ast.Store):
                names.add(node.id)
        elif isinstance(node, ast.Attribute) and node.attr in ("modules", "__dict__", "__path__"):
            return None
        else:
            names.update(names_in(node))
    return names


def names_in(node):
    """The bindings that are plain strings in the syntax tree."""
    if isinstance(node, ast.ExceptHandler) and node.name:
        return [node.name]
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        return node.names
    kind = type(node).__name__
    if kind in ("MatchAs", "MatchStar") and node.name:
        return [node.name]
    if kind == "MatchMapping" and node.rest:
        return [node.rest]
    return [node.name.id] if kind == "TypeAlias" else []


def finding(node, message):
    return {"line": node.lineno, "column": node.col_offset + 1, "message": message, "rule": "import"}


def join(*parts):
    return "/".join(part for part in parts if part)

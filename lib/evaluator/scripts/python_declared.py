"""What a project imports and declares nowhere, although it is installed here. Silent if that is not certain.

Declared is also what comes along with a declared package. See `python_installed.py` for how that is known.
"""

import ast
import gc
import os
import re
import site
import sys

from python_installed import Installed, Unsure, key_of, requirement_in
from python_modules import GENERATED, is_large

#: From 3.10 on Python knows which modules are its own.
STANDARD = getattr(sys, "stdlib_module_names", None)
#: Where tests and what serves them lie: their runner brings itself along.
TEST = re.compile(r"(?:^|[/_])(?:tests?|testing|conftest|fixtures?|pytest)(?=[/_.])")
#: The programs that run these bring along what they import.
RUN_BY_TOOLS = {"noxfile.py", "fabfile.py", "tasks.py", "dodo.py", "locustfile.py", "conanfile.py", "conf.py", "setup.py"}
#: In every environment by tradition.
TRADITION = {"pip", "setuptools", "pkg_resources", "wheel", "distutils", "_distutils_hack"}
#: Some packages leave such folders beside their own: no project means these.
STRAY = {"test", "tests", "docs", "doc", "examples", "scripts", "utils", "tools", "src", "lib", "build", "bin", "data"}
CAUGHT = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}
LOOKS_FIRST = re.compile(rb"\b(?:find_spec|find_loader|importorskip|iter_modules)\b")
#: A list of dependencies within the file.
OWN_LIST = re.compile(rb"^#\s*///\s*script\b", re.MULTILINE)
LOADS = re.compile(rb"\b(?:import_module|__import__)\b")
HANDLES = re.compile(rb"\b(?:except|suppress|raises)\b")
WAITS = re.compile(rb"\b(?:ImportError|ModuleNotFoundError)\b")
MOST = 1000


def undeclared_in(files, imports, tree, declared):
    """Of parsed files with their imports. `declared`: None where that is not certain."""
    if STANDARD is None or declared is None:
        return []
    try:
        suspects = suspected(imports, tree, declared)
        return findings_of(suspects, files, tree, declared) if suspects else []
    except (Unsure, OSError, ValueError, RecursionError, MemoryError):
        return []


def suspected(imports, tree, declared):
    """Modules that are neither Python's, nor the project's, nor declared by their very name: {path: {name: node}}."""
    known = TRADITION | STRAY | STANDARD
    keys = {key_of(requirement_in(line)[0]) for line in declared["all"]}
    own = None
    found = {}
    for path, nodes in imports.items():
        for node in nodes:
            for name in names_of(node):
                if name in known or key_of(name) in keys or os.path.basename(path) in RUN_BY_TOOLS:
                    continue
                own = own or own_names(tree)
                if name not in own and not name.endswith(GENERATED):
                    found.setdefault(path, {}).setdefault(name, node)
    return found


def names_of(node):
    if isinstance(node, ast.Import):
        return [alias.name.split(".")[0] for alias in node.names]
    return [node.module.split(".")[0]] if node.level == 0 and node.module else []


def own_names(tree):
    """Anything may be on the path, and folders of the tree may be filled later."""
    return {part.split(".")[0] for path in tree for part in path.split("/")} | {"__main__"}


def findings_of(suspects, files, tree, declared):
    installed = Installed(sys.path + libraries_of(declared["python"]))
    of_code = None
    handled = None
    found = []
    for path, names in suspects.items():
        lacking = {name: node for name, node in names.items() if installed.providing(name)}
        if not lacking:
            continue
        if of_code is None:
            of_code = installed.brought_by(declared["all"], declared["wanted"])
            of_tests = of_code | installed.brought_by(["pytest"], [])
        brought = of_tests if TEST.search(path) else of_code
        lacking = {name: node for name, node in lacking.items() if is_foreign(installed, name, brought)}
        lacking = certain_in(path, lacking, files[path]) if lacking else {}
        if not lacking:
            continue
        handled = modules_handled(tree) if handled is None else handled
        if handled.isdisjoint(path[: -len(".py")].split("/")):
            found += [finding(path, node, name, installed) for name, node in lacking.items()]
    return sorted(found, key=lambda one: (one["path"], one["line"]))[:MOST]


def libraries_of(python):
    """Of an environment that was made from this Python: it also sees what that one was made from."""
    if not python:
        return []
    own = os.path.join(os.path.dirname(os.path.dirname(python)), "lib", "python%d.%d" % sys.version_info[:2])
    return [os.path.join(own, "site-packages"), *site.getsitepackages([sys.base_prefix])]


def is_foreign(installed, name, brought):
    return brought.isdisjoint(map(key_of, installed.providing(name)))


def certain_in(path, names, code):
    """Not where it looks whether a package is there, or says by itself what it needs."""
    with open(path, "rb") as file:
        source = file.read()
    if LOOKS_FIRST.search(source) or OWN_LIST.search(source):
        return {}
    lazy = lazy_places(code) if WAITS.search(source) else set()
    return {name: node for name, node in names.items() if node not in lazy}


def lazy_places(code):
    """Imports in functions, where the file speaks of modules that are not there: somebody may wait for that."""
    functions = [node for node in ast.walk(code) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    return {each for node in functions for each in ast.walk(node) if isinstance(each, (ast.Import, ast.ImportFrom))}


def modules_handled(tree):
    """Modules of the project whose absence, and so that of what they import, is handled where they are imported."""
    gc.freeze()  # What is parsed already stays: looking through it over and over takes longer than parsing.
    names = set()
    for path in tree:
        if not path.endswith(".py") or is_large(path):
            continue
        with open(path, "rb") as file:
            source = file.read()
        if not HANDLES.search(source):
            continue
        if LOADS.search(source):
            raise Unsure("it may import anything, or nothing")
        try:
            handled = set(names_handled(ast.parse(source), WAITS.search(source)))
        except SyntaxError:
            continue
        # Code within a package does not need the package installed.
        names |= handled.difference(path.split("/")[:-1])
    return names


def names_handled(code, waits):
    pending = [(code, False)]
    while pending:
        node, handled = pending.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from last_names(node) if handled else ()
        parts = parts_handled(node, waits)
        for part in ("body", "orelse", "handlers", "finalbody", "cases"):
            pending += [(each, handled or part in parts) for each in getattr(node, part, ())]


def parts_handled(node, waits):
    """What runs only where nothing is missing, or where a missing module is waited for."""
    if isinstance(node, (ast.Try, getattr(ast, "TryStar", ast.Try))):
        handles = any(each.type is None or not CAUGHT.isdisjoint(words_in(each.type)) for each in node.handlers)
        return ("body", "orelse") if handles else ()
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return ("body",) if any(not CAUGHT.isdisjoint(words_in(each)) for each in node.items) else ()
    return ("body",) if isinstance(node, ast.If) and waits else ()


def last_names(node):
    names = [alias.name.split(".")[-1] for alias in node.names]
    return names + [(node.module or "").split(".")[-1]] if isinstance(node, ast.ImportFrom) else names


def words_in(node):
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            yield each.id
        elif isinstance(each, ast.Attribute):
            yield each.attr
        elif isinstance(each, ast.ImportFrom):
            yield from (alias.name for alias in each.names)


def finding(path, node, name, installed):
    providers = installed.providing(name)
    add = f"add {providers[0]}" if len(providers) == 1 else "add what it comes from"
    message = f'imports "{name}", which no manifest declares: {add} to requirements.txt or pyproject.toml'
    return {"path": path, "line": node.lineno, "column": node.col_offset + 1, "message": message, "rule": "undeclared"}

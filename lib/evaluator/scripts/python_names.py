"""What is certain to be wrong with the names and the formats in Python files: by pyflakes, else by ruff, else nothing.

Also tests that a later one of the same name takes the place of: those never run. An alarm must be true.
"""

import ast
import json
import os
import re
import shutil
import subprocess
import sys

try:
    from pyflakes import checker
except ImportError:
    checker = None

TEST_FILE = re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_test|tests?)\.py$")
#: Another definition under the same name belongs to these.
PAIRED = {"overload", "setter", "getter", "deleter", "register", "property"}
#: A file that does so may have names that cannot be seen.
DYNAMIC = {"globals", "vars", "locals", "exec", "execfile", "_convert_", "_convert", "global_enum"}
#: What is meant to fail.
RAISES = re.compile("raises", re.IGNORECASE)
GUARDS = {"version_info", "PY2", "PY3", "platform", "implementation"}
#: Built into Python 2 alone: in a fallback for its imports they are right.
PYTHON_2 = {"unicode", "basestring", "long", "xrange", "raw_input", "unichr", "reduce", "file", "cmp", "reload", "buffer"}
FALLBACK = {"ImportError", "ModuleNotFoundError"}
FORMATS = "F501 F502 F503 F505 F506 F507 F508 F509 F521 F524 F525"
RULES = {"F821": "undefined-name", "F822": "undefined-export", "F631": "assert-tuple"}
RULES.update({code: "format" for code in FORMATS.split()})
FLAKES = {
    "UndefinedName": "F821",
    "UndefinedExport": "F822",
    "AssertTuple": "F631",
    "PercentFormatInvalidFormat": "F501",
    "PercentFormatExpectedMapping": "F502",
    "PercentFormatExpectedSequence": "F503",
    "PercentFormatMissingArgument": "F505",
    "PercentFormatMixedPositionalAndNamed": "F506",
    "PercentFormatPositionalCountMismatch": "F507",
    "PercentFormatStarRequiresSequence": "F508",
    "PercentFormatUnsupportedFormatCharacter": "F509",
    "StringDotFormatInvalidFormat": "F521",
    "StringDotFormatMissingArgument": "F524",
    "StringDotFormatMixingAutomatic": "F525",
}
RUFF_SECONDS = 20


def problems_in(files, tree):
    """Of files that compile: {path: parsed code}."""
    found = []
    for path, code in files.items():
        if TEST_FILE.search(path):
            found += [dict(path=path, **finding) for finding in shadowed_tests(code)]
    names = found_by_flakes(files)
    if names is None:
        names = found_by_ruff(list(files))
    doubts = {}
    injected = None
    for path, row, column, code, message in names:
        if path not in doubts:
            doubts[path] = Doubts(path, files[path])
        if doubts[path].speaks_against(code, row, column, message):
            continue
        if code == "F821":
            injected = injected_names(tree) if injected is None else injected
            if name_in(message) in injected:
                continue
        found.append({"path": path, "line": row, "column": column, "message": message, "rule": RULES[code]})
    return sorted(found, key=lambda finding: (finding["path"], finding["line"], finding["column"]))


def found_by_flakes(files):
    if checker is None:
        return None
    names = []
    for path, code in files.items():
        try:
            messages = checker.Checker(code, filename=path).messages
        except RecursionError:
            continue
        for message in messages:
            known = FLAKES.get(type(message).__name__)
            if known:
                text = message.message % message.message_args
                names.append((path, message.lineno, message.col + 1, known, text))
    return names


def found_by_ruff(paths):
    ruff = shutil.which("ruff")
    if not ruff or not paths:
        return []
    asked = ["--isolated", "--no-cache", "--exit-zero", "--quiet", "--output-format", "json"]
    argv = [ruff, "check", *asked, "--select", ",".join(RULES), "--", *paths]
    try:
        printed = subprocess.run(argv, capture_output=True, timeout=RUFF_SECONDS).stdout
        names = json.loads(printed)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return []
    here = os.path.realpath(os.curdir)
    return [
        (
            os.path.relpath(os.path.realpath(one["filename"]), here),
            one["location"]["row"],
            one["location"]["column"],
            one["code"],
            one["message"].replace("`", "'"),
        )
        for one in names
        if one.get("code") in RULES
    ]


class Doubts:
    """Where an undefined name may be none."""

    def __init__(self, path, code):
        with open(path, "rb") as file:
            self.lines = file.read().decode("utf-8", "replace").splitlines()
        self.dynamic = not DYNAMIC.isdisjoint(words_in(code))
        self.guarded = lines_of(code, is_guard)
        self.caught = lines_of(code, lambda node: isinstance(node, ast.Try) and node.handlers)
        self.fallbacks = lines_of(code, is_fallback)
        self.deleted = {target.id for node in ast.walk(code) for target in names_deleted(node)}
        self.unread = unread_places(code)

    def speaks_against(self, code, row, column, message):
        line = self.lines[row - 1] if row <= len(self.lines) else ""
        if re.search(r"#\s*(?:noqa|type:\s*ignore|pyright:\s*ignore)", line):
            return True
        if any(first <= row <= last for first, last in self.guarded):
            return True
        if code not in ("F821", "F822"):
            return any(first <= row <= last for first, last in self.caught)
        name = name_in(message)
        if name in PYTHON_2 and any(first <= row <= last for first, last in self.fallbacks):
            return True
        if self.dynamic or name.startswith("__") or name in self.deleted:
            return True
        return code == "F821" and (row, column) in self.unread


def is_guard(node):
    """Code that is run only where it works, or that is meant to fail."""
    if isinstance(node, (ast.If, ast.IfExp)):
        return not GUARDS.isdisjoint(words_in(node.test))
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return any(RAISES.search(word) for item in node.items for word in words_in(item.context_expr))
    return isinstance(node, ast.Call) and any(RAISES.search(word) for word in words_in(node.func))


def is_fallback(node):
    """What is run where an import is not there."""
    return isinstance(node, ast.ExceptHandler) and node.type and not FALLBACK.isdisjoint(words_in(node.type))


def lines_of(code, wanted):
    return [(node.lineno, node.end_lineno) for node in ast.walk(code) if wanted(node)]


def names_deleted(node):
    return [one for one in node.targets if isinstance(one, ast.Name)] if isinstance(node, ast.Delete) else []


def words_in(node):
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            yield each.id
        elif isinstance(each, ast.Attribute):
            yield each.attr


def unread_places(code):
    """Names that nothing looks up when the program runs: in annotations that are text, or that stay unread."""
    lazy = sys.version_info >= (3, 14) or any(
        isinstance(node, ast.ImportFrom) and node.module == "__future__" and node.names[0].name == "annotations"
        for node in code.body
    )
    places = set()
    for node in ast.walk(code):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            places.add((node.lineno, node.col_offset + 1))
        if lazy:
            places.update(places_in(getattr(node, "annotation", None)))
            places.update(places_in(getattr(node, "returns", None)))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for one in ast.walk(node):
                places.update(places_in(one.annotation) if isinstance(one, ast.AnnAssign) else ())
    return places


def places_in(annotation):
    nodes = ast.walk(annotation) if annotation is not None else ()
    return {(each.lineno, each.col_offset + 1) for each in nodes if hasattr(each, "lineno")}


def name_in(message):
    match = re.search(r"'([^']*)'", message)
    return match.group(1) if match else ""


def injected_names(tree):
    """Names that some file of the project, or the shell that it is meant for, gives to all others."""
    names = {"get_ipython", "display", "reveal_type"}
    for path in tree:
        if not path.endswith(".py"):
            continue
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                text = file.read()
        except OSError:
            continue
        if "builtins" in text:
            names.update(re.findall(r"builtins(?:__)?\.(\w+)\s*=", text))
            names.update(re.findall(r"builtins(?:__)?(?:\.__dict__)?\[\s*['\"](\w+)['\"]\s*\]\s*=", text))
            names.update(re.findall(r"setattr\(\s*_*builtins_*,\s*['\"](\w+)['\"]", text))
        if "gettext" in text and "install(" in text:
            names.update(("_", "gettext", "ngettext", "pgettext", "npgettext"))
    return names


def shadowed_tests(code):
    bodies = [code.body] + [node.body for node in ast.walk(code) if isinstance(node, ast.ClassDef)]
    for body in bodies:
        last = {}
        for at, node in enumerate(body):
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) or not is_test(node):
                continue
            before = last.get(node.name)
            last[node.name] = at
            if before is None or uses(body[before + 1 : at], node.name) or uses(node.decorator_list, node.name):
                continue
            if any(PAIRED.intersection(words_in(one)) for each in (body[before], node) for one in each.decorator_list):
                continue
            first = body[before]
            yield {
                "line": first.lineno,
                "column": first.col_offset + 1,
                "message": f"{node.name} is defined again on line {node.lineno}: this one never runs",
                "rule": "shadowed",
            }


def is_test(node):
    return node.name.startswith("Test" if isinstance(node, ast.ClassDef) else "test")


def uses(nodes, name):
    return any(isinstance(each, ast.Name) and each.id == name for node in nodes for each in ast.walk(node))

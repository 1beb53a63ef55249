"""Compiles Python files, and looks whether what they import from the project's own modules is there.

Answers every line of the input with one line, each in a process of its own: nothing is left from one to the next. In: {"tree": every file, "paths": those asked for, or null for all, "declared": as `python-declared.ts` tells it}. Out:
{"findings": [...], "warnings": [...], "large": paths of files that are too large}.
"""

import ast
import json
import os
import re
import sys
import traceback
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from python_declared import undeclared_in  # noqa: E402
from python_modules import Modules, imports_of  # noqa: E402
from python_names import problems_in  # noqa: E402
from python_texts import Texts  # noqa: E402

#: So many are looked for one by one.
FEW = 20


def main():
    texts = Texts()
    for line in sys.stdin.buffer:
        request = json.loads(line)
        texts.look_at([path for path in request["tree"] if path.endswith(".py")])
        child = os.fork() if hasattr(os, "fork") else 0
        if child == 0:
            write_answer(request, texts)
        _, status = os.waitpid(child, 0)
        if status != 0:
            sys.exit(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))


def write_answer(request, texts):
    """Ends this process."""
    code = 1
    try:
        sys.stdout.write(json.dumps(answer(request, texts)) + "\n")
        sys.stdout.flush()
        code = 0
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


def answer(request, texts):
    tree = request["tree"]
    sources = [path for path in tree if path.endswith(".py")]
    asked = set(sources if request["paths"] is None else request["paths"])
    stems = {stem_of(path).encode() for path in asked}
    modules = Modules(tree)
    findings = []
    compiled = {}
    imported = {}
    large = []
    for path in sources:
        if texts.is_large(path):
            large += [path] if path in asked else []
            continue
        if path not in asked and not mentions(texts.read(path), stems):
            continue
        found, code = parse(path)
        if path in asked or (code and modules.depends_on(path, code, asked)):
            findings += [dict(path=path, **finding) for finding in found]
            if code:
                imports = list(imports_of(code))
                findings += [dict(path=path, **finding) for finding in modules.problems_of(path, imports)]
                compiled.update({path: code} if path in asked else {})
                imported.update({path: imports} if path in asked else {})
    findings += problems_in(compiled, tree)
    advice = undeclared_in(compiled, imported, tree, request.get("declared"))
    return {"findings": findings, "warnings": advice, "large": large}


def parse(path):
    """The findings, and the parsed code where there are none."""
    try:
        with open(path, "rb") as file:
            source = file.read()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            code = ast.parse(source, path)
            compile(source, path, "exec", dont_inherit=True)
        return [], code
    except SyntaxError as problem:
        return [] if is_template(path, source) else [syntax_finding(problem)], None
    except RecursionError:
        return [{"message": "is nested too deeply to be compiled", "rule": "syntax"}], None
    except (ValueError, MemoryError, OverflowError, OSError) as problem:
        return [{"message": str(problem) or type(problem).__name__, "rule": "syntax"}], None


def is_template(path, source):
    """What a template engine will make Python of."""
    in_folder = re.search(r"(?:^|/)[_-]*templates?/", path) and re.search(rb"\{[{%]|<%", source)
    return bool(in_folder or re.search(r"\{[{%]", path) or re.search(rb"^\s*(?:\{%|<%|\{\{[#/!\s]|\{#)", source, re.M))


def syntax_finding(problem):
    finding = {"message": f"{type(problem).__name__}: {problem.msg}", "rule": "syntax"}
    if problem.lineno:
        finding["line"] = problem.lineno
    if problem.offset and problem.offset > 0:
        finding["column"] = problem.offset
    return finding


def mentions(text, stems):
    """A cheap look before parsing: a file that imports another holds its name."""
    if len(stems) < FEW and not any(stem in text for stem in stems):
        return False
    return not stems.isdisjoint(re.findall(rb"\w+", text))


def stem_of(path):
    stem = os.path.splitext(os.path.basename(path))[0]
    return os.path.basename(os.path.dirname(path)) if stem == "__init__" else stem


main()

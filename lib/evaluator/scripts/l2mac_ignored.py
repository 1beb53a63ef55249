"""What a project's own files say about its tests, by their text: which files hold some, and why some are left out."""

import ast

#: By which code asks what it runs on.
SURROUNDINGS = {"version_info", "hexversion", "platform", "implementation", "python_implementation", "find_spec"}
SURROUNDINGS |= {"ImportError", "ModuleNotFoundError", "maxsize", "_is_gil_enabled", "architecture", "machine"}
#: Every Python is younger: who asks for this asks for nothing.
OLDEST = (3, 8)


def parsed(path):
    try:
        with open(path, "rb") as file:
            return ast.parse(file.read())
    except (SyntaxError, ValueError, RecursionError, MemoryError, OSError):
        return ast.Module(body=[], type_ignores=[])


def depends_on_surroundings(path, names):
    """Whether everything by which this file leaves tests out is under a condition about the Python or the computer."""
    code = parsed(path)
    asked = asking_names(code)
    found = list(leaving_out(code, names, asked, False))
    return len(found) > 0 and all(found)


def leaving_out(node, names, asked, conditional):
    if isinstance(node, ast.If) and asks(node.test, asked):
        conditional = True
    if isinstance(node, ast.ExceptHandler) and node.type is not None and asks(node.type, ()):
        conditional = True
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        if node.name in names:
            yield any(asks(each, asked) for each in ast.walk(node) if isinstance(each, (ast.Compare, ast.Name)))
        return
    if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr)) and not names_in(node).isdisjoint(names):
        value = getattr(node, "value", None)
        if not (isinstance(value, (ast.List, ast.Tuple)) and not value.elts):
            yield conditional or (isinstance(value, ast.IfExp) and asks(value.test, asked))
        return
    for child in ast.iter_child_nodes(node):
        yield from leaving_out(child, names, asked, conditional)


def asking_names(code):
    """Names of what was asked before: `HAS_NUMPY`, set where an import fails, or `PY38 = sys.version_info >= ...`."""
    found = set()
    for node in ast.walk(code):
        if isinstance(node, ast.Assign) and asks(node.value, ()):
            found |= names_in(ast.Module(body=node.targets, type_ignores=[]))
        if isinstance(node, ast.ExceptHandler) and node.type is not None and asks(node.type, ()):
            for each in ast.walk(node):
                if isinstance(each, ast.Assign):
                    found |= names_in(ast.Module(body=each.targets, type_ignores=[]))
    return found


def asks(node, asked):
    versions = [version_of(each) for each in ast.walk(node) if isinstance(each, ast.Tuple)]
    if any(version and version < OLDEST for version in versions):
        return False
    return not names_in(node).isdisjoint(SURROUNDINGS.union(asked))


def version_of(node):
    parts = tuple(getattr(each, "value", getattr(each, "n", None)) for each in node.elts)
    return parts if parts and all(isinstance(part, int) for part in parts) else None


def names_in(node):
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return names | {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}


def holds_tests(path):
    """Whether it has tests, by its text: what pytest would take for one by its name, where nothing says otherwise."""
    plain = (ast.FunctionDef, ast.AsyncFunctionDef)
    for node in parsed(path).body:
        if isinstance(node, plain) and node.name.startswith("test"):
            return True
        methods = node.body if isinstance(node, ast.ClassDef) else ()
        if any(isinstance(one, plain) and one.name.startswith("test") for one in methods):
            if node.name.startswith("Test") or any("TestCase" in ast.dump(base) for base in node.bases):
                return True
    return False


def overlooked(files):
    """All files, where some have the plainest names of all: pytest sees those only if they are named."""
    plain = [path for path in files if path.rpartition("/")[2] in ("test.py", "tests.py")]
    wanted = [path for path in plain if holds_tests(path) and not answers(path)]
    return [path for path in files if path not in plain or path in wanted] if wanted else []


def answers(path):
    """Whether what is called like a test returns something: a predicate of a library."""
    functions = [node for node in parsed(path).body if isinstance(node, ast.FunctionDef) and node.name.startswith("test")]
    returns = [each for node in functions for each in ast.walk(node) if isinstance(each, ast.Return) and each.value]
    return len(returns) > 0

/** Python projects: pytest and unittest, well and ill. */
import { healthy, lines, type Project } from "./project.ts";

const calculator = lines("def add(a, b):", "    return a + b", "", "", "def half(a):", "    return a / 2");
const test = (...body: string[]): string => lines("from calc import add, half", "", "", ...body);

const python = (name: string, more: Pick<Project, "files" | "label"> & Partial<Project>): Project => ({
  name: `python: ${name}`,
  kind: "python",
  needs: "python",
  ...more,
});

export const pythonProjects: Project[] = [
  python("healthy, pytest", {
    needs: "pytest",
    files: {
      "calc.py": calculator,
      "test_calc.py": test(
        "def test_add():",
        "    assert add(1, 2) == 3",
        "",
        "",
        "def test_half():",
        "    assert half(4) == 2",
      ),
    },
    label: healthy(2),
  }),
  python("healthy, unittest", {
    files: {
      "calc.py": calculator,
      "test_calc.py": lines(
        "import unittest",
        "from calc import add",
        "",
        "",
        "class AddTest(unittest.TestCase):",
        "    def test_add(self):",
        "        self.assertEqual(add(1, 2), 3)",
      ),
    },
    label: healthy(1),
  }),
  python("healthy, a package in src", {
    needs: "pytest",
    files: {
      "src/shop/__init__.py": "from .basket import Basket\n",
      "src/shop/basket.py": lines("class Basket:", "    def __init__(self):", "        self.things = []"),
      "tests/test_basket.py": lines(
        "from shop import Basket",
        "",
        "",
        "def test_empty():",
        "    assert Basket().things == []",
      ),
    },
    label: healthy(1),
  }),
  python("healthy, with everything that only looks unfinished", {
    needs: "pytest",
    files: {
      "shapes.py": lines(
        "from abc import ABC, abstractmethod",
        "from typing import Protocol, overload",
        "",
        "",
        "class ShapeError(Exception):",
        "    pass",
        "",
        "",
        "class Drawable(Protocol):",
        "    def draw(self) -> str: ...",
        "",
        "",
        "class Shape(ABC):",
        "    def __init__(self):",
        "        pass",
        "",
        "    @abstractmethod",
        "    def area(self) -> float:",
        "        raise NotImplementedError",
        "",
        "    def on_resize(self):",
        "        pass",
        "",
        "",
        "class Visitor:",
        '    """A base class: subclasses override what they need."""',
        "",
        "    def square(self, shape):",
        "        pass",
        "",
        "",
        "class Reader:",
        "    def read(self):",
        "        raise NotImplementedError",
        "",
        "",
        "class FileReader(Reader):",
        "    def read(self):",
        "        return 'read'",
        "",
        "",
        "@overload",
        "def area(shape: Shape) -> float: ...",
        "@overload",
        "def area(shape: float) -> float: ...",
        "def area(shape):",
        "    try:",
        "        return shape.area()",
        "    except AttributeError:",
        "        pass",
        "    return shape",
        "",
        "",
        "def noop(*args):",
        "    pass",
      ),
      "test_shapes.py": lines("from shapes import area", "", "", "def test_area():", "    assert area(2.0) == 2.0"),
    },
    label: healthy(1),
  }),
  python("healthy, a program that writes such comments itself", {
    needs: "pytest",
    files: {
      "template.py": lines(
        'HEAD = "# TODO: implement"',
        'BODY = """',
        "def parse(text):",
        "    # ... existing code ...",
        "    pass",
        '"""',
        "",
        "",
        "def render(name):",
        "    return f\"{HEAD} {name!r} {'# your code here'}\" + BODY",
      ),
      "test_template.py": lines(
        "from template import render",
        "",
        "",
        "def test_it():",
        "    assert 'your code' in render('a')",
      ),
    },
    label: healthy(1),
  }),
  python("a colon is missing", {
    files: { "calc.py": lines("def add(a, b)", "    return a + b") },
    label: { syntax: "failed", tests: "not_found", findings: ["calc.py:1 syntax"] },
  }),
  python("an indent that fits nothing", {
    files: { "calc.py": lines("def add(a, b):", "    c = a + b", "  return c") },
    label: { syntax: "failed", tests: "not_found", findings: ["calc.py:3 syntax"] },
  }),
  python("a bracket that is never closed", {
    files: { "a.py": lines("x = 1", "names = [1, 2", "y = 2") },
    label: { syntax: "failed", tests: "not_found", findings: ["a.py:2 syntax"] },
  }),
  python("two files, one of them broken", {
    files: { "a.py": "x = 1\n", "b.py": lines("x = 1", "return x") },
    label: { syntax: "failed", tests: "not_found", findings: ["b.py:2 syntax"] },
  }),
  python("imports a name that is not there", {
    files: {
      "calc.py": calculator,
      "main.py": lines("from calc import add, subtract", "", "print(add(1, subtract(2, 1)))"),
    },
    label: { syntax: "failed", tests: "not_found", findings: ["main.py:1 import"] },
  }),
  python("imports a module of its own that is not there", {
    files: { "shop/__init__.py": "", "shop/basket.py": "things = []\n", "main.py": "from shop.prices import price\n" },
    label: { syntax: "failed", tests: "not_found", findings: ["main.py:1 import"] },
  }),
  python("a failing test", {
    needs: "pytest",
    files: {
      "calc.py": calculator,
      "test_calc.py": test(
        "def test_add():",
        "    assert add(1, 2) == 4",
        "",
        "",
        "def test_half():",
        "    assert half(4) == 2",
      ),
    },
    label: { syntax: "passed", tests: "failed", counts: [1, 1, 0, 0] },
  }),
  python("a failing test, unittest", {
    files: {
      "test_a.py": lines(
        "import unittest",
        "",
        "",
        "class T(unittest.TestCase):",
        "    def test_a(self):",
        "        self.assertEqual(1, 2)",
      ),
    },
    label: { syntax: "passed", tests: "failed", counts: [0, 1, 0, 0] },
  }),
  python("a fixture that raises", {
    needs: "pytest",
    files: {
      "conftest.py": lines(
        "import pytest",
        "",
        "",
        "@pytest.fixture",
        "def basket():",
        "    raise ValueError('no basket')",
      ),
      "test_a.py": lines("def test_basket(basket):", "    assert basket"),
    },
    label: { syntax: "passed", tests: "failed", counts: [0, 0, 1, 0] },
  }),
  python("a test that hangs", {
    needs: "pytest",
    timeoutMs: 4_000,
    files: {
      "test_a.py": lines(
        "import time",
        "",
        "",
        "def test_one():",
        "    assert True",
        "",
        "",
        "def test_two():",
        "    time.sleep(600)",
      ),
    },
    label: { syntax: "passed", tests: "timed_out", counts: [1, 0, 0, 0] },
  }),
  python("an import that hangs", {
    timeoutMs: 4_000,
    files: {
      "loop.py": lines("while True:", "    pass"),
      "test_a.py": lines("import loop", "", "", "def test_one():", "    assert loop"),
    },
    label: { syntax: "passed", tests: "timed_out" },
  }),
  python("a test that aborts the process", {
    needs: "pytest",
    files: { "test_a.py": lines("import os", "", "", "def test_one():", "    os.abort()") },
    label: { syntax: "passed", tests: "crashed" },
  }),
  python("a test that ends the process as if all were well", {
    needs: "pytest",
    files: { "test_a.py": lines("import os", "", "", "def test_one():", "    os._exit(0)") },
    label: { syntax: "passed", tests: "crashed" },
  }),
  python("a test file without tests", {
    files: { "calc.py": calculator, "test_calc.py": lines("from calc import add", "", "EXPECTED = add(1, 2)") },
    label: { syntax: "passed", tests: "not_found" },
  }),
  python("no tests at all", { files: { "calc.py": calculator }, label: { syntax: "passed", tests: "not_found" } }),
  python("every test is skipped", {
    needs: "pytest",
    files: { "test_a.py": lines("import pytest", "", "", "@pytest.mark.skip", "def test_one():", "    assert False") },
    label: { syntax: "passed", tests: "not_found: all tests are skipped", counts: [0, 0, 0, 1] },
  }),
  python("a declared package is missing", {
    needs: "pytest",
    files: {
      "requirements.txt": "no-such-parser==1.0\n",
      "test_a.py": lines("import no_such_parser", "", "", "def test_one():", "    assert no_such_parser"),
    },
    label: { syntax: "passed", tests: "not_run: package_missing", missing: ["no_such_parser"] },
  }),
  python("an undeclared package is missing", {
    needs: "pytest",
    files: { "test_a.py": lines("import no_such_parser", "", "", "def test_one():", "    assert no_such_parser") },
    label: { syntax: "passed", tests: "failed", missing: ["no_such_parser"] },
  }),
];

/** Small Python projects, each with one trait that real projects have. */
import type { Case } from "./case.ts";

export const pythonCases: Case[] = [
  {
    name: "released-package-of-the-same-name",
    install: ["pip install -q -e .[dev]"],
    test: ["pytest -q"],
    third: 1,
    files: {
      "pyproject.toml": `[project]
name = "toolz"
version = "99.0.0"
[project.optional-dependencies]
dev = ["toolz[test]", "pytest"]
test = ["pytest"]
[tool.setuptools.package-dir]
"" = "lib"
`,
      "lib/toolz/__init__.py": 'def identity(x): raise RuntimeError("broken")\n',
      "tests/test_a.py": `from toolz import identity
def test_identity(): assert identity(1) == 1
`,
    },
  },
  {
    name: "command-started-in-another-folder",
    install: ["pip install -q -e .[dev]"],
    test: ["pytest -q"],
    third: 1,
    files: {
      "pyproject.toml": `[project]
name = "toolz"
version = "99.0.0"
[project.optional-dependencies]
test = ["pytest"]
dev = ["toolz[test]"]
`,
      "tests/test_a.py": `import subprocess, sys
def test_cli(tmp_path):
    shown = subprocess.run([sys.executable, "-c", "import toolz; print(toolz.identity(1))"], cwd=tmp_path, capture_output=True, text=True)
    assert shown.stdout == "1\\n", shown.stderr
`,
      "toolz/__init__.py": '__version__ = "99.0.0"; raise RuntimeError("broken")\n',
    },
  },
  {
    name: "requirements-in-a-folder",
    install: ["pip install -q pytest -r requirements/tests.txt"],
    test: ["python -m pytest -q"],
    files: {
      "a.py": "def one(): return 1\n",
      "requirements/tests.txt": "freezegun==1.5.1\n",
      "tests/test_a.py": `import freezegun
from a import one
def test_one(): assert one() == 1
`,
    },
  },
  {
    name: "requirements-in-setup-cfg",
    install: ["pip install -q -e .[test] pytest"],
    test: ["pytest -q"],
    files: {
      "a.py": `import pyfiglet
def one(): return 1
`,
      "setup.cfg": `[metadata]
name = a
version = 1
[options]
py_modules = a
install_requires =
    pyfiglet
[options.extras_require]
test = freezegun
`,
      "setup.py": "from setuptools import setup; setup()\n",
      "tests/test_a.py": `import freezegun
from a import one
def test_one(): assert one() == 1
`,
    },
  },
  {
    name: "own-metadata-and-command",
    install: ["pip install -q -e . pytest"],
    test: ["pytest -q"],
    files: {
      "a.py": `from importlib.metadata import version
__version__ = version("a-little-project-of-mine")
def main(): print(__version__)
`,
      "pyproject.toml": `[build-system]
requires = ["setuptools>=68"]
build-backend = "setuptools.build_meta"
[project]
name = "a-little-project-of-mine"
version = "1.2.3"
dependencies = []
[project.scripts]
a-little = "a:main"
`,
      "tests/test_a.py": `import a, subprocess
def test_version(): assert a.__version__ == "1.2.3"
def test_command(): assert subprocess.check_output(["a-little"], text=True).strip() == "1.2.3"
`,
    },
  },
  {
    name: "poetry-caret",
    install: ["pip install -q 'pydantic>=1.10,<2' 'pytest>=7,<8'"],
    test: ["python -m pytest -q"],
    files: {
      "a.py": `from pydantic import BaseModel, BaseSettings
class S(BaseSettings):
    one: int = 1
`,
      "pyproject.toml": `[tool.poetry]
name = "a"
version = "0.1.0"
description = ""
authors = []
[tool.poetry.dependencies]
python = "^3.9"
pydantic = "^1.10.0"
[tool.poetry.group.dev.dependencies]
pytest = "^7.0"
`,
      "tests/test_a.py": `from a import S
def test_one(): assert S().one == 1
`,
    },
  },
  {
    name: "included-dependency-group",
    install: ["pip install -q pytest freezegun"],
    test: ["python -m pytest -q"],
    files: {
      "a.py": "def one(): return 1\n",
      "pyproject.toml": `[project]
name = "a-little-project-of-mine"
version = "1.2.3"
[dependency-groups]
more = ["freezegun"]
dev = ["pytest", {include-group = "more"}]
`,
      "tests/test_a.py": `import freezegun
from a import one
def test_one(): assert one() == 1
`,
    },
  },
  {
    name: "pytest-6",
    install: ["pip install -q -r requirements.txt"],
    test: ["python -m pytest -q"],
    files: {
      "a.py": "def one(): return 1\n",
      "requirements.txt": "pytest==6.2.5\n",
      "test_a.py": `import pytest
from a import one
def test_one(): assert one() == 1
@pytest.mark.skip
def test_skipped(): assert 0
`,
    },
  },
  {
    name: "pytest-6-with-a-missing-module",
    install: ["pip install -q -r requirements.txt"],
    test: ["python -m pytest -q"],
    files: {
      "requirements.txt": "pytest==6.2.5\n",
      "test_a.py": `from a import one
def test_one(): assert one() == 1
`,
    },
  },
  {
    name: "pytest-7",
    install: ["pip install -q -r requirements.txt"],
    test: ["python -m pytest -q"],
    files: {
      "a.py": "def one(): return 1\n",
      "requirements.txt": "pytest==7.4.4\n",
      "test_a.py": `import pytest
from a import one
def test_one(): assert one() == 1
@pytest.mark.skip
def test_skipped(): assert 0
`,
    },
  },
  {
    name: "pytest-8",
    install: ["pip install -q -r requirements.txt"],
    test: ["python -m pytest -q"],
    files: {
      "a.py": "def one(): return 1\n",
      "requirements.txt": "pytest==8.3.5\n",
      "test_a.py": `import pytest
from a import one
def test_one(): assert one() == 1
@pytest.mark.skip
def test_skipped(): assert 0
`,
    },
  },
  {
    name: "django",
    install: ["pip install -q -r requirements.txt"],
    test: ["python manage.py test"],
    files: {
      "manage.py": `import os, sys
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "site_.settings")
from django.core.management import execute_from_command_line
execute_from_command_line(sys.argv)
`,
      "requirements.txt": "Django>=5\n",
      "notes/__init__.py": "\n",
      "notes/models.py": `from django.db import models
class Note(models.Model):
    text = models.TextField()
`,
      "notes/tests.py": `from django.test import TestCase
from notes.models import Note
class NoteTest(TestCase):
    def test_none(self): self.assertEqual(Note.objects.count(), 0)
`,
      "notes/migrations/0001_initial.py": `from django.db import migrations, models
class Migration(migrations.Migration):
    initial = True
    dependencies = []
    operations = [migrations.CreateModel("Note", [("id", models.BigAutoField(primary_key=True, auto_created=True, serialize=False, verbose_name="ID")), ("text", models.TextField())])]
`,
      "notes/migrations/__init__.py": "\n",
      "site_/__init__.py": "\n",
      "site_/settings.py": `SECRET_KEY = "a"
INSTALLED_APPS = ["notes"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
`,
    },
  },
  {
    name: "multiprocessing",
    install: ["pip install -q pytest"],
    test: ["python -m pytest -q"],
    files: {
      "test_a.py": `import multiprocessing
from concurrent.futures import ProcessPoolExecutor
def test_pool():
    with multiprocessing.Pool(2) as pool: assert pool.map(abs, [-1, 2]) == [1, 2]
def test_executor():
    with ProcessPoolExecutor(2) as pool: assert list(pool.map(abs, [-1])) == [1]
def test_lock(): multiprocessing.Lock()
`,
    },
  },
  {
    name: "machine-with-names-and-services",
    install: ["pip install -q pytest"],
    test: ["python -m pytest -q"],
    files: {
      "test_a.py": `import mimetypes, socket, getpass, os, tempfile
def test_types(): assert mimetypes.guess_type("a.md")[0] == "text/markdown"
def test_toml(): assert mimetypes.guess_type("a.ico")[0] is not None
def test_service(): assert socket.getservbyname("http") == 80
def test_user(): assert getpass.getuser()
def test_home(): assert os.path.isdir(os.path.expanduser("~"))
def test_loopback():
    s = socket.create_server(("127.0.0.1", 0)); c = socket.create_connection(s.getsockname()); c.close(); s.close()
def test_localhost(): assert socket.gethostbyname("localhost") == "127.0.0.1"
def test_hostname(): assert socket.gethostbyname(socket.gethostname())
def test_ipv6(): socket.create_server(("::1", 0), family=socket.AF_INET6).close()
`,
    },
  },
  {
    name: "ignored-by-version",
    install: ["pip install -q pytest"],
    test: ["python -m pytest -q"],
    files: {
      "pyproject.toml": `[tool.pytest.ini_options]
testpaths = ["tests"]
`,
      "tests/conftest.py": `import sys
collect_ignore = []
if sys.version_info < (3, 14): collect_ignore.append("test_new.py")
`,
      "tests/test_a.py": "def test_a(): assert True\n",
      "tests/test_new.py": "def test_new(): import string.templatelib\n",
    },
  },
  {
    name: "library-module-called-tests",
    install: ["pip install -q -e . pytest"],
    test: ["pytest -q"],
    files: {
      "pyproject.toml": `[project]
name = "mine"
version = "1"
[tool.pytest.ini_options]
testpaths = ["tests"]
`,
      "src/mine/__init__.py": "\n",
      "src/mine/tests.py": `"""Predicates of templates, as Jinja has them."""
def test_odd(value): return value % 2 == 1
`,
      "tests/test_a.py": `from mine.tests import test_odd as is_odd
def test_a(): assert is_odd(1)
`,
    },
  },
  {
    name: "test-requirements",
    install: ["pip install -q pytest -r test-requirements.txt"],
    test: ["python -m pytest -q"],
    files: {
      "a.py": "def one(): return 1\n",
      "test-requirements.txt": "freezegun\n",
      "tests/test_a.py": `import freezegun
from a import one
def test_one(): assert one() == 1
`,
    },
  },
  {
    name: "empty-json-fixture",
    install: ["pip install -q pytest"],
    test: ["python -m pytest -q"],
    files: {
      "tests/test_a.py": `import json, pathlib, pytest
@pytest.mark.parametrize("name", ["empty", "broken"])
def test_refused(name):
    with pytest.raises(ValueError): json.loads((pathlib.Path(__file__).parent / f"data/{name}.json").read_text())
`,
      "tests/data/broken.json": '{"a": \n',
      "tests/data/empty.json": "",
    },
  },
  {
    name: "large-toml-integer",
    install: ["pip install -q pytest"],
    test: ["python -m pytest -q"],
    files: {
      "a.toml": "largest = 9223372036854775807\n",
      "test_a.py": `import tomllib
def test_a(): assert tomllib.load(open("a.toml", "rb"))["largest"] == 2**63 - 1
`,
    },
  },
  {
    name: "class-called-test",
    install: ["pip install -q pytest"],
    test: ["python -m pytest -q"],
    files: {
      "setup.cfg": "[tool:pytest]\n",
      "tests/test_a.py": `import unittest
class TestServer:
    def __init__(self, port): self.port = port
class A(unittest.TestCase):
    def test_a(self): self.assertEqual(TestServer(1).port, 1)
`,
    },
  },
  {
    name: "duplicate-yaml-key",
    install: ["pip install -q pytest"],
    test: ["python -m pytest -q"],
    files: {
      "a.yaml": `one: 1
one: 2
`,
      "test_a.py": "def test_a(): pass\n",
    },
  },
  {
    name: "poetry-tilde",
    install: ["pip install -q 'toolz>=0.11,<0.12' pytest"],
    test: ["python -m pytest -q"],
    files: {
      "pyproject.toml": `[tool.poetry]
name = "a"
version = "0.1.0"
[tool.poetry.dependencies]
python = "^3.9"
toolz = "~0.11"
`,
      "test_a.py": `import toolz
def test_a(): assert toolz.__version__.startswith("0.11."), toolz.__version__
`,
    },
  },
  {
    name: "editable-with-extras",
    install: ["pip install -q -r requirements.txt"],
    test: ["pytest -q"],
    files: {
      "a.py": "def one(): return 1\n",
      "pyproject.toml": `[project]
name = "a-little-project-of-mine"
version = "1"
[project.optional-dependencies]
more = ["freezegun"]
`,
      "requirements.txt": `-e .[more]
pytest
`,
      "tests/test_a.py": `import freezegun
from a import one
def test_one(): assert one() == 1
`,
    },
  },
  {
    name: "own-pytest-plugin",
    install: ["pip install -q -e . pytest"],
    test: ["pytest -q"],
    files: {
      "pyproject.toml": `[project]
name = "pytest-mine-of-old"
version = "1"
dependencies = ["pytest"]
[project.entry-points.pytest11]
mine = "pytest_mine"
`,
      "pytest_mine.py": `import pytest
@pytest.fixture
def mine(): return 1
`,
      "tests/test_a.py": "def test_a(mine): assert mine == 1\n",
    },
  },
  {
    name: "template-called-py",
    install: ["pip install -q pytest"],
    test: ["python -m pytest -q"],
    files: {
      "test_a.py": "def test_one(): pass\n",
      "hooks/pre_gen.py": `{% if cookiecutter.a %}
import sys
{% endif %}
`,
    },
  },
  {
    name: "stray-html-tag",
    install: ["pip install -q pytest"],
    test: ["python -m pytest -q"],
    files: {
      "a.html": '<p><a href="b">one</a>two</a></p>\n',
      "test_a.py": "def test_one(): pass\n",
    },
  },
];

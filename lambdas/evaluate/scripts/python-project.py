"""Prints what a pyproject.toml (standard input) asks for, as a list of requirements."""

import json
import sys

try:
    import tomllib
except ImportError:
    from pip._vendor import tomli as tomllib

GROUPS = ("dev", "test", "tests", "testing")


def requirements(project):
    standard = project.get("project", {})
    groups = {**standard.get("optional-dependencies", {}), **project.get("dependency-groups", {})}
    lines = list(standard.get("dependencies", []))
    for name in GROUPS:
        lines += groups.get(name, [])
    poetry = project.get("tool", {}).get("poetry", {})
    lines += poetry_lines(poetry.get("dependencies", {})) + poetry_lines(poetry.get("dev-dependencies", {}))
    for name in GROUPS:
        lines += poetry_lines(poetry.get("group", {}).get(name, {}).get("dependencies", {}))
    return [line for line in lines if isinstance(line, str)]


def poetry_lines(packages):
    return [poetry_line(name, wanted) for name, wanted in packages.items() if name.lower() != "python"]


def poetry_line(name, wanted):
    version = wanted.get("version", "*") if isinstance(wanted, dict) else str(wanted)
    if isinstance(wanted, dict) and ("git" in wanted or "path" in wanted or "url" in wanted):
        return f"{name} @ elsewhere"
    if version == "*":
        return name
    if version[0] == "^":
        return f"{name}>={version[1:]}"
    if version[0] == "~" and version[1:2] != "=":
        return f"{name}~={version[1:]}"
    return f"{name}{version}" if version[0] in "<>=!~" else f"{name}=={version}"


print(json.dumps(requirements(tomllib.loads(sys.stdin.read()))))

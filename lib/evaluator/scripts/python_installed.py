"""Which packages are installed, what they hold and what comes along with them: from what installers have noted.

None of their code runs. What they say is untrusted: it is read up to a bound, beyond which nothing is certain.
"""

import os
import re

NOTED = re.compile(r"^([A-Za-z0-9][\w.]*)(?:-.*)?\.(dist|egg)-info$")
REQUIREMENT = re.compile(r"^\s*([A-Za-z0-9][\w.-]*)\s*(?:\[([^\]]*)\])?([^;]*)(;.*)?$", re.DOTALL)
EXTRA = re.compile(r"extra\s*==\s*['\"]([^'\"]+)['\"]|['\"]([^'\"]+)['\"]\s*==\s*extra")
ONLY_EXTRA = re.compile(r"^;\s*\(?\s*extra\s*==\s*['\"][^'\"]+['\"]\s*\)?\s*$")
#: The first part of what is on the path: a folder, a module or a compiled module.
HELD = re.compile(r"^\"?(?:\.\./)?([A-Za-z_]\w*)(?:/|\.py\b|\.[^/,\n]*(?:so|pyd)\b|[ \t]*$)", re.MULTILINE)
MOST_PACKAGES = 5000
MOST_BYTES = 16 * 1024 * 1024
MOST_LINES = 50000


class Unsure(Exception):
    pass


class Installed:
    def __init__(self, folders):
        self.left = 4 * MOST_BYTES
        self.texts = {}
        self.known = {}
        self.holders = None
        self.packages = {}
        places = [place for folder in dict.fromkeys(folders) for place in notes_in(folder)]
        if len(places) > MOST_PACKAGES:
            raise Unsure("more packages than anybody has")
        for key, place in places:
            self.packages.setdefault(key, []).append(place)

    def providing(self, module):
        """The packages that hold this module, as they call themselves."""
        if self.holders is None:
            self.holders = {}
            for key, places in self.packages.items():
                for held in {name for place in places for name in self.holdings_of(place)}:
                    self.holders.setdefault(held, []).append(key)
        if module not in self.known:
            self.known[module] = sorted(self.name_of(key) for key in self.holders.get(module, ()))
        return self.known[module]

    def holdings_of(self, place):
        for name in ("top_level.txt", "RECORD", "installed-files.txt"):
            yield from HELD.findall(self.text(place, name))

    def name_of(self, key):
        found = re.search(r"^Name: *([\w.-]{1,100})\s*$", self.header(self.packages[key][0]), re.MULTILINE)
        return found.group(1) if found and key_of(found.group(1)) == key else key

    def brought_by(self, declared, wanted):
        """All that comes along with what is declared. What a missing package would bring is unknown."""
        for line in wanted:
            name, _, marker = requirement_in(line)
            if key_of(name) not in self.packages and not marker:
                raise Unsure(f"{name} is not there")
        pending = [(key_of(name), extras) for name, extras, _ in map(requirement_in, declared)]
        seen = set(pending)
        looked = 0
        for key, extras in pending:
            for line in self.required_by(key):
                looked += 1
                if looked > MOST_LINES:
                    raise Unsure("packages that require each other without end")
                name, more, marker = requirement_in(line)
                if not is_asked(marker, extras):
                    continue
                if key_of(name) not in self.packages and (not marker or ONLY_EXTRA.match(marker)):
                    raise Unsure(f"{name} is not there")
                step = (key_of(name), more)
                if step not in seen:
                    seen.add(step)
                    pending.append(step)
        return {key for key, _ in pending}

    def required_by(self, key):
        for place in self.packages.get(key, ()):
            if not os.path.isdir(place):
                raise Unsure(f"{key} does not say what it requires")
            yield from re.findall(r"^Requires-Dist: *(.+)$", self.header(place), re.MULTILINE)
            extra = ""
            for line in self.text(place, "requires.txt").splitlines():
                section = re.match(r"^\[([^:\]]*):?.*\]$", line)
                if section:
                    extra = section.group(1)
                elif line.strip():
                    yield f'{line}; extra == "{extra}"' if extra else line

    def header(self, place):
        """Without the description that follows it."""
        text = self.text(place, "METADATA") or self.text(place, "PKG-INFO")
        return text.replace("\r\n", "\n").split("\n\n", 1)[0]

    def text(self, place, name):
        path = os.path.join(place, name)
        if path not in self.texts:
            self.texts[path] = self.read(path)
        return self.texts[path]

    def read(self, path):
        try:
            if not os.path.isfile(path):
                return ""
            with open(path, "rb") as file:
                content = file.read(MOST_BYTES + 1)
        except OSError:
            return ""
        self.left -= len(content)
        if len(content) > MOST_BYTES or self.left < 0:
            raise Unsure(f"{path} is too large")
        return content.decode("utf-8", "replace")


def notes_in(folder):
    try:
        names = sorted(os.listdir(folder or os.curdir)) if os.path.isdir(folder) else []
    except OSError:
        return
    for name in names:
        noted = NOTED.match(name)
        if noted:
            yield key_of(noted.group(1)), os.path.join(folder, name)


def requirement_in(line):
    """The name, the extras that are asked for, and the condition."""
    found = REQUIREMENT.match(line)
    if not found:
        raise Unsure(f"{line[:100]} is not understood")
    name, extras, _, marker = found.groups()
    return name, frozenset(key_of(one.strip()) for one in (extras or "").split(",") if one.strip()), marker or ""


def is_asked(marker, extras):
    """Conditions count as met, but for an extra that was not requested."""
    named = [key_of(one or other) for one, other in EXTRA.findall(marker)]
    if not named or re.search(r"\bor\b", marker):
        return True
    return not extras.isdisjoint(named)


def key_of(name):
    return re.sub(r"[-_.]+", "-", name).lower()

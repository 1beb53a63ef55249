/** A web application whose first list of packages does not fit together: the model reads the import error, and mends it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { aBench, type Bench } from "../doubles/command.ts";
import { pythonCan } from "../doubles/evaluation.ts";
import { writeWheel } from "../doubles/package-index.ts";
import { type ScriptedAnswer, type ScriptedRequest, startScriptedServer } from "../servers/scripted-openai.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const SHORTENER = {
  "shortener/__init__.py": `"""Short addresses for long ones."""
from flask import Flask

from shortener.links import Links

app = Flask(__name__)
links = Links()


@app.get("/<key>")
def follow(key):
    target = links.target_of(key)
    return ("", 302, {"Location": target}) if target else ("unknown", 404)
`,
  "shortener/links.py": `ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"


class Links:
    def __init__(self):
        self._targets = []

    def add(self, target):
        if target not in self._targets:
            self._targets.append(target)
        return self._key(self._targets.index(target))

    def target_of(self, key):
        return next((each for at, each in enumerate(self._targets) if self._key(at) == key), None)

    def _key(self, number):
        key = ALPHABET[number % len(ALPHABET)]
        return key if number < len(ALPHABET) else self._key(number // len(ALPHABET) - 1) + key
`,
  "tests/test_links.py": `from shortener.links import Links


def test_keys_are_short_and_differ():
    links = Links()
    keys = [links.add(f"https://example.org/{number}") for number in range(100)]
    assert len(set(keys)) == 100 and max(map(len, keys)) == 2
`,
  "tests/test_app.py": `from shortener import follow, links


def test_follows_what_was_shortened():
    key = links.add("https://example.org/long")
    assert follow(key) == ("", 302, {"Location": "https://example.org/long"})


def test_knows_no_other():
    assert follow("nothing")[1] == 404
`,
};

const CALLED: Record<string, string> = { werkzeug: "Werkzeug" };
const IMPORT_ERROR = /ImportError: cannot import name '(\w+)' from '(\w+)\.(\w+)'/;

/** Writes all of it, offers it, and then pins the package that the import error names, if it reads one. */
function answerTo({ messages }: ScriptedRequest, requirements: string[]): ScriptedAnswer {
  const text = messages.map(({ content }) => content ?? "").join("\n");
  const call = (name: string, args: object): ScriptedAnswer => ({ toolCalls: [{ name, arguments: args }] });
  const write = (files: Record<string, string>): ScriptedAnswer =>
    call("write_files", { files: Object.entries(files).map(([path, content]) => ({ path, content })) });
  const listed = (lines: string[]) => ({ "requirements.txt": `${lines.join("\n")}\n` });
  if (!/^Instruction \d+ of \d+: /m.test(text)) {
    const only = { title: "Shorten", text: "Write the shortener with its tests.", requirements: [] };
    return call("write_program", { instructions: [only] });
  }
  const answers = messages.filter(({ role }) => role === "assistant").length;
  if (answers === 0) return write({ ...SHORTENER, ...listed(requirements) });
  const [, , broken] = IMPORT_ERROR.exec(messages.at(-1)?.content ?? "") ?? [];
  if (broken) return write(listed([...requirements, `${CALLED[broken] ?? broken}<3`]));
  return call("complete_instruction", { summary: "the shortener, tested" });
}

async function shorten(requirements: string[], env: Record<string, string>): Promise<{ bench: Bench; read: string[] }> {
  const server = await startScriptedServer({ answer: (request) => answerTo(request, requirements) });
  const bench = aBench({ OPENAI_API_KEY: "x", OPENAI_BASE_URL: server.url, ...env });
  closing.push(server.close, bench.remove);
  const ended = await bench.run(["run", "Write a URL shortener.", "--model", "gpt-4o", "--out", "out"]);
  expect(ended.stderr).toMatch(/completed/i);
  expect(ended.code).toBe(0);
  const read = server.requests.map(({ messages }) => messages.at(-1)?.content ?? "");
  return { bench, read: read.filter((text) => IMPORT_ERROR.test(text)) };
}

/** What the verdict says, in the turn after the first offer. */
const NAMED = /cannot import name 'url_quote' from 'werkzeug\.urls'/;

describe.skipIf(!pythonCan("import pip, venv, pytest"))("a URL shortener (needs pip and pytest)", () => {
  it("is repaired from the import error that the verdict names, and then accepted", async () => {
    const index = mkdtempSync(join(tmpdir(), "l2mac-index-"));
    closing.push(() => rmSync(index, { recursive: true }));
    writeWheel(index, "flask", "2.0.3", {
      requires: ["werkzeug>=2"],
      "flask/__init__.py": `from werkzeug.urls import url_quote


class Flask:
    def __init__(self, name):
        self.views = {}

    def get(self, rule):
        return lambda view: self.views.setdefault(url_quote(rule), view)
`,
    });
    writeWheel(index, "werkzeug", "2.3.8", { "werkzeug/urls.py": "def url_quote(text):\n    return text\n" });
    writeWheel(index, "werkzeug", "3.0.1", { "werkzeug/urls.py": "def url_parse(text):\n    return text\n" });
    const { bench, read } = await shorten(["flask==2.0.3"], { PIP_NO_INDEX: "1", PIP_FIND_LINKS: index });
    expect(read).toEqual([expect.stringMatching(NAMED)]);
    expect(bench.read("out/requirements.txt")).toBe("flask==2.0.3\nWerkzeug<3\n");
  });
});

describe.skipIf(process.env.L2MAC_PYPI === undefined)("a URL shortener (needs L2MAC_PYPI=1, and PyPI)", () => {
  it("is repaired where the packages are the real ones", async () => {
    const { bench, read } = await shorten(["Flask==2.0.3", "pytest==7.4.4"], {});
    expect(read).toEqual([expect.stringMatching(NAMED)]);
    expect(bench.read("out/requirements.txt")).toBe("Flask==2.0.3\npytest==7.4.4\nWerkzeug<3\n");
  });
});

/** Changes to real projects of others, each in a clone of its own, by a command that is killed five times. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fetchProject } from "../../packages/evaluator-lab/world/fetch.ts";
import type { Project } from "../../packages/evaluator-lab/world/project.ts";
import { aBench, type Bench } from "../doubles/command.ts";
import { type ScriptedRequest, type ScriptedServer, startScriptedServer } from "../servers/scripted-openai.ts";

interface Change {
  project: Project;
  /** By instruction: what is written. */
  steps: { title: string; files: { path: string; content: string }[] }[];
}

const project = (from: "pypi" | "npm", name: string, version: string): Project => ({
  ...{ from, name, version, licence: "see the project", runner: "", third: 1 },
});

const CHANGES: Change[] = [
  {
    project: project("pypi", "toolz", "1.0.0"),
    steps: [
      {
        title: "Count pairs of neighbours",
        files: [
          {
            path: "toolz/neighbours.py",
            content:
              "from collections import Counter\n\n\ndef neighbours(seq):\n    items = list(seq)\n    return Counter(zip(items, items[1:]))\n",
          },
          {
            path: "toolz/tests/test_neighbours.py",
            content:
              'from toolz.neighbours import neighbours\n\n\ndef test_pairs():\n    assert neighbours("abab") == {("a", "b"): 2, ("b", "a"): 1}\n',
          },
        ],
      },
      {
        title: "Test an empty sequence",
        files: [
          {
            path: "toolz/tests/test_no_neighbours.py",
            content:
              'from toolz.neighbours import neighbours\n\n\ndef test_empty():\n    assert neighbours("") == {}\n',
          },
        ],
      },
    ],
  },
  {
    project: project("npm", "hash.js", "1.1.7"),
    steps: [
      {
        title: "Compare digests",
        files: [
          {
            path: "lib/hash/same.js",
            content: "'use strict';\n\nmodule.exports = function same(one, other) {\n  return one === other;\n};\n",
          },
          {
            path: "test/same-test.js",
            content:
              "'use strict';\n/* global describe it */\nvar assert = require('assert');\nvar same = require('../lib/hash/same');\ndescribe('same', function() {\n  it('compares', function() {\n    assert(same('a', 'a'));\n  });\n});\n",
          },
        ],
      },
      {
        title: "Test digests that differ",
        files: [
          {
            path: "test/other-test.js",
            content:
              "'use strict';\n/* global describe it */\nvar assert = require('assert');\nvar same = require('../lib/hash/same');\ndescribe('others', function() {\n  it('differ', function() {\n    assert(!same('a', 'b'));\n  });\n});\n",
          },
        ],
      },
    ],
  },
];

const PRELOAD = `--import=${new URL("../doubles/dies-at.mjs", import.meta.url).href}`;

describe.skipIf(process.env.L2MAC_PYPI === undefined)("a real project (needs L2MAC_PYPI=1, and registries)", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "l2mac-real-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(CHANGES.map((change) => [change.project.name, change] as const))(
    "%s gets one commit per step, its tests green, through five kills",
    { timeout: 600_000 },
    async (_, change) => {
      const top = await cloneOf(change.project, folder);
      const before = [git(top, "rev-parse", "HEAD"), git(top, "status", "--porcelain"), git(top, "branch")];
      const killed = await computeKilled(change, top);
      expect(killed).toBe(5);
      expect([git(top, "rev-parse", "HEAD"), git(top, "status", "--porcelain")]).toEqual(before.slice(0, 2));
      expect(git(top, "branch", "--list", "l2mac/*").trim()).toBe("l2mac/change");
      const subjects = git(top, "log", "--reverse", "--format=%s", "HEAD..l2mac/change").split("\n");
      expect(subjects).toEqual(change.steps.map(({ title }) => title));
      for (const [index, { files }] of change.steps.entries()) {
        const commit = git(top, "rev-parse", `l2mac/change~${change.steps.length - 1 - index}`);
        const paths = git(top, "diff-tree", "--no-commit-id", "--name-only", "-r", commit).split("\n");
        expect(paths).toEqual(files.map(({ path }) => path).sort());
      }
      expect(git(top, "fsck", "--strict")).toBe("");
    },
  );
});

async function cloneOf(from: Project, folder: string): Promise<string> {
  const tree = await fetchProject(from, { folder, python: "python3" });
  git(tree, "init", "--quiet", "--initial-branch=main");
  git(tree, "add", "--all");
  git(tree, "commit", "--quiet", "-m", `Release ${from.version}`);
  const top = join(folder, `clone-${from.name}`);
  git(folder, "clone", "--quiet", tree, top);
  return top;
}

const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trimEnd();

/** Killed at four requests, and once while it delivers. Answers how often. */
async function computeKilled(change: Change, top: string): Promise<number> {
  let kill: (() => void) | undefined;
  let countdown = 1;
  const server = await startScriptedServer({
    answer: (request) => {
      countdown -= 1;
      if (countdown === 0) kill?.();
      return answerOf(change, request);
    },
  });
  const bench = benchAt(server);
  const task = ["Add what is missing, with tests.", "--name", "change", "--reflect", "0", "--in", top];
  try {
    let killed = 0;
    for (const requests of [1, 2, 2, 2]) {
      countdown = requests;
      const started = bench.start(killed === 0 ? task : ["resume"]);
      kill = () => started.child.kill("SIGKILL");
      const { code, stderr } = await started.ended();
      expect(code, stderr).toBe(null);
      killed += 1;
    }
    countdown = 0;
    Object.assign(bench.env, { NODE_OPTIONS: PRELOAD, L2MAC_DIES_AT: "delivered.json" });
    expect([null, 137]).toContain((await bench.run(["resume"])).code);
    Object.assign(bench.env, { NODE_OPTIONS: "", L2MAC_DIES_AT: "" });
    const last = await bench.run(["resume"]);
    expect(last, last.stderr).toMatchObject({ code: 0, stdout: "l2mac/change\n" });
    expect(last.stderr).toMatch(/tests (\d+)\/\1/);
    return killed + 1;
  } finally {
    await server.close();
    bench.remove();
  }
}

/** The settings with which this computer reaches its registries come along; nothing else does. */
function benchAt({ url }: ScriptedServer): Bench {
  const own = Object.entries(process.env).filter(([name]) => /^(npm_config_|PIP_|SSL_|NODE_EXTRA_)/i.test(name));
  return aBench({ ...Object.fromEntries(own as [string, string][]), OPENAI_BASE_URL: url, L2MAC_MODEL: "scripted" });
}

function answerOf({ steps }: Change, { messages }: ScriptedRequest) {
  const text = messages.map(({ content }) => content ?? "").join("\n");
  const number = Number([...text.matchAll(/MARK-(\d+)-BEGINS/g)].at(-1)?.[1] ?? 0);
  if (number === 0 || text.includes("Planning the program")) {
    const instructions = steps.map(({ title }, index) => ({
      ...{ title, text: `MARK-${index + 1}-BEGINS ${title}.`, requirements: [] },
    }));
    return { toolCalls: [{ name: "write_program", arguments: { instructions } }] };
  }
  const { files = [], title = "" } = steps[number - 1] ?? {};
  const done = files.every(({ path }) => text.includes(`wrote ${path}`) || text.includes(`Wrote ${path}`));
  return done
    ? { toolCalls: [{ name: "complete_instruction", arguments: { summary: `${title}: done` } }] }
    : { toolCalls: [{ name: "write_files", arguments: { files } }] };
}

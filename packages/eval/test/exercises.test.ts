/** The checker of exercises as it is executed, without a sandbox around it: in JavaScript, which is always there, and in Python. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { projectFile } from "../../../lib/files/project-files.ts";
import { polyglot } from "../suites/polyglot/polyglot.ts";

const checker = readFileSync(projectFile("packages/eval/checkers/exercises.mjs"), "utf8");
const cases = await polyglot.load({ cache: "", env: {}, say: () => {} });
const python = spawnSync("python3", ["--version"]).error === undefined;

function expectSolutionAlone(id: string, file: string): void {
  const each = cases.find((found) => found.id === id);
  if (!each) throw new Error("The exercise is missing.");
  const folder = mkdtempSync(join(tmpdir(), "l2mac-exercises-"));
  try {
    const trees = [each.oracle, each.given ?? {}, ...each.forgeries, {}];
    const entries = trees.map((files, at) => {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, String(at), path)), { recursive: true });
        writeFileSync(join(folder, String(at), path), text);
      }
      return { folder: String(at), spec: each.spec, seconds: 30 };
    });
    const input = JSON.stringify({ nonce: "N", entries });
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", checker], {
      ...{ cwd: folder, input, encoding: "utf8" },
    });
    const line = stdout.split("\n").find((text) => text.startsWith("N "));
    const outcomes: [number, number, string[]][] = JSON.parse(line?.slice(2) ?? `"${stderr}"`);
    expect(outcomes.map(([passed]) => passed)).toEqual([1, ...trees.slice(1).map(() => 0)]);
    expect(outcomes.at(-1)?.[2]).toEqual([`there is no ${file}`]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

it("passes the solution in JavaScript alone: not what is there at first, and no forgery", () =>
  expectSolutionAlone("javascript/two-bucket", "two-bucket.js"));

it.skipIf(!python)("passes the solution in Python alone (needs python3)", () =>
  expectSolutionAlone("python/two-bucket", "two_bucket.py"),
);

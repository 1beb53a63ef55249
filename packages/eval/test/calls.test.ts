/** The checker of Python functions as it is executed, without a sandbox around it. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { projectFile } from "../../../lib/files/project-files.ts";

const python = spawnSync("python3", ["--version"]).error === undefined;
const checker = readFileSync(projectFile("packages/eval/checkers/calls.py"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "l2mac-calls-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Each is a body of `f` and what it must return, or meet. */
const right: [string, string][] = [
  ["from collections import Counter; return Counter('aab')", "== {'a': 2, 'b': 1}"],
  ["from collections import defaultdict; return defaultdict(list, {1: [2]})", "== {1: [2]}"],
  ["from collections import OrderedDict; return [OrderedDict(a=1)]", "== [{'a': 1}]"],
  ["from collections import namedtuple; return namedtuple('P', 'x y')(1, 2)", "== (1, 2)"],
  ["import enum; return {enum.IntEnum('E', 'one').one}", "== {1}"],
  ["import enum\n  class E(str, enum.Enum): a = 'x'\n  return E.a", "== 'x'"],
  ["return [float('inf'), -float('inf')]", "== [float('inf'), -float('inf')]"],
  ["return float('nan')", "!= candidate()"],
  ["return frozenset({1}), {frozenset(), frozenset({(2, True)})}", "== ({1}, {frozenset(), frozenset({(2, True)})})"],
  ["return set(), (), b'x', None, True, 1 + 2j, 'é\\n'", "== (set(), (), b'x', None, True, 1 + 2j, 'é\\n')"],
];
/** What is no value, however it compares and is shown. */
const wrong: [string, string][] = [
  ["class A:\n    def __eq__(self, other): return True\n  return A()", "== 1"],
  ["class A:\n    def __repr__(self): return 'candidate'\n  return A()", "== 1"],
  ["class A:\n    def __repr__(self): return '(True, frozenset(open(\"/etc/hosts\")))'\n  return A()", "!= 1"],
  ["values = []; values.append(values); return values", "!= 1"],
  ["return range(2)", "== [0, 1]"],
];

function solved(made: [string, string][]): boolean[] {
  const entries = made.map(([body, meets], at) => {
    const place = `tree-${at}`;
    mkdirSync(join(folder, place), { recursive: true });
    writeFileSync(join(folder, place, "solution.py"), `def f():\n  ${body}\n`);
    const test = `def check(candidate):\n  assert candidate() ${meets}\n`;
    return { folder: place, seconds: 100, spec: { entry: "f", prompt: "", test, cpu: 60 } };
  });
  const { stdout, stderr } = spawnSync("python3", ["-I", "-B", "-c", checker], {
    ...{ cwd: folder, encoding: "utf8", input: JSON.stringify({ nonce: "number", entries }) },
  });
  const line = stdout.split("\n").find((each) => each.startsWith("number "));
  if (line === undefined) throw new Error(stderr);
  return JSON.parse(line.slice("number".length)).map(([passed]: [number]) => passed === 1);
}

describe.skipIf(!python)(`the checker of functions${python ? "" : " (needs python3)"}`, () => {
  it("takes values of the standard library's own classes, and numbers that have no literal", () => {
    const outcomes = solved(right);
    expect(right.filter((_, at) => !outcomes[at])).toEqual([]);
  });

  it("takes nothing that only says what it equals", () => {
    const outcomes = solved(wrong);
    expect(wrong.filter((_, at) => outcomes[at])).toEqual([]);
  });
});

/** The GitHub Action: its definition holds together, and its step hands inputs on as values. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { projectRoot } from "../house-rules.ts";

interface Action {
  inputs: Record<string, { description: string; default?: string }>;
  outputs: Record<string, { value: string }>;
  runs: { using: string; steps: { id?: string; uses?: string; run?: string; shell?: string; env?: object }[] };
}

const text = readFileSync(join(projectRoot, "action.yml"), "utf8");
const action = parse(text) as Action;
const { steps } = action.runs;

const folder = mkdtempSync(join(tmpdir(), "l2mac-action-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the action's definition", () => {
  it("is a composite one whose steps each use an action or run in a named shell", () => {
    expect(action.runs.using).toBe("composite");
    for (const { uses, run, shell } of steps)
      expect([uses === undefined, run !== undefined]).toEqual([shell !== undefined, uses === undefined]);
  });

  it("names each action of another repository by its commit", () => {
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/@[0-9a-f]{40}$/);
  });

  it("puts no input into the text of a script", () => {
    for (const { run = "" } of steps) expect(run).not.toContain("${{");
  });

  it("hands on every input, and sets every output", () => {
    const step = steps.find(({ id }) => id === "run");
    const handed = Object.values(step?.env ?? {}).map((value) => /inputs\.([\w-]+)/.exec(String(value))?.[1]);
    expect(handed.toSorted()).toEqual(Object.keys(action.inputs).toSorted());
    const script = readFileSync(join(projectRoot, "bin/run-action.sh"), "utf8");
    for (const name of Object.keys(step?.env ?? {})) expect(script).toContain(name);
    for (const name of Object.keys(action.outputs)) expect(script).toContain(`${name}=%s`);
  });
});

describe.skipIf(spawnSync("bash", ["-c", "true"]).status !== 0)("the action's step", () => {
  const step = (inputs: Record<string, string>) => {
    const output = join(folder, "output");
    writeFileSync(output, "");
    const env = Object.fromEntries(
      Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
    );
    const path = `${dirname(process.execPath)}:${process.env.PATH}`;
    const { status, stderr } = spawnSync("bash", [join(projectRoot, "bin/run-action.sh")], {
      cwd: folder,
      encoding: "utf8",
      env: { PATH: path, HOME: folder, GITHUB_OUTPUT: output, INPUT_OUT: "out", ...env },
    });
    return { status, stderr, output: readFileSync(output, "utf8") };
  };

  it("delivers into the folder, and says which and how it ended", () => {
    const { status, stderr, output } = step({ model: "", arguments: "--rehearse\n--no-tests\n" });
    expect(status, stderr).toBe(0);
    expect(output).toBe(`folder=${join(folder, "out")}\nexit-code=0\n`);
    expect(existsSync(join(folder, "out/package.json"))).toBe(true);
  });

  it("takes a task that looks like a command as text, and fails as the run does", () => {
    const { status, output } = step({ task: "$(touch seized); `touch seized`", out: "other" });
    expect(status).toBe(3);
    expect(output).toBe("folder=\nexit-code=3\n");
    expect(existsSync(join(folder, "seized"))).toBe(false);
  });

  it.each(["--help", "--spec=nowhere.md", "--"])("takes the task %j as text, and as no flag", (task) => {
    expect(step({ task, out: "other" })).toMatchObject({ status: 3, output: "folder=\nexit-code=3\n" });
  });
});

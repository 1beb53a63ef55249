/** The two halves are separable: the stack deploys without the local machine, and runs are computed without AWS code. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const PARTS = "bin lib lambdas packages prompts rehearsals fonts statemachine cdk.json package.json".split(" ");
const copies: string[] = [];
afterAll(() => {
  for (const folder of copies) rmSync(folder, { recursive: true, force: true });
});

/** A copy of the project without these folders; it shares the installed packages. */
function copyWithout(...left: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "l2mac-half-"));
  copies.push(folder);
  const gone = new Set(left.map((path) => join(root, path)));
  for (const part of PARTS.filter((name) => readdirSync(root).includes(name)))
    cpSync(join(root, part), join(folder, part), { recursive: true, filter: (path) => !gone.has(path) });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  for (const path of left) expect(readdirSync(join(folder, "lib"))).not.toContain(path.replace("lib/", ""));
  return folder;
}

const run = (folder: string, args: string[], env: Record<string, string>): string =>
  execFileSync(process.execPath, args, {
    cwd: folder,
    encoding: "utf8",
    stdio: "pipe",
    env: { PATH: process.env.PATH, HOME: folder, ...env },
  });

it("the functions are bundled and the stack is synthesised without the local machine and the command", () => {
  const folder = copyWithout("lib/local", "lib/cli", "lib/engine", "lib/client", "lib/deployment");
  const { context } = JSON.parse(readFileSync(join(folder, "cdk.json"), "utf8"));
  const output = join(folder, "cdk.out");
  run(folder, ["bin/cdk.ts"], { CDK_OUTDIR: output, CDK_CONTEXT_JSON: JSON.stringify(context) });
  const { Resources } = JSON.parse(readFileSync(join(output, "L2mac.template.json"), "utf8"));
  const types = Object.values(Resources as Record<string, { Type: string }>).map(({ Type }) => Type);
  expect(types).toContain("AWS::StepFunctions::StateMachine");
  expect(types.filter((type) => type === "AWS::Lambda::Function")).toHaveLength(8);
});

it("a run is computed on this computer without the code for AWS", () => {
  const folder = copyWithout("lib/aws", "lib/cloud", "lib/deployment");
  const printed = run(folder, ["bin/l2mac.mjs", "run", "--rehearse", "--no-tests"], {
    L2MAC_HOME: join(folder, ".l2mac"),
  });
  expect(readdirSync(printed.trim().split("\n").at(-1) ?? "")).not.toEqual([]);
});

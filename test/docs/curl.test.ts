/** The curl lines of docs/api.md, run as they are against a served rehearsal, down to the unpacked zip. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { sha256 } from "../../lib/control/files/digest.ts";
import { aBench, type Started } from "../doubles/command.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/api.md"), "utf8");
const missing = ["bash", "curl", "unzip"].filter((name) => spawnSync(name, ["--version"]).error);

const bench = aBench();
let served: Started | undefined;
afterAll(async () => {
  served?.child.kill("SIGKILL");
  await served?.ended();
  bench.remove();
});

/** The shell blocks of a section. */
function blocksOf(title: string): string[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? "";
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, lines = ""]) => lines);
}

const needs = missing.length > 0 ? ` (skipped: ${missing.join(", ")} is missing)` : "";

describe("the guide to the HTTP API", () => {
  it.skipIf(missing.length > 0)(`leads from a task to the unpacked zip${needs}`, async () => {
    const [start = "", walk = ""] = blocksOf("On your computer");
    const args = start.trim().split(" ").slice(2);
    const port = args.at(-1) ?? "";
    expect(args).toEqual(["serve", "--port", port]);
    expect(walk).toContain(`http://127.0.0.1:${port}`);
    // The port may be in use; everything else is run as it is.
    served = bench.start(["serve", "--port", "0"]);
    await served.says("Ctrl-C stops");
    const url = await served.answers();
    const ended = await bash(walk.replace(`http://127.0.0.1:${port}`, url));
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stdout).toContain('"type":"ended"');
    expect(ended.stdout).toContain('"path":"package.json"');
    expect(existsSync(join(bench.folder, "tally", "package.json"))).toBe(true);
    expect(sha256(readFileSync(join(bench.folder, "tally.zip")))).toBe(sha256(localZip()));
  });

  it.skipIf(missing.length > 0)(`ends when it is asked to, and says that nothing was interrupted${needs}`, async () => {
    served?.child.kill("SIGINT");
    const ended = await served?.ended();
    expect(ended?.code).toBe(130);
    expect(ended?.stderr).toContain("No run was interrupted.");
  });
});

async function bash(script: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = spawn("bash", ["-euo", "pipefail", "-c", script], { cwd: bench.folder, env: bench.env });
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (data) => (said.stdout += data));
  child.stderr.on("data", (data) => (said.stderr += data));
  const [code] = await once(child, "close");
  return { code, ...said };
}

/** The zip in the run's own store. */
function localZip(): Uint8Array {
  const runs = join(bench.folder, ".l2mac", "runs");
  const [run = ""] = readdirSync(runs);
  const [name = ""] = readdirSync(join(runs, run, "output"));
  return readFileSync(join(runs, run, "output", name));
}

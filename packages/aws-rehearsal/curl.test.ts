/** The signed curl lines of docs/api.md, run as they are against the rehearsed deployment. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sha256 } from "../../lib/control/files/digest.ts";
import { TASK } from "./acts/whole-run.ts";
import { dynoxide, moto } from "./emulators/emulators.ts";
import { localZip } from "./local-zip.ts";
import { openStage, PLACE, type Stage } from "./stage.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/api.md"), "utf8");
const missing = [
  ...[dynoxide, moto].flatMap(({ isThere, title }) => (isThere ? [] : [title])),
  ...["bash", "curl", "unzip"].filter((name) => spawnSync(name, ["--version"]).error),
];
const skipped = missing.length > 0 ? ` (skipped: ${missing.join(", ")})` : "";

let stage: Stage;
const folder = mkdtempSync(join(tmpdir(), "l2mac-walk-"));
beforeAll(async () => {
  if (missing.length === 0) stage = await openStage();
});
afterAll(async () => {
  await stage?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The last shell block of the section. */
function walk(): string {
  const section = page.split(/^## /m).find((text) => text.startsWith("A deployed stack, with curl\n")) ?? "";
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, lines = ""]) => lines).at(-1) ?? "";
}

describe("the guide to a deployed stack's API", () => {
  it.skipIf(missing.length > 0)(`leads by signed requests from a task to the unpacked zip${skipped}`, async () => {
    const [first = "", ...rest] = walk().split("\n");
    expect(first).toMatch(/^API=https:\/\/\w+\.execute-api\.[\w-]+\.amazonaws\.com\/v1\/$/);
    const { accessKeyId, secretAccessKey } = stage.ownerCredentials;
    const ended = await bash([`API=${stage.gateway.secureUrl}/`, ...rest].join("\n"), {
      ...{ PATH: process.env.PATH ?? "", CURL_CA_BUNDLE: stage.certificateFile, AWS_REGION: PLACE.region },
      ...{ AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey },
    });
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stdout).toContain('"type":"ended"');
    expect(ended.stdout).toContain('"path":"package.json"');
    expect(existsSync(join(folder, "tally", "package.json"))).toBe(true);
    expect(sha256(readFileSync(join(folder, "tally.zip")))).toBe(sha256(await localZip(TASK.task)));
  });
});

async function bash(script: string, env: Record<string, string>) {
  const child = spawn("bash", ["-euo", "pipefail", "-c", script], { cwd: folder, env });
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (data) => (said.stdout += data));
  child.stderr.on("data", (data) => (said.stderr += data));
  const [code] = await once(child, "close");
  return { code: code as number, ...said };
}

/** A server that means harm: nothing that it answers leaves the run's folder, nor moves the terminal's cursor. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sha256 } from "../../lib/control/files/digest.ts";
import { packTree } from "../../lib/pack/pack.ts";
import { aBench, type Bench } from "../doubles/command.ts";
import { aRun } from "../doubles/runs.ts";
import { json, refusal, type Script, type ScriptedApi, startScriptedApi } from "../servers/scripted-api.ts";

const ESCAPES = "\u001b[2J\u001b]0;owned\u0007\u202egnp\u009b31m";
const ID = "01M7Z1RMSGY01SPAVCS1MK33SH";
const links = { self: "", requirements: "", program: "", events: "", files: "", output: "", cancel: "", resume: "" };
const run = {
  ...aRun({ id: ID, name: "harmless", status: "completed", packed: 1, pc: 2, instructions: 1, files: 1 }),
  title: `A task ${ESCAPES}`,
  detail: `All is well ${ESCAPES}`,
  links,
};

let bench: Bench;
let api: ScriptedApi;
let zip: Uint8Array;
const script: Script = ({ path, headers }) => {
  const at = new URL(path, "http://x").pathname;
  if (at === "/runs") return json({ runs: [run] });
  if (at === `/runs/${ID}`) return json(run);
  if (at.endsWith("/events")) return json({ events: EVENTS, next: 9, status: "completed", over: true });
  if (at.endsWith("/files")) return json({ files: [{ path: `a${ESCAPES}.txt`, bytes: 3 }] });
  if (at.endsWith("/output")) {
    const url = `http://${headers.host}/zip`;
    return json({ url, expiresAt: "", bytes: zip.length, sha256: sha256(zip) });
  }
  return { body: at === "/zip" ? zip : `text ${ESCAPES}` };
};
const EVENTS = [
  { type: "notice", text: `Hello ${ESCAPES}`, seq: 1, at: "2026-01-01T00:00:00.000Z" },
  { type: "ended", status: "completed", detail: ESCAPES, seq: 2, at: "2026-01-01T00:00:00.000Z" },
];

beforeEach(async () => {
  api = await startScriptedApi((heard) => script(heard));
  bench = aBench({ L2MAC_API_URL: api.url });
});
afterEach(async () => {
  await api.close();
  bench.remove();
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("a zip", () => {
  it.each(["../outside.txt", "/etc/outside.txt", "a/../../outside.txt", "C:\\outside.txt", ".git/hooks/post-checkout"])(
    "that holds %s is unpacked without it",
    async (path) => {
      zip = packTree(undefined, [
        { path, content: bytes("harm") },
        { path: "inside.txt", content: bytes("fine") },
      ]);
      const ended = await bench.run(["get", "--out", "deep/down"]);
      expect(ended).toMatchObject({ code: 0, stdout: `${join(bench.folder, "deep/down")}\n` });
      expect(ended.stderr).toContain(`Not overwritten: ${path} (it is no path of a run)`);
      expect(readdirSync(join(bench.folder, "deep"), { recursive: true }).toSorted()).toEqual([
        "down",
        "down/inside.txt",
      ]);
      expect(existsSync(join(bench.folder, "outside.txt"))).toBe(false);
    },
  );

  it("that is none, or none of ours, is refused", async () => {
    zip = bytes("PK but no zip");
    const ended = await bench.run(["get"]);
    expect(ended).toMatchObject({ code: 6, stdout: "", stderr: expect.stringContaining("This pack is damaged") });
    expect(existsSync(join(bench.folder, "workspace"))).toBe(false);
  });

  it("is delivered to no folder that the server names", async () => {
    zip = packTree(undefined, [{ path: "inside.txt", content: bytes("fine") }]);
    const elsewhere = join(bench.folder, "elsewhere");
    const options = { ...run.options, out: elsewhere };
    await api.close();
    api = await startScriptedApi((heard) =>
      heard.path === "/runs?limit=1" ? json({ runs: [{ ...run, options }] }) : script(heard),
    );
    const ended = await bench.run(["get", "--remote", api.url]);
    expect(ended.stdout).toBe(`${join(bench.folder, "workspace/harmless")}\n`);
    expect(existsSync(elsewhere)).toBe(false);
  });
});

describe("a run that cannot be followed any more", () => {
  it("is said to go on, with how it is found again", async () => {
    await api.close();
    const running = { ...run, status: "running" };
    api = await startScriptedApi(({ method, path }) => {
      if (method === "POST") return json({ id: ID, status: "queued", links }, 202);
      if (path.includes("/events")) return refusal(403, { detail: "The security token is expired" });
      return path.startsWith("/runs?") ? json({ runs: [] }) : json(running);
    });
    const ended = await bench.run(["A task.", "--remote", api.url]);
    expect(ended).toMatchObject({ code: 3, stdout: "" });
    expect(ended.stderr).toMatch(/The run goes on at http:[\s\S]*l2mac watch MK33SH --remote http[\s\S]*expired/);
  });
});

describe("what is shown on a terminal", () => {
  it.each([["list"], ["status"], ["log"], ["tree"]])("%s holds no control characters", async (...args) => {
    const { stdout, stderr } = await bench.run(args);
    expect(stdout).not.toBe("");
    expect(stdout + stderr).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
  });
});

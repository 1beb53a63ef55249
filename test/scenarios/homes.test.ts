/** The homes that released versions have written: this version opens them, and finishes what they began. */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Run } from "../../lib/core/run/run.ts";
import { projectVersion } from "../../lib/files/project-files.ts";
import { LOCAL_OWNER } from "../../lib/local/machine.ts";
import { unpackTree } from "../../lib/pack/pack.ts";
import { fileStoreKeys } from "../../lib/registry/keys.ts";
import { aBench, type Bench } from "../doubles/command.ts";
import type { TestMachine } from "../doubles/machines.ts";
import { HOMES, openStoredHome, STORED_RUNS } from "../fixtures/homes/play.ts";

const VERSIONS = readdirSync(HOMES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && /^\d/.test(entry.name))
  .map(({ name }) => name);

const LETTERS = ["alpha.txt", "beta.txt", "gamma.txt"];
const unread = new AbortController().signal;

/** A copy: a stored home never changes. */
function copyOf(version: string): string {
  const home = mkdtempSync(join(tmpdir(), "l2mac-home-"));
  for (const [path, content] of unpackTree(readFileSync(join(HOMES, version, "home.zip")))) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), content);
  }
  return home;
}

const sha256 = (bytes: Uint8Array | undefined): string | undefined =>
  bytes && createHash("sha256").update(bytes).digest("hex");

it("there is one of the version that is developed now", () => {
  expect(VERSIONS).toContain(projectVersion());
});

describe.each(VERSIONS)("the home of version %s", (version) => {
  let machine: TestMachine;
  afterEach(() => {
    machine.close();
    machine.removeHome();
  });

  async function openedCopy(): Promise<Record<string, Run>> {
    machine = openStoredHome(copyOf(version));
    const { runs, unreadable } = await machine.registry.runs({ owner: LOCAL_OWNER, limit: 10 });
    expect(unreadable).toBeUndefined();
    return Object.fromEntries(runs.map((run) => [run.name, run]));
  }
  const named = (runs: Record<string, Run>, name: string): Run => {
    const run = runs[name];
    if (!run) throw new Error(`The home has no run ${name}.`);
    return run;
  };
  const zipOf = ({ id, name }: Run) => machine.files.get(fileStoreKeys(id).output(`${name}.zip`));

  it("has its runs, each as it ended or waits", async () => {
    const runs = await openedCopy();
    for (const [name, { ends }] of Object.entries(STORED_RUNS)) expect(named(runs, name)).toMatchObject(ends);
  });

  it("gives the zip of its completed run", async () => {
    const run = named(await openedCopy(), "done");
    const zip = await zipOf(run);
    expect(sha256(zip)).toBe(run.outputDigest?.sha256);
    expect([...unpackTree(zip ?? new Uint8Array()).keys()]).toEqual(LETTERS);
  });

  // Another version may ask the model otherwise; the same answers lead to the same files.
  it.each(["done", "stopped"])("replays the run %s from its journal to the same tree", async (name) => {
    const run = named(await openedCopy(), name);
    const { treeHash, expected, turns } = await machine.replay(run.id);
    expect(treeHash).toBe(expected);
    expect(turns).toBe(run.turns);
  });

  it("goes on with the run that a ceiling stopped, to the same zip as the completed one's", async () => {
    const runs = await openedCopy();
    const { id, turns } = named(runs, "stopped");
    await machine.resume(id, { budget: { turns: 20 } });
    const ended = await machine.compute(id, unread);
    expect(ended).toMatchObject({ status: "completed", files: LETTERS.length });
    expect(ended.turns).toBeGreaterThan(turns);
    expect(sha256(await zipOf(ended))).toBe(named(runs, "done").outputDigest?.sha256);
  });

  it("executes the program that waits for approval, to the same zip as the completed one's", async () => {
    const runs = await openedCopy();
    const { id } = named(runs, "awaiting");
    await machine.approve(id);
    const ended = await machine.compute(id, unread);
    expect(ended).toMatchObject({ status: "completed", files: LETTERS.length });
    expect(sha256(await zipOf(ended))).toBe(named(runs, "done").outputDigest?.sha256);
  });
});

describe.each(VERSIONS)("the commands, in the home of version %s", (version) => {
  let home: string;
  let bench: Bench;
  beforeAll(() => {
    home = copyOf(version);
    bench = aBench({ L2MAC_HOME: home });
  });
  afterAll(() => {
    bench.remove();
    rmSync(home, { recursive: true, force: true });
  });

  async function said(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await bench.run(args);
    expect(`${args.join(" ")}: ${code} ${code === 0 ? "" : stderr}`).toBe(`${args.join(" ")}: 0 `);
    return stdout;
  }

  it("list, status, log and get show what is there", async () => {
    const listed = await said("list");
    for (const name of Object.keys(STORED_RUNS)) expect(listed).toContain(name);
    expect(JSON.parse(await said("status", "stopped", "--json"))).toMatchObject(STORED_RUNS.stopped?.ends ?? {});
    expect(await said("log", "done")).toContain("Write gamma");
    await said("get", "done", "--out", join(bench.folder, "out"));
    for (const path of LETTERS) expect(bench.read(join("out", path))).toMatch(/^The letter /);
  });
});

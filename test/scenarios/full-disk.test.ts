/** A home on a full disk: what is there can be looked at and fetched, and deleting a run makes room. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, it } from "vitest";
import { aBench, type Bench } from "../doubles/command.ts";
import { startProgramServer } from "../servers/program-server.ts";
import type { Fault } from "../servers/scripted-faults.ts";

const benches: Bench[] = [];
const disks: string[] = [];
afterEach(() => {
  for (const disk of disks.splice(0)) execFileSync("umount", [disk]);
  for (const bench of benches.splice(0)) bench.remove();
});

function aDisk(bench: Bench): string | undefined {
  const disk = join(bench.folder, "disk");
  mkdirSync(disk);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", disk], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  disks.push(disk);
  bench.env.L2MAC_HOME = join(disk, "home");
  return disk;
}

function fill(disk: string): void {
  expect(() => writeFileSync(join(disk, "filling"), Buffer.alloc(9_000_000))).toThrow("ENOSPC");
}

/** A run that ended, and whose process left the log as it was, or not. */
async function aFullHome(
  bench: Bench,
  { log, bytes = 0, faults = {} }: { log: "left" | "none"; bytes?: number; faults?: Record<number, Fault> },
) {
  const disk = aDisk(bench);
  if (!disk) return undefined;
  const server = await startProgramServer({ instructions: 2, faults });
  Object.assign(bench.env, { OPENAI_API_KEY: "x", OPENAI_BASE_URL: server.url });
  const running = bench.start(["Write files.", "--model", "gpt-4o", "--out", join(bench.folder, "out")]);
  if (Object.keys(faults).length > 0) {
    while (server.requests.length < 4) await new Promise((resolve) => setImmediate(resolve));
    running.child.kill("SIGKILL");
  }
  await running.ended();
  await server.close();
  const registry = join(disk, "home", "registry.sqlite");
  // The last to close it takes the log into it.
  if (log === "none") {
    const database = new DatabaseSync(registry);
    database.prepare("SELECT count(*) FROM items").get();
    database.close();
  }
  rmSync(`${registry}-shm`, { force: true });
  const [run = ""] = readdirSync(join(disk, "home", "runs"));
  writeFileSync(join(disk, "home", "runs", run, "packs", "large"), Buffer.alloc(bytes));
  fill(disk);
  return disk;
}

const aBenchHere = (): Bench => {
  const bench = aBench();
  benches.push(bench);
  return bench;
};

describe("a home on a full disk (needs leave to mount one)", () => {
  it.for(["left", "none"] as const)("(log: %s) shows its runs, and gives their files", async (log, { skip }) => {
    const bench = aBenchHere();
    if (!(await aFullHome(bench, { log }))) return skip();
    const listed = await bench.run(["list"]);
    expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining("completed") });
    expect(await bench.run(["log"])).toMatchObject({ code: 0 });
    const fetched = await bench.run(["get", "--out", "fetched"]);
    expect(fetched.code).toBe(0);
    expect(readFileSync(join(bench.folder, "fetched", "parts", "part-2.txt"))).toEqual(
      readFileSync(join(bench.folder, "out", "parts", "part-2.txt")),
    );
  });

  it.for(["left", "none"] as const)("(log: %s) has room again once a run is deleted", async (log, { skip }) => {
    const bench = aBenchHere();
    const disk = await aFullHome(bench, { log });
    if (!disk) return skip();
    const deleted = await bench.run(["delete", "--yes"]);
    expect(deleted).toMatchObject({ code: 0, stderr: expect.stringContaining("is deleted") });
    expect(readdirSync(join(disk, "home", "runs"))).toEqual([]);
    expect((await bench.run(["list"])).stderr).toContain("There are no runs");
    writeFileSync(join(disk, "room"), "x".repeat(10_000));
  });

  it("deletes, too, a run that was killed, for the noting of which there is no room", async ({ skip }) => {
    const bench = aBenchHere();
    const gate = Promise.withResolvers<void>();
    const disk = await aFullHome(bench, {
      log: "left",
      bytes: 400_000,
      faults: { 4: { do: "hold", until: gate.promise } },
    });
    gate.resolve();
    if (!disk) return skip();
    expect(await bench.run(["list"])).toMatchObject({ code: 0, stderr: expect.stringContaining("is full") });
    expect(await bench.run(["delete", "--yes"])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("is deleted"),
    });
    expect(readdirSync(join(disk, "home", "runs"))).toEqual([]);
  });

  it("says what is removed, and what not, where even that makes no room enough; and then goes on", async ({ skip }) => {
    const bench = aBenchHere();
    const held = { do: "hold" as const, until: new Promise<void>(() => {}) };
    const disk = await aFullHome(bench, { log: "left", faults: { 4: held } });
    if (!disk) return skip();
    const deleted = await bench.run(["delete", "--yes"]);
    expect(deleted.code).toBe(6);
    expect(deleted.stderr).toMatch(/The files of run \w+ are removed, but its record is not/);
    expect(deleted.stderr).not.toMatch(/nothing that was stored before is lost/);
    rmSync(join(disk, "filling"));
    // The next command finishes it, where the mark had room at last.
    await bench.run(["delete", "--yes"]);
    expect((await bench.run(["list"])).stderr).toContain("There are no runs");
  });
});

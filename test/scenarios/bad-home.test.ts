/** Homes that cannot be used, or have lost something: said in words, with the path that is meant, and what to do. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, it } from "vitest";
import { aBench, type Bench } from "../doubles/command.ts";

const benches: Bench[] = [];
const disks: string[] = [];
afterEach(() => {
  for (const disk of disks.splice(0)) execFileSync("umount", [disk]);
  for (const bench of benches.splice(0)) bench.remove();
});

function aBenchAt(home: string): Bench {
  const bench = aBench();
  benches.push(bench);
  bench.env.L2MAC_HOME = join(bench.folder, home);
  return bench;
}

/** Undefined where this computer does not allow one to be mounted. */
function readOnlyDisk(folder: string): string | undefined {
  const disk = join(folder, "disk");
  mkdirSync(disk);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "ro", "tmpfs", disk], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  disks.push(disk);
  return disk;
}

const REHEARSED = ["run", "--rehearse", "Make a thing.", "--out", "out"];

async function refusesItsHome(bench: Bench, given: string[]): Promise<void> {
  const ended = await bench.run(given);
  expect(ended).toMatchObject({ code: 3, stdout: "" });
  expect(ended.stderr).toContain(`${bench.env.L2MAC_HOME} cannot be the home of runs`);
  expect(ended.stderr).toMatch(/^Next: Set L2MAC_HOME to a folder/m);
  expect(ended.stderr).not.toMatch(/should not|ENO|EEXIST|There are no runs/);
}

describe("a home that cannot be one", () => {
  it.for(["file", "file/below"])("(%s) is refused by every command, and not ticked by doctor", async (home) => {
    const bench = aBenchAt(home);
    bench.write("file", "mine");
    for (const given of [REHEARSED, ["list"], ["get"], ["status"]]) await refusesItsHome(bench, given);
    const { stdout, code } = await bench.run(["doctor"]);
    expect(stdout).toMatch(/^✘ home .*set L2MAC_HOME to a folder that is/m);
    expect(code).toBe(3);
    expect(bench.read("file")).toBe("mine");
  });

  it("since its disk takes no writing is refused when a run begins (needs leave to mount a disk)", async ({ skip }) => {
    const bench = aBenchAt("disk/new");
    if (!readOnlyDisk(bench.folder)) return skip();
    await refusesItsHome(bench, REHEARSED);
    expect((await bench.run(["doctor"])).stdout).toMatch(/^✘ home /m);
    // There is none yet: nothing is wrong with looking.
    expect((await bench.run(["list"])).stderr).toMatch(/There are no runs/);
  });

  it("leaves nothing behind where doctor tried it", async () => {
    const bench = aBenchAt("new/home");
    // The tools that it asks for their versions may keep something in the user's folder.
    const user = aBench();
    benches.push(user);
    bench.env.HOME = user.folder;
    const before = readdirSync(bench.folder);
    expect((await bench.run(["doctor"])).stdout).toMatch(/^✔ home .*created by the first run/m);
    expect(readdirSync(bench.folder)).toEqual(before);
  });
});

describe("a home whose registry is gone", () => {
  it("or empty is not reported as having no runs: their folders are named", async () => {
    const bench = aBenchAt("home");
    const home = join(bench.folder, "home");
    expect((await bench.run(REHEARSED)).code).toBe(0);
    for (const name of readdirSync(home)) if (name.startsWith("registry.sqlite")) rmSync(join(home, name));
    for (const given of [["list"], ["list", "--json"]]) await tellsItsFolders(bench, given);
    const before = await bench.run(["repair"]);
    expect(before).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\w{26} {2}came back$/m) });
    expect((await bench.run(["list"])).stdout).toContain("completed");
    const [run = ""] = readdirSync(join(home, "runs"));
    expect(readdirSync(join(home, "runs", run, "output")).at(-1)).toMatch(/\.zip$/);
  });
});

async function tellsItsFolders(bench: Bench, given: string[]): Promise<void> {
  const { code, stdout, stderr } = await bench.run(given);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  expect(stderr).toContain(`${join(bench.folder, "home", "runs")} holds 1 folder of runs`);
  expect(stderr).toMatch(/unzip .*output/);
  expect(stderr).not.toMatch(/There are no runs/);
}

describe("a registry that is damaged", () => {
  it.for<[string, (path: string) => void]>([
    ["of zero bytes", (path) => writeFileSync(path, "")],
    ["zeroed", (path) => writeFileSync(path, Buffer.alloc(statSync(path).size))],
    ["cut in half", (path) => truncateSync(path, Math.floor(statSync(path).size / 8_192) * 4_096)],
    ["with a bad page", (path) => harmPage(path)],
  ])("(%s) is named with the command that makes it again, which loses no run", async ([, harm]) => {
    const bench = aBenchAt("home");
    const path = join(bench.folder, "home", "registry.sqlite");
    expect((await bench.run(REHEARSED)).code).toBe(0);
    foldLog(path);
    harm(path);
    const harmed = readFileSync(path);
    const refused = await bench.run(["list"]);
    expect(refused.code).toBe(6);
    expect(refused.stderr).toMatch(/registry\.sqlite is damaged/);
    expect(refused.stderr).toMatch(/^Next: l2mac repair/m);
    expect(await bench.run(["repair"])).toMatchObject({ code: 0, stdout: expect.stringMatching(/came back$/m) });
    const [aside = ""] = readdirSync(join(bench.folder, "home")).filter((name) => name.startsWith("damaged-"));
    expect(readFileSync(join(bench.folder, "home", aside, "registry.sqlite"))).toEqual(harmed);
    expect((await bench.run(["list"])).stdout).toContain("completed");
    expect((await bench.run(["replay"])).code).toBe(0);
    expect((await bench.run(["repair"])).stderr).toContain("needs a repair");
  });
});

/** The last to close it takes the log into it. */
function foldLog(path: string): void {
  const database = new DatabaseSync(path);
  database.prepare("SELECT count(*) FROM items").get();
  database.close();
}

/** All pages but the first: which one a command reads first is SQLite's own. */
function harmPage(path: string): void {
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0, 4_096));
}

describe("a home that takes no writing", () => {
  it("is refused when a run begins, with the setting to change, and can be read (needs leave to mount)", async ({
    skip,
  }) => {
    const bench = aBenchAt("home");
    expect((await bench.run(REHEARSED)).code).toBe(0);
    if (!makeReadOnly(join(bench.folder, "home"))) return skip();
    await refusesItsHome(bench, REHEARSED);
    expect((await bench.run(["list"])).stdout).toContain("completed");
    expect((await bench.run(["status"])).code).toBe(0);
  });
});

describe("a folder of a run that takes no writing", () => {
  it("does not keep its files from the user: they are delivered, and that alone is not remembered (needs leave to mount)", async ({
    skip,
  }) => {
    const bench = aBenchAt("home");
    expect((await bench.run(REHEARSED)).code).toBe(0);
    const runs = join(bench.folder, "home", "runs");
    if (!makeReadOnly(runs)) return skip();
    const { code, stdout, stderr } = await bench.run(["get", "--out", "fetched"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${join(bench.folder, "fetched")}\n` });
    expect(stderr).toMatch(/^Delivered; but .*delivered\.json could not be written \(EROFS/m);
    expect(stderr).not.toMatch(/fetched cannot be/);
    expect(readdirSync(join(bench.folder, "fetched"))).toEqual(readdirSync(join(bench.folder, "out")));
  });
});

function makeReadOnly(folder: string): boolean {
  try {
    execFileSync("mount", ["--bind", folder, folder], { stdio: "ignore" });
  } catch {
    return false;
  }
  disks.push(folder);
  execFileSync("mount", ["-o", "remount,ro,bind", folder], { stdio: "ignore" });
  return true;
}

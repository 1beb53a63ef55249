import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openLocalMachine } from "../local/open.ts";
import { createCache } from "./cache.ts";

const homes: string[] = [];
afterAll(() => {
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

const DAY_MS = 24 * 3_600_000;
const NOW = Date.UTC(2030, 0, 1);
const limits = { bytes: 100, ageMs: 30 * DAY_MS, fetchedBytes: 50 };

/** A cache whose other processes are those that the test says. */
function newCache({ now = () => NOW, alive = [] as number[] } = {}) {
  const home = mkdtempSync(join(tmpdir(), "cache-"));
  homes.push(home);
  const environments = join(home, "cache/environments");
  mkdirSync(environments, { recursive: true });
  const processOf = (pid: number) => ({
    self: () => ({ pid, started: "s" }),
    isAlive: (one: { pid: number }) => alive.includes(one.pid),
  });
  const bytesOf = async (folder: string) => readdirSync(folder).length;
  const open = (pid: number) => createCache({ home, now, bytesOf, limits, processes: processOf(pid) });
  const tidy = (isNeeded: (runId: string) => boolean = () => false) => open(1).tidy(isNeeded);
  const there = () =>
    readdirSync(environments)
      .filter((name) => name !== "claims")
      .toSorted();
  return { home, environments, open, tidy, there };
}

const nameOf = (key: string, id = "a"): string => `${key.repeat(32)}-${id}`;

function environment(
  folder: string,
  key: string,
  { bytes = 10, days = 0 }: { bytes?: number; days?: number } = {},
): string {
  const name = nameOf(key);
  mkdirSync(join(folder, name));
  const record = join(folder, `${key.repeat(32)}.json`);
  writeFileSync(record, JSON.stringify({ folder: name, bytes, print: "", environment: {} }));
  const at = (NOW - days * DAY_MS) / 1000;
  utimesSync(record, at, at);
  return name;
}

describe("cleaning the cache", () => {
  it("keeps what was used last, as far as there is room", async () => {
    const { environments, tidy, there } = newCache();
    environment(environments, "a", { bytes: 60, days: 1 });
    environment(environments, "b", { bytes: 60, days: 2 });
    await tidy();
    expect(there()).toEqual([nameOf("a"), `${"a".repeat(32)}.json`]);
  });

  it("removes entries that were not used for long", async () => {
    const { environments, tidy, there } = newCache();
    environment(environments, "a", { days: 31 });
    environment(environments, "b", { days: 29 });
    await tidy();
    expect(there()).toEqual([nameOf("b"), `${"b".repeat(32)}.json`]);
  });

  it("leaves what a live process uses, however old or large, and not what a dead one used", async () => {
    const { environments, open, tidy, there } = newCache({ alive: [7] });
    open(7).claim(environment(environments, "a", { bytes: 500, days: 99 }));
    open(8).claim(environment(environments, "b", { days: 99 }));
    await tidy();
    expect(there()).toEqual([nameOf("a"), `${"a".repeat(32)}.json`]);
    expect(readdirSync(join(environments, "claims"))).toEqual([`${nameOf("a")}@7`]);
  });

  it("no longer counts the use of a live process that was hours ago", async () => {
    let now = NOW - DAY_MS;
    const { environments, open, tidy, there } = newCache({ alive: [7], now: () => now });
    open(7).claim(environment(environments, "a", { days: 99 }));
    now = NOW;
    await tidy();
    expect(there()).toEqual([]);
  });

  it("removes what killed installs left half made, and not what is being made", async () => {
    const { environments, open, tidy, there } = newCache({ alive: [7] });
    for (const id of ["left", "making"]) mkdirSync(join(environments, nameOf("c", id)));
    writeFileSync(join(environments, `${nameOf("c", "left")}.draft`), "{");
    mkdirSync(join(environments, `${nameOf("d")}.removed`));
    open(7).claim(nameOf("c", "making"));
    await tidy();
    expect(there()).toEqual([nameOf("c", "making")]);
  });

  it("removes a record that cannot be read, and what it was of", async () => {
    const { environments, tidy, there } = newCache();
    environment(environments, "a");
    writeFileSync(join(environments, `${"a".repeat(32)}.json`), "{");
    await tidy();
    expect(there()).toEqual([]);
  });

  it("removes downloads of installers if they are too large and no installer runs", async () => {
    const { environments, open, tidy, there } = newCache({ alive: [7] });
    for (const name of ["npm-cache", "pip-cache"]) mkdirSync(join(environments, name));
    for (let at = 0; at <= 50; at += 1) writeFileSync(join(environments, "npm-cache", String(at)), "");
    for (const name of ["npm-cache", "pip-cache"]) utimesSync(join(environments, name), NOW / 1000, NOW / 1000);
    open(7).claim("installing");
    await tidy();
    expect(there()).toEqual(["npm-cache", "pip-cache"]);
    rmSync(join(environments, "claims"), { recursive: true });
    rmSync(join(environments, "../tidied"));
    await tidy();
    expect(there()).toEqual(["pip-cache"]);
  });

  it("removes the trees of runs that are over or gone", async () => {
    const { home, tidy } = newCache();
    for (const runId of ["01OVER", "01GOING"]) mkdirSync(join(home, "cache/trees", runId), { recursive: true });
    await tidy((runId) => runId === "01GOING");
    expect(readdirSync(join(home, "cache/trees"))).toEqual(["01GOING"]);
  });

  it("happens once in a while", async () => {
    let now = NOW;
    const { environments, tidy, there } = newCache({ now: () => now });
    await tidy();
    mkdirSync(join(environments, nameOf("c")));
    await tidy();
    expect(there()).toEqual([nameOf("c")]);
    now += 3_600_000;
    await tidy();
    expect(there()).toEqual([]);
  });

  it("is done by the machine's own sweeping, which knows the runs that go on", async () => {
    const { home } = newCache();
    const machine = openLocalMachine({ home, env: process.env });
    const gone = join(home, "cache/trees/01ARZ3NDEKTSV4RRFFQ69G5FAV");
    mkdirSync(gone, { recursive: true });
    expect(await machine.sweep()).toBe("swept");
    machine.close();
    expect(existsSync(gone)).toBe(false);
  });

  it("makes nothing where there is nothing", async () => {
    const { home, tidy } = newCache();
    rmSync(join(home, "cache"), { recursive: true });
    await tidy();
    expect(existsSync(join(home, "cache"))).toBe(false);
  });
});

/** The homes that released versions have written: this version opens them, and finishes what they began. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { submissionOfFork } from "../../lib/control/fork/submission-of-fork.ts";
import { projectFile } from "../../lib/files/project-files.ts";
import { openSqliteTable } from "../../lib/host/sqlite-table.ts";
import { LOCAL_OWNER } from "../../lib/local/machine.ts";
import { fileStoreKeys, runKey } from "../../lib/registry/keys.ts";
import { callCommand } from "../doubles/called-command.ts";
import { compute, type TestMachine } from "../doubles/machines.ts";
import { changeByte } from "../fixtures/change-byte.ts";
import { goOn, openStoredHome, runOf, type Standing, standingOf } from "../fixtures/homes/play.ts";
import { copyHome, runsOf, VERSIONS } from "../fixtures/homes/stored-home.ts";

it("there is one of each released version", () => {
  const changelog = readFileSync(projectFile("docs/CHANGELOG.md"), "utf8");
  const released = [...changelog.matchAll(/^## (\d\S*)$/gm)].map(([, version]) => version);
  expect(VERSIONS.toSorted()).toEqual(released.toSorted());
});

/** How another version words its requests is its own; the same answers lead to the same files. */
async function expectReplayed(machine: TestMachine, id: string): Promise<void> {
  const { treeHash, expected } = await machine.replay(id);
  expect(treeHash).toBe(expected);
}

describe.each(VERSIONS)("the home of version %s", (version) => {
  const stored = runsOf(version);
  const names = Object.keys(stored);
  let machine: TestMachine;
  let ids: Map<string, string>;
  beforeAll(async () => {
    machine = openStoredHome(copyHome(version));
    const { runs, unreadable } = await machine.registry.runs({ owner: LOCAL_OWNER, limit: 100 });
    expect(unreadable).toBeUndefined();
    ids = new Map(runs.map(({ name, id }) => [name, id]));
  });
  afterAll(() => {
    machine.close();
    machine.removeHome();
  });
  const idOf = (name: string): string => ids.get(name) ?? `none named ${name}`;

  const endings = new Map<string, Promise<void>>();
  /** Each goes on once, for the first test that needs its end. */
  async function ended(name: string): Promise<string> {
    const { goesOn } = stored[name] ?? {};
    const id = idOf(name);
    if (goesOn && !endings.has(name)) endings.set(name, goOn(machine, id, goesOn));
    await endings.get(name);
    return id;
  }
  const endOf = (name: string): Standing | undefined => stored[name]?.ends ?? stored[name]?.stands;

  it("has its runs, each where it stopped", async () => {
    expect([...ids.keys()].sort()).toEqual(names.toSorted());
    for (const name of names) {
      const { format } = await runOf(machine, idOf(name));
      const stands = await standingOf(machine, idOf(name));
      expect({ name, format, stands }).toEqual({ name, format: stored[name]?.format, stands: stored[name]?.stands });
    }
  });

  it.each(names.filter((name) => stored[name]?.goesOn))("goes on with the run %s, to the same end", async (name) => {
    expect(await standingOf(machine, await ended(name))).toEqual(endOf(name));
  });

  it.each(names)("replays the run %s from its journal, once it has ended, to the same tree", async (name) => {
    await expectReplayed(machine, await ended(name));
  });

  it.each(names.filter((name) => stored[name]?.forksAt))("forks the run %s, to the same tree", async (name) => {
    const run = await runOf(machine, await ended(name));
    const { forksAt: at = "", goesOn } = stored[name] ?? {};
    const fork = await compute(machine, await submissionOfFork(machine, run, { at, name: `${name}-fork` }));
    await goOn(machine, fork.id, { answers: goesOn?.answers ?? [] });
    expect((await standingOf(machine, fork.id)).tree).toEqual(endOf(name)?.tree);
    await expectReplayed(machine, fork.id);
  });

  it.each(names.filter((name) => name === "recalled"))(
    "forks the run %s inside a call whose steps it took over, and replays the fork to the same tree",
    async (name) => {
      const run = await runOf(machine, idOf(name));
      const fork = await compute(machine, await submissionOfFork(machine, run, { at: "3", name: "inside-fork" }));
      expect((await standingOf(machine, fork.id)).tree).toEqual(endOf(name)?.tree);
      expect((await machine.registry.instruction(fork.id, 3))?.inherited?.run).toBe(idOf("remembered"));
      await expectReplayed(machine, fork.id);
    },
  );

  it.each(names)("plans to make the run %s again, and does not begin to", async (name) => {
    const id = await ended(name);
    const before = await runOf(machine, id);
    const { code, stderr } = await callCommand(["make", id, "--dry-run"], inHome(machine.home));
    expect([code, stderr.split("\n").at(-1)]).toEqual([0, "Dry run: nothing was created or paid."]);
    expect(await runOf(machine, id)).toEqual(before);
  });
});

it.each(VERSIONS.filter((version) => runsOf(version).remembered))(
  "a run of version %s is deleted with what was kept outside it, so that others found its calls",
  async (version) => {
    const machine = openStoredHome(copyHome(version));
    const table = openSqliteTable(join(machine.home, "registry.sqlite"));
    try {
      const { runs } = await machine.registry.runs({ owner: LOCAL_OWNER, limit: 100 });
      const { id = "" } = runs.find(({ name }) => name === "remembered") ?? {};
      const marks = await table.query(runKey(id), { prefix: "MEMO#" });
      const beside = (): Promise<unknown[]> =>
        Promise.all(marks.map(({ memo, memoSk }) => table.get({ pk: String(memo), sk: String(memoSk) })));
      expect(await beside()).toMatchObject([{ run: id }]);
      expect(await machine.remove(id)).toBe("deleted");
      expect(await beside()).toEqual([undefined]);
    } finally {
      table.close();
      machine.close();
      machine.removeHome();
    }
  },
);

const inHome = (home: string) => ({ folder: home, env: { L2MAC_HOME: home, L2MAC_UNSEALED: "1" } });

describe.each(VERSIONS)("the commands, in the home of version %s", (version) => {
  const stored = runsOf(version);
  const names = Object.keys(stored);
  const completed = names.filter((name) => stored[name]?.stands.status === "completed");
  let home: string;
  let ids: Map<string, string>;
  beforeAll(async () => {
    home = copyHome(version);
    const lines = (await said("list", "--json")).stdout.trim().split("\n");
    ids = new Map(lines.map((line) => JSON.parse(line)).map(({ name, id }) => [name, id]));
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  async function said(...argv: string[]) {
    const called = await callCommand(argv, inHome(home));
    expect(`${argv.join(" ")}: ${called.code} ${called.code === 0 ? "" : called.stderr}`).toBe(`${argv.join(" ")}: 0 `);
    return called;
  }

  it("list, status, log, show and evidence show each run", async () => {
    const listed = (await said("list")).stdout;
    for (const name of names) {
      expect(listed).toContain(name);
      const { stands } = stored[name] ?? {};
      // What was killed is noted before anything is shown.
      const now =
        stands?.status === "running" ? { status: "waiting", reason: "interrupted" } : { status: stands?.status };
      expect(JSON.parse((await said("status", name, "--json")).stdout)).toMatchObject(now);
      expect((await said("log", name)).stdout).toMatch(/instruction/);
      await said("show", name);
      await callCommand(["evidence", name], inHome(home));
    }
  });

  it.each(completed)("get gives the zip that the run %s delivered", async (name) => {
    await said("get", name, "--zip", `${name}.zip`);
    const stored = fileStoreKeys(ids.get(name) ?? "").output(`${name}.zip`);
    expect(readFileSync(join(home, `${name}.zip`)).equals(readFileSync(join(home, stored)))).toBe(true);
  });

  it.each(names.filter((name) => stored[name]?.manifest))(
    "verify finds a changed byte in the zip of %s",
    async (name) => {
      const zip = `verified-${name}.zip`;
      await said("get", name, "--zip", zip);
      await said("verify", name, "--no-evidence");
      await said("verify", zip, "--no-evidence");
      changeByte(join(home, zip));
      const { code, stdout } = await callCommand(["verify", zip, "--no-evidence"], inHome(home));
      expect([code, stdout]).toEqual([1, expect.stringContaining("NOT VERIFIED")]);
    },
  );
});

/** The disk is full; the registry is locked by somebody else: said in words, nothing lost, and the run goes on afterwards. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { aBench, type Bench } from "../doubles/command.ts";
import { startProgramServer } from "../servers/program-server.ts";
import { type ScriptedServer, startScriptedServer } from "../servers/scripted-openai.ts";

const TASK = "Write many text files.";
const benches: Bench[] = [];
const disks: string[] = [];
const servers: ScriptedServer[] = [];
afterEach(async () => {
  for (const disk of disks.splice(0)) execFileSync("umount", [disk]);
  for (const bench of benches.splice(0)) bench.remove();
  for (const server of servers.splice(0)) await server.close();
});

function benchAt(server: ScriptedServer, env: Record<string, string> = {}): Bench {
  servers.push(server);
  const bench = aBench({ OPENAI_API_KEY: "x", OPENAI_BASE_URL: server.url, ...env });
  benches.push(bench);
  return bench;
}

/** A disk of this size; undefined where this computer does not allow one. */
function aDisk(folder: string, kilobytes: number): string | undefined {
  const disk = join(folder, "disk");
  mkdirSync(disk);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs", disk], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  disks.push(disk);
  return disk;
}

/** Four files, each too large to be packed small. */
const heavy = (instruction: number): string =>
  Array.from({ length: 8_000 }, (_, index) => ((index * 7919 + instruction) ** 2 * 31).toString(36)).join("\n");

const startHeavyServer = (): Promise<ScriptedServer> =>
  startScriptedServer({
    answer({ messages }) {
      const text = messages.map(({ content }) => content ?? "").join("\n");
      const number = Number([...text.matchAll(/MARK-(\d+)-BEGINS/g)].at(-1)?.[1] ?? 0);
      if (number === 0 || text.includes("Planning the program")) {
        const instructions = [1, 2, 3, 4].map((each) => ({
          title: `Part ${each}`,
          text: `MARK-${each}-BEGINS Write.`,
        }));
        return { toolCalls: [{ name: "write_program", arguments: { instructions } }] };
      }
      const path = `part-${number}.txt`;
      return new RegExp(`wrote .*${path}`, "i").test(text)
        ? { toolCalls: [{ name: "complete_instruction", arguments: { summary: "written" } }] }
        : { toolCalls: [{ name: "write_files", arguments: { files: [{ path, content: heavy(number) }] } }] };
    },
  });

describe("a full disk", () => {
  it.for([700, 1_100])(
    "of %i KiB stops the run in words; with space again it goes on to the same files (needs leave to mount a disk)",
    async (size, { skip }) => {
      const server = await startHeavyServer();
      const bench = benchAt(server);
      const disk = aDisk(bench.folder, size);
      if (!disk) return skip();
      bench.env.L2MAC_HOME = join(disk, "home");
      const given = ["--model", "gpt-4o", "--context-window", "400000", "--out", join(bench.folder, "out")];
      const ended = await bench.run(["run", TASK, ...given]);
      expect(ended.code).toBe(6);
      expect(ended.stderr).toMatch(
        /could not be written because the disk is full; nothing that was stored before is lost/,
      );
      expect(ended.stderr).toMatch(/^Next: .*(resume|space)/m);
      expect(ended.stderr).not.toMatch(/^\s+at |should not/m);
      const paid = server.requests.length;

      // Looking needs no space.
      expect((await bench.run(["list"])).stderr).not.toMatch(/should not/);
      execFileSync("mount", ["-o", "remount,size=100m", disk]);
      const resumed = await bench.run(["resume"]);
      expect(resumed.stderr).toMatch(/completed/i);
      expect(resumed.code).toBe(0);
      for (const number of [1, 2, 3, 4]) {
        expect(readFileSync(join(bench.folder, "out", `part-${number}.txt`), "utf8")).toBe(heavy(number));
      }
      // Two of planning, two for each instruction, and at most the one whose answer could not be stored.
      expect(server.requests.length).toBeLessThanOrEqual(11);
      expect(paid).toBeLessThan(10);
    },
  );
});

describe("a registry that another process keeps locked", () => {
  /** A process of its own that holds the write lock until it is let go. */
  async function locked(bench: Bench): Promise<() => Promise<void>> {
    const path = join(bench.folder, ".l2mac", "registry.sqlite");
    const script = `const { DatabaseSync } = require("node:sqlite");
      const database = new DatabaseSync(${JSON.stringify(path)});
      database.exec("PRAGMA busy_timeout = 5000"); database.exec("BEGIN IMMEDIATE");
      process.stdout.write("locked"); process.stdin.on("end", () => process.exit()).resume();`;
    const child = spawn(process.execPath, ["-e", script], { stdio: ["pipe", "pipe", "inherit"] });
    await once(child.stdout, "data");
    return async () => {
      child.stdin.end();
      await once(child, "close");
    };
  }

  it("refuses a command in words; looking still works; once it is let go the command does", async () => {
    const bench = benchAt(await startProgramServer({ instructions: 2 }));
    expect((await bench.run([TASK, "--model", "gpt-4o", "--max-turns", "3"])).code).toBe(7);
    const letGo = await locked(bench);
    expect((await bench.run(["list"])).stdout).toContain("partial (turns)");
    const refused = await bench.run(["resume", "--max-turns", "50"]);
    expect(refused.code).toBe(6);
    expect(refused.stderr).toMatch(/registry\.sqlite is locked by another process that does not let go; nothing was/);
    expect(refused.stderr).toMatch(/^Next: End the other l2mac process that uses this folder, or wait for it/m);
    await letGo();
    expect((await bench.run(["resume", "--max-turns", "50"])).code).toBe(0);
  });

  it("in mid-run stops the run in words, and it goes on with what it has", async () => {
    const gate = Promise.withResolvers<void>();
    const held = { do: "hold" as const, until: gate.promise };
    const server = await startProgramServer({ instructions: 2, faults: { 4: held } });
    const bench = benchAt(server);
    const running = bench.start([TASK, "--model", "gpt-4o", "--out", "out"]);
    while (server.requests.length < 4) await new Promise((resolve) => setImmediate(resolve));
    const letGo = await locked(bench);
    gate.resolve();
    const ended = await running.ended();
    expect(ended.code).toBe(6);
    expect(ended.stderr).toMatch(/is locked by another process that does not let go/);
    expect(ended.stderr).not.toMatch(/^\s+at |should not/m);
    await letGo();
    const resumed = await bench.run(["resume"]);
    expect(resumed.code).toBe(0);
    expect(existsSync(join(bench.folder, "out", "parts", "part-2.txt"))).toBe(true);
    // The one in flight was paid, and could not be noted.
    expect(server.requests.length).toBeLessThanOrEqual(7);
  });
});

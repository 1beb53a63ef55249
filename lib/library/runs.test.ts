/** Runs that exist, as a program that calls the library reaches them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { askInstead, COLOURS } from "../../test/doubles/asked-run.ts";
import { aMachine } from "../../test/doubles/machines.ts";
import { NO_EVIDENCE } from "../../test/doubles/no-evidence.ts";
import { startProgramServer } from "../../test/servers/program-server.ts";
import type { ScriptedServer } from "../../test/servers/scripted-openai.ts";
import { answer, approve, cancel, type Event, get, list, plan, RunFailed, resume, watch } from "../index.ts";

let home: string;
let server: ScriptedServer;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "l2mac-library-"));
  server = await startProgramServer({ instructions: 2 });
});
afterEach(async () => {
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

const place = () => ({ home, env: {} });
const computer = () => ({ ...place(), unsealed: true, baseUrl: server.url });
const planned = () => plan("Write two parts.", { ...computer(), model: "scripted", ...NO_EVIDENCE });

async function eventsOf(id: string, after = 0): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of watch(id, { ...place(), after })) events.push(event);
  return events;
}

describe("a plan", () => {
  it("waits for approval with its program, and is executed when it is approved", async () => {
    const { run, program, status, files } = await planned();
    expect({ status, files }).toEqual({ status: "waiting", files: {} });
    expect(program.instructions.map(({ title }) => title)).toEqual(["Part 1", "Part 2"]);
    const events: number[] = [];
    const done = await approve(run.id, { ...computer(), onEvent: ({ seq }) => events.push(seq) });
    expect(done).toMatchObject({ status: "completed", run: { id: run.id }, binaries: [] });
    expect(done.files["parts/part-2.txt"]).toBe("part 2\nof many\n");
    // Those of the planning were seen before.
    expect(Math.min(...events)).toBe(run.events + 1);
  });

  it("is executed as it is given instead", async () => {
    const { run, program } = await planned();
    const shorter = { ...program, instructions: program.instructions.slice(0, 1) };
    const { files } = await approve(run.id, { ...computer(), program: shorter });
    expect(files["parts/part-1.txt"]).toBe("part 1\nof many\n");
    expect(files["parts/part-2.txt"]).toBeUndefined();
  });
});

describe("a run that asks", () => {
  it("is answered, and goes on to its end", async () => {
    const { run } = await planned();
    const machine = aMachine({ home: computer().home });
    await askInstead(machine, run.id, COLOURS);
    machine.close();
    await expect(answer(run.id, { ...computer(), text: "Blue" })).rejects.toThrow("none of the choices");
    const { status, files } = await answer(run.id, { ...computer(), choice: 2 });
    expect({ status, colour: files["colour.md"] }).toEqual({ status: "completed", colour: "Green\n" });
  });
});

describe("a run that exists", () => {
  it("is listed and read, as text or as bytes, whatever its state", async () => {
    const { run } = await planned();
    expect((await list(place())).map(({ id, status }) => ({ id, status }))).toEqual([
      { id: run.id, status: "waiting" },
    ]);
    expect(await list({ ...place(), like: "nothing like it" })).toEqual([]);
    expect(await get(run.id, place())).toMatchObject({ status: "waiting", reason: "approval", files: {} });
    await approve(run.id, computer());
    const text: string | undefined = (await get(run.id, place())).files["parts/part-1.txt"];
    const bytes: Uint8Array | undefined = (await get(run.id, { ...place(), bytes: true })).files["parts/part-1.txt"];
    expect(text).toBe("part 1\nof many\n");
    expect(new TextDecoder().decode(bytes)).toBe(text);
  });

  it("is watched from its first event or a later one, until it ends", async () => {
    const { run } = await planned();
    expect((await eventsOf(run.id)).map(({ seq }) => seq)).toEqual(
      Array.from({ length: run.events }, (_, index) => index + 1),
    );
    const watched = eventsOf(run.id, run.events);
    const done = await approve(run.id, computer());
    await watched;
    const all = await eventsOf(run.id);
    expect(all).toHaveLength(done.run.events);
    expect(all.at(-1)?.type).toBe("ended");
  });

  it("is no longer watched once the signal comes", async () => {
    const { run } = await planned();
    const stop = new AbortController();
    const seen: Event[] = [];
    for await (const event of watch(run.id, { ...place(), signal: stop.signal })) {
      seen.push(event);
      stop.abort();
    }
    expect(seen.length).toBeGreaterThan(0);
    expect(await get(run.id, place())).toMatchObject({ status: "waiting" });
  });

  it("is cancelled, and goes on when it is resumed", async () => {
    const { run } = await planned();
    expect(await cancel(run.id, place())).toMatchObject({ id: run.id, status: "cancelled" });
    const resumed = await resume(run.id, { ...computer(), maxTurns: 40 }).catch((error: unknown) => error);
    const now = resumed instanceof RunFailed ? resumed.kept.run : (resumed as { run: { status: string } }).run;
    expect(["completed", "waiting"]).toContain(now.status);
  });

  it("is named where there is none", async () => {
    await planned();
    const missing = { exitCode: 2, message: expect.stringContaining("There is no run 01M80NPZPBB1HJN4W5DGRWXC3K") };
    for (const ask of [get, cancel])
      await expect(ask("01M80NPZPBB1HJN4W5DGRWXC3K", place())).rejects.toMatchObject(missing);
    await expect(eventsOf("01M80NPZPBB1HJN4W5DGRWXC3K")).rejects.toMatchObject(missing);
  });
});

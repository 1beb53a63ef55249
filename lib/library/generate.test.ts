import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NO_EVIDENCE } from "../../test/doubles/no-evidence.ts";
import { filesOf, startProgramServer } from "../../test/servers/program-server.ts";
import { held } from "../../test/servers/scripted-faults.ts";
import type { ScriptedServer } from "../../test/servers/scripted-openai.ts";
import {
  type GenerateOptions,
  generateBook,
  generateCodebase,
  generateCustom,
  get,
  RunFailed,
  UserError,
} from "../index.ts";

let home: string;
let server: ScriptedServer | undefined;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "l2mac-library-"));
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(home, { recursive: true, force: true });
});

const at = (given: ScriptedServer, over: GenerateOptions = {}): GenerateOptions => ({
  home,
  env: {},
  unsealed: true,
  model: "scripted",
  baseUrl: given.url,
  ...NO_EVIDENCE,
  ...over,
});

describe("the library", () => {
  it("answers a task with files by path, the run and its cost, and tells of events on the way", async () => {
    server = await startProgramServer({ instructions: 2 });
    const events: string[] = [];
    const { files, run, status, cost } = await generateCodebase(
      "Write two parts.",
      at(server, { onEvent: ({ type }) => events.push(type) }),
    );
    expect(files).toEqual(
      Object.fromEntries([...filesOf(1), ...filesOf(2)].map(({ path, content }) => [path, content])),
    );
    expect({ status, domain: run.options.domain, usd: cost.usd }).toEqual({
      status: "completed",
      domain: "codebase",
      usd: 0,
    });
    expect(events).toEqual(expect.arrayContaining(["created", "program", "instruction_accepted", "ended"]));
    expect(cost.turns).toBe(run.turns);
  });

  it("takes programs and files as values, and gives what is no text as bytes", async () => {
    server = await startProgramServer({ instructions: 1 });
    const program = { instructions: [{ title: "Part", text: "MARK-1-BEGINS", requirements: [] }], requirements: [] };
    const from = { "logo.bin": Uint8Array.of(255, 0, 1), "notes/a.md": "# A\n" };
    const { run, files, binaries } = await generateCustom("Go on.", at(server, { program, from }));
    expect({ binaries, left: files["logo.bin"] }).toEqual({ binaries: ["logo.bin"], left: undefined });
    const whole = await get(run.id, { home, env: {}, bytes: true });
    expect(whole.files["logo.bin"]).toEqual(Uint8Array.of(255, 0, 1));
    expect(files["notes/a.md"]).toBe("# A\n");
    expect(files["parts/part-1.txt"]).toBe("part 1\nof many\n");
  });

  it("keeps the daily ceiling of its home, as an option or in the environment, and refuses one that is no amount", async () => {
    server = await startProgramServer({ instructions: 30, ordinaryOnly: true });
    const priced = at(server, { price: { input: 1, output: 10 }, dailyUsd: 0.04 });
    const stopped = await generateCodebase("Write parts.", priced).catch((error: unknown) => error);
    expect(stopped).toBeInstanceOf(RunFailed);
    expect((stopped as RunFailed).kept).toMatchObject({ status: "partial", reason: "daily" });
    const { dailyUsd: _, ...next } = priced;
    const again = generateCodebase("Write parts.", { ...next, env: { L2MAC_DAILY_USD: "0.04" } });
    await expect(again).rejects.toThrow(/daily ceiling/);
    await expect(generateCodebase("Write parts.", at(server, { dailyUsd: -1 }))).rejects.toThrow(UserError);
  });

  it("runs no generated code without a sandbox, unless that is allowed", async () => {
    server = await startProgramServer({ instructions: 1 });
    const refused = await generateCodebase("Write a part.", at(server, { unsealed: undefined })).catch(
      (error) => error,
    );
    expect(refused).toMatchObject({ exitCode: 3, remedy: expect.stringContaining("--unsealed") });
    expect(existsSync(join(home, "runs"))).toBe(false);
    const allowed = await generateCodebase(
      "Write a part.",
      at(server, { unsealed: undefined, env: { L2MAC_UNSEALED: "1" } }),
    );
    expect(allowed.status).toBe("completed");
  });

  it("throws an error that carries what is kept where a ceiling ends the run", async () => {
    server = await startProgramServer({ instructions: 3 });
    const failed = await generateBook("Write three parts.", at(server, { maxTurns: 5 })).catch(
      (error: unknown) => error,
    );
    expect(failed).toBeInstanceOf(RunFailed);
    expect(failed).toMatchObject({ name: "L2mac.RunFailed", kept: { status: "partial", reason: "turns" } });
    expect((failed as RunFailed).kept.files["parts/part-1.txt"]).toBe("part 1\nof many\n");
  });

  it("stops before the program is executed where somebody is to approve it, with the program", async () => {
    server = await startProgramServer({ instructions: 2 });
    const waiting: unknown = await generateCodebase("x", at(server, { approve: "plan" })).catch((error) => error);
    expect(waiting).toBeInstanceOf(RunFailed);
    const { kept } = waiting as RunFailed;
    expect(kept).toMatchObject({ status: "waiting", reason: "approval", files: {} });
    expect(kept.program.instructions.map(({ title }) => title)).toEqual(["Part 1", "Part 2"]);
    const { files } = await generateCodebase("x", at(server, { program: kept.program }));
    expect(Object.keys(files)).toContain("parts/part-2.txt");
  });

  it("stops on its signal, and keeps the run", async () => {
    let letGo = (): void => {};
    const until = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    server = await startProgramServer({ instructions: 3, faults: { 5: held(until) } });
    const stop = new AbortController();
    const onEvent: GenerateOptions["onEvent"] = ({ type }) => {
      if (type === "instruction_accepted") stop.abort();
    };
    const stopped = await generateCodebase("x", at(server, { signal: stop.signal, onEvent })).catch(
      (error: unknown) => error,
    );
    letGo();
    expect(stopped).toMatchObject({ kept: { status: "waiting", reason: "interrupted", run: { pc: 2 } } });
  });

  it.each([
    [{ tools: ["write_file"] }, /no tools write_file/],
    [{ steps: 0 }, /steps/],
    [{ onStuck: "panic" as "stop" }, /onStuck/],
    [{ approve: "everything" as "plan" }, /approve/],
    [{ name: "../x" }, /letters, digits/],
    [{ from: { "../x": "" } }, /leaves the run/],
    [{ baseUrl: "https://api.example.org/v1" }, /No API key/],
    [{ program: "nowhere.md" }, /no such file/],
  ] as [GenerateOptions, RegExp][])("refuses %j before anything is stored", async (options, message) => {
    const asked = { home, env: {}, model: "gpt-5", baseUrl: "http://127.0.0.1:9/v1", ...options };
    const refused = await generateCodebase("Do it.", asked).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UserError);
    expect((refused as UserError).message).toMatch(message);
    expect(existsSync(join(home, "runs"))).toBe(false);
  });
});

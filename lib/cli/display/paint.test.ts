import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBench, type Bench } from "../../../test/doubles/command.ts";
import { list } from "../commands/list.ts";
import { status } from "../commands/status.ts";
import { findingLine } from "../doctor/finding-line.ts";
import { paintFor } from "./paint.ts";
import { createShell, type Shell } from "./shell.ts";

let bench: Bench;
beforeAll(async () => {
  bench = aBench();
  expect(await bench.run(["plan", "--rehearse", "--name", "waiting-room"])).toMatchObject({ code: 0 });
});
afterAll(() => bench.remove());

const given = { words: [], flags: new Map<string, string>() };

/** What a command prints on a terminal. */
async function printed(command: typeof list, env: Shell["env"] = {}): Promise<string> {
  let text = "";
  const shell = { ...createShell({ launched: false }), cwd: bench.folder, env: { ...bench.env, ...env } };
  const out = (more: string | Uint8Array): void => {
    text += String(more);
  };
  expect(await command(given, { ...shell, out, resultOnTerminal: true, resultColumns: 100 })).toBe(0);
  return text;
}

const WAITING = "\u001b[33mwaiting\u001b[0m (approval)";

describe("colour", () => {
  it("shows the state of runs in list and status, and not in their names", async () => {
    const listed = await printed(list);
    expect(listed).toContain(`  ${WAITING}  `);
    expect(listed).toMatch(/ {2}waiting-room\n$/);
    expect(await printed(status)).toContain(`status    ${WAITING}`);
  });

  it("is absent with NO_COLOR, on a dumb terminal, and in a pipe", async () => {
    expect(await printed(list, { NO_COLOR: "1" })).not.toContain("\u001b");
    expect(await printed(status, { TERM: "dumb" })).not.toContain("\u001b");
    expect((await bench.run(["list"])).stdout).not.toContain("\u001b");
  });

  it("marks what the doctor found", () => {
    const paint = paintFor({ resultOnTerminal: true, env: {} });
    const line = (state: "ok" | "note" | "missing") => findingLine({ what: "git", state, says: "x" }, "l2mac", paint);
    expect([line("ok"), line("note"), line("missing")]).toEqual([
      "\u001b[32m✔\u001b[0m git        x",
      "\u001b[33m~\u001b[0m git        x",
      "\u001b[31m✘\u001b[0m git        x",
    ]);
  });
});

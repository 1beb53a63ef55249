/** A command that stands still is ended; one that works, however long, is not. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const WATCH = fileURLToPath(new URL("stall-watch.ts", import.meta.url));

async function ran(work: string, lookMs = 50): Promise<{ signal: string | null; code: number | null; said: string }> {
  const script = `const { watchForStall } = await import(${JSON.stringify(WATCH)});
    watchForStall({ looks: 20, lookMs: ${lookMs} });
    ${work}`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += String(chunk);
  });
  const [code, signal] = await once(child, "close");
  return { code, signal, said };
}

describe("a command whose main thread", () => {
  it("stands still in an expression without an end is ended, and says so", async () => {
    const { signal, said } = await ran(
      `process.on("SIGINT", () => {}); new RegExp("^(a|a)+$").test("a".repeat(60) + "b");`,
    );
    expect(signal).toBe("SIGKILL");
    expect(said).toContain("the process stood still and was ended");
    expect(said).toContain("Next: l2mac list");
  });

  it("hears its timers is left alone, and the watch holds it in no way", async () => {
    // On a busy computer its timers may be late by a second.
    const waits = `await new Promise((resolve) => setTimeout(resolve, 5_000));`;
    expect(await ran(waits, 200)).toMatchObject({ code: 0, signal: null, said: "" });
    expect(await ran("")).toMatchObject({ code: 0, signal: null, said: "" });
  });
});

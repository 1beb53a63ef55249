import { describe, expect, it, vi } from "vitest";
import { aRun } from "../../../test/doubles/runs.ts";
import type { Event } from "../../core/run/event.ts";
import { createProgress } from "./progress.ts";
import type { Shell } from "./shell.ts";

const EVENTS: Event[] = [
  {
    seq: 1,
    at: "2026-11-21T10:00:00.000Z",
    type: "program",
    titles: ["Part"],
    instructions: 1,
    requirements: 0,
    uncovered: [],
  },
  {
    seq: 2,
    at: "2026-11-21T10:00:01.000Z",
    type: "instruction_started",
    instruction: 1,
    title: "Part",
    attempt: 1,
    resumedAtTurn: 0,
  },
];

interface Terminal {
  isTTY?: boolean;
  columns?: number;
  rows?: number;
}

/** What would be seen on standard error. */
function shown(
  terminal: Terminal,
  env: Shell["env"],
  options: { json?: boolean; quiet?: boolean; resultOnTerminal?: boolean; events?: Event[] } = {},
): string {
  let written = "";
  const write = (text: string): boolean => {
    written += text;
    return true;
  };
  const shell = {
    env,
    progress: { ...terminal, write, on: () => {}, off: () => {} },
    ...{ say: (line: string) => write(`${line}\n`) },
    resultOnTerminal: options.resultOnTerminal ?? false,
  } as unknown as Shell;
  const progress = createProgress(shell, aRun(), { json: options.json ?? false, quiet: options.quiet ?? false });
  progress.show(options.events ?? EVENTS);
  progress.end();
  return written;
}

const TASK: Event = { seq: 1, at: "2026-11-21T10:00:00.000Z", type: "created", task: "Count words\u001b[2J" };

const screen = { isTTY: true, columns: 80, rows: 24 };
const PLAIN = "program: 1 instruction for 0 requirements\n▶ 1/1 Part\n";

describe("progress", () => {
  it("is redrawn in place on a terminal, in colour", () => {
    expect(shown(screen, { TERM: "xterm" })).toContain("\u001b[1m ▶ 1 Part");
  });

  it("shows the task above it once, without what a terminal would obey", () => {
    const text = shown(screen, { TERM: "xterm", NO_COLOR: "1" }, { events: [TASK, ...EVENTS] });
    expect(text.split("task: Count words")).toHaveLength(2);
    expect(text).not.toContain("words\u001b");
  });

  it("has no colours where NO_COLOR says so, and is redrawn all the same", () => {
    const text = shown(screen, { TERM: "xterm", NO_COLOR: "1" });
    expect(text).toContain("\u001b[?2026h");
    expect(text.split("\u001b[").filter((part) => /^\d+m/.test(part))).toEqual([]);
  });

  it.each([
    ["where there is no terminal", {}, { TERM: "xterm" }],
    ["on a terminal that cannot redraw", screen, { TERM: "dumb" }],
    ["in CI, where every frame would be kept", screen, { TERM: "xterm", CI: "true" }],
    ["on a terminal too small for it", { isTTY: true, columns: 10, rows: 24 }, { TERM: "xterm" }],
  ] as const)("is plain lines %s", (_, terminal, env) => {
    expect(shown(terminal, env)).toBe(PLAIN);
  });

  it("gives the cursor back at its end, and says no longer that something is being done", () => {
    const text = shown(screen, { TERM: "xterm", NO_COLOR: "1" });
    expect(text).toContain("waiting for the model");
    expect(text.endsWith("\u001b[?25h")).toBe(true);
    expect(text.slice(text.lastIndexOf("?2026h"))).not.toContain("waiting for the model");
  });

  it("stops minding signals and the end of the process when it is over", () => {
    const minded = (): number =>
      ["exit", "SIGTSTP", "SIGCONT"].reduce((count, name) => count + process.listenerCount(name), 0);
    const before = minded();
    shown(screen, { TERM: "xterm" });
    expect(minded()).toBe(before);
  });

  it("says in a pipe what the run waits for, twice a minute, until it ends", () => {
    vi.useFakeTimers();
    const said: string[] = [];
    const shell = { env: {}, progress: {}, resultOnTerminal: false, say: (line: string) => said.push(line) };
    const progress = createProgress(shell as unknown as Shell, aRun(), { json: false });
    progress.show(EVENTS);
    vi.advanceTimersByTime(20_000);
    expect(said).toHaveLength(2);
    vi.advanceTimersByTime(40_000);
    expect(said.slice(2)).toEqual([
      expect.stringMatching(/^ {2}… instruction 1\/1: waiting for the model · no news for 2\ds$/),
      expect.stringMatching(/no news for 5\ds$/),
    ]);
    progress.end();
    vi.advanceTimersByTime(90_000);
    vi.useRealTimers();
    expect(said).toHaveLength(4);
  });

  it("is silent where only the end is asked for", () => {
    expect(shown({}, {}, { quiet: true })).toBe("");
    expect(shown(screen, { TERM: "xterm" }, { quiet: true })).toBe("");
  });

  it("is silent where the events themselves go to the same terminal", () => {
    expect(shown(screen, { TERM: "xterm" }, { json: true, resultOnTerminal: true })).toBe("");
    expect(shown({}, {}, { json: true })).toBe(PLAIN);
  });
});

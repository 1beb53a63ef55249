import { describe, expect, it } from "vitest";
import { createScreen } from "./screen.ts";

/** A terminal that understands what the screen writes, and keeps what was above it. */
function aTerminal(columns: number) {
  let lines = ["$ l2mac run"];
  let row = 1;
  let writes = 0;
  const put = (text: string): void => {
    lines[row] = text;
  };
  return {
    columns,
    write(text: string) {
      writes += 1;
      const shown = text.replaceAll("\u001b[", "‹").replace(/‹K|‹\?\d+[hl]/g, "");
      for (const [, up, erase, line] of shown.matchAll(/‹(\d+)F|(‹J)|([^‹\n]+)|\n/g)) {
        if (up) row -= Number(up);
        else if (erase) lines = lines.slice(0, row);
        else if (line) put(line);
        else row += 1;
      }
    },
    shown: () => lines,
    writes: () => writes,
  };
}

describe("the screen", () => {
  it("redraws its lines in place, more or fewer, and leaves the lines above", () => {
    const terminal = aTerminal(80);
    const screen = createScreen(terminal);
    screen.draw(["head", "one"]);
    screen.draw(["head 2", "one", "two"]);
    expect(terminal.shown()).toEqual(["$ l2mac run", "head 2", "one", "two"]);
    screen.draw(["end"]);
    expect(terminal.shown()).toEqual(["$ l2mac run", "end"]);
    screen.clear();
    expect(terminal.shown()).toEqual(["$ l2mac run"]);
  });

  it("writes each frame at once, and nothing where nothing changed", () => {
    const terminal = aTerminal(80);
    const screen = createScreen(terminal);
    screen.draw(["head", "one"]);
    screen.draw(["head", "one"]);
    expect(terminal.writes()).toBe(1);
  });

  it("hides the cursor while it draws, restores it once, and then draws below", () => {
    const written: string[] = [];
    const screen = createScreen({ columns: 80, write: (text: string) => written.push(text) });
    screen.leave();
    expect(written).toEqual([]);
    screen.draw(["head"]);
    expect(written.at(-1)).toContain("\u001b[?25l");
    screen.leave();
    screen.leave();
    expect(written.slice(1)).toEqual(["\u001b[?25h"]);
    screen.draw(["head"]);
    expect(written.at(-1)).toContain("\u001b[?25l");
    expect(written.at(-1)).not.toMatch(/\dF/);
  });

  it("has what turns out wider than it was counted cut off, and wraps again for everybody else", () => {
    const written: string[] = [];
    createScreen({ columns: 80, write: (text: string) => written.push(text) }).draw(["👩‍👩‍👧‍👦"]);
    const [before = "", after = ""] = written.join("").split("👩‍👩‍👧‍👦");
    expect([before, after]).toEqual([expect.stringContaining("\u001b[?7l"), expect.stringContaining("\u001b[?7h")]);
  });

  it("goes up as far as its lines reach when the terminal became narrower", () => {
    const written: string[] = [];
    const terminal = { columns: 80, write: (text: string) => written.push(text) };
    const screen = createScreen(terminal);
    screen.draw(["x".repeat(60), "y"]);
    terminal.columns = 25;
    screen.draw(["z"]);
    expect(written.at(-1)).toContain("\u001b[4F");
  });
});

/** Runs that stand still: each says why, what is kept, and what to do, with real runs in these states. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { alwaysGreen } from "../../../test/doubles/machines.ts";
import { barriers } from "./barriers.ts";
import { noBrowser } from "./browser.ts";
import { openPages } from "./pages.ts";
import { type RehearsedRuns, rehearsedRuns } from "./rehearsed-runs.ts";

let runs: RehearsedRuns;
const pages = openPages();
beforeAll(async () => {
  if (noBrowser) return;
  runs = await rehearsedRuns(alwaysGreen);
});
afterAll(() => runs?.server.remove());

const NARROW = { viewport: { width: 390, height: 844 } };

const open = (hash: string, options = {}): Promise<Page> => pages.open(`${runs.server.url}/${hash}`, options);

const widthLeft = (page: Page): Promise<unknown> => page.evaluate("innerWidth - document.documentElement.scrollWidth");

describe.skipIf(noBrowser)("a list of runs", () => {
  it("says beside each until when it waits or why it stopped, how far it is, what it cost and when it began", async () => {
    const page = await open("");
    const row = (name: string) => page.getByRole("row", { name: new RegExp(`^${name} `) });
    await row("tally-later")
      .getByText(/^until .*\d+:\d\d:\d\d, in \d+ min/)
      .waitFor();
    await row("tally-in-circles").getByText("partial (stuck)").waitFor();
    await row("tally-in-circles").getByText("the same calls came back").waitFor();
    await row("tally-in-few-turns").getByText("The ceiling of this run is reached: 12 turns.").waitFor();
    await row("tally-with-approval").getByText("waiting (approval)").waitFor();
    await row("tally").getByText("7/7").waitFor();
    await row("tally").getByText("rehearsal", { exact: true }).waitFor();
    await row("tally")
      .getByText(`${runs.completed.slice(-6)} · codebase`)
      .waitFor();
    await row("tally").getByText("$0.00", { exact: true }).waitFor();
    await row("tally")
      .getByText(/just now|ago$/)
      .waitFor();
  });

  it("shows all of this at 390 pixels too", async () => {
    const page = await open("", NARROW);
    for (const text of ["tally-later", "partial (stuck)", "2/7", "$0.00", "· codebase"])
      await page.getByText(text).first().waitFor();
    const box = await page
      .getByText(/just now|ago$/)
      .first()
      .boundingBox();
    expect(box && box.x + box.width).toBeLessThanOrEqual(390);
    expect(await widthLeft(page)).toBe(0);
    expect(await barriers(page)).toEqual([]);
  });
});

describe.skipIf(noBrowser)("a run that has stopped", () => {
  it("that is stuck shows where, what came back, what was found last, and each refusal in the line of its turn", async () => {
    const page = await open(`#run=${runs.stuck}`);
    await page.getByText("partial (stuck): Instruction 1").waitFor();
    await page.getByRole("img", { name: "stuck" }).waitFor();
    await page.getByRole("button", { name: /stuck 1 Lay out.*refused \d×/ }).waitFor();
    await page.getByText(/Repeated \d times: complete_instruction/).waitFor();
    await page.getByText("Last verdict: syntax ok, tests 3 passed, 2 failed").waitFor();
    const edges = "[...document.querySelectorAll('.ending dd')].map((value) => value.getBoundingClientRect().left)";
    expect(new Set((await page.evaluate(edges)) as number[]).size).toBe(1);
    await page.getByRole("button", { name: /^Turn 4 complete_instruction refused: 2 tests failed/ }).waitFor();
    await page.getByRole("link", { name: "1 Lay out the project" }).waitFor();
    expect(await barriers(page)).toEqual([]);
  });

  it("at a ceiling offers to go on with twice as much, and does", async () => {
    const page = await open(`#run=${runs.ceiling}`);
    await page.getByText("partial (turns): The ceiling of this run is reached: 12 turns.").waitFor();
    await page.locator(".facts").getByText("2/7").first().waitFor();
    await page.getByText(`l2mac resume ${runs.ceiling.slice(-6)} --max-turns 24`).waitFor();
    await page.getByRole("heading", { name: /· stopped here$/ }).waitFor();
    expect(await page.getByRole("img", { name: "running" }).count()).toBe(0);
    await page.getByRole("button", { name: "Resume with more" }).click();
    expect(await page.getByLabel("Ceiling in turns (now 12)").inputValue()).toBe("24");
    expect(await barriers(page)).toEqual([]);
    for (const [written, says] of [
      ["-1", "Ceiling in turns: it must be more than 0."],
      ["1e3", "Ceiling in turns: enter a whole number, like 24."],
      ["12", "12 turns are used: the ceiling must be above that."],
    ] as const) {
      await page.getByLabel("Ceiling in turns").fill(written);
      await page.getByRole("button", { name: "Yes, resume" }).click();
      await page.getByRole("dialog").getByRole("alert").getByText(says).waitFor();
      await page.locator("input[aria-invalid=true]:focus").waitFor();
    }
    expect((await runs.server.ask(`/runs/${runs.ceiling}`)).json.status).toBe("partial");
    await page.getByLabel("Ceiling in turns").fill("24");
    await page.getByLabel("Hint for the instruction").fill("Look at the ledger.");
    const sent = page.waitForRequest((request) => request.url().endsWith("/resume"));
    await page.getByRole("button", { name: "Yes, resume" }).click();
    expect((await sent).postDataJSON()).toEqual({ budget: { turns: 24 }, hint: "Look at the ledger." });
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.getByText("partial (turns)").waitFor({ state: "hidden" });
    await page.getByText("waiting (evaluator not ready)").waitFor();
    await page.getByText("Resumed.").waitFor({ state: "hidden" });
    expect(await page.evaluate("document.activeElement.tagName")).toBe("H1");
    expect((await runs.server.ask(`/runs/${runs.ceiling}`)).json.options.budget).toEqual({ usd: 5, turns: 24 });
  });

  it("for a server says on what it waits and counts down, and that nothing is to be done", async () => {
    const page = await open(`#run=${runs.asleep}`, NARROW);
    await page.getByText("waiting (evaluator not ready): its image is being loaded").waitFor();
    await page.getByText(/It continues automatically in \d+ min \d+ s, at /).waitFor();
    expect(await page.getByRole("button", { name: "Resume" }).count()).toBe(0);
    await page.locator("[aria-label^='waiting until']").waitFor({ state: "attached" });
  });
});

describe.skipIf(noBrowser)("what is delivered", () => {
  it("is downloaded from the head of the run, as a zip with its size", async () => {
    const page = await open(`#run=${runs.completed}`);
    const button = page.getByRole("button", { name: /^Download \(\d+\.\d KiB\)$/ });
    const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
    expect(download.suggestedFilename()).toBe("tally.zip");
    expect(await download.failure()).toBeNull();
    await page.getByText("completed", { exact: true }).waitFor();
  });
});

describe.skipIf(noBrowser)("a dialog", () => {
  it("keeps the focus in it, is left by Escape, and gives the focus back; Enter does nothing that is not said", async () => {
    const page = await open(`#run=${runs.completed}`);
    const button = page.getByRole("button", { name: "Delete", exact: true });
    await button.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Delete “tally”?" }).waitFor();
    const isIn = "document.activeElement === document.body || document.activeElement.closest('dialog') !== null";
    for (let times = 0; times < 6; times += 1) {
      expect(await page.evaluate(isIn)).toBe(true);
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Delete");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect((await runs.server.ask(`/runs/${runs.completed}`)).status).toBe(200);
  });

  it("and another tab keep what was written in a program", async () => {
    const page = await open(`#run=${runs.approval}`, NARROW);
    await page.getByRole("button", { name: "Edit as Markdown" }).click();
    const field = page.getByLabel("Program as Markdown");
    await field.fill("1. **Only this**\n\n   Do it.");
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("A rehearsal costs nothing.").waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(await widthLeft(page)).toBe(0);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Transcript" }).click();
    await field.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Program", exact: true }).click();
    expect(await field.inputValue()).toContain("Only this");
    await page.getByRole("button", { name: "Edit as outline" }).click();
    expect(await page.getByLabel("Title of instruction 1").inputValue()).toBe("Only this");
  });
});

describe.skipIf(noBrowser)("at 390 pixels", () => {
  it("program and files are a line each, opened where they are wanted, and folded again by a choice", async () => {
    const page = await open(`#run=${runs.completed}&at=2.2`, NARROW);
    const program = page.getByRole("button", { name: "2/7 Read and write CSV Program" });
    await program.waitFor();
    const turn = await page.getByRole("button", { name: /^Turn 1 / }).boundingBox();
    expect(turn?.y).toBeLessThan(844);
    const third = page.getByRole("button", { name: /^accepted 3|^pending 3/ });
    expect(await third.isVisible()).toBe(false);
    await program.click();
    await third.click();
    await page.getByRole("button", { name: "3/7 Keep entries in a ledger file Program" }).waitFor();
    expect(await third.isVisible()).toBe(false);
    await page.getByRole("button", { name: /\d+ files Files$/ }).click();
    await page.getByRole("button", { name: "src/ledger.js" }).last().click();
    await page.getByRole("heading", { name: "src/ledger.js" }).waitFor();
    expect(await widthLeft(page)).toBe(0);
  });
});

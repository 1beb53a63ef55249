/** `npm run pictures`: takes the pictures of the page that the README shows, of rehearsals in each state that it explains. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { openEvaluator } from "../../../lib/sandbox/open-evaluator.ts";
import { openBrowser, openPage } from "./browser.ts";
import { type RehearsedRuns, rehearsedRuns } from "./rehearsed-runs.ts";

const folder = join(import.meta.dirname, "../../../docs/pictures");
const SIZES = { wide: { width: 1280, height: 860 }, narrow: { width: 390, height: 844 } };

interface View {
  hash: string;
  /** Is there when it can be taken. */
  text: string;
  act?: (page: Page) => Promise<void>;
}

const press = (name: string) => (page: Page) => page.getByRole("button", { name }).click();

const viewsOf = ({ completed, approval, stuck, ceiling, asleep }: RehearsedRuns): Record<string, View> => ({
  runs: { hash: "", text: "tally-later" },
  result: { hash: `#run=${completed}`, text: "Start it" },
  transcript: {
    hash: `#run=${completed}&at=2.2`,
    text: "edit_file",
    act: (page) => page.locator("summary", { hasText: "edit_file" }).click(),
  },
  file: { hash: `#run=${completed}&at=4.3&tab=file&file=src%2Ffilter.js`, text: "Last changed" },
  diff: { hash: `#run=${completed}&at=2.2&tab=file&file=src%2Fcsv.js&against=last`, text: "Last changed" },
  pictures: { hash: `#run=${completed}&tab=charts`, text: "Requirements and instructions" },
  approve: { hash: `#run=${approval}`, text: "Edit as Markdown" },
  resume: { hash: `#run=${ceiling}`, text: "partial (turns)", act: press("Resume") },
  stuck: { hash: `#run=${stuck}`, text: "Repeated 8 times" },
  waiting: { hash: `#run=${asleep}`, text: "It continues automatically" },
});

mkdirSync(folder, { recursive: true });
const home = mkdtempSync(join(tmpdir(), "l2mac-pictures-"));
const { evaluator } = openEvaluator({ home, env: process.env, announce: () => {} });
const runs = await rehearsedRuns(evaluator);
const browser = await openBrowser();
try {
  for (const [name, { hash, text, act }] of Object.entries(viewsOf(runs)))
    for (const [size, viewport] of Object.entries(SIZES))
      for (const colorScheme of ["light", "dark"] as const) {
        const { page } = await openPage(browser, `${runs.server.url}/${hash}`, { viewport, colorScheme });
        await page.getByText(text).first().waitFor();
        await act?.(page);
        // What is asked for is there when nothing asks any more, but for the events that it waits for.
        await page.locator("text=/^Loading/").first().waitFor({ state: "detached" });
        await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`), animations: "disabled" });
        await page.context().close();
        console.log(`docs/pictures/${name}-${size}-${colorScheme}.png`);
      }
} finally {
  await browser.close();
  await runs.server.remove();
  rmSync(home, { recursive: true, force: true });
}

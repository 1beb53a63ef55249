/** `npm run pictures`: takes the pictures of the page that the README shows, of a rehearsal that has just ended. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEvaluator } from "../../lib/local/open-evaluator.ts";
import { aServer, followed } from "../api/served.ts";
import { openBrowser, openPage } from "./browser.ts";

const folder = join(import.meta.dirname, "../../docs/pictures");
const SIZES = { wide: { width: 1280, height: 860 }, narrow: { width: 390, height: 844 } };

mkdirSync(folder, { recursive: true });
const home = mkdtempSync(join(tmpdir(), "l2mac-pictures-"));
const { evaluator } = openEvaluator({ home, env: process.env, announce: () => {} });
const server = await aServer({ evaluator });
const browser = await openBrowser();
try {
  const { id } = (await server.post("/runs", { task: "Keep a tally of what I spend", model: "rehearsal" })).json;
  await followed(server, id);
  const views: Record<string, [hash: string, text: string]> = {
    runs: ["", "tally"],
    transcript: [`#run=${id}&at=2.2`, "edit_file"],
    file: [`#run=${id}&at=2.2&tab=file&file=src%2Fcsv.js&against=last`, "Last changed"],
    pictures: [`#run=${id}&tab=pictures`, "Requirements and instructions"],
  };
  for (const [name, [hash, text]] of Object.entries(views))
    for (const [size, viewport] of Object.entries(SIZES))
      for (const colorScheme of ["light", "dark"] as const) {
        const { page } = await openPage(browser, `${server.url}/${hash}`, { viewport, colorScheme });
        await page.getByText(text).first().waitFor();
        if (name === "transcript") await page.getByText("edit_file").first().click();
        await page.waitForLoadState("networkidle").catch(() => {});
        await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`) });
        await page.context().close();
        console.log(`docs/pictures/${name}-${size}-${colorScheme}.png`);
      }
} finally {
  await browser.close();
  await server.remove();
  rmSync(home, { recursive: true, force: true });
}

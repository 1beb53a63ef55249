/** The report of a run as somebody opens it from a disk, far from any server. */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HERE } from "../../../lib/core/run/ending-words.ts";
import { aServer, followed } from "../../../test/api/served.ts";
import { reportPage } from "../charts/report-page.ts";
import { barriers } from "./barriers.ts";
import { noBrowser, openBrowser } from "./browser.ts";

const folder = mkdtempSync(join(tmpdir(), "l2mac-report-"));
const file = join(folder, "report.html");
let browser: Browser;
beforeAll(async () => {
  if (noBrowser) return;
  browser = await openBrowser();
  const server = await aServer();
  const { id } = (await server.post("/runs", { task: "Keep a tally of what I spend", model: "rehearsal" })).json;
  await followed(server, id);
  const [run, program, { turns }, { events }] = await Promise.all(
    ["", "/program", "/turns?limit=1000", "/events"].map(
      async (about) => (await server.ask(`/runs/${id}${about}`)).json,
    ),
  );
  await server.remove();
  const digest = (text: string): string => createHash("sha256").update(text).digest("base64");
  writeFileSync(file, reportPage({ run, program, turns, events, place: HERE, launcher: "l2mac" }, digest));
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(noBrowser).each(["light", "dark"] as const)("the report, %s", (colorScheme) => {
  it.each([1_280, 390])("opens from disk at %i pixels, asks for nothing, and is accessible", async (width) => {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } });
    const page = await context.newPage();
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    page.on("console", (message) => complaints.push(message.text()));
    await page.goto(pathToFileURL(file).href);
    await page.getByRole("heading", { name: "Files by turns" }).waitFor();
    expect(await page.locator("svg:visible").count()).toBe(4);
    const letters =
      "Math.min(...[...document.querySelectorAll('svg text')].map((text) => text.getBoundingClientRect().height).filter((height) => height > 0))";
    expect(await page.evaluate(letters)).toBeGreaterThanOrEqual(12);
    await page.waitForLoadState("networkidle");
    expect(asked).toEqual([pathToFileURL(file).href]);
    expect(complaints).toEqual([]);
    // Its policy lets no script in: the rules are asked from outside of it.
    expect(await barriers(await unguarded(browser, file, { colorScheme, viewport: { width, height: 800 } }))).toEqual(
      [],
    );
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    await context.close();
  });
});

describe.skipIf(noBrowser)("the report in print", () => {
  it("breaks no word of an outcome on a page of A4", async () => {
    // What is left of 210 mm between the usual margins.
    const context = await browser.newContext({ viewport: { width: 718, height: 1_000 } });
    const page = await context.newPage();
    await page.emulateMedia({ media: "print" });
    await page.goto(pathToFileURL(file).href);
    const outcomes = page.getByText(/^✔\saccepted$/);
    const lines = await outcomes.evaluateAll((all) => all.map((each) => each.getClientRects().length));
    expect(lines).toEqual(Array(7).fill(1));
    await context.close();
  });
});

async function unguarded(from: Browser, path: string, options: Parameters<Browser["newContext"]>[0]) {
  const context = await from.newContext({ ...options, bypassCSP: true });
  const page = await context.newPage();
  await page.goto(pathToFileURL(path).href);
  return page;
}

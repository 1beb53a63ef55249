/** Everything shown can be read by everyone, and fits. */

import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aServer, followed, type TestServer } from "../../../test/api/served.ts";
import { barriers } from "./barriers.ts";
import { noBrowser, openBrowser, openPage } from "./browser.ts";

let browser: Browser;
let server: TestServer;
let tally: string;
beforeAll(async () => {
  if (noBrowser) return;
  browser = await openBrowser();
  server = await aServer();
  tally = await ended({ task: "Keep a tally of what I spend" });
});
afterAll(async () => {
  await browser?.close();
  await server?.remove();
});

async function ended(body: Record<string, unknown>): Promise<string> {
  const { status, json } = await server.post("/runs", { model: "rehearsal", ...body });
  expect({ status, json }).toMatchObject({ status: 202 });
  await followed(server, json.id);
  return json.id;
}

const EYES: [string, BrowserContextOptions][] = [
  ["wide, by day", { colorScheme: "light" }],
  ["wide, by night", { colorScheme: "dark" }],
  ["390 pixels wide, by day", { colorScheme: "light", viewport: { width: 390, height: 844 } }],
  ["390 pixels wide, by night", { colorScheme: "dark", viewport: { width: 390, height: 844 } }],
];

describe.skipIf(noBrowser).each(EYES)("the page, %s", (_, options) => {
  it.each([
    ["the runs", () => "", "tally"],
    ["what was said", () => `#run=${tally}&at=3.3`, "write_files"],
    ["what a file became", () => `#run=${tally}&at=2.2&tab=file&file=src%2Fcsv.js&against=last`, "Last changed"],
    ["a file", () => `#run=${tally}&at=3&tab=file&file=src%2Fledger.js`, "Last changed"],
    ["the charts", () => `#run=${tally}&tab=charts`, "Requirements and instructions"],
  ])("is accessible, and fits: %s", async (_name, hash, text) => {
    const { page, complaints } = await openPage(browser, `${server.url}/${hash()}`, options);
    await page.getByText(text).first().waitFor();
    expect(await barriers(page)).toEqual([]);
    const width = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    expect(width).toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

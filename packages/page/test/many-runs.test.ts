/** A list of more runs than are shown at once. */

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aServer, type TestServer } from "../../../test/api/served.ts";
import { aRun } from "../../../test/doubles/runs.ts";
import { noBrowser, openBrowser, openPage } from "./browser.ts";

const RUNS = 230;
let browser: Browser;
let server: TestServer;
let page: Page;
beforeAll(async () => {
  if (noBrowser) return;
  browser = await openBrowser();
  server = await aServer();
  for (let number = 1; number <= RUNS; number += 1) await server.machine.registry.create(aStoredRun(number));
  ({ page } = await openPage(browser, server.url));
});
afterAll(async () => {
  await browser?.close();
  await server?.remove();
});

const aStoredRun = (number: number) =>
  aRun({
    id: `01M7ZR63C0YXE0KT7F3M${String(number).padStart(6, "0")}`,
    ...{ name: number === 1 ? "needle" : `run-${number}`, title: "Keep a tally", status: "completed" },
    ...{ instructions: 7, pc: 8, skipped: 2 },
    createdAt: new Date(Date.UTC(2026, 0, 1) + number * 1_000).toISOString(),
  });

const rows = () => page.locator("tbody tr").count();

describe.skipIf(noBrowser)("a long list of runs", () => {
  it("begins with the latest hundred, and goes on to the oldest where that is wanted", async () => {
    await page.getByText("These are the latest 100.").waitFor();
    expect(await rows()).toBe(100);
    await page.getByRole("button", { name: "Older runs" }).click();
    await page.getByText("These are the latest 200.").waitFor();
    await page.getByRole("button", { name: "Older runs" }).click();
    await page.getByRole("row", { name: /^needle / }).waitFor();
    expect(await rows()).toBe(RUNS);
    expect(await page.getByRole("button", { name: "Older runs" }).count()).toBe(0);
  });

  it("is searched to its end, also what is not shown", async () => {
    await page.reload();
    await page.getByText("These are the latest 100.").waitFor();
    await page.getByLabel("Find").fill("needle");
    await page.getByRole("row", { name: /^needle / }).waitFor();
    await expect.poll(rows).toBe(1);
    await page.getByLabel("Find").fill("haystack");
    await page.getByText("No run matches.").waitFor();
    await page.getByLabel("Find").fill("run-");
    for (const found of [100, 200]) {
      await page.getByText(`${found} runs found so far.`).waitFor();
      await page.getByRole("button", { name: "Search further" }).click();
    }
    await expect.poll(rows).toBe(RUNS - 1);
    await page.getByLabel("Find").fill("");
    await expect.poll(rows).toBe(100);
  });

  it("says of each how many instructions were accepted: what was skipped is not done", async () => {
    await page.getByRole("row", { name: /^run-200 .* 5\/7/ }).waitFor();
  });

  it("names the runs that cannot be read", async () => {
    await server.machine.registry.create({ ...aStoredRun(900), status: "pondering" as "completed" });
    await page.getByText(/1 run cannot be shown, .*M000900/).waitFor();
    expect(await rows()).toBe(100);
  });
});

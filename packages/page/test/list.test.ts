/** The list of runs as people work with it: what it says of each, how it is narrowed and ordered, and many deleted at once. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { REHEARSAL } from "../../../lib/model/rehearsal-name.ts";
import { aServer, type TestServer } from "../../../test/api/served.ts";
import { aRun } from "../../../test/doubles/runs.ts";
import { barriers } from "./barriers.ts";
import { noBrowser } from "./browser.ts";
import { openPages } from "./pages.ts";

let server: TestServer;
const pages = openPages();
beforeAll(async () => {
  if (noBrowser) return;
  server = await aServer();
  const base = aRun();
  const minute = 60_000;
  const stored = [
    { name: "alpha", status: "completed", microUsd: 900_000, activeMs: 2 * minute, testsTotal: 30, testsPassed: 30 },
    {
      name: "beta",
      status: "partial",
      reason: "usd",
      microUsd: 2_500_000,
      activeMs: minute,
      testsTotal: 9,
      testsPassed: 4,
    },
    { name: "gamma", status: "completed", activeMs: 9 * minute, profile: { ...base.profile, model: REHEARSAL } },
    { name: "delta", status: "failed", reason: "planning", options: { ...base.options, domain: "book" } },
  ] as const;
  for (const [index, fields] of stored.entries()) {
    const createdAt = new Date(Date.UTC(2026, 0, 1 + index)).toISOString();
    await server.machine.registry.create(aRun({ ...fields, id: `01M7ZR63C0YXE0KT7F3M00000${index}`, createdAt }));
  }
});
afterAll(() => server?.remove());

async function open(options = {}): Promise<Page> {
  const page = await pages.open(server.url, options);
  await page.getByRole("row", { name: /^alpha / }).waitFor();
  return page;
}

const names = (page: Page) => page.locator(".runs .named a").allTextContents();

describe.skipIf(noBrowser)("the list of runs", () => {
  it("shows of each its short id, domain, model, tests and time, and marks rehearsals", async () => {
    const page = await open();
    const row = (name: string) => page.getByRole("row", { name: new RegExp(`^${name} `) });
    for (const text of ["000000 · codebase · test", "30/30", "$0.90", "2 min"])
      await row("alpha").getByText(text).first().waitFor();
    await row("gamma").getByText("rehearsal", { exact: true }).waitFor();
    expect(await row("alpha").getByText("rehearsal").count()).toBe(0);
    await row("delta").getByText("000003 · book · test").waitFor();
    expect(await barriers(page)).toEqual([]);
  });

  it("is narrowed to a state, and ordered", async () => {
    const page = await open();
    expect(await names(page)).toEqual(["delta", "gamma", "beta", "alpha"]);
    await page.getByLabel("Order").selectOption({ label: "highest cost" });
    await expect.poll(() => names(page)).toEqual(["beta", "alpha", "delta", "gamma"]);
    await page.getByLabel("Order").selectOption({ label: "longest time" });
    await expect.poll(() => names(page)).toEqual(["gamma", "alpha", "beta", "delta"]);
    await page.getByLabel("State").selectOption("completed");
    await expect.poll(() => names(page)).toEqual(["gamma", "alpha"]);
    await page.getByLabel("State").selectOption("planning");
    await page.getByText("No run matches.").waitFor();
  });

  it("leads to a run from anywhere in its row", async () => {
    const page = await open();
    await page
      .getByRole("row", { name: /^beta / })
      .getByText("4/9")
      // What is under the pointer there is the link that covers the row.
      .click({ force: true });
    await page.getByRole("heading", { name: "A test" }).waitFor();
  });

  it("deletes those that are selected, after it asked, and no other; also at 390 pixels", async () => {
    const page = await open({ viewport: { width: 390, height: 844 } });
    expect(await page.evaluate("innerWidth - document.documentElement.scrollWidth")).toBe(0);
    for (const name of ["Select beta", "Select delta"]) await page.getByRole("checkbox", { name }).check();
    await page.getByRole("button", { name: "Delete 2 runs" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete 2 runs?" });
    expect(await dialog.getByRole("listitem").allTextContents()).toEqual(["delta", "beta"]);
    expect(await barriers(page)).toEqual([]);
    await dialog.getByRole("button", { name: "No" }).click();
    expect((await server.ask("/runs")).json.runs).toHaveLength(4);
    await page.getByRole("button", { name: "Delete 2 runs" }).click();
    await dialog.getByRole("button", { name: "Yes, delete 2 runs" }).click();
    await page.locator(":focus", { hasText: "Deleted 2 runs." }).waitFor();
    await expect.poll(() => names(page)).toEqual(["gamma", "alpha"]);
    expect(await page.getByRole("button", { name: /^Delete/ }).count()).toBe(0);
  });
});

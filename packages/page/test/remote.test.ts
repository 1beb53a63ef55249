/** The page of an API elsewhere, through this computer: only its URL gives access. */
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aServer, followed, type TestServer } from "../../../test/api/served.ts";
import { aBench, type Bench, type Started } from "../../../test/doubles/command.ts";
import { inTree, noBrowser, openBrowser, openPage } from "./browser.ts";
import { NOTHING, whatAHostilePageGets } from "./hostile-site.ts";

let browser: Browser;
let elsewhere: TestServer;
let bench: Bench;
const started: Started[] = [];
let id = "";
beforeAll(async () => {
  if (noBrowser) return;
  browser = await openBrowser();
  elsewhere = await aServer();
  id = (await elsewhere.post("/runs", { task: "Keep a tally of what I spend", model: "rehearsal" })).json.id;
  await followed(elsewhere, id);
  bench = aBench({ L2MAC_API_URL: elsewhere.url });
  // A fake browser launcher that records its arguments.
  bench.env.BROWSER = bench.write("browser", '#!/bin/sh\necho "$1" > "$(dirname "$0")/shown"\n');
  chmodSync(bench.env.BROWSER, 0o755);
});
afterAll(async () => {
  for (const { child, ended } of started) {
    child.kill("SIGINT");
    await ended();
  }
  await browser?.close();
  await elsewhere?.remove();
  bench?.remove();
});

/** Answers the address that it prints. */
async function l2macOpen(): Promise<string> {
  const opened = bench.start(["open", id]);
  started.push(opened);
  await opened.says("Ctrl-C stops");
  return opened.answers();
}

async function fileForBrowser(): Promise<string> {
  const path = join(bench.folder, "shown");
  // It is there before all of it is written.
  const written = () => (existsSync(path) ? readFileSync(path, "utf8") : "");
  await expect.poll(written).toMatch(/\n$/);
  return written().trim();
}

const completed = (page: Page) => page.locator("header").getByText("completed", { exact: true });

describe.skipIf(noBrowser)("the page of an API elsewhere", () => {
  it("is led to by the file that the browser is started with, and keeps what opened it out of sight", async () => {
    const printed = await l2macOpen();
    const { page, complaints } = await openPage(browser, await fileForBrowser());
    await completed(page).waitFor();
    const { origin } = new URL(printed);
    expect(page.url()).toBe(`${origin}/#run=${id}`);
    await inTree(page, "src/csv.js").click();
    await page.locator("article pre", { hasText: "Comma-separated" }).waitFor();
    await page.reload();
    await completed(page).waitFor();
    await page.getByRole("link", { name: "All runs" }).click();
    await page.getByText("New run").click();
    await page.getByLabel("Task").fill("Keep another tally");
    await page.getByLabel("Only rehearse").check();
    await page.getByRole("button", { name: "Start run" }).click();
    await completed(page).waitFor();
    expect((await elsewhere.ask("/runs")).json.runs).toHaveLength(2);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("is opened by the printed URL once; a later visit says what to do", async () => {
    const address = await l2macOpen();
    const first = await openPage(browser, address);
    await completed(first.page).waitFor();
    const second = await openPage(browser, address);
    await second.page.getByText("Run l2mac open again for another.").waitFor();
    expect(second.page.url()).not.toContain("code=");
    // The tab that it opened goes on, also where the address is pasted into it once more.
    await first.page.goto("about:blank");
    await first.page.goto(address);
    await completed(first.page).waitFor();
    expect(first.complaints).toEqual([]);
    await first.page.context().close();
    await second.page.context().close();
  });

  it("tells and does nothing for another page in the same browser, while its own is open there", async () => {
    const address = await l2macOpen();
    const { page } = await openPage(browser, address);
    await completed(page).waitFor();
    const before = (await elsewhere.ask("/runs")).json.runs.length;
    const { origin } = new URL(address);
    expect(await whatAHostilePageGets(browser, { url: origin, run: id })).toMatchObject(NOTHING);
    expect((await elsewhere.ask("/runs")).json.runs).toHaveLength(before);
    expect((await elsewhere.ask(`/runs/${id}`)).json.status).toBe("completed");
    await page.context().close();
  });

  it("tells and does nothing for anybody else on this computer", async () => {
    const { origin } = new URL(await l2macOpen());
    const json = { "content-type": "application/json" };
    const own = { "sec-fetch-site": "same-origin" };
    const tried = [
      await fetch(`${origin}/runs`),
      await fetch(`${origin}/runs`, { headers: { ...own, "x-l2mac-token": "x".repeat(43) } }),
      await fetch(`${origin}/token`, { headers: own }),
      await fetch(`${origin}/key`, { method: "POST", headers: { ...own, "x-l2mac-code": "x".repeat(43) } }),
      await fetch(`${origin}/runs/${id}`, { method: "DELETE", headers: json }),
    ];
    expect(tried.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
  });
});

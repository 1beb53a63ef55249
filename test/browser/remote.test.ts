/** The page of an API elsewhere, through this computer: only whoever was told its address may use it. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aServer, followed, type TestServer } from "../api/served.ts";
import { aBench, type Bench, type Started } from "../doubles/command.ts";
import { inTree, noBrowser, openBrowser, openPage } from "./browser.ts";
import { NOTHING, whatAHostilePageGets } from "./hostile-site.ts";

let browser: Browser;
let elsewhere: TestServer;
let bench: Bench;
let opened: Started;
let id = "";
let address = "";
beforeAll(async () => {
  if (noBrowser) return;
  browser = await openBrowser();
  elsewhere = await aServer();
  id = (await elsewhere.post("/runs", { task: "Keep a tally of what I spend", model: "rehearsal" })).json.id;
  await followed(elsewhere, id);
  bench = aBench({ L2MAC_API_URL: elsewhere.url, BROWSER: "/bin/true" });
  opened = bench.start(["open"]);
  await opened.says("Ctrl-C stops");
  address = await opened.answers();
});
afterAll(async () => {
  opened?.child.kill("SIGINT");
  await opened?.ended();
  await browser?.close();
  await elsewhere?.remove();
  bench?.remove();
});

describe.skipIf(noBrowser)("the page of an API elsewhere", () => {
  it("shows its runs and acts on them for whoever was told the address, which keeps no key in sight", async () => {
    const { page, complaints } = await openPage(browser, address);
    await page.locator("header").getByText("completed", { exact: true }).waitFor();
    expect(page.url()).not.toContain("key=");
    await inTree(page, "src/csv.js").click();
    await page.locator("article pre", { hasText: "Comma-separated" }).waitFor();
    await page.reload();
    await page.locator("header").getByText("completed", { exact: true }).waitFor();
    await page.getByRole("link", { name: "All runs" }).click();
    await page.getByText("New run").click();
    await page.getByLabel("Task").fill("Keep another tally");
    await page.getByLabel("Only rehearse").check();
    await page.getByRole("button", { name: "Begin" }).click();
    await page.locator("header").getByText("completed", { exact: true }).waitFor();
    expect((await elsewhere.ask("/runs")).json.runs).toHaveLength(2);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("tells and does nothing for another page in the same browser, while its own is open there", async () => {
    const { page } = await openPage(browser, address);
    await page.locator("header").getByText("completed", { exact: true }).waitFor();
    const before = (await elsewhere.ask("/runs")).json.runs.length;
    const { origin } = new URL(address);
    expect(await whatAHostilePageGets(browser, { url: origin, run: id })).toMatchObject(NOTHING);
    expect((await elsewhere.ask("/runs")).json.runs).toHaveLength(before);
    expect((await elsewhere.ask(`/runs/${id}`)).json.status).toBe("completed");
    await page.context().close();
  });

  it("tells and does nothing for anybody else on this computer, and tells nobody the key", async () => {
    const { origin } = new URL(address);
    const key = new URLSearchParams(new URL(address).hash.slice(1)).get("key") ?? "";
    const json = { "content-type": "application/json" };
    const tried = [
      await fetch(`${origin}/runs`),
      await fetch(`${origin}/runs`, { headers: { "x-l2mac-token": "x".repeat(key.length) } }),
      await fetch(`${origin}/token`, { headers: { "sec-fetch-site": "same-origin" } }),
      await fetch(`${origin}/runs/${id}`, { method: "DELETE", headers: json }),
      await fetch(`${origin}/runs`, { headers: { "x-l2mac-token": key, origin: "http://evil.example" } }),
    ];
    expect(tried.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    expect(await (await fetch(`${origin}/`)).text()).not.toContain(key);
    expect((await fetch(`${origin}/runs`, { headers: { "x-l2mac-token": key } })).status).toBe(200);
  });
});

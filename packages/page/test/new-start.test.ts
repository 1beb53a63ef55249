/** A tab that outlives its server: its token is void, and it gets a new one. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve } from "../../../lib/local/server/serve.ts";
import { aServer } from "../../../test/api/served.ts";
import { NO_EVIDENCE } from "../../../test/doubles/no-evidence.ts";
import { noBrowser, openBrowser, openPage } from "./browser.ts";

let browser: Browser;
beforeAll(async () => {
  if (!noBrowser) browser = await openBrowser();
});
afterAll(() => browser?.close());

const TASK = "Keep a tally of what I spend";
const completed = (page: Page) => page.locator("header").getByText("completed", { exact: true });

async function deletes(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: "Yes, delete" }).click();
  await page.getByText("There are no runs yet.").waitFor();
}

describe.skipIf(noBrowser)("a tab that outlives its server", () => {
  it("sends its next change once more, with the token of the new start", async () => {
    const first = await aServer();
    const { page, complaints } = await openPage(browser, first.url);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await page.getByLabel("Task").fill(TASK);
    await page.getByLabel("Only rehearse").check();
    await page.getByRole("button", { name: "Start run" }).click();
    await completed(page).waitFor();
    expect(asked.filter((each) => each === "GET /token")).toHaveLength(1);
    await first.stop();
    const port = Number(new URL(first.url).port);
    const again = await serve({
      machine: first.machine,
      port,
      model: {},
      install: false,
      defaults: NO_EVIDENCE,
      say: () => {},
    });
    await deletes(page);
    // The browser reports a request beside what the page shows, and maybe later.
    await expect.poll(() => asked.filter((each) => each === "GET /token")).toHaveLength(2);
    await expect.poll(() => asked.filter((each) => each.startsWith("DELETE "))).toHaveLength(2);
    expect(complaints).toEqual([]);
    await page.context().close();
    await again.stop();
    await first.remove();
  });

  it("drops the key of an API elsewhere where that server is this computer's own now", async () => {
    const server = await aServer();
    const { id } = (await server.post("/runs", { task: TASK, model: "rehearsal" })).json;
    const { page, complaints } = await openPage(browser, `${server.url}/#run=${id}`);
    await page.evaluate('sessionStorage.setItem("l2mac-key", "of another start")');
    await page.reload();
    await completed(page).waitFor();
    await deletes(page);
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
    await server.remove();
  });
});

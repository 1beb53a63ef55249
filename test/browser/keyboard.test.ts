/** All of it by the keyboard alone: nothing is clicked here. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aServer, type TestServer } from "../api/served.ts";
import { noBrowser, openBrowser, openPage } from "./browser.ts";

let browser: Browser;
let server: TestServer;
beforeAll(async () => {
  if (noBrowser) return;
  browser = await openBrowser();
  server = await aServer();
});
afterAll(async () => {
  await browser?.close();
  await server?.remove();
});

/** More than stand on any of its views. */
const MOST = 80;

/** Presses a key until what has the focus says this; asked inside the page, which has names of its own. */
async function press(page: Page, key: string, until: string): Promise<void> {
  const says = `(({ activeElement: one, body }) => one === body ? "" :
    [one.getAttribute("aria-label"), one.labels?.[0]?.textContent, one.textContent].join(" "))(document)`;
  const isThere = async (): Promise<boolean> => String(await page.evaluate(says)).includes(until);
  for (let times = 0; times < MOST && !(await isThere()); times += 1) await page.keyboard.press(key);
  expect(await page.evaluate(says)).toContain(until);
}

describe.skipIf(noBrowser)("the keyboard alone", () => {
  it("begins a run, edits and approves its program, looks at its history, files and pictures, and deletes it", async () => {
    const { page, complaints } = await openPage(browser, server.url);
    await page.getByText("There are no runs yet.").waitFor();
    await press(page, "Tab", "Task");
    await page.keyboard.type("Keep a tally of what I spend");
    await press(page, "Tab", "Wait for my approval");
    await page.keyboard.press("Space");
    await press(page, "Tab", "Only rehearse");
    await page.keyboard.press("Space");
    await press(page, "Tab", "Start run");
    await page.keyboard.press("Enter");

    await page.getByText("waiting (approval)").waitFor();
    await press(page, "Tab", "Move instruction 1 down");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Move instruction 2 down" }).and(page.locator(":focus")).waitFor();
    await press(page, "Shift+Tab", "Move instruction 2 up");
    await page.keyboard.press("Enter");
    await press(page, "Tab", "Text of instruction 1");
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" Written by hand.");
    await press(page, "Shift+Tab", "Approve");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await press(page, "Tab", "Yes, approve");
    await page.keyboard.press("Enter");
    await page.locator("header").getByText("completed", { exact: true }).waitFor();

    await press(page, "Tab", "Turn");
    await page.keyboard.press("Home");
    await page.getByText("planning, turn 1").first().waitFor();
    await press(page, "Tab", "3 Keep entries");
    await page.keyboard.press("Enter");
    await page.getByText("instruction 3, turn").first().waitFor();
    await press(page, "Tab", "src/ledger.js");
    await page.keyboard.press("Enter");
    await page.getByText("Last changed in instruction 3").waitFor();
    await press(page, "Shift+Tab", "Compared with");
    await page.keyboard.press("ArrowDown");
    await page.locator("ins").first().waitFor();
    await press(page, "Shift+Tab", "Charts");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Files by turns" }).waitFor();

    await press(page, "Shift+Tab", "Delete");
    await page.keyboard.press("Enter");
    await press(page, "Tab", "Yes, delete");
    await page.keyboard.press("Enter");
    await page.getByText("There are no runs yet.").waitFor();
    expect((await server.ask("/runs")).json.runs).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

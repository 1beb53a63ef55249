/** All of it by the keyboard alone: nothing is clicked here. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aServer, followed, type TestServer } from "../../../test/api/served.ts";
import { barriers } from "./barriers.ts";
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

describe.skipIf(noBrowser)("the columns of a run", () => {
  it("are resized by arrow keys and by dragging, within bounds, and stay so; on narrow screens there is none", async () => {
    const { id } = (await server.post("/runs", { task: "Keep a tally of what I spend", model: "rehearsal" })).json;
    await followed(server, id);
    const { page, complaints } = await openPage(browser, `${server.url}/#run=${id}`);
    const divider = (name: string) => page.getByRole("separator", { name: `Width of the column ${name}` });
    const width = async (name: string): Promise<number> =>
      (await page.getByRole("navigation", { name, exact: true }).boundingBox())?.width ?? 0;
    const [program, files] = [await width("Program"), await width("Files")];
    await divider("Program").focus();
    await page.keyboard.press("ArrowRight");
    await divider("Files").focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => divider("Program").getAttribute("aria-valuenow")).toBe("16");
    await expect.poll(() => divider("Files").getAttribute("aria-valuenow")).toBe("13");
    expect([await width("Program"), await width("Files")].map(Math.round)).toEqual([program + 16, files - 16]);
    const box = await divider("Program").boundingBox();
    if (!box) throw new Error("The divider is not shown.");
    await page.mouse.move(box.x + 8, box.y + 50);
    await page.mouse.down();
    await page.mouse.move(box.x + 8 + 64, box.y + 60, { steps: 4 });
    await page.mouse.up();
    await page.mouse.move(box.x + 300, box.y + 60);
    await expect.poll(() => divider("Program").getAttribute("aria-valuenow")).toBe("20");
    expect(await barriers(page)).toEqual([]);
    await page.reload();
    await expect.poll(() => divider("Program").getAttribute("aria-valuenow")).toBe("20");
    await divider("Program").focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => divider("Program").getAttribute("aria-valuenow")).toBe("15");
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => page.getByRole("separator").count()).toBe(0);
    expect(await page.evaluate("innerWidth - document.documentElement.scrollWidth")).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

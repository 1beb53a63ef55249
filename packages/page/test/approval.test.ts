/** A program that waits for a person: judged and edited as an outline beside its requirements, then approved. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aServer, followed, type TestServer } from "../../../test/api/served.ts";
import { barriers } from "./barriers.ts";
import { noBrowser } from "./browser.ts";
import { openPages } from "./pages.ts";

let server: TestServer;
const pages = openPages();
beforeAll(async () => {
  if (noBrowser) return;
  server = await aServer();
});
afterAll(() => server?.remove());

async function waiting(options = {}): Promise<{ id: string; page: Page }> {
  const task = "Keep a tally of what I spend";
  const { id } = (await server.post("/runs", { task, model: "rehearsal", approve: "plan" })).json;
  await followed(server, id);
  const page = await pages.open(`${server.url}/#run=${id}`, options);
  await page.getByRole("region", { name: "Program to approve" }).waitFor();
  return { id, page };
}

const titles = (page: Page) =>
  page.getByLabel(/^Title of instruction/).evaluateAll((inputs) => inputs.map((input) => Reflect.get(input, "value")));

describe.skipIf(noBrowser)("a program that waits for approval", () => {
  it("is shown as an outline beside its requirements, with Approve as the primary action", async () => {
    const { page } = await waiting();
    expect(await page.locator("header .primary").allTextContents()).toEqual(["Approve"]);
    expect(await titles(page)).toHaveLength(7);
    const requirements = page.getByRole("complementary", { name: "Requirements" });
    await requirements.getByText("R1", { exact: true }).waitFor();
    expect(await requirements.getByText("in no instruction").count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
    const group = page.getByRole("group", { name: "Requirements of instruction 1", exact: true });
    for (const box of await page.getByLabel("R1", { exact: true }).all()) await box.uncheck();
    await requirements.getByText("in no instruction").first().waitFor();
    await group.getByLabel("R1", { exact: true }).check();
    expect(await requirements.getByText("in no instruction").count()).toBe(0);
  });

  it("is reordered, added to and approved as it was changed", async () => {
    const { id, page } = await waiting();
    const before = await titles(page);
    await page.getByRole("button", { name: "Move instruction 7 up" }).click();
    await page.getByRole("button", { name: "Move instruction 6 up" }).and(page.locator(":focus")).waitFor();
    await page.getByRole("button", { name: "Add an instruction" }).click();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("button", { name: "Yes, approve" }).click();
    await page.getByRole("dialog").getByRole("alert").getByText("instruction 8").waitFor();
    await page.keyboard.press("Escape");
    await page.getByLabel("Title of instruction 8").fill("Extra");
    await page.getByLabel("Text of instruction 8").fill("Do more.");
    await page.getByRole("button", { name: "Remove instruction 8" }).click();
    await page.getByLabel("Title of instruction 7").and(page.locator(":focus")).waitFor();
    await page.getByLabel("Title of instruction 1").fill("Lay out everything");
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("button", { name: "Yes, approve" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    const { instructions } = (await server.ask(`/runs/${id}/program`)).json;
    expect(instructions.map(({ title }: { title: string }) => title)).toEqual([
      ...["Lay out everything", ...before.slice(1, 5)],
      ...[before[6], before[5]],
    ]);
  });

  it("is revised with what is said about it, and with nothing it is not", async () => {
    const { id, page } = await waiting();
    await page.getByRole("button", { name: "Revise" }).click();
    await page.getByRole("button", { name: "Yes, revise" }).click();
    await page.getByRole("dialog").getByRole("alert").getByText("Say what is to change.").waitFor();
    await page.getByLabel("What is to change").fill("Smaller steps.");
    const sent = page.waitForRequest((request) => request.url().endsWith(`/runs/${id}/revise`));
    await page.getByRole("button", { name: "Yes, revise" }).click();
    expect((await sent).postDataJSON()).toEqual({ feedback: "Smaller steps." });
    await page.getByRole("dialog").waitFor({ state: "hidden" });
  });

  it("fits on 390 pixels", async () => {
    const { page } = await waiting({ viewport: { width: 390, height: 844 } });
    expect(await page.evaluate("innerWidth - document.documentElement.scrollWidth")).toBe(0);
    expect(await barriers(page)).toEqual([]);
  });
});

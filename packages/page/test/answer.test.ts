/** A question of a run on the page: shown whole, answered by a choice or a text, and seen in the transcript. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aServer, followed, type TestServer } from "../../../test/api/served.ts";
import { askInstead, COLOURS, OPEN_QUESTION } from "../../../test/doubles/asked-run.ts";
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

async function asking(question: Parameters<typeof askInstead>[2]): Promise<{ id: string; page: Page }> {
  const task = "Keep a tally of what I spend";
  const { id } = (await server.post("/runs", { task, model: "rehearsal", approve: "plan" })).json;
  await followed(server, id);
  await askInstead(server.machine, id, question);
  const page = await pages.open(`${server.url}/#run=${id}`);
  await page.getByRole("button", { name: "Answer", exact: true }).click();
  return { id, page };
}

describe.skipIf(noBrowser)("a run that asks", () => {
  it("shows its question with the choices, takes one, and goes on", async () => {
    const { id, page } = await asking(COLOURS);
    const dialog = page.getByRole("dialog");
    await dialog.getByText("One of these.").waitFor();
    expect(await barriers(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Answer" }).click();
    await dialog.getByText("Choose one of them.").waitFor();
    await dialog.getByLabel("Green").check();
    await dialog.getByRole("button", { name: "Answer" }).click();
    await page.getByText("Answered. The run continues.").waitFor();
    expect((await followed(server, id)).status).toBe("completed");
    await page.goto(`${server.url}/#run=${id}&tab=transcript&at=1.1`);
    await page.getByRole("region", { name: "You" }).getByText("Green").waitFor();
  });

  it("takes a text, and keeps what was written where it is refused", async () => {
    const { page } = await asking(OPEN_QUESTION);
    const dialog = page.getByRole("dialog");
    await dialog.locator("textarea").fill("x".repeat(102_401));
    await dialog.getByRole("button", { name: "Answer" }).click();
    await dialog.getByText("at most 102400 fit").waitFor();
    await dialog.locator("textarea").fill("The Engine");
    await dialog.getByRole("button", { name: "Answer" }).click();
    await page.getByText("Answered. The run continues.").waitFor();
  });
});

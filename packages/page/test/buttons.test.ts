/** What is filtered, copied, saved and downloaded of a run, each by its field or button. */
import type { BrowserContextOptions, Download, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aServer, followed, type TestServer } from "../../../test/api/served.ts";
import { inTree, noBrowser } from "./browser.ts";
import { openPages } from "./pages.ts";

const TASK = "Keep a tally of what I spend";
let server: TestServer;
let tally: string;
const pages = openPages();
beforeAll(async () => {
  if (noBrowser) return;
  server = await aServer();
  tally = await begun({ name: "tally" });
});
afterAll(() => server?.remove());

async function begun(more: object): Promise<string> {
  const { id } = (await server.post("/runs", { task: TASK, model: "rehearsal", ...more })).json;
  await followed(server, id);
  return id;
}

const open = (hash: string, options: BrowserContextOptions = {}): Promise<Page> =>
  pages.open(`${server.url}/#run=${hash}`, options);

async function downloaded(page: Page, name: RegExp): Promise<Download> {
  const button = page.getByRole("button", { name }).first();
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  expect(await download.failure()).toBeNull();
  return download;
}

describe.skipIf(noBrowser)("a run", () => {
  it("has files that are narrowed to part of a path, copied, and saved", async () => {
    const page = await open(`${tally}&at=3`, { permissions: ["clipboard-read", "clipboard-write"] });
    await inTree(page, "src/csv.js").waitFor();
    await page.getByLabel(/^Files \(/).fill("CSV.js");
    await inTree(page, "package.json").waitFor({ state: "detached" });
    await inTree(page, "src/csv.js").click();
    await page.locator("article pre", { hasText: "Comma-separated" }).waitFor();
    const { bytes } = await server.ask(`/runs/${tally}/file?path=src/csv.js&at=3`);
    const text = new TextDecoder().decode(bytes);
    await page.getByRole("button", { name: "Copy the file" }).click();
    await page.getByText("Copied").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(text);
    expect((await downloaded(page, /^Save \(/)).suggestedFilename()).toBe("csv.js");
    await page.getByLabel(/^Files \(/).fill("");
    await inTree(page, "package.json").waitFor();
  });

  it("has files whose lines name the turn that they come from, with a link to it", async () => {
    const page = await open(`${tally}&tab=file&file=src%2Fcommands.js`);
    await page.getByRole("checkbox", { name: "Show where each line comes from" }).check();
    const origins = page.locator("ul.origins li");
    await origins.first().waitFor();
    expect(await origins.count()).toBeGreaterThan(1);
    const margins = await page
      .locator("article pre .line")
      .evaluateAll((lines) => lines.map((line) => line.getAttribute("data-n") ?? ""));
    const { bytes } = await server.ask(`/runs/${tally}/file?path=src/commands.js`);
    expect(margins).toHaveLength(new TextDecoder().decode(bytes).trimEnd().split("\n").length);
    for (const margin of margins) expect(margin).toMatch(/^\d+\.\d+ +\d+$/);
    await origins.first().getByRole("link").click();
    await page.waitForURL(/tab=transcript/);
  });

  it("is shown at its planning from the program, and each chart is saved as SVG and CSV", async () => {
    const page = await open(`${tally}&tab=charts`);
    await page.getByRole("heading", { name: "Files by turns" }).waitFor();
    expect((await downloaded(page, /^SVG$/)).suggestedFilename()).toMatch(/^tally-.+\.svg$/);
    expect((await downloaded(page, /^CSV$/)).suggestedFilename()).toMatch(/^tally-.+\.csv$/);
    await page.getByRole("navigation", { name: "Program" }).getByRole("button", { name: "Planning" }).click();
    await page.getByRole("region", { name: "Task" }).getByText(TASK).waitFor();
    expect(page.url()).toContain("at=0.1");
  });

  it("that has not ended is downloaded as far as it is", async () => {
    const files = [{ path: "given.md", content: "Given.\n" }];
    const page = await open(await begun({ name: "begun", approve: "plan", files }));
    const download = await downloaded(page, /^Download so far \(\d+ B\)$/);
    expect(download.suggestedFilename()).toBe("begun.zip");
  });

  it("that waits for approval is rejected, after it asked, and can be resumed then", async () => {
    const id = await begun({ approve: "plan" });
    const page = await open(id);
    await page.getByRole("button", { name: "Reject" }).click();
    await page.getByRole("dialog").getByText("The run ends and nothing is executed.").waitFor();
    expect((await server.ask(`/runs/${id}`)).json.status).toBe("waiting");
    await page.getByRole("button", { name: "Yes, reject" }).click();
    await page.getByRole("button", { name: "Resume" }).waitFor();
    expect((await server.ask(`/runs/${id}`)).json.reason).toBe("rejected");
  });
});

/** The form of a new run: every option of the table, files and tests to send, examples, and what the server says of itself. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { aServer, type TestServer } from "../../../test/api/served.ts";
import { barriers } from "./barriers.ts";
import { noBrowser } from "./browser.ts";
import { openPages } from "./pages.ts";

let server: TestServer;
let folder: string;
beforeAll(async () => {
  if (noBrowser) return;
  folder = mkdtempSync(join(tmpdir(), "l2mac-chosen-"));
});
afterEach(() => server?.remove());
// Closed before their server is.
const pages = openPages();
afterAll(() => {
  if (folder) rmSync(folder, { recursive: true, force: true });
});

async function open(parts: Parameters<typeof aServer>[0] = {}, options = {}): Promise<Page> {
  server = await aServer(parts);
  const page = await pages.open(server.url, options);
  await page.getByText("There are no runs yet.").waitFor();
  return page;
}

async function start(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Start run" }).click();
  await page.getByRole("link", { name: "All runs" }).waitFor();
  return new URLSearchParams(new URL(page.url()).hash.slice(1)).get("run") ?? "";
}

const text = (content: string): Uint8Array => new TextEncoder().encode(content);

describe.skipIf(noBrowser)("a new run", () => {
  it("takes an example and every option of the table, and says beside its field what is wrong", async () => {
    const page = await open();
    await page.getByLabel("Example to begin with").selectOption("Library");
    expect(await page.getByLabel("Task", { exact: true }).inputValue()).toContain("arithmetic expressions");
    await page.getByLabel("Only rehearse").check();
    await page.getByText("More options").click();
    expect(await barriers(page)).toEqual([]);
    await page.getByLabel(/\(--steps\)/).fill("0");
    await page.getByText("More options").click();
    await page.getByRole("button", { name: "Start run" }).click();
    await page.locator("[name=option-steps]:focus").waitFor();
    await page.getByLabel(/\(--steps\)/).fill("40");
    await page.getByLabel(/\(--on-stuck\)/).selectOption("skip");
    await page.getByLabel(/\(--no-tests\)/).selectOption("off");
    await page.getByLabel(/\(--max-turns\)/).fill("99");
    const { json } = await server.ask(`/runs/${await start(page)}`);
    const budget = expect.objectContaining({ turns: 99 });
    expect(json.options).toMatchObject({ steps: 40, onTrap: "skip", runTests: false, budget });
  });

  it("shows beside its field what the API refuses", async () => {
    const page = await open();
    await page.getByLabel("Task", { exact: true }).fill("Keep a tally");
    await page.getByLabel("Only rehearse").check();
    await page.route("**/runs", (route) =>
      route.request().method() === "POST"
        ? route.fulfill({ status: 400, json: { detail: "No.", fields: [{ field: "runTests", problem: "Not here." }] } })
        : route.continue(),
    );
    await page.getByRole("button", { name: "Start run" }).click();
    await page.locator("[name=option-tests]:focus").waitFor();
    expect(await page.getByRole("alert").allTextContents()).toEqual(["Not here."]);
  });

  it("sends a zip and a folder, and leaves secrets out and says so", async () => {
    const page = await open();
    await page.getByText("Files to start from, and tests").click();
    const zip = Buffer.from(zipSync({ "a.js": text("1;"), "b/c.bin": new Uint8Array([0, 1]), ".env": text("KEY=1") }));
    const asZip = page.getByLabel("Files to start from, as a zip");
    await asZip.setInputFiles({ name: "a.zip", mimeType: "application/zip", buffer: Buffer.from("no zip") });
    await page.getByRole("alert").getByText("it is no zip file that can be read").waitFor();
    await asZip.setInputFiles({ name: "a.zip", mimeType: "application/zip", buffer: zip });
    await page.getByText("2 files will be sent.").waitFor();
    await page.getByText("Left out, because they look like secrets: .env").waitFor();
    mkdirSync(join(folder, "node_modules"), { recursive: true });
    for (const name of ["given.test.js", "id_rsa", "node_modules/x.js"]) writeFileSync(join(folder, name), "1;\n");
    await page.getByLabel("Tests that the result must pass, as a folder").setInputFiles(folder);
    await page.getByText("1 file will be sent.").waitFor();
    await page.getByText("Left out, because they look like secrets: id_rsa").waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByLabel("Task", { exact: true }).fill("Keep a tally");
    await page.getByLabel("Only rehearse").check();
    const { json } = await server.ask(`/runs/${await start(page)}/files?at=0`);
    expect(json.files.map(({ path }: { path: string }) => path)).toEqual(["a.js", "b/c.bin", "given.test.js"]);
  });
});

describe.skipIf(noBrowser)("the head of the page", () => {
  it("names the product, the version, the model and whether its key is set, before a task is written", async () => {
    const page = await open({ model: { model: "gpt-5.5" } });
    const head = page.getByRole("banner").first();
    await head.getByText("gpt-5.5: its key is not set").waitFor();
    await head.getByText(/version \d+\.\d+\.\d+ · 127/).waitFor();
    await page.getByText("The key of gpt-5.5 is not set. Start the server with it.").waitFor();
    await head.getByTitle("The folder of these runs").getByText(server.machine.home).waitFor();
    expect(await page.getByLabel("Model", { exact: true }).getAttribute("placeholder")).toBe("gpt-5.5");
    await head.getByRole("link", { name: "L2MAC" }).click();
    expect(new URL(page.url()).hash).toBe("#runs");
  });

  it("offers the models that the keys can ask; at 390 pixels too", async () => {
    const page = await open(
      { model: { model: "openai/gpt-5.5", apiKey: "sk-1" } },
      { viewport: { width: 390, height: 844 } },
    );
    await page.getByText("openai/gpt-5.5: key set").waitFor();
    expect(await page.locator("#known-models option").count()).toBeGreaterThan(0);
    expect(await page.content()).not.toContain("sk-1");
    expect(await page.evaluate("innerWidth - document.documentElement.scrollWidth")).toBe(0);
    expect(await barriers(page)).toEqual([]);
  });
});

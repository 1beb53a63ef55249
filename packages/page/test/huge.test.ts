/** Files that are too much to be shown or compared: the page says so, stays quick, and saves them whole. */
import { statSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aServer, followed, type TestServer } from "../../../test/api/served.ts";
import { noBrowser } from "./browser.ts";
import { openPages } from "./pages.ts";
import { uploaded } from "./uploaded.ts";

const HUGE = 9 * 1_048_576;
/** Longer than what is compared, and with nothing in common with the other. */
const lines = (seed: number): string =>
  Array.from({ length: 60_000 }, (_, index) => ((index + 1) * seed * 2_654_435_761) % 4_294_967_296).join("\n");

let server: TestServer;
let id: string;
const pages = openPages();
beforeAll(async () => {
  if (noBrowser) return;
  server = await aServer();
  const files = await uploaded(server, [{ path: "given.txt", content: "y".repeat(HUGE) }]);
  const { json } = await server.post("/runs", { task: "Keep a tally", model: "rehearsal", uploads: { files } });
  id = json.id;
  await followed(server, id);
});
afterAll(() => server?.remove());

async function open(hash: string, route?: (page: Page) => Promise<unknown>): Promise<Page> {
  const page = await pages.open("about:blank");
  await route?.(page);
  await page.goto(`${server.url}/#run=${id}${hash}`);
  return page;
}

async function savedBytes(page: Page): Promise<number> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: /^Save/ }).click(),
  ]);
  return statSync(await download.path()).size;
}

describe.skipIf(noBrowser)("a file of more than eight megabytes", () => {
  it("that came with the task is not shown, and saved whole", async () => {
    const page = await open("&tab=file&file=given.txt");
    await page.getByText("The file is too large to show. Save it to see it.").waitFor();
    expect(await savedBytes(page)).toBe(HUGE);
  });

  it("that a turn wrote is not even asked for before it is saved", async () => {
    const asked: string[] = [];
    const page = await open("&tab=file&file=src%2Fcsv.js", async (opening) => {
      await opening.route(`**/runs/${id}/turns?*`, async (route) => {
        const { turns, ...rest } = await (await route.fetch()).json();
        for (const { changes } of turns)
          for (const change of changes) if (change.path === "src/csv.js") change.bytes = HUGE;
        await route.fulfill({ json: { turns, ...rest } });
      });
      opening.on("request", (request) => asked.push(new URL(request.url()).pathname));
    });
    await page.getByText("The file is too large to show. Save it to see it.").waitFor();
    expect(asked.filter((path) => path.endsWith("/file"))).toEqual([]);
    expect(await savedBytes(page)).toBeGreaterThan(0);
  });
});

describe.skipIf(noBrowser)("two long texts", () => {
  it("that have nothing in common are not compared for ever, and what is left out is said", async () => {
    let asked = 0;
    const page = await open("&tab=file&file=src%2Fcsv.js&against=2.1", async (opening) => {
      await opening.route(`**/runs/${id}/file?*`, (route) => {
        asked += 1;
        return route.fulfill({ body: lines(asked === 1 ? 3 : 7), contentType: "application/octet-stream" });
      });
    });
    await page.getByText("Only the first 500000 characters are compared").waitFor();
    await page.getByText("The versions have too little in common to compare.").waitFor();
    await page.getByLabel("Compared with").selectOption({ label: "nothing" });
    await page.locator(".line").first().waitFor();
  });
});

/** What others wrote is shown as text, and everything shown can be read by everyone. */

import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aServer, followed, type TestServer } from "../api/served.ts";
import { barriers } from "./barriers.ts";
import { inTree, noBrowser, openBrowser, openPage } from "./browser.ts";

let browser: Browser;
let server: TestServer;
let tally: string;
beforeAll(async () => {
  if (noBrowser) return;
  browser = await openBrowser();
  server = await aServer();
  tally = await ended({ task: "Keep a tally of what I spend" });
});
afterAll(async () => {
  await browser?.close();
  await server?.remove();
});

async function ended(body: Record<string, unknown>): Promise<string> {
  const { status, json } = await server.post("/runs", { model: "rehearsal", ...body });
  expect({ status, json }).toMatchObject({ status: 202 });
  await followed(server, json.id);
  return json.id;
}

const HOSTILE = [
  `<script>document.title="HACKED"</script>`,
  `<img src=x onerror="document.title='HACKED'">`,
  `<svg onload="document.title='HACKED'"><a href="javascript:document.title='HACKED'">x</a></svg>`,
  `</pre></code></textarea><iframe srcdoc="<script>parent.document.title='HACKED'</script>">`,
  "\u001b]0;HACKED\u0007\u001b[31mred\u001b[0m",
  "\u202egnp.exe\u202c \u2066hidden\u2069",
  `{{constructor.constructor("document.title='HACKED'")()}}`,
].join("\n");

describe.skipIf(noBrowser)("what others wrote", () => {
  it("is shown as text: in titles, programs, files and their names, and lines of two megabytes", async () => {
    const files = [
      { path: "&lt;img src=x onerror=alert(1)&gt;'.js", content: `// ${HOSTILE}\n` },
      { path: "page.html", content: HOSTILE },
      { path: "notes.md", content: HOSTILE },
      { path: "long.txt", content: "x".repeat(2_000_000) },
    ];
    const program = [{ title: HOSTILE, text: HOSTILE, requirements: [] }];
    const id = await ended({ task: `${HOSTILE}\nKeep a tally`, files, program, name: "hostile" });
    const { page, complaints } = await openPage(browser, `${server.url}/#run=${id}`);
    await page.getByText("Files (").waitFor();
    for (const { path } of files) {
      await inTree(page, path).click();
      await page.getByRole("heading", { name: path }).waitFor();
      await page.locator("article pre").waitFor();
    }
    await inTree(page, "page.html").click();
    await page.locator("article pre", { hasText: "<iframe srcdoc" }).waitFor();
    await page.getByRole("button", { name: "Pictures" }).click();
    await page.getByRole("heading", { name: "Requirements and instructions" }).waitFor();
    await page.goto(server.url);
    await page.getByRole("link", { name: "hostile" }).waitFor();
    expect(await page.title()).toBe("L2MAC");
    expect(await page.locator("iframe, img, script:not([src])").count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

const EYES: [string, BrowserContextOptions][] = [
  ["wide, by day", { colorScheme: "light" }],
  ["wide, by night", { colorScheme: "dark" }],
  ["390 pixels wide, by day", { colorScheme: "light", viewport: { width: 390, height: 844 } }],
  ["390 pixels wide, by night", { colorScheme: "dark", viewport: { width: 390, height: 844 } }],
];

describe.skipIf(noBrowser).each(EYES)("the page, %s", (_, options) => {
  it.each([
    ["the runs", () => "", "tally"],
    ["what was said", () => `#run=${tally}&at=3.3`, "write_files"],
    ["a file", () => `#run=${tally}&at=3&tab=file&file=src%2Fledger.js`, "Last changed"],
    ["the pictures", () => `#run=${tally}&tab=pictures`, "Requirements and instructions"],
  ])("shuts nobody out, and fits: %s", async (_name, hash, text) => {
    const { page, complaints } = await openPage(browser, `${server.url}/${hash()}`, options);
    await page.getByText(text).first().waitFor();
    expect(await barriers(page)).toEqual([]);
    const width = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    expect(width).toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

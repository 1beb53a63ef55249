/** What a completed run opens on: how to start what was made, what was checked, and the text to read first. */
import { zipSync } from "fflate";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aServer, followed, type TestServer } from "../../../test/api/served.ts";
import { barriers } from "./barriers.ts";
import { inTree, noBrowser } from "./browser.ts";
import { openPages } from "./pages.ts";

let server: TestServer;
let tally: string;
let book: string;
const pages = openPages();
beforeAll(async () => {
  if (noBrowser) return;
  server = await aServer();
  tally = await completed({ task: "Keep a tally of what I spend", name: "tally" });
  book = await completed({ task: "Write a short book", domain: "book", name: "pigeonholes" });
});
afterAll(() => server?.remove());

async function completed(body: Record<string, unknown>): Promise<string> {
  const { id } = (await server.post("/runs", { model: "rehearsal", ...body })).json;
  expect((await followed(server, id)).status).toBe("completed");
  return id;
}

type Change = (page: Page) => Promise<unknown>;

async function open(hash: string, change: Change = async () => {}, options = {}): Promise<Page> {
  const page = await pages.open("about:blank", options);
  await change(page);
  await page.goto(`${server.url}/${hash}`);
  return page;
}

const result = (page: Page) => page.getByRole("article", { name: "Result" });

const started: Change = (page) =>
  page.route(`**/runs/${tally}`, async (route) => {
    const run = await (await route.fetch()).json();
    const smoke = { status: "passed", detail: "30 tests passed there; `node bin/tally.js --help` started" };
    await route.fulfill({ json: { ...run, smoke } });
  });

const readme =
  (text: string): Change =>
  (page) =>
    page.route("**/file?path=README.md*", (route) => route.fulfill({ body: text, contentType: "text/plain" }));

describe.skipIf(noBrowser)("a completed run", () => {
  it("opens on its result: how it is started, its tests, files and cost, and its README", async () => {
    const page = await open(`#run=${tally}`, started, { permissions: ["clipboard-read", "clipboard-write"] });
    await page.getByRole("button", { name: "Result", pressed: true }).waitFor();
    await result(page).getByRole("heading", { name: "tally", exact: true }).waitFor();
    for (const text of ["node bin/tally.js --help", "30 tests passed there", "nothing, this was a rehearsal"])
      await result(page).getByText(text).first().waitFor();
    await result(page).getByText("21 files from 7 of 7 instructions").waitFor();
    await page.getByRole("button", { name: "Copy the command" }).click();
    await page.getByText("Copied").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe("node bin/tally.js --help");
    expect(await barriers(page)).toEqual([]);
  });

  it("leads from its README to a file, from the slider to a turn, and back by the tab", async () => {
    const page = await open(`#run=${tally}`, readme("See [the code](src/csv.js) and [nothing](none.md).\n"));
    await result(page).getByText("[nothing](none.md)").waitFor();
    await result(page).getByRole("link", { name: "the code" }).click();
    await page.getByRole("heading", { name: "src/csv.js" }).waitFor();
    await page.getByRole("button", { name: "Result" }).click();
    await result(page).getByText("See the code").waitFor();
    await page.getByRole("slider", { name: "Turn" }).focus();
    await page.keyboard.press("Home");
    await page.getByRole("region", { name: "Task" }).waitFor();
    await inTree(page, "README.md").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Latest" }).click();
    await result(page).waitFor();
  });

  it("fits on 390 pixels", async () => {
    const page = await open(`#run=${tally}`, started, { viewport: { width: 390, height: 844 } });
    await result(page).getByRole("heading", { name: "tally", exact: true }).waitFor();
    expect(await page.evaluate("innerWidth - document.documentElement.scrollWidth")).toBe(0);
    expect(await barriers(page)).toEqual([]);
  });
});

const HOSTILE = `# Title <img src=x onerror="document.title='HACKED'">

<script>document.title="HACKED"</script>

<svg onload="document.title='HACKED'"><iframe srcdoc="<script>1</script>"></iframe></svg>

[a](javascript:document.title='HACKED') [b](data:text/html,x) [c](JaVaScRiPt:x) <javascript:alert(1)>

![picture](https://evil.example/track.png) [d]: x

[e](https://user@evil.example/ "onmouseover=x") &lt;img src=x onerror=x&gt; user\u202Egnp.exe

| a | <b onclick=x>b</b> |
|---|---|
| [f](vbscript:x) | \`<img src=x>\` |

> ${"> ".repeat(15)}deep

[^1]: <script>1</script>
`;

describe.skipIf(noBrowser)("a hostile README", () => {
  it("becomes no element but text, lists, tables, and links to the web", async () => {
    const page = await open(`#run=${tally}`, readme(HOSTILE));
    await result(page).getByRole("heading", { name: "Title" }).waitFor();
    await result(page).getByText("[a](javascript:document.title='HACKED')").waitFor();
    await result(page).getByText("user⟦U+202E⟧gnp.exe").waitFor();
    await result(page).getByText("[picture]").waitFor();
    const tags = await page.evaluate(
      "[...new Set([...document.querySelectorAll('.prose *')].map((one) => one.localName))].sort()",
    );
    expect(tags).toEqual(expect.arrayContaining(["a", "h3", "p", "table"]));
    for (const tag of tags as string[])
      expect("a blockquote code h3 p pre section span table tbody td th thead tr").toContain(tag);
    const links = await page.evaluate("[...document.querySelectorAll('.prose a')].map((one) => one.href)");
    expect(links).toEqual(["https://evil.example/"]);
    expect(await page.locator(".prose [onclick], .prose [onerror], .prose [src]").count()).toBe(0);
    expect(await page.title()).not.toBe("HACKED");
  });

  it("that would take long to read is shown as plain paragraphs at once", async () => {
    const page = await open(`#run=${tally}`, readme(`# Long\n\n${"*a _b ".repeat(20_000)}\n\n${"> ".repeat(50)}deep`));
    await result(page).getByText("*a _b *a _b").first().waitFor();
  });
});

const HOSTILE_PAGE = `<!doctype html><h1>Title</h1><script>parent.document.title = "HACKED"</script>
<img src="x" onerror="parent.document.title='HACKED'"><img src="https://evil.example/seen.png">
<a href="javascript:parent.document.title='HACKED'">script link</a>
<form action="/runs" method="post"><button>send</button></form>`;

/** What the style of a book has behind its text by day. */
const PAPER = "rgb(253, 251, 247)";

describe.skipIf(noBrowser)("a completed book", () => {
  it("is read chapter by chapter, and saved in each of its forms", async () => {
    const page = await open(`#run=${book}`);
    const chapter = page.getByLabel("Chapter", { exact: true });
    const first = await result(page).getByRole("heading").first().textContent();
    await page.getByRole("button", { name: "Next chapter" }).click();
    expect(await chapter.inputValue()).toBe("1");
    await expect.poll(() => result(page).getByRole("heading").first().textContent()).not.toBe(first);
    await page.getByRole("button", { name: "Previous chapter" }).click();
    await expect.poll(() => result(page).getByRole("heading").first().textContent()).toBe(first);
    await chapter.selectOption("2");
    await expect.poll(() => result(page).getByRole("heading").first().textContent()).not.toBe(first);
    for (const [button, name] of [
      ["Save as HTML", "pigeonholes.html"],
      ["Save as EPUB", "pigeonholes.epub"],
    ] as const) {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: button }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(name);
    }
    expect(await barriers(page)).toEqual([]);
  });

  it("is previewed as its HTML in a frame of no origin, with its own style, and its contents lead to chapters", async () => {
    const page = await open(`#run=${book}`);
    const button = page.getByRole("button", { name: "Preview as HTML" });
    await button.click();
    const frame = page.frameLocator("iframe[sandbox='']");
    await frame.getByRole("heading", { level: 1 }).waitFor();
    expect(await page.getByLabel("Chapter", { exact: true }).count()).toBe(0);
    const inFrame = page.frames()[1];
    expect(await inFrame?.evaluate("getComputedStyle(document.documentElement).backgroundColor")).toBe(PAPER);
    expect(await inFrame?.evaluate("origin")).toBe("null");
    await frame.getByRole("navigation", { name: "Contents" }).getByRole("link").last().click();
    await expect.poll(() => inFrame?.url()).toMatch(/^about:srcdoc#./);
    await frame.locator(":target").waitFor();
    expect(await button.getAttribute("aria-pressed")).toBe("true");
    await button.click();
    await page.getByLabel("Chapter", { exact: true }).waitFor();
    expect(await page.locator("iframe").count()).toBe(0);
  });

  it("runs, loads and opens nothing in its preview, whatever that holds", async () => {
    const files = { "pigeonholes.html": new TextEncoder().encode(HOSTILE_PAGE) };
    const page = await open(`#run=${book}`, (one) =>
      one.route("**/links/**", (route) => route.fulfill({ body: Buffer.from(zipSync(files)) })),
    );
    await page.getByRole("button", { name: "Preview as HTML" }).click();
    const frame = page.frameLocator("iframe[sandbox='']");
    const before = page.url();
    for (const name of ["script link", "send"]) await frame.getByText(name).click();
    // Requests of such a frame are not seen reliably; what was blocked the browser says itself.
    const blocked = [
      "Blocked script execution in 'about:srcdoc'",
      "Loading the image 'https://evil.example/seen.png' violates the following Content Security Policy",
      "Running the JavaScript URL violates the following Content Security Policy",
      "Blocked form submission to '/runs'",
    ];
    const complaints = () => pages.complaints.join("\n");
    await expect.poll(() => blocked.filter((each) => !complaints().includes(each))).toEqual([]);
    pages.complaints.splice(0);
    expect([await page.title(), page.url()]).toEqual([expect.not.stringContaining("HACKED"), before]);
    expect((await server.ask("/runs")).json.runs).toHaveLength(2);
  });

  it("is opened as PDF in a tab of its own, as nothing but a PDF", async () => {
    const page = await open(`#run=${book}`, (one) =>
      one.addInitScript(`
        const make = URL.createObjectURL;
        window.made = [];
        URL.createObjectURL = (blob) => (window.made.push(blob), make.call(URL, blob));
      `),
    );
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      page.getByRole("button", { name: "Open PDF" }).click(),
    ]);
    const link = page.getByRole("link", { name: "Open PDF in a new tab" });
    await link.and(page.locator(":focus")).waitFor();
    expect(await link.getAttribute("href")).toMatch(/^blob:/);
    expect(await page.evaluate("made.map(({ type }) => type)")).toEqual(["application/pdf"]);
    expect(await page.evaluate("made[0].slice(0, 5).text()")).toBe("%PDF-");
    expect(await barriers(page)).toEqual([]);
    await tab.close();
  });
});

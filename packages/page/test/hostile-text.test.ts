/** Untrusted text of models, tools and tasks: each kind of attack, in each place, is shown as text. */
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { notRun } from "../../../lib/core/verdict/verdict.ts";
import { aServer, followed, type TestServer } from "../../../test/api/served.ts";
import { noBrowser, openBrowser, openPage, type WatchedPage } from "./browser.ts";
import { uploaded } from "./uploaded.ts";

let browser: Browser;
let server: TestServer;
let id: string;
let watched: WatchedPage | undefined;

/** Each with what must be readable of it. */
const TRICKS: [name: string, text: string, shown: string][] = [
  ["a script", `<script>document.title="HACKED"</script>`, "<script>"],
  ["an event handler", `<img src=x onerror="document.title='HACKED'">`, "<img src=x onerror="],
  ["SVG", `<svg onload="document.title='HACKED'"><script>document.title='HACKED'</script></svg>`, "<svg onload="],
  ["a javascript: link", `<a href="javascript:document.title='HACKED'">x</a> [x](javascript:alert(1))`, "javascript:"],
  ["closing tags", `</pre></code></textarea></span><iframe srcdoc="<script>1</script>">`, "<iframe srcdoc="],
  ["a template", `{{constructor.constructor("document.title='HACKED'")()}}`, "{{constructor"],
  ["terminal escape codes", "\u001b]0;HACKED\u0007\u001b[31mred\u001b[0m\u009b2J", "␛]0;HACKED␇␛[31mred␛[0m⟦U+009B⟧2J"],
  [
    "turned directions",
    "user\u202Egnp.exe\u202C \u2066hidden\u2069",
    "user⟦U+202E⟧gnp.exe⟦U+202C⟧ ⟦U+2066⟧hidden⟦U+2069⟧",
  ],
];
const ALL = TRICKS.map(([, text]) => text).join("\n");
const NAMES = [
  "&lt;img src=x onerror=alert(1)&gt;'.js",
  "a&#x3c;script&#x3e;.html",
  "';alert(1);'.py",
  "javascript%3Aalert(1).md",
];

beforeAll(async () => {
  if (noBrowser) return;
  browser = await openBrowser();
  server = await aServer();
  const program = [{ title: ALL, text: ALL, requirements: [] }];
  const long = { path: "long.js", content: "x".repeat(5_000_000) };
  const files = await uploaded(server, [...NAMES.map((path) => ({ path, content: ALL })), long]);
  const task = `${ALL}\nKeep a tally`;
  const { status, json } = await server.post("/runs", { task, model: "rehearsal", uploads: { files }, program });
  expect({ status, json }).toMatchObject({ status: 202 });
  id = json.id;
  await followed(server, id);
});
afterEach(async () => {
  const { page, complaints = [] } = watched ?? {};
  if (page) {
    expect(await page.title()).not.toBe("HACKED");
    expect(
      await page.locator("iframe, img, script:not([src]), [onerror], [onload], [href^='javascript']").count(),
    ).toBe(0);
  }
  await page?.context().close();
  watched = undefined;
  expect(complaints).toEqual([]);
});
afterAll(async () => {
  await browser?.close();
  await server?.remove();
});

async function open(hash: string, route?: (page: Page) => Promise<void>): Promise<Page> {
  watched = await openPage(browser, "about:blank");
  await route?.(watched.page);
  await watched.page.goto(`${server.url}/${hash}`);
  return watched.page;
}

/** The text is there, letter by letter, where `selector` is. */
async function shows(page: Page, selector: string): Promise<void> {
  for (const [, , shown] of TRICKS)
    await page.locator(selector, { hasText: shown }).first().waitFor({ state: "attached" });
}

/** A turn whose model and tools say all of it. */
const aHostileTurn = async (page: Page): Promise<void> => {
  await page.route(`**/runs/${id}/turns/1/1`, async (route) => {
    const answered = await (await route.fetch()).json();
    const [answer, effects] = [answered.answer, answered.effects];
    const calls = [
      { name: "write_files", given: { files: [{ path: ALL, content: ALL }] } },
      { name: "edit_file", given: { path: `${ALL}.js`, edits: [{ find: ALL, replace: `${ALL}\n${ALL}` }] } },
      { name: "run_command", given: { argv: [ALL] } },
      { name: ALL, given: { [ALL]: ALL } },
    ].map(({ name, given }, index) => ({ id: `c${index}`, name, arguments: JSON.stringify(given) }));
    const verdict = notRun("not_asked");
    const red = {
      ...verdict,
      syntax: { ...verdict.syntax, status: "failed", errors: [{ path: ALL, line: 1, message: ALL, rule: "parse" }] },
      tests: {
        ...verdict.tests,
        status: "failed",
        failed: 1,
        cases: [{ name: ALL, status: "failed", message: ALL }],
        output: ALL,
      },
    };
    const results = calls.map((call) => ({
      callId: call.id,
      tool: call.name,
      ok: false,
      text: ALL,
      note: ALL,
      about: { kind: "other" },
    }));
    await route.fulfill({
      json: {
        ...answered,
        answer: { ...answer, answer: { ...answer.answer, text: ALL, toolCalls: calls } },
        effects: { ...effects, results, correction: ALL, verdicts: [red] },
      },
    });
  });
};

describe.skipIf(noBrowser)("what others wrote is shown as text", () => {
  it("in the title of the task, in the program and in the list of runs", async () => {
    const page = await open(`#run=${id}&at=1.1`);
    await page.locator("h1", { hasText: "<script>" }).waitFor();
    await page.getByText("Text", { exact: true }).click();
    await shows(page, ".instruction pre");
    await shows(page, ".program-list button");
    await page.getByRole("link", { name: "All runs" }).click();
    await page.locator(".named", { hasText: "<script>" }).waitFor();
  });

  it("in what the model says, in its calls, in what tools answer and in verdicts", async () => {
    const page = await open(`#run=${id}&at=1.1`, aHostileTurn);
    await shows(page, ".speech.by-model .prose");
    await shows(page, ".speech.by-machine .prose");
    await shows(page, ".call summary");
    await shows(page, ".call pre");
    await shows(page, ".call ins");
    await shows(page, ".verdict .said");
    await shows(page, ".verdict pre");
  });

  it.each(NAMES)("in a file and in its name: %s", async (path) => {
    const page = await open(`#${new URLSearchParams({ run: id, tab: "file", file: path })}`);
    await page.getByRole("heading", { name: path }).waitFor();
    await shows(page, "article pre");
    await page.getByRole("navigation", { name: "Files" }).getByRole("button", { name: path }).waitFor();
  });

  it("in the charts", async () => {
    const page = await open(`#run=${id}&tab=charts`);
    await page.getByRole("heading", { name: "Requirements and instructions" }).waitFor();
    await page.locator("svg").first().waitFor();
  });

  it("in a line of five megabytes, which stops nothing", async () => {
    const page = await open(`#${new URLSearchParams({ run: id, tab: "file", file: "long.js" })}`);
    await page.getByText("4500000 more characters are not shown").waitFor();
    await page.getByLabel("Wrap lines").check();
    await page.getByRole("button", { name: "Transcript" }).click();
    await page.getByRole("button", { name: /^Turn 1 / }).waitFor();
  });
});

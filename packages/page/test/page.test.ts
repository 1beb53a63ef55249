/** The page as people use it: a real browser, the real server, rehearsals. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { openEvaluator } from "../../../lib/sandbox/open-evaluator.ts";
import { aHeldEvaluator, aLastingPort, aServer, followed, type TestServer } from "../../../test/api/served.ts";
import { NO_EVIDENCE } from "../../../test/doubles/no-evidence.ts";
import { inTree, noBrowser } from "./browser.ts";
import { openPages } from "./pages.ts";

const servers: TestServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.remove();
});
// Closed before their server is.
const { open } = openPages();

/** An ended run is asked for every 30 seconds. */
const OUTAGE = { timeout: 60_000 };
const TASK = "Keep a tally of what I spend";

async function serving(parts: Parameters<typeof aServer>[0] = {}): Promise<TestServer> {
  const server = await aServer(parts);
  servers.push(server);
  return server;
}

const completed = (page: Page) => page.locator("header").getByText("completed", { exact: true });

/** A rehearsal that has ended. */
async function aTally(server: TestServer): Promise<string> {
  const { id } = (await server.post("/runs", { task: TASK, model: "rehearsal" })).json;
  await followed(server, id);
  return id;
}

const at = (server: TestServer, id: string, more = ""): string => `${server.url}/#run=${id}${more}`;

describe.skipIf(noBrowser)("the page", () => {
  it("begins a run and watches it to its end, without being loaded again", async () => {
    const { evaluator, letGo } = aHeldEvaluator();
    const server = await serving({ evaluator });
    const page = await open(server.url);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.getByText("There are no runs yet.").waitFor();
    await page.getByText('npx l2mac "<task>"').waitFor();
    await page.getByLabel("Task").fill(TASK);
    await page.getByLabel("Only rehearse").check();
    await page.getByRole("button", { name: "Start run" }).click();
    await page.getByText("planning").or(page.getByText("running")).first().waitFor();
    await page.getByRole("button", { name: "running 1 Lay out the project" }).waitFor();
    letGo();
    await completed(page).waitFor();
    expect(await page.getByRole("img", { name: "accepted" }).count()).toBe(7);
    // Not at every event.
    const { turns } = (await server.ask("/runs")).json.runs[0];
    expect(asked.filter((path) => path.endsWith("/program")).length).toBeLessThan(turns / 2);
    await page.getByRole("link", { name: "All runs" }).click();
    await page.getByRole("row", { name: /tally .*completed/ }).waitFor();
  });

  it("says what is wrong with a run as the API says it", async () => {
    const server = await serving();
    const page = await open(server.url);
    await page.getByLabel("Task").fill(TASK);
    await page.getByLabel("Program (optional").fill("[1, 2");
    await page.getByRole("button", { name: "Start run" }).click();
    await page.getByText("Invalid JSON").waitFor();
    await page.getByLabel("Program (optional").fill("do it all");
    await page.getByRole("button", { name: "Start run" }).click();
    await page.getByText("line 1, column 1: there is no list").waitFor();
    await page.getByLabel("Program (optional").fill("");
    await page.getByRole("button", { name: "Start run" }).click();
    const { json } = await server.post("/runs", { task: TASK, domain: "codebase" });
    await page.getByRole("alert").getByText(json.detail).first().waitFor();
  });

  it("says beside its field what is wrong with it, once, and leads there", async () => {
    const server = await serving();
    const page = await open(server.url);
    const begin = async (says: string, field: string): Promise<void> => {
      await page.getByRole("button", { name: "Start run" }).click();
      await page.getByRole("alert").getByText(says, { exact: true }).waitFor();
      expect(await page.getByRole("alert").count()).toBe(1);
      await page.locator(`[name=${field}][aria-invalid=true]:focus`).waitFor();
    };
    await begin("Enter a task.", "task");
    await page.getByLabel("Task").fill("  \n ");
    await begin("Enter a task.", "task");
    await page.getByLabel("Task").fill(TASK);
    for (const [written, says] of [
      ["0x10", "Ceiling in US dollars: enter a number, like 10.50."],
      ["ten", "Ceiling in US dollars: enter a number, like 10.50."],
      ["0", "Ceiling in US dollars: it must be more than 0."],
    ] as const) {
      await page.getByLabel("Ceiling in US dollars").fill(written);
      await begin(says, "usd");
    }
    await page.getByLabel("Ceiling in US dollars").fill("10.50");
    await page.getByLabel("Only rehearse").check();
    await page.getByRole("button", { name: "Start run" }).click();
    await page.locator("h1:focus", { hasText: TASK }).waitFor();
  });

  it("approves a program that was changed in it", async () => {
    const server = await serving();
    const { id } = (await server.post("/runs", { task: TASK, model: "rehearsal", approve: "plan" })).json;
    const page = await open(at(server, id));
    await page.getByText("waiting (approval)").waitFor();
    await page.getByRole("button", { name: "Edit as Markdown" }).click();
    const field = page.getByLabel("Program as Markdown");
    const planned = await field.inputValue();
    expect(planned).toContain("Lay out the project");
    const refused = async (written: string, says: string): Promise<void> => {
      await field.fill(written);
      await page.getByRole("button", { name: "Approve" }).click();
      await page.getByRole("button", { name: "Yes, approve" }).click();
      await page.getByRole("dialog").getByRole("alert").getByText(says).waitFor();
      await page.keyboard.press("Escape");
    };
    await refused("There is nothing to do.", "line 1, column 1: there is no list");
    await refused(
      planned.replace("# Program", "# Program\n\n1. **Far** (R99)\n\n   Serve what is not required.\n"),
      "R99",
    );
    await field.fill(planned.replace("Lay out the project", "Lay out all of it"));
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("Your changes to it are used.").waitFor();
    await page.getByRole("button", { name: "Yes, approve" }).click();
    await page.getByRole("button", { name: "1 Lay out all of it" }).waitFor();
    await completed(page).waitFor();
    await page.getByText("Approved. The program is being executed.").waitFor({ state: "hidden" });
    expect(await page.evaluate("document.activeElement.tagName")).toBe("H1");
  });

  it("stops a run and goes on with it, each asked once more", async () => {
    const { evaluator, letGo } = aHeldEvaluator();
    const server = await serving({ evaluator });
    const { id } = (await server.post("/runs", { task: TASK, model: "rehearsal" })).json;
    const page = await open(at(server, id));
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "No" }).click();
    expect((await server.ask(`/runs/${id}`)).json.cancelRequested).toBeUndefined();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Yes, cancel" }).click();
    await page.locator(":focus", { hasText: "The run stops after its current turn." }).waitFor();
    letGo();
    await page.getByText("cancelled: ").waitFor();
    await page.getByText("The run stops after its current turn.").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("button", { name: "Yes, resume" }).click();
    await completed(page).waitFor();
  });

  it("shows everything as it was at an earlier turn: the program, the files, their text, and what a turn changed", async () => {
    const home = mkdtempSync(join(tmpdir(), "l2mac-page-"));
    const { evaluator } = openEvaluator({ home, env: process.env, announce: () => {} });
    const server = await serving({ evaluator });
    const page = await open(at(server, await aTally(server)));
    await completed(page).waitFor();
    await page.getByText("Files (21)").waitFor();
    await page.getByRole("button", { name: "accepted 2 Read and write CSV" }).click();
    await page.getByText("instruction 2, turn").waitFor();
    expect(await page.getByRole("img", { name: "pending" }).count()).toBe(5);
    await page.getByText("Files (7)").waitFor();
    await inTree(page, "src/csv.js").click();
    await page.getByText("Last changed in instruction 2, turn 2.").waitFor();
    await page.getByLabel("Compared with").selectOption({ label: "before that change" });
    await page.locator("del", { hasText: "=== '\"' {" }).waitFor();
    await page.locator("ins", { hasText: "=== '\"') {" }).waitFor();
    const slider = page.getByRole("slider", { name: "Turn" });
    await slider.focus();
    await page.keyboard.press("Home");
    await page.getByText("planning, turn 1").first().waitFor();
    await page.getByText("There are no files yet.").waitFor();
    await page.getByRole("button", { name: "Latest" }).click();
    await page.getByText("Files (21)").waitFor();
    await page.goBack();
    await page.getByText("There are no files yet.").waitFor();
  });

  it("shows what was said in a turn, and what the tools answered", async () => {
    const server = await serving();
    const page = await open(at(server, await aTally(server), "&at=2.1"));
    await page.locator("summary", { hasText: "write_files" }).first().click();
    await page.locator("pre", { hasText: "Comma-separated values" }).first().waitFor();
    expect(await page.locator("pre .hljs-keyword").count()).toBeGreaterThan(5);
  });

  it("says that the server is away, and goes on where it was when that is back", async () => {
    const first = await aServer({ port: await aLastingPort() });
    const id = await aTally(first);
    const page = await open(at(first, id));
    await completed(page).waitFor();
    await first.stop();
    await page.getByText("The server has not answered for").waitFor(OUTAGE);
    const { serve } = await import("../../../lib/local/server/serve.ts");
    const port = Number(new URL(first.url).port);
    const again = await serve({
      machine: first.machine,
      port,
      model: {},
      install: false,
      defaults: NO_EVIDENCE,
      say: () => {},
    });
    await page.getByText("The server has not answered for").waitFor({ ...OUTAGE, state: "detached" });
    // The token of the first start is worth nothing any more.
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("button", { name: "Yes, delete" }).click();
    await page.getByText("There are no runs yet.").waitFor();
    await again.stop();
    await first.remove();
  });

  it("loses and repeats nothing when the server restarts during a run", async () => {
    const { evaluator, letGo } = aHeldEvaluator();
    const first = await aServer({ evaluator, port: await aLastingPort() });
    const { id } = (await first.post("/runs", { task: TASK, model: "rehearsal" })).json;
    const page = await open(at(first, id));
    await page.getByRole("button", { name: "running 1 Lay out the project" }).waitFor();
    await first.stop();
    await page.getByText("The server has not answered for").waitFor(OUTAGE);
    const { serve } = await import("../../../lib/local/server/serve.ts");
    const port = Number(new URL(first.url).port);
    const again = await serve({
      machine: first.machine,
      port,
      model: {},
      install: false,
      defaults: NO_EVIDENCE,
      say: () => {},
    });
    await page.getByText("waiting (interrupted)").waitFor();
    letGo();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("button", { name: "Yes, resume" }).click();
    await completed(page).waitFor();
    const { turns } = await (await fetch(`${first.url}/runs/${id}/turns?limit=1000`)).json();
    for (const number of [7, 1]) {
      await page.getByRole("button", { name: new RegExp(`^accepted ${number} `) }).click();
      const own = turns.filter(({ instruction }: { instruction: number }) => instruction === number);
      const names = own.map(({ turn }: { turn: number }) => `Turn ${turn}`);
      await page.getByText(`instruction ${number}, turn ${own.length}`).waitFor();
      await expect.poll(() => page.locator(".turn-name").allTextContents()).toEqual(names);
    }
    await again.stop();
    await first.remove();
  });
});

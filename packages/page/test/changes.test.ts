/** What a person changes of a run that stopped: its model and how it goes on; or a new run that begins before an instruction. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aServer, followed, type TestServer } from "../../../test/api/served.ts";
import { barriers } from "./barriers.ts";
import { noBrowser } from "./browser.ts";
import { openPages } from "./pages.ts";

let server: TestServer;
let completed: string;
let stopped: string;
const pages = openPages();
beforeAll(async () => {
  if (noBrowser) return;
  server = await aServer({ model: { model: "openai/gpt-5.5", apiKey: "sk-1" } });
  const begin = async (more = {}): Promise<string> => {
    const { id } = (await server.post("/runs", { task: "Keep a tally of what I spend", model: "rehearsal", ...more }))
      .json;
    await followed(server, id);
    return id;
  };
  completed = await begin({ name: "tally" });
  stopped = await begin({ name: "tally-in-few-turns", budget: { turns: 12 } });
});
afterAll(() => server?.remove());

const open = (id: string, options = {}): Promise<Page> => pages.open(`${server.url}/#run=${id}`, options);

const NARROW = { viewport: { width: 390, height: 844 } };
const dialog = (page: Page) => page.getByRole("dialog");
const beginWith = (page: Page) => page.getByLabel("Instruction to begin with");

describe.skipIf(noBrowser)("going back to an instruction", () => {
  it("begins a new run before it, leads there, and leaves the run as it was", async () => {
    const before = (await server.ask(`/runs/${completed}`)).json;
    const page = await open(completed);
    await page.getByRole("button", { name: "Go back to an instruction…" }).click();
    await dialog(page).getByText("This run is kept as it is. A rehearsal costs nothing.").waitFor();
    expect(await beginWith(page).locator("option").count()).toBe(7);
    expect(await barriers(page)).toEqual([]);
    await beginWith(page).selectOption({ label: "6 Put the command together" });
    await page.getByLabel("Name of the new run").fill("tally-again");
    const sent = page.waitForRequest((request) => request.url().endsWith(`/runs/${completed}/back`));
    await page.getByRole("button", { name: "Yes, begin the new run" }).click();
    expect((await sent).postDataJSON()).toEqual({ to: 6, name: "tally-again" });
    await page
      .getByRole("navigation", { name: "Program" })
      .getByRole("button", { name: / 1 Put the command/ })
      .waitFor();
    const id = new URLSearchParams(new URL(page.url()).hash.slice(1)).get("run") ?? "";
    expect(id).not.toBe(completed);
    await followed(server, id);
    expect((await server.ask(`/runs/${id}`)).json).toMatchObject({ name: "tally-again", instructions: 2 });
    expect((await server.ask(`/runs/${completed}`)).json).toEqual(before);
  });

  it("forks a run after a turn, leads there, and names where it came from", async () => {
    const page = await open(completed, NARROW);
    await page.getByRole("button", { name: "Fork…" }).click();
    await dialog(page).getByText("A new run inherits all that this one computed up to a point, at no cost").waitFor();
    const at = page.getByLabel("After instruction (3), or after a turn of one (3.2)");
    expect(await at.inputValue()).toBe("6");
    expect(await barriers(page)).toEqual([]);
    await at.fill("9.1");
    await page.getByRole("button", { name: "Yes, begin the new run" }).click();
    await dialog(page).getByRole("alert").getByText("cannot be forked at 9.1").waitFor();
    await at.fill("6.1");
    await page.getByLabel("Name of the new run").fill("tally-fork");
    const sent = page.waitForRequest((request) => request.url().endsWith(`/runs/${completed}/fork`));
    await page.getByRole("button", { name: "Yes, begin the new run" }).click();
    expect((await sent).postDataJSON()).toEqual({ at: "6.1", name: "tally-fork" });
    await page.getByText("Forked from").waitFor();
    expect(await page.evaluate("innerWidth - document.documentElement.scrollWidth")).toBe(0);
    const id = new URLSearchParams(new URL(page.url()).hash.slice(1)).get("run") ?? "";
    await followed(server, id);
    const forkedFrom = { run: completed, at: "6.1" };
    expect((await server.ask(`/runs/${id}`)).json).toMatchObject({ name: "tally-fork", instructions: 7, forkedFrom });
  });

  it("goes on from the result of a completed run with another task, and leads there", async () => {
    const page = await open(completed, NARROW);
    await page.getByRole("button", { name: "Go on from here…" }).click();
    await dialog(page).getByText("A new run begins with the files of this one").waitFor();
    await page.getByRole("button", { name: "Yes, begin the new run" }).click();
    await dialog(page).getByRole("alert").getByText("Enter a task.").waitFor();
    expect(await barriers(page)).toEqual([]);
    await dialog(page).locator("[name=task][aria-invalid=true]").fill("Now add accounts");
    await page.getByRole("button", { name: "Yes, begin the new run" }).click();
    await page.getByRole("heading", { name: "Now add accounts", level: 1 }).waitFor();
    const id = new URLSearchParams(new URL(page.url()).hash.slice(1)).get("run") ?? "";
    await followed(server, id);
    const filesAt = async (path: string): Promise<number> => (await server.ask(path)).json.files.length;
    expect(await filesAt(`/runs/${id}/files?at=0&limit=1000`)).toBe(
      await filesAt(`/runs/${completed}/files?limit=1000`),
    );
  });

  it("offers what was accepted and the next, says beside its field what is wrong, and does nothing on No", async () => {
    const page = await open(stopped, NARROW);
    const runs = (await server.ask("/runs")).json.runs.length;
    await page.getByRole("button", { name: "Go back to an instruction…" }).click();
    expect(await beginWith(page).locator("option").allTextContents()).toHaveLength(3);
    expect(await beginWith(page).inputValue()).toBe("3");
    await page.getByLabel("Name of the new run").fill("no/name");
    await page.getByRole("button", { name: "Yes, begin the new run" }).click();
    await page.locator("[name=name][aria-invalid=true]:focus").waitFor();
    await dialog(page).getByRole("alert").getByText("It takes letters, digits").waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(await page.evaluate("innerWidth - document.documentElement.scrollWidth")).toBe(0);
    await page.getByRole("button", { name: "No", exact: true }).click();
    await dialog(page).waitFor({ state: "hidden" });
    expect((await server.ask("/runs")).json.runs).toHaveLength(runs);
  });
});

const CHANGE = "Change the model, other ceilings, or how the run works";

describe.skipIf(noBrowser)("resuming a run", () => {
  it("with another model shows beside its field what the API says of it", async () => {
    const page = await open(stopped, NARROW);
    await page.getByRole("button", { name: "Resume with more" }).click();
    await page.getByText(CHANGE).click();
    await page.getByText("What you leave empty stays as it is.").waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(await page.evaluate("innerWidth - document.documentElement.scrollWidth")).toBe(0);
    const model = page.getByLabel(/\(--model\)/);
    expect(await model.getAttribute("placeholder")).toBe("now rehearsal");
    await model.fill("gpt-5.5");
    await page.getByText(CHANGE).click();
    await page.getByRole("button", { name: "Yes, resume" }).click();
    await page.locator("[name=option-model][aria-invalid=true]:focus").waitFor();
    await dialog(page).getByRole("alert").getByText("A rehearsal cannot be combined with other models").waitFor();
    await model.fill("anthropic/claude-sonnet-4-5");
    await page.getByRole("button", { name: "Yes, resume" }).click();
    await dialog(page).locator("p:focus", { hasText: "The key of the model server is not set." }).waitFor();
    await model.fill("");
    await page.getByLabel(/\(--max-minutes\)/).fill("0");
    await page.getByRole("button", { name: "Yes, resume" }).click();
    await page.locator("[name=option-maxMinutes][aria-invalid=true]:focus").waitFor();
    expect((await server.ask(`/runs/${stopped}`)).json.status).toBe("partial");
  });

  it("sends what is changed, and nothing of what is left as it is", async () => {
    const page = await open(stopped);
    await page.getByRole("button", { name: "Resume with more" }).click();
    await page.getByText(CHANGE).click();
    await page.getByLabel(/\(--effort\)/).selectOption("low");
    await page.getByLabel(/\(--on-stuck\)/).selectOption("skip");
    await page.getByLabel(/\(--no-stream\)/).selectOption("off");
    await page.getByLabel(/\(--max-minutes\)/).fill("30.5");
    const sent = page.waitForRequest((request) => request.url().endsWith("/resume"));
    await page.getByRole("button", { name: "Yes, resume" }).click();
    expect((await sent).postDataJSON()).toEqual({
      ...{ effort: "low", onStuck: "skip", stream: false, budget: { turns: 24, minutes: 30.5 } },
    });
    await dialog(page).waitFor({ state: "hidden" });
    await followed(server, stopped);
    const { options } = (await server.ask(`/runs/${stopped}`)).json;
    expect(options).toMatchObject({
      effort: "low",
      onTrap: "skip",
      stream: false,
      budget: { turns: 24, minutes: 30.5 },
    });
  });
});

/** What the page tells of a turn, an instruction and a run that do not go as they should, and where its pictures lead. */
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notRun, type Verdict } from "../../../lib/core/verdict/verdict.ts";
import { aServer, followed, type TestServer } from "../../../test/api/served.ts";
import { buildPage } from "../build-page.ts";
import { barriers } from "./barriers.ts";
import { inTree, noBrowser } from "./browser.ts";
import { openPages } from "./pages.ts";

let server: TestServer;
let tally: string;
const pages = openPages();
beforeAll(async () => {
  if (noBrowser) return;
  server = await aServer();
  const files = [
    { path: "data/picture.bin", content: "\u0000\u0001\u0002" },
    { path: "given.md", content: "Given.\n" },
  ];
  const { json } = await server.post("/runs", { task: "Keep a tally of what I spend", model: "rehearsal", files });
  tally = json.id;
  await followed(server, tally);
});
afterAll(() => server?.remove());

async function open(more = "", id = tally): Promise<Page> {
  const page = await pages.open("about:blank");
  await page.goto(`${server.url}/#run=${id}${more}`);
  return page;
}

/** What the server answers there, changed on its way. */
// biome-ignore lint/suspicious/noExplicitAny: each test changes its own answer.
async function changed(path: string, change: (answer: any) => unknown, { more = "", now = 0 } = {}): Promise<Page> {
  const page = await pages.open("about:blank");
  if (now > 0) await page.clock.setFixedTime(now);
  await page.route(`**/runs/${tally}${path}`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: change(await answer.json()) });
  });
  await page.goto(`${server.url}/#run=${tally}${more}`);
  return page;
}

const red: Verdict = {
  ...notRun("turned_off"),
  syntax: {
    status: "failed",
    errors: [{ path: "src/csv.js", line: 3, message: "a bracket is missing", rule: "parse" }],
    warnings: [{ path: "src/main.js", message: "never used" }],
    scope: { files: 1, of: 7 },
  },
  tests: {
    ...{ status: "failed", passed: 4, failed: 1, errors: 0, skipped: 0, output: "what it printed" },
    cases: [
      { name: "adds up", status: "failed", message: "expected 2, got 3" },
      { name: "lists", status: "passed" },
    ],
  },
  missingPackages: ["left-pad"],
};

describe.skipIf(noBrowser)("a turn", () => {
  it("shows its verdict with links to lines, the decision of the gate, and why a new conversation starts", async () => {
    const page = await changed(
      "/turns/2/2",
      ({ answer, effects, turn }) => ({
        turn,
        answer,
        effects: {
          ...effects,
          inputs: {
            ...effects.inputs,
            opening: { listing: "", note: "Done so far: nothing.", why: "it went in circles" },
          },
          verdicts: [red],
          results: [
            ...effects.results,
            {
              ...{ callId: "x", tool: "complete_instruction", ok: false, text: "Not yet." },
              ...{ note: "not accepted: syntax and tests", about: { kind: "verdict" } },
            },
          ],
        },
      }),
      { more: "&at=2.2" },
    );
    await page.getByText("A new conversation starts here: it went in circles.").waitFor();
    const verdict = page.getByRole("region", { name: "Verdict" });
    await verdict.getByText("Syntax: 1 error").waitFor();
    await verdict.getByText("Tests: 4 passed, 1 failed").waitFor();
    await verdict.getByText("Warnings (1)").waitFor();
    await verdict.getByText("left-pad").waitFor();
    await verdict.getByText("checked 1 of 7 files").waitFor();
    expect(await verdict.getByText("expected 2, got 3").isVisible()).toBe(false);
    await verdict.getByText("failed: adds up").click();
    await verdict.getByText("expected 2, got 3").waitFor();
    await page.getByText("Gate: not accepted: syntax and tests").waitFor();
    await verdict.getByRole("link", { name: "src/csv.js:3" }).click();
    await page.getByRole("heading", { name: "src/csv.js" }).waitFor();
    await page.getByText("Line 3").waitFor({ state: "attached" });
    expect(page.url()).toContain("at=2.2");
  });

  it("says in its line, unopened, and in the program, that it was refused and which locked tests it amended", async () => {
    const page = await changed("/turns?*", (answer) => {
      const [first, second] = answer.turns.filter(({ instruction }: { instruction: number }) => instruction === 3);
      Object.assign(first, { amended: ["test/csv.test.js"], found: { passed: 4, failed: 2 }, refused: "tests" });
      Object.assign(second, { refused: "locked tests" });
      return answer;
    });
    await page.getByRole("button", { name: /accepted 3 Keep entries.*refused 2× · amended 1 test/ }).click();
    await page.getByRole("button", { name: /^Turn 1 .*amended test\/csv.test.js.*refused: 2 tests failed/ }).waitFor();
    await page.getByRole("button", { name: /^Turn 2 .*refused: locked tests weakened/ }).waitFor();
  });

  it("folds what its tools answered, and shows no JSON", async () => {
    const page = await changed(
      "/turns/2/2",
      ({ answer, effects, turn }) => {
        const call = { id: "r", name: "read_files", arguments: '{"files":[{"path":"src/csv.js","from_line":2}]}' };
        const list = { id: "l", name: "list_files", arguments: '{"prefix":"src/"}' };
        const result = { ok: true, text: "1\n2\n3\n4\nfive", note: "src/csv.js", about: { kind: "other" } };
        const results = [call, list].map(({ id, name }) => ({ ...result, callId: id, tool: name }));
        return {
          turn,
          answer: { ...answer, answer: { ...answer.answer, toolCalls: [call, list] } },
          effects: { ...effects, verdicts: [], results },
        };
      },
      { more: "&at=2.2" },
    );
    await page.locator("summary", { hasText: "read_files" }).click();
    await page.locator("summary", { hasText: "list_files" }).click();
    await page.getByText("lines 2 to the last").waitFor();
    await page.getByText("src/", { exact: true }).first().waitFor();
    expect(await page.getByText("five").first().isVisible()).toBe(false);
    await page.getByText("Result (5 lines)").first().click();
    await page.getByText("five").first().waitFor();
    expect(await page.locator(".turn").innerText()).not.toContain('{"');
  });
});

describe.skipIf(noBrowser)("a transcript", () => {
  it("marks who speaks, and renders what the model wrote", async () => {
    const page = await changed(
      "/turns/2/2",
      ({ answer, effects, turn }) => ({
        turn,
        answer: { ...answer, answer: { ...answer.answer, text: "# A heading\n\nSome **bold** words." } },
        effects: {
          ...effects,
          correction: "Call a *tool*.",
          inputs: { ...effects.inputs, opening: { listing: "", note: "", environment: "Node 24" } },
        },
      }),
      { more: "&at=2.2" },
    );
    const model = page.getByRole("region", { name: "Model", exact: true });
    await model.getByRole("heading", { name: "A heading" }).waitFor();
    await model.locator("strong", { hasText: "bold" }).waitFor();
    await page.getByRole("region", { name: "Machine" }).locator("em", { hasText: "tool" }).waitFor();
    await page.getByRole("region", { name: "System" }).getByText("What the system prompt states").waitFor();
    await page.getByRole("region", { name: "Tool", exact: true }).locator("summary").first().waitFor();
    expect(await barriers(page)).toEqual([]);
  });

  it("folds refusals that repeat, unfolds them, and leads from failure to failure", async () => {
    const page = await changed(
      "/turns?*",
      (answer) => {
        const last = answer.turns.findLast(({ instruction }: { instruction: number }) => instruction === 7);
        const again = { ...last, did: "complete_instruction", refused: "tests", outcome: "tools" };
        const more = [1, 2, 3, 4, 5, 6].map((offset) => ({ ...again, turn: last.turn + offset }));
        return { ...answer, turns: [...answer.turns, ...more] };
      },
      { more: "&tab=transcript" },
    );
    await page.getByRole("button", { name: "4 more turns refused in the same way" }).click();
    const refused = page.getByRole("button", { name: /^Turn \d+ complete_instruction refused/ });
    expect(await refused.count()).toBe(6);
    const next = page.getByRole("button", { name: "Next failure" });
    expect(await next.isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Previous failure" }).click();
    await expect.poll(() => refused.count()).toBe(5);
    await next.click();
    await expect.poll(() => refused.count()).toBe(6);
    expect(await page.locator(".ticks .failures").getAttribute("d")).toMatch(/^(M\d+ 0V1)+$/);
  });

  it("is searched with the files, and leads to each passage", async () => {
    const page = await open("&tab=search");
    await page.getByLabel("Search turns and files").fill("comma-separated VALUES");
    await page.keyboard.press("Enter");
    await page.getByText(/^In \d+ places\.$/).waitFor();
    await page.getByRole("link", { name: "instruction 2, turn 1" }).waitFor();
    await page.locator("mark", { hasText: "Comma-separated values" }).first().waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole("link", { name: "src/csv.js" }).click();
    await page.getByRole("heading", { name: "src/csv.js" }).waitFor();
    await page.goBack();
    await page.getByText(/^In \d+ places\.$/).waitFor();
    await page.getByLabel("Search turns and files").fill("there is nothing like this");
    await page.keyboard.press("Enter");
    await page.getByText("No turn and no file has it.").waitFor();
  });
});

describe.skipIf(noBrowser)("an instruction", () => {
  it("shows its tests and requirements in its row, and what it asks and handed over", async () => {
    const page = await open("&at=2");
    await page.getByRole("button", { name: /accepted 2 Read and write CSV .*turns.*R\d/ }).waitFor();
    await page.getByText("Text", { exact: true }).click();
    await page.getByText("Hand-over").waitFor();
  });

  it("that is stuck shows the evidence", async () => {
    const trap = {
      kind: "loop",
      detail: "It went in circles.",
      repeated: "run_checks {}",
      times: 4,
      verdict: "tests 1 failed",
    };
    const page = await changed(
      "/program",
      (program) => {
        program.instructions[2] = { ...program.instructions[2], status: "trapped", trap };
        return program;
      },
      { more: "&at=3" },
    );
    await page.getByRole("img", { name: "stuck" }).waitFor();
    await page.getByText("Stuck: It went in circles.").waitFor();
    await page.getByText("Repeated 4 times: run_checks {}").waitFor();
    await page.getByText("Last verdict: tests 1 failed").waitFor();
  });
});

describe.skipIf(noBrowser)("a run", () => {
  it("that waits says on what, and counts down to when it goes on", async () => {
    const now = Date.now();
    const waitUntil = new Date(now + 90_000).toISOString();
    const waits = (run: object) => ({ ...run, status: "waiting", reason: "rate_limited", waitUntil });
    const page = await changed("", waits, { now });
    await page.getByText(/The model server asked for a pause\. It continues automatically in 1 min 30 s/).waitFor();
    await page.clock.setFixedTime(now + 5_000);
    await page.getByText(/in 1 min 25 s, at \d+:\d\d:\d\d|in 1 min 25 s, at \d+ \w+/).waitFor();
  });

  it("that ended early says what happened and what to do next, and in its figures what is kept and what it cost", async () => {
    const page = await changed("", (run) => ({
      ...{ ...run, status: "partial", reason: "usd", detail: "The ceiling of $5.00 is reached." },
      options: { ...run.options, budget: { usd: 5 } },
    }));
    await page.getByText("partial (usd): The ceiling of $5.00 is reached.").waitFor();
    await page.locator(".facts").getByText("7/7").first().waitFor();
    await page.locator(".facts").getByText("$0.00").first().waitFor();
    await page.getByText(`l2mac resume ${tally.slice(-6)} --budget 10`).waitFor();
  });

  it("shows its task under planning, with its lines and with signs for what hides in it", async () => {
    const change = (answer: object) => ({ ...answer, task: "First line\n  second \u202e<b>line</b>" });
    const page = await changed("/task", change, { more: "&at=0" });
    const task = page.getByRole("region", { name: "Task" }).locator("pre");
    await task.waitFor();
    expect(await task.textContent()).toBe("First line\n  second ⟦U+202E⟧<b>line</b>");
    expect(await page.title()).toMatch(/ · completed$/);
  });

  it("that is not there says so", async () => {
    const page = await open("", "01M7ZR63C0YXE0KT7F3MTSJJGS");
    await page.getByText("There is no run with this id on this server.").waitFor();
  });

  it("that takes long to be opened says after ten seconds what to do", async () => {
    const page = await pages.open("about:blank");
    await page.clock.install();
    await page.route(`**/runs/${tally}*`, () => {});
    await page.goto(`${server.url}/#run=${tally}`);
    await page.getByText("Loading the run…").waitFor();
    await page.clock.fastForward(10_000);
    await page.getByText("Loading the run takes longer than 10 seconds.").waitFor();
  });
});

describe.skipIf(noBrowser)("files", () => {
  it("stand in folders that are folded and opened, also by the arrow keys", async () => {
    const page = await open();
    const folder = page.getByRole("button", { name: /^src\/ \d+$/ });
    const inside = inTree(page, "src/csv.js");
    await inside.waitFor();
    await folder.focus();
    await page.keyboard.press("ArrowLeft");
    await inside.waitFor({ state: "detached" });
    await page.keyboard.press("ArrowRight");
    await inside.waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "src/" }).waitFor();
  });

  it("are compared between any two instructions", async () => {
    const page = await open("&at=7&tab=file&file=README.md");
    await page.getByText("Last changed in instruction 7").waitFor();
    await page.getByLabel("Compared with").selectOption({ label: "instruction 3" });
    await page.locator("ins").first().waitFor();
    expect(page.url()).toMatch(/against=3\.\d/);
    await page.getByLabel("Compared with").selectOption({ label: "nothing" });
    await page.locator("ins").first().waitFor({ state: "detached" });
  });

  it("are compared from the older to the newer, also if the earlier one is selected; what is not there is not asked for", async () => {
    const page = await open("&at=3&tab=file&file=README.md");
    const missing: string[] = [];
    page.on("response", (answer) => answer.status() === 404 && missing.push(answer.url()));
    await page.getByText("The file does not exist at this turn.").first().waitFor();
    await page.getByLabel("Compared with").selectOption({ label: "the end" });
    await page.getByText(/^instruction 3 → the end/).waitFor();
    await page.locator("ins").first().waitFor();
    expect(await page.locator("del").count()).toBe(0);
    expect(missing).toEqual([]);
  });

  it("that are no text are saved, and not opened", async () => {
    const page = await open("&tab=file&file=data%2Fpicture.bin");
    await page.getByText("It came with the task.").waitFor();
    await page.getByText("The file is not text.").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("picture.bin");
  });
});

describe.skipIf(noBrowser)("charts", () => {
  it("lead from a cell to what its file became there, by a click and by keys, and from a bar to its turn", async () => {
    const page = await open("&tab=charts");
    await page.locator('[data-file="src%2Fcsv.js"]').first().click();
    await page.getByRole("heading", { name: "src/csv.js" }).waitFor();
    await page.locator("ins").first().waitFor();
    await page.goBack();
    await page.getByRole("region", { name: "Files by turns" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await page.locator("output", { hasText: " in " }).nth(1).waitFor();
    await page.keyboard.press("Enter");
    await page.locator("article ins").first().waitFor();
    await page.goBack();
    await page.getByRole("region", { name: "Tests over time" }).locator('[data-at="3.1"]').first().click();
    await page.getByText("instruction 3, turn 1").first().waitFor();
  });
});

describe("the page's files", () => {
  it("are at most 200 KB together, compressed", async () => {
    const files = Object.values(await buildPage());
    expect(files.reduce((sum, text) => sum + gzipSync(text).length, 0)).toBeLessThanOrEqual(200_000);
  });
});

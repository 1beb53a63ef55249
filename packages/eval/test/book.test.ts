/** The suite of books: its checker on specimens with one fault each, and a book through the real machine. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { projectFile } from "../../../lib/files/project-files.ts";
import { aBench, type Bench } from "../../../test/doubles/command.ts";
import type { ScriptedAnswer, ScriptedRequest } from "../../../test/servers/scripted-completion.ts";
import { type ScriptedServer, startScriptedServer } from "../../../test/servers/scripted-openai.ts";
import { bytesOf } from "../case-files.ts";
import type { EvalCase, Tree } from "../suite.ts";
import { book } from "../suites/book/book.ts";

const checker = readFileSync(projectFile("packages/eval/checkers/book.mjs"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "l2mac-book-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const cases = await book.load({ cache: "", env: {}, say: () => {} });
const guide = named("field-guide");

function named(id: string): EvalCase {
  const found = cases.find((each) => each.id === id);
  if (!found) throw new Error(`There is no book ${id}.`);
  return found;
}

type Outcome = [passed: number, of: number, failures: string[], measured: { words: number; repeated: number }];

function check(checked: [EvalCase, Tree][]): Outcome[] {
  const at = mkdtempSync(join(folder, "trees-"));
  const entries = checked.map(([{ spec }, files], index) => {
    for (const [path, content] of bytesOf(files)) {
      const place = join(at, `tree-${index}`, path);
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, content);
    }
    return { folder: `tree-${index}`, spec };
  });
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", checker], {
    ...{ cwd: at, input: JSON.stringify({ nonce: "key", entries }), encoding: "utf8" },
  });
  const line = stdout.split("\n").find((each) => each.startsWith("key "));
  if (line === undefined) throw new Error(stderr);
  return JSON.parse(line.slice("key ".length));
}

/** The specimen with one text of one chapter replaced. */
function changed(each: EvalCase, chapter: number, change: (text: string) => string): Tree {
  const path = Object.keys(each.oracle).filter((name) => name.startsWith("chapters/"))[chapter - 1] ?? "";
  const text = each.oracle[path];
  if (typeof text !== "string") throw new Error(`${path} is no text.`);
  const now = change(text);
  expect(now).not.toBe(text);
  return { ...each.oracle, [path]: now };
}

const longest = (text: string): string =>
  text.split("\n\n").reduce((one, other) => (other.length > one.length ? other : one));

describe("the checks of a book", () => {
  it("pass on the specimen of each task, and count what it has", () => {
    for (const [passed, of, failures, { words, repeated }] of check(cases.map((each) => [each, each.oracle]))) {
      expect(failures).toEqual([]);
      expect(passed).toBe(of);
      expect(words).toBeGreaterThan(3_000);
      expect(repeated).toBeLessThan(0.01);
    }
  });

  it("are all red on an empty tree and on the books of the other tasks", () => {
    const others = cases.flatMap((each) =>
      cases.filter((other) => other !== each).map((other): [EvalCase, Tree] => [each, other.oracle]),
    );
    const outcomes = check([...cases.map((each): [EvalCase, Tree] => [each, {}]), ...others]);
    expect(outcomes.map(([passed]) => passed)).toEqual(outcomes.map(() => 0));
  });

  it.each<[string, (text: string) => string, number, string?]>([
    ["words 3", (text) => text.slice(0, 1_500), 3],
    ["words 3", (text) => `${text}\n${Array.from({ length: 600 }, (_, at) => `w${at}`).join(" ")}\n`, 3],
    ["says 3 tufted sedge grows on its own peat", (text) => text.replace("tufted sedge", "sedge"), 3],
    ["fact Heron Pool is 4.2 metres deep", (text) => text.replace("4.2 metres", "4.3 metres"), 6],
    ["fact Heron Pool is 4.2 metres deep", (text) => `${text}\nHeron Pool is 5 metres deep.\n`, 3],
    ["fact the warden is Odile Marsh", (text) => `${text}\nThe warden is Odile March.\n`, 2],
    ["link 4 3", (text) => text.replace("03-the-sedge-margin.md", "02-heron-pool.md"), 4],
    ["links", (text) => `${text}\nSee [more](12-more.md).\n`, 3],
    ["links", (text) => `${text}\nSee [above](#no-such-heading).\n`, 3],
    ["glossary 8", (text) => text.replace("**turion**", "turion"), 8],
    ["table 2", (text) => text.replace("| 15 ml |", "| 20 ml |"), 2, "cookbook"],
    ["placeholders", (text) => `${text}\n[Insert a picture]\n`, 3],
    ["repetition", (text) => `${text}\n${`${longest(text)}\n\n`.repeat(8)}`, 3],
    [
      "chapters",
      (text) => text.replace(/^# .*$/m, (line) => `${line}\n\nBy somebody.`).replace(/^# (.*)$/m, "# No $1"),
      3,
    ],
  ])("find one fault: %s", (failure, change, chapter, id = "field-guide") => {
    const each = named(id);
    const [[passed, of, failures] = [0, 0, []]] = check([[each, changed(each, chapter, change)]]);
    expect(failures.join("; ")).toContain(failure);
    expect(passed).toBeLessThan(of);
  });

  it("find an EPUB that is missing, or of another book", () => {
    const { "book.epub": _, ...without } = guide.oracle;
    const foreign = named("handbook").oracle["book.epub"] ?? "";
    const outcomes = check([
      [guide, without],
      [guide, { ...without, "book.epub": foreign }],
      [guide, { ...without, "book.epub": "no zip" }],
    ]);
    for (const [passed, of, failures] of outcomes) {
      expect(failures).toEqual(["epub"]);
      expect(passed).toBe(of - 1);
    }
  });

  it("take numbered titles, links to headings and typographic apostrophes", () => {
    const numbered = changed(guide, 3, (text) =>
      text.replace("# The", "# Chapter 3: The").concat("\nSee [above](#chapter-3-the-sedge-margin).\n"),
    );
    expect(check([[guide, numbered]])[0]?.[2]).toEqual([]);
  });

  it("give little for headings, the pasted task, or one chapter again and again", () => {
    const cheap = cases.flatMap((each) =>
      [each.stub, ...each.forgeries.slice(0, 3)].map((tree): [EvalCase, Tree] => [each, tree]),
    );
    for (const [passed, of] of check(cheap)) expect(passed / of).toBeLessThan(0.1);
    for (const [passed, of] of check(cases.map((each) => [each, each.stub]))) expect(passed / of).toBeLessThan(0.1);
  });

  it("read hostile texts in little time", () => {
    const began = performance.now();
    check([[guide, guide.hanging]]);
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});

describe("eval book", () => {
  let bench: Bench;
  let server: ScriptedServer | undefined;
  afterEach(async () => {
    await server?.close();
    bench.remove();
  });

  /** Writes the specimen of the first book, and of the second one only the headings. */
  function answer({ messages }: ScriptedRequest): ScriptedAnswer {
    const text = messages.map(({ content }) => content ?? "").join("\n");
    const each = cases.find(({ task }) => text.includes(task.split("\n")[0] ?? ""));
    const tree = each === cases[0] ? each?.oracle : each?.stub;
    const chapters = Object.entries(tree ?? {}).filter(([path]) => path.startsWith("chapters/"));
    const call = (name: string, value: object): ScriptedAnswer => ({ toolCalls: [{ name, arguments: value }] });
    if (!/^Instruction 1 of 1/m.test(text))
      return call("write_program", { instructions: [{ title: "Write", text: "Write all of it.", requirements: [] }] });
    if (messages.some(({ role }) => role === "tool")) return call("complete_instruction", { summary: "written" });
    return call("write_files", { files: chapters.map(([path, content]) => ({ path, content })) });
  }

  it("writes books by the real machine and its prompts of books, and counts the failed one", async () => {
    bench = aBench();
    server = await startScriptedServer({ answer });
    const at = ["--out", "found", "--evidence", "off", "--base-url", server.url, "--model", "scripted"];
    const { code, stdout, stderr } = await bench.run(["eval", "book", "--limit", "2", ...at]);
    expect(code, stderr).toBe(0);
    const { lines } = JSON.parse(bench.read("found/results.json"));
    const [first, second] = lines;
    expect(first, stderr).toMatchObject({ case: cases[0]?.id, solved: true, status: "completed", failures: [] });
    expect(first.words).toBeGreaterThan(3_000);
    expect(first.repeated).toBeLessThan(0.01);
    expect(second).toMatchObject({ solved: false });
    expect(second.words).toBeLessThan(100);
    expect(stdout).toContain("| case | solved | checks | words | repeated | cost | minutes | runs ended |");
    const asked = server.requests.map(({ messages }) => messages[0]?.content ?? "");
    expect(asked.some((text) => text.startsWith("You are an author who writes one book"))).toBe(true);
  }, 120_000);
});

import { spawnSync } from "node:child_process";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { layTree, newFolder, noPython, removeFolders, toolchain } from "../../test/doubles/evaluation.ts";
import { isAlive } from "../../test/doubles/live-processes.ts";
import { unsealed } from "../sandbox/seal.ts";
import { createEvaluate, type TreeRequest } from "./evaluate.ts";
import { type Checker, createReadyCheckers, type ReadyCheckers } from "./ready-checkers.ts";

afterAll(removeFolders);

const opened: ReadyCheckers[] = [];
afterEach(async () => {
  for (const checkers of opened.splice(0)) await checkers.end();
});
function open(idleMs?: number): ReadyCheckers {
  const checkers = createReadyCheckers(idleMs === undefined ? {} : { idleMs });
  opened.push(checkers);
  return checkers;
}

/** Answers its process id, how often it was asked and what lies in its folder; or does what it is asked to do. */
const PROGRAM = `
  let asked = 0;
  process.on("SIGUSR2", () => console.log("more"));
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    asked += 1;
    if (line === "crash") process.abort();
    if (line === "leave") process.exit(0);
    if (line === "hang") for (;;);
    if (line === "two") console.log("first\\nsecond");
    console.log(JSON.stringify({ pid: process.pid, asked, files: require("node:fs").readdirSync(".").sort() }));
  });`;

const checkerIn = (folder: string, more: Partial<Checker> = {}): Checker => ({
  seal: unsealed("test"),
  argv: [process.execPath, "-e", PROGRAM],
  folder,
  path: "",
  env: {},
  readable: [],
  ...more,
});

const ask = (
  checkers: ReadyCheckers,
  line: string,
  { owner = OWNER, checker = checkerIn(FOLDER), timeoutMs = 100_000, signal = new AbortController().signal } = {},
) => checkers.ask(owner, checker, { line, timeoutMs, signal });
const OWNER = {};
const FOLDER = newFolder();

async function answer(...asking: Parameters<typeof ask>): Promise<{ pid: number; asked: number; files: string[] }> {
  const result = await ask(...asking);
  expect(result).toMatchObject({ status: "exited", exitCode: 0 });
  return JSON.parse(result?.stdout ?? "");
}

const goneSoon = (pid: number) => vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 100_000 });

describe("a ready checker", () => {
  it("answers again without being started again", async () => {
    const checkers = open();
    const { pid } = await answer(checkers, "one");
    expect(await answer(checkers, "two words")).toMatchObject({ pid, asked: 2 });
  });

  it("belongs to one owner, and sees no other folder", async () => {
    const checkers = open();
    const [one, other] = [layTree({ a: "" }), layTree({ b: "" })];
    const first = await answer(checkers, "", { checker: checkerIn(one) });
    const second = await answer(checkers, "", { owner: {}, checker: checkerIn(other) });
    expect([first.files, second.files]).toEqual([["a"], ["b"]]);
    expect(second.pid).not.toBe(first.pid);
  });

  it("is another one for a folder that was made again, or for another environment", async () => {
    const checkers = open();
    const folder = layTree({ old: "" });
    const { pid } = await answer(checkers, "", { checker: checkerIn(folder) });
    renameSync(folder, `${folder}-old`);
    renameSync(layTree({ new: "" }), folder);
    const again = await answer(checkers, "", { checker: checkerIn(folder) });
    expect(again.files).toEqual(["new"]);
    const other = await answer(checkers, "", { checker: checkerIn(folder, { env: { OTHER: "1" } }) });
    expect(new Set([pid, again.pid, other.pid]).size).toBe(3);
    for (const gone of [pid, again.pid]) await goneSoon(gone);
  });

  it("that hangs is ended at its time, and the next answer comes from a new one", async () => {
    const checkers = open();
    const { pid } = await answer(checkers, "");
    expect(await ask(checkers, "hang", { timeoutMs: 300 })).toMatchObject({ status: "timed_out", exitCode: null });
    expect(isAlive(pid)).toBe(false);
    expect(await answer(checkers, "")).toMatchObject({ asked: 1 });
  });

  it.each(["crash", "leave"])("that does not answer (%s) says nothing where it was asked before", async (line) => {
    const checkers = open();
    await answer(checkers, "");
    expect(await ask(checkers, line)).toBeUndefined();
    expect(await ask(checkers, line)).toMatchObject({ status: "crashed" });
    expect(await answer(checkers, "")).toMatchObject({ asked: 1 });
  });

  it("that died between two questions is replaced", async () => {
    const checkers = open();
    const { pid } = await answer(checkers, "");
    process.kill(pid, "SIGKILL");
    await goneSoon(pid);
    const again = await ask(checkers, "");
    expect(JSON.parse((again ?? (await ask(checkers, "")))?.stdout ?? "")).toMatchObject({ asked: 1 });
  });

  it("that says more than its answer is ended: none of it is the next answer", async () => {
    const checkers = open();
    expect((await ask(checkers, "two"))?.status).toBe("crashed");
    const { pid } = await answer(checkers, "");
    process.kill(pid, "SIGUSR2");
    await goneSoon(pid);
    expect((await answer(checkers, "")).asked).toBe(1);
  });

  it("is asked one question at a time", async () => {
    const checkers = open();
    const [one, other] = await Promise.all([ask(checkers, ""), ask(checkers, "")]);
    expect([one?.status, other]).toEqual(["exited", undefined]);
  });

  it("ends when it is cancelled", async () => {
    const checkers = open();
    const controller = new AbortController();
    const { pid } = await answer(checkers, "");
    const asked = ask(checkers, "hang", { signal: controller.signal });
    controller.abort();
    expect((await asked)?.status).toBe("timed_out");
    expect(isAlive(pid)).toBe(false);
  });

  it("ends with its owner, after a time without questions, and when there are too many", async () => {
    const checkers = open();
    const owners = Array.from({ length: 6 }, () => ({}));
    const pids: number[] = [];
    for (const owner of owners) pids.push((await answer(checkers, "", { owner })).pid);
    for (const pid of pids.slice(0, 2)) await goneSoon(pid);
    expect(pids.slice(2).map(isAlive)).toEqual([true, true, true, true]);
    await checkers.end(owners[2]);
    expect(pids.slice(2).map(isAlive)).toEqual([false, true, true, true]);
    await goneSoon((await answer(open(1), "")).pid);
  });

  it.each([
    ["keeps no command from ending, and ends with it", ""],
    ["ends before a command that waits for that", "await checkers.end();"],
  ])("%s", async (_, then) => {
    const url = JSON.stringify(import.meta.resolve("./ready-checkers.ts"));
    const checker = { ...checkerIn(FOLDER), seal: undefined };
    const script = `
      import { createReadyCheckers } from ${url};
      const checker = { ...${JSON.stringify(checker)}, seal: { seal: ({ argv }) => ({ argv }) } };
      const checkers = createReadyCheckers();
      const { stdout } = await checkers.ask({}, checker, { line: "", timeoutMs: 100_000 });
      ${then}
      console.log(stdout);`;
    const argv = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", script];
    const { stdout, status } = spawnSync(process.execPath, argv, { encoding: "utf8", timeout: 60_000 });
    expect(status).toBe(0);
    await goneSoon(JSON.parse(stdout).pid);
  });
});

function project(files: Record<string, string>) {
  const starts: string[][] = [];
  const folder = layTree(files);
  const memory = {};
  const evaluate = createEvaluate({
    seal: {
      seal: ({ argv }) => {
        starts.push(argv);
        return { argv };
      },
    },
    toolchain,
    scratch: newFolder(),
    checkers: open(),
    now: Date.now,
    newId: () => "request",
  });
  const check = async (paths: string[] | undefined, more: Partial<TreeRequest> = {}) =>
    (await evaluate(folder, { syntax: paths ? { paths } : {}, memory, timeoutMs: 60_000, ...more })).syntax;
  return { folder, starts, check, write: (path: string, text: string) => writeFileSync(join(folder, path), text) };
}

describe("syntax checks of one run", () => {
  it("are answered by one process for JavaScript, TypeScript and the scripts of pages", async () => {
    const { check, starts, write } = project({ "a.js": "let a;\n", "b.ts": "let b: number;\n", "c.html": "<p></p>\n" });
    expect(await check(["a.js"])).toMatchObject({ status: "passed" });
    write("b.ts", "let b: = 1;\n");
    expect(await check(["b.ts"])).toMatchObject({ status: "failed", errors: [{ path: "b.ts", line: 1 }] });
    write("b.ts", "let b = 1;\n");
    expect(await check(["b.ts"])).toMatchObject({ status: "passed" });
    write("c.html", "<script>let = = 1;</script>\n");
    expect(await check(["c.html"])).toMatchObject({ status: "failed", errors: [{ path: "c.html", line: 1 }] });
    expect(starts.length).toBe(1);
  });

  it("see what changed meanwhile in files that were not asked for", async () => {
    const files = { "package.json": '{"type":"module"}', "a.js": "export const a = 1;\n", "b.js": "" };
    const { check, write } = project({ ...files, "b.js": 'import { a } from "./a.js";\na;\n' });
    expect(await check(["b.js"])).toMatchObject({ status: "passed" });
    write("a.js", "export const b = 1;\n");
    const errors = [{ path: "b.js", message: '"./a.js" does not export "a"' }];
    expect(await check(["a.js"])).toMatchObject({ status: "failed", errors });
    write("b.js", "let b;\n");
    expect(await check(["a.js"])).toMatchObject({ status: "passed" });
  });

  it.skipIf(noPython)("of Python see such changes too, in one process (needs python3)", async () => {
    const { check, starts, write } = project({ "a.py": "a = 1\n", "b.py": "from a import a\n" });
    expect(await check(["b.py"])).toMatchObject({ status: "passed" });
    write("a.py", "b = 1\n");
    expect(await check(["a.py"])).toMatchObject({ status: "failed", errors: [{ path: "b.py", rule: "import" }] });
    write("b.py", "c = 1\n");
    expect(await check(["a.py"])).toMatchObject({ status: "passed" });
    expect(starts.length).toBe(1);
  });

  it("of everything are answered by a new process", async () => {
    const { check, starts } = project({ "a.js": "let a;\n" });
    for (const paths of [["a.js"], undefined, ["a.js"]]) expect((await check(paths)).status).toBe("passed");
    expect(starts.length).toBe(2);
    expect((await check(undefined, { incremental: true })).status).toBe("passed");
    expect(starts.length).toBe(2);
  });

  it("do not suffer from a file at which the parser of TypeScript breaks down", async () => {
    const deep = `let x: ${"Array<".repeat(5_000)}1${">".repeat(5_000)};\n`;
    const { check, write } = project({ "deep.js": "", "deep.ts": deep, "a.ts": "let a: number;\n" });
    expect(await check(["deep.ts"])).toMatchObject({ status: "not_run", errors: [] });
    write("deep.js", `let a = ${"a=>".repeat(40_000)}1;\n`);
    expect(await check(["deep.js"])).toMatchObject({ status: "not_run", errors: [] });
    expect(await check(["a.ts"])).toMatchObject({ status: "passed", errors: [] });
  });

  it("locate mistakes as often as the first one did", async () => {
    const broken = "export let = 1;\n";
    const { check } = project({ "a.mjs": broken });
    for (let turn = 0; turn < 12; turn += 1) expect((await check(["a.mjs"])).errors).toMatchObject([{ line: 1 }]);
  });
});

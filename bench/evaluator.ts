/** What the evaluator costs: over plain pytest, for a check after a small change, and in memory. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { performance } from "node:perf_hooks";
import { layEvaluatorImage } from "../lib/cloud/evaluator-image.ts";
import type { Evaluator } from "../lib/core/ports.ts";
import { encodeEvaluation } from "../lib/core/verdict/evaluation-wire.ts";
import type { Verdict } from "../lib/core/verdict/verdict.ts";
import { packTree } from "../lib/pack/pack.ts";
import { type LocalEvaluator, openEvaluator } from "../lib/sandbox/open-evaluator.ts";
import { javascriptProject, type Project, pythonProject } from "./projects.ts";
import { median, milliseconds, type Row } from "./table.ts";

const OVERHEAD_RUNS = 11;
const OVERHEAD_AIM_MS = 150;
const INCREMENTAL_RUNS = 3;
const INCREMENTAL_AIM = 0.3;
const FILES = 500;
const MEMORY_AIM_MB = 120;
const TIMEOUT_MS = 180_000;

export async function evaluator(): Promise<Row[]> {
  const home = mkdtempSync(join(tmpdir(), "l2mac-bench-"));
  try {
    const local = openEvaluator({ home, env: process.env, announce: () => {} });
    const { python } = local.toolchain;
    const ofPython =
      python && hasPytest(python)
        ? [
            ...(await overPytest(local, { python, home })),
            await memory(home),
            ...(await incremental(local, pythonProject(FILES), "Python")),
          ]
        : [{ what: "the evaluator with Python: there is no pytest here", figure: "—", aim: "" }];
    return [...ofPython, ...(await incremental(local, javascriptProject(FILES), "JavaScript"))];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const hasPytest = (python: string): boolean => spawnSync(python, ["-c", "import pytest"]).status === 0;

let runs = 0;

/** Asks about a project as a run does; `edited` is what it changed since its pack. */
function asking(evaluate: Evaluator["evaluate"], files: Project["files"]) {
  const pack = packed(files);
  runs += 1;
  const runId = `01BENCH${runs}`;
  return async (asked: object, edited: Project["files"] = {}): Promise<{ verdict: Verdict; ms: number }> => {
    const began = performance.now();
    const verdict = await evaluate({
      ...{ runId, base: { key: runId, load: async () => pack }, changes: changesOf(edited) },
      ...{ install: true, timeoutMs: TIMEOUT_MS, ...asked },
    });
    const ms = performance.now() - began;
    if (verdict.tests.status !== "passed")
      throw new Error(`The tests ${verdict.tests.status}: ${verdict.tests.output}`);
    return { verdict, ms };
  };
}

const changesOf = (files: Project["files"]) =>
  Object.entries(files).map(([path, text]) => ({ path, content: new TextEncoder().encode(text) }));
const packed = (files: Project["files"]): Uint8Array => packTree(undefined, changesOf(files));

/** One after the other, so that both meet the same neighbours on the machine. */
async function overPytest(
  { evaluator: { evaluate }, sealed }: LocalEvaluator,
  { python, home }: { python: string; home: string },
): Promise<Row[]> {
  const { files } = pythonProject(20, 5);
  const folder = lay(files, join(home, "plain"));
  const check = asking(evaluate, files);
  const plain: number[] = [];
  const tests: number[] = [];
  for (let run = 0; run <= OVERHEAD_RUNS; run += 1) {
    const alone = pytestAlone(python, folder);
    const { ms } = await check({ tests: {} });
    // The first run warms the file system, and finds out what is installed.
    if (run > 0) plain.push(alone);
    if (run > 0) tests.push(ms);
  }
  const over = median(tests.map((ms, run) => ms - (plain[run] ?? 0)));
  return [
    { what: "pytest by itself, 50 tests (median)", figure: milliseconds(median(plain)), aim: "" },
    {
      what: `… the evaluator's overhead over it${sealed.sealed ? ", sealed" : ", NOT sealed"} (median)`,
      ...{ figure: milliseconds(over), aim: `≤ ${OVERHEAD_AIM_MS} ms`, reached: over <= OVERHEAD_AIM_MS },
    },
  ];
}

function pytestAlone(python: string, cwd: string): number {
  const began = performance.now();
  const env = { PATH: process.env.PATH ?? "", PYTHONDONTWRITEBYTECODE: "1", PYTHONHASHSEED: "0" };
  const { status, stdout } = spawnSync(python, ["-m", "pytest", "-q", "-p", "no:cacheprovider"], { cwd, env });
  if (status !== 0) throw new Error(`pytest ended with ${status}: ${stdout}`);
  return performance.now() - began;
}

async function incremental(
  { evaluator: { evaluate } }: LocalEvaluator,
  project: Project,
  name: string,
): Promise<Row[]> {
  const check = asking(evaluate, project.files);
  const full: number[] = [];
  const part: number[] = [];
  for (let run = 0; run < INCREMENTAL_RUNS; run += 1) {
    full.push((await check({ syntax: {}, tests: {} }, edit(project, run))).ms);
    const { verdict, ms } = await check({ syntax: {}, tests: {}, incremental: true }, edit(project, run + 1));
    if (!verdict.tests.scope) throw new Error(`The incremental check was of everything: ${verdict.tests.output}`);
    part.push(ms);
  }
  const share = median(part.map((ms, run) => ms / (full[run] ?? 0)));
  return [
    {
      what: `full check of ${FILES} files of ${name} (median of ${full.length})`,
      figure: milliseconds(median(full)),
      aim: "",
    },
    { what: "… incremental, after a change of one file", figure: milliseconds(median(part)), aim: "" },
    {
      what: "… of the full one",
      figure: `${(share * 100).toFixed(1)} %`,
      ...{ aim: `≤ ${INCREMENTAL_AIM * 100} %`, reached: share <= INCREMENTAL_AIM },
    },
  ];
}

const edit = ({ edited, files, comment }: Project, run: number): Project["files"] => ({
  [edited]: `${files[edited]}${comment(run)}\n`,
});

/** In a process of its own, as on AWS: the function's bundle, asked for a full check and then for an incremental one. */
async function memory(home: string): Promise<Row> {
  const image = layEvaluatorImage(join(home, "image"));
  const scratch = join(home, "scratch");
  mkdirSync(scratch);
  const project = pythonProject(FILES);
  const common = { runId: "01BENCH", install: false, timeoutMs: TIMEOUT_MS, syntax: {}, tests: {} };
  const base = { key: "pack", load: async () => packed(project.files) };
  const payloads = [
    await encodeEvaluation({ ...common, base, changes: [] }),
    await encodeEvaluation({ ...common, base, changes: changesOf(edit(project, 1)), incremental: true }),
  ];
  const answer = spawnSync(process.execPath, ["--input-type=module", "-e", ASKED], {
    cwd: image,
    input: JSON.stringify(payloads),
    env: { PATH: process.env.PATH ?? "", L2MAC_SCRATCH: scratch },
    encoding: "utf8",
  });
  if (answer.status !== 0) throw new Error(`The evaluator's function ended with ${answer.status}: ${answer.stderr}`);
  const mb = Number(answer.stdout.trim().split("\n").at(-1)) / 1024;
  return {
    what: `resident memory at most of the evaluator's function itself, full and incremental, ${FILES} files`,
    ...{ figure: `${mb.toFixed(0)} MB`, aim: `≤ ${MEMORY_AIM_MB} MB`, reached: mb <= MEMORY_AIM_MB },
  };
}

// On Linux `maxRSS` begins at what the process that started this one had, so the kernel's own figure is read.
const ASKED = `
  const { handler } = await import("./entry.mjs");
  const { default: fs } = await import("node:fs");
  const context = { awsRequestId: "bench", getRemainingTimeInMillis: () => 200_000 };
  for (const payload of JSON.parse(fs.readFileSync(0, "utf8"))) {
    const { tests } = await handler(JSON.parse(payload), context);
    if (tests.status !== "passed") throw new Error(tests.status + ": " + tests.output);
  }
  const peak = fs.existsSync("/proc/self/status") ? /VmHWM:\\s+(\\d+)/.exec(fs.readFileSync("/proc/self/status", "utf8"))[1] : undefined;
  console.log(peak ?? process.resourceUsage().maxRSS);`;

export function lay(files: Project["files"], folder: string): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  chmodSync(folder, 0o755);
  return folder;
}

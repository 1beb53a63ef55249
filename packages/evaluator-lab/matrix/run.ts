/** `npm run evaluator:matrix`: versions of test runners, each on five small trees, beside what the plain runner says. */
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import type { Evaluator } from "../../../lib/core/ports.ts";
import { packTree } from "../../../lib/pack/pack.ts";
import { openEvaluator } from "../../../lib/sandbox/open-evaluator.ts";
import { readShard, takeShard } from "../../../test/shard.ts";
import { runPlain, testEnvironment } from "../world/command.ts";
import { type Cell, disagreements, type Row, tableOf, truthOf } from "./compare.ts";
import { type Files, KINDS, MANY, treeOf } from "./trees.ts";
import { ENDS, makeReady, type Ready, VERSIONS, type Version } from "./versions.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: "string", default: "2" },
    folder: { type: "string" },
    ends: { type: "boolean", default: false },
    shard: { type: "string" },
  },
});
const labelOf = ({ runner, version }: Version): string => `${runner} ${version}`;
const chosen = takeShard(
  (values.ends ? ENDS : VERSIONS).filter(
    (each) => positionals.length === 0 || positionals.some((word) => labelOf(each).includes(word)),
  ),
  values.shard ? readShard(values.shard) : undefined,
);
if (chosen.length === 0) throw new Error(`There is no version ${positionals.join(", ")} in the matrix.`);
const home = values.folder ?? mkdtempSync(join(tmpdir(), "l2mac-matrix-"));
/** Very many cases take a minute on a busy computer. */
const RUN_MS = 170_000;
const EVALUATION_MS = 180_000;
const began = performance.now();
const seconds = (): string => `${((performance.now() - began) / 1000).toFixed(0)} s`;

try {
  const rows = await runAll();
  const wrong = disagreements(rows);
  for (const line of ["", tableOf(rows), "", ...wrong]) console.log(line);
  console.log(`${rows.length} versions, ${wrong.length} disagreements, ${seconds()}.`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  if (!values.folder) rmSync(home, { recursive: true, force: true });
}
process.exit();

async function runAll(): Promise<Row[]> {
  const rows: Row[] = chosen.map((version) => ({ label: labelOf(version), cells: {} }));
  const left = chosen.entries();
  const work = async (): Promise<void> => {
    for (const [at, version] of left) {
      const row = rows[at];
      if (row) await fillRow(row, version);
      console.log(`${seconds().padStart(6)}  ${labelOf(version)}`);
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  return rows;
}

async function fillRow(row: Row, version: Version): Promise<void> {
  try {
    const ready = await makeReady(version, home);
    const evaluator = evaluatorWith(ready);
    for (const kind of KINDS) {
      const tree = kind === MANY && !version.many ? undefined : treeOf(version.runner, kind, version.version);
      if (tree) row.cells[kind] = await cellOf(tree, version, { ready, evaluator });
    }
  } catch (problem) {
    const kind = KINDS.find((each) => !row.cells[each]) ?? "healthy";
    row.cells[kind] = { problem: String(problem).slice(0, 500) };
  }
}

/** The evaluator of this computer, as it is where these programs come first. */
function evaluatorWith({ node, path }: Ready): Evaluator {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("npm_"));
  const env = { ...Object.fromEntries(own), PATH: [...(path ? [path] : []), process.env.PATH].join(delimiter) };
  return openEvaluator({ home: join(home, "home"), env, announce: () => {}, ...(node ? { node } : {}) }).evaluator;
}

async function cellOf(
  tree: Files,
  { runner }: Version,
  { ready, evaluator }: { ready: Ready; evaluator: Evaluator },
): Promise<Cell> {
  const folder = join(ready.folder, randomUUID());
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const surroundings = { cwd: folder, env: testEnvironment(ready.folder, ready.env), timeoutMs: RUN_MS, offline: true };
  const truth = truthOf(runner, await runPlain(ready.command, surroundings));
  rmSync(folder, { recursive: true, force: true });
  const changes = Object.entries(tree).map(([path, text]) => ({ path, content: new TextEncoder().encode(text) }));
  const base = packTree(undefined, []);
  const { tests } = await evaluator.evaluate({
    ...{ runId: randomUUID(), base: { key: "empty", load: async () => base }, changes },
    ...{ tests: {}, install: true, timeoutMs: EVALUATION_MS },
  });
  return { truth, tests };
}

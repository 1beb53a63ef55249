/** `npm run evaluator:corpus`: evaluates every project of the corpus and foreign code, and shows how that compares. */
import { parseArgs } from "node:util";
import { removeFolders } from "../../test/doubles/evaluation.ts";
import { type Figure, foreignFigures } from "../../test/evaluator/foreign.ts";
import { type Judgement, judge } from "../../test/evaluator/judge.ts";
import { readShard, takeShard } from "../../test/shard.ts";
import { dataProjects } from "./corpus/data.ts";
import { declaredProjects } from "./corpus/declared.ts";
import { goProjects } from "./corpus/go.ts";
import { javascriptProjects } from "./corpus/javascript.ts";
import { mixedProjects } from "./corpus/mixed.ts";
import { packageProjects } from "./corpus/packages.ts";
import type { Project } from "./corpus/project.ts";
import { proseProjects } from "./corpus/prose.ts";
import { pythonProjects } from "./corpus/python.ts";
import { pythonEnvironmentProjects } from "./corpus/python-environments.ts";
import { runnerProjects } from "./corpus/runners.ts";
import { shellProjects } from "./corpus/shell.ts";
import { stubProjects } from "./corpus/stubs.ts";
import { typescriptProjects } from "./corpus/typescript.ts";
import { undeclaredProjects } from "./corpus/undeclared.ts";

const projects: Project[] = [
  ...pythonProjects,
  ...pythonEnvironmentProjects,
  ...undeclaredProjects,
  ...javascriptProjects,
  ...packageProjects,
  ...typescriptProjects,
  ...mixedProjects,
  ...dataProjects,
  ...shellProjects,
  ...proseProjects,
  ...runnerProjects,
  ...declaredProjects,
  ...goProjects,
  ...stubProjects,
];
const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string", default: "1" }, shard: { type: "string" } },
});
const shard = values.shard ? readShard(values.shard) : undefined;
const readsForeignCode = wanted.length === 0 && (shard?.index ?? 1) === 1;
/** As many as a small computer has processors. */
const AT_ONCE = 2;

try {
  const named = projects.filter(({ name }) => wanted.every((word) => name.includes(word)));
  const judged = await judgeAll(takeShard(named, shard));
  const figures = [stubRecall(judged), ...(readsForeignCode ? await foreignFigures(Number(values.seed)) : [])];
  for (const { what, figure, aim, reached, details } of figures) {
    console.log(`${reached ? "ok " : "NOT"}  ${what}: ${figure} (aim: ${aim})`);
    for (const detail of details) console.log(`       ${detail}`);
  }
  const wrong = judged.filter((one) => one.wrong.length > 0);
  const skipped = judged.filter((one) => one.skipped);
  console.log(`${judged.length} projects, ${wrong.length} not as labelled, ${skipped.length} not evaluated here.`);
  process.exitCode = wrong.length === 0 && figures.every(({ reached }) => reached) ? 0 : 1;
} finally {
  removeFolders();
}

async function judgeAll(request: Project[]): Promise<Judgement[]> {
  const left = request.entries();
  const judged: Judgement[] = [];
  const width = Math.max(...request.map(({ name }) => name.length));
  const work = async (): Promise<void> => {
    for (const [at, project] of left) {
      judged[at] = await judge(project);
      for (const line of linesOf(judged[at], width)) console.log(line);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return judged;
}

function linesOf({ project, verdict, wrong, skipped, seconds }: Judgement, width: number): string[] {
  const sign = skipped ? "-  " : wrong.length > 0 ? "NOT" : "ok ";
  const shown = skipped ? `not evaluated: ${skipped}` : `${seconds.toFixed(1).padStart(4)} s  ${verdict}`;
  return [`${sign}  ${project.name.padEnd(width)}  ${shown}`, ...wrong.map((what) => `       ${what}`)];
}

/** Of the places that are labelled as stubs, and not only of whole projects. */
function stubRecall(judged: Judgement[]): Figure {
  const labelled = judged
    .filter(({ skipped }) => !skipped)
    .flatMap(({ project, verdict }) =>
      (project.label.findings ?? [])
        .filter((finding) => finding.endsWith(" stub"))
        .map((finding) => ({ name: `${project.name}: ${finding}`, found: verdict.includes(finding) })),
    );
  const missed = labelled.filter(({ found }) => !found).map(({ name }) => name);
  const share = labelled.length === 0 ? 1 : 1 - missed.length / labelled.length;
  return {
    what: "stubs of the corpus that are found",
    figure: `${labelled.length - missed.length} of ${labelled.length}, ${(share * 100).toFixed(1)} %`,
    aim: "95 % at least",
    reached: share >= 0.95,
    details: missed,
  };
}

/** `npm run evaluator:world`: judges real projects, and compares each verdict with the project's own plain runner. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Comparison, disagreements, figuresOf, outcomeOf, tableOf } from "./compare.ts";
import { compareProject } from "./compare-project.ts";
import { openJudge } from "./judge.ts";
import { chooseProjects, readOptions } from "./options.ts";
import { readCases, readLists } from "./project.ts";
import { howSealed, keepTruths } from "./truth.ts";

const options = readOptions(process.argv.slice(2), process.env);
const chosen = chooseProjects([...readLists(), ...readCases()], options);
const folder = options.folder ?? mkdtempSync(join(tmpdir(), "l2mac-world-"));
const began = performance.now();
try {
  mkdirSync(join(folder, "trees"), { recursive: true });
  process.exitCode = report(await compareAll());
} finally {
  if (!options.folder) rmSync(folder, { recursive: true, force: true });
}
process.exit();

async function compareAll(): Promise<Comparison[]> {
  const { judge, python, how } = openJudge(join(folder, "home"));
  console.log(`${chosen.length} projects. Truth: their own runners, ${howSealed()}. Verdicts: sealed by ${how}.`);
  const truths = options.folder ? keepTruths(folder) : undefined;
  let mutants = 0;
  const takeMutant = (): boolean => mutants++ < options.mutants;
  const left = chosen.values();
  const comparisons: Comparison[] = [];
  const work = async (): Promise<void> => {
    for (const project of left) {
      const compared = await compareProject(project, { folder, python, judge, truths, takeMutant, seed: options.seed });
      for (const comparison of compared) console.log(lineOf(comparison));
      comparisons.push(...compared);
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, work));
  return comparisons;
}

function lineOf(comparison: Comparison): string {
  const { label, truth, verdict, mutant } = comparison;
  const said = verdict ? `verdict ${verdict.colour}: ${verdict.said}` : "no verdict";
  const seconds = `${truth.seconds.toFixed(0)} + ${(verdict?.seconds ?? 0).toFixed(0)} s`;
  const name = mutant ? `${label} (${mutant})` : label;
  const outcome = outcomeOf(comparison);
  const cause = outcome === "agree" || !verdict ? (truth.why ?? "") : verdict.cause;
  return [outcome.padEnd(16), name, `truth ${truth.colour}`, said, seconds, cause].join(" | ");
}

function report(comparisons: Comparison[]): number {
  const { lines, reached } = figuresOf(comparisons);
  const minutes = `${((performance.now() - began) / 60_000).toFixed(1)} minutes.`;
  for (const line of ["", tableOf(comparisons), "", ...disagreements(comparisons), "", ...lines, minutes])
    console.log(line);
  if (options.json) writeFileSync(options.json, `${JSON.stringify(comparisons, null, 1)}\n`);
  return reached ? 0 : 1;
}

/** Compares our verdict about one project, and about a broken variant of it, with what its own runner says. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Comparison, Truth } from "./compare.ts";
import { type FetchParts, fetchProject } from "./fetch.ts";
import type { Judge } from "./judge.ts";
import { mutantsOf } from "./mutate.ts";
import { labelOf, type Project } from "./project.ts";
import { type KnownTruths, measureTruth, openWorkplace, truthKey, type Workplace, workFolder } from "./truth.ts";

export interface CompareParts extends FetchParts {
  judge: Judge;
  truths: KnownTruths | undefined;
  seed: number;
  /** Whether one more red variant may be judged. */
  takeMutant: () => boolean;
}

export async function compareProject(project: Project, parts: CompareParts): Promise<Comparison[]> {
  const base = { label: labelOf(project), runner: project.runner };
  try {
    const tree = await fetchProject(project, parts);
    const { truth, workplace } = await truthOf(project, tree, parts);
    if (truth.colour === "unknown") return [{ ...base, truth }];
    const verdict = await parts.judge(base.label, tree);
    const doubted = truth.colour === "red" && verdict.colour === "green";
    const plain: Comparison = {
      ...base,
      truth: doubted ? await measureAgain(project, { tree, truth }, parts) : truth,
      verdict,
    };
    const mutant = truth.colour === "green" ? await compareMutant({ project, tree, truth }, parts, workplace) : [];
    return [plain, ...mutant];
  } catch (problem) {
    return [{ ...base, truth: { colour: "unknown", why: String(problem).slice(0, 500), seconds: 0 } }];
  } finally {
    rmSync(workFolder(project, parts.folder), { recursive: true, force: true });
  }
}

interface MeasuredTruth {
  truth: Truth;
  /** Absent where the truth was measured before. */
  workplace?: Workplace;
}

async function truthOf(project: Project, tree: string, parts: CompareParts): Promise<MeasuredTruth> {
  const key = await truthKey(project, filesOf(tree), parts);
  const known = parts.truths?.read(key);
  if (known) return { truth: known };
  const workplace = await openWorkplace(project, { ...parts, tree });
  if ("why" in workplace) return { truth: { colour: "unknown", why: workplace.why, seconds: 0 } };
  const truth = await measureTruth(workplace);
  if (truth.colour !== "unknown") parts.truths?.write(key, truth);
  return { truth, workplace };
}

/** A suite that is red once may only have been short of time: it is green if it then is so twice. */
async function measureAgain(
  project: Project,
  { tree, truth: red }: { tree: string; truth: Truth },
  parts: CompareParts,
): Promise<Truth> {
  const workplace = await openWorkplace(project, { ...parts, tree });
  if ("why" in workplace) return red;
  const first = await measureTruth(workplace);
  const truth = first.colour === "green" ? await measureTruth(workplace) : first;
  const found: Truth = first.colour === truth.colour ? truth : { ...truth, colour: "unknown", why: "red now and then" };
  if (found.colour !== "unknown") parts.truths?.write(await truthKey(project, filesOf(tree), parts), found);
  return found;
}

function filesOf(tree: string): [string, Buffer][] {
  return readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((path) => [relative(tree, path), readFileSync(path)]);
}

/** Suites that take longer are not run again for a variant. */
const MUTANT_SECONDS = 20;
const MUTANT_MS = 60_000;
const TRIES = 6;

interface Healthy {
  project: Project;
  tree: string;
  truth: Truth;
}

/** A variant with one broken line that the project's own runner notices, and our verdict about it. */
async function compareMutant(
  { project, tree, truth }: Healthy,
  parts: CompareParts,
  opened?: Workplace,
): Promise<Comparison[]> {
  if (truth.seconds > MUTANT_SECONDS || project.files || !parts.takeMutant()) return [];
  const workplace = opened ?? (await openWorkplace(project, { ...parts, tree }));
  if ("why" in workplace) return [];
  const texts = new Map(filesOf(tree).map(([path, content]) => [path, content.toString("utf8")]));
  for (const { path, content, what } of mutantsOf(texts, parts.seed, TRIES)) {
    if (!existsSync(join(workplace.tree, path))) continue;
    const red = await withContent(join(workplace.tree, path), content, () => measureTruth(workplace, MUTANT_MS));
    if (red.colour !== "red") continue;
    const label = labelOf(project);
    const verdict = await withContent(join(tree, path), content, () => parts.judge(`${label}-variant`, tree));
    return [{ label, runner: project.runner, truth: red, verdict, mutant: what }];
  }
  return [];
}

async function withContent<T>(file: string, content: string, then: () => Promise<T>): Promise<T> {
  const original = readFileSync(file);
  writeFileSync(file, content);
  try {
    return await then();
  } finally {
    writeFileSync(file, original);
  }
}

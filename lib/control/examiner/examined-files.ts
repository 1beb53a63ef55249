/** What the examiner wrote: its checks by requirement, and their files, which no instruction changes without saying why. */

import { type Evidence, OF_EXAMINER } from "../../core/evidence/evidence.ts";
import { hasExaminer } from "../../core/evidence/evidence-kind.ts";
import { standingOf } from "../../core/evidence/latest.ts";
import type { Run } from "../../core/run/run.ts";
import { foldPath } from "../../core/text/file-path.ts";
import type { WorkFiles } from "../../core/turn/workbench.ts";
import type { ExaminedRequirement } from "../turn/examined-lines.ts";
import type { World } from "../world.ts";
import { besideProblem } from "./beside-checks.ts";

type Stores = Pick<World, "registry">;

async function examinersEvidence({ registry }: Stores, run: Run): Promise<Evidence[]> {
  if (!hasExaminer(run)) return [];
  return (await registry.evidence(run.id)).filter(({ instruction }) => instruction === OF_EXAMINER);
}

export const examinedRequirements = async (stores: Stores, run: Run): Promise<ExaminedRequirement[]> =>
  standingOf(await examinersEvidence(stores, run)).map(({ requirement, check }) => ({
    requirement,
    tests: check.tests ?? [],
  }));

export async function examinedFiles(stores: Stores, run: Run): Promise<string[]> {
  const files = (await examinersEvidence(stores, run)).flatMap(({ files: named = [] }) => named);
  return [...new Set(files.map(({ path }) => path))];
}

/** `files`, but for what the examiner wrote and no amendment names, and what could take its place. */
export function withLocks(
  files: WorkFiles,
  { locked, amended }: { locked: () => Promise<readonly string[]>; amended: () => readonly { path: string }[] },
): WorkFiles {
  async function problemOf(path: string): Promise<string | undefined> {
    const folded = foldPath(path);
    if (amended().some((each) => foldPath(each.path) === folded)) return undefined;
    return (await locked()).some((each) => foldPath(each) === folded) ? lockedWords(path) : undefined;
  }
  /** Of a file that is written. No amendment lets a new file take the place of a locked one. */
  async function writingProblem(path: string): Promise<string | undefined> {
    const problem = await problemOf(path);
    if (problem !== undefined || (await files.read(path)) !== undefined) return problem;
    const all = await locked();
    return all.some((each) => foldPath(each) === foldPath(path)) ? undefined : besideProblem(path, all);
  }
  return {
    ...files,
    async write(path, content) {
      const problem = await writingProblem(path);
      const before = problem === undefined ? undefined : await files.read(path);
      return before && isSame(before, content) ? undefined : (problem ?? files.write(path, content));
    },
    async remove(path) {
      const problem = await problemOf(path);
      return problem === undefined ? files.remove(path) : { problem };
    },
    async move(moves) {
      for (const { from, to } of moves) {
        const problem = (await problemOf(from)) ?? (await writingProblem(to));
        if (problem !== undefined) return problem;
      }
      return files.move(moves);
    },
  };
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);

const lockedWords = (path: string): string =>
  `${path} was written by the examiner, and is locked: change the code that it is about. If it contradicts the task, call amend_test with the reason first; it proves nothing then.`;

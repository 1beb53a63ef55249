/** Lays what a finished step wrote onto the tree as it is now. */
import { PATHS_PER_TURN } from "../../core/limits.ts";
import { isMergedText } from "../../core/step/merged-text.ts";
import { conflictWords } from "../../core/step/reasons.ts";
import type { Step } from "../../core/step/step.ts";
import type { StepWrite } from "../../core/step/step-record.ts";
import { readBlob } from "../files/verified-read.ts";
import { laidAt } from "../make/recorded-takings.ts";
import type { OpenStep } from "../turn/open-step.ts";
import { mergeText } from "./merge-text.ts";

/** Answers why they cannot be laid. */
export async function layWrites(
  { world, state, document }: OpenStep,
  { step, conflicts }: { step: Step; conflicts: StepWrite[] },
): Promise<string | undefined> {
  const { writes } = step.record;
  if (writes.length > PATHS_PER_TURN)
    return `it changed ${writes.length} files, and at most ${PATHS_PER_TURN} are taken over at once`;
  const { work } = state.tree;
  const { notes } = document.pack.declaration;
  const blob = (sha: string): Promise<Uint8Array> => readBlob(world.files, state.run.id, sha);
  const isConflict = (path: string): boolean => conflicts.some((each) => each.path === path);
  for (const { path } of writes.filter(({ sha256 }) => sha256 === null)) {
    if (isConflict(path)) return conflictWords([path]);
    const removed = await work.remove(path);
    if (typeof removed === "object") return removed.problem;
  }
  const then = await world.recorded?.takingAt(state.number);
  for (const { path, sha256, was } of writes) {
    if (sha256 === null) continue;
    const left = await blob(sha256);
    const content = isConflict(path) ? await merged(path, { left, was }) : left;
    if (!content) return conflictWords([path]);
    const problem = await work.write(path, content);
    if (problem !== undefined) return problem;
  }
  return undefined;

  async function merged(
    path: string,
    { left, was: sha }: { left: Uint8Array; was: string | null },
  ): Promise<Uint8Array | undefined> {
    const now = await work.read(path);
    // Two steps that both begin the notes add to nothing.
    const was = sha !== null ? await blob(sha) : path === notes ? new Uint8Array() : undefined;
    if (!now || !was) return undefined;
    return (await laidAt(then, path)) ?? mergeText({ was, left, now }, isMergedText(path, notes));
  }
}

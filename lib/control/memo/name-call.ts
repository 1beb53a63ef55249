/** Names a call by all that its steps are asked with, and by no position. */

import { asksForEvidence } from "../../core/evidence/evidence-kind.ts";
import { nodeAt } from "../../core/program/language/advance.ts";
import type { Frames } from "../../core/program/language/frames.ts";
import { visitNodes } from "../../core/program/language/nodes.ts";
import type { Program } from "../../core/program/language/schema.ts";
import { scopesAt } from "../../core/program/language/substitute.ts";
import type { Requirement } from "../../core/program/program.ts";
import type { Run } from "../../core/run/run.ts";
import type { MemoName } from "../../registry/memos.ts";
import { executionTools } from "../../tools/toolbox.ts";
import { sha256 } from "../files/digest.ts";
import { sharedParts } from "../make/step-key.ts";
import { valuesOf } from "../program/read-items.ts";
import { readTask } from "../program/stored-task.ts";
import type { World } from "../world.ts";

export interface CallPlace {
  program: Program;
  /** Inside the call. */
  frames: Frames;
  /** The frame of the call. */
  depth: number;
}

/** Undefined: the call is not part of the program. */
export async function nameCall(
  { registry, files }: Pick<World, "registry" | "files">,
  run: Run,
  { program, frames, depth }: CallPlace,
): Promise<MemoName | undefined> {
  const node = nodeAt(program, frames.slice(0, depth + 1));
  if (node?.kind !== "call" || !node.body) return undefined;
  const [document, requirements, { values, calls }] = await Promise.all([
    readTask(files, run.id),
    registry.requirements(run.id),
    valuesOf({ files }, run, scopesAt(program, frames.slice(0, depth + 2))),
  ]);
  const { declaration } = document.pack;
  const tools = executionTools({
    enabled: run.options.tools ?? declaration.tools,
    tested: declaration.checks.tests && run.options.runTests,
    proves: asksForEvidence(run),
  });
  const shared = sharedParts({ document, requirements, tools, run });
  // Two servers may give models of other weights the same name.
  const server = run.options.baseUrl ?? "";
  const asked = [calls, node.body, [...values].sort(), shared, server, unserved(program, requirements)];
  return { owner: run.owner, call: sha256(JSON.stringify(asked)) };
}

/** What no instruction names is in the key of no step, and may concern each. */
function unserved(program: Program, requirements: Requirement[]): string[] {
  const named = new Set<string>();
  for (const { node } of visitNodes(program)) if (node.kind === "do") for (const id of node.requirements) named.add(id);
  return requirements.filter(({ id }) => !named.has(id)).map(({ text }) => text);
}

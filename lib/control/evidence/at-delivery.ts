/** At delivery all evidence is executed again, on the delivered tree in an empty place. */

import { defined } from "../../core/defined.ts";
import { isOfDocuments } from "../../core/evidence/documents/document-check.ts";
import { documentOutcome } from "../../core/evidence/documents/document-outcome.ts";
import { type Evidence, type Outcome, onFiles } from "../../core/evidence/evidence.ts";
import { asksForEvidence, hasExaminer } from "../../core/evidence/evidence-kind.ts";
import { standingOf } from "../../core/evidence/latest.ts";
import { outcomeOf } from "../../core/evidence/outcome.ts";
import { type ProofCount, provenOf } from "../../core/evidence/standing.ts";
import { INVOCATION_RESERVE_MS } from "../../core/limits.ts";
import { extractConstraints } from "../../core/program/constraints.ts";
import { evaluationMsOf } from "../../core/run/option-forms.ts";
import type { Run } from "../../core/run/run.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";
import { packBase } from "../files/packs.ts";
import { treeHash } from "../files/tree-hash.ts";
import { readBlob } from "../files/verified-read.ts";
import { readTask } from "../program/stored-task.ts";
import type { Invocation, World } from "../world.ts";
import { documentsOf } from "./by-documents.ts";
import { requestFor } from "./prove.ts";
import { standingEvidence } from "./step-evidence.ts";

export type DeliveredEvidence =
  | { kind: "done"; run: Run; proven?: ProofCount }
  /** The next invocation has the time that this one has not; what was executed is kept. */
  | { kind: "out_of_time"; run: Run; tree: string };

/** `verdict`: of the clean-room check, which ran all tests of this tree. Absent: it ran none. */
export async function executeDelivered(
  world: World,
  run: Run,
  { verdict, invocation }: { verdict: Verdict | undefined; invocation: Invocation },
): Promise<DeliveredEvidence> {
  if (!asksForEvidence(run)) return { kind: "done", run };
  const files = await world.registry.allFiles(run.id);
  const tree = treeHash(files);
  const hashes = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  const evidence = (await standingEvidence(world, run.id)).map((each) => onFiles(each, (path) => hashes.get(path)));
  const documents = documentsOf(hashes.keys(), async (path) => {
    const sha = hashes.get(path);
    return sha === undefined ? undefined : readBlob(world.files, run.id, sha);
  });
  const executed = new Map<Evidence, Outcome & { tree: string }>();
  const open = standingOf(evidence).filter(({ delivered }) => delivered?.tree !== tree);
  for (const each of open) {
    const known = isOfDocuments(each.check)
      ? await documentOutcome(each.check, documents)
      : each.check.tests && verdict
        ? outcomeOf(each.check, verdict)
        : undefined;
    if (known?.status === "passed" || (known && isOfDocuments(each.check))) executed.set(each, { ...known, tree });
  }
  const timeoutMs = evaluationMsOf(run.options);
  for (const each of open.filter((one) => !executed.has(one))) {
    if (invocation.remainingMs() < timeoutMs + INVOCATION_RESERVE_MS)
      return { kind: "out_of_time", run: await record(world, run, executed), tree };
    const outcome = outcomeOf(each.check, await evaluate(world, run, { each, timeoutMs, invocation }));
    executed.set(each, { ...outcome, tree });
  }
  const latest = await record(world, run, executed);
  const requirements = await world.registry.requirements(run.id);
  const constraints = extractConstraints((await readTask(world.files, run.id)).task);
  // It may have been waived since the run was claimed.
  const { waivers } = (await world.registry.run(run.id)) ?? latest;
  const delivered = evidence.map((each) => ({ ...each, delivered: executed.get(each) ?? each.delivered }));
  return {
    kind: "done",
    run: latest,
    proven: provenOf(requirements, {
      evidence: delivered,
      waivers,
      constraints,
      isDelivered: true,
      isExamined: hasExaminer(run),
    }),
  };
}

async function evaluate(
  { evaluator, files }: World,
  run: Run,
  { each, timeoutMs, invocation }: { each: Evidence; timeoutMs: number; invocation: Invocation },
): Promise<Verdict> {
  const { tests, command } = requestFor(each.check);
  return evaluator.evaluate(
    {
      runId: run.id,
      base: packBase(files, run),
      changes: [],
      delivered: true as const,
      ...(tests && run.options.runTests ? { tests } : {}),
      ...(command ? { command } : {}),
      install: run.options.install,
      timeoutMs,
    },
    invocation.signal,
  );
}

/** As many as a transaction holds; each is found again by a later attempt. */
const AT_ONCE = 40;

async function record(
  { registry }: World,
  run: Run,
  executed: ReadonlyMap<Evidence, Outcome & { tree: string }>,
): Promise<Run> {
  const updates = [...executed].map(([{ requirement, n, changed }, delivered]) => ({
    of: { requirement, n },
    set: { delivered, ...defined({ changed }) },
  }));
  let latest = run;
  for (let at = 0; at < updates.length; at += AT_ONCE)
    latest = await registry.commit(latest, { evidenceFound: updates.slice(at, at + AT_ONCE) });
  return latest;
}

/** The baseline: the tree that a run starts from is judged before its first instruction, and what is red is known red. */
import { defined } from "../../core/defined.ts";
import { INVOCATION_RESERVE_MS } from "../../core/limits.ts";
import { evaluationMsOf } from "../../core/run/option-forms.ts";
import type { Run } from "../../core/run/run.ts";
import type { RunFacts } from "../../core/turn/acceptance-facts.ts";
import { acceptedCases } from "../../core/verdict/accepted-cases.ts";
import { hasTests } from "../../core/verdict/gate.ts";
import type { KnownRed, StoredBaseline } from "../../core/verdict/known-red.ts";
import { countKnownRed, knownRedOf } from "../../core/verdict/known-red.ts";
import type { TestLocks } from "../../core/verdict/test-locks.ts";
import { isOutOfTime, type Verdict } from "../../core/verdict/verdict.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { packBase } from "../files/packs.ts";
import { readTask } from "../program/stored-task.ts";
import type { StepResult } from "../step-result.ts";
import { BASELINE } from "../turn/body-kinds.ts";
import { bodyOf, readBody } from "../turn/journal.ts";
import type { Invocation, World } from "../world.ts";
import { evaluateAgain } from "./evaluate-again.ts";

/** Part of Execute, whose machine has the evaluator. What was judged is written down before it counts. */
export async function judgeStart(world: World, run: Run, invocation: Invocation): Promise<StepResult> {
  const timeoutMs = evaluationMsOf(run.options);
  if (invocation.remainingMs() < timeoutMs + INVOCATION_RESERVE_MS)
    return { kind: "answer", answer: { next: "execute" } };
  const { pack, tests: given = [] } = await readTask(world.files, run.id);
  const { checks } = pack.declaration;
  const isTested = checks.tests && run.options.runTests;
  const verdict = await evaluateAgain(
    world.evaluator,
    {
      runId: run.id,
      base: packBase(world.files, { ...run, packed: 0 }),
      // The code that the user's tests are about need not be there yet.
      changes: given.map((path) => ({ path, content: null })),
      ...(checks.syntax ? { syntax: {} } : {}),
      ...(isTested ? { tests: {} } : {}),
      install: run.options.install,
      timeoutMs,
    },
    invocation,
  );
  if (!verdict) return { kind: "answer", answer: { next: "execute" } };
  const key = fileStoreKeys(run.id).baseline(run.attempt);
  const { bytes, hash } = bodyOf(BASELINE, verdict);
  await world.files.put(key, bytes);
  const { run: facts, known, testLocks } = factsOfStart(verdict, { isTested, given });
  const { status, passed, failed, errors } = verdict.tests;
  const isLate = isOutOfTime(verdict.tests);
  const judged = await world.registry.commit(run, {
    run: {
      ...facts,
      remove: ["toJudge", ...(run.evaluatorAwaitedSince === undefined ? [] : (["evaluatorAwaitedSince"] as const))],
    },
    baseline: { key, sha256: hash, known },
    ...defined({ testLocks }),
    events: [
      {
        type: "baseline",
        syntax: verdict.syntax.status,
        tests: isLate ? "timed_out" : status,
        passed,
        failed,
        errors: errors + verdict.syntax.errors.length,
        knownRed: countKnownRed(known) - (isLate ? 1 : 0),
      },
    ],
  });
  return { kind: "done", run: judged };
}

/** What the first instruction finds. */
export function factsOfStart(
  verdict: Verdict,
  { isTested, given }: { isTested: boolean; given: readonly string[] },
): { run: Partial<RunFacts>; known: KnownRed; testLocks: TestLocks | undefined } {
  const known = knownRedOf(verdict);
  const count = countKnownRed(known);
  const { status, passed } = verdict.tests;
  return {
    run: {
      ...(count > 0 ? { knownRed: count } : {}),
      ...(isTested && hasTests(verdict) ? { testsSeen: true } : {}),
      ...(verdict.syntax.status === "passed" ? { syntaxSeen: true as const } : {}),
      ...(isTested && status !== "not_run" ? { testsPassed: passed, testsTotal: passed } : {}),
    },
    known,
    testLocks: isTested ? { locks: {}, ...defined({ cases: acceptedCases(verdict, given) }) } : undefined,
  };
}

/** What the evaluator found then, for a replay. */
export const baselineVerdict = ({ files }: Pick<World, "files">, { key, sha256 }: StoredBaseline): Promise<Verdict> =>
  readBody(files, { key, hash: sha256 }, BASELINE);

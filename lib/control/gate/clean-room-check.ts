/** The clean-room check: installs, tests and starts the latest pack in an empty workspace before it is delivered. */
import { INVOCATION_RESERVE_MS } from "../../core/limits.ts";
import {
  type DeliveryCheck,
  deliveryCheckOf,
  skippedDeliveryCheck,
  uncheckedBy,
} from "../../core/run/delivery-check.ts";
import { evaluationMsOf } from "../../core/run/option-forms.ts";
import type { Run } from "../../core/run/run.ts";
import { pluralize } from "../../core/text/format.ts";
import { markKnownRed } from "../../core/verdict/known-red.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";
import { executeDelivered } from "../evidence/at-delivery.ts";
import { packBase } from "../files/packs.ts";
import { treeHash } from "../files/tree-hash.ts";
import { endAtMinutes } from "../lifecycle/ending.ts";
import { readTask } from "../program/stored-task.ts";
import type { StepResult } from "../step-result.ts";
import type { Invocation, World } from "../world.ts";

/** Part of Execute, not of Deliver: a wait for the evaluator comes back to Execute. */
export async function checkDelivery(world: World, run: Run, invocation: Invocation): Promise<StepResult> {
  const before = await checkedBefore(world, run);
  const ended = before && (await endAtMinutes(world, run));
  if (ended) return { kind: "done", run: ended };
  const found = before ?? (await cleanRoomCheck(world, run, invocation));
  // The next invocation has the time that this one has not.
  if (!found) return { kind: "answer", answer: { next: "execute" } };
  const { smoke, verdict } = found;
  const evidence = await executeDelivered(world, run, { verdict, invocation });
  if (evidence.kind === "out_of_time") {
    await world.registry.commit(evidence.run, { run: { checkedTree: { ...smoke, tree: evidence.tree } } });
    return { kind: "answer", answer: { next: "execute" } };
  }
  const { status, reason, detail } = smoke;
  const { proven } = evidence;
  const unchecked = [...run.unchecked, ...uncheckedBy(smoke), ...(await nothingDone(world, run, smoke))];
  const checked = await world.registry.commit(evidence.run, {
    run: { smoke, unchecked, ...(proven ? { proven } : {}), remove: ["checkedTree"] },
    events: [{ type: "smoke", status, detail, ...(reason === undefined ? {} : { reason }) }],
  });
  return { kind: "done", run: checked };
}

/** An invocation before this one had time for that check, and not for all evidence. */
async function checkedBefore({ registry }: World, { id, checkedTree }: Run): Promise<CleanRoom | undefined> {
  if (!checkedTree) return undefined;
  const { tree, ...smoke } = checkedTree;
  return treeHash(await registry.allFiles(id)) === tree ? { smoke } : undefined;
}

interface CleanRoom {
  smoke: DeliveryCheck;
  verdict?: Verdict;
}

/** A run that did nothing, or code of which nothing was ever executed, is not shown to be right. */
async function nothingDone({ registry, files }: World, run: Run, { status }: DeliveryCheck): Promise<string[]> {
  if (run.files === 0) return ["the result: no file was written"];
  const accepted = (await registry.instructions(run.id)).filter((each) => each.status === "accepted");
  if (accepted.length > 0 && accepted.every(({ unchanged }) => unchanged)) return ["the result: nothing was changed"];
  const { checks } = (await readTask(files, run.id)).pack.declaration;
  if (!checks.tests && checks.command === undefined) return unrunTests(run);
  const isExecuted = run.testsTotal > 0 || status === "passed" || checks.command !== undefined;
  if (isExecuted || !checks.tests || !run.options.runTests || run.unchecked.length > 0) return [];
  if (run.syntaxSeen) return ["the result: nothing of it was executed, neither by tests nor by starting it"];
  // Documents and data have nothing to execute; what a file without an ending is, no check knows.
  const written = await registry.allFiles(run.id);
  return written.some(({ path }) => ENDING.test(path)) ? [] : ["the result: none of its files is of a known kind"];
}

/** The prompts turn tests off, and there are some all the same. */
const unrunTests = ({ options, lockedTests = 0 }: Run): string[] =>
  options.runTests && lockedTests > 0
    ? [`tests: ${pluralize(lockedTests, "test file")} not run; tests are off in the domain ${options.domain}`]
    : [];

const ENDING = /[^/]\.[^./]+$/;

async function cleanRoomCheck(
  world: World,
  run: Run,
  { remainingMs, signal }: Invocation,
): Promise<CleanRoom | undefined> {
  const { checks } = (await readTask(world.files, run.id)).pack.declaration;
  if (!checks.tests || run.files === 0) return { smoke: skippedDeliveryCheck("nothing_to_check") };
  if (!run.options.runTests) return { smoke: skippedDeliveryCheck("turned_off") };
  const timeoutMs = evaluationMsOf(run.options);
  if (remainingMs() < timeoutMs + INVOCATION_RESERVE_MS) return undefined;
  const request = {
    runId: run.id,
    base: packBase(world.files, run),
    changes: [],
    tests: {},
    smoke: true as const,
    install: run.options.install,
    timeoutMs,
  };
  const verdict = await world.evaluator.evaluate(request, signal);
  const baseline = run.knownRed ? await world.registry.baseline(run.id) : undefined;
  return { smoke: deliveryCheckOf(markKnownRed(verdict, baseline?.known)), verdict };
}

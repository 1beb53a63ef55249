/** What stops one instruction does not stop those that do not need it: the run ends when its lanes have done what they can. */
import { defined } from "../../core/defined.ts";
import { type HeldEnding, isForAllLanes } from "../../core/run/lanes/held-ending.ts";
import { isEnded, lanesOf, type Run } from "../../core/run/run.ts";
import type { StuckCause } from "../../core/turn/stuck.ts";
import { type Ending, endRun, minutesEnding } from "../lifecycle/ending.ts";
import type { StepResult } from "../step-result.ts";
import type { StepState } from "../turn/step-state.ts";
import type { World } from "../world.ts";
import { idleSeconds, longestIdleSeconds } from "./execute-lane.ts";
import { findAhead } from "./find-ahead.ts";
import { isHeard } from "./is-heard.ts";

type Answered = Extract<StepResult, { kind: "answer" }>;

const STOPPED: Answered = { kind: "answer", answer: { next: "stop" } };

/** Ends the run, or lets its lanes finish first. */
export async function endWithLanes(world: World, run: Run, ending: Ending): Promise<Answered> {
  const held = await hold(world, run, ending);
  if (held) return held;
  await endRun(world, run, await withHalted(world, run, ending));
  return STOPPED;
}

/** The instruction is asked about again, with no call, when the lanes are done. */
export async function holdStuck(world: World, { run, number }: StepState, { detail }: StuckCause) {
  if ((run.options.onTrap ?? "stop") !== "stop" || run.ending) return undefined;
  return hold(world, run, { status: "partial", reason: "trapped", detail: `Instruction ${number}: ${detail}.` });
}

async function hold(world: World, run: Run, ending: Ending): Promise<Answered | undefined> {
  const { status, reason, detail, neededMicroUsd } = ending;
  if (lanesOf(run) === 1 || world.recorded || !reason || (status !== "partial" && status !== "failed"))
    return undefined;
  const at = new Date(world.clock.now()).toISOString();
  const held: HeldEnding = { status, reason, detail, at, ...defined({ neededMicroUsd }) };
  if (!(await areLanesBusy(world, run, held))) return undefined;
  await world.registry.commit(run, { run: { ending: held } });
  return wait(world);
}

/** Undefined: it has no ending, or has to be executed once more to end. */
export async function awaitLanes(world: World, run: Run): Promise<Answered | undefined> {
  const { ending } = run;
  if (!ending) return undefined;
  if (await areLanesBusy(world, run, ending)) return wait(world);
  if (ending.reason === "trapped") return undefined;
  const { at: _at, neededMicroUsd, ...rest } = ending;
  await endRun(world, run, await withHalted(world, run, { ...rest, ...defined({ neededMicroUsd }) }));
  return STOPPED;
}

const wait = (world: World): Answered => ({
  kind: "answer",
  answer: { next: "wait", waitSeconds: idleSeconds(world) },
});

/** One is at work on an instruction, or will find one as soon as it looks. */
async function areLanesBusy(world: World, run: Run, ending: HeldEnding): Promise<boolean> {
  const lanes = await lanesIn(world, run);
  // In an epoch that has just begun, a lane may not have looked yet.
  const since = ({ epoch }: Run) => (epoch === run.epoch ? undefined : ending.at);
  if (lanes.some((lane) => lane.pc > 0 && !isEnded(lane.status) && isHeard(world, lane, since(lane)))) return true;
  const hasIdle = lanes.filter(({ pc }) => pc > 0).length < lanesOf(run) - 1;
  if (!hasIdle || isForAllLanes(ending) || minutesEnding(world, run)) return false;
  const heard = [ending.at, ...lanes.map(({ updatedAt }) => updatedAt)].toSorted().at(-1) ?? ending.at;
  const isLate = world.clock.now() > Date.parse(heard) + 2_000 * longestIdleSeconds(world);
  return !isLate && (await findAhead(world.registry, run)) !== undefined;
}

async function lanesIn({ registry }: Pick<World, "registry">, run: Run): Promise<Run[]> {
  const lanes = Array.from({ length: lanesOf(run) - 1 }, (_, index) => registry.lane(run, index + 2));
  return (await Promise.all(lanes)).filter((lane) => lane !== undefined);
}

/** Names every instruction that keeps the run from going on. */
export async function withHalted(world: World, run: Run, ending: Ending): Promise<Ending> {
  if (lanesOf(run) === 1 || world.recorded) return ending;
  const halted = (await lanesIn(world, run)).filter(({ pc, status }) => pc > 0 && pc !== run.pc && isEnded(status));
  const isSame = ({ reason, detail = "" }: Run): boolean =>
    detail === ending.detail || (reason !== undefined && reason === ending.reason && isForAllLanes({ reason }));
  const others = Map.groupBy(halted, (lane) => (isSame(lane) ? "for the same reason" : (lane.detail ?? "")));
  const sentences = [...others].map(([why, lanes]) => {
    const numbers = lanes.map(({ pc }) => pc).toSorted((one, other) => one - other);
    const what = `${numbers.length === 1 ? "Instruction" : "Instructions"} ${numbers.join(", ")} stopped`;
    return isSame(lanes[0] ?? run) ? `${what} ${why}.` : `${what} as well: ${why}`;
  });
  return { ...ending, detail: [ending.detail, ...sentences].join(" ") };
}

/** The run comes to an instruction that a lane could not finish. */
export const endingOf = ({ pc, status, reason, detail, neededMicroUsd }: Run): Ending => ({
  status: status === "failed" ? "failed" : "partial",
  reason: reason ?? "internal",
  detail: `Instruction ${pc}: ${detail ?? "its lane stopped"}`,
  ...defined({ neededMicroUsd }),
});

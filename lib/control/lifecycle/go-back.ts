/** A new run that begins with the program and the files as they were before an instruction of another run. */
import { UserError } from "../../core/errors.ts";
import { type Draft, draftOf, type Instruction } from "../../core/program/program.ts";
import type { Run } from "../../core/run/run.ts";
import { lastWayBack } from "../../core/run/way-back.ts";
import { ellipsis } from "../../core/text/cut.ts";
import { examinersAsked, listForNewRun, modelsAsked } from "../../core/turn/model-fallback.ts";
import { readFileIn, readTree } from "../files/packs.ts";
import { neededBy } from "../program/needed.ts";
import { listsAt } from "../program/read-items.ts";
import {
  type RunStores,
  readProgramTree,
  replacementOf,
  type StoredProgram,
  storedProgram,
} from "../program/stored-program.ts";
import { readTask } from "../program/stored-task.ts";
import { handOvers } from "../turn/first-message.ts";
import type { Submission } from "./submit.ts";

export interface WayBack {
  /** The instruction that the new run begins with. */
  to: number;
  name: string;
}

export async function submissionBefore(place: RunStores, run: Run, { to, name }: WayBack): Promise<Submission> {
  const refused = whyNotBack(run, to);
  if (refused) throw refused;
  const [{ task, pack, tests }, program, from] = await Promise.all([
    readTask(place.files, run.id),
    storedProgram(place, run),
    readTree(place.files, run.id, to - 1),
  ]);
  for (const path of from.keys()) readFileIn(from, { runId: run.id, number: to - 1 }, path);
  const step = program.instructions[to - 1];
  const rest = run.walk ? await wholeProgram(place, run, program) : programFrom(program, to);
  const models = listForNewRun(modelsAsked(run), examinersAsked(run));
  const { out: _out, branch: _branch, from: _from, ...options } = run.options;
  return {
    task,
    pack,
    name,
    owner: run.owner,
    requirements: rest.requirements,
    program: rest,
    tests,
    profile: models[0] ?? run.profile,
    ...(models.length > 1 ? { models } : {}),
    ...(from.size > 0 ? { from, options: { ...options, from: true } } : { options }),
    ...(run.walk ? await placeOf(place, run, step) : {}),
    ...(step && to > 1 ? { handover: await handoverTo(place, run, { step, program }) } : {}),
  };
}

/** The new run goes through the same program, from the place of the step on. */
async function wholeProgram({ files }: RunStores, { id, walk }: Run, { requirements }: StoredProgram): Promise<Draft> {
  return { ...(await replacementOf(files, id, walk?.program ?? "")), requirements };
}

async function placeOf(
  { files }: RunStores,
  { id }: Run,
  step: Instruction | undefined,
): Promise<Pick<Submission, "frames" | "lists">> {
  const { frames, isPart } = step ?? {};
  if (!frames || isPart) {
    const message = `Run ${id} cannot go back to instruction ${step?.number}: it is a part of one that was split.`;
    throw new UserError(message, { exitCode: 2, remedy: { command: "status", args: [id] }, field: "to" });
  }
  return { frames, lists: await listsAt(files, id, frames) };
}

/** The rest of the program, without the requirements that only the instructions before it serve. */
function programFrom({ instructions, requirements }: StoredProgram, to: number): Draft {
  const served = (some: Instruction[]): Set<string> => new Set(some.flatMap((each) => each.requirements));
  const [done, open] = [served(instructions.slice(0, to - 1)), served(instructions.slice(to - 1))];
  return draftOf({
    instructions: withoutNeeds(instructions.slice(to - 1), instructions.slice(0, to - 1)),
    requirements: requirements.filter(({ id }) => open.has(id) || !done.has(id)),
  });
}

/** What the first one needs is in the hand-over; the reports that later ones need of what was cut off are not there. */
function withoutNeeds(rest: Instruction[], cut: Instruction[]): Instruction[] {
  const gone = new Set(cut.flatMap(({ id }) => id ?? []));
  return rest.map(({ needs, ...each }, index) => {
    const kept = needs?.filter((id) => !gone.has(id));
    const isHanded = index === 0 && needs?.length !== kept?.length;
    return kept && !isHanded ? { ...each, needs: kept } : each;
  });
}

const TITLES_SHOWN = 50;
const TITLE_CHARS = 80;

async function handoverTo(
  { registry, files }: RunStores,
  { id, walk }: Run,
  { step, program: { instructions } }: { step: Instruction; program: StoredProgram },
): Promise<string> {
  const done = instructions.slice(0, step.number - 1);
  const titles = done
    .slice(-TITLES_SHOWN)
    .map(({ number, title }) => `${number}. ${ellipsis(title, TITLE_CHARS)}`)
    .join("; ");
  const tree = walk && (await readProgramTree(files, id, walk.program));
  const needed = await neededBy(registry, id, { step, program: tree });
  return [`Done before this program: ${titles}.`, ...(needed.length > 0 ? [handOvers(needed)] : [])].join("\n");
}

function whyNotBack(run: Run, to: number): UserError | undefined {
  const most = lastWayBack(run);
  if (to >= 1 && to <= most) return undefined;
  if (most < 1) {
    return new UserError(`Run ${run.id} has no program yet: there is nothing to go back to.`, {
      exitCode: 2,
      remedy: { command: "status", args: [run.id] },
    });
  }
  return new UserError(`Run ${run.id} can go back to instruction 1 to ${most}, not to ${to}.`, {
    exitCode: 2,
    remedy: { command: "status", args: [run.id] },
    field: "to",
  });
}

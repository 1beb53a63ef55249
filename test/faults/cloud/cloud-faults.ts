/** Faults through the rehearsed cloud: each befalls a run of the same task, which has to end as if nothing had been. */
import { dynoxide, moto } from "../../../packages/aws-rehearsal/emulators/emulators.ts";
import { type Hop, openStage, settled, submit } from "../../../packages/aws-rehearsal/index.ts";
import { DEATHS } from "./deaths.ts";
import { type Evidence, problemsOf } from "./evidence.ts";
import { type CloudFault, type Playing, TASK } from "./fault.ts";
import { LATE } from "./late.ts";
import { lookAt } from "./look.ts";
import { createPartModel } from "./part-model.ts";
import { REFUSALS } from "./refusals.ts";

export interface CloudRow {
  fault: string;
  shown: string;
  problems: string[];
}

export interface CloudFaultsAsked {
  /** Without the extra ones. */
  quick: boolean;
  say: (line: string) => void;
  /** Absent: all. */
  only?: (fault: string) => boolean;
}

export const CLOUD_FAULTS: CloudFault[] = [...DEATHS, ...LATE, ...REFUSALS];

export async function cloudFaults({ quick, say, only = () => true }: CloudFaultsAsked): Promise<{ rows: CloudRow[] }> {
  const missing = [dynoxide, moto].filter(({ isThere }) => !isThere);
  if (missing.length > 0) {
    const shown = `skipped, since emulators are missing: ${missing.map(({ title }) => title).join(", ")}`;
    return { rows: [{ fault: "All faults of the rehearsed cloud", shown, problems: [] }] };
  }
  const faults = CLOUD_FAULTS.filter(({ fault, isExtra }) => only(fault) && !(quick && isExtra));
  const on = await open();
  try {
    const undisturbed = await computed(on);
    const rows = [
      rowOf("Nothing at all", `${undisturbed.asked} calls of the model`, problemsOf(undisturbed, undisturbed, 0)),
    ];
    for (const fault of faults) {
      const row = await played(on, fault, undisturbed);
      say(lineOf(row));
      rows.push(row);
    }
    return { rows };
  } finally {
    await on.stage.stop();
  }
}

const rowOf = (fault: string, shown: string, problems: string[]): CloudRow => ({ fault, shown, problems });

const lineOf = ({ fault, shown, problems }: CloudRow): string =>
  problems.length > 0 ? `✘ ${fault}: ${problems.join("; ")}` : `✔ ${fault}: ${shown}`;

/** Executions roll over after the third part. */
const CONFIG = { loopLimit: 3 };

async function open(): Promise<Playing> {
  const hops: Hop[] = [];
  const model = createPartModel();
  const stage = await openStage({ config: CONFIG, script: model.script, hop: (hop) => void hops.push(hop) });
  const seen = (is: (hop: Hop) => boolean): number => hops.filter(is).length;
  return {
    ...{ stage, model },
    refused: (role) =>
      seen(({ from, what, answer }) => role.test(from) && TRANSACTION.test(what) && /^400/.test(answer)),
    ended: (whose) => seen(({ from, to }) => from === "Lambda" && whose.test(to)),
    failed: (whose) => seen(({ from, to, answer }) => from === "Lambda" && whose.test(to) && !ANSWERED.test(answer)),
  };
}

const TRANSACTION = /^TransactWriteItems/;
/** As the hop of an invocation says it. */
const ANSWERED = /^\d+ characters$/;

async function computed({ stage }: Playing): Promise<Evidence> {
  const id = await submit(stage, TASK);
  await settled(stage, id);
  return lookAt(stage, id, stage.model.requests.length);
}

async function played(on: Playing, { fault, lost, play }: CloudFault, undisturbed: Evidence): Promise<CloudRow> {
  const { stage } = on;
  const before = stage.model.requests.length;
  try {
    const { id, shown, hasHappened, lost: most = lost, problems = [] } = await inTime(play(on));
    undisturb(on);
    const seen = await lookAt(stage, id, stage.model.requests.length - before);
    const more = seen.asked - undisturbed.asked;
    const asked = `${more} ${more === 1 ? "call" : "calls"} of the model more`;
    const without = hasHappened ? [] : ["it did not happen"];
    return rowOf(fault, `${shown}; ${asked}`, [...without, ...problems, ...problemsOf(seen, undisturbed, most)]);
  } catch (error) {
    await giveUp(on);
    return rowOf(fault, "", [(error as Error).message]);
  }
}

function undisturb({ stage: { disturbed }, model: { held } }: Playing): void {
  for (const each of [held, disturbed.calls, disturbed.invocations, disturbed.tasks]) each.clear();
}

/** Nothing of this run may befall the next. */
async function giveUp(on: Playing): Promise<void> {
  undisturb(on);
  const { controlUnit, functions } = on.stage;
  await Promise.all(controlUnit.executions().map(({ name }) => controlUnit.abort(name)));
  await functions.cool();
}

/** What takes longer has come to a stop. */
const MOST_MS = 300_000;

async function inTime<T>(work: Promise<T>): Promise<T> {
  const over = Promise.withResolvers<never>();
  const timer = setTimeout(() => over.reject(new Error(`It took longer than ${MOST_MS / 1_000} s.`)), MOST_MS);
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    clearTimeout(timer);
  }
}

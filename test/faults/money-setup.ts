/** One run under a ceiling, with a provider that counts as it likes and processes that end in the middle of calls. */
import { interrupt, resume } from "../../lib/control/lifecycle/resume-and-cancel.ts";
import { submit } from "../../lib/control/lifecycle/submit.ts";
import type { World } from "../../lib/control/world.ts";
import { UserError } from "../../lib/core/errors.ts";
import type { Clock } from "../../lib/core/ports.ts";
import { MICRO } from "../../lib/core/run/budget.ts";
import type { Budget } from "../../lib/core/run/option-forms.ts";
import { acceptedOf, isEnded, type Run } from "../../lib/core/run/run.ts";
import { readProjectFont } from "../../lib/files/project-fonts.ts";
import { createComputeEpochs } from "../../lib/local/compute.ts";
import type { Storage } from "../../lib/local/machine.ts";
import { projectDefinition } from "../../lib/local/project-definition.ts";
import { createRegistry } from "../../lib/registry/registry.ts";
import { programIn } from "../doubles/lane-programs.ts";
import { alwaysGreen, aSubmission } from "../doubles/machines.ts";
import { lastingStorage } from "../doubles/mortal-storage.ts";
import { wrapStorage } from "../doubles/wrapped-storage.ts";
import { createVirtualClock } from "../virtual-clock.ts";
import { createChance } from "./chance.ts";
import { meteredProvider, type ProviderAsked } from "./metered-provider.ts";

export interface Interruption {
  /** Milliseconds of the process's life. */
  after: number;
  /** By a signal that the process hears, or not. */
  how: "stopped" | "killed";
}

export interface MoneySetup extends Partial<Pick<ProviderAsked, "usage" | "times" | "cut" | "failing" | "thinksMs">> {
  name: string;
  lanes?: number;
  budget?: Budget;
  dailyUsd?: number;
  /** Side by side, under the same ceiling of the day. */
  runs?: number;
  interruptions?: Interruption[];
  /** Its profile says that the model shows all that it writes. */
  shows?: boolean;
  /** From the first resumption on, what a token costs is so many times as much. */
  dearer?: number;
  /** The clock is set back, or on, by so much in the middle of the first calls. */
  jumpMs?: number;
  parts?: number;
  /** It is not resumed. */
  isLeft?: true;
}

export interface Played {
  name: string;
  /** By the provider, in micro-dollars. */
  charged: number;
  /** In the books of the runs, or what their servers claim beyond these. */
  booked: number;
  limit: number;
  accepted: number;
  calls: number;
  /** Of virtual time. */
  milliseconds: number;
  runs: Run[];
}

const PRICE = { input: 10, cachedInput: 1, output: 40 };
const START = Date.parse("2026-01-01T01:00:00Z");
const PARTS = 16;
/** No set-up interrupts a run as often. */
const RESUMPTIONS = 20;

export async function playMoney(setup: MoneySetup): Promise<Played> {
  const { name, lanes = 1, budget = { usd: 1.2 }, dailyUsd, runs = 1, interruptions = [], parts = PARTS } = setup;
  const clock = jumping(createVirtualClock(START), setup.jumpMs);
  const lasting = lastingStorage();
  const registry = createRegistry({ table: lasting.table, clock });
  let price = PRICE;
  const chance = createChance(7);
  const provider = meteredProvider({ clock, chance, price: () => price, usage: "normal", ...setup });
  const compute = createComputeEpochs(projectDefinition());
  const worldIn = (storage: Storage, killed: AbortSignal): World => ({
    registry: createRegistry({ table: storage.table, clock }),
    files: storage.files,
    clock,
    random: chance.share,
    model: async () => provider.model(killed),
    evaluator: alwaysGreen,
    readFont: readProjectFont,
    pace: { laneIdleSeconds: 1, riskHoldsMs: 2_000 },
    ...(dailyUsd === undefined ? {} : { dailyUsd }),
  });
  const outside = worldIn(lasting, new AbortController().signal);
  const submission = await aSubmission({
    profile: { price: PRICE, temperature: setup.shows ?? setup.thinksMs === undefined },
    options: { reflect: 0, parallel: lanes, budget },
    submission: { program: programIn(instructions(parts)) },
  });

  /** A process that computes the run until it ends, or until its time is over. */
  async function live(runId: string, until: Interruption | undefined): Promise<void> {
    const killed = new AbortController();
    const stopped = new AbortController();
    const over = new AbortController();
    const world = worldIn(mortal(lasting, killed.signal), killed.signal);
    const died = Promise.withResolvers<void>();
    if (until) {
      void clock.sleep(until.after, over.signal).then(
        () => {
          if (until.how === "stopped") return stopped.abort(new Error("stopped"));
          killed.abort(new Error("killed"));
          died.resolve();
        },
        () => {},
      );
    }
    await Promise.race([compute(world, runId, { signal: stopped.signal }), died.promise]);
    over.abort();
    const run = await registry.run(runId);
    if (stopped.signal.aborted || (run && !isEnded(run.status))) await interrupt(outside, runId);
  }

  async function play(): Promise<Run> {
    const submitted = await submit(outside, { ...submission, owner: "laboratory" });
    if ("conflict" in submitted) throw new Error("A run without an idempotency key cannot conflict.");
    const { id } = submitted.run;
    await live(id, interruptions[0]);
    for (let times = 1; times <= RESUMPTIONS && !setup.isLeft; times += 1) {
      const now = await present(registry, id);
      if (isEnded(now.status)) break;
      const { dearer } = setup;
      if (dearer) price = { ...PRICE, input: PRICE.input * dearer, output: PRICE.output * dearer };
      const models = { profile: { ...now.profile, price }, server: {} };
      try {
        await resume(outside, id, dearer && times === 1 ? { models } : {});
      } catch (error) {
        if (error instanceof UserError) break;
        throw error;
      }
      await live(id, interruptions[times]);
    }
    return present(registry, id);
  }

  const ended = await Promise.all(Array.from({ length: runs }, () => play()));
  const booked = ended.reduce((sum, run) => sum + run.microUsd, 0);
  lasting.table.close();
  return {
    ...{ name, booked, calls: provider.calls(), charged: provider.charged(), runs: ended },
    limit: (dailyUsd ?? budget.usd ?? Number.POSITIVE_INFINITY) * MICRO,
    accepted: ended.reduce((sum, run) => sum + acceptedOf(run), 0),
    milliseconds: clock.now() - START,
  };
}

const instructions = (parts: number) =>
  Array.from({ length: parts }, (_, n) => ({ id: `p${n}`, title: `Part ${n}`, text: `Write part ${n}.`, needs: [] }));

async function present(registry: World["registry"], id: string): Promise<Run> {
  const run = await registry.run(id);
  if (!run) throw new Error("The run is gone.");
  return run;
}

/** A killed process hears nothing any more, and does nothing. */
function mortal(storage: Storage, killed: AbortSignal): Storage {
  const silence = new Promise<never>(() => {});
  return wrapStorage(storage, (call) => async (...given) => {
    if (killed.aborted) return silence;
    const answer = await call(...given);
    return killed.aborted ? silence : answer;
  });
}

const JUMP_AT_MS = 2_200;

/** Sleeps take their time, whatever it says. */
const jumping = (clock: Clock, by = 0): Clock => ({
  ...clock,
  now: () => (clock.now() - START >= JUMP_AT_MS ? clock.now() + by : clock.now()),
});

/** A call in flight: what it has cost at most is kept in the registry while it lasts, for an attempt that finds it unsettled. */
import { Fenced } from "../../core/errors.ts";
import type { ShowProgress } from "../../core/ports.ts";
import { costOf, type Reservation } from "../../core/run/budget.ts";
import type { Run } from "../../core/run/run.ts";
import { type Received, tokensIn, usageAtMost } from "../../core/turn/call-bound.ts";
import { atMostTokens } from "../../core/turn/estimate.ts";
import type { World } from "../world.ts";
import type { ReadyRequest } from "./request.ts";

/** What is noted holds for this long, and for a quarter of the time that the call has taken. On AWS each note costs. */
const HOLDS_MS = 30_000;
const HOLDS_SHARE = 0.25;
/** So long before, the next is noted: a busy computer is late. */
const EARLY_MS = 1_000;
const PART_MS = 2_000;

/** `ahead`: tokens that may follow what is known. */
export function costAtMost(
  run: Run,
  request: ReadyRequest,
  { ahead = 0, ...received }: Received & { ahead?: number },
): Reservation {
  const { inputTokens, outputTokens: written } = usageAtMost(run, request, received);
  const outputTokens = Math.min(request.admission.maxOutputTokens, written + ahead);
  const usage = { inputTokens, cachedTokens: 0, outputTokens };
  return { microUsd: costOf(run.profile.price, usage), tokens: inputTokens + outputTokens };
}

const holdsMs = ({ pace }: Pick<World, "pace">): number => pace?.riskHoldsMs ?? HOLDS_MS;

export const riskAtStart = (world: World, run: Run, request: ReadyRequest): Reservation =>
  costAtMost(run, request, { bytes: 0, unseenMs: 0, ahead: tokensIn(holdsMs(world), run) });

export interface WatchedCall {
  /** Ends the call when another attempt has the run: what it costs from then on is never settled. */
  signal: AbortSignal;
  onProgress: ShowProgress;
  received(): Received;
  /** Nothing is noted any more. */
  end(): Promise<void>;
}

export function watchCall(
  world: Pick<World, "clock" | "registry" | "pace">,
  { run, request, show }: { run: Run; request: ReadyRequest; show: ShowProgress | undefined },
): WatchedCall {
  const { clock, registry } = world;
  const holds = holdsMs(world);
  const startedAt = clock.steady();
  const over = new AbortController();
  const lost = new AbortController();
  let bytes = 0;
  let unseenMs: number | undefined;
  const elapsed = (): number => clock.steady() - startedAt;
  const received = (): Received => ({ bytes, unseenMs: unseenMs ?? elapsed() });

  /** In parts: what is asleep for long should be a state of its own. */
  async function pass(milliseconds: number): Promise<void> {
    for (let left = milliseconds; left > 0; left -= PART_MS) await clock.sleep(Math.min(left, PART_MS), over.signal);
  }

  async function noteRisks(): Promise<void> {
    for (let pause = holds - EARLY_MS; ; pause = holds - EARLY_MS + elapsed() * HOLDS_SHARE) {
      await pass(pause);
      const aheadMs = holds + elapsed() * HOLDS_SHARE;
      const asFast = Math.ceil((atMostTokens(bytes, run) * aheadMs) / elapsed());
      const ahead = Math.max(asFast, tokensIn(aheadMs, run));
      const atRisk = costAtMost(run, request, { ...received(), ahead });
      // Storage that fails now may take the next.
      if (!(await registry.noteRisk(run, atRisk).catch(() => true)))
        lost.abort(new Fenced(`Run ${run.id} moved on during a call.`));
    }
  }
  const noting = noteRisks().catch(() => {});

  return {
    signal: lost.signal,
    received,
    onProgress(characters, arrived = characters) {
      if (arrived > 0) unseenMs ??= elapsed();
      bytes = Math.max(bytes, arrived);
      show?.(characters);
    },
    async end() {
      over.abort();
      await noting;
    },
  };
}

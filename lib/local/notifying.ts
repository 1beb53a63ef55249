/** Tells the webhook from this process: while it computes or serves, and once more before it stops computing. */
import { createNotify } from "../../lambdas/notify.ts";
import type { Clock } from "../core/ports.ts";
import type { Webhook } from "../core/run/webhook.ts";
import type { Registry } from "../registry/registry.ts";
import { createSender } from "../webhook/send.ts";

export interface Notifying {
  /** Computing waits for nobody; what is due is told beside it, and what its end leaves due, after it. */
  around<Answer>(signal: AbortSignal, compute: () => Promise<Answer>): Promise<Answer>;
  /** This process goes on after what it computes, and tells beside all else. */
  stay(): void;
  stop(): void;
}

interface NotifyingParts {
  registry: Registry;
  clock: Clock;
  webhook: Webhook | undefined;
}

const LOOK_MS = 5_000;
/** A receiver that hangs takes ten seconds. */
const ROUND_MS = 11_000;
/** Who was told to stop is waited for by somebody. */
const LEAVING_MS = 1_500;

export function createNotifying({ registry, clock, webhook }: NotifyingParts): Notifying {
  if (!webhook) return { around: (_signal, compute) => compute(), stay: () => {}, stop: () => {} };
  const notify = createNotify({ registry, clock, send: createSender({ webhook, clock }) });
  const leaving = new AbortController();
  let stays = false;
  let timer: NodeJS.Timeout | undefined;
  let rounds = 0;
  let told: Promise<unknown> = Promise.resolve();
  const oneRound = async (): Promise<void> => {
    const signal = AbortSignal.any([leaving.signal, AbortSignal.timeout(ROUND_MS)]);
    rounds += 1;
    // What cannot be told now is told later: that is nobody's failure.
    await notify({ remainingMs: () => Number.POSITIVE_INFINITY, signal }).catch(() => {});
    rounds -= 1;
  };
  /** Answers when also those rounds are over that began before. */
  const tell = (): Promise<unknown> => {
    told = Promise.all([told, oneRound()]);
    return told;
  };
  const begin = (): void => {
    timer ??= setInterval(() => void (rounds === 0 && tell()), LOOK_MS).unref();
  };
  return {
    async around(signal, compute) {
      begin();
      try {
        return await compute();
      } finally {
        if (signal.aborted) setTimeout(() => leaving.abort(), LEAVING_MS).unref();
        const last = tell();
        if (!stays) await last;
      }
    },
    stay() {
      stays = true;
      begin();
    },
    stop() {
      clearInterval(timer);
      leaving.abort();
    },
  };
}

/** Sends webhook notifications from this process: while it computes or serves, and once more at the end of computing. */
import type { Webhook } from "../core/notification/webhook.ts";
import type { Clock } from "../core/ports.ts";
import type { Registry } from "../registry/registry.ts";

export interface WebhookLoop {
  /** Sends what is due during the computation, without delaying it, and what its end leaves due after it. */
  around<Answer>(signal: AbortSignal, compute: () => Promise<Answer>): Promise<Answer>;
  /** The process outlives its computations: it sends in the background. */
  stay(): void;
  stop(): void;
}

interface WebhookLoopParts {
  registry: Registry;
  clock: Clock;
  webhook: Webhook | undefined;
}

const LOOK_MS = 5_000;
/** A receiver that hangs takes ten seconds. */
const ROUND_MS = 11_000;
/** The user waits for a process that was stopped. */
const LEAVING_MS = 1_500;

/** Late: only what is computed notifies. */
async function loadNotify({ registry, clock, webhook }: Omit<WebhookLoopParts, "webhook"> & { webhook: Webhook }) {
  const { createNotify } = await import("../../lambdas/notify.ts");
  const { createSender } = await import("../webhook/send.ts");
  return createNotify({ registry, clock, channels: { webhook: createSender({ webhook, clock }) } });
}

export function createWebhookLoop({ registry, clock, webhook }: WebhookLoopParts): WebhookLoop {
  if (!webhook) return { around: (_signal, compute) => compute(), stay: () => {}, stop: () => {} };
  let notifying: ReturnType<typeof loadNotify> | undefined;
  const leaving = new AbortController();
  let stays = false;
  let timer: NodeJS.Timeout | undefined;
  let rounds = 0;
  let sent: Promise<unknown> = Promise.resolve();
  const oneRound = async (): Promise<void> => {
    const signal = AbortSignal.any([leaving.signal, AbortSignal.timeout(ROUND_MS)]);
    rounds += 1;
    // What cannot be sent now is sent later: not a failure.
    notifying ??= loadNotify({ registry, clock, webhook });
    await notifying.then((notify) => notify({ remainingMs: () => Number.POSITIVE_INFINITY, signal })).catch(() => {});
    rounds -= 1;
  };
  /** Resolves when earlier rounds are over too. */
  const send = (): Promise<unknown> => {
    sent = Promise.all([sent, oneRound()]);
    return sent;
  };
  const begin = (): void => {
    timer ??= setInterval(() => void (rounds === 0 && send()), LOOK_MS).unref();
  };
  return {
    async around(signal, compute) {
      begin();
      try {
        return await compute();
      } finally {
        if (signal.aborted) setTimeout(() => leaving.abort(), LEAVING_MS).unref();
        const last = send();
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

/** Sends due notifications to each channel: takes one, sends it, and deletes it, retries it later, or gives it up. */
import { updateRun } from "../lib/control/lifecycle/resume-and-cancel.ts";
import type { Invocation } from "../lib/control/world.ts";
import {
  type DueNotification,
  NOTIFICATION_TRIES,
  type SendNotification,
} from "../lib/core/notification/notification.ts";
import type { Clock } from "../lib/core/ports.ts";
import type { Registry } from "../lib/registry/registry.ts";
import { iso } from "../lib/registry/write-run.ts";

export interface NotifyInput {
  registry: Registry;
  clock: Pick<Clock, "now">;
  /** By name. Each gets every notification. */
  channels: Readonly<Record<string, SendNotification>>;
}

export interface NotifyCounts {
  sent: number;
  failed: number;
  givenUp: number;
}

/** More wait for the next call. */
const AT_ONCE = 10;
/** Enough for a receiver that hangs. */
const FLOOR_MS = 15_000;

/** At least once: a crash between sending and deleting sends it again, with the same id. */
export const createNotify =
  (notifying: NotifyInput) =>
  async ({ remainingMs, signal }: Invocation): Promise<NotifyCounts> => {
    const { registry, clock } = notifying;
    const notified: NotifyCounts = { sent: 0, failed: 0, givenUp: 0 };
    while (remainingMs() >= FLOOR_MS && !signal.aborted) {
      const due = await registry.dueNotifications({ upTo: iso(clock.now()), limit: AT_ONCE });
      const results = await Promise.all(due.map((each) => tell(notifying, each, signal)));
      for (const result of results) if (result) notified[result] += 1;
      // Whatever was left alone is others' now, or still in an index that lags.
      if (!results.some((result) => result !== undefined)) break;
    }
    return notified;
  };

async function tell(
  notifying: NotifyInput,
  due: DueNotification,
  signal: AbortSignal,
): Promise<keyof NotifyCounts | undefined> {
  const { registry } = notifying;
  const taken = await registry.takeNotification(due);
  if (!taken) return undefined;
  if (taken.tries > NOTIFICATION_TRIES) return giveUp(notifying, taken, "the result of the last one is unknown");
  const { delivered, failures } = await sendToAll(notifying, taken, signal);
  if (failures.length === 0) {
    await registry.dropNotification(taken);
    return "sent";
  }
  const why = failures.join("; ");
  if (taken.tries >= NOTIFICATION_TRIES) return giveUp(notifying, taken, why);
  if (delivered.length > (taken.delivered ?? []).length) await registry.noteDelivered(taken, delivered);
  // A send that was aborted says nothing about the receiver.
  if (taken.tries === 1 && !signal.aborted) {
    const { type } = taken.notification;
    await note(registry, due.runId, `The notification "${type}" was not delivered (${why}); it is tried again.`);
  }
  return "failed";
}

/** To the channels that do not have it yet: one that fails does not repeat it for the others. */
async function sendToAll({ channels }: NotifyInput, due: DueNotification, signal: AbortSignal) {
  const { notification, delivered: before = [] } = due;
  const left = Object.entries(channels).filter(([name]) => !before.includes(name));
  const results = await Promise.all(
    left.map(async ([name, send]) => ({ name, result: await send(notification, signal) })),
  );
  return {
    delivered: [...before, ...results.flatMap(({ name, result }) => (result.ok ? [name] : []))],
    failures: results.flatMap(({ result }) => (result.ok ? [] : [result.why])),
  };
}

/** The event comes before the deletion: rather twice than not at all. */
async function giveUp({ registry }: NotifyInput, due: DueNotification, why: string): Promise<keyof NotifyCounts> {
  const { type } = due.notification;
  const text = `The notification "${type}" was not delivered in ${NOTIFICATION_TRIES} tries (${why}); it is given up.`;
  await note(registry, due.runId, text);
  await registry.dropNotification(due);
  return "givenUp";
}

/** A deleted run gets no event. */
async function note(registry: Registry, runId: string, text: string): Promise<void> {
  if (await registry.run(runId))
    await updateRun({ registry }, runId, (run) => registry.change(run, {}, [{ type: "notice", text }]));
}

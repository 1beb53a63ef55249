/** The outbox of notifications: written in the transaction of the change that they report, deleted once sent or given up. */

import { DueNotification, nextTryMs, notificationsOf } from "../core/notification/notification.ts";
import type { Attributes, Condition, Item, Table, Write } from "../core/ports.ts";
import type { Run } from "../core/run/run.ts";
import { readAll } from "./find-runs.ts";
import { NOTIFY_SHARD, notificationKey } from "./keys.ts";

/** What a change of a run adds to its transaction. Nothing if no channel is configured, or a lane changes its own record. */
export function outboxOf(asked: { notifies: boolean; now: number; before: Run; after: Run }): Write[] {
  if (!asked.notifies || asked.before.lane !== undefined) return [];
  const at = new Date(asked.now).toISOString();
  return notificationsOf(asked.before, asked.after, at).map((notification) => ({
    put: itemOf({ runId: asked.after.id, notification, tries: 0 }, at),
  }));
}

const itemOf = ({ runId, notification, tries }: DueNotification, dueAt: string): Item => ({
  ...notificationKey(runId, notification.id),
  activeShard: NOTIFY_SHARD,
  dueAt,
  runId,
  tries,
  notification: notification as unknown as Attributes,
});

/** The oldest first. Notifications of another version are left alone. */
export async function dueNotifications(
  table: Table,
  range: { upTo: string; limit: number },
): Promise<DueNotification[]> {
  const { items } = await table.index("due", { partition: NOTIFY_SHARD, ...range });
  return (await readAll(table, items))
    .map((item) => DueNotification.safeParse(item))
    .flatMap(({ data }) => (data ? [data] : []));
}

/** Before it is sent: delays its next try, so that no two senders send it at once. Undefined: another sender was faster. */
export async function takeNotification(
  table: Table,
  due: DueNotification,
  now: number,
): Promise<DueNotification | undefined> {
  const tries = due.tries + 1;
  const dueAt = new Date(now + nextTryMs(tries)).toISOString();
  const written = await table.transact([{ update: keyOf(due), set: { tries, dueAt }, when: untouched(due) }]);
  return written.ok ? { ...due, tries } : undefined;
}

/** Some of its channels have it; the others are tried again. */
export async function noteDelivered(table: Table, due: DueNotification, delivered: string[]): Promise<void> {
  await table.transact([{ update: keyOf(due), set: { delivered }, when: untouched(due) }]);
}

/** It was sent, or given up. */
export async function dropNotification(table: Table, due: DueNotification): Promise<void> {
  await table.transact([{ delete: keyOf(due), when: untouched(due) }]);
}

const keyOf = ({ runId, notification }: DueNotification) => notificationKey(runId, notification.id);
const untouched = ({ tries }: DueNotification): Condition[] => [{ attribute: "tries", is: tries }];

/** Notifications of a run, to a webhook and to EventBridge: which changes cause one, what it holds, and when delivery is retried. Pure. */
import * as z from "zod";
import { Question, waitsForAnswer } from "../program/question.ts";
import { type Ceiling, MICRO, usdOf } from "../run/budget.ts";
import { isEnded, lanesOf, type Run, RunReason, RunStatus, waitsForPerson } from "../run/run.ts";

const TITLE_CHARS = 200;
const DETAIL_CHARS = 2_000;
const MINUTE_MS = 60_000;

/** No secrets, and of the task its title alone. */
export const Notification = z.object({
  /** The same however often it is sent: receivers drop doubles by it. */
  id: z.string(),
  type: z.enum(["completed", "partial", "failed", "cancelled", "waiting", "ceiling"]),
  at: z.string(),
  run: z.object({
    id: z.string(),
    name: z.string(),
    title: z.string(),
    status: RunStatus,
    reason: RunReason.optional(),
    detail: z.string().optional(),
  }),
  cost: z.object({ usd: z.number(), tokens: z.number(), turns: z.number(), minutes: z.number() }),
  /** Where it waits for an answer. Long texts are cut. */
  question: Question.optional(),
  ceiling: z
    .object({ of: z.enum(["usd", "tokens", "turns", "minutes"]), limit: z.number(), spent: z.number() })
    .optional(),
});
export type Notification = z.infer<typeof Notification>;

/** As it waits to be sent. */
export const DueNotification = z.object({
  runId: z.string(),
  notification: Notification,
  /** So often it was tried, the try that is under way included. */
  tries: z.int().nonnegative(),
  /** The channels that have it. Absent in older records: none. */
  delivered: z.array(z.string()).optional(),
});
export type DueNotification = z.infer<typeof DueNotification>;

/** A notification is sent at this share of a ceiling. */
export const NOTIFY_SHARE = 0.8;

/** The notifications that this change of a run causes. `now` is an ISO time. */
export function notificationsOf(before: Run, after: Run, now: string): Notification[] {
  const type = turned(before, after);
  const notify = (kind: Notification["type"], more: Partial<Notification> = {}, suffix = ""): Notification => ({
    id: `${after.id}-${after.events}-${kind}${suffix}`,
    type: kind,
    at: now,
    run: standing(after),
    cost: costOf(after),
    ...(kind === "waiting" && after.question && waitsForAnswer(after) ? { question: after.question } : {}),
    ...more,
  });
  // Who has ended spends no more.
  const ceilings = isEnded(after.status) ? [] : (lanesOf(after) > 1 ? newlyNear : crossed)(before, after);
  return [
    ...(type ? [notify(type)] : []),
    ...ceilings.map((of) => notify("ceiling", { ceiling: ceilingIn(after, of) }, `-${of}`)),
  ];
}

function turned(before: Run, after: Run): Notification["type"] | undefined {
  const { status } = after;
  if (status === "completed" || status === "partial" || status === "failed" || status === "cancelled") {
    return isEnded(before.status) ? undefined : status;
  }
  if (!waitsForPerson(after)) return undefined;
  return waitsForPerson(before) && before.reason === after.reason ? undefined : "waiting";
}

const standing = ({ id, name, title, status, reason, detail }: Run): Notification["run"] => ({
  id,
  name,
  title: title.slice(0, TITLE_CHARS),
  status,
  ...(reason === undefined ? {} : { reason }),
  ...(detail === undefined ? {} : { detail: detail.slice(0, DETAIL_CHARS) }),
});

const costOf = ({ microUsd, inputTokens, outputTokens, turns, activeMs }: Run): Notification["cost"] => ({
  usd: usdOf(microUsd),
  tokens: inputTokens + outputTokens,
  turns,
  minutes: Math.round((activeMs / MINUTE_MS) * 100) / 100,
});

const CEILINGS: Ceiling[] = ["usd", "tokens", "turns", "minutes"];

/** A higher ceiling, set later, is notified again. */
const crossed = (before: Run, after: Run): Ceiling[] =>
  CEILINGS.filter((of) => shareOf(before, of) < NOTIFY_SHARE && shareOf(after, of) >= NOTIFY_SHARE);

/** Several lanes pay, and none sees at once what the others pay: so the run notes what was notified. */
const newlyNear = (before: Run, after: Run): Ceiling[] =>
  CEILINGS.filter((of) => shareOf(after, of) >= NOTIFY_SHARE && before.nearCeilings?.[of] !== after.options.budget[of]);

/** What a run with lanes notes of its notifications. */
export function nearCeilings(before: Run, after: Run): Pick<Run, "nearCeilings"> {
  if (lanesOf(after) === 1 || isEnded(after.status)) return {};
  const near = newlyNear(before, after).map((of) => [of, after.options.budget[of] ?? 0] as const);
  return near.length > 0 ? { nearCeilings: { ...before.nearCeilings, ...Object.fromEntries(near) } } : {};
}

/** In whole numbers, so that rounding decides nothing. */
function shareOf(run: Run, of: Ceiling): number {
  const limit = run.options.budget[of];
  if (limit === undefined) return 0;
  if (of === "usd") return run.microUsd / Math.round(limit * MICRO);
  if (of === "minutes") return run.activeMs / (limit * MINUTE_MS);
  return costOf(run)[of] / limit;
}

const ceilingIn = (run: Run, of: Ceiling): NonNullable<Notification["ceiling"]> => ({
  of,
  limit: run.options.budget[of] ?? 0,
  spent: costOf(run)[of],
});

/** Waited for after the first try, the second, and so on: half a day in all, for receivers that are being repaired. */
const WAITS_MINUTES = [1, 5, 15, 60, 120, 240, 480];

/** Then it is given up. */
export const NOTIFICATION_TRIES = WAITS_MINUTES.length + 1;

/** After its last try it comes once more, to be given up, if the process died while it tried. */
export const nextTryMs = (tries: number): number => (WAITS_MINUTES[tries - 1] ?? 1) * MINUTE_MS;

/** What a try came to. `why`: in words that show nothing of the address but its host. */
export type DeliveryResult = { ok: true } | { ok: false; why: string };

/** In bounded time; whatever happens is answered. */
export type SendNotification = (notification: Notification, signal?: AbortSignal) => Promise<DeliveryResult>;

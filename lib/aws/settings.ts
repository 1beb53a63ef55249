/** What a deployed function is told by its environment: names and addresses, nothing secret. */
import * as z from "zod";
import { UserError } from "../core/errors.ts";

const name = z.string().min(1);
const flag = z.enum(["true", "false"]).transform((text) => text === "true");

/** Each function is told only what it needs, so most of them are optional here. */
const Settings = z.object({
  TABLE_NAME: name,
  BUCKET_NAME: name,
  /** Of the secret with the model server's key. */
  SECRET_ID: name.optional(),
  EVALUATOR_FUNCTION: name.optional(),
  /** Whether each run has execution environments of its own. */
  EVALUATOR_TENANTS: flag.default(false),
  STATE_MACHINE_ARN: name.optional(),
  /** What a run computes with, where its submission does not say. */
  DEFAULT_MODEL: name.optional(),
  DEFAULT_BASE_URL: name.optional(),
  /** Whether whoever may call the API sees the runs of all. */
  SHARED_RUNS: flag.default(false),
  /** What all runs may spend together on a UTC date, in US dollars; absent: no such ceiling. */
  DAILY_USD: z.coerce.number().positive().optional(),
  /** After their end; absent: for ever. */
  KEEP_RUNS_DAYS: z.coerce.number().positive().optional(),
  /** Whether a webhook is told of runs. */
  NOTIFIES: flag.default(false),
  WEBHOOK_URL: name.optional(),
  WEBHOOK_ALLOW_PRIVATE: flag.default(false),
  WEBHOOK_SECRET_ID: name.optional(),
});
export type Settings = z.infer<typeof Settings>;

export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const read = Settings.safeParse(env);
  if (read.success) return read.data;
  const wrong = [...new Set(read.error.issues.map(({ path }) => String(path[0])))].join(", ");
  throw new UserError(`This function's environment is wrong or incomplete: ${wrong}.`, {
    exitCode: 6,
    remedy: "Deploy the stack again.",
  });
}

type Needed = "SECRET_ID" | "EVALUATOR_FUNCTION" | "STATE_MACHINE_ARN" | "WEBHOOK_URL" | "WEBHOOK_SECRET_ID";

/** A function that needs what it was not told is deployed wrongly. */
export function needed(settings: Settings, key: Needed): string {
  const value = settings[key];
  if (value !== undefined) return value;
  throw new UserError(`This function was not told its ${key}.`, { exitCode: 6, remedy: "Deploy the stack again." });
}

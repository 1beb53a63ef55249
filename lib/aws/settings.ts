/** Settings of a deployed function from its environment variables: names and addresses, no secrets. */
import * as z from "zod";
import { UserError } from "../core/errors.ts";

const name = z.string().min(1);
const flag = z.enum(["true", "false"]).transform((text) => text === "true");

/** Each function gets only the variables it needs, so most are optional. */
const Settings = z.object({
  TABLE_NAME: name,
  BUCKET_NAME: name,
  /** The secret with the model server's key. */
  SECRET_ID: name.optional(),
  EVALUATOR_FUNCTION: name.optional(),
  /** Whether each run has its own execution environments. */
  EVALUATOR_TENANTS: flag.default(false),
  /** Whether the evaluator's network lets it fetch packs by links. */
  EVALUATOR_LINKS: flag.default(true),
  /** How long a run waits while the function may not call the evaluator. Absent: a quarter of an hour. */
  EVALUATOR_DENIED_SECONDS: z.coerce.number().positive().optional(),
  STATE_MACHINE_ARN: name.optional(),
  /** For runs whose submission names no model. */
  DEFAULT_MODEL: name.optional(),
  DEFAULT_BASE_URL: name.optional(),
  /** Models of Bedrock that the functions' roles may call. */
  BEDROCK_MODELS: z
    .string()
    .default("")
    .transform((text) => text.split(",").filter(Boolean)),
  /** Where the function runs, and where Bedrock is asked; Lambda sets it. */
  AWS_REGION: name.optional(),
  /** Whether every caller of the API sees all runs. */
  SHARED_RUNS: flag.default(false),
  /** The daily budget of all runs together, by UTC date; absent: none. */
  DAILY_USD: z.coerce.number().positive().optional(),
  /** Days after their end; absent: for ever. */
  KEEP_RUNS_DAYS: z.coerce.number().positive().optional(),
  /** Whether a webhook or EventBridge is notified of runs. */
  NOTIFIES: flag.default(false),
  /** The name under which the stack's events are on the default event bus; absent: there are none. */
  EVENTS_STACK: name.optional(),
  WEBHOOK_URL: name.optional(),
  WEBHOOK_ALLOW_PRIVATE: flag.default(false),
  /** Absent where nothing is signed. */
  WEBHOOK_SECRET_ID: name.optional(),
  /** The secret with the address, where the configuration does not name it. */
  WEBHOOK_URL_SECRET_ID: name.optional(),
  WEBHOOK_FORMAT: z.enum(["json", "slack"]).optional(),
  /** The collector of spans; absent: there is none. */
  OTEL_EXPORTER_OTLP_ENDPOINT: name.optional(),
  /** The header that the collector of spans asks for, and the secret with its value; absent: none. */
  OTEL_HEADER: name.optional(),
  OTEL_HEADER_SECRET_ID: name.optional(),
  /** The Git server that the token is for; absent: only public repositories are read. */
  GIT_HOST: name.optional(),
  GIT_API: name.optional(),
  GIT_ALLOW_PRIVATE: flag.default(false),
  GIT_TOKEN_SECRET_ID: name.optional(),
  /** The key of AWS KMS that signs manifests; absent: they are not signed. */
  SIGNING_KEY_ARN: name.optional(),
  /** Of the function, in MiB; Lambda sets it. */
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: z.coerce.number().positive().default(512),
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

type RequiredSetting =
  | "SECRET_ID"
  | "EVALUATOR_FUNCTION"
  | "STATE_MACHINE_ARN"
  | "WEBHOOK_URL"
  | "WEBHOOK_SECRET_ID"
  | "GIT_TOKEN_SECRET_ID";

/** Throws if the function was deployed without a variable that it needs. */
export function needed(settings: Settings, key: RequiredSetting): string {
  const value = settings[key];
  if (value !== undefined) return value;
  throw new UserError(`This function has no setting ${key}.`, { exitCode: 6, remedy: "Deploy the stack again." });
}

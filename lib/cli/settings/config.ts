/** The configuration file: its fields, and what is wrong with one. */
import * as z from "zod";
import { SECRET_CHARS, WebhookTarget } from "../../core/notification/webhook.ts";
import { formerOptions, givenOptions, removedOptions, withCurrentNames } from "../../core/run/option-forms.ts";
import { optionList } from "../../core/run/option-list.ts";
import { suggestion } from "../../core/text/nearest-word.ts";
import { ModelTable } from "../../model/model-table.ts";

const WebhookConfig = WebhookTarget.extend({
  secret: z
    .string()
    .min(SECRET_CHARS)
    .optional()
    .describe("The secret that signs notifications. L2MAC_WEBHOOK_SECRET wins over it and keeps it out of files."),
});

/** Its options, and what fits neither a flag nor a variable. */
export const Config = z.strictObject({
  $schema: z.string().optional().describe("Where this file's schema is, for editors."),
  ...givenOptions,
  webhook: WebhookConfig.optional().describe(
    "Where to send a notification when a run ends, waits for a person, or nears a ceiling.",
  ),
  models: ModelTable.optional().describe("Properties of models that are not known, or known wrongly."),
  ...formerOptions,
});
export type Config = z.infer<typeof Config>;
export type Settings = Omit<Config, "$schema">;

/** `renamed`: what it sets under old names, or without effect, each a sentence. */
export function readConfig(text: string): { config: Config; renamed?: string[] } | { problems: string[] } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { problems: [`it is not JSON: ${error instanceof Error ? error.message : String(error)}`] };
  }
  const parsed = Config.safeParse(json);
  if (!parsed.success) return { problems: parsed.error.issues.map(sentenceOf) };
  const renamed = [
    ...optionList.flatMap(({ name, formerly }) =>
      formerly && Object.hasOwn(parsed.data, formerly) ? [`${formerly} is now called ${name}.`] : [],
    ),
    ...Object.entries(removedOptions).flatMap(([name, why]) =>
      Object.hasOwn(parsed.data, name) ? [`${name} has no effect: ${why}.`] : [],
    ),
  ];
  return { config: withCurrentNames(parsed.data), ...(renamed.length > 0 ? { renamed } : {}) };
}

const FIELDS = Object.keys(Config.shape);
const SECRET = /key|token|secret/i;

function sentenceOf(issue: z.core.$ZodIssue): string {
  const where = issue.path.join(".");
  if (issue.code !== "unrecognized_keys") return where ? `${where}: ${issue.message}` : issue.message;
  const [field = ""] = issue.keys;
  if (where) return `${where} has no field ${field}`;
  const secret = SECRET.test(field) && "; keys do not belong into files, set OPENAI_API_KEY in the environment";
  return `it has no field ${field}${secret || `.${suggestion(field, FIELDS)}`.replace(/\.$/, "")}`;
}

export const configJsonSchema = (): object => ({
  ...z.toJSONSchema(Config, { target: "draft-7" }),
  title: "l2mac.config.json",
  description:
    "Settings of l2mac. Flags win over the environment, that over this file, and a project's over the user's.",
});

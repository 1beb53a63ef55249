/** The configuration file: what may stand in it, and what is wrong with one. */
import { z } from "zod";
import { Approve, Domain, OnStuck } from "../../core/run/run.ts";
import { SECRET_CHARS, WebhookTarget } from "../../core/run/webhook.ts";
import { suggestion } from "../../core/text/nearest-word.ts";
import { EXPECTED_MODELS } from "../../core/turn/model-list.ts";
import { Price } from "../../core/turn/model-profile.ts";
import { ModelTable } from "../../model/model-table.ts";
import { toolNames } from "./read-value.ts";

const positive = z.number().positive();
const count = z.int().positive();

const tools = z.array(z.string()).superRefine((names, context) => {
  const read = toolNames(names.join(","));
  if (!("value" in read)) context.addIssue({ code: "custom", message: `expected ${read.expected}` });
});

const WebhookConfig = WebhookTarget.extend({
  secret: z
    .string()
    .min(SECRET_CHARS)
    .optional()
    .describe("What notifications are signed with; L2MAC_WEBHOOK_SECRET wins over it, and stands in no file."),
});

export const Config = z
  .strictObject({
    $schema: z.string().describe("Where this file's schema is, for editors."),
    apiUrl: z.string().min(1).describe("The API of a deployed stack: where --remote goes."),
    model: z
      .string()
      .regex(/^\s*[^,\s][^,]*(,\s*[^,\s][^,]*)*$/, EXPECTED_MODELS)
      .describe("The model that is asked, or several with commas between them, each standing in for the one before."),
    baseUrl: z.string().min(1).describe("The OpenAI-compatible server that has it."),
    apiVersion: z.string().min(1).describe("Azure's api-version."),
    contextWindow: count.describe("How many tokens the model's window holds."),
    price: Price.strict().describe("US dollars per million tokens."),
    unpriced: z.boolean().describe("Accepts that the cost is unknown; no USD ceiling is kept."),
    budget: positive.describe("The most that a run may cost, in US dollars."),
    dailyUsd: positive.describe("The most that all runs of a home may cost together on a UTC date, in US dollars."),
    maxTokens: count.describe("The most tokens of a run, input and output together."),
    maxTurns: count.describe("The most model calls of a run."),
    maxMinutes: positive.describe("The longest time under computation."),
    domain: Domain.describe("What is made, unless a task says otherwise."),
    steps: z.int().min(1).max(10_000).describe("The most instructions that a program may have."),
    reflect: z.int().min(0).max(5).describe("How often the model looks at its program again."),
    tools: tools.describe("The only tools that the model is offered."),
    prompts: z.string().min(1).describe("The folder of a prompt pack, seen from this file."),
    tests: z.boolean().describe("Whether the tests of what is written are run."),
    install: z.boolean().describe("Whether the packages that it asks for are installed."),
    unsealed: z
      .boolean()
      .describe("Whether what is written may be run where nothing seals it off: there it may do what you may."),
    onTrap: OnStuck.describe("Whether an instruction that goes in circles stops the run, or is skipped."),
    approve: Approve.describe("Whether the program waits for somebody to approve it before any of it is executed."),
    seed: z.int().describe("Passed to the model, for answers that repeat."),
    webhook: WebhookConfig.describe("Who is told when a run ends, waits for somebody, or nears a ceiling."),
    models: ModelTable.describe("What is true of models that are not known, or known wrongly."),
  })
  .partial();
export type Config = z.infer<typeof Config>;

export function readConfig(text: string): { config: Config } | { problems: string[] } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { problems: [`it is not JSON: ${error instanceof Error ? error.message : String(error)}`] };
  }
  const parsed = Config.safeParse(json);
  return parsed.success ? { config: parsed.data } : { problems: parsed.error.issues.map(sentenceOf) };
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

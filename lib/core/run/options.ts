/** The options of a run, one row each: flags, variables, configuration, API, library and help derive from them. Pure. */
import * as z from "zod";
import { evidenceOptions, examinerOptions } from "../evidence/evidence-options.ts";
import { DEFAULT_ASK_ABOVE_USD, DEFAULT_BUDGET_USD, EVALUATION_MS, LONGEST_EVALUATION_MS } from "../limits.ts";
import { EXPECTED_MODELS, isModelList } from "../turn/model-list.ts";
import { Price } from "../turn/model-profile.ts";
import { EXECUTION_TOOL_NAMES } from "../turn/tools.ts";
import { laneOptions } from "./lanes/lane-options.ts";
import { optionRows } from "./option-row.ts";
import { otelOption } from "./telemetry/otel-option.ts";

export const Domain = z.enum(["codebase", "book", "custom"]);
export type Domain = z.infer<typeof Domain>;

/** What happens to the run when an instruction is stuck. */
export const OnStuck = z.enum(["stop", "skip"]);
export type OnStuck = z.infer<typeof OnStuck>;

export const Effort = z.enum(["low", "medium", "high"]);
export type Effort = z.infer<typeof Effort>;

/** What waits for a person before it is executed. */
export const Approve = z.enum(["plan"]);
export type Approve = z.infer<typeof Approve>;

/** Each row needs a type of its own: what is registered belongs to the object. */
const count = () => z.int().min(1);
const amount = () => z.number().positive();
const word = () => z.string().trim().min(1);

const CheckMinutes = z
  .number()
  .min(1)
  .max(LONGEST_EVALUATION_MS / 60_000)
  .default(EVALUATION_MS / 60_000);

/** Tools that can be offered while a program is executed. */
const ExecutionTool = z.enum(EXECUTION_TOOL_NAMES);

/** How the run works. Stored with it; the API takes them under the same names, except `tests` (`runTests`). */
export const runOptions = {
  domain: Domain.default("codebase").register(optionRows, {
    inProject: "anything",
    flag: "--domain",
    group: "task",
    description: "What to write",
  }),
  steps: z.int().min(1).max(10_000).register(optionRows, {
    inProject: "less",
    flag: "--steps",
    group: "task",
    description: "Maximum number of instructions in the program",
  }),
  ...laneOptions,
  reflect: z.int().min(0).max(5).default(1).register(optionRows, {
    inProject: "anything",
    flag: "--reflect",
    group: "task",
    description: "How often the model reviews its program before it is executed",
  }),
  tools: z.array(ExecutionTool).min(1).register(optionRows, {
    inProject: "less",
    flag: "--tools",
    argument: "A,B",
    group: "program",
    description: "Offer the model only these tools",
  }),
  tests: z.boolean().default(true).register(optionRows, {
    inProject: "less",
    flag: "--no-tests",
    isNegated: true,
    group: "execution",
    description: "Run the tests of the generated files",
  }),
  install: z.boolean().default(true).register(optionRows, {
    inProject: "less",
    flag: "--no-install",
    isNegated: true,
    group: "execution",
    description: "Install the packages that the generated files declare",
  }),
  checkMinutes: CheckMinutes.register(optionRows, {
    inProject: "anything",
    flag: "--check-minutes",
    group: "execution",
    description: "Maximum minutes of one check, its installs and tests included",
  }),
  ...evidenceOptions,
  onStuck: OnStuck.default("stop").register(optionRows, {
    inProject: "anything",
    flag: "--on-stuck",
    formerly: "onTrap",
    group: "execution",
    description: "Stop the run at an instruction without progress, or skip it",
  }),
  approve: Approve.register(optionRows, {
    inProject: "anything",
    flag: "--approve",
    group: "execution",
    description: "Wait for a person to approve the program before it is executed",
  }),
  askAbove: z.number().nonnegative().default(DEFAULT_ASK_ABOVE_USD).register(optionRows, {
    inProject: "less",
    flag: "--ask-above",
    argument: "USD",
    group: "budget",
    description: "Wait for approval if the program may cost more than this",
  }),
  seed: z.int().register(optionRows, {
    inProject: "anything",
    flag: "--seed",
    group: "execution",
    description: "Seed for the model, for answers that repeat",
  }),
  // Neither is for a project's own file: thoughts and what is lost are paid for.
  effort: Effort.register(optionRows, {
    flag: "--effort",
    group: "model",
    description: "How much the model thinks before it answers, where the model lets it be set",
  }),
  stream: z.boolean().default(true).register(optionRows, {
    flag: "--no-stream",
    isNegated: true,
    group: "model",
    description: "Receive answers as the model writes them; off for servers that cannot",
  }),
};

/** Which model computes the run, and its properties where they are not known. */
export const modelOptions = {
  model: z.string().min(1).max(1_000).refine(isModelList, `expected ${EXPECTED_MODELS}`).register(optionRows, {
    flag: "--model",
    argument: "M[,M…]",
    group: "model",
    description: "The model, then fallbacks after commas; rehearsal plays a recorded scene",
  }),
  ...examinerOptions,
  contextWindow: z.int().min(1_024).max(100_000_000).register(optionRows, {
    flag: "--context-window",
    group: "model",
    description: "Tokens in the model's context window",
  }),
  price: Price.strict().register(optionRows, {
    flag: "--price",
    argument: "IN,OUT",
    group: "model",
    description: "US dollars per million tokens, input and output",
  }),
  unpriced: z.boolean().register(optionRows, {
    flag: "--unpriced",
    group: "model",
    description: "Accept that the cost is unknown; no USD ceiling applies",
  }),
};

/** Stored with the run as `budget`, which is also its field in the API. */
export const budgetOptions = {
  budget: amount().default(DEFAULT_BUDGET_USD).register(optionRows, {
    inProject: "less",
    flag: "--budget",
    argument: "USD",
    group: "budget",
    description: "Maximum cost of the run in US dollars",
  }),
  maxTokens: count().register(optionRows, {
    inProject: "less",
    flag: "--max-tokens",
    group: "budget",
    description: "Maximum tokens, input and output together",
  }),
  maxTurns: count().register(optionRows, {
    inProject: "less",
    flag: "--max-turns",
    group: "budget",
    description: "Maximum number of model calls",
  }),
  maxMinutes: amount().register(optionRows, {
    inProject: "less",
    flag: "--max-minutes",
    group: "budget",
    description: "Maximum computing time",
  }),
};

/** The model server. Stored with a run of this computer, never sent. */
export const serverOptions = {
  baseUrl: word().register(optionRows, {
    flag: "--base-url",
    argument: "URL",
    env: ["OPENAI_BASE_URL", "OPENAI_API_BASE"],
    group: "model",
    description: "The OpenAI-compatible server that has the model",
  }),
  apiVersion: word().register(optionRows, {
    env: ["OPENAI_API_VERSION"],
    group: "model",
    description: "Azure's api-version",
  }),
};

/** Settings of this computer, which are neither stored nor sent under these names. */
export const computerOptions = {
  apiUrl: word().register(optionRows, {
    env: ["L2MAC_API_URL"],
    group: "computer",
    description: "The API of a deployed stack, which --remote uses",
  }),
  prompts: word().register(optionRows, {
    flag: "--prompts",
    argument: "DIR",
    isPath: true,
    group: "program",
    description: "Use the prompt pack in this folder",
  }),
  workspace: word().register(optionRows, {
    flag: "--workspace",
    argument: "DIR",
    isPath: true,
    group: "task",
    description: "Folder in which each run gets a folder for its files (default ./workspace)",
  }),
  allowSecrets: z.boolean().register(optionRows, {
    flag: "--allow-secrets",
    group: "task",
    description: "Take files of --from in whose text secrets were found",
  }),
  unsealed: z.boolean().register(optionRows, {
    flag: "--unsealed",
    group: "execution",
    description: "Run generated code even without a sandbox: it can do whatever you can",
  }),
  ...otelOption,
  dailyUsd: amount().register(optionRows, {
    inProject: "less",
    flag: "--daily-usd",
    argument: "USD",
    group: "computer",
    description: "Maximum cost of all runs of a home on one UTC date, in US dollars",
  }),
};

export const allOptions = { ...runOptions, ...modelOptions, ...serverOptions, ...budgetOptions, ...computerOptions };
export type OptionName = keyof typeof allOptions;

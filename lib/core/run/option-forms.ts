/** The forms in which options travel: as settings, in the body of the API, and stored with the run. Pure. */
import * as z from "zod";
import { defined } from "../defined.ts";
import { EVALUATION_MS } from "../limits.ts";
import { bare, optionList } from "./option-list.ts";
import { optionRows } from "./option-row.ts";
import {
  allOptions,
  budgetOptions,
  Domain,
  modelOptions,
  type OptionName,
  runOptions,
  serverOptions,
} from "./options.ts";
import { RunBranch } from "./run-branch.ts";

type Bare<Type> = Type extends z.ZodDefault<infer Inner> ? Inner : Type;
type GivenShape<Shape> = { [Name in keyof Shape]: z.ZodOptional<Bare<Shape[Name]> & z.ZodType> };
/** Every option may be absent, and absent stays absent: defaults are for the place that decides. */
function givenShape<Shape extends Record<string, z.ZodType>>(shape: Shape): GivenShape<Shape> {
  const entries = Object.entries(shape).map(([name, type]) => {
    const { description = "" } = optionRows.get(type) ?? {};
    return [name, bare(type).describe(`${description}.`).optional()];
  });
  return Object.fromEntries(entries) as GivenShape<Shape>;
}

/** Options that earlier versions had, each with why nothing is to be set in its place. They are accepted, and change nothing. */
export const removedOptions: Record<string, string> = { memo: "each call of a program is executed" };

export const removedFields: Record<never, never> = Object.fromEntries(
  Object.entries(removedOptions).map(([name, why]) => [
    name,
    z
      .boolean()
      .optional()
      .meta({ deprecated: true, description: `It has no effect: ${why}.` }),
  ]),
);

/** Old names of options, still accepted where the new ones are. Not part of any type: `withCurrentNames` removes them. */
export const formerOptions: Record<never, never> = {
  ...removedFields,
  ...Object.fromEntries(
    optionList.flatMap(({ name, type, formerly }) =>
      formerly
        ? [[formerly, type.optional().meta({ deprecated: true, description: `The former name of ${name}.` })]]
        : [],
    ),
  ),
};

/** The same values under the current names; what is set under both keeps the current one. */
export function withCurrentNames<Values extends object>(values: Values): Values {
  const renamed = { ...values } as Record<string, unknown>;
  for (const { name, formerly } of optionList) {
    if (formerly === undefined || renamed[formerly] === undefined) continue;
    renamed[name] ??= renamed[formerly];
    delete renamed[formerly];
  }
  for (const name of Object.keys(removedOptions)) delete renamed[name];
  return renamed as Values;
}

/** Settings: what flags, variables, configuration files and callers of the library give. */
export const givenOptions = givenShape(allOptions);
export const GivenOptions = z.object(givenOptions);
export type GivenOptions = z.infer<typeof GivenOptions>;

const { budget: usd, maxTokens: tokens, maxTurns: turns, maxMinutes: minutes } = givenShape(budgetOptions);
export const Budget = z.object({ usd, tokens, turns, minutes });
export type Budget = z.infer<typeof Budget>;

const { tests: runTests, ...sameInBody } = givenShape({ ...runOptions, ...modelOptions });
/** The options among the fields of `POST /runs`. */
export const bodyOptions = { ...sameInBody, runTests, budget: Budget.strict().optional(), ...formerOptions };
const Body = z.object(bodyOptions);
export type BodyOptions = z.infer<typeof Body>;

const { tests: _tests, onStuck: onTrap, ...sameInRun } = givenShape(runOptions);
/** The user's choices, as stored with the run. Small and without secrets; task and prompts are in `task.json`. */
export const RunOptions = z.object({
  ...sameInRun,
  domain: Domain,
  reflect: runOptions.reflect.unwrap(),
  /** A record may name tools of another version. */
  tools: z.array(z.string()).optional(),
  runTests: z.boolean(),
  install: z.boolean(),
  onTrap,
  budget: Budget,
  ...givenShape(serverOptions),
  /** Where the command delivers to on this computer. */
  out: z.string().optional(),
  /** The branch to deliver to instead, on this computer. */
  branch: RunBranch.optional(),
  /** The run starts from existing files: pack 000000 is not empty. */
  from: z.boolean().optional(),
});
export type RunOptions = z.infer<typeof RunOptions>;

/** Fields of the body whose names differ from their option's. */
const OTHER_FIELDS: Partial<Record<OptionName, string>> = {
  tests: "runTests",
  budget: "budget.usd",
  maxTokens: "budget.tokens",
  maxTurns: "budget.turns",
  maxMinutes: "budget.minutes",
};

/** The field of the body that an option has; undefined: it is not sent. */
export const bodyFieldOf = (name: OptionName): string | undefined =>
  OTHER_FIELDS[name] ?? (name in sameInBody ? name : undefined);

/** What a client sends of its settings. */
export function toBody({ tests, budget, maxTokens, maxTurns, maxMinutes, ...same }: GivenOptions): BodyOptions {
  const ceilings = defined({ usd: budget, tokens: maxTokens, turns: maxTurns, minutes: maxMinutes });
  const hasCeilings = Object.keys(ceilings).length > 0;
  return Body.parse(defined({ ...same, runTests: tests, budget: hasCeilings ? ceilings : undefined }));
}

/** The settings that a body holds. Other fields of a submission may have the name of an option: `prompts` is a pack there. */
export function fromBody(body: BodyOptions): GivenOptions {
  const { runTests, budget = {}, ...same } = Body.parse(withCurrentNames(body));
  const { usd, tokens, turns, minutes } = budget;
  const ceilings = { budget: usd, maxTokens: tokens, maxTurns: turns, maxMinutes: minutes };
  return GivenOptions.parse(defined({ ...same, tests: runTests, ...ceilings }));
}

/** The value of every option that has one without being set. */
export const defaultOptions: GivenOptions = GivenOptions.parse(
  Object.fromEntries(optionList.map(({ name, default: value }) => [name, value])),
);

const Unbudgeted = RunOptions.omit({ budget: true });

/** What is stored of settings. Its budget is decided elsewhere: it depends on whether the model has a price. */
export function toStored(given: GivenOptions): z.infer<typeof Unbudgeted> {
  const { tests, onStuck, checkMinutes, stream, askAbove, evidence, ...same } = {
    ...defined(defaultOptions),
    ...defined(given),
  };
  // Defaults are left out: the record of a run stays small.
  const onTrap = onStuck === "skip" ? onStuck : undefined;
  const minutes = checkMinutes === defaultOptions.checkMinutes ? undefined : checkMinutes;
  return Unbudgeted.parse(
    defined({
      ...same,
      runTests: tests,
      onTrap,
      checkMinutes: minutes,
      askAbove: askAbove === defaultOptions.askAbove ? undefined : askAbove,
      stream: stream === false ? stream : undefined,
      // Absent is off: so it is in records of versions without evidence.
      evidence: evidence === "off" ? undefined : evidence,
    }),
  );
}

/** What one evaluation of a run may take. */
export const evaluationMsOf = ({ checkMinutes }: Pick<RunOptions, "checkMinutes">): number =>
  checkMinutes === undefined ? EVALUATION_MS : checkMinutes * 60_000;

/** The dialect of requests that a server accepts, and how its refusals change it. Pure. */
import type { Convention, LearnedDialect, ModelProfile } from "../core/turn/model-profile.ts";
import { type ErrorBody, parseErrorBody } from "./error-body.ts";
import type { Reply } from "./wire.ts";

export interface Dialect {
  convention: Convention;
  /** Where calls are asked for by JSON schema: false leaves the arguments open. */
  typedArguments: boolean;
  /** False: only the prompt asks for JSON. */
  responseFormat: boolean;
  outputLimit: ModelProfile["outputLimit"];
  /** The other name of the output limit was already refused. */
  outputLimitTurned: boolean;
  /** The largest output limit that may be requested. */
  outputCap: number;
  temperature: boolean;
  seed: boolean;
  /** False: no effort is sent. */
  effort: boolean;
  parallelToolCalls: boolean;
  requiredToolChoice: boolean;
  /** False: the system message is put into the first user message. */
  systemRole: boolean;
  /** One call per assistant message, also of earlier turns. */
  singleCalls: boolean;
  stream: boolean;
  /** Whether a stream is asked to count its tokens. */
  streamUsage: boolean;
}

/** Learned from refusals. Several adapters of one server can share it. */
export type DialectFix = Partial<Dialect>;

export const dialectOf = (profile: ModelProfile, dialectFixes: DialectFix): Dialect => ({
  convention: profile.convention,
  typedArguments: true,
  responseFormat: true,
  outputLimit: profile.outputLimit,
  outputLimitTurned: false,
  outputCap: profile.maxOutputTokens,
  temperature: profile.temperature,
  seed: true,
  effort: true,
  parallelToolCalls: profile.parallelToolCalls,
  requiredToolChoice: profile.requiredToolChoice,
  systemRole: true,
  singleCalls: false,
  stream: true,
  streamUsage: true,
  ...(profile.dialect as DialectFix | undefined),
  ...dialectFixes,
});

/** For the next adapter of this model, in this process or another. */
export function learnedDialect(profile: ModelProfile, dialectFixes: DialectFix): { dialect?: LearnedDialect } {
  const dialect = { ...profile.dialect, ...dialectFixes };
  return Object.keys(dialect).length > 0 ? { dialect } : {};
}

/** What to change so that the server accepts the request; undefined if the refusal is about something else. */
export function dialectFix(reply: Reply, dialect: Dialect): DialectFix | undefined {
  const unpaid = REFUSING.has(reply.status);
  const asServerError = UNABLE.has(reply.status);
  if (!unpaid && !asServerError) return undefined;
  const errorBody = parseErrorBody(reply.text);
  const rule = RULES.find(
    ({ serverError, matches, fix }) => (unpaid || serverError) && matches(errorBody, dialect) && fix(dialect),
  );
  return rule?.fix(dialect) ?? (unpaid ? lowerCap(errorBody, dialect) : undefined);
}

/** Answered before any work is done. OpenRouter answers 404 if no provider of a model supports tools. */
const REFUSING = new Set([400, 404, 422]);
/** llama.cpp answers with a server error to a request that it is not configured for. */
const UNABLE = new Set([500, 501, 503]);

interface Rule {
  matches(errorBody: ErrorBody, dialect: Dialect): boolean;
  /** Undefined if the dialect already has that change. */
  fix(dialect: Dialect): DialectFix | undefined;
  serverError?: true;
}

const WITHOUT =
  /not (be )?(support|permit|allow|avail|compat|accept|enabled|implement|a valid)|unsupported|unavailable|unknown|unrecognized|unexpected|extra[_ ](inputs?|forbidden)|cannot find field|only the default|requires|deprecated|no endpoints|use ['`]max_/;
const names = (field: RegExp) => ({
  matches: ({ words, param }: ErrorBody) => field.test(param) || (field.test(words) && WITHOUT.test(words)),
});
/** An optional field that a provider refuses for this model, before any work is done. */
export function refusedOption(reply: Reply): "effort" | "temperature" | undefined {
  if (reply.status !== 400) return undefined;
  const errorBody = parseErrorBody(reply.text);
  if (names(/effort|thinking/).matches(errorBody)) return "effort";
  return names(/temperature/).matches(errorBody) ? "temperature" : undefined;
}

const phrase = (wording: RegExp) => ({ matches: ({ words }: ErrorBody) => wording.test(words) });
const unlessDone = (done: boolean, fix: DialectFix): DialectFix | undefined => (done ? undefined : fix);

function simplerSchema({ convention, typedArguments }: Pick<Dialect, "convention" | "typedArguments">) {
  if (convention !== "schema") return undefined;
  return typedArguments ? { typedArguments: false } : ({ convention: "json" } as const);
}

/** In this order: a refusal of `parallel_tool_calls` is none of `tools`. Each only ever takes something away. */
const RULES: Rule[] = [
  {
    ...phrase(/system role|system message.{0,30}(not|un)support|role.{0,40}not support.{0,10}system/),
    fix: ({ systemRole }) => unlessDone(!systemRole, { systemRole: false }),
    serverError: true,
  },
  {
    ...phrase(/single tool[- ]?calls?/),
    fix: ({ singleCalls }) => unlessDone(singleCalls, { singleCalls: true, parallelToolCalls: false }),
    serverError: true,
  },
  {
    // Also templates that cannot read a list of tools, and models whose thoughts before a call would have to be sent back.
    ...phrase(
      /--jinja|param: tools|--enable-auto-tool-choice|tool-call-parser|support (for )?(tool|function)|function tools with|reasoning_content|roles must alternate|tools? (is|are) not|tool calling is not|function calling is not|"tools"|'tools'|`tools`|body\.tools|unable to generate parser|jinja exception/,
    ),
    fix: ({ convention }) => unlessDone(convention !== "native", { convention: "schema" }),
    serverError: true,
  },
  {
    ...names(/stream_options|include_usage/),
    fix: ({ streamUsage }) => unlessDone(!streamUsage, { streamUsage: false }),
  },
  { ...names(/\bstream(?:ing)?\b/), fix: ({ stream }) => unlessDone(!stream, { stream: false }) },
  { ...names(/temperature/), fix: ({ temperature }) => unlessDone(!temperature, { temperature: false }) },
  { ...names(/reasoning_effort/), fix: ({ effort }) => unlessDone(!effort, { effort: false }) },
  { ...names(/\bseed\b/), fix: ({ seed }) => unlessDone(!seed, { seed: false }) },
  {
    ...names(/parallel_tool_calls/),
    fix: ({ parallelToolCalls }) => unlessDone(!parallelToolCalls, { parallelToolCalls: false }),
  },
  {
    ...names(/tool[_ ]choice/),
    fix: ({ requiredToolChoice }) => unlessDone(!requiredToolChoice, { requiredToolChoice: false }),
  },
  {
    ...names(/response_format|json_schema|json_object|structured output/),
    fix: ({ responseFormat, ...dialect }) =>
      simplerSchema(dialect) ??
      unlessDone(dialect.convention === "native" || !responseFormat, { responseFormat: false }),
  },
  {
    // Servers that turn schemas into grammars, each with limits of its own.
    ...phrase(/grammar|json schema|schema conversion|initialize samplers/),
    fix: (dialect) => (dialect.convention === "native" ? { convention: "schema" } : simplerSchema(dialect)),
    serverError: true,
  },
  {
    matches: ({ words }) =>
      /max_(completion_)?tokens/.test(words) && WITHOUT.test(words) && !/too large|at most|context/.test(words),
    fix: ({ outputLimit, outputLimitTurned }) =>
      unlessDone(outputLimitTurned, {
        outputLimit: outputLimit === "max_tokens" ? "max_completion_tokens" : "max_tokens",
        outputLimitTurned: true,
      }),
  },
];

const CAP =
  /at most (\d+) (?:completion |output )?tokens|less than or equal to [`'"]?(\d+)|<= ?(\d+)|valid range of max_tokens is \[\d+, ?(\d+)\]|> (\d+), which is the maximum/;

/** The limit that a server names if the requested output is longer than its model can write. */
function lowerCap({ words }: ErrorBody, dialect: Dialect): DialectFix | undefined {
  if (!/max_(completion_|output_)?tokens/.test(words) || /context/.test(words.replace("context_window", "")))
    return undefined;
  const cap = Number((CAP.exec(words) ?? []).slice(1).find(Boolean));
  return cap > 0 && cap < dialect.outputCap ? { outputCap: cap } : undefined;
}

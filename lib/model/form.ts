/** The form in which a server takes requests, and what its refusals teach about it. Pure. */
import type { Convention, ModelProfile } from "../core/turn/model-profile.ts";
import { type Complaint, complaintOf } from "./complaint.ts";
import type { Reply } from "./wire.ts";

export interface Form {
  convention: Convention;
  /** False: JSON is asked for in words only. */
  responseFormat: boolean;
  outputLimit: ModelProfile["outputLimit"];
  /** The other name of the output limit was refused already. */
  outputLimitTurned: boolean;
  /** No answer may be asked to be longer. */
  outputCap: number;
  temperature: boolean;
  seed: boolean;
  parallelToolCalls: boolean;
  requiredToolChoice: boolean;
  /** False: what the system message says goes into the first user message. */
  systemRole: boolean;
}

/** What refusals taught. Kept by whoever makes several adapters for one server. */
export type Learned = Partial<Form>;

export const formOf = (profile: ModelProfile, learned: Learned): Form => ({
  convention: profile.convention,
  responseFormat: true,
  outputLimit: profile.outputLimit,
  outputLimitTurned: false,
  outputCap: profile.maxOutputTokens,
  temperature: profile.temperature,
  seed: true,
  parallelToolCalls: profile.parallelToolCalls,
  requiredToolChoice: profile.requiredToolChoice,
  systemRole: true,
  ...learned,
});

/** What to change so that the server takes the request; undefined where its refusal is about something else. */
export function lessonOf(reply: Reply, form: Form): Learned | undefined {
  const unpaid = REFUSING.has(reply.status);
  const asServerError = UNABLE.has(reply.status);
  if (!unpaid && !asServerError) return undefined;
  const complaint = complaintOf(reply.text);
  const rule = RULES.find(
    ({ serverError, says, lesson }) => (unpaid || serverError) && says(complaint, form) && lesson(form),
  );
  return rule?.lesson(form) ?? (unpaid ? lowerCap(complaint, form) : undefined);
}

/** Answered before any work is done. OpenRouter says 404 where no provider of a model takes tools. */
const REFUSING = new Set([400, 404, 422]);
/** llama.cpp calls a request that it is not set up for an error of its own. */
const UNABLE = new Set([500, 501, 503]);

interface Rule {
  says(complaint: Complaint, form: Form): boolean;
  /** Undefined where the form has nothing left to change about it. */
  lesson(form: Form): Learned | undefined;
  serverError?: true;
}

const WITHOUT =
  /not (be )?(support|permit|allow|avail|compat|accept|enabled|implement|a valid)|unsupported|unavailable|unknown|unrecognized|unexpected|extra[_ ](inputs?|forbidden)|cannot find field|only the default|requires|deprecated|no endpoints|use ['`]max_/;
const names = (field: RegExp) => ({
  says: ({ words, param }: Complaint) => field.test(param) || (field.test(words) && WITHOUT.test(words)),
});
const phrase = (wording: RegExp) => ({ says: ({ words }: Complaint) => wording.test(words) });
const unless = (done: boolean, lesson: Learned): Learned | undefined => (done ? undefined : lesson);

/** In this order: a complaint about `parallel_tool_calls` is none about `tools`. Each only ever takes something away. */
const RULES: Rule[] = [
  {
    ...phrase(/system role|system message.{0,30}(not|un)support|role.{0,40}not support.{0,10}system/),
    lesson: ({ systemRole }) => unless(!systemRole, { systemRole: false }),
    serverError: true,
  },
  {
    // Also: models that think before they call, where the thoughts would have to be sent back.
    ...phrase(
      /--jinja|param: tools|--enable-auto-tool-choice|tool-call-parser|support (for )?(tool|function)|function tools with|reasoning_content|roles must alternate|tools? (is|are) not|tool calling is not|function calling is not|"tools"|'tools'|`tools`|body\.tools/,
    ),
    lesson: ({ convention }) => unless(convention !== "native", { convention: "schema" }),
    serverError: true,
  },
  { ...names(/temperature/), lesson: ({ temperature }) => unless(!temperature, { temperature: false }) },
  { ...names(/\bseed\b/), lesson: ({ seed }) => unless(!seed, { seed: false }) },
  {
    ...names(/parallel_tool_calls/),
    lesson: ({ parallelToolCalls }) => unless(!parallelToolCalls, { parallelToolCalls: false }),
  },
  {
    ...names(/tool[_ ]choice/),
    lesson: ({ requiredToolChoice }) => unless(!requiredToolChoice, { requiredToolChoice: false }),
  },
  {
    ...names(/response_format|json_schema|json_object|structured output/),
    lesson: ({ convention, responseFormat }) => {
      if (convention === "schema") return { convention: "json" };
      return unless(convention === "native" || !responseFormat, { responseFormat: false });
    },
  },
  {
    says: ({ words }) =>
      /max_(completion_)?tokens/.test(words) && WITHOUT.test(words) && !/too large|at most|context/.test(words),
    lesson: ({ outputLimit, outputLimitTurned }) =>
      unless(outputLimitTurned, {
        outputLimit: outputLimit === "max_tokens" ? "max_completion_tokens" : "max_tokens",
        outputLimitTurned: true,
      }),
  },
];

const CAP =
  /at most (\d+) (?:completion |output )?tokens|less than or equal to [`'"]?(\d+)|<= ?(\d+)|valid range of max_tokens is \[\d+, ?(\d+)\]|> (\d+), which is the maximum/;

/** The limit that a server names when more was asked for than its model can write. */
function lowerCap({ words }: Complaint, form: Form): Learned | undefined {
  if (!/max_(completion_|output_)?tokens/.test(words) || /context/.test(words.replace("context_window", "")))
    return undefined;
  const cap = Number((CAP.exec(words) ?? []).slice(1).find(Boolean));
  return cap > 0 && cap < form.outputCap ? { outputCap: cap } : undefined;
}

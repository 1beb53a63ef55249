/** What of the Amazon States Language is spoken here. A state type or a field that is not listed is refused. */
import * as z from "zod";
import { compileExpression } from "./asl-expression.ts";

const expression = z.json().transform((json, context) => {
  const faults: string[] = [];
  const compiled = compileExpression(json, faults);
  for (const message of faults) context.addIssue({ code: "custom", message });
  return compiled;
});

const name = z.string().min(1);
const Comment = z.string().optional();
const ErrorEquals = z.array(name).min(1);
/** The service's own bound, three years. */
const seconds = z.int().positive().max(99_999_999);

const values = { Assign: expression.optional(), Output: expression.optional() };
const flow = { Comment, ...values, Next: name.optional(), End: z.literal(true).optional() };

export const Retrier = z.strictObject({
  ErrorEquals,
  IntervalSeconds: seconds.default(1),
  MaxAttempts: z.int().nonnegative().default(3),
  BackoffRate: z.number().min(1).default(2),
  MaxDelaySeconds: seconds.optional(),
  JitterStrategy: z.enum(["FULL", "NONE"]).default("NONE"),
});
export type Retrier = z.infer<typeof Retrier>;

export const Catcher = z.strictObject({ Comment, ErrorEquals, ...values, Next: name });
export type Catcher = z.infer<typeof Catcher>;

export const INVOKE = "arn:aws:states:::lambda:invoke";
export const START_EXECUTION = "arn:aws:states:::states:startExecution";

const Pass = z.strictObject({ Type: z.literal("Pass"), ...flow });
const Task = z.strictObject({
  Type: z.literal("Task"),
  Resource: z.enum([INVOKE, START_EXECUTION]),
  Arguments: expression.optional(),
  TimeoutSeconds: seconds.optional(),
  Retry: z.array(Retrier).default([]),
  Catch: z.array(Catcher).default([]),
  ...flow,
});
const Choice = z.strictObject({
  Type: z.literal("Choice"),
  Comment,
  Choices: z.array(z.strictObject({ Comment, Condition: expression, ...values, Next: name })).min(1),
  Default: name.optional(),
  ...values,
});
const Wait = z.strictObject({ Type: z.literal("Wait"), Seconds: expression, ...flow });
const Succeed = z.strictObject({ Type: z.literal("Succeed"), Comment, Output: expression.optional() });
const Fail = z.strictObject({
  Type: z.literal("Fail"),
  Comment,
  Error: expression.optional(),
  Cause: expression.optional(),
});

/** Inline only. Without ItemSelector: the input of an iteration is the item itself. */
const MapFields = z.strictObject({
  Type: z.literal("Map"),
  Items: expression,
  MaxConcurrency: z.int().nonnegative().optional(),
  Catch: z.array(Catcher).default([]),
  ItemProcessor: z.strictObject({
    ProcessorConfig: z.strictObject({ Mode: z.literal("INLINE") }),
    StartAt: name,
    States: z.record(name, z.looseObject({})),
  }),
  ...flow,
});

export type Pass = z.infer<typeof Pass>;
export type Task = z.infer<typeof Task>;
export type Choice = z.infer<typeof Choice>;
export type Wait = z.infer<typeof Wait>;
export type Succeed = z.infer<typeof Succeed>;
export type Fail = z.infer<typeof Fail>;

/** With the definition of its iterations. */
export type MapState = z.infer<typeof MapFields> & { processor: Definition };

export const PlainState = z.discriminatedUnion("Type", [Pass, Task, Choice, Wait, Succeed, Fail, MapFields], {
  error: ({ input }) => `Type ${JSON.stringify((input as { Type?: unknown }).Type)} is not supported`,
});
export type State = Exclude<z.infer<typeof PlainState>, { Type: "Map" }> | MapState;

/** No TimeoutSeconds: the sweeper, not the machine, ends what hangs. */
export const StateMachine = z.strictObject({
  Comment,
  Version: z.literal("1.0").optional(),
  QueryLanguage: z.literal("JSONata"),
  StartAt: name,
  States: z.record(name, z.looseObject({})),
});

/** A definition whose states are known, whose expressions are compiled and whose ways all lead somewhere. */
export interface Definition {
  startAt: string;
  states: ReadonlyMap<string, State>;
}

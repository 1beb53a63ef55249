/** What both engines play: the control unit with scripted handlers, and small machines for what the language says. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import type { Json } from "../../../../lib/core/text/json.ts";

/** What a task does when it is called. */
export type Answer = { answer: Json } | { error: string; message: string } | { never: true };

export interface Play {
  name: string;
  definition: string;
  input: Json;
  /** By task, a lane's calls as `execute/2`; the last one over and over. */
  answers: Record<string, Answer[]>;
  /** What its lanes have done when it fails is a matter of time: only how it ends is compared. */
  races?: true;
}

export const START = "arn:aws:states:::states:startExecution";

const CONTROL_UNIT = readFileSync(new URL("../../../../statemachine/control-unit.asl.json", import.meta.url), "utf8");

export const answer = (value: Json): Answer => ({ answer: value });
export const thrown = (error: string, message = 'so it "is"'): Answer => ({ error, message });
export const EXECUTE = answer({ next: "execute" });
export const DELIVER = answer({ next: "deliver" });
export const WAIT = answer({ next: "wait", waitSeconds: 0.2 });

export function controlUnit(name: string, answers: Play["answers"], loopLimit = 1_000): Play {
  const values: Record<string, string> = {
    ...{ PlanFunction: "plan", ExecuteFunction: "execute", DeliverFunction: "deliver" },
    ...{ RecordFailureFunction: "record-failure", StateMachineArn: "control-unit", Partition: "aws" },
    LoopLimit: String(loopLimit),
  };
  const definition = CONTROL_UNIT.replace(/\$\{(\w+)\}/g, (_, placeholder: string) => values[placeholder] ?? "");
  const done = [answer({})];
  const all = { plan: [EXECUTE], execute: [DELIVER], deliver: done, "record-failure": done, [START]: done, ...answers };
  return { name: `control unit: ${name}`, definition, input: { runId: "r", epoch: 3 }, answers: all };
}

const EXISTS = thrown("StepFunctions.ExecutionAlreadyExistsException");

export const controlUnitPlays: Play[] = [
  controlUnit("executes instructions and delivers", { execute: [EXECUTE, EXECUTE, EXECUTE, DELIVER] }),
  controlUnit("ends where the epoch is over", { plan: [answer({ next: "stop" })] }),
  controlUnit("delivers what is planned already", { plan: [DELIVER] }),
  controlUnit("waits, then plans and executes again", { plan: [WAIT, EXECUTE], execute: [WAIT, DELIVER] }),
  controlUnit("begins the next epoch", { execute: [EXECUTE] }, 3),
  controlUnit("counts waits as loops", { plan: [WAIT, WAIT, WAIT, EXECUTE] }, 3),
  controlUnit("finds the next epoch begun", { execute: [EXECUTE], [START]: [EXISTS] }, 2),
  controlUnit(
    "cannot begin the next epoch",
    { execute: [EXECUTE], [START]: [thrown("StepFunctions.OtherException")] },
    1,
  ),
  controlUnit(
    "begins the next epoch after throttling",
    {
      execute: [EXECUTE],
      [START]: [thrown("StepFunctions.ThrottlingException"), thrown("StepFunctions.ThrottlingException"), answer({})],
    },
    1,
  ),
  controlUnit("never hears of the next epoch", { execute: [EXECUTE], [START]: [{ never: true }] }, 1),
  ...["L2mac.UserError", "L2mac.Denied", "L2mac.Fenced", "L2mac.Cancelled", "Lambda.ResourceNotFoundException"].map(
    (name) => controlUnit(`does not retry ${name}`, { execute: [thrown(name)] }),
  ),
  controlUnit("plans once more where it is denied", { plan: [thrown("L2mac.Denied")] }),
  controlUnit("retries what is unknown three times", { execute: [thrown("Lambda.Unknown")] }),
  controlUnit("forgets the retries of an earlier visit", {
    execute: [thrown("A"), thrown("A"), EXECUTE, thrown("A"), thrown("A"), thrown("A"), DELIVER],
  }),
  controlUnit("sits out throttling", {
    execute: [...Array(14).fill(thrown("Lambda.TooManyRequestsException")), DELIVER],
  }),
  controlUnit("counts the retries of two kinds apart", {
    execute: [thrown("Lambda.ServiceException"), thrown("B"), thrown("Lambda.ServiceException"), thrown("B"), DELIVER],
  }),
  controlUnit("records a function that is too slow", { execute: [thrown("Sandbox.Timedout")] }),
  controlUnit("keeps the first error where it cannot be recorded", {
    execute: [thrown("L2mac.UserError")],
    "record-failure": [thrown("Lambda.Unknown")],
  }),
  controlUnit("cuts what it records", { execute: [thrown("L2mac.UserError", "long and ".repeat(90))] }),
  controlUnit("records what no plan says", { plan: [thrown("L2mac.ModelError"), thrown("L2mac.UserError")] }),
  controlUnit("records a failed delivery", { deliver: [thrown("L2mac.UserError")] }),
  ...[{}, null, { next: "wait" }, { next: "wait", waitSeconds: "soon" }, { next: "dance" }, { next: 3 }, [], "x"].map(
    (value) => controlUnit(`records the answer ${JSON.stringify(value)}`, { execute: [answer(value)] }),
  ),
];

/** Any order of answers and errors, of all tasks. */
const anyAnswer = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(EXECUTE, EXECUTE, WAIT, DELIVER, answer({ next: "stop" })) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...["L2mac.ModelError", "L2mac.NotReady", "Lambda.TooManyRequestsException", "Sandbox.Timedout", "Error"].map(
        (name) => thrown(name),
      ),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Answer>(
      ...[thrown("L2mac.Fenced"), thrown("L2mac.UserError"), answer({}), answer({ next: "" })],
      answer({ next: "wait", waitSeconds: 59.1 }),
    ),
  },
);
const anyAnswers = fc.array(anyAnswer, { minLength: 1, maxLength: 9 }).map((answers) => [...answers, DELIVER]);

export const anyPlays = (count: number): Play[] =>
  fc
    .sample(fc.record({ plan: anyAnswers, execute: anyAnswers, deliver: anyAnswers, [START]: anyAnswers }), {
      ...{ numRuns: count, seed: 17 },
    })
    .map((answers, index) => controlUnit(`any ${index}`, answers, 5));

const task = (more: object = {}) => ({
  Type: "Task",
  Resource: "arn:aws:states:::lambda:invoke",
  Arguments: { FunctionName: "f", Payload: "{% $states.input %}" },
  Next: "End",
  ...more,
});
const End = { Type: "Succeed" };
const Caught = { Type: "Succeed", Output: { caught: "{% $states.input.Error %}" } };
const caught = { ErrorEquals: ["States.ALL"], Next: "Caught" };
const retry = (more: object) => [{ ErrorEquals: ["States.ALL"], ...more }];

function machine(name: string, states: Record<string, object>, more: { input?: Json; f?: Answer[] } = {}): Play {
  const [first = ""] = Object.keys(states);
  const end = JSON.stringify(states).includes('"End"') ? { End } : {};
  const definition = JSON.stringify({ QueryLanguage: "JSONata", StartAt: first, States: { ...states, ...end } });
  return { name, definition, input: more.input ?? { n: 1 }, answers: { f: more.f ?? [answer({ said: 1 })] } };
}

const choosing = (...Conditions: Json[]) => ({
  Type: "Choice",
  Choices: Conditions.map((Condition, index) => ({ Condition, Assign: { v: index }, Next: "Chosen" })),
});
const Chosen = { Type: "Succeed", Output: "{% $v %}" };
const pass = (Output: Json) => ({ Type: "Pass", Output, Next: "End" });

export const languagePlays: Play[] = [
  machine("output becomes input", {
    A: { ...pass({ n: "{% $states.input.n + 1 %}" }), Next: "B" },
    B: pass("{% $states.input.n * 2 %}"),
  }),
  machine("Assign and Output see the variables of before", {
    A: { Type: "Pass", Assign: { a: 1, b: 2 }, Next: "B" },
    B: { Type: "Pass", Assign: { a: "{% $b %}", b: "{% $a %}" }, Output: "{% [$a, $b] %}", Next: "C" },
    C: pass({ before: "{% $states.input %}", after: "{% [$a, $b] %}" }),
  }),
  machine(
    "a later state sees what was assigned, whatever it holds",
    {
      A: { Type: "Pass", Assign: { a: "{% $states.input.text %}", b: { c: [null, true, 1.5] } }, Next: "B" },
      B: pass(["{% $a & '!' %}", "{% $b.c %}", "{% $length($a) %}"]),
    },
    { input: { text: 'it\'s "é" \\ 長\n' } },
  ),
  machine("the first rule that holds", {
    A: choosing("{% $states.input.n = 2 %}", "{% $states.input.n = 1 %}", true),
    Chosen,
  }),
  machine("no rule holds", { A: choosing(false), Chosen }),
  machine("a condition that is no truth value", { A: choosing("{% 1 %}"), Chosen }),
  machine("a condition that yields nothing", { A: choosing("{% $states.input.absent %}"), Chosen }),
  ...[0, 90, "{% $states.input.n + 1 %}"].map((Seconds) =>
    machine(`waits ${Seconds}`, { W: { Type: "Wait", Seconds, Next: "End" } }),
  ),
  ...["{% 1.5 %}", "{% -1 %}", "{% '9' %}", "{% 100000000 %}"].map((Seconds) =>
    machine(`cannot wait ${Seconds}`, { W: { Type: "Wait", Seconds, Next: "End" } }),
  ),
  machine("fails under a name", { F: { Type: "Fail", Error: "{% 'E' & $string($states.input.n) %}", Cause: "c" } }),
  machine("an output that yields nothing", { A: pass("{% $states.input.absent %}") }),
  machine("an output that cannot be computed", { A: pass("{% $states.input.n + 'x' %}") }),
  ...["{% null %}", "{% [] %}", "{% [[1]] %}", "{% {} %}", "{% [1..3] %}"].map((value) =>
    machine(`the value ${value}`, { A: pass({ value }) }),
  ),
  ...["{% 0.1 + 0.2 %}", "{% 1 / 3 %}", "{% 10 / 2 %}", "{% $ceil(0.2) %}", "{% 'a' & 1 & null & [1,2] %}"].map(
    (value) => machine(`the value ${value}`, { A: pass({ value }) }),
  ),
  ...[
    "{% $substring('長いabc', 1, 3) %}",
    "{% $substring('', 0, 7) = 'States.' %}",
    "{% $exists($states.input.n) ? 1 : 2 %}",
  ].map((value) => machine(`the value ${value}`, { A: pass({ value }) })),
  machine("a function's answer is wrapped", {
    T: task({ Output: "{% [$states.input.n, $states.result.Payload.said] %}" }),
  }),
  machine("a function's answer without Output", { T: task() }),
  machine("a failing function without Catch", { T: task() }, { f: [thrown("RangeError")] }),
  machine("a failing function is caught", { T: task({ Catch: [caught] }), Caught }, { f: [thrown("RangeError")] }),
  machine(
    "the error's words",
    { T: task({ Catch: [{ ...caught, Output: "{% $states.errorOutput.Cause %}" }] }), Caught: End },
    {
      f: [thrown("RangeError")],
    },
  ),
  machine(
    "a catcher assigns",
    {
      T: task({ Catch: [{ ...caught, Assign: { e: "{% $states.errorOutput.Error %}" }, Output: {} }] }),
      Caught: { Type: "Succeed", Output: "{% $e %}" },
    },
    { f: [thrown("RangeError")] },
  ),
  machine(
    "the first catcher that names the error",
    {
      T: task({ Catch: [{ ErrorEquals: ["B"], Next: "End" }, { ErrorEquals: ["A", "C"], Next: "Caught" }, caught] }),
      Caught,
    },
    { f: [thrown("C")] },
  ),
  machine("no function of that name", {
    T: task({ Arguments: { FunctionName: "g", Payload: {} }, Catch: [caught] }),
    Caught,
  }),
  machine("a time-out", { T: task({ TimeoutSeconds: 5, Catch: [caught] }), Caught }, { f: [{ never: true }] }),
  machine(
    "a time-out is no failure of the task",
    {
      T: task({ TimeoutSeconds: 5, Retry: [{ ErrorEquals: ["States.TaskFailed"] }], Catch: [caught] }),
      Caught,
    },
    { f: [{ never: true }] },
  ),
  machine("arguments that cannot be computed", {
    T: task({ Arguments: { FunctionName: "f", Payload: "{% $states.input.absent %}" }, Catch: [caught] }),
    Caught,
  }),
  machine("arguments that cannot be computed, without Catch", {
    T: task({ Arguments: { FunctionName: "f", Payload: "{% $states.input.absent %}" } }),
  }),
  machine("an Assign that cannot be computed assigns nothing", {
    A: { Type: "Pass", Assign: { a: "old" }, Next: "T" },
    T: task({ Assign: { a: "new", b: "{% $states.result.Payload.absent %}" }, Catch: [caught] }),
    Caught: { Type: "Succeed", Output: ["{% $a %}", "{% $states.input.Error %}"] },
  }),
  machine("a retrier's own defaults", { T: task({ Retry: retry({}) }) }, { f: [thrown("A")] }),
  machine(
    "delays grow to the longest",
    {
      T: task({ Retry: retry({ IntervalSeconds: 2, BackoffRate: 3, MaxDelaySeconds: 10, MaxAttempts: 4 }) }),
    },
    { f: [thrown("A")] },
  ),
  machine(
    "a delay of a fraction",
    {
      T: task({ Retry: retry({ IntervalSeconds: 1, BackoffRate: 1.5, MaxAttempts: 4, JitterStrategy: "FULL" }) }),
    },
    { f: [thrown("A")] },
  ),
  machine(
    "a used-up retrier is not followed by another",
    {
      T: task({
        Retry: [
          { ErrorEquals: ["A", "B"], MaxAttempts: 2 },
          { ErrorEquals: ["States.ALL"], IntervalSeconds: 5 },
        ],
      }),
    },
    { f: ["A", "B", "C", "B"].map((name) => thrown(name)) },
  ),
  machine(
    "each attempt has the same arguments",
    { T: task({ Retry: retry({ MaxAttempts: 1 }) }) },
    {
      f: [thrown("A"), answer({ said: 2 })],
    },
  ),
  machine(
    "retries count from zero on the next visit",
    {
      T: task({ Retry: retry({ MaxAttempts: 1 }), Assign: { said: "{% $states.result.Payload.said %}" }, Next: "C" }),
      C: { Type: "Choice", Choices: [{ Condition: "{% $said = 'again' %}", Next: "T" }], Default: "End" },
    },
    { f: [thrown("A"), answer({ said: "again" }), thrown("A"), answer({ said: "done" })] },
  ),
];

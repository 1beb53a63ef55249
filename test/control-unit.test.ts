import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import * as errors from "../lib/core/errors.ts";
import { loadDefinition } from "../lib/engine/asl-definition.ts";

const text = readFileSync(new URL("../statemachine/control-unit.asl.json", import.meta.url), "utf8");

const errorEntry = z.looseObject({ ErrorEquals: z.array(z.string()) });
const state = z.looseObject({
  Type: z.string(),
  Resource: z.string().optional(),
  Arguments: z.looseObject({ FunctionName: z.string().optional() }).optional(),
  TimeoutSeconds: z.number().optional(),
  Retry: z.array(errorEntry.extend({ MaxAttempts: z.number() })).optional(),
  Catch: z.array(errorEntry.extend({ Next: z.string() })).optional(),
  Output: z.unknown().optional(),
});
const machine = z
  .looseObject({ QueryLanguage: z.string(), States: z.record(z.string(), state) })
  .parse(JSON.parse(text));

/** Filled in at the deployment. */
const PARTITION = "$" + "{Partition}";

const states = Object.entries(machine.States);
const tasks = states.filter(([, { Type }]) => Type === "Task");
const invoking = tasks.filter(([, { Resource }]) => Resource === `arn:${PARTITION}:states:::lambda:invoke`);
const retriers = tasks.flatMap(([name, { Retry = [] }]) => Retry.map((retrier) => ({ name, retrier })));
const HANDLERS = ["plan", "execute", "deliver", "record-failure"];
const PLACEHOLDERS = [
  ...["PlanFunction", "ExecuteFunction", "DeliverFunction", "RecordFailureFunction"],
  ...["StateMachineArn", "Partition"],
];

/** Errors that a retry may cure; every other error that is thrown must not be retried. */
const CURABLE = ["L2mac.ModelError", "L2mac.NotReady"];

/** Permissions that a deployment has just changed come into force later; where a call may have been paid, nothing is repeated. */
const CURABLE_IN_PLAN = "L2mac.Denied";

/** The names under which the classes of core/errors.ts are thrown. */
const thrownNames = Object.values(errors)
  .filter((each) => each.prototype instanceof Error)
  .map((each) => (Reflect.construct(each, ["message", {}]) as Error).name);

const expressions = [...text.matchAll(/\{%(.*?)%\}/g)].map(([, source = ""]) => source);

describe("the control unit's definition", () => {
  it("loads: every state is known and reached, every way leads somewhere", () => {
    const substitutions = Object.fromEntries([...PLACEHOLDERS, "LoopLimit"].map((name) => [name, "1"]));
    substitutions.Partition = "aws";
    expect([...loadDefinition(text, substitutions).states.keys()]).toEqual(states.map(([name]) => name));
  });

  it("has the placeholders that the stack fills, and uses each", () => {
    const found = new Set([...text.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name));
    expect([...found].sort()).toEqual([...PLACEHOLDERS, "LoopLimit"].sort());
  });

  it("speaks JSONata and has no time-out of its own: the sweeper ends what hangs", () => {
    expect(machine.QueryLanguage).toBe("JSONata");
    expect(machine).not.toHaveProperty("TimeoutSeconds");
  });

  it("names no account, region or partition", () => {
    expect(text).not.toMatch(/\d{12}/);
    expect([...new Set(text.match(/arn:[^"]*/g))].sort()).toEqual([
      `arn:${PARTITION}:states:::lambda:invoke`,
      `arn:${PARTITION}:states:::states:startExecution`,
    ]);
  });

  it("names each invoking state after the handler it invokes", () => {
    const kebab = (name: string): string => name.replace(/(?<!^)[A-Z]/g, "-$&").toLowerCase();
    expect(invoking.map(([name]) => kebab(name)).sort()).toEqual([...HANDLERS].sort());
    for (const [name, { Arguments }] of invoking) expect(Arguments?.FunctionName).toBe(`\${${name}Function}`);
  });

  it.each(tasks)("%s has a time-out, retries, catches everything, and puts nothing into the state", (_, task) => {
    expect(task.TimeoutSeconds).toBeGreaterThan(0);
    for (const entries of [task.Retry ?? [], task.Catch ?? []]) {
      expect(entries.at(-1)?.ErrorEquals).toEqual(["States.ALL"]);
      expect(entries.slice(0, -1).flatMap(({ ErrorEquals }) => ErrorEquals)).not.toContain("States.ALL");
    }
    expect(task.Output).toEqual({});
  });

  it.each(invoking)("%s waits longer than Lambda may take", (_, { TimeoutSeconds }) => {
    expect(TimeoutSeconds).toBe(870);
  });

  it.each(tasks.filter(([name]) => name !== "RecordFailure"))("%s has its failure recorded", (_, { Catch = [] }) => {
    expect(Catch.at(-1)?.Next).toBe("RecordFailure");
  });

  it.each(retriers)(
    "$name: $retrier.ErrorEquals is retried with full jitter, a denial after a fixed time, up to a longest delay",
    ({ retrier }) => {
      const JitterStrategy = retrier.ErrorEquals.includes(CURABLE_IN_PLAN) && retrier.MaxAttempts > 0 ? "NONE" : "FULL";
      expect(retrier).toMatchObject({ JitterStrategy, MaxDelaySeconds: expect.any(Number) });
    },
  );

  it.each(tasks)("%s never retries a permanent error, and looks for those first", (name, { Retry = [] }) => {
    const [permanent, ...others] = Retry;
    const curable = [...CURABLE, ...(name === "Plan" ? [CURABLE_IN_PLAN] : [])];
    const incurable = thrownNames.filter((thrown) => !curable.includes(thrown));
    expect(permanent?.MaxAttempts).toBe(0);
    expect(permanent?.ErrorEquals).toEqual(expect.arrayContaining([...incurable, "States.QueryEvaluationError"]));
    for (const { MaxAttempts } of others) expect(MaxAttempts).toBeGreaterThan(0);
  });

  it("knows the thrown errors by their names", () => {
    expect(thrownNames).toEqual(
      expect.arrayContaining([...CURABLE, "L2mac.UserError", "L2mac.Fenced", "L2mac.Cancelled"]),
    );
  });

  it("keeps to JSONata that old and new engines read alike, and names nothing but variables and $states", () => {
    expect(expressions.length).toBeGreaterThan(10);
    for (const source of expressions) {
      const code = source.replace(/'[^']*'/g, "").replace(/\$\{\w+\}/g, "1");
      expect(code.match(/\$\w+(?=\()/g) ?? []).toSatisfy((used: string[]) =>
        used.every((name) => ["$substring", "$ceil", "$exists", "$floor", "$number"].includes(name)),
      );
      const bare = code.match(/(?<![.$\w])[a-zA-Z]\w*/g) ?? [];
      expect(bare.filter((word) => !["and", "or", "in"].includes(word))).toEqual([]);
    }
  });
});

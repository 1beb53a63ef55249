/** The billable requests of a run on the stage, without those of reading it through the API. */

import type { Stage } from "../stage.ts";
import type { Counts } from "./cost.ts";
import { shown } from "./hop-line.ts";

const S3_READS = new Set(["GetObject", "HeadObject"]);

export function countsOf(stage: Stage, instructions: number): Counts {
  const asked = stage.proxy.counts().filter(({ principal }) => shown(principal) !== "Api");
  const sum = (of: (count: (typeof asked)[number]) => number): number =>
    asked.reduce((total, count) => total + of(count), 0);
  const s3 = (reads: boolean) =>
    sum(({ service, operation, requests }) => (service === "s3" && S3_READS.has(operation) === reads ? requests : 0));
  const used = Object.entries(stage.functions.usage()).filter(([name]) => shown(name) !== "Api");
  const isEvaluator = (name: string) => shown(name) === "Evaluator";
  const gbSeconds = (evaluators: boolean) =>
    used.reduce((total, [name, usage]) => total + (isEvaluator(name) === evaluators ? usage.gbSeconds : 0), 0);
  return {
    instructions,
    transitions: stage.controlUnit.counts().transitions,
    invocations: used.reduce((total, [, { invocations }]) => total + invocations, 0),
    gbSeconds: gbSeconds(false),
    evaluatorGbSeconds: gbSeconds(true),
    writeUnits: sum(({ write }) => write),
    readUnits: sum(({ read }) => read),
    s3Writes: s3(false),
    s3Reads: s3(true),
  };
}

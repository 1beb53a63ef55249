/** What the costs are computed from: the synthesised template. */
import type { UseFacts } from "../../lib/deployment/cost/cost-page.ts";
import { type Resource, synthesise } from "./synthesised.ts";

export interface CostFacts {
  resources: Record<string, Resource>;
  use: UseFacts;
}

export function costFacts(config: unknown = {}): CostFacts {
  const { resources } = synthesise(config);
  const memoryOf = (prefix: string): number => {
    const [, found] =
      Object.entries(resources).find(([id, { Type }]) => id.startsWith(prefix) && Type === "AWS::Lambda::Function") ??
      [];
    return Number(found?.Properties.MemorySize);
  };
  return {
    resources,
    use: {
      apiMemoryMb: memoryOf("ApiFunction"),
      executeMemoryMb: memoryOf("ControlUnitExecute"),
      evaluatorMemoryMb: memoryOf("EvaluatorFunction"),
    },
  };
}

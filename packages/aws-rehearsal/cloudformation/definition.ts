/** The definition of a deployed state machine, as Step Functions receives it. Pure. */
import type { DeployedResource } from "../parts.ts";

/** A placeholder without a value is an error, as at a deployment. */
export function definitionOf({ logicalId, properties }: Pick<DeployedResource, "logicalId" | "properties">): string {
  const { DefinitionString, DefinitionSubstitutions = {} } = properties;
  if (typeof DefinitionString !== "string") throw new Error(`${logicalId} has no definition.`);
  const values = DefinitionSubstitutions as Record<string, unknown>;
  return DefinitionString.replace(/\$\{([A-Za-z0-9_-]+)\}/g, (_, name: string) => {
    if (!Object.hasOwn(values, name))
      throw new Error(`The definition of ${logicalId} needs ${name}, which nothing gives.`);
    return String(values[name]);
  });
}

/** For `deploy`: the control unit goes on in its next epoch after so many loops. */
export const withLoopLimit =
  (loops: number) =>
  ({ type, properties }: Pick<DeployedResource, "type" | "properties">): DeployedResource["properties"] => {
    if (type !== "AWS::StepFunctions::StateMachine") return properties;
    const values = properties.DefinitionSubstitutions as Record<string, unknown>;
    return { ...properties, DefinitionSubstitutions: { ...values, LoopLimit: String(loops) } };
  };

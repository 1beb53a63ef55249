/** How long the deployed functions wait for the right to call their evaluator: a rehearsal without it ends soon. Pure. */
import type { DeploymentTarget } from "./deploy.ts";

type Override = NonNullable<DeploymentTarget["override"]>;
interface FunctionEnvironment {
  Variables?: Record<string, string>;
}

/** `seconds` absent: as in production. */
export const evaluatorPatience = (seconds: number | undefined): Pick<DeploymentTarget, "override"> =>
  seconds === undefined ? {} : { override: ({ properties }) => withPatience(properties, String(seconds)) };

function withPatience(properties: ReturnType<Override>, seconds: string): ReturnType<Override> {
  const { Variables } = (properties.Environment ?? {}) as FunctionEnvironment;
  if (Variables?.EVALUATOR_FUNCTION === undefined) return properties;
  return { ...properties, Environment: { Variables: { ...Variables, EVALUATOR_DENIED_SECONDS: seconds } } };
}

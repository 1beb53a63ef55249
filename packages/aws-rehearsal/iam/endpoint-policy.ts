/** The policy of the evaluator's network endpoint: what comes through it must be allowed by it, besides by the link's role. */
import type { Ask, Deployment, PolicyStatement, Principal, WireRequest } from "../parts.ts";
import { assertStatement, evaluate } from "./evaluate-policy.ts";

/** Why nothing comes through. Undefined: it does. */
export function refusedByEndpoint({ resources }: Deployment, asks: readonly Ask[]): string | undefined {
  const endpoint = Object.values(resources).find(({ type }) => type === "AWS::EC2::VPCEndpoint");
  if (!endpoint) return "The network has no endpoint.";
  const { Statement = [] } = endpoint.properties.PolicyDocument as { Statement?: PolicyStatement[] };
  const statements = Statement.map((each, index) => ({ ...each, owner: endpoint.logicalId, index }));
  for (const statement of statements) assertStatement(statement);
  const refused = asks.find((ask) => evaluate(statements, ask, {}).effect !== "Allow");
  return refused && `The policy of ${endpoint.logicalId} does not allow ${refused.action} on ${refused.resource}.`;
}

/** Marks requests that the evaluator makes by links of another function's role. */
export const BY_LINK = " by link";
/** Only the evaluator gets its links. */
const LINKING_ROLE = /^ControlUnitExecuteRole/;
export const isLink = ({ target }: WireRequest, { name }: Principal): boolean =>
  LINKING_ROLE.test(name) && new URL(target, "http://localhost").searchParams.has("X-Amz-Signature");

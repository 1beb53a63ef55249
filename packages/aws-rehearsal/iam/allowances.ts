/** What the roles of a deployed stack allow, action by action, and which actions were never used. Pure. */

import type { Deployment, Use } from "../parts.ts";
import { listOf } from "./evaluate-policy.ts";
import { roleStatements } from "./policies.ts";

/** An action of an Allow, as it is written. */
export interface Allowance extends Use {
  resources: string[];
}

/** Those of the roles that functions, state machines and builds have. */
export function allowancesOf(deployed: Deployment): Allowance[] {
  const resources = Object.values(deployed.resources);
  const taken = new Set(resources.map(({ type, properties }) => properties[ROLE_OF[type] ?? ""]));
  return resources
    .filter(({ type, arn }) => type === "AWS::IAM::Role" && taken.has(arn))
    .flatMap((role) => roleStatements(deployed, role))
    .filter(({ Effect }) => Effect === "Allow")
    .flatMap(({ owner, index, Action, NotAction, Resource }) => {
      if (NotAction !== undefined) throw new Error(`Statement ${index} of ${owner} allows all but something.`);
      const resources = listOf(Resource);
      return listOf(Action).map((action) => ({ principal: owner, statement: index, action, resources }));
    });
}

const ROLE_OF: Record<string, string> = {
  "AWS::CodeBuild::Project": "ServiceRole",
  "AWS::Lambda::Function": "Role",
  "AWS::StepFunctions::StateMachine": "RoleArn",
};

export const unusedOf = (allowances: readonly Allowance[], uses: readonly Use[]): Allowance[] => {
  const used = new Set(uses.map(keyOf));
  return allowances.filter((allowance) => !used.has(keyOf(allowance)));
};

const keyOf = ({ principal, statement, action }: Use): string => JSON.stringify([principal, statement, action]);

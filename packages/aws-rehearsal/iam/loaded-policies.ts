/** The policies of a deployed stack, read once, when a role is first assumed. */

import type { DeployedResource, Deployment, PolicyStatement, Use } from "../parts.ts";
import { assertStatement, listOf } from "./evaluate-policy.ts";
import {
  type ResourceStatement,
  resourceStatements,
  roleStatements,
  type Statement,
  trustedServices,
} from "./policies.ts";

export interface LoadedRole {
  logicalId: string;
  roleName: string;
  services: string[];
  statements: Statement[];
}

export function loadPolicies(deployed: Deployment) {
  const resources = Object.values(deployed.resources);
  const roles = new Map<string, LoadedRole>();
  const ofResources = resourceStatements(deployed).map(checked);
  const about = new Map<string, readonly ResourceStatement[]>();

  function load(roleArn: string): LoadedRole {
    const role = resources.find(({ type, arn }) => type === "AWS::IAM::Role" && arn === roleArn);
    if (!role) throw new Error(`There is no role ${roleArn}.`);
    return {
      ...{ logicalId: role.logicalId, roleName: role.ref, services: trustedServices(role) },
      statements: roleStatements(deployed, role).map(checked),
    };
  }

  return {
    role(roleArn: string): LoadedRole {
      const role = roles.get(roleArn) ?? load(roleArn);
      roles.set(roleArn, role);
      return role;
    },
    /** Of a user, who is no part of the stack. */
    own: (owner: string, statements: PolicyStatement[]): Statement[] =>
      statements.map((statement, index) => checked({ ...statement, owner, index })),
    functionOf: (roleArn: string): { name: string; arn: string } => functionOf(resources, roleArn),
    /** Resource policies that speak of somebody. */
    about({ arn, service }: { arn?: string; service?: string }): readonly ResourceStatement[] {
      const key = arn ?? service ?? "";
      const found =
        about.get(key) ??
        ofResources.filter(
          ({ Principal: { everybody, arns, services } }) => everybody || arns.includes(key) || services.includes(key),
        );
      about.set(key, found);
      return found;
    },
  };
}

/** The role must identify the calling function. */
function functionOf(resources: DeployedResource[], roleArn: string): { name: string; arn: string } {
  const [found, ...others] = resources.filter(
    ({ type, properties }) => type === "AWS::Lambda::Function" && properties.Role === roleArn,
  );
  if (!found?.arn || others.length > 0) throw new Error(`${roleArn} is not the role of exactly one function.`);
  return { name: found.ref, arn: found.arn };
}

function checked<S extends Statement>(statement: S): S {
  assertStatement(statement);
  return statement;
}

/** As if these actions did not stand where they stand. */
export function without<S extends Statement>(statements: readonly S[], removed: readonly Use[]): readonly S[] {
  if (removed.length === 0) return statements;
  return statements.map((statement) => {
    const gone = removed.filter(
      ({ principal, statement: index }) => statement.owner === principal && statement.index === index,
    );
    if (gone.length === 0) return statement;
    const left = listOf(statement.Action).filter((action) => !gone.some((use) => use.action === action));
    return { ...statement, Action: left };
  });
}

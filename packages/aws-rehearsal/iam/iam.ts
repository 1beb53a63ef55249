/** Emulates IAM for a deployed stack: issues credentials, and authorises every request by its policies. */
import { randomBytes } from "node:crypto";
import type { Ask, Credentials, Denial, Deployment, Iam, Ledger, Principal, Use } from "../parts.ts";
import type { Context } from "./conditions.ts";
import { type Decision, evaluate } from "./evaluate-policy.ts";
import { loadPolicies, without } from "./loaded-policies.ts";
import type { ResourceStatement, Statement } from "./policies.ts";

export interface PlayedIam extends Iam {
  /**
   * The function whose code asks, where a session is Lambda's. Only what code asks carries `lambda:SourceFunctionArn`, and
   * not what Lambda does for a function under the same role: so services that accept requests of code add it to the context.
   */
  sourceFunctionOf(principal: Principal): string | undefined;
  /** A service that asks in the name of a resource: EventBridge for its rule, API Gateway for its method. */
  admit(service: string, sourceArn: string, ask: Ask): Denial | undefined;
  /** The session has ended: its credentials are known, and worth nothing. */
  expire(principal: Principal): void;
  isExpired(accessKeyId: string): boolean;
  /** From now on as if these actions did not stand in their statements, and all others did. */
  remove(...uses: Use[]): void;
  /** From now on the policies of this deployment, for sessions that are open too. */
  update(deployed: Deployment): void;
}

interface Session {
  principal: Principal;
  statements(): readonly Statement[];
  context: Context;
  sourceFunction?: string;
}

/**
 * What every request has. The loopback speaks plain HTTP, and TLS is not played: as the one exception, requests claim
 * the transport that every AWS endpoint has.
 */
const TRANSPORT: Context = { "aws:securetransport": "true", "s3:tlsversion": "1.3" };

export function createIam(deployed: Deployment): PlayedIam {
  const { partition, region, account } = deployed;
  let policies = loadPolicies(deployed);
  const sessions = new Map<string, Session>();
  const expired = new Set<string>();
  const ledger = createLedger();
  let removed: readonly Use[] = [];
  const everywhere: Context = { ...TRANSPORT, "aws:requestedregion": region };

  function open(
    who: { arn: string; name: string; credentials: Credentials },
    session: Omit<Session, "principal">,
  ): Principal {
    sessions.set(who.credentials.accessKeyId, { ...session, principal: who });
    return who;
  }

  /** The first that is denied decides; what was allowed is noted where all of it was. */
  function decide(asking: AuthorisationRequest, asks: Ask[]): Denial | undefined {
    const uses: Use[] = [];
    for (const ask of asks) {
      const decided = decideOne(asking, ask, (statements) => without(statements, removed));
      if ("message" in decided) return ledger.deny(decided);
      uses.push(decided);
    }
    ledger.note(uses);
    return undefined;
  }

  return {
    ledger: ledger.kept,
    assume(roleArn, service) {
      const role = policies.role(roleArn);
      if (!role.services.includes(service)) throw new Error(`${service} is not trusted by the role ${role.logicalId}.`);
      const runs = service === LAMBDA ? policies.functionOf(roleArn) : undefined;
      const session = runs?.name ?? service.split(".")[0];
      return open(
        {
          arn: `arn:${partition}:sts::${account}:assumed-role/${role.roleName}/${session}`,
          name: role.logicalId,
          credentials: newCredentials("ASIA"),
        },
        {
          statements: () => policies.role(roleArn).statements,
          context: {
            ...everywhere,
            ...{ "aws:principalarn": roleArn, "aws:principalaccount": account, "aws:principaltype": "AssumedRole" },
          },
          ...(runs ? { sourceFunction: runs.arn } : {}),
        },
      );
    },
    user(name, stated) {
      const statements = policies.own(name, stated);
      const arn = `arn:${partition}:iam::${account}:user/${name}`;
      const about = { "aws:principalarn": arn, "aws:principalaccount": account, "aws:principaltype": "User" };
      return open(
        { arn, name, credentials: newCredentials("AKIA") },
        { statements: () => statements, context: { ...everywhere, ...about } },
      );
    },
    sourceFunctionOf: ({ credentials }) => sessions.get(credentials.accessKeyId)?.sourceFunction,
    find: (accessKeyId) => sessions.get(accessKeyId)?.principal,
    authorise(principal, asks) {
      const session = sessions.get(principal.credentials.accessKeyId);
      if (session?.principal.arn !== principal.arn) throw new Error(`IAM does not know ${principal.arn}.`);
      const { statements, context } = session;
      return decide(
        {
          who: principal.arn,
          name: principal.name,
          statements: statements(),
          resource: policies.about({ arn: principal.arn }),
          context,
        },
        asks,
      );
    },
    admit(service, sourceArn, ask) {
      const context = { ...everywhere, "aws:sourcearn": sourceArn, "aws:sourceaccount": account };
      return decide({ who: service, name: service, resource: policies.about({ service }), context }, [ask]);
    },
    expire: ({ credentials }) => void expired.add(credentials.accessKeyId),
    isExpired: (accessKeyId) => expired.has(accessKeyId),
    remove(...uses) {
      removed = uses;
    },
    update(next) {
      policies = loadPolicies(next);
    },
  };
}

const LAMBDA = "lambda.amazonaws.com";

interface AuthorisationRequest {
  who: string;
  name: string;
  /** Absent: a service, which has no policies of its own. */
  statements?: readonly Statement[];
  resource: readonly ResourceStatement[];
  context: Context;
}

/** Within one account either kind of policy may allow, and either may deny. */
function decideOne(
  asking: AuthorisationRequest,
  ask: Ask,
  standing: <S extends Statement>(statements: readonly S[]) => readonly S[],
): Use | Denial {
  const context = { ...asking.context, ...ask.context };
  const byResource = evaluate(standing(asking.resource), ask, context);
  const byIdentity: Decision = asking.statements
    ? evaluate(standing(asking.statements), ask, context)
    : { effect: "none" };
  const denied = (because: string): Denial => ({
    ...{ principal: asking.name, action: ask.action, resource: ask.resource },
    message: `User: ${asking.who} is not authorized to perform: ${ask.action} on resource: ${named(ask)} ${because}`,
  });
  if (byIdentity.effect === "Deny") return denied("with an explicit deny in an identity-based policy");
  if (byResource.effect === "Deny") return denied("with an explicit deny in a resource-based policy");
  const allowed = byIdentity.effect === "Allow" ? byIdentity : byResource;
  const kind = asking.statements ? "identity-based" : "resource-based";
  if (allowed.effect === "none") return denied(`because no ${kind} policy allows the ${ask.action} action`);
  const { owner, statement, action } = allowed.by;
  return { principal: owner, statement, action };
}

/** S3 puts it in quotes. */
const named = ({ action, resource }: Ask): string => (action.startsWith("s3:") ? `"${resource}"` : resource);

function createLedger() {
  const kept: Ledger = { uses: [], denials: [] };
  const seen = new Set<string>();
  return {
    kept,
    deny(denied: Denial): Denial {
      kept.denials.push(denied);
      return denied;
    },
    /** Each once. */
    note(uses: Use[]): void {
      for (const use of uses) {
        const key = `${use.principal} ${use.statement} ${use.action}`;
        if (!seen.has(key)) kept.uses.push(use);
        seen.add(key);
      }
    },
  };
}

/** Sessions have a token; users have none. */
const newCredentials = (kind: "AKIA" | "ASIA"): Credentials => ({
  accessKeyId: `${kind}${randomBytes(8).toString("hex").toUpperCase()}`,
  secretAccessKey: randomBytes(30).toString("base64"),
  ...(kind === "ASIA" ? { sessionToken: randomBytes(96).toString("base64") } : {}),
});

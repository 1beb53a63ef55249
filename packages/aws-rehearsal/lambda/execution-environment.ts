/** Opens execution environments: a function's process, and a session of its role for log and traces. */
import { randomUUID } from "node:crypto";
import type { Clock } from "../../../lib/core/ports.ts";
import type { Deployment, Iam, Principal } from "../parts.ts";
import type { PlaceOf } from "./code-place.ts";
import type { FunctionDeclaration } from "./function-declaration.ts";
import { type Endpoint, environmentOf } from "./function-environment.ts";
import { createLog, type LogLine } from "./function-log.ts";
import { type FunctionProcess, startProcess } from "./function-process.ts";

export interface EnvironmentParts {
  deployed: Deployment;
  iam: Iam;
  aws: Endpoint;
  clock: Clock;
  placeOf: PlaceOf;
  keep: (line: LogLine) => void;
}

export async function openEnvironment(
  parts: EnvironmentParts,
  declaration: FunctionDeclaration,
  tenantId: string | undefined,
): Promise<FunctionProcess> {
  const { deployed, iam, aws, clock, keep } = parts;
  const principal = iam.assume(declaration.properties.Role, "lambda.amazonaws.com");
  const { cwd, handler, imageEnv } = parts.placeOf(declaration);
  const stream = streamName(clock.now());
  const log = createLog({ deployed, iam, principal, declaration, stream, tenantId, keep });
  const setting = { region: deployed.region, credentials: principal.credentials, aws, logStream: stream };
  const here = { taskRoot: cwd, handler, imageEnv, path: process.env.PATH ?? "" };
  const started = await startProcess({
    ...{ declaration, cwd, clock },
    env: (address) => environmentOf(declaration, { ...setting, ...here, address }),
    log: log.read,
  });
  return {
    ...started,
    async invoke(invocation) {
      log.report();
      const done = await started.invoke(invocation);
      log.report();
      trace(iam, principal, declaration);
      return done;
    },
  };
}

/** 2026/01/02/[$LATEST]… */
const streamName = (now: number): string =>
  `${new Date(now).toISOString().slice(0, 10).replaceAll("-", "/")}/[$LATEST]${randomUUID().replaceAll("-", "")}`;

/** Denial traces are lost, and nothing else. */
function trace(iam: Iam, principal: Principal, { arn, properties }: FunctionDeclaration): void {
  if (properties.TracingConfig.Mode !== "Active") return;
  const context = { "lambda:sourcefunctionarn": arn };
  for (const action of ["xray:PutTraceSegments", "xray:PutTelemetryRecords"])
    iam.authorise(principal, [{ action, resource: "*", context }]);
}

/** The functions of the template, as Lambda runs them: processes with what the template gives them, and nothing else. */
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { INVOCATION_PAYLOAD_BYTES } from "../../lib/core/limits.ts";
import type { Clock } from "../../lib/core/ports.ts";
import { systemClock } from "../../lib/local/system-clock.ts";
import { createCodePlaces, type PlaceOf } from "./code-place.ts";
import { declaredFunctions, type FunctionDeclaration } from "./function-declaration.ts";
import { environmentOf } from "./function-environment.ts";
import { createLog, type LogLine } from "./function-log.ts";
import { createPool, type Pool } from "./function-pool.ts";
import { type FunctionProcess, startProcess } from "./function-process.ts";
import { addedTo, nothingUsed, type Usage } from "./function-usage.ts";
import { InvokeRefused } from "./invoke-refused.ts";
import { joinNetworks } from "./network-interfaces.ts";
import type { Deployed, Functions, Hop, Iam, Invocation, Invoked, Principal } from "./parts.ts";

export interface FunctionsParts {
  deployed: Deployed;
  iam: Iam;
  /** Where AWS is: the proxy. */
  endpoint: string;
  /** What an image is built from, by its URI. */
  imageFolder?: (imageUri: string) => string;
  hop?: (hop: Hop) => void;
  /** Its sleeps are the functions' time-outs: they must take their time. */
  clock?: Clock;
}

export interface RunningFunctions extends Functions {
  /** What was printed where the role may write its log. */
  logs(): readonly LogLine[];
  /** By logical id. */
  usage(): Readonly<Record<string, Usage>>;
}

export function createFunctions(parts: FunctionsParts): RunningFunctions {
  if (!process.version.startsWith("v24.")) throw new Error(`nodejs24.x cannot be played by Node ${process.version}.`);
  const folder = mkdtempSync(join(tmpdir(), "l2mac-functions-"));
  const lines: LogLine[] = [];
  const keep = (line: LogLine) => void lines.push(line);
  const placeOf = createCodePlaces(folder);
  const declarations = declaredFunctions(parts.deployed, parts.imageFolder);
  for (const declaration of declarations) joinNetworks(parts.iam, declaration);
  const functions = new Map(
    declarations.map((declaration) => {
      const start = (tenantId: string | undefined) => open(parts, { declaration, placeOf, tenantId, keep });
      return [declaration.arn, { declaration, pool: createPool(start), usage: nothingUsed }];
    }),
  );

  return {
    logs: () => lines,
    usage: () =>
      Object.fromEntries([...functions.values()].map(({ declaration, usage }) => [declaration.logicalId, usage])),
    async invoke(invocation) {
      const found = functions.get(invocation.functionArn);
      if (!found) throw notFound(invocation.functionArn);
      refuseWrong(found, invocation);
      const { answer, usage } = await run(parts, found, invocation);
      found.usage = usage(found.usage);
      return answer;
    },
    async stop() {
      await Promise.all([...functions.values()].map(({ pool }) => pool.stop()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Running {
  declaration: FunctionDeclaration;
  pool: Pool;
}

export const notFound = (arn: string) =>
  new InvokeRefused("ResourceNotFoundException", 404, `Function not found: ${arn}`);

function refuseWrong({ declaration, pool }: Running, { payload, tenantId }: Invocation): void {
  const { TenancyConfig, ReservedConcurrentExecutions } = declaration.properties;
  const bytes = Buffer.byteLength(payload);
  if (bytes > INVOCATION_PAYLOAD_BYTES) throw new InvokeRefused("RequestTooLargeException", 413, tooLarge);
  if (TenancyConfig && tenantId === undefined) throw invalid("Add a valid tenant ID: the function is tenant-isolated.");
  if (!TenancyConfig && tenantId !== undefined)
    throw invalid("Remove the tenant ID: the function is not tenant-isolated.");
  if (ReservedConcurrentExecutions !== undefined && pool.busy() >= ReservedConcurrentExecutions)
    throw new InvokeRefused("TooManyRequestsException", 429, "Rate Exceeded.");
}

const invalid = (message: string) => new InvokeRefused("InvalidParameterValueException", 400, message);

const tooLarge = `Request must be smaller than ${INVOCATION_PAYLOAD_BYTES} bytes for the InvokeFunction operation`;

async function run({ deployed, iam, hop }: FunctionsParts, { declaration, pool }: Running, asked: Invocation) {
  const { tenantId, payload } = asked;
  const { process, isCold } = await pool.take(tenantId);
  try {
    const requestId = randomUUID();
    const traceId = `Root=1-${randomBytes(4).toString("hex")}-${randomBytes(12).toString("hex")};Sampled=1`;
    const done = await process.invoke({ requestId, functionArn: declaration.arn, payload, traceId, tenantId });
    trace(iam, declaration);
    const answered = done.told.failed ? { functionError: "Unhandled" as const } : {};
    const answer: Invoked = {
      payload: done.told.payload,
      requestId,
      millis: done.initMillis + done.millis,
      ...answered,
    };
    const said = done.told.failed ? done.told.payload.slice(0, 200) : `${answer.payload.length} characters`;
    hop?.({ from: "Lambda", to: declaration.logicalId, what: `invocation in ${deployed.region}`, answer: said });
    return { answer, usage: (before: Usage) => addedTo(before, declaration, { ...done, wasCold: isCold }) };
  } finally {
    pool.giveBack(tenantId, process);
  }
}

/** Lambda sends the trace as the function's role. */
function trace(iam: Iam, declaration: FunctionDeclaration): void {
  if (declaration.properties.TracingConfig.Mode !== "Active") return;
  const principal = sessionOf(iam, declaration);
  const context = { "lambda:sourcefunctionarn": declaration.arn };
  for (const action of ["xray:PutTraceSegments", "xray:PutTelemetryRecords"])
    iam.authorise(principal, [{ action, resource: "*", context }]);
}

interface Opening {
  declaration: FunctionDeclaration;
  placeOf: PlaceOf;
  tenantId: string | undefined;
  keep: (line: LogLine) => void;
}

function open(parts: FunctionsParts, { declaration, placeOf, ...of }: Opening): Promise<FunctionProcess> {
  const { deployed, iam, endpoint, clock = systemClock } = parts;
  const principal = sessionOf(iam, declaration);
  const stream = `${new Date(clock.now()).toISOString().slice(0, 10).replaceAll("-", "/")}/[$LATEST]${randomUUID().replaceAll("-", "")}`;
  const { cwd, handler, imageEnv } = placeOf(declaration);
  const setting = { region: deployed.region, credentials: principal.credentials, endpoint, logStream: stream };
  const here = { taskRoot: cwd, handler, imageEnv, path: process.env.PATH ?? "" };
  return startProcess({
    ...{ declaration, cwd, clock },
    env: (address) => environmentOf(declaration, { ...setting, ...here, address }),
    log: createLog({ deployed, iam, principal, declaration, stream, ...of }),
  });
}

const sessionOf = (iam: Iam, { properties }: FunctionDeclaration): Principal =>
  iam.assume(properties.Role, "lambda.amazonaws.com");

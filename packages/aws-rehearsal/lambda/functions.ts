/** The functions of the template as Lambda runs them: processes with the template's settings only. */
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { INVOCATION_PAYLOAD_BYTES } from "../../../lib/core/limits.ts";
import type { Clock } from "../../../lib/core/ports.ts";
import { systemClock } from "../../../lib/host/system-clock.ts";
import type { Disturbances } from "../disturbances.ts";
import type { Deployment, Functions, Hop, Iam, Invocation, InvocationResult } from "../parts.ts";
import { ServiceError } from "../service-error.ts";
import { createCodePlaces } from "./code-place.ts";
import { openEnvironment } from "./execution-environment.ts";
import { declaredFunctions, type FunctionDeclaration, joinNetworks } from "./function-declaration.ts";
import type { Endpoint } from "./function-environment.ts";
import type { LogLine } from "./function-log.ts";
import { createPool, type Pool } from "./function-pool.ts";
import type { FunctionProcess } from "./function-process.ts";
import { addedTo, nothingUsed, type Usage } from "./function-usage.ts";

export interface FunctionsParts {
  deployed: Deployment;
  iam: Iam;
  /** Where AWS is: the proxy. */
  aws: Endpoint;
  /** What an image is built from, by its URI. */
  imageFolder?: (imageUri: string) => string;
  hop?: (hop: Hop) => void;
  /** Its sleeps are the functions' time-outs: they must take their time. */
  clock?: Clock;
  /** What is to go wrong with invocations. */
  disturbed?: Pick<Disturbances<FunctionCall, InvocationTrouble>, "of">;
}

export interface FunctionCall {
  logicalId: string;
  payload: string;
  tenantId?: string | undefined;
}

/** Lambda refuses it and nothing runs; or it is delivered twice at once, and which answer reaches the caller. */
export type InvocationTrouble = { refused: ServiceError } | { twice: "first answer" | "last answer" };

export interface RunningFunctions extends Functions {
  /** What was printed where the role may write its log. */
  logs(): readonly LogLine[];
  /** Every process ends: the next invocation of each function begins with a cold start. */
  cool(): Promise<void>;
  /** The processes of these functions that are at work, by logical id: with `stop` they die in the middle of it. */
  atWork(logicalId: RegExp): FunctionProcess[];
  /** Invocations under way end with the code that they began with; the next ones have the new code and settings. */
  update(deployed: Deployment, imageFolder?: FunctionsParts["imageFolder"]): void;
  /** By logical id, since the last update. */
  usage(): Readonly<Record<string, Usage>>;
}

export function createFunctions(parts: FunctionsParts): RunningFunctions {
  if (!process.version.startsWith("v24.")) throw new Error(`nodejs24.x cannot be played by Node ${process.version}.`);
  const folder = mkdtempSync(join(tmpdir(), "l2mac-functions-"));
  const lines: LogLine[] = [];
  const opening = {
    ...{ clock: systemClock, ...parts },
    placeOf: createCodePlaces(folder),
    keep: (line: LogLine) => void lines.push(line),
  };
  const functions = new Map<string, PooledFunction & { usage: Usage }>();
  const pools: Pool[] = [];
  const update: RunningFunctions["update"] = (deployed, imageFolder) => {
    functions.clear();
    for (const declaration of declaredFunctions(deployed, imageFolder)) {
      joinNetworks(parts.iam, declaration);
      const pool = createPool((tenantId) => openEnvironment({ ...opening, deployed }, declaration, tenantId));
      pools.push(pool);
      functions.set(declaration.arn, { declaration, pool, usage: nothingUsed });
    }
  };
  update(parts.deployed, parts.imageFolder);
  const cool = async (): Promise<void> => void (await Promise.all(pools.map((pool) => pool.stop())));

  return {
    logs: () => lines,
    update,
    usage: () =>
      Object.fromEntries([...functions.values()].map(({ declaration, usage }) => [declaration.logicalId, usage])),
    async invoke(invocation) {
      const found = functions.get(invocation.functionArn);
      if (!found)
        throw new ServiceError("ResourceNotFoundException", 404, `Function not found: ${invocation.functionArn}`);
      refuseWrong(found, invocation);
      const deliver = async (): Promise<InvocationResult> => {
        const { answer, usage } = await run(parts, found, invocation);
        found.usage = usage(found.usage);
        return answer;
      };
      const { logicalId } = found.declaration;
      const trouble = parts.disturbed?.of({ ...invocation, logicalId });
      return trouble ? troubled(trouble, deliver) : deliver();
    },
    atWork: (logicalId) =>
      [...functions.values()].flatMap(({ declaration, pool }) =>
        logicalId.test(declaration.logicalId) ? pool.atWork() : [],
      ),
    cool,
    async stop() {
      await cool();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface PooledFunction {
  declaration: FunctionDeclaration;
  pool: Pool;
}

function refuseWrong({ declaration, pool }: PooledFunction, { payload, tenantId }: Invocation): void {
  const { TenancyConfig, ReservedConcurrentExecutions } = declaration.properties;
  const bytes = Buffer.byteLength(payload);
  if (bytes > INVOCATION_PAYLOAD_BYTES) throw new ServiceError("RequestTooLargeException", 413, tooLarge);
  if (TenancyConfig && tenantId === undefined) throw invalid("Add a valid tenant ID: the function is tenant-isolated.");
  if (!TenancyConfig && tenantId !== undefined)
    throw invalid("Remove the tenant ID: the function is not tenant-isolated.");
  if (ReservedConcurrentExecutions !== undefined && pool.busy() >= ReservedConcurrentExecutions)
    throw new ServiceError("TooManyRequestsException", 429, "Rate Exceeded.");
}

const invalid = (message: string) => new ServiceError("InvalidParameterValueException", 400, message);

const tooLarge = `Request must be smaller than ${INVOCATION_PAYLOAD_BYTES} bytes for the InvokeFunction operation`;

async function troubled(
  trouble: InvocationTrouble,
  deliver: () => Promise<InvocationResult>,
): Promise<InvocationResult> {
  if ("refused" in trouble) throw trouble.refused;
  const answers: InvocationResult[] = [];
  const keep = (answer: InvocationResult): InvocationResult => {
    answers.push(answer);
    return answer;
  };
  const both = [deliver().then(keep), deliver().then(keep)];
  const first = await Promise.race(both);
  if (trouble.twice === "first answer") return first;
  await Promise.all(both);
  return answers.at(-1) ?? first;
}

async function run({ hop }: FunctionsParts, { declaration, pool }: PooledFunction, { tenantId, payload }: Invocation) {
  const { process, isCold } = await pool.take(tenantId);
  try {
    const requestId = randomUUID();
    const traceId = `Root=1-${randomBytes(4).toString("hex")}-${randomBytes(12).toString("hex")};Sampled=1`;
    const done = await process.invoke({ requestId, functionArn: declaration.arn, payload, traceId, tenantId });
    const { report, initMillis, millis } = done;
    const answer: InvocationResult = { payload: report.payload, requestId, millis: initMillis + millis };
    if (report.failed) answer.functionError = "Unhandled";
    const said = report.failed ? report.payload.slice(0, SAID_CHARS) : `${report.payload.length} characters`;
    const what = `invocation${isCold ? `, cold start of ${Math.round(initMillis)} ms` : ""}, ${Math.round(millis)} ms`;
    hop?.({ from: "Lambda", to: declaration.logicalId, what, answer: said });
    return { answer, usage: (before: Usage) => addedTo(before, declaration, { ...done, wasCold: isCold }) };
  } finally {
    pool.giveBack(tenantId, process);
  }
}

/** How much of an error the log shows. */
const SAID_CHARS = 200;

/** The log of a function's process, kept if the function's role may write it, since Lambda writes it as that role. */
import type { Readable } from "node:stream";
import type { Deployment, Iam, Principal } from "../parts.ts";
import { type FunctionDeclaration, logGroupOf } from "./function-declaration.ts";

export interface LogLine {
  /** The function's logical id. */
  function: string;
  tenantId?: string | undefined;
  text: string;
}

export interface LogParts {
  deployed: Deployment;
  iam: Iam;
  principal: Principal;
  declaration: FunctionDeclaration;
  stream: string;
  tenantId?: string | undefined;
  keep: (line: LogLine) => void;
}

export interface FunctionLog {
  /** One of the process's two outputs. */
  read(output: Readable): void;
  /** What Lambda itself writes at the beginning and at the end of each invocation: asked for, and not kept. */
  report(): void;
}

export function createLog(parts: LogParts): FunctionLog {
  const { iam, principal, declaration, tenantId, keep } = parts;
  const resource = streamArn(parts);
  const may = (action: string): boolean =>
    !iam.authorise(principal, [{ action, resource, context: { "lambda:sourcefunctionarn": declaration.arn } }]);
  let isCreated: boolean | undefined;
  const mayWrite = (): boolean => {
    isCreated ??= may("logs:CreateLogStream");
    return isCreated && may("logs:PutLogEvents");
  };
  const take = (text: string): void => {
    if (mayWrite()) keep({ function: declaration.logicalId, tenantId, text });
  };
  return { report: () => void mayWrite(), read: (output) => forEachLine(output, take) };
}

function forEachLine(output: Readable, take: (line: string) => void): void {
  let rest = "";
  output.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") take(line);
  });
  output.on("end", () => {
    if (rest !== "") take(rest);
  });
}

function streamArn({ deployed, declaration, stream }: LogParts): string {
  const { partition, region, account } = deployed;
  return `arn:${partition}:logs:${region}:${account}:log-group:${logGroupOf(declaration)}:log-stream:${stream}`;
}

/** What a function's process prints, kept line by line where the function's role may write its log. Lambda writes it as that role. */
import type { Readable } from "node:stream";
import { type FunctionDeclaration, logGroupOf } from "./function-declaration.ts";
import type { Deployed, Iam, Principal } from "./parts.ts";

export interface LogLine {
  /** The function's logical id. */
  function: string;
  tenantId?: string | undefined;
  text: string;
}

export interface LogParts {
  deployed: Deployed;
  iam: Iam;
  principal: Principal;
  declaration: FunctionDeclaration;
  stream: string;
  tenantId?: string | undefined;
  keep: (line: LogLine) => void;
}

/** Answers what reads one of the process's two outputs. */
export function createLog(parts: LogParts): (output: Readable) => void {
  const { iam, principal, declaration, tenantId, keep } = parts;
  const resource = streamArn(parts);
  const may = (action: string): boolean =>
    !iam.authorise(principal, [{ action, resource, context: { "lambda:sourcefunctionarn": declaration.arn } }]);
  let isCreated: boolean | undefined;
  const take = (text: string): void => {
    isCreated ??= may("logs:CreateLogStream");
    if (isCreated && may("logs:PutLogEvents")) keep({ function: declaration.logicalId, tenantId, text });
  };
  return (output) => {
    let rest = "";
    output.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line !== "") take(line);
    });
    output.on("end", () => {
      if (rest !== "") take(rest);
    });
  };
}

function streamArn({ deployed, declaration, stream }: LogParts): string {
  const { partition, region, account } = deployed;
  return `arn:${partition}:logs:${region}:${account}:log-group:${logGroupOf(declaration)}:log-stream:${stream}`;
}

/** Lambda's one operation that is played. Pure. */
import { decoded, partsOf } from "../sigv4/canonical-request.ts";
import { type Place, type ReadOperation, unknownOperation } from "./operation.ts";

export const lambdaOperation: ReadOperation = ({ method, target, headers }, place) => {
  const { path, query } = partsOf(target);
  const named = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(path)?.[1];
  const waits = (headers["x-amz-invocation-type"] ?? "RequestResponse") === "RequestResponse";
  if (method !== "POST" || named === undefined || query.length > 0 || !waits)
    return unknownOperation(`Lambda's ${method} ${target} (${headers["x-amz-invocation-type"]})`);
  const resource = functionArn(decoded(named), place);
  const about = resource.split(":").at(-1) ?? "";
  return { name: "Invoke", about, asks: [{ action: "lambda:InvokeFunction", resource }] };
};

/** By name, by a part of the ARN (`111122223333:function:name`) or by all of it. */
export function functionArn(named: string, { partition, region, account }: Omit<Place, "resources">): string {
  if (named.startsWith("arn:")) return named;
  const [, owner = account, name = named] = /^(?:(\d{12}):)?(?:function:)?([^:]+)$/.exec(named) ?? [];
  return `arn:${partition}:lambda:${region}:${owner}:function:${name}`;
}

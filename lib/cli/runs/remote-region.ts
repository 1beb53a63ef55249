/** The region that requests are signed for, where neither the address nor the environment tells: the profile's own. */
import type { Shell } from "../display/shell.ts";

export async function withRegion(url: string, env: Shell["env"]): Promise<Shell["env"]> {
  const known = /^http:|\.amazonaws\.com(\.cn)?(\/|$)/.test(url) || env.AWS_REGION || env.AWS_DEFAULT_REGION;
  if (known) return env;
  const { STSClient } = await import("@aws-sdk/client-sts");
  // None is set: the address is refused, with what to do.
  const region = await new STSClient({}).config.region().catch(() => undefined);
  return region === undefined ? env : { ...env, AWS_REGION: region };
}

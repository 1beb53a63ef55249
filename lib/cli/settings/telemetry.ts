/** Where spans go. Nothing of telemetry is loaded where neither a flag, a file nor a variable asks for it. */
import type { Telemetry } from "../../../packages/telemetry/index.ts";
import type { Environment } from "../../host/user-folder.ts";

/** Undefined: nothing is asked for. `otel`: the endpoint as the flag or a configuration file names it. */
export async function telemetryIn(env: Environment, otel: string | undefined): Promise<Telemetry | undefined> {
  if (otel === undefined && !Object.keys(env).some((name) => name.startsWith("OTEL_"))) return undefined;
  const { readTelemetry } = await import("../../../packages/telemetry/index.ts");
  return readTelemetry(env, otel);
}

/** `cdk synth`, as a user types it: with no account, no credentials and no Docker. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** `config`: as it would stand in `l2mac.cloud.json`; absent, `cdk deploy` with no parameters. */
export async function synthesise(into: string, config?: Record<string, unknown>): Promise<string> {
  const context = config === undefined ? [] : ["-c", `l2mac=${JSON.stringify(config)}`];
  const child = spawn(
    process.execPath,
    ["node_modules/aws-cdk/bin/cdk", "synth", "--quiet", "--output", into, ...context],
    { cwd: root, env: { PATH: process.env.PATH ?? "", HOME: into }, stdio: ["ignore", "ignore", "pipe"] },
  );
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  if (code !== 0) throw new Error(`cdk synth ended with ${code}: ${said}`);
  return into;
}

/** Shows what a deployment would make and whom it would let do what, and asks whether that is wanted. */

import { UserError } from "../../core/errors.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import type { Assembly } from "../../deployment/assembly.ts";
import { errorIn } from "../../deployment/cdk-lines.ts";
import { runCdk } from "../../deployment/run-cdk.ts";
import { describeStack } from "../../deployment/stack.ts";
import type { Deploying } from "./deploy.ts";
import { cdkPlace } from "./deployment-asked.ts";

export async function showChanges(deploying: Deploying, { types }: Assembly): Promise<void> {
  const { cdk, shell, config, env, folder, place } = deploying;
  const found = await describeStack(place, config.stackName);
  const isThere = "told" in found && found.told !== undefined && found.told.status !== "REVIEW_IN_PROGRESS";
  const all = [...types.values()].reduce((whole, count) => whole + count, 0);
  shell.say(
    `\n${config.stackName}, ${isThere ? "to be updated; whole, it has" : "to be created, with"} ${all} resources:`,
  );
  shell.say(`  ${summaryOf(types)}`);
  const args = ["diff", config.stackName, "--app", folder, "--security-only", "--method=template"];
  const { code, lines } = await runCdk(cdk, { args: [...args, "--no-notices", ...cdkPlace(deploying)], env });
  if (code !== 0) {
    for (const line of errorIn(lines)) shell.say(`  ${sanitizeLine(line)}`);
    throw new UserError("What would change could not be found out; above is what cdk said. Nothing was changed.", {
      exitCode: 3,
      remedy: { command: "doctor", args: ["--remote"] },
    });
  }
  for (const line of lines) shell.say(sanitizeLine(line));
}

const PARTS = 9;

/** The most frequent first, by the service's own names. */
function summaryOf(types: Map<string, number>): string {
  const sorted = [...types].toSorted(([, a], [, b]) => b - a);
  const named = sorted.slice(0, PARTS).map(([type, count]) => `${count} ${type.replace(/^AWS::/, "")}`);
  return sorted.length > PARTS ? `${named.join(", ")}, …` : named.join(", ");
}

/** Where there is no terminal to ask on, only --yes is a yes. */
export async function confirmed({ yes, terminal }: Deploying, question: string): Promise<boolean> {
  if (yes) return true;
  if (!terminal.isThere) {
    throw new UserError(`"${question}" has to be confirmed, and there is no terminal to ask on. Nothing was changed.`, {
      exitCode: 3,
      remedy: "Run it on a terminal, or with --yes.",
    });
  }
  return /^y(es)?$/i.test((await terminal.line(`${question} [y/N]`)).trim());
}

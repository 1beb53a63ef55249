/** The flags of the commands about a deployment: what each takes and says. */
import type { Flag } from "../command.ts";

export const placeFlags: Flag[] = [
  { name: "--region", argument: "R", description: "The AWS region (default: as AWS_REGION or the profile says)" },
  { name: "--profile", argument: "NAME", description: "The AWS profile whose credentials are used" },
];

export const YES: Flag = { name: "--yes", description: "Do it without asking" };

export const deployFlags: Flag[] = [
  ...placeFlags,
  { name: "--evaluator-image", argument: "URI", description: "An image in ECR, where Docker is missing" },
  { name: "--set-key", description: "Store the model server's key, also where one is set" },
  { name: "--key-stdin", description: "Take the key from standard input, not from the terminal" },
  { name: "--set-git-token", description: "Store the Git server's token, typed or from standard input" },
  YES,
];

export const destroyFlags: Flag[] = [...placeFlags, YES];

export const doctorFlags: Flag[] = [
  ...placeFlags,
  { name: "--no-run", description: "With --remote: look only, and compute no rehearsal" },
];

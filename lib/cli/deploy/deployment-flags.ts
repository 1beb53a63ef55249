/** The flags of the commands about a deployment: what each takes and says. */
import type { Flag } from "../settings/flags.ts";

export const placeFlags: Flag[] = [
  { name: "--region", takes: "R", says: "the AWS region (default: as AWS_REGION or the profile says)" },
  { name: "--profile", takes: "NAME", says: "the AWS profile whose credentials are used" },
];

export const YES: Flag = { name: "--yes", says: "do it without asking" };

export const deployFlags: Flag[] = [
  ...placeFlags,
  { name: "--evaluator-image", takes: "URI", says: "an image in ECR, where Docker is missing" },
  { name: "--set-key", says: "store the model server's key, also where one is set" },
  { name: "--key-stdin", says: "take the key from standard input, not from the terminal" },
  YES,
];

export const destroyFlags: Flag[] = [...placeFlags, YES];

export const doctorFlags: Flag[] = [
  ...placeFlags,
  { name: "--no-run", says: "with --remote: look only, and compute no rehearsal" },
];

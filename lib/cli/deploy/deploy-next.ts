/** What to do once a stack is deployed, ready to be pasted. Pure. */

import { quoted } from "../../core/text/command-line.ts";
import type { KeyState } from "./deploy-key.ts";
import type { Asked } from "./deployment-asked.ts";

export interface Deployed {
  outputs: Record<string, string>;
  asked: Pick<Asked, "config" | "place">;
  key: KeyState;
  types: Map<string, number>;
}

export function nextSteps({ outputs, asked, key, types }: Deployed): string {
  const { config, place } = asked;
  const model = config.model === undefined ? " --model MODEL" : "";
  return [
    "",
    "Next:",
    ...(place.profile === undefined ? [] : [`  export AWS_PROFILE=${quoted(place.profile)}`]),
    `  export L2MAC_API_URL=${(outputs.ApiUrl ?? "").replace(/\/$/, "")}`,
    "  npx l2mac doctor --remote            # looks at everything, and computes one rehearsal: no model, no key",
    "  npx l2mac run --remote --rehearse    # the same, to watch",
    ...(key === "set" ? [] : ["  npx l2mac deploy --set-key           # the model server's key, for real runs"]),
    `  npx l2mac run --remote "A command that counts words, in Python, with tests" --budget 1${model}`,
    "",
    `Idle it costs about $${idleUsd(types).toFixed(2)} a month; l2mac destroy removes it and keeps the runs.`,
  ].join("\n");
}

const SECRET_USD = 0.4;
const ALARM_USD = 0.1;

/** List prices; what is stored comes to it, and is cents for hundreds of runs. */
const idleUsd = (types: Map<string, number>): number =>
  (types.get("AWS::SecretsManager::Secret") ?? 0) * SECRET_USD + (types.get("AWS::CloudWatch::Alarm") ?? 0) * ALARM_USD;

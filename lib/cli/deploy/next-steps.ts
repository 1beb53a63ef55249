/** The commands to run after a deployment, ready to paste. Pure. */
import { quoted } from "../../core/text/command-line.ts";
import { idleCost, type TemplateResources, totalUsd } from "../../deployment/cost/idle-cost.ts";
import type { DeploymentOptions } from "./deployment-options.ts";

export interface DeployedStack {
  outputs: Record<string, string>;
  options: Pick<DeploymentOptions, "config" | "target">;
  isKeySet: boolean;
  resources: TemplateResources;
}

export function nextSteps({ outputs, options, isKeySet, resources }: DeployedStack): string {
  const { config, target } = options;
  const ownModels = outputs.BedrockModels;
  const model = config.model === undefined && !ownModels ? " --model MODEL" : "";
  return [
    "",
    "Next:",
    ...(target.profile === undefined ? [] : [`  export AWS_PROFILE=${quoted(target.profile)}`]),
    `  export L2MAC_API_URL=${(outputs.ApiUrl ?? "").replace(/\/$/, "")}`,
    "  npx l2mac doctor --remote            # checks everything, and computes one rehearsal: no model, no key",
    "  npx l2mac run --remote --rehearse    # the same, to watch",
    ...(isKeySet || ownModels
      ? []
      : ["  npx l2mac deploy --set-key           # the model server's key, for real runs"]),
    ...(outputs.SetWebhookAddress ? [`  ${outputs.SetWebhookAddress}   # the webhook's address`] : []),
    ...(outputs.SetOtelHeader ? [`  ${outputs.SetOtelHeader}   # the collector's header`] : []),
    `  npx l2mac run --remote "A command that counts words, in Python, with tests" --budget 1${model}`,
    "",
    `Idle it costs about $${totalUsd(idleCost(resources)).toFixed(2)} a month; l2mac destroy removes it and keeps the runs.`,
  ].join("\n");
}

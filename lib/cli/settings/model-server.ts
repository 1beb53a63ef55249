/** The model server of this computer's runs: as the settings have it, with its key from the environment. */
import type { ModelWish } from "../../model/open-model.ts";
import { awsRegionIn } from "../../model/provider.ts";
import type { Layers, Settings } from "./settings.ts";

export const modelServerIn = (settings: Settings, env: Layers["env"]): ModelWish => ({
  ...settings,
  apiKey: env.OPENAI_API_KEY?.trim() || undefined,
  anthropicKey: env.ANTHROPIC_API_KEY?.trim() || undefined,
  awsRegion: awsRegionIn(env),
});

/** The model server of this computer's runs: as the settings have it, with its key from the environment. */
import { credentialsShownBy } from "../../host/aws-credentials.ts";
import { withDefaultModel } from "../../model/default-model.ts";
import type { ModelWish } from "../../model/open-model.ts";
import { keysIn } from "../../model/provider.ts";
import type { Layers, Settings } from "./settings.ts";

/** Where no model is set, with the one that a key chooses. */
export const modelServerIn = (settings: Settings, env: Layers["env"]): ModelWish =>
  withDefaultModel({ ...settings, ...keysIn(env), awsCredentials: credentialsShownBy(env) });

/** The model of an evaluation, for conversations that are no runs. */
import type { Model } from "../../core/ports.ts";
import type { ModelProfile } from "../../core/turn/model-profile.ts";
import { signerOf } from "../../local/open.ts";
import { chooseModel, openModel } from "../../model/open-model.ts";
import type { Shell } from "../display/shell.ts";
import { modelServerIn } from "../settings/model-server.ts";
import type { Settings } from "../settings/settings.ts";

export interface ChatModel {
  model: Model;
  profile: ModelProfile;
}

export async function openChatModel(settings: Settings, env: Shell["env"]): Promise<ChatModel> {
  const server = modelServerIn(settings, env);
  const { profile } = await chooseModel(server);
  const { baseUrl, apiVersion } = settings;
  const options = { ...(baseUrl ? { baseUrl } : {}), ...(apiVersion ? { apiVersion } : {}) };
  // Rehearsals are refused before.
  const model = await openModel({ profile, options }, { ...server, rehearsals: "", signerFor: signerOf });
  return { model, profile };
}

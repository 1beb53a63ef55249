/** The API on AWS: the part of the composition root that joins it to links, executions and the model server's key. */
import type { ApiParts } from "../lib/api/parts.ts";
import { linkClient, sfnClient } from "../lib/aws/clients.ts";
import { createPresigner } from "../lib/aws/presign.ts";
import { setKeyCommand } from "../lib/aws/secret.ts";
import { needed, type Settings } from "../lib/aws/settings.ts";
import { createExecutionStarter } from "../lib/aws/sfn-runs.ts";
import { createRunCommands } from "../lib/control/lifecycle/run-commands.ts";
import { createNamedPrograms } from "../lib/control/program/keep-programs.ts";
import type { World } from "../lib/control/world.ts";
import type { ModelChoice } from "../lib/core/turn/model-choice.ts";
import { modelList } from "../lib/core/turn/model-list.ts";
import { packsIn } from "../lib/files/prompt-folder.ts";
import { isRehearsal } from "../lib/model/open-model.ts";
import { isCompatible, isSigned, providerOf } from "../lib/model/provider.ts";
import { REHEARSAL } from "../lib/model/rehearsal-name.ts";
import { createServedModels } from "../lib/model/served-models.ts";
import { createApiHandler } from "./api.ts";

export interface ApiOpening {
  world: World;
  settings: Settings;
  /** The key of the model server, as it is now. */
  readKey: () => Promise<string | undefined>;
  /** The folder of prompts that was bundled. */
  prompts: string;
  onFailure: ApiParts["onFailure"];
}

export async function openApi({ world, settings, readKey, prompts, onFailure }: ApiOpening) {
  const packs = await packsIn(prompts);
  const executions = createExecutionStarter({
    client: sfnClient(),
    stateMachineArn: needed(settings, "STATE_MACHINE_ARN"),
  });
  const presigner = createPresigner({ client: linkClient(), bucket: settings.BUCKET_NAME });
  return createApiHandler({
    ...world,
    runs: createRunCommands({ world, executions }),
    models: createModels(settings, readKey),
    packs: async (domain) => packs[domain],
    links: presigner,
    programs: createNamedPrograms(world),
    uploads: presigner,
    sharedRuns: settings.SHARED_RUNS,
    // A request that is held is charged by the second, and holds one of the account's concurrent executions.
    settings: { defaults: {}, install: true, longestWaitSeconds: 0, isPaced: true },
    onFailure,
  });
}

const ONE_KEY =
  "The deployed API has one key, for OpenAI or a compatible server: models of anthropic/, gemini/ and openrouter/ run on your own computer only.";

/** Why this deployment cannot ask one of the models in the list. */
export function refusedModel(
  models: string,
  { DEFAULT_BASE_URL, BEDROCK_MODELS }: Pick<Settings, "DEFAULT_BASE_URL" | "BEDROCK_MODELS">,
): string | undefined {
  for (const model of modelList(models) ?? []) {
    const api = providerOf(model, DEFAULT_BASE_URL)?.api;
    if (api === "messages" || isCompatible(api)) return ONE_KEY;
    if (isSigned(api) && !BEDROCK_MODELS.includes(model)) return notGranted(model, BEDROCK_MODELS);
  }
  return undefined;
}

const notGranted = (model: string, granted: string[]): string =>
  `This deployment's functions may not call ${model}${granted.length > 0 ? `, only ${granted.join(", ")}` : ""}. Add it to "bedrockModels" in l2mac.cloud.json, and deploy again.`;

function createModels(settings: Settings, readKey: ApiOpening["readKey"]): ModelChoice {
  const keyCommand = setKeyCommand(needed(settings, "SECRET_ID"));
  const served = async () =>
    createServedModels({
      model: settings.DEFAULT_MODEL,
      baseUrl: settings.DEFAULT_BASE_URL,
      apiKey: await readKey(),
      awsRegion: settings.AWS_REGION,
    });
  return {
    async choose(wish) {
      if (wish.model === REHEARSAL) return createServedModels({}).choose(wish);
      const problem = refusedModel(wish.model ?? settings.DEFAULT_MODEL ?? "", settings);
      if (problem !== undefined) return { problem };
      const chosen = await (await served()).choose(wish);
      return "keyCommand" in chosen ? { keyCommand } : chosen;
    },
    describe: async () => (await served()).describe?.() ?? { models: [] },
    async missingKey(run) {
      if (isRehearsal(run)) return undefined;
      return (await (await served()).missingKey(run)) === undefined ? undefined : keyCommand;
    },
  };
}

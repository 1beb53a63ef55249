/** Which models the server of this computer can ask: those of its own model server, and the rehearsal. */
import { defined } from "../core/defined.ts";
import { UserError } from "../core/errors.ts";
import type { ChosenProfile, ModelChoice, ServedModels, ModelWish as Wished } from "../core/turn/model-choice.ts";
import { modelList } from "../core/turn/model-list.ts";
import { noModelFound, withDefaultModel } from "./default-model.ts";
import { reachableModels } from "./list-models.ts";
import {
  chooseModels,
  hasKey,
  isRehearsal,
  keyNameOf,
  type ModelWish,
  refuseMissingKey,
  rehearsalProfile,
  wrongNames,
} from "./open-model.ts";
import { findLocalServers } from "./probe/local-servers.ts";
import { REHEARSAL } from "./rehearsal-name.ts";

/** The settings of the server: key and base URL come from nowhere else. */
export type ServedModel = ModelWish;

const keyCommand = (wish: ModelWish): string => `export ${keyNameOf(wish)}=…, then start the server again`;

export function createServedModels(served: ServedModel): ModelChoice {
  return {
    async choose(wished) {
      const model = wished.model ?? served.model;
      if (model === REHEARSAL) return { profile: rehearsalProfile(wished.contextWindow), server: {} };
      const wrong = model === undefined ? undefined : wrongNames(model);
      if (wrong !== undefined) return { problem: wrong };
      const isReady = (modelList(model ?? "") ?? [model]).every((name) => hasKey({ ...served, model: name }));
      return isReady || wished.isDryRun ? chosen(served, wished) : { keyCommand: keyCommand({ ...served, model }) };
    },
    missingKey: async (run) => {
      const wish = { ...served, baseUrl: served.baseUrl ?? run.options.baseUrl, model: run.profile.model };
      return isRehearsal(run) || hasKey(wish) ? undefined : keyCommand(wish);
    },
    describe: () => describeServed(served),
  };
}

async function chosen(served: ServedModel, wished: Wished): Promise<ChosenProfile> {
  const { model, contextWindow, price, unpriced, isDryRun, isExaminer } = wished;
  // What was said of the server's own model does not hold for another.
  const isOwn = !isExaminer && (model === undefined || model === served.model);
  const known = isOwn ? served : { ...served, model, contextWindow: undefined, price: undefined };
  try {
    const { profile, models, notes } = await chooseModels({
      ...known,
      ...defined({ contextWindow, isDryRun }),
      ...(price ? { price } : {}),
      ...(unpriced ? { unpriced } : {}),
    });
    return { profile, ...(models ? { models } : {}), server: serverOf(served), notes };
  } catch (error) {
    if (error instanceof UserError) return { problem: error.message };
    throw error;
  }
}

/** Asks no server: a page waits for it. */
async function describeServed(served: ServedModel): Promise<ServedModels> {
  const model = served.model ?? withDefaultModel(served).model;
  return {
    ...(model === undefined ? {} : { model, isReady: model === REHEARSAL || hasKey({ ...served, model }) }),
    models: reachableModels(served),
  };
}

/** For one user of this computer: what is wrong is thrown, with what the user can do about it. */
export function createOwnModels(server: ModelWish): ModelChoice {
  return {
    async choose({ isExaminer, ...wish }) {
      const own = isExaminer ? { ...server, contextWindow: undefined, price: undefined } : server;
      const asked = { ...own, ...defined(wish) };
      if (asked.model === REHEARSAL) return { profile: rehearsalProfile(wish.contextWindow), server: {} };
      if (asked.model === undefined && asked.baseUrl === undefined && !hasKey(asked)) {
        throw noModelFound(asked, await findLocalServers());
      }
      const { profile, models, notes } = await chooseModels(asked);
      return { profile, ...(models ? { models } : {}), server: serverOf(server), notes };
    },
    async missingKey(run) {
      const baseUrl = server.baseUrl ?? run.options.baseUrl;
      if (!isRehearsal(run)) refuseMissingKey({ ...server, model: run.profile.model, baseUrl });
      return undefined;
    },
  };
}

const serverOf = ({ baseUrl, apiVersion }: ServedModel) => ({
  ...defined({ baseUrl, apiVersion }),
});

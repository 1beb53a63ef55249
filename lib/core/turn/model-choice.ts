/** How the API asks for a model: a wish, and the profile chosen for it. */
import type { RunOptions } from "../run/option-forms.ts";
import type { Run } from "../run/run.ts";
import type { ModelProfile, Price } from "./model-profile.ts";

export interface ModelWish {
  model?: string | undefined;
  contextWindow?: number | undefined;
  price?: Price | undefined;
  unpriced?: boolean | undefined;
  /** The model will not be asked: its key may be missing. */
  isDryRun?: boolean | undefined;
  /** It writes the checks: what the server's settings say of the run's own model does not hold for it. */
  isExaminer?: boolean | undefined;
}

/** `keyCommand`: how the key that is missing is set. */
export type ChosenProfile =
  | {
      profile: ModelProfile;
      models?: ModelProfile[];
      server: Pick<RunOptions, "baseUrl" | "apiVersion">;
      /** What was assumed of the models, each a sentence. */
      notes?: string[];
    }
  | { keyCommand: string }
  | { problem: string };

/** What a server asks, without secrets. */
export interface ServedModels {
  /** Where a run names none. Absent: none is set. */
  model?: string;
  /** The key that it needs is set. */
  isReady?: boolean;
  /** Known models that the keys of this server can ask. */
  models: string[];
}

export interface ModelChoice {
  choose(wish: ModelWish): Promise<ChosenProfile>;
  /** Undefined where the run can go on. */
  missingKey(run: Run): Promise<string | undefined>;
  /** Absent: it is not known. */
  describe?(): Promise<ServedModels>;
}

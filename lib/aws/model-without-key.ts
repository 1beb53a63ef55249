/** Stands in for a model whose key is not set: the run ends as it does where a server refuses a key, and can be resumed. */
import { ModelError } from "../core/errors.ts";
import type { Model } from "../core/ports.ts";
import { setKeyCommand } from "./secret.ts";

export const createModelWithoutKey = (secretId: string): Model => ({
  ask: () => {
    const message = `The key of the model server is not set. Set it with: ${setKeyCommand(secretId)}`;
    return Promise.reject(new ModelError(message, { kind: "credentials", perhapsPaid: false }));
  },
});

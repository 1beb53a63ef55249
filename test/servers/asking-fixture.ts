/** What the tests of model adapters ask a scripted server, and with which profile. */
import { inspect } from "node:util";
import { expect } from "vitest";
import { ModelError } from "../../lib/core/errors.ts";
import type { ModelRequest } from "../../lib/core/ports.ts";
import type { ModelProfile } from "../../lib/core/turn/model-profile.ts";

export const profile: ModelProfile = {
  model: "scripted",
  contextWindow: 8_192,
  maxOutputTokens: 4_096,
  convention: "native",
  outputLimit: "max_tokens",
  temperature: true,
  parallelToolCalls: true,
  requiredToolChoice: true,
};

export const request: ModelRequest = {
  messages: [
    { role: "system", content: "You write code." },
    { role: "user", content: "Begin." },
  ],
  tools: [{ name: "list_files", description: "Lists files.", parameters: { type: "object", properties: {} } }],
  maxOutputTokens: 1_000,
  temperature: 0.5,
  seed: 7,
  timeoutMs: 20_000,
};

export const KEY = "sk-proj-Very+Secret/Key_0123456789";

/** The error of a call that must fail; the key is nowhere in it, however deep one looks. */
export async function errorOf(call: Promise<unknown>): Promise<ModelError> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ModelError)) throw new Error(`expected a ModelError, got ${inspect(error)}`);
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(KEY);
  return error;
}

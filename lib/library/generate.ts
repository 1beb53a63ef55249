/** Computes a task for a program that calls the library. Prints nothing, and ends no process. */
import type { LocalClient } from "../client/in-process.ts";
import type { Event } from "../core/run/event.ts";
import type { ComputeOptions, ContentOptions, DomainOptions } from "./options.ts";
import { openComputer } from "./place.ts";
import { completed, planned, readResult } from "./read-result.ts";
import { requestFrom } from "./request.ts";
import type { Generated } from "./result.ts";

export const generate = (task: string, options: DomainOptions): Promise<Generated<string | Uint8Array>> =>
  compute(options, async (client) => completed(await submitted(client, task, options)));

/** Answers as soon as the program waits for approval. */
export const plan = (task: string, options: DomainOptions): Promise<Generated<string | Uint8Array>> =>
  compute(options, async (client) => planned(await submitted(client, task, { ...options, approve: "plan" })));

async function submitted(client: LocalClient, task: string, options: DomainOptions) {
  const { env = process.env } = options;
  const { body, trees } = await requestFrom(task, { ...options, model: options.model ?? env.L2MAC_MODEL });
  const { id } = await client.submit(body, trees);
  return follow(client, { id, after: 0 }, options);
}

export async function compute<Value>(
  options: ComputeOptions & { model?: string | undefined },
  work: (client: LocalClient) => Promise<Value>,
): Promise<Value> {
  const client = await openComputer(options);
  try {
    options.signal?.throwIfAborted();
    return await work(client);
  } finally {
    client.close();
  }
}

/** Computes a run in this process until it ends or waits. Events up to `after` are known already. */
export async function follow(
  client: LocalClient,
  { id, after }: { id: string; after: number },
  { onEvent, bytes, signal = new AbortController().signal }: ComputeOptions & ContentOptions,
): Promise<Generated<string | Uint8Array>> {
  const show = (events: Event[]): void => {
    for (const event of events) onEvent?.(event);
  };
  return readResult(client, await client.compute(id, { after, show, signal }), bytes);
}

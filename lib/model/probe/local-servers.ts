/** Asks the usual ports of this computer whether a model server answers there. Sends no key; never throws. */
import type { LocalServer } from "../default-model.ts";
import { createAsk } from "./ask.ts";
import { ModelList } from "./server-probe.ts";

/** llama.cpp, Ollama, vLLM, LM Studio. */
const USUAL_PORTS = [8080, 11_434, 8_000, 1_234];
const TIMEOUT_MS = 500;

export async function findLocalServers(
  ports: readonly number[] = USUAL_PORTS,
  timeoutMs = TIMEOUT_MS,
): Promise<LocalServer[]> {
  return (await Promise.all(ports.map((port) => serverAt(port, timeoutMs)))).flatMap((found) => found ?? []);
}

async function serverAt(port: number, timeoutMs: number): Promise<LocalServer | undefined> {
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const reply = await createAsk(baseUrl, { model: "", timeoutMs })?.api("/models");
  const list = ModelList.safeParse(reply?.body);
  // A name is shown in a command to be pasted.
  const models = list.success ? list.data.data.map(({ id }) => id).filter((id) => PLAIN_NAME.test(id)) : [];
  return models.length > 0 ? { baseUrl, models } : undefined;
}

const PLAIN_NAME = /^[\w./:@+-]{1,120}$/;

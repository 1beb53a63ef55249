/** Every schema in every form, against one server: all are accepted, and what is written under a schema is a call. */
import { createMemoryBench } from "../memory-bench.ts";
import { type Asked, FORMS, HISTORY, OFFERS, openAsking } from "./asking.ts";
import { check, expectThat } from "./checks.ts";

export async function checkRequests(name: string, asked: Asked): Promise<void> {
  for (const form of Object.keys(FORMS)) {
    await check(`${name} takes the tools of every domain and a history, as ${form}`, async () => {
      const { ask, refusals } = await openAsking({ ...asked, form });
      let requests = 0;
      for (const tools of Object.values(OFFERS)) {
        await ask(tools);
        await ask(tools, { messages: HISTORY });
        requests += 2;
      }
      expectThat(refusals.length === 0, `${refusals.length} refusals, the first: ${refusals[0]}`);
      return `${requests} of ${requests} requests`;
    });
  }
  await check(`${name} with random weights writes valid calls under the schemas of the arguments`, async () => {
    const typed = await validCalls({ ...asked, form: "schema with arguments" });
    const open = await validCalls({ ...asked, form: "schema with open arguments" });
    expectThat(typed === CALLS, `${typed} of ${CALLS} calls are valid`);
    return `${typed} of ${CALLS} calls are valid; with open arguments ${open} of ${CALLS}`;
  });
}

const CALLS = 10;

/** Of calls of all lists of tools in turn, those whose arguments their tool takes. */
async function validCalls(asked: Asked): Promise<number> {
  const { ask } = await openAsking(asked);
  const offers = Object.values(OFFERS);
  let valid = 0;
  for (let seed = 1; seed <= CALLS; seed++) {
    const tools = offers[seed % offers.length] ?? [];
    const { toolCalls } = await ask(tools, { seed, maxOutputTokens: 4_000 });
    const [call] = toolCalls;
    const tool = tools.find(({ spec }) => spec.name === call?.name);
    const outcome = tool && call ? await tool.call("c1", call.arguments, createMemoryBench()) : undefined;
    if (outcome && !outcome.text.includes(" was not run. ")) valid += 1;
  }
  return valid;
}

/** What a server's refusals teach about its requests is journaled: a run learns each of them once, in whatever process. */
import { afterEach, expect, it } from "vitest";
import { createOpenAiModel } from "../../lib/model/openai.ts";
import { aSubmission, compute } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { startProgramServer } from "../servers/program-server.ts";
import { refusal } from "../servers/scripted-faults.ts";
import type { ScriptedServer } from "../servers/scripted-openai.ts";

const { opened } = openedMachines();
let server: ScriptedServer | undefined;
afterEach(() => server?.close());

it("is known to the adapters of later instructions, and replayed", async () => {
  let refused = 0;
  server = await startProgramServer({
    instructions: 3,
    refuse: ({ body }) => {
      if (!("parallel_tool_calls" in body)) return undefined;
      refused += 1;
      return refusal(400, { message: "Unsupported parameter: 'parallel_tool_calls'.", param: "parallel_tool_calls" });
    },
  });
  const { url } = server;
  const machine = opened({ modelFor: ({ profile }) => createOpenAiModel({ profile, baseUrl: url }) });
  const profile = { parallelToolCalls: true };
  const run = await compute(machine, await aSubmission({ profile, options: { reflect: 0 } }));
  expect(run).toMatchObject({ status: "completed", profile: { dialect: { parallelToolCalls: false } } });
  expect(refused).toBe(1);
  expect((await machine.replay(run.id)).difference).toBeUndefined();
});

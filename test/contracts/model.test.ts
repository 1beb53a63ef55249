/** Every model keeps the contract: servers over HTTP, the rehearsal, a recorded run, and the double of the tests. */
import { afterAll, beforeAll, describe } from "vitest";
import { record } from "../../lib/control/turn/recording.ts";
import type { World } from "../../lib/control/world.ts";
import { ModelError } from "../../lib/core/errors.ts";
import type { Run } from "../../lib/core/run/run.ts";
import { projectFile } from "../../lib/files/project-files.ts";
import { openBedrock } from "../../lib/model/bedrock/open-bedrock.ts";
import { createOpenAiModel } from "../../lib/model/openai.ts";
import { createProtocolModel } from "../../lib/model/protocols/protocol.ts";
import { protocols } from "../../lib/model/protocols/protocols.ts";
import { createRehearsalModel } from "../../lib/model/rehearsal/player.ts";
import { aMachine, aSubmission, type TestMachine } from "../doubles/machines.ts";
import { scriptedModel, writerOf } from "../doubles/scripted-model.ts";
import { profile, request } from "../servers/asking-fixture.ts";
import { type JsonReply, startJsonServer } from "../servers/json-server.ts";
import { converseAnswer, messagesAnswer, responsesAnswer } from "../servers/provider-examples.ts";
import { messagesStream, responsesStream, streamReply } from "../servers/provider-streams.ts";
import { reply } from "../servers/scripted-faults.ts";
import { startScriptedServer } from "../servers/scripted-openai.ts";
import { describeModel } from "./model.contract.ts";

const noClose = async (): Promise<void> => {};

describeModel("A server that speaks OpenAI's protocol", () => openServed("native"));
describeModel("A server without tool calls", () => openServed("schema"));

async function openServed(convention: "native" | "schema") {
  const answer = () => ({ text: "Looking.", toolCalls: [{ name: "list_files", arguments: {} }] });
  const never = new Promise<never>(() => {});
  const servers = await Promise.all([
    startScriptedServer({ answer }),
    startScriptedServer({ answer, refuse: () => reply(429, { error: { message: "Slow down." } }) }),
    startScriptedServer({ answer: () => never }),
  ]);
  const [model, failing, hanging] = servers.map(({ url }) =>
    createOpenAiModel({ profile: { ...profile, convention }, baseUrl: url }),
  );
  if (!model || !failing || !hanging) throw new Error("Three servers make three models.");
  const close = async (): Promise<void> => void (await Promise.all(servers.map((server) => server.close())));
  return { model, failing, hanging, request, close };
}

describeModel("OpenAI's Responses API", () => openProvider("responses", { body: responsesAnswer }));
describeModel("Anthropic's Messages API", () => openProvider("messages", { body: messagesAnswer }));
describeModel("OpenAI's Responses API, streamed", () =>
  openProvider("responses", streamReply(responsesStream(responsesAnswer))),
);
describeModel("Anthropic's Messages API, streamed", () =>
  openProvider("messages", streamReply(messagesStream(messagesAnswer))),
);

async function openProvider(api: "responses" | "messages", answer: JsonReply) {
  const never = new Promise<never>(() => {});
  const servers = await Promise.all([
    startJsonServer(() => answer),
    startJsonServer(() => ({ status: 429, body: { error: { message: "Slow down." } } })),
    startJsonServer(() => never),
  ]);
  const [model, failing, hanging] = servers.map(({ url }) =>
    createProtocolModel(protocols[api], { profile: { ...profile, api }, apiKey: "sk-test", baseUrl: url }),
  );
  if (!model || !failing || !hanging) throw new Error("Three servers make three models.");
  const close = async (): Promise<void> => void (await Promise.all(servers.map((server) => server.close())));
  return { model, failing, hanging, request, close };
}

describeModel("Bedrock's Converse API", async () => {
  const reply = (status: number, body: unknown) => async () =>
    new Response(JSON.stringify(body), { status, headers: { "x-amzn-requestid": "427c73bb" } });
  const own = { ...profile, model: "bedrock/us.anthropic.claude-opus-5", api: "converse" as const };
  const open = (fetch: typeof globalThis.fetch) =>
    openBedrock(own, { region: "us-east-1", signerFor: async () => async () => ({}), fetch });
  return {
    model: await open(reply(200, converseAnswer)),
    failing: await open(reply(429, { message: "Too many requests, please wait before trying again." })),
    hanging: await open(() => new Promise<never>(() => {})),
    request,
    close: noClose,
  };
});

describeModel("The rehearsal", async () => ({
  model: createRehearsalModel({ rehearsals: projectFile("rehearsals") }),
  request: { ...request, messages: [{ role: "user", content: "Instruction 1 of 3: Anything" }], tools: CHECKING },
  close: noClose,
}));

const CHECKING = ["list_files", "run_checks", "complete_instruction"].map((name) => ({
  name,
  description: "",
  parameters: {},
}));

describe("a run that is replayed", () => {
  let machine: TestMachine;
  let run: Run;
  beforeAll(async () => {
    machine = aMachine({ model: scriptedModel(writerOf(1, () => [{ path: "a.txt", content: "a\n" }])) });
    const { id } = await machine.submit(await aSubmission({}));
    run = await machine.compute(id, new AbortController().signal);
  });
  afterAll(() => {
    machine.close();
    machine.removeHome();
  });

  describeModel("Its journal", async () => {
    const world = { registry: machine.registry, files: machine.files } as World;
    const [recording, ended] = [await record(world, run), await record(world, run)];
    while (ended.left() > 0) await ended.model.ask(request);
    return { model: recording.model, failing: ended.model, request, close: noClose };
  });
});

describeModel("The scripted double", async () => ({
  model: scriptedModel(() => ({ text: "Looking.", calls: [["list_files", {}]] })),
  failing: scriptedModel(() => {
    throw new ModelError("The script says so.", { kind: "unavailable", perhapsPaid: false });
  }),
  request,
  close: noClose,
}));

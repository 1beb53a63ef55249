/** Bedrock at the edge of HTTP: what is sent and signed, what is read, and what refusals mean. */
import { describe, expect, it } from "vitest";
import { verify } from "../../../packages/aws-rehearsal/sigv4/sigv4.ts";
import { errorOf, profile, request } from "../../../test/servers/asking-fixture.ts";
import { converseAnswer } from "../../../test/servers/provider-examples.ts";
import { createSigner } from "../../client/sign.ts";
import { UserError } from "../../core/errors.ts";
import type { ModelAnswer, ModelRequest } from "../../core/ports.ts";
import type { ModelProfile } from "../../core/turn/model-profile.ts";
import { openBedrock, type SignerFor } from "./open-bedrock.ts";

const REGION = "eu-west-1";
const CLAUDE = "bedrock/eu.anthropic.claude-opus-5";
const NOVA = "bedrock/eu.amazon.nova-pro-v1:0";
const POINT = { cachePoint: { type: "default" } };
const credentials = { accessKeyId: "ASIATESTKEYOFNOBODY1", secretAccessKey: "a-secret", sessionToken: "a-token==" };

const signerFor: SignerFor = async (region) =>
  createSigner({ credentials: async () => credentials, region, service: "bedrock", now: Date.now });

interface Wire {
  url: URL;
  headers: Record<string, string>;
  text: string;
  body: Record<string, unknown>;
}

type Answered = { status?: number; headers?: Record<string, string>; body: unknown };

async function opened(answer: Answered | ((sent: Wire) => Answered), over: Partial<ModelProfile> = {}) {
  const wires: Wire[] = [];
  const own: ModelProfile = { ...profile, model: CLAUDE, api: "converse", temperature: false, ...over };
  const fetch = async (url: unknown, init?: RequestInit): Promise<Response> => {
    const text = String(init?.body);
    const headers = Object.fromEntries(new Headers(init?.headers));
    const sent = { url: new URL(String(url)), headers, text, body: JSON.parse(text) };
    wires.push(sent);
    const { status = 200, headers: given = {}, body } = typeof answer === "function" ? answer(sent) : answer;
    return new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers: given });
  };
  return { model: await openBedrock(own, { region: REGION, signerFor, fetch }), wires };
}

const continued = ({ text, toolCalls, continuation }: ModelAnswer): ModelRequest => ({
  ...request,
  messages: [
    ...request.messages,
    { role: "assistant", content: text, toolCalls, ...(continuation ? { continuation } : {}) },
    { role: "tool", content: "a.ts", toolCallId: toolCalls[0]?.id ?? "", name: "list_files" },
    { role: "assistant", content: "", toolCalls: [{ id: "t2", name: "list_files", arguments: "{}" }] },
    { role: "tool", content: "", toolCallId: "t2", name: "list_files" },
    { role: "user", content: "9 turns left" },
  ],
});

describe("a request to Converse", () => {
  it("is signed for Bedrock in that region, and sent there", async () => {
    const { model, wires } = await opened({ body: converseAnswer }, { model: NOVA });
    await model.ask(request);
    const [sent] = wires;
    expect(sent?.url.href).toBe(
      "https://bedrock-runtime.eu-west-1.amazonaws.com/model/eu.amazon.nova-pro-v1%3A0/converse-stream",
    );
    const known = { name: "somebody", arn: "arn:aws:iam::123456789012:user/somebody", credentials, policies: [] };
    const wire = {
      method: "POST",
      target: sent?.url.pathname,
      headers: { ...sent?.headers, host: sent?.url.host },
      body: Buffer.from(sent?.text ?? ""),
    };
    const verifying = { iam: { find: () => known }, region: REGION, services: ["bedrock"], now: Date.now() };
    expect(verify(wire as never, verifying as never)).toMatchObject({ service: "bedrock", presigned: false });
  });

  it("has the conversation, the tools and the limit, and cache points behind what does not change", async () => {
    const { model, wires } = await opened({ body: converseAnswer });
    await model.ask(request);
    const { name, description, parameters } = request.tools[0] ?? {};
    expect(wires[0]?.body).toEqual({
      system: [{ text: "You write code." }, POINT],
      messages: [{ role: "user", content: [{ text: "Begin." }] }],
      inferenceConfig: { maxTokens: 1_000 },
      toolConfig: { tools: [{ toolSpec: { name, description, inputSchema: { json: parameters } } }] },
    });
  });

  it("says how much Claude thinks, where that is documented, and a temperature only where the model takes one", async () => {
    const ask = async (model: string, temperature: boolean) => {
      const asked = await opened({ body: converseAnswer }, { model, temperature });
      await asked.model.ask({ ...request, effort: "low" });
      return asked.wires[0]?.body;
    };
    const thinking = { thinking: { type: "adaptive" }, output_config: { effort: "low" } };
    expect(await ask(CLAUDE, true)).toMatchObject({
      additionalModelRequestFields: thinking,
      inferenceConfig: { maxTokens: 1_000 },
    });
    const nova = await ask(NOVA, true);
    expect(nova).not.toHaveProperty("additionalModelRequestFields");
    expect(nova).toMatchObject({ inferenceConfig: { maxTokens: 1_000, temperature: 0.5 } });
  });

  it("leaves cache points out for families that know none", async () => {
    const { model, wires } = await opened({ body: converseAnswer }, { model: "bedrock/us.meta.llama3-3-70b-v1:0" });
    await model.ask(request);
    expect(wires[0]?.text).not.toContain("cachePoint");
  });
});

describe("an answer of Converse", () => {
  it("has text, calls and all of its usage, and gets its thoughts back before the call", async () => {
    const { model, wires } = await opened({ body: converseAnswer, headers: { "x-amzn-requestid": "427c73bb" } });
    const answer = await model.ask(request);
    expect(answer).toMatchObject({
      text: "Looking.",
      toolCalls: [{ id: "tooluse_kZJMlvQmRJ6eAyJE5GIl7Q", name: "list_files", arguments: '{"prefix":"src"}' }],
      finish: "tools",
      usage: { inputTokens: 50 + 248 + 1_800, cachedTokens: 1_800, outputTokens: 89 },
      model: CLAUDE,
      requestId: "427c73bb",
    });
    await model.ask(continued(answer));
    const toolUseId = "tooluse_kZJMlvQmRJ6eAyJE5GIl7Q";
    expect(wires[1]?.body.messages).toEqual([
      { role: "user", content: [{ text: "Begin." }] },
      { role: "assistant", content: converseAnswer.output.message.content },
      { role: "user", content: [{ toolResult: { toolUseId, content: [{ text: "a.ts" }] } }] },
      { role: "assistant", content: [{ toolUse: { toolUseId: "t2", name: "list_files", input: {} } }] },
      {
        role: "user",
        content: [{ toolResult: { toolUseId: "t2", content: [{ text: "(empty)" }] } }, POINT, { text: "9 turns left" }],
      },
    ]);
  });

  it("puts no cache point behind a tool's result for Nova, which refuses it there", async () => {
    const { model, wires } = await opened({ body: converseAnswer }, { model: NOVA });
    await model.ask(continued(await model.ask(request)));
    expect(wires[1]?.body.messages).toMatchObject([{ content: [{ text: "Begin." }, POINT] }, {}, {}, {}, {}]);
    expect(wires[1]?.text.match(/cachePoint/g)).toHaveLength(2);
  });

  it.each([
    ["end_turn", "tools"],
    ["max_tokens", "cut"],
    ["model_context_window_exceeded", "cut"],
    ["guardrail_intervened", "filtered"],
    ["content_filtered", "filtered"],
  ])("that ends with %s is %s, and is not believed a call that was cut", async (stopReason, finish) => {
    const answer = await (await opened({ body: { ...converseAnswer, stopReason } })).model.ask(request);
    expect(answer.finish).toBe(finish);
    expect(answer.toolCalls).toHaveLength(finish === "cut" ? 0 : 1);
  });

  it.each([
    ["malformed_tool_use", "other"],
    ["stop_sequence", "stop"],
  ])("without a call that ends with %s is %s", async (stopReason, finish) => {
    const output = { message: { role: "assistant", content: [{ text: "Done." }] } };
    const answer = await (await opened({ body: { ...converseAnswer, output, stopReason } })).model.ask(request);
    expect(answer.finish).toBe(finish);
  });

  it("that does not count is guessed", async () => {
    const { usage: _usage, ...body } = converseAnswer;
    expect(await (await opened({ body })).model.ask(request)).toMatchObject({ usageEstimated: true });
  });
});

describe("what Bedrock's refusal means", () => {
  const named = (name: string) => ({ "x-amzn-errortype": `${name}:http://internal.amazon.com/coral/` });
  it.each<[string, number, string, string, RegExp, boolean]>([
    [
      "AccessDeniedException",
      403,
      "You don't have access to the model.",
      "credentials",
      /aws bedrock-runtime converse --region eu-west-1 --model-id \S+ .*#\/modelcatalog/,
      false,
    ],
    [
      "AccessDeniedException",
      403,
      "Model access is denied due to IAM user or service role is not authorized to perform the required AWS Marketplace actions (aws-marketplace:ViewSubscriptions, aws-marketplace:Subscribe) to enable access to this model.",
      "credentials",
      /An administrator.*aws bedrock-runtime converse --region eu-west-1(?!.*in IAM)/,
      false,
    ],
    [
      "AccessDeniedException",
      403,
      "User: arn is not authorized to perform: bedrock:InvokeModel on resource: arn:aws:bedrock:eu-north-1::foundation-model/x with an explicit deny in a service control policy",
      "credentials",
      /A service control policy of the organization denies .* Region to which its profile sends(?!.*in IAM)/,
      false,
    ],
    [
      "AccessDeniedException",
      403,
      "User: arn is not authorized to perform: bedrock:InvokeModel",
      "credentials",
      /in IAM/,
      false,
    ],
    ["ExpiredTokenException", 403, "The security token is expired", "credentials", /aws sso login/, false],
    ["UnrecognizedClientException", 403, "The security token is invalid.", "credentials", /aws sso login/, false],
    [
      "ThrottlingException",
      429,
      "Too many tokens, please wait.",
      "rate_limited",
      /Too many tokens.*servicequotas/,
      false,
    ],
    [
      "ThrottlingException",
      429,
      "Too many tokens per day, please wait.",
      "quota",
      /higher quota.*servicequotas/,
      false,
    ],
    ["ThrottlingException", 400, "Too many requests", "rate_limited", /Too many requests/, false],
    ["ServiceQuotaExceededException", 400, "Over the quota.", "quota", /servicequotas/, false],
    ["ModelNotReadyException", 429, "Not ready.", "unavailable", /still being loaded/, false],
    ["ModelTimeoutException", 408, "It took too long.", "timed_out", /resume the run/, true],
    ["ModelErrorException", 424, "It failed.", "unavailable", /It failed/, true],
    ["ServiceUnavailableException", 503, "Later.", "unavailable", /Later/, false],
    [
      "ValidationException",
      400,
      "Invocation of model ID x with on-demand throughput isn’t supported. Retry your request with the ID or ARN of an inference profile that contains this model.",
      "unknown_model",
      /--model bedrock\/eu\.anthropic\.claude-opus-5, or bedrock\/global\./,
      false,
    ],
    [
      "ValidationException",
      400,
      "The provided model identifier is invalid.",
      "unknown_model",
      /list-inference-profiles/,
      false,
    ],
    [
      "ResourceNotFoundException",
      404,
      "Model use case details have not been submitted.",
      "credentials",
      /form at/,
      false,
    ],
    ["ResourceNotFoundException", 404, "The resource was not found.", "unknown_model", /eu-west-1/, false],
    [
      "ValidationException",
      400,
      "This model doesn't support tool use.",
      "refused",
      /choose another with --model/,
      false,
    ],
    ["ValidationException", 400, "Input is too long for requested model.", "context_exceeded", /too long/, false],
  ])("%s %i: %s", async (name, status, message, kind, words, perhapsPaid) => {
    const model = "bedrock/anthropic.claude-opus-5";
    const asked = await opened({ status, headers: named(name), body: { message } }, { model });
    const error = await errorOf(asked.model.ask(request));
    expect(error).toMatchObject({ kind, perhapsPaid, message: expect.stringMatching(words) });
    expect(error.message).not.toContain("\n");
    expect(asked.wires).toHaveLength(1);
  });

  it("is none where a 200 has no answer in it, which may have been paid", async () => {
    for (const body of ["<html>", {}, { output: {} }]) {
      expect(await errorOf((await opened({ body })).model.ask(request))).toMatchObject({
        kind: "broken_answer",
        perhapsPaid: true,
      });
    }
  });

  it("is that of a region without Bedrock where its name is not known", async () => {
    const unknown = Object.assign(new TypeError("fetch failed"), { code: "ENOTFOUND" });
    const fetch = () => Promise.reject(unknown);
    const model = await openBedrock(
      { ...profile, model: CLAUDE, api: "bedrock-chat" },
      { region: REGION, signerFor, fetch },
    );
    expect(await errorOf(model.ask(request))).toMatchObject({
      kind: "unreachable",
      message: expect.stringMatching(/bedrock-runtime\.eu-west-1.*a region that has Bedrock/),
    });
  });
});

describe("without what Bedrock needs", () => {
  it.each(["converse", "bedrock-chat"] as const)(
    "no credentials are an error before anything is sent: %s",
    async (api) => {
      const remedy = "Sign in (aws sso login, or aws configure), or set AWS_PROFILE; then run the same command again.";
      const failing: SignerFor = async () => () =>
        Promise.reject(new UserError("No AWS credentials were found: none", { exitCode: 3, remedy }));
      let sent = 0;
      const fetch = async () => {
        sent += 1;
        return new Response("{}");
      };
      const model = await openBedrock(
        { ...profile, model: CLAUDE, api },
        { region: REGION, signerFor: failing, fetch },
      );
      const error = await errorOf(model.ask(request));
      expect(error).toMatchObject({ kind: "credentials", perhapsPaid: false });
      expect(error.message).toMatch(/^Nothing was sent to bedrock-runtime.*No AWS credentials.*aws sso login/);
      expect(sent).toBe(0);
    },
  );

  it.each(["nowhere", "us-east-1.example.com/", ""])("a region that is none is refused: %s", async (region) => {
    const own: ModelProfile = { ...profile, model: CLAUDE, api: "converse" };
    await expect(openBedrock(own, { region, signerFor })).rejects.toMatchObject({ exitCode: 3 });
  });

  it("nothing is opened where nothing can be signed", async () => {
    const own: ModelProfile = { ...profile, model: CLAUDE, api: "converse" };
    const access = { region: REGION, signerFor: undefined };
    await expect(openBedrock(own, access)).rejects.toThrow("your own computer");
  });
});

describe("the Chat Completions of Bedrock", () => {
  it("are asked without a key, signed, by the name that Bedrock has", async () => {
    const message = { role: "assistant", content: "Done." };
    const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
    const body = {
      id: "c",
      model: "openai.gpt-oss-120b-1:0",
      choices: [{ index: 0, finish_reason: "stop", message }],
      usage,
    };
    const over = { model: "bedrock-openai/openai.gpt-oss-120b-1:0", api: "bedrock-chat" } as const;
    const { model, wires } = await opened({ body }, over);
    expect(await model.ask(request)).toMatchObject({ text: "Done.", usage: { inputTokens: 5, outputTokens: 2 } });
    const [sent] = wires;
    expect(sent?.url.href).toBe("https://bedrock-runtime.eu-west-1.amazonaws.com/openai/v1/chat/completions");
    expect(sent?.body.model).toBe("openai.gpt-oss-120b-1:0");
    expect(sent?.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=[^,]*\/eu-west-1\/bedrock\/aws4_request/);
    expect(Object.keys(sent?.headers ?? {}).filter((name) => name.startsWith("x-stainless"))).toEqual([]);
  });

  it("are refused in the same words, once", async () => {
    const headers = { "x-amzn-errortype": "AccessDeniedException" };
    const body = { message: "You don't have access to the model." };
    const over = { model: "bedrock-openai/openai.gpt-oss-120b-1:0", api: "bedrock-chat" } as const;
    const { model, wires } = await opened({ status: 403, headers, body }, over);
    const error = await errorOf(model.ask(request));
    expect(error).toMatchObject({
      kind: "credentials",
      message: expect.stringContaining("aws bedrock-runtime converse"),
    });
    expect(wires).toHaveLength(1);
  });
});

import { afterEach, describe, expect, it } from "vitest";
import { errorOf, KEY, profile, request } from "../../test/servers/asking-fixture.ts";
import {
  closedBefore,
  closedWithin,
  type Fault,
  held,
  refusal,
  rubbish,
  serverError,
} from "../../test/servers/scripted-faults.ts";
import {
  type ScriptedServer,
  type ScriptedServerOptions,
  startScriptedServer,
} from "../../test/servers/scripted-openai.ts";
import type { ModelError } from "../core/errors.ts";
import { createOpenAiModel, type OpenAiModel } from "./openai.ts";

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

async function start(options: Partial<ScriptedServerOptions>): Promise<ScriptedServer> {
  server = await startScriptedServer({ answer: () => ({ text: "ok" }), ...options });
  return server;
}

async function failure(fault: Fault, model: Partial<OpenAiModel> = {}): Promise<ModelError> {
  const { url } = await start({ faults: { 1: fault } });
  const error = await errorOf(createOpenAiModel({ profile, baseUrl: url, apiKey: KEY, ...model }).ask(request));
  expect(server?.requests).toHaveLength(1);
  return error;
}

describe("a server that says nothing, or nothing sensible", () => {
  it("names the host where no connection can be made", async () => {
    const { url, close } = await start({});
    await close();
    const error = await errorOf(createOpenAiModel({ profile, baseUrl: url, apiKey: KEY }).ask(request));
    expect(error).toMatchObject({ kind: "unreachable", perhapsPaid: false });
    expect(error.message).toContain(`${new URL(url).host} (ECONNREFUSED)`);
  });

  it("counts a connection closed after the request as perhaps paid", async () => {
    expect(await failure(closedBefore())).toMatchObject({ kind: "unavailable", perhapsPaid: true });
    await server?.close();
    expect(await failure(closedWithin())).toMatchObject({ kind: "unavailable", perhapsPaid: true });
  });

  it("counts a time-out as perhaps paid", async () => {
    const { url } = await start({ faults: { 1: held(new Promise(() => {})) } });
    const model = createOpenAiModel({ profile, baseUrl: url, apiKey: KEY });
    const error = await errorOf(model.ask({ ...request, timeoutMs: 50 }));
    expect(error).toMatchObject({ kind: "timed_out", perhapsPaid: true });
  });

  it("takes a slow answer once it is released", async () => {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { url } = await start({ faults: { 1: held(released) } });
    const answer = createOpenAiModel({ profile, baseUrl: url }).ask(request);
    release();
    expect((await answer).text).toBe("ok");
  });

  it("rejects with the reason of an abort", async () => {
    const asked = new AbortController();
    const reason = new Error("cancelled by the user");
    const { url } = await start({
      answer: () => {
        asked.abort(reason);
        return new Promise(() => {});
      },
    });
    const answer = createOpenAiModel({ profile, baseUrl: url }).ask(request, asked.signal);
    await expect(answer).rejects.toBe(reason);
    await expect(createOpenAiModel({ profile, baseUrl: url }).ask(request, asked.signal)).rejects.toBe(reason);
    expect(server?.requests).toHaveLength(1);
  });

  it.each([
    ["a page", rubbish()],
    ["nothing", rubbish("")],
    ["JSON that is no completion", rubbish('{"object":"list"}')],
    ["no choices", rubbish('{"choices":[]}')],
    ["half an answer", rubbish('{"choices":[{"message":{"content":"ha')],
    ["an error without a status", rubbish('{"error":{"message":"upstream broke"}}')],
  ])("counts %s with a 200 as a broken answer, perhaps paid", async (_name, fault) => {
    expect(await failure(fault)).toMatchObject({ kind: "broken_answer", perhapsPaid: true });
  });

  it("reads a refusal that a gateway put into a 200", async () => {
    const error = { code: 429, message: "Provider is rate limited" };
    expect(await failure(rubbish(JSON.stringify({ error })))).toMatchObject({ kind: "rate_limited", status: 429 });
  });

  it("stops reading where a body has no end", async () => {
    const endless: typeof fetch = async () =>
      new Response(new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(16 * 1024 * 1024)) }));
    const error = await errorOf(createOpenAiModel({ profile, fetch: endless, apiKey: KEY }).ask(request));
    expect(error).toMatchObject({ kind: "broken_answer", perhapsPaid: true });
  });

  it("does not wait for a fetch that cannot be stopped", async () => {
    const deaf: typeof fetch = () => new Promise(() => {});
    const error = await errorOf(
      createOpenAiModel({ profile, fetch: deaf, apiKey: KEY }).ask({ ...request, timeoutMs: 20 }),
    );
    expect(error.kind).toBe("timed_out");
  });
});

describe("the key", () => {
  it("is in no error, although the server echoes it", async () => {
    const { url } = await start({ apiKey: "another" });
    const error = await errorOf(createOpenAiModel({ profile, baseUrl: url, apiKey: KEY }).ask(request));
    expect(error.kind).toBe("credentials");
    expect(error.message).toContain("Incorrect API key provided: [key]");
  });

  it.each([KEY, encodeURIComponent(KEY), "sk-proj-****6789", `Bearer ${KEY}`, JSON.stringify({ KEY })])(
    "is not shown when it comes back as %s",
    async (echo) => {
      for (const fault of [refusal(400, { message: `no: ${echo}` }), serverError(), rubbish(`got ${echo}`)]) {
        const { message } = await failure(fault);
        expect(message).not.toContain("6789");
        await server?.close();
      }
    },
  );

  it("is refused before it is sent when it has a line break within, and is not shown", async () => {
    expect(() => createOpenAiModel({ profile, apiKey: "sk-one\nsk-two" })).toThrow(/^The API key has characters/);
  });

  it("may end in a line break, as keys from files do", async () => {
    const { url } = await start({ apiKey: KEY });
    expect((await createOpenAiModel({ profile, baseUrl: url, apiKey: `${KEY}\n` }).ask(request)).text).toBe("ok");
  });
});

it("a base URL that is none is the user's to put right", () => {
  expect(() => createOpenAiModel({ profile, baseUrl: "localhost:8080" })).toThrow(/not an http or https address/);
});

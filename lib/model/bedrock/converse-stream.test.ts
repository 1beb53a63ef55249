/** Streams of Converse: frames as the AWS SDK writes them, read at any cut, and settled where they break off. */
import { describe, expect, it } from "vitest";
import { errorOf, profile, request } from "../../../test/servers/asking-fixture.ts";
import { converseAnswer } from "../../../test/servers/provider-examples.ts";
import { converseStream, frames } from "../../../test/servers/provider-streams.ts";
import type { Model } from "../../core/ports.ts";
import { createFrameReader } from "./frame-reader.ts";
import { openBedrock } from "./open-bedrock.ts";

const signerFor = async () => async () => ({ authorization: "AWS4-HMAC-SHA256 test" });
const STREAM = { "content-type": "application/vnd.amazon.eventstream" };

async function opened(bytes: Uint8Array, headers: Record<string, string> = STREAM) {
  const sent: { url: string; body: Record<string, unknown> }[] = [];
  const fetch = async (url: unknown, init?: RequestInit): Promise<Response> => {
    sent.push({ url: String(url), body: JSON.parse(String(init?.body)) });
    return new Response(Buffer.from(bytes), { headers });
  };
  const own = { ...profile, model: "bedrock/eu.anthropic.claude-opus-5", api: "converse" as const };
  const model: Model = await openBedrock(own, { region: "eu-west-1", signerFor, fetch });
  return { model, sent };
}

const EVENTS = converseStream(converseAnswer);

describe("a streamed answer of Converse", () => {
  it("is the answer that it sends whole", async () => {
    const streamed = await opened(frames(EVENTS));
    const { milliseconds: _, ...answer } = await streamed.model.ask(request);
    const whole = await opened(new TextEncoder().encode(JSON.stringify(converseAnswer)), {});
    expect(answer).toEqual({ ...(await whole.model.ask({ ...request, stream: false })), milliseconds: undefined });
    expect(streamed.sent[0]?.url).toMatch(/\/converse-stream$/);
    expect(streamed.sent[0]?.body).not.toHaveProperty("stream");
    expect(whole.sent[0]?.url).toMatch(/\/converse$/);
  });

  it("has the same events at each byte where it is cut", () => {
    const bytes = frames(EVENTS);
    const expected = EVENTS.map(([type, body]) => ({ type, data: JSON.stringify(body) }));
    for (let at = 0; at <= bytes.length; at += 1) {
      const reader = createFrameReader();
      const events = [bytes.subarray(0, at), bytes.subarray(at)].flatMap((part) => reader.read(part));
      expect(events).toEqual(expected);
    }
    const single = createFrameReader();
    // No part is kept: one that holds a byte would take a hundred.
    const part = new Uint8Array(1);
    expect([...bytes].flatMap((byte) => single.read(part.fill(byte)))).toEqual(expected);
  });

  it("that breaks off in the middle of a call is no answer, and is settled at what was received", async () => {
    const stop = EVENTS.findIndex(
      ([type, { delta }]) => type === "contentBlockDelta" && "toolUse" in (delta as object),
    );
    const { model } = await opened(frames(EVENTS.slice(0, stop + 1)));
    const error = await errorOf(model.ask(request));
    expect(error).toMatchObject({ kind: "unavailable", perhapsPaid: true });
    expect(error.received).toContain("Looking.");
  });

  it.each([
    ["throttlingException", "rate_limited"],
    ["modelStreamErrorException", "unavailable"],
    ["validationException", "refused"],
  ])("that ends in a %s is that refusal, paid for as far as it went", async (name, kind) => {
    const exception = frames([[name, { message: "Something happened." }]], "exception");
    const begun = await opened(Buffer.concat([frames(EVENTS.slice(0, 6)), exception]));
    const broken = await errorOf(begun.model.ask(request));
    expect(broken).toMatchObject({ kind, perhapsPaid: true, message: expect.stringContaining("Something happened.") });
    expect(broken.received).not.toBe("");
    const refused = await errorOf((await opened(exception)).model.ask(request));
    expect(refused).toMatchObject({ kind, received: undefined });
  });

  it("with a damaged frame, or a length that none has, ends there", async () => {
    const bytes = Buffer.from(frames(EVENTS));
    const damaged = Buffer.from(bytes);
    damaged[60] = (damaged[60] ?? 0) ^ 1;
    const huge = Buffer.concat([Uint8Array.of(0xff, 0xff, 0xff, 0xff), bytes]);
    for (const body of [damaged, huge, Buffer.from("not a frame at all")]) {
      const error = await errorOf((await opened(body)).model.ask(request));
      expect(error).toMatchObject({ kind: "unavailable", perhapsPaid: true });
    }
  });
});

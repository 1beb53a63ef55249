import { describe, expect, it } from "vitest";
import { answerOf } from "./gateway-answer.ts";
import { type EventParts, eventOf } from "./gateway-event.ts";

const route = { resourcePath: "/", method: "ANY", authorization: "NONE", functionArn: "arn:it", timeoutMs: 1 } as const;
const anEvent = (parts: Partial<EventParts>) =>
  eventOf({
    ...{ method: "POST", path: "/", query: "", rawHeaders: [], body: Buffer.alloc(0), sourceIp: "127.0.0.1" },
    ...{ match: { route, parameters: null }, principal: undefined, binaryMediaTypes: [] },
    setting: { requestId: "r", stage: "v1", domainName: "api.example", apiId: "a", accountId: "1", now: 0 },
    ...parts,
  });

describe("the event of a request", () => {
  it("has a body as text where its type is not binary", () => {
    const body = Buffer.from("長");
    expect(anEvent({ body })).toMatchObject({ body: "長", isBase64Encoded: false });
    const rawHeaders = ["Content-Type", "Application/Zip; x=1"];
    const binary = anEvent({ body, rawHeaders, binaryMediaTypes: ["application/zip"] });
    expect(binary).toMatchObject({ body: body.toString("base64"), isBase64Encoded: true });
  });

  it("has headers as they were written, the last of each name alone, and not the signature", () => {
    const rawHeaders = ["X-A", "1", "X-A", "2", "authorization", "AWS4-HMAC-SHA256 …"];
    expect(anEvent({ rawHeaders })).toMatchObject({
      headers: { "X-A": "2" },
      multiValueHeaders: { "X-A": ["1", "2"] },
    });
    expect(Object.keys(anEvent({ rawHeaders }).headers)).toEqual(["X-A"]);
  });

  it("names no caller for a request that need not be signed", () => {
    expect(anEvent({}).requestContext.identity).toMatchObject({ userArn: null, caller: null, accessKey: null });
  });
});

describe("the answer of a function", () => {
  const invoked = (answer: unknown) => ({ payload: JSON.stringify(answer), requestId: "r", millis: 1 });
  const said = { statusCode: 200, body: Buffer.from([255]).toString("base64"), isBase64Encoded: true };

  it("is decoded only for who accepts such bytes first", () => {
    const bytes = (accept: string | undefined, binaryMediaTypes: string[]) =>
      answerOf(invoked(said), { accept, binaryMediaTypes })?.body;
    expect(bytes(undefined, ["*/*"])).toEqual(Buffer.from([255]));
    expect(bytes("application/zip, text/html", ["application/zip"])).toEqual(Buffer.from([255]));
    expect(bytes("text/html, application/zip", ["application/zip"])).toEqual(Buffer.from("/w=="));
  });

  it("is none where the function failed, whatever it says", () => {
    const failed = { ...invoked(said), functionError: "Unhandled" as const };
    expect(answerOf(failed, { accept: undefined, binaryMediaTypes: [] })).toBeUndefined();
  });
});

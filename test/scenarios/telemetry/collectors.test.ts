/** Collectors that answer badly: a run ends as it would without them, with one warning that shows no secret. */
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readTelemetry } from "../../../packages/telemetry/settings.ts";
import { aSubmission, compute } from "../../doubles/machines.ts";
import { openedMachines } from "../../doubles/opened-machines.ts";
import { scriptedModel, writerOf } from "../../doubles/scripted-model.ts";
import { type Collector, startCollector } from "../../servers/collector.ts";

const { opened } = openedMachines();
const KEY = "a-key-of-the-collector";
let collector: Collector;
beforeEach(async () => {
  collector = await startCollector();
});
afterEach(() => collector.close());

/** What a run says that sends its spans there. */
async function warningsOf(env: Record<string, string> = {}, url = collector.url): Promise<string[]> {
  const said: string[] = [];
  const machine = opened({
    model: scriptedModel(writerOf(1, () => [{ path: "a.txt", content: "x\n" }])),
    telemetry: readTelemetry({ OTEL_EXPORTER_OTLP_HEADERS: `x-key=${KEY}`, ...env }, url),
    announce: (text) => said.push(text),
  });
  const run = await compute(machine, await aSubmission({}));
  expect(run.status).toBe("completed");
  const stored = JSON.stringify(await machine.registry.events(run.id, { after: 0, limit: 999 }));
  expect([stored, said.join()].filter((text) => text.includes(KEY))).toEqual([]);
  return said;
}

const NEVER = (): void => {};
const partly = (response: ServerResponse) =>
  response.writeHead(200).end('{"partialSuccess":{"rejectedSpans":"3","errorMessage":"no"}}');

describe("a run whose collector", () => {
  it("takes the spans gets them, with the headers, and says nothing", async () => {
    expect(await warningsOf()).toEqual([]);
    expect(collector.received.map(({ path, headers }) => [path, headers["x-key"], headers["content-type"]])).toEqual([
      ["/v1/traces", KEY, "application/json"],
    ]);
  });

  it("is to get Protocol Buffers gets JSON, of every run, which one line says once", async () => {
    expect(await warningsOf({ OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf" })).toEqual([
      "Spans are sent as JSON (http/json), not as http/protobuf.",
    ]);
    expect(collector.received.map(({ headers }) => headers["content-type"])).toEqual(["application/json"]);
  });

  it.each<[string, (response: ServerResponse) => void, RegExp, Record<string, string>?]>([
    ["never answers", NEVER, /it did not answer in time/, { OTEL_EXPORTER_OTLP_TIMEOUT: "300" }],
    ["answers 503", (response) => response.writeHead(503, { "retry-after": "9999999999" }).end(), /it answered 503/],
    [
      "answers 429 with a strange pause",
      (response) => response.writeHead(429, { "retry-after": "-1, x" }).end(),
      /429/,
    ],
    ["answers 401", (response) => response.writeHead(401).end(KEY), /it answered 401/],
    ["answers 400", (response) => response.writeHead(400).end(KEY), /it answered 400/],
    ["sends it elsewhere", (response) => response.writeHead(307, { location: `/${KEY}` }).end(), /redirects are not/],
    ["rejects some", partly, /it rejected 3 of \d+ spans/],
    ["breaks the connection", (response) => response.destroy(), /cannot be reached|UND_ERR|ECONNRESET/],
  ])("%s ends as any other, with one warning", async (_name, answer, message, env) => {
    collector.answer(answer);
    expect(await warningsOf(env)).toEqual([expect.stringMatching(message)]);
    // The headers went nowhere else.
    expect(new Set(collector.received.map(({ path }) => path))).toEqual(new Set(["/v1/traces"]));
  });

  it("answers with a flood, or with noise, is believed to have taken them", async () => {
    const flood = Buffer.alloc(1 << 20, 0x20);
    for (const body of [flood, Buffer.from([0xff]), '{"partialSuccess":{"rejectedSpans":"x"}']) {
      collector.answer((response) => response.writeHead(200).end(body));
      expect(await warningsOf()).toEqual([]);
    }
  });

  it("is not there, or is not understood, is named in one line", async () => {
    const { url } = collector;
    await collector.close();
    expect(await warningsOf({}, url)).toEqual([expect.stringMatching(/^Spans were not taken .*ECONNREFUSED/)]);
    collector = await startCollector();
    expect(await warningsOf({ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" })).toEqual([
      expect.stringMatching(/^No spans are sent: OTEL_EXPORTER_OTLP_PROTOCOL/),
    ]);
    expect(collector.received).toEqual([]);
  });
});

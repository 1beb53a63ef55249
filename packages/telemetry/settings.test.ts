import { describe, expect, it } from "vitest";
import { readTelemetry } from "./settings.ts";

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example:4318/base/" };

describe("where spans go", () => {
  it("is nowhere unless an endpoint is named", () => {
    expect(readTelemetry({})).toBeUndefined();
    expect(readTelemetry({ OTEL_SERVICE_NAME: "x", OTEL_EXPORTER_OTLP_HEADERS: "a=b" })).toBeUndefined();
    expect(readTelemetry({ ...ENDPOINT, OTEL_SDK_DISABLED: "TRUE" })).toBeUndefined();
    expect(readTelemetry({ ...ENDPOINT, OTEL_TRACES_EXPORTER: "none" })).toBeUndefined();
  });

  it("is what the standard variables say, those of traces before the others, and the flag before all", () => {
    expect(readTelemetry(ENDPOINT)).toEqual({
      ...{ url: "https://collector.example:4318/base/v1/traces", host: "collector.example:4318" },
      ...{ headers: {}, gzip: false, timeoutMs: 10_000 },
      resource: { "service.name": "l2mac" },
    });
    const traces = {
      ...{
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://localhost:9/whole",
        OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
      },
      ...{ OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json", OTEL_EXPORTER_OTLP_COMPRESSION: "gzip" },
      ...{
        OTEL_EXPORTER_OTLP_TIMEOUT: "2500",
        OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Bearer%20k%2C1, x-team = a=b ",
      },
      ...{ OTEL_SERVICE_NAME: "builds", OTEL_RESOURCE_ATTRIBUTES: "team=%C3%BC,service.name=other" },
    };
    expect(readTelemetry({ ...ENDPOINT, ...traces })).toEqual({
      ...{ url: "http://localhost:9/whole", host: "localhost:9", gzip: true, timeoutMs: 2_500 },
      headers: { authorization: "Bearer k,1", "x-team": "a=b" },
      resource: { team: "ü", "service.name": "builds" },
    });
    expect(readTelemetry({ ...ENDPOINT, ...traces }, "http://[::1]:4318")).toMatchObject({
      url: "http://[::1]:4318/v1/traces",
    });
  });

  it("gets JSON also where Protocol Buffers are asked for, and says so", () => {
    expect(readTelemetry({ ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf" })).toMatchObject({
      ...{ host: "collector.example:4318", note: "Spans are sent as JSON (http/json), not as http/protobuf." },
    });
  });

  it("keeps credentials of the URL for a header", () => {
    const target = readTelemetry({}, "https://me:p%40ss@collector.example/?tenant=1#x");
    expect(target).toMatchObject({
      ...{ url: "https://collector.example/v1/traces?tenant=1", host: "collector.example" },
      headers: { authorization: `Basic ${Buffer.from("me:p@ss").toString("base64")}` },
    });
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:secret" }, /no http or https URL/],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "file:///secret" }, /no http or https URL/],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, /must be http\/json/],
    [{ OTEL_EXPORTER_OTLP_COMPRESSION: "zstd" }, /gzip or none/],
    [{ OTEL_EXPORTER_OTLP_TIMEOUT: "soon" }, /milliseconds/],
    [{ OTEL_EXPORTER_OTLP_CERTIFICATE: "/secret.pem" }, /CERTIFICATE is not supported/],
    [{ OTEL_EXPORTER_OTLP_HEADERS: "secret" }, /no list of headers/],
    [{ OTEL_EXPORTER_OTLP_HEADERS: "a=%zz-secret" }, /no list of headers/],
    [{ OTEL_EXPORTER_OTLP_HEADERS: "x-key=secret%0Ax: y" }, /the value of x-key is wrong/],
    [{ OTEL_EXPORTER_OTLP_HEADERS: "se cret=1" }, /a name is wrong/],
    [{ OTEL_TRACES_EXPORTER: "console" }, /OTEL_TRACES_EXPORTER/],
  ])("is refused in a line that shows no value: %j", (wrong, message) => {
    const read = readTelemetry({ ...ENDPOINT, ...wrong });
    expect(read).toEqual({ refused: expect.stringMatching(message) });
    expect(JSON.stringify(read)).not.toMatch(/secret|se cret/);
  });

  it("says so where the flag names it and a variable switches it off", () => {
    expect(readTelemetry({ OTEL_SDK_DISABLED: "true" }, "http://c.example")).toEqual({
      refused: "OTEL_SDK_DISABLED is true",
    });
  });
});

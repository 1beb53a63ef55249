/** Where spans go: OpenTelemetry's standard variables, and `--otel`, which names the endpoint. Pure. */
import type { Attributes } from "./otlp.ts";

export interface SpanTarget {
  /** Without credentials: those are a header. */
  url: string;
  /** For messages. The rest of the URL may be a secret, as the headers are. */
  host: string;
  headers: Readonly<Record<string, string>>;
  gzip: boolean;
  timeoutMs: number;
  resource: Attributes;
  /** What is sent otherwise than the variables ask for. */
  note?: string;
}

const JSON_PROTOCOL = "http/json";
/** Collectors take both encodings of OTLP over HTTP at one address. */
const PROTOCOLS = [JSON_PROTOCOL, "http/protobuf"];

/** `refused`: why no spans are sent though they are asked for, in a line without values that may be secret. */
export type Telemetry = SpanTarget | { refused: string };

type Environment = Readonly<Record<string, string | undefined>>;

/** As the specification of OTLP exporters says. */
const TIMEOUT_MS = 10_000;
const LONGEST_TIMEOUT_MS = 600_000;
const SERVICE = "l2mac";

/** Undefined: nothing is asked for. `otel`: the endpoint as the flag or a configuration file names it. */
export function readTelemetry(env: Environment, otel?: string): Telemetry | undefined {
  const of = (name: string): string | undefined =>
    env[`OTEL_EXPORTER_OTLP_TRACES_${name}`]?.trim() || env[`OTEL_EXPORTER_OTLP_${name}`]?.trim() || undefined;
  const endpoint = otel ?? of("ENDPOINT");
  if (endpoint === undefined) return undefined;
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === "true")
    return otel === undefined ? undefined : { refused: "OTEL_SDK_DISABLED is true" };
  const exporters = (env.OTEL_TRACES_EXPORTER?.trim() || "otlp").split(",").map((each) => each.trim());
  if (exporters.includes("none")) return undefined;
  if (!exporters.includes("otlp")) return { refused: "OTEL_TRACES_EXPORTER names no exporter but otlp that l2mac has" };
  const isWhole = otel === undefined && Boolean(env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?.trim());
  return targetOf({ of, env, url: urlOf(endpoint, isWhole) });
}

interface Parts {
  of: (name: string) => string | undefined;
  env: Environment;
  url: URL | undefined;
}

function targetOf({ of, env, url }: Parts): Telemetry {
  if (!url) return { refused: "the endpoint is no http or https URL" };
  const protocol = of("PROTOCOL") ?? JSON_PROTOCOL;
  if (!PROTOCOLS.includes(protocol))
    return { refused: `OTEL_EXPORTER_OTLP_PROTOCOL must be ${JSON_PROTOCOL}, to port 4318 of most collectors` };
  const compression = of("COMPRESSION") ?? "none";
  if (!["none", "gzip"].includes(compression))
    return { refused: "OTEL_EXPORTER_OTLP_COMPRESSION must be gzip or none" };
  const own = ["CERTIFICATE", "CLIENT_CERTIFICATE", "CLIENT_KEY"].find((name) => of(name) !== undefined);
  if (own) return { refused: `OTEL_EXPORTER_OTLP_${own} is not supported; NODE_EXTRA_CA_CERTS adds an authority` };
  const timeoutMs = Number(of("TIMEOUT") ?? TIMEOUT_MS);
  if (!(timeoutMs > 0 && timeoutMs <= LONGEST_TIMEOUT_MS))
    return { refused: "OTEL_EXPORTER_OTLP_TIMEOUT must be a number of milliseconds" };
  const given = readPairs(of("HEADERS"));
  const wrong = given && wrongHeader(given);
  if (!given || wrong !== undefined)
    return { refused: `OTEL_EXPORTER_OTLP_HEADERS is no list of headers, name=value,…${wrong ? ` (${wrong})` : ""}` };
  const named = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]);
  const headers: Record<string, string> = { ...credentialsOf(url), ...Object.fromEntries(named) };
  url.username = "";
  url.password = "";
  return {
    url: url.href,
    host: url.host,
    headers,
    timeoutMs,
    gzip: compression === "gzip",
    resource: readResource(env),
    ...(protocol === JSON_PROTOCOL ? {} : { note: `Spans are sent as JSON (${JSON_PROTOCOL}), not as ${protocol}.` }),
  };
}

/** A base URL gets the path of traces; that of traces alone is used as it is. */
function urlOf(text: string, isWhole: boolean): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol)) return undefined;
  url.hash = "";
  if (!isWhole) url.pathname = `${url.pathname.replace(/\/$/, "")}/v1/traces`;
  return url;
}

function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === "" && password === "") return {};
  const pair = `${decoded(username) ?? username}:${decoded(password) ?? password}`;
  return { authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
}

/** `name=value,…`, with values percent-encoded. Undefined: it is no such list. */
function readPairs(text: string | undefined): Record<string, string> | undefined {
  const pairs: [string, string][] = [];
  for (const pair of (text ?? "").split(",")) {
    if (pair.trim() === "") continue;
    const at = pair.indexOf("=");
    const value = decoded(pair.slice(at + 1).trim());
    if (at < 1 || value === undefined) return undefined;
    pairs.push([pair.slice(0, at).trim(), value]);
  }
  return Object.fromEntries(pairs);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The name of a header that HTTP does not take; the value is not named. */
function wrongHeader(headers: Record<string, string>): string | undefined {
  const isName = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]{1,200}$/.test(name);
  for (const [name, value] of Object.entries(headers)) {
    if (!isName(name)) return "a name is wrong";
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) return `the value of ${name} is wrong`;
  }
  return undefined;
}

/** A list that is wrong counts as empty, as the specification says. */
export function readResource(env: Environment): Attributes {
  const given = readPairs(env.OTEL_RESOURCE_ATTRIBUTES) ?? {};
  return { ...given, "service.name": env.OTEL_SERVICE_NAME?.trim() || given["service.name"] || SERVICE };
}

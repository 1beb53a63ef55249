/** Where a model server is: what its base URL says about path, query, host, and whether it is this computer. Pure. */

export interface Endpoint {
  /** Without query and trailing slash: `/chat/completions` is appended. */
  baseUrl: string;
  query: Record<string, string>;
  /** For messages: no path, no credentials. */
  host: string;
  /** Azure wants the key in a header of its own. */
  azure: boolean;
}

export const OPENAI_BASE_URL = "https://api.openai.com/v1";

/** Undefined where the base URL is not one. */
export function endpointOf(asked: { baseUrl?: string; apiVersion?: string; model: string }): Endpoint | undefined {
  const url = httpUrl(asked.baseUrl ?? OPENAI_BASE_URL);
  if (!url) return undefined;
  if (asked.apiVersion) url.searchParams.set("api-version", asked.apiVersion);
  const azure = url.searchParams.has("api-version") || AZURE_HOST.test(url.hostname);
  const query = Object.fromEntries(url.searchParams);
  const path = url.pathname.replace(/(?<!\/)\/+$/, "").replace(/\/chat\/completions$/, "");
  const whole = path || (azure ? azurePath(url, asked.model) : "/v1");
  return { baseUrl: `${url.origin}${whole}`, query, host: url.host, azure };
}

/** The URL of a server, without credentials in it; undefined where it is not http(s). */
export function httpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") return undefined;
  url.username = "";
  url.password = "";
  url.hash = "";
  return url;
}

const AZURE_HOST = /\.(openai\.azure\.com|cognitiveservices\.azure\.com|services\.ai\.azure\.com|azure-api\.net)$/;

const azurePath = (url: URL, model: string): string =>
  url.searchParams.has("api-version") ? `/openai/deployments/${encodeURIComponent(model)}` : "/openai/v1";

/** This computer: calls cost nothing, and need no key. */
export function isLoopback(baseUrl: string): boolean {
  const host = hostOf(baseUrl);
  return host === "localhost" || host.endsWith(".localhost") || /^(127(\.\d+){3}|0\.0\.0\.0|\[::1\])$/.test(host);
}

/** This computer or its own network: it may be asked what it is. */
export function isNearby(baseUrl: string): boolean {
  const host = hostOf(baseUrl);
  if (host === "") return false;
  return (
    isLoopback(baseUrl) ||
    PRIVATE_ADDRESS.test(host) ||
    /\.(local|internal|lan)$/.test(host) ||
    /^[a-z0-9-]+$/.test(host)
  );
}

const PRIVATE_ADDRESS = /^((10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))(\.\d+){2,3}$|\[(f[cd][0-9a-f]{2}|fe80):)/;

const hostOf = (baseUrl: string): string => httpUrl(baseUrl)?.hostname ?? "";

/** The pages of registries, which name where packages are: every such address is exchanged for another. Pure. */

/** `address`: what the page names, relative to itself or not. */
export type Exchange = (address: string) => string;

export function exchangedPage(text: string, kind: "pip" | "npm", exchange: Exchange): string {
  const isJson = /^\s*\{/.test(text);
  if (isJson) return JSON.stringify(exchangedJson(JSON.parse(text), exchange));
  return kind === "pip" ? exchangedLinks(text, exchange) : text;
}

/** Where a page says what its links begin with, that counts. */
function exchangedLinks(text: string, exchange: Exchange): string {
  const base = /<base\s[^<>]{0,2000}?href\s*=\s*["']([^"']*)["']/i.exec(text)?.[1];
  return text
    .replace(/<base\s[^<>]*>/gi, "")
    .replace(/\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi, (_, double?: string, single?: string) => {
      const written = (double ?? single ?? "").replaceAll("&amp;", "&").trim();
      const whole = base && URL.canParse(written, base) ? new URL(written, base).href : written;
      return ` href="${exchange(whole).replaceAll("&", "&amp;").replaceAll('"', "%22")}"`;
    });
}

function exchangedJson(page: unknown, exchange: Exchange): unknown {
  if (!isRecord(page)) return page;
  const files = Array.isArray(page.files)
    ? page.files.map((file) =>
        isRecord(file) && typeof file.url === "string" ? exchanged(file, "url", exchange) : file,
      )
    : undefined;
  const versions = isRecord(page.versions)
    ? Object.fromEntries(Object.entries(page.versions).map(([name, one]) => [name, withTarball(one, exchange)]))
    : undefined;
  const own = withTarball(page, exchange);
  return { ...(isRecord(own) ? own : {}), ...(files ? { files } : {}), ...(versions ? { versions } : {}) };
}

function withTarball(version: unknown, exchange: Exchange): unknown {
  if (!isRecord(version) || !isRecord(version.dist) || typeof version.dist.tarball !== "string") return version;
  return { ...version, dist: exchanged(version.dist, "tarball", exchange) };
}

const exchanged = (from: Record<string, unknown>, key: string, exchange: Exchange): Record<string, unknown> => ({
  ...from,
  [key]: exchange(String(from[key])),
});

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

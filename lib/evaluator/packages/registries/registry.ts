/** A registry as this computer reaches it: its address, its credentials, and the way there. */
import { readFileSync, statSync } from "node:fs";
import { getCACertificates } from "node:tls";

export interface Registry {
  /** Without credentials. */
  address: string;
  /** Its pages name where packages are. "plain": what it answers names no addresses. */
  pages: "pip" | "npm" | "plain";
  credentials: Credentials[];
  way: Way;
  /** Paths of what never changes there, whatever its server says. */
  lasting?: RegExp;
}

export interface Credentials {
  /** They go to addresses that begin so, and to no others. */
  below: string;
  authorization: string;
}

export interface Way {
  /** HTTP_PROXY, HTTPS_PROXY, NO_PROXY. */
  proxy: Record<string, string>;
  /** Certificates of authorities, or files with such. */
  authorities: string[];
  certificate?: string;
  key?: string;
  /** Hosts whose certificates are not checked; "*": all. */
  unchecked: string[];
}

/** What an installer fetches from, and its settings once that has other addresses. */
export interface InstallerRegistries {
  registries: Registry[];
  env(addressOf: (address: string) => string): Record<string, string>;
}

type Env = Readonly<Record<string, string>>;

const settingOf = (env: Env, name: string): string | undefined => env[name] ?? env[name.toLowerCase()];

/** As programs in general are set up. */
export function commonWay(env: Env): Way {
  const all = settingOf(env, "ALL_PROXY") ?? "";
  const proxy = {
    HTTP_PROXY: settingOf(env, "HTTP_PROXY") ?? all,
    HTTPS_PROXY: settingOf(env, "HTTPS_PROXY") ?? all,
    NO_PROXY: settingOf(env, "NO_PROXY") ?? "",
  };
  const files = ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"];
  const authorities = files.flatMap((name) => settingOf(env, name) ?? []);
  return { proxy, authorities, unchecked: [] };
}

/** The address without the user and password in it, which are its credentials. */
export function withoutUser(written: string): { address: string; credentials: Credentials[] } {
  const url = new URL(written);
  const [user = "", password = ""] = [url.username, url.password].map(decodeURIComponent);
  url.username = "";
  url.password = "";
  const credentials =
    user === "" && password === "" ? [] : [{ below: `${url.origin}/`, authorization: basic(user, password) }];
  return { address: url.href, credentials };
}

export const isHttp = (written: string): boolean => /^https?:\/\//i.test(written) && URL.canParse(written);

/** The text of a certificate or key: some settings hold it, some name its file. */
export function pemOf(value: string): string {
  if (value.includes("-----BEGIN")) return value.replaceAll("\\n", "\n");
  return statSync(value, { throwIfNoEntry: false })?.isFile() ? readFileSync(value, "utf8") : "";
}

export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;

/** What is set up comes on top of what this computer and Node trust. */
export function authoritiesOf({ authorities }: Way): string[] {
  const own = authorities.map(pemOf).filter((text) => text !== "");
  return [...getCACertificates("default"), ...getCACertificates("system"), ...own];
}

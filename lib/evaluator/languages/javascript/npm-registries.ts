/** The registries that npm is set up to fetch from. Pure. */
import {
  basic,
  type Credentials,
  commonWay,
  type InstallerRegistries,
  isHttp,
  type Registry,
  type Way,
  withoutUser,
} from "../../packages/registries/registry.ts";

const NPMJS = "https://registry.npmjs.org/";
/** The registry of everything, or of a scope. */
const ADDRESS = /^npm_config_(?:@[\w.-]+:)?registry$/;
const OWN = /^npm_config_(\/\/.*):(_authToken|_auth|username|_password|certfile|keyfile)$/;

export function npmRegistries(settings: Record<string, string>): InstallerRegistries {
  const env: Record<string, string> = { npm_config_registry: NPMJS, ...settings };
  const named = Object.entries(env).filter(([name, value]) => ADDRESS.test(name) && isHttp(value));
  const registries = new Map<string, Registry>();
  for (const [, written] of named) {
    const { address, credentials } = withoutUser(written);
    const own = [...ownCredentials(address, env), ...credentials];
    registries.set(address, { address, credentials: own, pages: "npm", way: wayOf(address, env) });
  }
  return {
    registries: [...registries.values()],
    env: (addressOf) =>
      Object.fromEntries(named.map(([name, written]) => [name, addressOf(withoutUser(written).address)])),
  };
}

/** What is set for `//host/path/`, for the longest such beginning of an address. */
function ownSettings(address: string, env: Record<string, string>): { place: string; values: Map<string, string> } {
  const rest = address.replace(/^https?:/, "").replace(/\/?$/, "/");
  const found = Object.entries(env).flatMap(([name, value]) => {
    const [, place = "", key = ""] = OWN.exec(name) ?? [];
    return place !== "" && rest.startsWith(place.replace(/\/?$/, "/")) ? [{ place, key, value }] : [];
  });
  const place = found.map((one) => one.place).toSorted((one, other) => other.length - one.length)[0] ?? "";
  return { place, values: new Map(found.filter((one) => one.place === place).map(({ key, value }) => [key, value])) };
}

function ownCredentials(address: string, env: Record<string, string>): Credentials[] {
  const { place, values } = ownSettings(address, env);
  const below = `${new URL(address).protocol}${place.replace(/\/?$/, "/")}`;
  const [token, plain, user, password] = ["_authToken", "_auth", "username", "_password"].map((key) => values.get(key));
  if (token) return [{ below, authorization: `Bearer ${token}` }];
  if (plain) return [{ below, authorization: `Basic ${plain}` }];
  if (!user || !password) return [];
  return [{ below, authorization: basic(user, Buffer.from(password, "base64").toString()) }];
}

function wayOf(address: string, env: Record<string, string>): Way {
  const common = commonWay(env);
  const of = (name: string): string => env[`npm_config_${name}`] ?? "";
  const { values } = ownSettings(address, env);
  const certificate = values.get("certfile") ?? of("cert");
  const key = values.get("keyfile") ?? of("key");
  return {
    proxy: {
      HTTP_PROXY: of("proxy") || (common.proxy.HTTP_PROXY ?? ""),
      HTTPS_PROXY: of("https_proxy") || of("proxy") || (common.proxy.HTTPS_PROXY ?? ""),
      NO_PROXY: of("noproxy") || (common.proxy.NO_PROXY ?? ""),
    },
    authorities: [...common.authorities, of("cafile"), of("ca")].filter((one) => one !== ""),
    unchecked: of("strict_ssl") === "false" ? ["*"] : [],
    ...(certificate ? { certificate } : {}),
    ...(key ? { key } : {}),
  };
}

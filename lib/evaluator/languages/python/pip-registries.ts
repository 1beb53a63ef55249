/** The indexes that pip is set up to fetch from. Pure. */
import {
  commonWay,
  type InstallerRegistries,
  isHttp,
  type Registry,
  type Way,
  withoutUser,
} from "../../packages/registries/registry.ts";

const LISTS = ["PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS"];
const KEPT = [...LISTS, "PIP_NO_INDEX", "PIP_PREFER_BINARY", "PIP_PRE"];
const PYPI = "https://pypi.org/simple";

export function pipRegistries(settings: Record<string, string>): InstallerRegistries {
  const env: Record<string, string> = { PIP_INDEX_URL: PYPI, ...settings };
  const way = wayOf(env);
  const known = new Map<string, Registry>();
  for (const written of LISTS.flatMap((name) => wordsOf(env[name])).filter(isHttp)) {
    const { address, credentials } = withoutUser(written);
    if (!known.has(address)) known.set(address, { address, credentials, pages: "pip", way });
  }
  return {
    registries: [...known.values()],
    env: (addressOf) =>
      Object.fromEntries(
        KEPT.flatMap((name) => {
          const words = wordsOf(env[name]).map((one) => (isHttp(one) ? addressOf(withoutUser(one).address) : one));
          return words.length > 0 ? [[name, words.join(" ")] as const] : [];
        }),
      ),
  };
}

const wordsOf = (value = ""): string[] => value.split(/\s+/).filter((word) => word !== "");

function wayOf(env: Record<string, string>): Way {
  const common = commonWay(env);
  const { PIP_PROXY: proxy, PIP_CERT: own, PIP_CLIENT_CERT: certificate } = env;
  return {
    proxy: proxy ? { ...common.proxy, HTTP_PROXY: proxy, HTTPS_PROXY: proxy } : common.proxy,
    authorities: [...common.authorities, ...(own ? [own] : [])],
    unchecked: wordsOf(env.PIP_TRUSTED_HOST),
    ...(certificate ? { certificate } : {}),
  };
}

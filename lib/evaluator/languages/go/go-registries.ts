/** The module proxies that Go is set up to fetch from, and its database of checksums. Pure. */
import {
  commonWay,
  type InstallerRegistries,
  isHttp,
  type Registry,
  withoutUser,
} from "../../packages/registries/registry.ts";

const CHECKSUMS = "https://sum.golang.org";
/** A version of a module; `list` and `@latest` change. */
const VERSION = /\/@v\/[^/]+\.(?:info|mod|zip)$/;

export function goRegistries(env: Record<string, string>): InstallerRegistries {
  const way = commonWay(env);
  const { GOPROXY = "off", GOSUMDB = "sum.golang.org", GONOSUMDB } = env;
  // `name`, `name+key`, or either with an address after it.
  const [database = "", ...more] = GOSUMDB.split(" ");
  const place = more[0] ?? (database === "off" ? "" : `https://${database.split("+", 1)[0]}`);
  const checksums = place === "" || isHttp(place) ? place : CHECKSUMS;
  const known = new Map<string, Registry>();
  for (const written of [...GOPROXY.split(/[,|]/), checksums].filter(isHttp)) {
    const { address, credentials } = withoutUser(written);
    known.set(address, { address, credentials, pages: "plain", way, lasting: VERSION });
  }
  return {
    registries: [...known.values()],
    env: (addressOf) => {
      const exchanged = (written: string): string =>
        isHttp(written) ? addressOf(withoutUser(written).address).replace(/\/$/, "") : written;
      return {
        ...(GONOSUMDB ? { GONOSUMDB } : {}),
        GOPROXY: GOPROXY.replace(/[^,|]+/g, exchanged),
        GOSUMDB: checksums === "" ? database : `${database} ${exchanged(checksums)}`,
      };
    },
  };
}

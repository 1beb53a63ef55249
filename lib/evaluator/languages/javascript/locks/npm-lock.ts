/** Lock files of npm: what may be followed of one, without the addresses in it. Pure. */
import { NODE_NAME, NODE_VERSION, objectIn, objectOf } from "../node-requirements.ts";

const NAME_OF = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/;
const KEPT = [
  ...["version", "name", "integrity", "link", "dev", "optional", "devOptional", "peer", "inBundle", "bundled"],
  ...["dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "peerDependenciesMeta"],
  ...["bundleDependencies", "bin", "engines", "os", "cpu", "libc", "hasInstallScript", "workspaces"],
];

/**
 * With versions and checksums, and no addresses: npm fetches each package from its registry. Undefined: it is none, or
 * asks for something that does not come from a registry.
 */
export function followedLock(text: string, members: string[]): object | undefined {
  const lock = objectIn(text);
  const packages = objectOf(lock?.packages);
  if (!packages || !(Number(lock?.lockfileVersion) >= 2)) return undefined;
  const folders = new Set(members);
  const kept: Record<string, object> = {};
  for (const [path, value] of Object.entries(packages)) {
    const entry = objectOf(value);
    if (!entry || path === "__proto__") return undefined;
    const found = path === "" || folders.has(path) ? entryOf(entry) : packageEntry(path, entry, folders);
    if (!found) return undefined;
    kept[path] = found;
  }
  return { name: lock?.name, version: lock?.version, lockfileVersion: 3, requires: true, packages: kept };
}

const entryOf = (entry: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(entry).filter(([name]) => KEPT.includes(name)));

function packageEntry(path: string, entry: Record<string, unknown>, folders: Set<string>): object | undefined {
  const { resolved, version, link, name = NAME_OF.exec(path)?.[1] } = entry;
  if (link === true)
    return typeof resolved === "string" && folders.has(resolved) ? { resolved, link: true } : undefined;
  const isPlain =
    typeof name === "string" &&
    NODE_NAME.test(name) &&
    typeof version === "string" &&
    NODE_VERSION.test(version) &&
    (resolved === undefined || (typeof resolved === "string" && /^https?:\/\/[^?#]*\.tgz$/.test(resolved)));
  return isPlain && !path.split("/").includes("..") ? entryOf(entry) : undefined;
}

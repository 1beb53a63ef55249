/** What a package-lock.json says that is not so. It is not followed: packages come by the manifest. Pure. */
import * as z from "zod";
import type { Finding } from "../../core/verdict/verdict.ts";
import { findings, hostOf } from "./lock-findings.ts";
import { withoutCredentials } from "./said-by.ts";

export interface NodeLock {
  text: string;
  /** Every name that package.json asks for. */
  declared: string[];
  /** Addresses of registries that are set up here. */
  registries: string[];
  /** The checksum of what was installed, by `name@version`. */
  installed?: Map<string, string>;
}

export function nodeLockFindings(lock: NodeLock): Finding[] {
  const packages = packagesIn(lock.text);
  if (!packages) return findings("package-lock.json", ["is no lock file that can be read."]);
  const hosts = new Set([...KNOWN_HOSTS, ...lock.registries.flatMap((address) => hostOf(address) ?? [])]);
  const declared = new Set(lock.declared);
  const root = packages[""] ?? {};
  const strangers = Object.keys({ ...root.dependencies, ...root.devDependencies }).filter(
    (name) => !declared.has(name),
  );
  const says = Object.entries(packages).flatMap(([path, { version, resolved, integrity, link }]) => {
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    if (path === "" || link) return [];
    const had = lock.installed?.get(`${name}@${version}`);
    return [
      ...(resolved !== undefined && !isRegistry(resolved, hosts)
        ? [`takes ${name} from ${withoutCredentials(resolved)}, which is no registry that is set up here.`]
        : []),
      ...(had && integrity && !shareChecksum(had, integrity)
        ? [`has another checksum of ${name}@${version} than the registry.`]
        : []),
    ];
  });
  return findings("package-lock.json", [
    ...strangers.map((name) => `names ${name}, which package.json does not.`),
    ...says,
  ]);
}

/** What npm writes for itself about what it installed. */
export function checksumsIn(text: string): Map<string, string> {
  return new Map(
    Object.entries(packagesIn(text) ?? {}).flatMap(([path, { version, integrity }]) => {
      const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
      return integrity ? [[`${name}@${version}`, integrity] as const] : [];
    }),
  );
}

const names = z.record(z.string(), z.unknown()).catch({});
const Package = z.object({
  version: z.string().optional().catch(undefined),
  resolved: z.string().optional().catch(undefined),
  integrity: z.string().optional().catch(undefined),
  link: z.boolean().optional().catch(undefined),
  dependencies: names,
  devDependencies: names,
});
const broken: z.infer<typeof Package> = { dependencies: {}, devDependencies: {} };
const Lock = z.object({
  packages: z.record(z.string(), Package.catch(broken)).optional(),
  dependencies: z.record(z.string(), Package.catch(broken)).optional(),
});

/** Of the older format only what lies at the top: the rest is not followed either. */
function packagesIn(text: string): Record<string, Partial<z.infer<typeof Package>>> | undefined {
  try {
    const { packages, dependencies = {} } = Lock.parse(JSON.parse(text));
    if (packages) return packages;
    return Object.fromEntries(Object.entries(dependencies).map(([name, one]) => [`node_modules/${name}`, one]));
  } catch {
    return undefined;
  }
}

/** Where npm and Yarn look when nobody tells them otherwise. */
const KNOWN_HOSTS = ["npmjs.org", "yarnpkg.com"].map((domain) => `registry.${domain}`);

const isRegistry = (resolved: string, hosts: Set<string>): boolean => {
  const url = URL.parse(resolved);
  return url !== null && /^https?:$/.test(url.protocol) && hosts.has(url.host);
};

/** Each may list several, of different kinds. */
function shareChecksum(one: string, other: string): boolean {
  const kinds = (text: string): string[] => text.split(/\s+/).map((word) => word.split("-")[0] ?? "");
  if (!kinds(one).some((kind) => kinds(other).includes(kind))) return true;
  const words = new Set(one.split(/\s+/));
  return other.split(/\s+/).some((word) => words.has(word));
}

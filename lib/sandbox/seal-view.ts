/** What a sealed command sees of this computer, as arguments of bubblewrap: the system's programs and what is named. */
import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { projectFile } from "../files/project-files.ts";
import { ETC_FILES, NOTHING } from "./seal-etc.ts";

export interface View {
  writable: string[];
  readable: string[];
  /** The folder with the few files of /etc that programs ask for, made up. */
  etc: string;
  /** The program's own folder: it has the checks of suites with their answers. Seen is what is `readable` of it. */
  own?: string;
}

const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
/** How the loader and Debian find programs and libraries. Nothing of it is a secret. */
const ETC = ["/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d"];
/** What /proc says of the computer that no project needs; each is empty. */
const HOST_FACTS = [
  ...["cmdline", "config.gz", "interrupts", "iomem", "ioports", "kallsyms", "key-users", "keys", "modules"],
  ...["partitions", "timer_list", "vmallocinfo", "sys/kernel/random/boot_id"],
]
  .map((name) => `/proc/${name}`)
  .filter((path) => existsSync(path));
const TMP_BYTES = 2 ** 29;
/** As containers have it. No other limit counts what is written there. */
const SHARED_MEMORY_BYTES = 2 ** 26;

export function viewArguments({ writable, readable, etc, own = OWN }: View): string[] {
  // Elsewhere it is not bound at all.
  const hidden = isSystem(own) ? [own] : [];
  const isBound = (path: string): boolean => isSystem(path) && !hidden.some((folder) => isBelow(path, folder));
  const needed = readable.filter((path) => !isBound(path) && !hidden.includes(path)).sort(outerFirst);
  return [
    ...SYSTEM.flatMap(systemArguments),
    ...hidden.flatMap((path) => ["--size", "4096", "--perms", "0755", "--tmpfs", path]),
    ...["--perms", "0755", "--dir", "/etc"],
    ...ETC.flatMap((path) => ["--ro-bind-try", path, path]),
    ...Object.keys(ETC_FILES).flatMap((name) => ["--ro-bind", `${etc}/${name}`, `/etc/${name}`]),
    ...["--proc", "/proc", "--dev", "/dev"],
    ...HOST_FACTS.flatMap((path) => ["--ro-bind", join(etc, NOTHING), path]),
    ...["--size", String(TMP_BYTES), "--perms", "1777", "--tmpfs", "/tmp"],
    ...parentsOf([...needed, ...writable])
      .filter((path) => !isBound(path) && !hidden.includes(path))
      .flatMap((path) => ["--perms", "0755", "--dir", path]),
    ...needed.flatMap((path) => ["--ro-bind", path, path]),
    ...writable.flatMap((path) => ["--bind", path, path]),
    ...["--size", String(SHARED_MEMORY_BYTES), "--perms", "1777", "--tmpfs", "/dev/shm"],
    // They may belong to the user who seals: files written there would take memory that no limit counts.
    ...["/dev", ...hidden, "/"].flatMap((path) => ["--remount-ro", path]),
  ];
}

/** Installed for all users, it is below /usr. */
const OWN = resolve(projectFile(""));

const isBelow = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

export const isSystem = (path: string): boolean => SYSTEM.some((part) => path === part || path.startsWith(`${part}/`));

/** On most systems /bin and its like are links into /usr. */
function systemArguments(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return [];
  return found.isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
}

/** Made on the way to a mount, folders would be closed to everyone but the user who mounts. */
function parentsOf(paths: string[]): string[] {
  const parents = new Set<string>();
  for (const path of paths)
    for (let parent = dirname(path); parent !== "/" && parent !== "."; parent = dirname(parent)) parents.add(parent);
  return [...parents].filter((parent) => parent !== "/tmp").sort(outerFirst);
}

const outerFirst = (one: string, other: string): number => one.length - other.length;

/** Installed environments on disk, by what was requested. One that was changed since is not handed out. */
import { mkdir, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { ProjectEnvironment } from "../language.ts";
import { fingerprintOf } from "./folder-print.ts";

export interface StoreParts {
  folder: string;
  now: () => number;
  newId: () => string;
  /** Marks the name as used by this process, so that no cleaner removes it. */
  claim: (name: string) => void;
  /** Generated code runs without a seal here: it can change what is installed at any time. */
  isOpen: boolean;
  announce: (text: string) => void;
}

export interface Store {
  find(key: string): Promise<ProjectEnvironment | undefined>;
  /** A folder of its own: two processes may install the same packages at once. */
  begin(key: string): Promise<string>;
  keep(key: string, made: { folder: string; environment: ProjectEnvironment; bytes: number }): Promise<void>;
}

export const StoredEnvironment = z.object({
  /** The name of its folder. */
  folder: z.string(),
  bytes: z.number(),
  /** Of everything in it. */
  print: z.string(),
  environment: z.object({
    path: z.array(z.string()),
    env: z.record(z.string(), z.string()),
    python: z.string().optional(),
    nodeModules: z.array(z.object({ below: z.string(), folder: z.string() })),
    readable: z.array(z.string()),
    missing: z.array(z.string()),
    available: z.array(z.string()).optional(),
  }),
});
type StoredEnvironment = z.infer<typeof StoredEnvironment>;

export function createStore(parts: StoreParts): Store {
  const { folder, newId, claim, now } = parts;
  const proven = new Set<string>();
  const recordPath = (key: string): string => join(folder, `${key}.json`);

  return {
    async find(key) {
      const kept = await recordAt(recordPath(key));
      if (!kept) return undefined;
      // A cleaner removes the record first and then looks for claims: it sees this claim, or the record is gone.
      claim(kept.folder);
      if ((await recordAt(recordPath(key)))?.folder !== kept.folder) return undefined;
      const isProven = proven.has(kept.folder) && !parts.isOpen;
      if (!isProven && fingerprintOf(join(folder, kept.folder)) !== kept.print) {
        parts.announce("the installed packages were changed: they are installed again");
        await rm(recordPath(key), { force: true });
        return undefined;
      }
      proven.add(kept.folder);
      const at = now() / 1000;
      await utimes(recordPath(key), at, at).catch(() => {});
      return plain(kept.environment);
    },
    async begin(key) {
      const name = `${key}-${newId()}`;
      claim(name);
      await mkdir(join(folder, name), { recursive: true });
      return join(folder, name);
    },
    async keep(key, { folder: path, environment, bytes }) {
      const name = path.slice(folder.length + 1);
      const kept: StoredEnvironment = { folder: name, bytes, print: fingerprintOf(path), environment };
      proven.add(name);
      const draft = join(folder, `${key}-${newId()}.draft`);
      await writeFile(draft, JSON.stringify(kept));
      await rename(draft, recordPath(key));
    },
  };
}

/** Undefined if it was removed, or written by another version. */
async function recordAt(path: string): Promise<StoredEnvironment | undefined> {
  try {
    return StoredEnvironment.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return undefined;
  }
}

const plain = ({ python, available, ...rest }: StoredEnvironment["environment"]): ProjectEnvironment => ({
  ...rest,
  ...(python ? { python } : {}),
  ...(available ? { available } : {}),
});

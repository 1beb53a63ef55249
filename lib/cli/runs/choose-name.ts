/** Chooses the name of a run and the folder of its files, both free, before anything is spent. */
import { join, resolve } from "node:path";
import { UserError } from "../../core/errors.ts";
import { checkedName, slugOf } from "../../core/run/slug.ts";
import { type Ground, groundAt, isOccupied } from "../../files/delivery.ts";

export interface NameAndFolder {
  name: string;
  out: string;
}

export interface NameOptions {
  /** The default name is made of it. */
  title: string;
  name: string | undefined;
  out: string | undefined;
  cwd: string;
  /** Where the folder goes, if it is not given: for each run one of its name. */
  workspace: string | undefined;
  /** Names of other runs. */
  taken: ReadonlySet<string>;
}

export async function chooseNameAndFolder(options: NameOptions): Promise<NameAndFolder> {
  const { title, name, out, cwd, workspace = "workspace", taken } = options;
  const ground = out === undefined ? "free" : await groundAt(resolve(cwd, out));
  if (out !== undefined && ground !== "free") throw notFree(out, ground);
  const wanted = name === undefined ? slugOf(title) : checkedName(name);
  for (let count = 1; ; count += 1) {
    const tried = count === 1 ? wanted : `${wanted}-${count}`;
    const folder = resolve(cwd, out ?? join(workspace, tried));
    const isFree = out !== undefined || !(await isOccupied(folder));
    if (isFree && (name !== undefined || !taken.has(tried))) return { name: name ?? tried, out: folder };
  }
}

/** Follows the path of a place where no folder can be. */
export const NO_FOLDER = "cannot be a folder: something that is none is there, or on the way to it";

function notFree(out: string, ground: Ground): UserError {
  const why = ground === "occupied" ? "is there already, and is not empty; nothing in it is overwritten" : NO_FOLDER;
  return new UserError(`--out ${out} ${why}.`, {
    exitCode: 2,
    remedy: "Give --out a folder that does not exist yet, or leave it out: ./workspace/<name> is used then.",
  });
}

/** The versions of a file over the turns of a run, through moves. Reads only through the function that it is given. */
import type { TextVersion } from "../text/blame-lines.ts";
import type { TurnRecord } from "./turn.ts";

type Changed = Pick<TurnRecord, "instruction" | "turn" | "changes">;

export interface FileHistory<Made extends Changed> {
  /** In the order in which they were made. */
  turns: readonly Made[];
  /** The file as that turn left it, or at the start. Undefined: it was not there. */
  read(path: string, after: Made | undefined): Promise<string | undefined>;
}

/** Oldest first. The origin is a turn, or undefined for the start. */
export async function fileVersions<Made extends Changed>(
  run: FileHistory<Made>,
  path: string,
): Promise<TextVersion<Made | undefined>[]> {
  const made = run.turns.flatMap((origin, index) => {
    const change = origin.changes.find((each) => each.path === path);
    return change ? [{ origin, index, change }] : [];
  });
  const [first] = made;
  const moved = first && movedFrom(first.origin, first.change);
  const versions = moved
    ? await fileVersions({ ...run, turns: run.turns.slice(0, first.index) }, moved)
    : await startOf(run, path, first?.change);
  for (const { origin, change } of made)
    versions.push({ origin, text: change.sha256 === null ? "" : ((await run.read(path, origin)) ?? "") });
  return versions;
}

async function startOf<Made extends Changed>(
  run: FileHistory<Made>,
  path: string,
  first: Change | undefined,
): Promise<TextVersion<Made | undefined>[]> {
  const isNew = first !== undefined && first.was === null;
  const text = isNew ? undefined : await run.read(path, undefined);
  return text === undefined ? [] : [{ origin: undefined, text }];
}

type Change = Changed["changes"][number];

/** The path at which the same turn removed the same bytes. */
function movedFrom({ changes }: Changed, { was, sha256 }: Change): string | undefined {
  if (was !== null || sha256 === null) return undefined;
  return changes.find((each) => each.sha256 === null && each.was === sha256)?.path;
}

/** All processes of a sandbox, found from its first one. */
import { readdirSync, readFileSync } from "node:fs";

/** Orphans become children of the first, so that this finds them too. Of too many it answers some more than `enough`. */
export function processesBelow(first: number, enough = Number.POSITIVE_INFINITY): number[] {
  const found = [first];
  for (const pid of found) {
    if (found.length > enough) break;
    for (const thread of threadsOf(pid))
      for (const child of textOf(`/proc/${pid}/task/${thread}/children`).split(" "))
        if (child) found.push(Number(child));
  }
  return found;
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return []; // It has ended meanwhile.
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

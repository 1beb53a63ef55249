/** The tree of a commit by path, without contents: read from its objects, and stored with the run. Pure. */
import { GitError } from "../../lib/core/git/servers.ts";
import { MiB, OUTLINE_BYTES } from "../../lib/core/limits.ts";
import { FOLDER, hashOfId, itemsOfTree, type TreeItem, treeIdIn } from "./objects.ts";
import type { Objects } from "./read-pack.ts";

export interface Outline {
  /** Of the commit's whole tree. */
  tree: string;
  items: Map<string, TreeItem>;
}

const DEEPEST = 100;
/** Folders too: trees that name the same one many times are few objects and many paths. */
const ENTRIES = 500_000;
/** No system makes a file at a longer one, and maps of very long keys are slow. */
const PATH_BYTES = 4_096;

export function outlineOf(objects: Objects, commit: string): Outline {
  const found = objects.get(commit);
  if (!found) throw new GitError(`it did not send the commit ${commit}`, "refused");
  const tree = treeIdIn(found);
  const items = new Map<string, TreeItem>();
  const count = createCount();
  const read = (id: string, above: string, depth: number): void => {
    const object = objects.get(id);
    if (object?.type !== "tree") throw new GitError("it did not send all of the commit's tree", "refused");
    if (depth > DEEPEST) throw new GitError("its folders are nested too deep", "refused");
    for (const [name, item] of itemsOfTree(object.content, hashOfId(commit))) {
      const path = above === "" ? name : `${above}/${name}`;
      count(path, item);
      if (item.mode === FOLDER) read(item.id, path, depth + 1);
      else items.set(path, item);
    }
  };
  read(tree, "", 0);
  return { tree, items };
}

function createCount(): (path: string, item: TreeItem) => void {
  let entries = 0;
  let bytes = 0;
  return (path, { mode, id }) => {
    const length = Buffer.byteLength(path);
    entries += 1;
    // As a line of what is stored.
    bytes += mode.length + id.length + length + 3;
    if (entries > ENTRIES) throw tooMuch(`its tree has more than ${ENTRIES} entries`);
    if (length > PATH_BYTES) throw tooMuch(`one of its paths has more than ${PATH_BYTES} bytes`);
    if (bytes > OUTLINE_BYTES) throw tooMuch(`its paths take more than ${OUTLINE_BYTES / MiB} MiB`);
  };
}

const tooMuch = (what: string): GitError => new GitError(`${what}; that is too much for a run`, "refused");

/** The tree's id, then mode, id and path of each file, each ended by a zero. */
export function encodeOutline({ tree, items }: Outline): Uint8Array {
  const lines = [...items].map(([path, { mode, id }]) => `${mode} ${id} ${path}\0`);
  return new TextEncoder().encode(`${tree}\0${lines.join("")}`);
}

export function decodeOutline(bytes: Uint8Array): Outline {
  const [tree = "", ...lines] = new TextDecoder().decode(bytes).split("\0");
  const items = lines.filter(Boolean).map((line): [string, TreeItem] => {
    const [mode = "", id = ""] = line.split(" ", 2);
    return [line.slice(mode.length + id.length + 2), { mode, id }];
  });
  return { tree, items: new Map(items) };
}

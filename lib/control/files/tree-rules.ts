/** Whether a file may be changed: nothing that the user gave, no twin by case, no file that is a folder, nothing beyond the limits of a tree. */
import { deflateRawSync } from "node:zlib";
import { MiB, PATHS_PER_TURN, TREE_FILES, TREE_PACKED_BYTES } from "../../core/limits.ts";
import { foldPath, parentsOf } from "../../core/text/file-path.ts";
import { allLayers, contentOf, filesAdded, type Layer, type Layers, pathChangesOf, standingAt } from "./layers.ts";
import { listFiles } from "./tree-listing.ts";

/** Answers what is wrong, in a sentence for the model. */
export async function problemWith(layers: Layers, path: string, content: Uint8Array): Promise<string | undefined> {
  const folded = foldPath(path);
  const refused = isGiven(layers, path) ?? turnIsFull(layers, folded);
  if (refused) return refused;
  const standing = await standingAt(layers, folded);
  if (standing && standing.path !== path) {
    return `${path} differs from the existing ${standing.path} only in case or Unicode form; use that name.`;
  }
  const clash = await clashWithFolders(layers, path);
  if (clash) return clash;
  if (!standing && countOf(layers) >= TREE_FILES) return `The tree has ${TREE_FILES} files, which is the limit.`;
  return (await isTooLarge(layers, { path, content })) ? tooLarge : undefined;
}

/** Also under a name of another case. */
export const isGiven = ({ given }: Layers, path: string): string | undefined =>
  given.has(foldPath(path))
    ? `${path} was given by the user, it cannot be changed: change the code that it is about.`
    : undefined;

/** A turn is one transaction, and that holds so many items. */
export const turnIsFull = ({ overlay }: Layers, folded: string): string | undefined =>
  !overlay.has(folded) && overlay.size >= PATHS_PER_TURN
    ? `One turn changes at most ${PATHS_PER_TURN} paths; change the rest in the next turn.`
    : undefined;

const countOf = ({ fileCount, overlay }: Layers): number =>
  fileCount + filesAdded([...overlay.values()].flatMap(pathChangesOf));

const tooLarge = `The tree would grow beyond ${TREE_PACKED_BYTES / MiB} MiB packed, which is the limit.`;

async function clashWithFolders(layers: Layers, path: string): Promise<string | undefined> {
  for (const parent of parentsOf(path)) {
    if (await standingAt(layers, foldPath(parent))) return `${parent} is a file, so ${path} cannot be inside it.`;
  }
  const [inside] = await listFiles(layers, { prefix: `${path}/`, limit: 1 });
  return inside && `${path} is a folder (it holds ${inside.path}).`;
}

/** Deflating is only done where unpacked sizes could be too much. */
async function isTooLarge(layers: Layers, { path, content }: { path: string; content: Uint8Array }): Promise<boolean> {
  const others = allLayers(layers).filter((layer) => layer.path !== path);
  const room = TREE_PACKED_BYTES - layers.run.packedBytes;
  if (others.reduce((sum, layer) => sum + layer.bytes, content.length) <= room) return false;
  let packed = deflated(content);
  for (const layer of others) packed += await packedSize(layers, layer);
  return packed > room;
}

async function packedSize(layers: Layers, layer: Layer): Promise<number> {
  const content = await contentOf(layers, layer);
  return content ? deflated(content) : 0;
}

/** A large instruction asks for the same sizes at each of its writes. */
const sizes = new WeakMap<Uint8Array, number>();

function deflated(content: Uint8Array): number {
  const size = sizes.get(content) ?? deflateRawSync(content).length;
  sizes.set(content, size);
  return size;
}

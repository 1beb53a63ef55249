/** Whether a file may be written: no twin by case, no file that is a folder, nothing beyond the limits of a tree. */
import { deflateRawSync } from "node:zlib";
import { foldPath, parentsOf } from "../core/file-path.ts";
import { PATHS_PER_TURN, TREE_FILES, TREE_PACKED_BYTES } from "../core/limits.ts";
import { type Layer, type Layers, standingAt } from "./layers.ts";
import { listFiles } from "./tree-listing.ts";

/** Answers what is wrong, in a sentence for the model. */
export async function problemWith(layers: Layers, path: string, content: Uint8Array): Promise<string | undefined> {
  const { overlay, run } = layers;
  const folded = foldPath(path);
  if (!overlay.has(folded) && overlay.size >= PATHS_PER_TURN) {
    return `One turn changes at most ${PATHS_PER_TURN} paths; write the rest in the next turn.`;
  }
  const standing = await standingAt(layers, folded);
  if (standing && standing.path !== path) {
    return `${path} differs from the existing ${standing.path} only in case or Unicode form; use that name.`;
  }
  const clash = await clashWithFolders(layers, path);
  if (clash) return clash;
  if (!standing && run.files + overlay.size >= TREE_FILES)
    return `The tree has ${TREE_FILES} files, which is the limit.`;
  return isTooLarge(layers, content) ? tooLarge : undefined;
}

const tooLarge = `The tree would grow beyond ${TREE_PACKED_BYTES} packed bytes, which is the limit.`;

async function clashWithFolders(layers: Layers, path: string): Promise<string | undefined> {
  for (const parent of parentsOf(path)) {
    if (await standingAt(layers, foldPath(parent))) return `${parent} is a file, so ${path} cannot be inside it.`;
  }
  const [inside] = await listFiles(layers, { prefix: `${path}/`, limit: 1 });
  return inside && `${path} is a folder (it holds ${inside.path}).`;
}

/** Deflating is only done where unpacked sizes could be too much. */
function isTooLarge({ changed, overlay, run }: Layers, content: Uint8Array): boolean {
  const layers = [...new Map([...changed, ...overlay]).values()];
  const room = TREE_PACKED_BYTES - run.packedBytes;
  const raw = layers.reduce((sum, layer) => sum + layer.bytes, content.length);
  return raw > room && layers.reduce((sum, layer) => sum + packedSize(layer), deflated(content)) > room;
}

const deflated = (content: Uint8Array): number => deflateRawSync(content).length;
const packedSize = ({ content, bytes }: Layer): number => (content ? deflated(content) : bytes);

/** Pictures of the tree that a book may show: known by their first bytes, whatever their name says. */
import { decoded, pathFrom } from "./links.ts";

export interface Picture {
  path: string;
  content: Uint8Array;
  kind: PictureKind;
}
export type PictureKind = "png" | "jpeg" | "gif" | "webp";

/** A page repeats a picture each time it is shown; this bounds their total size. */
const BYTES_AT_MOST = 24_000_000;

/** Finds pictures until they are too much for one book. SVG is not among them: it can hold scripts. */
export function pictureFinder(files: Map<string, Uint8Array>): (href: string, from: string) => Picture | undefined {
  let bytes = 0;
  return (href, from) => {
    const path = pathFrom(from, decoded(href.replace(/[?#].*$/s, "")));
    const content = files.get(path);
    const kind = content && kindOf(content);
    if (!kind || bytes + content.length > BYTES_AT_MOST) return undefined;
    bytes += content.length;
    return { path, content, kind };
  };
}

const SIGNATURES: [kind: PictureKind, at: number, signature: string][] = [
  ["png", 0, "\x89PNG\r\n\x1a\n"],
  ["jpeg", 0, "\xff\xd8\xff"],
  ["gif", 0, "GIF87a"],
  ["gif", 0, "GIF89a"],
  ["webp", 8, "WEBP"],
];

function kindOf(content: Uint8Array): PictureKind | undefined {
  const start = String.fromCharCode(...content.subarray(0, 12));
  return SIGNATURES.find(([, at, signature]) => start.startsWith(signature, at))?.[0];
}

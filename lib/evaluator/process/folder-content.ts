/** What a sandbox left in its folders: bytes and files, also where no path is long enough to name them. */
import { closeSync, constants, lstatSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";

export interface Content {
  bytes: number;
  files: number;
  /** Something may be where it cannot be looked at. */
  hides: boolean;
}

/** Far below the longest path that the system takes, with room for one more name. */
const PATH_BYTES = 3_000;
/** Deeper than these reach no honest program goes. */
const DEEP_FOLDERS = 200;
const DEEP = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Of too much it answers some more than `enough`. */
export function contentOf(folder: string, enough: Pick<Content, "bytes" | "files">): Content {
  const content: Content = { bytes: 0, files: 0, hides: false };
  const opened: number[] = [];
  const left = [folder];
  const readable = (path: string): string => {
    if (Buffer.byteLength(path) < PATH_BYTES || opened.length >= DEEP_FOLDERS) return path;
    opened.push(openSync(path, DEEP));
    return `/proc/self/fd/${opened.at(-1)}`;
  };
  const attempt = <Found>(ask: () => Found): Found | undefined => {
    try {
      return ask();
    } catch (problem) {
      // What is gone meanwhile hides nothing.
      content.hides ||= !(problem instanceof Error && "code" in problem && problem.code === "ENOENT");
      return undefined;
    }
  };
  try {
    for (const path of left) {
      const parent = attempt(() => readable(path));
      for (const name of parent === undefined ? [] : (attempt(() => readdirSync(parent)) ?? [])) {
        const found = attempt(() => lstatSync(join(parent ?? "", name)));
        content.files += 1;
        content.bytes += (found?.blocks ?? 0) * 512;
        if (found?.isDirectory()) left.push(join(parent ?? "", name));
        if (content.files > enough.files || content.bytes > enough.bytes) return content;
      }
    }
    return content;
  } finally {
    for (const file of opened) closeSync(file);
  }
}

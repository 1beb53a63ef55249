/** Names a whole tree: equal exactly where all paths and contents are equal. */
import type { FileEntry } from "../../core/turn/turn.ts";
import { sha256 } from "./digest.ts";

export const treeHash = (files: Pick<FileEntry, "path" | "sha256">[]): string =>
  sha256(
    files
      .map((file) => `${file.path}\0${file.sha256}\n`)
      .sort()
      .join(""),
  );

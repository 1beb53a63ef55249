/** Files of a suite as bytes. Pure. */
import type { Tree } from "./suite.ts";

export const bytesOf = (files: Tree): Map<string, Uint8Array> =>
  new Map(
    Object.entries(files).map(([path, text]) => [
      path,
      typeof text === "string" ? new TextEncoder().encode(text) : text,
    ]),
  );

/** Files of a suite as bytes. Pure. */
import type { Files } from "./suite.ts";

export const bytesOf = (files: Files): Map<string, Uint8Array> =>
  new Map(Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)]));

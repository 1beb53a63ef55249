// The texts of files, kept from one request to the next for as long as the files do not change.
import { readFileSync, statSync } from "node:fs";

const LARGEST_BYTES = 1024 * 1024;
const KEPT_CHARS = 32 * 1024 * 1024;
/** A file may change twice within one tick of the clock. */
const SETTLED_MS = 200;

const kept = new Map();
let chars = 0;

/** For one request, each file is looked at once. No one writes a large one by hand: its text is "". */
export function openTexts() {
  const looked = new Map();
  const look = (path) => {
    if (!looked.has(path)) looked.set(path, lookAt(path));
    return looked.get(path);
  };
  return { read: (path) => look(path).text, isLarge: (path) => look(path).isLarge };
}

function lookAt(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found || found.size > LARGEST_BYTES) return { text: "", isLarge: found !== undefined };
  const before = kept.get(path);
  if (before && isSame(before.stat, found)) return before;
  const now = { stat: found, text: textOf(path), isLarge: false };
  chars += now.text.length - (before?.text.length ?? 0);
  kept.delete(path);
  if (chars > KEPT_CHARS) forget();
  else if (Date.now() - found.ctimeMs > SETTLED_MS) kept.set(path, now);
  else chars -= now.text.length;
  return now;
}

const isSame = (one, other) =>
  ["dev", "ino", "size", "mtimeMs", "ctimeMs"].every((field) => one[field] === other[field]);

function forget() {
  kept.clear();
  chars = 0;
}

function textOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

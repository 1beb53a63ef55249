/** What is in a folder, without reading it: the time of the last change of an entry is the system's, and not settable. */
import { createHash } from "node:crypto";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Empty where it cannot be looked at. */
export function fingerprintOf(folder: string): string {
  const hash = createHash("sha256");
  const folders = [folder];
  try {
    for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
      for (const entry of readdirSync(next, { withFileTypes: true }).sort(byName)) {
        const path = join(next, entry.name);
        const { size, mtimeMs, ctimeMs, mode } = lstatSync(path);
        if (entry.isDirectory()) folders.push(path);
        const about = entry.isDirectory() ? [mode] : [size, mtimeMs, ctimeMs, mode];
        hash.update(JSON.stringify([path.slice(folder.length), ...about]));
      }
    }
    return hash.digest("hex");
  } catch {
    return "";
  }
}

const byName = (one: { name: string }, other: { name: string }): number => (one.name < other.name ? -1 : 1);
